"""What the page shows of tables and runs, without a browser."""

import json
from dataclasses import replace

import polars as pl
import pytest

from induce.core.errors import InputError
from induce.workbench import catalogue, runs, tables
from induce.workbench.exports import exported
from induce.workbench.rows import rows_view
from induce.workbench.steps import TableStep


def test_a_table_is_kept_and_found_again(tmp_path, monkeypatch):
    path = tmp_path / "day.csv"
    path.write_text("day,size,kind\n2024-01-01,1.5,a\n2024-01-02,,b\n2024-01-03,2.5,a\n", encoding="utf-8")
    step = TableStep(str(path), "kind")
    first, notes = tables.opened(step, str(tmp_path / "kept"))
    tables._opened.cache_clear()
    monkeypatch.setattr(tables, "_read", lambda step: pytest.fail("the file was read again"))
    second, again = tables.opened(step, str(tmp_path / "kept"))
    assert second.frame.equals(first.frame)
    assert second.frame.schema == first.frame.schema
    assert (second.schema, second.target, second.aside, again) == (
        first.schema,
        first.target,
        first.aside,
        notes,
    )


def test_a_changed_file_is_read_again(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,x\n2,y\n", encoding="utf-8")
    assert len(tables.opened(TableStep(str(path)), str(tmp_path))[0]) == 2
    path.write_text("a,b\n1,x\n2,y\n3,x\n", encoding="utf-8")
    assert len(tables.opened(TableStep(str(path)), str(tmp_path))[0]) == 3


def test_the_target_is_guessed(bench):
    path = bench.uploads / "t.csv"
    path.write_text("size,class\n" + "".join(f"{k % 7},{'ab'[k % 2]}\n" for k in range(40)), encoding="utf-8")
    sheet = bench.open({"source": str(path)})["sheet"]
    assert bench.sheet(sheet)["table"]["target"] == "class"


def test_rows_come_in_blocks(tmp_path):
    found = tables.rows_view(TableStep("iris"), str(tmp_path), 149, 100)
    assert (len(found["rows"]), found["total"]) == (1, 150)
    with pytest.raises(InputError, match="at most"):
        tables.rows_view(TableStep("iris"), str(tmp_path), 0, 10**6)


def test_the_catalogue_begins_with_the_advised(tmp_path):
    found = catalogue.catalogue_view(TableStep("play-tennis"), str(tmp_path))
    assert found["advised"][0]["name"] == "C45"
    names = {each["name"] for group in found["groups"] for each in group["learners"]}
    assert {"C45", "RIPPER", "NaiveBayes", "KMeans"} <= names
    assert "ModelTree" not in names
    assert "numbers" in found["left_out"]["ModelTree"]


def test_forms_ask_what_is_declared():
    found = catalogue.form_of("C45")
    by_name = {each["name"]: each for each in found["parameters"]}
    assert by_name["confidence_factor"]["form"] == {
        "kind": "number",
        "range": {"above": 0, "below": 1},
        "none": False,
    }
    assert by_name["pruning"]["form"]["kind"] == "choice"
    assert by_name["class_weight"]["rare"]
    assert "schema" not in by_name
    json.dumps(found)


def test_a_run_from_end_to_end(bench):
    sheet = bench.open({"source": "play-tennis"})["sheet"]
    run = bench.learn(sheet, {"learner": "ID3"})["runs"][0]
    assert run["state"] == "done"
    assert run["error"]["baseline"]["text"].startswith("always predicting Yes")
    assert sum(map(sum, run["error"]["confusion"]["counts"])) == 14
    step, room = bench.found(sheet, 1)
    view = runs.hypothesis_view(step, room)
    assert view["view"] == "tree"
    row = {"Outlook": "Sunny", "Temperature": "Hot", "Humidity": "High", "Wind": "Weak"}
    said = runs.explained(step, room, row, [], None)
    assert said["prediction"] == "No"
    assert view["condition"][said["decider"]] == "Humidity = High"
    assert said["contrast"]["text"] == "Yes instead of No if Humidity = Normal instead of High"
    assert (
        runs.explained(step, room, row, ["Humidity"], "Yes")["contrast"]["changes"][0]["column"] == "Outlook"
    )
    rows = rows_view(step, bench.tables, room, said["decider"])
    assert (rows["total"], rows["wrong"], rows["numbers"]) == (3, 0, [1, 2, 8])
    assert rows_view(step, bench.tables, room, 0)["total"] == 14


def test_wrong_rows_come_first(bench):
    sheet = bench.open({"source": "iris"})["sheet"]
    bench.learn(sheet, {"learner": "C45"})
    rows = rows_view(bench.found(sheet, 1)[0], bench.tables, bench.found(sheet, 1)[1], 0)
    assert rows["wrong"] > 0
    assert rows["marked"] == sorted(rows["marked"], reverse=True)


@pytest.mark.parametrize("learner", ["RIPPER", "NaiveBayes", "KMeans", "LogisticRegression", "FOIL"])
def test_every_kind_of_hypothesis_is_shown(bench, learner):
    sheet = bench.open({"source": "play-tennis"})["sheet"]
    run = bench.learn(sheet, {"learner": learner})["runs"][0]
    assert run["state"] == "done", run
    step, room = bench.found(sheet, 1)
    view = runs.hypothesis_view(step, room)
    json.dumps(view, allow_nan=False)
    if view["view"] == "nomogram":
        assert view["columns"][0]["points"]
    for form in ("model", "script", "command", "report", *(each for each in view["forms"] if each != "onnx")):
        name, content, _ = exported(step, room, form)
        assert content, name


def test_a_run_that_cannot_be_is_refused_or_failed(bench):
    sheet = bench.open({"source": "play-tennis"})["sheet"]
    for told, said in (
        ({"learner": "C46"}, "C46"),
        ({"learner": "C45", "settings": {"max_depth": "deep"}}, "max_depth"),
        ({"learner": "C45", "settings": {"depth": "1"}}, "depth"),
        ({"learner": "C45", "cv": 1}, "2 folds"),
    ):
        with pytest.raises(InputError, match=said):
            bench.learn(sheet, told)
    assert bench.sheet(sheet)["runs"] == []
    failed = bench.learn(sheet, {"learner": "ModelTree"})["runs"][0]
    assert failed["state"] == "failed"
    assert failed["problem"]


def test_sources_outside_the_folder_are_refused(bench, tmp_path):
    outside = tmp_path / "secret.csv"
    pl.DataFrame({"a": [1, 2], "b": ["x", "y"]}).write_csv(outside)
    for source in (str(outside), "/etc/passwd", f"{bench.uploads}/../../secret.csv"):
        with pytest.raises(InputError, match="not in the workspace"):
            bench.open({"source": source})
    sheet = bench.open({"source": "play-tennis"})["sheet"]
    with pytest.raises(InputError, match="not in the workspace"):
        bench.tell(sheet, {"source": str(outside)})


def test_rows_of_a_second_file_are_sent_through(bench):
    sheet = bench.open({"source": "play-tennis"})["sheet"]
    bench.learn(sheet, {"learner": "NaiveBayes", "cv": 3})
    step, room = bench.found(sheet, 1)
    second = bench.uploads / "second.csv"
    rows = "Rain,Mild,Normal,Weak,Yes\nSunny,Hot,High,Weak,Yes\n"
    second.write_text(f"Outlook,Temperature,Humidity,Wind,PlayTennis\n{rows}", encoding="utf-8")
    found = rows_view(step, bench.tables, room, second=str(second))
    assert (found["total"], found["wrong"], found["numbers"]) == (2, 1, [2, 1])
    second.write_text("Outlook,Temperature,Humidity,Wind\nRain,Mild,High,Weak\n", encoding="utf-8")
    found = rows_view(step, bench.tables, room, second=str(second))
    assert (found["wrong"], found["columns"][-1]) == (None, "predicted")
    second.write_text("Outlook,Wind\nRain,Weak\n", encoding="utf-8")
    with pytest.raises(InputError, match="Temperature"):
        rows_view(step, bench.tables, room, second=str(second))


@pytest.mark.parametrize("learner", ["KMeans", "LinearRegression", "C45"])
def test_rows_of_clusters_and_numbers(bench, learner):
    target = {"LinearRegression": "petal width", "C45": "species", "KMeans": None}[learner]
    sheet = bench.open({"source": "iris", "target": target})["sheet"]
    run = bench.learn(sheet, {"learner": learner, "cv": 3, "seed": 0})["runs"][0]
    assert run["state"] == "done", run
    step, room = bench.found(sheet, 1)
    found = rows_view(step, bench.tables, room, 1 if learner == "KMeans" else None)
    assert 0 < found["total"] <= 150
    assert (found["wrong"] is None) == (learner != "C45")
    if learner == "LinearRegression":
        off = [
            abs(float(row[-1]) - float(row[found["columns"].index("petal width")])) for row in found["rows"]
        ]
        assert off == pytest.approx(sorted(off, reverse=True), abs=1e-4)


def test_hidden_codes_are_shown_of_rows(bench):
    from induce.workbench.rows import codes_view

    sheet = bench.open({"source": "play-tennis"})["sheet"]
    settings = {"hidden": "3", "max_epochs": "5"}
    run = bench.learn(sheet, {"learner": "NeuralNetworkClassifier", "cv": 2, "settings": settings})["runs"][0]
    assert run["state"] == "done", run
    step, room = bench.found(sheet, 1)
    codes = codes_view(step, bench.tables, room)
    assert len(codes) == 14
    assert len(codes[0]["code"]) == 3


def test_the_page_asks_for_a_doubtful_target(bench):
    path = bench.uploads / "doubtful.csv"
    rows = "".join(f"{'uvw'[k * 7 % 3]},{'abc'[k * k % 3]},{'xyz'[k // 5 % 3]}\n" for k in range(60))
    path.write_text(f"p,q,r\n{rows}", encoding="utf-8")
    sheet = bench.open({"source": str(path)})["sheet"]
    step = bench.sheets.steps(sheet).table
    assert step.target is None
    assert sorted(tables.columns_view(step, bench.tables)["likely"]) == ["p", "q", "r"]
    assert tables.columns_view(replace(step, target="r"), bench.tables)["likely"] == []
