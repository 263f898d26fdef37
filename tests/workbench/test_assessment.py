"""Comparisons, learning curves, locked rows, experiments and questions: on the page, as script and as command."""

import contextlib
import io
import json
import re
import shlex
from pathlib import Path

import pytest

from induce.cli import main
from induce.core import worker
from induce.core.errors import InputError
from induce.workbench.bench import Workbench
from induce.workbench.scripts import command_of, python_of
from tests.workbench.conftest import AtOnce

FAMILY = """
parent(ann,mary). parent(ann,tom). parent(tom,eve). parent(tom,ian). parent(mary,sue).
female(ann). female(mary). female(eve). female(sue). male(tom). male(ian).
daughter(mary,ann). daughter(eve,tom). daughter(sue,mary).
"""


def printed(step):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(python_of(step), "script", "exec"), {})
    return said.getvalue()


@pytest.fixture
def sheet(bench):
    found = bench.open({"source": "play-tennis"})["sheet"]
    for learner in ("ID3", "NaiveBayes"):
        bench.learn(found, {"learner": learner, "cv": 4})
    return found


def last(bench, sheet):
    job = bench.sheet(sheet)["others"][-1]
    assert job["state"] == "done", job
    return job, bench.sheets.steps(sheet).jobs[-1]


def ran(step, capsys, *more):
    """Return what the command of a step prints."""
    capsys.readouterr()
    assert main([*shlex.split(command_of(step))[1:], *more]) == 0
    return capsys.readouterr().out


def assert_same_errors(job, step, capsys):
    """Page, script and command of a comparison give the same errors, and the same verdict."""
    found = json.loads(ran(step, capsys, "--json"))["learners"]
    assert {line["name"]: line["value"] for line in found} == job["values"]
    (p_value,) = re.findall(r"p [=<] [0-9.]+", job["pairs"][0])
    for text in (job["text"], printed(step), ran(step, capsys)):
        assert p_value in text
        for name, value in job["values"].items():
            assert re.search(rf"^{name} +{value:.3f} ", text, re.MULTILINE)


def test_runs_are_compared_in_words(bench, sheet, capsys):
    bench.judge(sheet, {"job": "compare", "runs": [1, 2]})
    job, step = last(bench, sheet)
    assert job["best"] in ("ID3", "NaiveBayes")
    assert len(job["pairs"]) == 1
    assert_same_errors(job, step, capsys)
    # a run and a comparison show the same error
    assert job["values"] == {run["name"]: run["error"]["value"] for run in bench.sheet(sheet)["runs"]}
    with pytest.raises(InputError, match="differ"):
        bench.judge(sheet, {"job": "compare", "runs": [1, 1]})


def test_settings_with_commas_are_compared(bench, capsys):
    sheet = bench.open({"source": "play-tennis"})["sheet"]
    for hidden in ("2", "2,2"):
        told = {"hidden": hidden, "max_epochs": "3"}
        bench.learn(sheet, {"learner": "NeuralNetworkClassifier", "settings": told, "cv": 2, "seed": 1})
    bench.judge(sheet, {"job": "compare", "runs": [1, 2]})
    assert_same_errors(*last(bench, sheet), capsys)


def test_runs_on_relations_are_compared(bench, capsys):
    path = bench.uploads / "family.pl"
    path.write_text(FAMILY, encoding="utf-8")
    sheet = bench.open({"source": str(path), "target": "daughter/2"})["sheet"]
    bench.learn(sheet, {"learner": "FOIL", "cv": 3, "seed": 2})
    bench.learn(sheet, {"learner": "Progol", "settings": {"depth": "1"}, "cv": 3, "seed": 2})
    bench.judge(sheet, {"job": "compare", "runs": [1, 2]})
    job, step = last(bench, sheet)
    assert job["values"] == {run["name"]: run["error"]["value"] for run in bench.sheet(sheet)["runs"]}
    assert_same_errors(job, step, capsys)


def test_densities_are_compared_without_their_target(bench, capsys):
    sheet = bench.open({"source": "iris"})["sheet"]
    for components in ("2", "3"):
        told = {"n_components": components}
        bench.learn(sheet, {"learner": "GaussianMixture", "settings": told, "cv": 2, "seed": 1})
    bench.judge(sheet, {"job": "compare", "runs": [1, 2]})
    assert_same_errors(*last(bench, sheet), capsys)


def test_a_learning_curve_is_drawn(bench, capsys):
    sheet = bench.open({"source": "iris"})["sheet"]
    bench.learn(sheet, {"learner": "C45", "settings": {"max_depth": "2"}, "cv": 3, "seed": 4})
    bench.judge(sheet, {"job": "curve", "runs": [1]})
    job, step = last(bench, sheet)
    assert len(job["sizes"]) == len(job["lines"]["in training"]) == len(job["lines"]["on other rows"])
    assert job["sizes"] == sorted(job["sizes"])
    assert job["text"] in printed(step)
    found = json.loads(ran(step, capsys, "--json"))
    (errors,) = found["learners"].values()
    assert found["sizes"] == job["sizes"]
    assert errors["training"] == job["lines"]["in training"]
    assert errors["validation"] == job["lines"]["on other rows"]


