"""`induce explain`: rows typed in, rows of a file."""

import induce

BECAUSE = """\
No (100%) because
  all examples     Yes 9  No 5
  Outlook = Sunny  Yes 2  No 3
  Humidity = High  No 3
"""
ROW = {"Outlook": "Sunny", "Temperature": "Hot", "Humidity": "High", "Wind": "Weak"}


def test_a_row_typed_in(run, tennis):
    pairs = ",".join(f"{name}={value}" for name, value in ROW.items())
    assert run("explain", tennis, pairs).out == BECAUSE
    assert run("explain", tennis, pairs.replace(",", ", ")).out == BECAUSE
    assert run("explain", tennis, str(ROW).replace("'", '"')).out == BECAUSE


def test_what_is_not_said_is_missing(run, tennis):
    result = run("explain", tennis, "Outlook=Sunny,Humidity=High")
    assert result.out == BECAUSE
    assert result.err == "note: the row does not give Temperature, Wind, which count as missing\n"
    assert "Outlook is missing" in run("explain", tennis, '{"Outlook": null}').out


def test_numbers(run, iris_rules):
    row = "sepal length=5.1,sepal width=3.5,petal length=1.4,petal width=0.2"
    found = run("explain", iris_rules, row, "--json").json
    assert found[0]["prediction"] == "setosa"
    numbers = '{"sepal length": 5, "sepal width": 3.5, "petal length": 6, "petal width": 2}'
    assert run("explain", iris_rules, numbers).out.startswith("virginica because IF ")
    assert (
        "column 'petal width' is numeric but holds 'wide'"
        in run("explain", iris_rules, row.replace("0.2", "wide")).sentence()
    )


def test_rows_of_a_file(run, tennis, tmp_path):
    X, y = induce.dataset("play-tennis")
    X.write_csv(tmp_path / "new.csv")
    found = run("explain", tennis, tmp_path / "new.csv", "--json").json
    assert [each["row"] for each in found] == list(range(1, 11))
    assert [each["prediction"] for each in found] == y.to_list()[:10]
    assert run("explain", tennis, tmp_path / "new.csv", "--row", 1).out == BECAUSE
    assert run("explain", tennis, tmp_path / "new.csv").out.startswith("row 1: " + BECAUSE + "row 2: ")
    piped = run("explain", tennis, "-", "--row", 14, stdin=(tmp_path / "new.csv").read_bytes())
    assert piped.out.startswith("No (100%) because")


def test_wrong_rows(run, tennis, table):
    path = table("Outlook,Temperature,Humidity,Wind\nSunny,Hot,High,Weak\n")
    assert run("explain", tennis, path, "--row", 2).sentence() == "there is no row 2; the last is 1"
    assert "Invalid value for '--row'" in run("explain", tennis, path, "--row", 0).sentence()
    assert (
        run("explain", tennis, "Outlok=x").sentence()
        == "there is no column 'Outlok'; did you mean 'Outlook'?"
    )
    assert run("explain", tennis, "Wind=x,Wind=y").sentence() == "the row has 'Wind' twice"
    assert "'y' in the row has no name" in run("explain", tennis, "Wind=x,y").sentence()
    assert "the row is not a JSON object" in run("explain", tennis, "{Wind}").sentence()
    assert "'Wind' is [1] in the row" in run("explain", tennis, '{"Wind": [1]}').sentence()
    assert "--row selects a row of a file" in run("explain", tennis, "Wind=Weak", "--row", 1).sentence()
    assert run("explain", tennis, "nowhere").sentence() == "there is no file 'nowhere'"
    assert (
        "column 'Wind' is absent"
        in run("explain", tennis, table("Outlook,Temperature,Humidity\na,b,c\n")).sentence()
    )


def test_neighbours_are_numbered_as_the_file_is(run, tmp_path):
    """Row 1 of the file that was learned from is its own nearest neighbour, and is called row 1."""
    (tmp_path / "t.csv").write_text("x,y\n1.5,a\n9.5,b\n5.25,a\n", encoding="utf-8")
    model = tmp_path / "m.induce"
    learned = run(
        "learn",
        tmp_path / "t.csv",
        "--target",
        "y",
        "--learner",
        "KNeighborsClassifier",
        "n_neighbors=1",
        "--out",
        model,
    )
    assert learned.code == 0, learned.err
    said = run("explain", model, tmp_path / "t.csv", "--row", 1).out
    assert "row 1: a" in said
    assert "row 0" not in said


def test_contrast_tells_the_smallest_change(run, tmp_path):
    model = str(tmp_path / "tree.induce")
    assert run("learn", "play-tennis", "--learner", "ID3", "--no-evaluate", "--out", model).code == 0
    row = "Outlook=Sunny,Temperature=Hot,Humidity=High,Wind=Weak"
    assert run("explain", model, row, "--contrast", "Yes").out == (
        "Yes instead of No if Humidity = Normal instead of High\n"
    )
    fixed = run("explain", model, row, "--contrast", "*", "--fixed", "Humidity", "--json").json
    assert fixed[0]["changes"][0]["column"] == "Outlook"
    assert "maybe" in run("explain", model, row, "--contrast", "maybe").sentence()
    assert "--contrast" in run("explain", model, row, "--fixed", "Wind").sentence()
