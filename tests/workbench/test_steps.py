"""Steps, scripts and commands: three readings of the same, which give the same hypothesis and error."""

import contextlib
import io
import json
import shlex
import subprocess
import sys

import polars as pl
import pytest

import induce
from induce.cli import main
from induce.core.errors import InputError
from induce.workbench import runs, tables
from induce.workbench.scripts import command_of, python_of
from induce.workbench.steps import RunStep, Sheets, Steps, TableStep

ODD = 'my "odd" <b>\'s file.csv'


@pytest.fixture
def odd(tmp_path, monkeypatch):
    """A file with a name and columns that have to be quoted."""
    monkeypatch.chdir(tmp_path)
    X, y = induce.dataset("iris")
    y = y.cast(pl.String).replace({"setosa": "<script>", "virginica": 'a "b"'})
    frame = X.with_columns(y.alias("what's it")).with_columns(pl.Series("--number", range(150)))
    frame.write_csv(ODD)
    return ODD


def steps_of(source):
    told = TableStep(source, "what's it", ignore=("--number",), missing=("-9",))
    plain = TableStep("play-tennis")
    return [
        RunStep(1, plain, "C45", {"max_depth": "2"}),
        RunStep(2, told, "RIPPER", {}, 5, 3),
        RunStep(3, told, "C45", {"pruning": "none", "min_samples_leaf": "4"}, 4),
        RunStep(4, TableStep("play-tennis", "Wind", ignore=("Temperature",)), "NaiveBayes", {}),
        RunStep(5, TableStep("iris"), "GaussianMixture", {"n_components": "3"}, 3, 1),
        RunStep(6, plain, "NeuralNetworkClassifier", {"hidden": "2,2", "max_epochs": "5"}, 3, 1),
    ]


def assert_the_same(step, found, page, capsys):
    """A script and a command give the hypothesis and the error of the page."""
    capsys.readouterr()
    exec(compile(python_of(step), "script", "exec"), {})
    assert induce.load_hypothesis(f"{step.learner}.induce") == page
    assert found["error"]["text"] in capsys.readouterr().out
    program, *arguments = shlex.split(command_of(step))
    assert program == "induce"
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["estimate"]["value"] == found["error"]["value"]
    assert induce.load_hypothesis(f"{step.learner}.induce") == page


@pytest.mark.parametrize("place", range(6))
def test_page_script_and_command_give_the_same(odd, tmp_path, capsys, place):
    step = steps_of(odd)[place]
    found = runs.learned(step, str(tmp_path / "tables"), str(tmp_path))
    assert found["state"] == "done"
    assert_the_same(step, found, runs.hypothesis_of(step, str(tmp_path)), capsys)


def test_costs_and_units_are_kept_in_the_schema_file(bench, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    path = bench.uploads / "day.csv"
    induce.dataset("play-tennis").frame.with_columns(pl.Series("size", range(14))).write_csv(path)
    sheet = bench.open({"source": str(path), "target": "PlayTennis"})["sheet"]
    cheap = bench.learn(sheet, {"learner": "CLS"})["runs"][0]
    bench.tell(sheet, {"columns": {"Humidity": {"cost": 9}, "size": {"cost": 7, "unit": "kg"}}})
    found = tables.columns_view(bench.sheets.steps(sheet).table, bench.tables)
    assert (found["costs"]["Humidity"], found["costs"]["Wind"]) == (9, 1)
    assert [each["unit"] for each in found["columns"] if each["name"] == "size"] == ["kg"]
    dear = bench.learn(sheet, {"learner": "CLS"})["runs"][1]
    assert dear["size"] != cheap["size"]
    step = bench.sheets.steps(sheet).run(2)
    assert_the_same(step, dear, runs.hypothesis_of(step, str(bench.sheets.room(sheet))), capsys)
    # the file goes with the locked rows, and with another table
    bench.lock(sheet, {"share": 0.3})
    assert tables.columns_view(bench.sheets.steps(sheet).table, bench.tables)["costs"]["size"] == 7
    for said in ({"cost": -1}, {"cost": None}, {"unit": 5}, {"price": 1}):
        with pytest.raises(InputError, match="column 'Wind'"):
            bench.tell(sheet, {"columns": {"Wind": said}})


def test_the_command_prints_the_same_error(odd, tmp_path):
    step = steps_of(odd)[1]
    found = runs.learned(step, str(tmp_path / "tables"), str(tmp_path))
    shown = subprocess.run(
        [sys.executable, "-m", *shlex.split(command_of(step)), "--json"],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    assert json.loads(shown.stdout)["estimate"]["value"] == found["error"]["value"]


@pytest.mark.parametrize("step", [TableStep("iris"), TableStep("iris", "species", ignore=("sepal width",))])
def test_tables_are_described_by_script_and_command(step):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(python_of(step), "script", "exec"), {})
    assert "150 rows" in said.getvalue()
    assert main(shlex.split(command_of(step))[1:]) == 0


def test_steps_survive_their_file(tmp_path):
    sheets = Sheets(tmp_path)
    first, second = sheets.begin(TableStep("iris")), sheets.begin(TableStep("play-tennis"))
    sheets.tell(first, TableStep("iris", ignore=("sepal width",)))
    run = sheets.add(first, lambda number, steps: RunStep(number, steps.table, "C45", {"max_depth": "2"}))
    again = Sheets(tmp_path)
    assert again.names() == [first, second]
    assert again.steps(first).table.ignore == ("sepal width",)
    assert again.steps(first).runs == (run,)
    assert again.steps(second).runs == ()  # sheets do not mix


@pytest.mark.parametrize("name", ["../s1", "s0", "", "s1/../../etc", "s1.json"])
def test_a_name_of_a_sheet_is_no_path(tmp_path, name):
    with pytest.raises(InputError, match="is not the name of a sheet"):
        Sheets(tmp_path).steps(name)


@pytest.mark.parametrize("text", ["", "[]", '{"steps": [{"step": "table"}]}', '{"steps": [{"step": "run"}]}'])
def test_damaged_files_are_refused_in_a_sentence(text):
    with pytest.raises(InputError, match="damaged"):
        Steps.of_json(text)