def test_locked_rows_are_used_once_and_the_access_is_logged(bench, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    sheet = bench.open({"source": "iris"})["sheet"]
    bench.lock(sheet, {"share": 0.2})
    with pytest.raises(InputError, match="locked already"):
        bench.lock(sheet, {"share": 0.2})
    bench.learn(sheet, {"learner": "C45", "cv": 3})
    assert bench.sheet(sheet)["runs"][0]["locked"]
    bench.judge(sheet, {"job": "open", "runs": [1]})
    job, step = last(bench, sheet)
    assert job["looks"] == 1
    assert sum(map(sum, job["error"]["confusion"]["counts"])) == 30
    assert job["error"]["text"] in printed(step)
    capsys.readouterr()
    for line in command_of(step).splitlines():
        assert main(shlex.split(line)[1:]) == 0
    assert job["error"]["text"].split(",")[0] in capsys.readouterr().out
    bench.judge(sheet, {"job": "open", "runs": [1]})
    job, _ = last(bench, sheet)
    assert job["looks"] == 2
    assert any("used" in note for note in job["notes"])


def test_an_experiment_is_planned_run_and_reported(bench, sheet, capsys):
    plan = bench.plan(sheet)["plan"].replace("folds = 10", "folds = 3")
    bench.judge(sheet, {"job": "experiment", "plan": plan})
    job, step = last(bench, sheet)
    assert (job["done"], job["failed"]) == (6, 0)
    assert "<table" in Path(job["report"]).read_text(encoding="utf-8")
    assert job["text"] in printed(step)
    for line in command_of(step).splitlines():
        assert main(shlex.split(line)[1:]) == 0
    for wrong in (
        "",
        "seeds = [",
        plan.replace('"play-tennis"', '"/etc/passwd"'),
        plan.replace("data = ", 'schema = "/etc/passwd", data = '),
    ):
        with pytest.raises(InputError):
            bench.judge(sheet, {"job": "experiment", "plan": wrong})


@pytest.mark.parametrize("relative", [True, False])
def test_an_experiment_finds_every_table_of_the_workbench(tmp_path, monkeypatch, relative, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(worker, "_idle", [])  # a process of this folder reads the tables
    folder = Path() if relative else tmp_path
    table = "humidity,play\n" + "high,no\nlow,yes\n" * 10
    (tmp_path / "given.csv").write_text(table, encoding="utf-8")
    bench = Workbench(folder / "bench", str(folder / "given.csv"))
    bench.jobs = AtOnce()
    (bench.uploads / "my table.csv").write_text(table, encoding="utf-8")
    for source in (str(folder / "given.csv"), str(bench.uploads / "my table.csv"), "play-tennis"):
        sheet = bench.open({"source": source})["sheet"]
        bench.learn(sheet, {"learner": "DecisionStump", "cv": 3})
        bench.tell(sheet, {"columns": {"play" if "csv" in source else "Wind": {"kind": "nominal"}}})
        plan = bench.plan(sheet)["plan"].replace("folds = 10", "folds = 2")
        bench.judge(sheet, {"job": "experiment", "plan": plan})
        job, step = last(bench, sheet)
        assert job["failed"] == 0
        assert job["text"] in printed(step)
        for line in command_of(step).splitlines():
            assert main(shlex.split(line)[1:]) == 0
    # a path is relative to the plan, for the check and for the experiment alike
    sheet = bench.open({"source": "play-tennis"})["sheet"]
    plan = """
    splits.folds = 2
    learners.stump = "DecisionStump"
    datasets.own = {data = "../uploads/my table.csv", target = "play"}
    """
    bench.judge(sheet, {"job": "experiment", "plan": plan})
    assert last(bench, sheet)[0]["failed"] == 0
    for outside in ("../../given2.csv", "../../../etc/passwd"):
        with pytest.raises(InputError, match="is not in the workspace"):
            bench.judge(
                sheet, {"job": "experiment", "plan": plan.replace("../uploads/my table.csv", outside)}
            )


def test_a_version_space_asks(bench, capsys):
    sheet = bench.open({"source": "enjoy-sport"})["sheet"]
    found = bench.dialogue(sheet)
    assert found["view"]["view"] == "lattice"
    answers = []
    while not found["settled"]:
        answers.append(False)
        found = bench.dialogue(sheet, {"answers": answers})
    assert found["asked"][-1]["answer"] is False
    assert bench.dialogue(sheet) == found  # the answers are kept
    exec(compile(found["python"], "script", "exec"), {})
    assert "Sunny, Warm, ?, Strong, ?, ?" in capsys.readouterr().out
    json.dumps(found)
    assert bench.dialogue(sheet, {"answers": [], "unlabelled": True})["unlabelled"]
    with pytest.raises(InputError, match="no more questions"):
        bench.dialogue(sheet, {"answers": [*answers, True, True]})
