"""`induce predict`: columns added, rows streamed, files written whole."""

import io

import polars as pl
import pytest

import induce

NEW = "Wind,Outlook,Humidity,Temperature\nWeak,Sunny,High,Hot\nStrong,Rain,?,Mild\nWeak,Overcast,High,\n"


def test_csv_to_standard_output(run, tennis, table):
    result = run("predict", tennis, table(NEW))
    assert result.code == 0
    assert result.err == ""
    assert result.out.splitlines() == [
        "Wind,Outlook,Humidity,Temperature,prediction",
        "Weak,Sunny,High,Hot,No",
        "Strong,Rain,?,Mild,No",
        "Weak,Overcast,High,,Yes",
    ]
    assert run("predict", tennis, "-", stdin=NEW.encode()).out == result.out


def test_probabilities(run, tennis, table):
    path = table("Wind,Outlook,Humidity,Temperature\nWeak,?,High,Hot\n")
    found = pl.read_csv(io.StringIO(run("predict", tennis, path, "--proba").out))
    expected = induce.load_hypothesis(tennis).predict_proba(
        pl.DataFrame({"Wind": ["Weak"], "Outlook": [None], "Humidity": ["High"], "Temperature": ["Hot"]})
    )
    assert found.columns[-2:] == ["probability of Yes", "probability of No"]
    assert list(found.row(0)[-2:]) == pytest.approx(expected[0].tolist())


def test_cells_leave_as_they_came(run, iris_rules, table):
    path = table("id;sepal length;sepal width;petal length;petal width\n007; 5.10;3;1.4;0.20\n")
    assert run("predict", iris_rules, path).out.splitlines()[1] == "007, 5.10,3,1.4,0.20,setosa"


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
def test_files_by_extension(run, iris_rules, tmp_path, kind):
    X, _ = induce.dataset("iris")
    X.write_csv(tmp_path / "new.csv")
    out = tmp_path / f"p.{kind}"
    result = run("predict", iris_rules, tmp_path / "new.csv", "--out", out, "--proba")
    assert (result.code, result.out, result.err) == (0, "", "")
    reader = {
        "csv": pl.read_csv,
        "tsv": lambda path: pl.read_csv(path, separator="\t"),
        "jsonl": pl.read_ndjson,
        "parquet": pl.read_parquet,
    }[kind]
    found = reader(out)
    assert found["prediction"].to_list() == induce.load(iris_rules).predict(X).tolist()
    assert found.select(X.columns).equals(X)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.csv", out.name]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_many_batches_are_one_file(run, tennis, table, tmp_path, monkeypatch, kind):
    monkeypatch.setattr("induce.data.delimited.BLOCK", 1 << 12)
    head, *rows = NEW.splitlines(keepends=True)
    path = table(head + "".join(rows) * 3000)
    out = tmp_path / f"p.{kind}"
    assert run("predict", tennis, path, "--out", out).code == 0
    found = {"csv": pl.read_csv, "jsonl": pl.read_ndjson, "parquet": pl.read_parquet}[kind](out)
    assert found["prediction"].to_list() == ["No", "No", "Yes"] * 3000


def test_extra_columns_are_passed_on_with_a_note(run, tennis, table):
    path = table("a,Wind,Outlook,Humidity,Temperature,Day,PlayTennis\nz,Weak,Sunny,High,Hot,D1,No\n")
    result = run("predict", tennis, path)
    assert result.err == "note: the model was trained without the columns a, Day, which are ignored\n"
    assert result.out.splitlines()[1] == "z,Weak,Sunny,High,Hot,D1,No,No"


