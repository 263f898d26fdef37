"""Numbers on the command line: learning, predicting, showing and explaining regression trees."""

import json
import re
import sqlite3

import polars as pl
import pytest

import induce

ROWS = "area,town,price\n" + "".join(
    f"{area},{town},{2 * area + (50 if town == 'old' else 160)}\n"
    for area in range(50, 130, 5)
    for town in ("old", "new")
)


@pytest.fixture
def houses(table):
    return table(ROWS, "houses.csv")


def test_report(run, houses, tmp_path):
    model, picture = tmp_path / "m.induce", tmp_path / "m.svg"
    result = run(
        *("learn", houses, "--target", "price", "--learner", "DecisionTreeRegressor", "leaf=linear"),
        *("--out", model, "--draw", picture),
    )
    assert result.code == 0, result.err
    assert "houses: 32 rows, 1 numeric and 1 nominal columns, no value missing" in result.out
    assert "price: 150 to 410, mean 280, standard deviation 72.9118" in result.out
    assert "town = old: price = 50 + 2 area (n=16, sd 0)" in result.out
    assert "DecisionTreeRegressor: 3 nodes, 2 leaves, depth 1, learned in" in result.out
    assert float(re.search(r"mean absolute error (\S+),", result.out)[1]) < 1e-9
    assert "R² 1.00 (10-fold cross-validation, 32 rows)" in result.out
    assert result.err == ""
    assert "<svg" in picture.read_text(encoding="utf-8")
    loaded = induce.load(model)
    assert loaded.leaf == "linear"
    assert loaded.predict(pl.DataFrame({"area": [100], "town": ["new"]})) == pytest.approx([360])


def test_json(run, houses):
    arguments = ("learn", houses, "--target", "price", "--learner", "modeltree", "--cv", "4", "--json")
    found = run(*arguments, "smoothing=none", "min_samples_leaf=8").json
    assert found["data"]["range"] == [150.0, 410.0]
    assert found["data"]["mean"] == 280.0
    assert "classes" not in found["data"]
    assert found["learner"]["name"] == "ModelTree"
    assert found["learner"]["parameters"] == {"smoothing": None, "min_samples_leaf": 8}
    assert found["hypothesis"]["type"] == "RegressionTree"
    assert found["hypothesis"]["target"] == "price"
    assert found["estimate"]["mean_absolute_error"] < 1e-6
    assert found["estimate"]["method"] == "4-fold cross-validation"
    assert "predicted" not in found["estimate"]


@pytest.fixture
def model(run, houses, tmp_path):
    path = tmp_path / "houses.induce"
    learner = ("--learner", "DecisionTreeRegressor", "leaf=linear", "--no-evaluate")
    assert run("learn", houses, "--target", "price", *learner, "--out", path).code == 0
    return path


def test_predict(run, model, table, tmp_path):
    new = table("town,area\nold,100\nnew,\n?,70\nghost,70\n", "new.csv")
    lines = run("predict", model, new).out.splitlines()
    assert lines[0] == "town,area,prediction"
    predicted = [float(line.split(",")[-1]) for line in lines[1:]]
    assert predicted == pytest.approx([250.0, 160 + 2 * 87.5, 190.0, 245.0])
    out = tmp_path / "out.parquet"
    run("predict", model, new, "--out", out)
    assert pl.read_parquet(out)["prediction"].to_list() == pytest.approx(predicted)


def test_probabilities_are_for_classes(run, model, houses):
    assert run("predict", model, houses, "--proba").sentence() == (
        "--proba is for classes, but this model predicts numbers; leave it out"
    )


def test_show(run, model, houses):
    assert run("show", model).out.splitlines()[1] == "town = new: price = 160 + 2 area (n=16, sd 0)"
    assert run("show", model, "--as", "tree").out == run("show", model).out
    assert "a RegressionTree cannot be written as rules" in run("show", model, "--as", "rules").sentence()
    assert json.loads(run("show", model, "--as", "json").out)["type"] == "RegressionTree"
    page = run("show", model, "--as", "html").out
    assert page.startswith("<!doctype html>")
    assert "price = 160 + 2 area" in page
    assert "<svg" in run("show", model, "--as", "svg").out
    assert "a RegressionTree cannot be written as prolog" in run("show", model, "--as", "prolog").sentence()
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE data (area, town)")
    connection.execute("INSERT INTO data VALUES (100, 'new'), (100, NULL)")
    found = [row[-1] for row in connection.execute(run("show", model, "--as", "sql").out)]
    connection.close()
    assert found == pytest.approx([360, 250])
    space = {}
    exec(run("show", model, "--as", "python").out, space)
    assert space["predict"]({"area": 100, "town": "new"}) == pytest.approx(360)


def test_explain(run, model):
    text = run("explain", model, "area=100,town=new").out
    assert text.splitlines()[0] == "360 because"
    assert "  town = new    n=16, mean 335, residual sd 0" in text
    assert "+25 by area" in text
    found = run("explain", model, "area=100,town=new", "--json").json
    assert found[0]["prediction"] == pytest.approx(360)
    assert found[0]["terms"] == {"area": pytest.approx(25)}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--target", "town"], "the target 'town' holds nominal values, but ModelTree predicts numbers"),
        (["--target", "day"], "the target 'day' holds dates, but ModelTree predicts numbers"),
        (["--target", "same"], "the target 'same' has only one value, '7'; there is nothing to distinguish"),
    ],
)
def test_targets_that_are_no_numbers(run, table, arguments, sentence):
    path = table("town,day,same,x\na,2024-01-01,7,1\nb,2024-01-02,7,2\na,2024-01-03,7,3\n")
    assert run("learn", path, "--learner", "ModelTree", *arguments).sentence().startswith(sentence)


def test_one_row_is_too_few(run, table):
    path = table("x,y\n1,2\n2,\n")
    assert run("learn", path, "--target", "y", "--learner", "ModelTree").sentence() == (
        "there is only one row with a value; learning needs at least two"
    )


def test_errors_far_from_one_have_an_exponent(run, table):
    path = table("x,z,y\n" + "".join(f"{k % 9},{k % 4},{k % 9 * 1e30}\n" for k in range(40)))
    text = run("learn", path, "--target", "y", "--learner", "ModelTree", "--cv", "4").out
    line = next(line for line in text.splitlines() if line.startswith("mean absolute error"))
    assert "e+" in line or "error 0.00," in line
    assert "0000000000" not in line
