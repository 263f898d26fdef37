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
from induce.workbench import runs
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
    ]


@pytest.mark.parametrize("place", range(5))
def test_page_script_and_command_give_the_same(odd, tmp_path, place):
    step = steps_of(odd)[place]
    found = runs.learned(step, str(tmp_path / "tables"), str(tmp_path))
    assert found["state"] == "done"
    page = runs.hypothesis_of(step, str(tmp_path))
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(python_of(step), "script", "exec"), {})
    assert induce.load_hypothesis(f"{step.learner}.induce") == page
    assert found["error"]["text"] in said.getvalue()
    program, *arguments = shlex.split(command_of(step))
    assert program == "induce"
    assert main([*arguments, "--json"]) == 0
    assert induce.load_hypothesis(f"{step.learner}.induce") == page


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
