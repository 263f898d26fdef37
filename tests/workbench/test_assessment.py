"""Comparisons, learning curves, rows under lock, experiments and questions: on the page, as script and as command."""

import contextlib
import io
import json
import re
import shlex
from pathlib import Path

import pytest

from induce.cli import main
from induce.core.errors import InputError
from induce.workbench.scripts import command_of, python_of


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


def test_runs_are_compared_in_words(bench, sheet, capsys):
    bench.judge(sheet, {"job": "compare", "runs": [1, 2]})
    job, step = last(bench, sheet)
    assert job["best"] in ("ID3", "NaiveBayes")
    assert len(job["pairs"]) == 1
    assert job["text"] in printed(step)
    capsys.readouterr()
    assert main(shlex.split(command_of(step))[1:]) == 0
    (p_value,) = re.findall(r"p = [0-9.]+", job["pairs"][0])
    assert p_value in capsys.readouterr().out
    with pytest.raises(InputError, match="differ"):
        bench.judge(sheet, {"job": "compare", "runs": [1, 1]})


def test_a_learning_curve_is_drawn(bench):
    sheet = bench.open({"source": "iris"})["sheet"]
    bench.learn(sheet, {"learner": "NaiveBayes", "cv": 3})
    bench.judge(sheet, {"job": "curve", "runs": [1]})
    job, step = last(bench, sheet)
    assert len(job["sizes"]) == len(job["lines"]["in training"]) == len(job["lines"]["on other rows"])
    assert job["sizes"] == sorted(job["sizes"])
    assert job["text"] in printed(step)


def test_rows_under_lock_are_opened_once_and_remembered(bench, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    sheet = bench.open({"source": "iris"})["sheet"]
    bench.lock(sheet, {"share": 0.2})
    with pytest.raises(InputError, match="under lock already"):
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
    for wrong in ("", "seeds = [", plan.replace('"play-tennis"', '"/etc/passwd"')):
        with pytest.raises(InputError):
            bench.judge(sheet, {"job": "experiment", "plan": wrong})


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
    with pytest.raises(InputError, match="nothing to ask"):
        bench.dialogue(sheet, {"answers": [*answers, True, True]})