def test_a_column_called_prediction_stays(run, tennis, table):
    path = table("prediction,Wind,Outlook,Humidity,Temperature\nmine,Weak,Sunny,High,Hot\n")
    result = run("predict", tennis, path)
    assert "there is already a column 'prediction', so the new one is called 'prediction_'" in result.err
    assert result.out.splitlines() == [
        "prediction,Wind,Outlook,Humidity,Temperature,prediction_",
        "mine,Weak,Sunny,High,Hot,No",
    ]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_nothing_is_left_when_a_late_row_is_wrong(run, tennis, table, tmp_path, monkeypatch, kind):
    monkeypatch.setattr("induce.data.delimited.BLOCK", 1 << 12)
    head, *rows = NEW.splitlines(keepends=True)
    path = table(head + "".join(rows) * 2000 + "Weak,Sunny\n")
    out = tmp_path / f"p.{kind}"
    out.write_text("what was there before", encoding="utf-8")
    result = run("predict", tennis, path, "--out", out)
    assert result.sentence().startswith("line 6,002 of 't.csv' has 2 fields where the header has 4")
    assert out.read_text(encoding="utf-8") == "what was there before"
    assert sorted(file.name for file in tmp_path.iterdir()) == [out.name, "t.csv"]


def test_a_replaced_file_keeps_its_permissions(run, tennis, table, tmp_path):
    out = tmp_path / "p.csv"
    out.touch()
    out.chmod(0o640)
    run("predict", tennis, table(NEW), "--out", out)
    assert out.stat().st_mode & 0o777 == 0o640


def test_classes_that_are_numbers_or_truth_values(run, tmp_path):
    X = pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0] * 3})
    for classes in ([0, 0, 1, 1], [False, False, True, True]):
        induce.save(induce.ID3().fit(X, pl.Series("y", classes * 3)), tmp_path / "m.induce")
        X.head(4).write_csv(tmp_path / "new.csv")
        run("predict", tmp_path / "m.induce", tmp_path / "new.csv", "--out", tmp_path / "p.parquet")
        assert pl.read_parquet(tmp_path / "p.parquet")["prediction"].to_list() == classes


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            "Wind,Outlook,Humidity\nWeak,Sunny,High\n",
            "column 'Temperature' is absent; give all columns that the hypothesis was learned from",
        ),
        ("", "'t.csv' is empty"),
        ("Wind,Outlook,Humidity,Temperature\n", "'t.csv' has a header but no rows"),
        ("Wind,Wind\nWeak,Weak\n", "two columns of 't.csv' are called 'Wind'"),
    ],
)
def test_wrong_files(run, tennis, table, tmp_path, content, expected):
    path = table(content)
    assert expected in run("predict", tennis, path, "--out", tmp_path / "p.csv").sentence()
    assert expected in run("predict", tennis, path).sentence()
    assert [file.name for file in tmp_path.iterdir()] == ["t.csv"]


def test_numbers_that_are_none_name_the_row(run, iris_rules, table):
    head = "sepal length,sepal width,petal length,petal width\n"
    path = table(head + "5,3,1,0\n" * 4 + "5,3,one,0\n")
    assert (
        "column 'petal length' is numeric but holds 'one' in row 5"
        in run("predict", iris_rules, path).sentence()
    )


def test_an_unknown_extension(run, tennis, table, tmp_path):
    result = run("predict", tennis, table(NEW), "--out", tmp_path / "p.xlsx")
    assert "end it in .csv or .tsv or .jsonl or .parquet" in result.sentence()


def test_rows_that_learn_leaves_out_get_no_prediction(run, tmp_path):
    path, model = tmp_path / "sales.xlsx", tmp_path / "sales.induce"
    rows = [(float(k % 7), "ab"[k % 2], "high" if k % 7 > 3 else "low") for k in range(40)]
    below = [(None, "Total", None), (None, None, None), (None, "Source: CRM", None)]
    frame = pl.DataFrame([*rows, *below], schema=["sold", "town", "label"], orient="row")
    frame.select("town", "sold", "label").write_excel(path)
    left_out = "1 row of notes below the table left out; the last row, 'Total', left out"
    assert left_out in run("learn", path, "--target", "label", "--out", model).err
    predicted = run("predict", model, path)
    assert len(predicted.out.splitlines()) == 1 + len(rows)
    assert left_out in predicted.err
    report = run("report", model, path, "--out", tmp_path / "report.html")
    assert report.code == 0
    assert left_out in report.err
    assert "no value of the target" not in report.err
