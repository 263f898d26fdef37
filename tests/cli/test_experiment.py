"""`induce experiment` and `induce report`: what they print, write and refuse."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from induce.evaluation.experiments import Experiment

EXAMPLE = Path(__file__).parents[2] / "examples" / "experiment.toml"
COMMAND = [sys.executable, "-c", "import sys; from induce.cli import main; sys.exit(main())"]
PLAN = """
title = "Weather and flowers"

[splits]
folds = 3

[learners]
tree = "C45"
stump = "DecisionStump"
bayes = "sklearn.naive_bayes.GaussianNB"

[datasets]
flowers = "iris"
weather = "play-tennis"
"""


@pytest.fixture
def plan(table):
    return table(PLAN, "plan.toml")


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    """A results file; not to be changed."""
    from induce.evaluation.experiments import experiment

    path = tmp_path_factory.mktemp("results") / "plan.toml"
    path.write_text(PLAN, encoding="utf-8")
    experiment(path)
    return path.with_suffix(".sqlite")


def names(folder):
    return sorted(file.name for file in folder.iterdir())


def test_it_runs_and_says_what_came_out(run, plan, tmp_path):
    result = run("experiment", plan, "--jobs", 2)
    assert result.code == 0, result.err
    lines = result.out.splitlines()
    assert lines[0] == "Weather and flowers: 3-fold cross-validation"
    assert lines[2].split() == ["error", "tree", "stump", "bayes"]
    assert [line.split()[0] for line in lines[3:5]] == ["flowers", "weather"]
    assert "mean rank" in result.out
    assert f"results in {tmp_path / 'plan.sqlite'}" in lines[-1]
    assert names(tmp_path) == ["plan.sqlite", "plan.toml"]
    assert run("experiment", plan).out == result.out


def test_json(run, plan, tmp_path):
    found = run("experiment", plan, "--json", "--out", tmp_path / "r.sqlite").json
    assert found["cells"] == {"planned": 18, "done": 18, "failed": 0}
    assert found["file"] == str(tmp_path / "r.sqlite")
    assert [(row["dataset"], row["learner"]) for row in found["results"]][:2] == [
        ("flowers", "tree"),
        ("flowers", "stump"),
    ]
    assert set(found["overall"]["mean_ranks"]) == {"tree", "stump", "bayes"}
    assert found["failures"] == []


def test_failures_are_told_and_tried_again(run, table):
    text = PLAN.replace(
        '"sklearn.naive_bayes.GaussianNB"', '{learner = "sklearn.svm.SVC", kernel = "precomputed"}'
    )
    plan = table(text.replace('"play-tennis"', '"wine"'), "plan.toml")
    result = run("experiment", plan)
    assert result.code == 0
    assert "12 of 18 cells done, 6 failed" in result.out
    assert "the first failure: bayes on flowers: ValueError: Precomputed matrix" in result.out
    again = run("experiment", plan, "--retry", "--json").json
    assert len(again["failures"]) == 6
    assert set(Experiment.read(again["file"]).failed["attempts"]) == {2}


def test_report(run, results, tmp_path):
    out = tmp_path / "r.html"
    result = run("report", results, "--out", out)
    assert (result.code, result.out) == (0, f"wrote {out}\n")
    page = out.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "Weather and flowers" in page
    assert names(tmp_path) == ["r.html"]


def test_where_a_report_goes(run, plan, tmp_path):
    run("experiment", plan)
    assert run("report", tmp_path / "plan.sqlite").out == f"wrote {tmp_path / 'plan.html'}\n"
    refused = run("report", tmp_path / "plan.sqlite", "--out", tmp_path / "plan.sqlite").sentence()
    assert "would replace the results" in refused


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"C45"', '"C54"', "learner 'tree': there is no learner 'C54'; did you mean 'C45'?"),
        ('"iris"', '"irs"', "there is no dataset 'irs'; did you mean 'iris'?"),
        ('"iris"', '{data = "none.csv", target = "y"}', "data set 'flowers': there is no file"),
        ("folds = 3", "fold = 3", "there is no key of [splits] 'fold'; did you mean 'folds'?"),
        (
            "folds = 3",
            "folds = 30",
            "data set 'weather': cv is 30; give a number of folds from 2 to the number of rows, 14",
        ),
        ('tree = "C45"', "tree = C45", "is not TOML: invalid value (at line 8, column 8)"),
    ],
)
def test_plans_that_cannot_be_run(run, table, tmp_path, old, new, expected):
    plan = table(PLAN.replace(old, new), "plan.toml")
    assert expected in run("experiment", plan).sentence()
    assert names(tmp_path) == ["plan.toml"]


def test_files_that_cannot_be_used(run, plan, table, tmp_path):
    assert "there is no plan" in run("experiment", tmp_path / "none.toml").sentence()
    assert "is a directory" in run("experiment", plan, "--out", tmp_path).sentence()
    assert (
        "there is no directory" in run("experiment", plan, "--out", tmp_path / "no" / "r.sqlite").sentence()
    )
    assert "there is no results file" in run("report", tmp_path / "none.sqlite").sentence()
    assert "--jobs is 0" in run("experiment", plan, "--jobs", 0).sentence()
    other = table("learner,error\n", "other.sqlite")
    assert "is not a results file" in run("experiment", plan, "--out", other).sentence()
    assert "is not a results file" in run("report", other).sentence()
    assert other.read_text(encoding="utf-8") == "learner,error\n"
    assert names(tmp_path) == ["other.sqlite", "plan.toml"]


def test_reports_that_cannot_be_written(run, results, tmp_path):
    assert "is a directory" in run("report", results, "--out", tmp_path).sentence()
    assert "there is no directory" in run("report", results, "--out", tmp_path / "no" / "r.html").sentence()
    assert names(tmp_path) == []


def test_results_of_another_plan(run, plan, results):
    changed = plan.read_text(encoding="utf-8").replace("folds = 3", "folds = 2")
    plan.write_text(changed, encoding="utf-8")
    refused = run("experiment", plan, "--out", results).sentence()
    assert "contains results of another plan: splits was '3-fold cross-validation' and" in refused


SLOW = PLAN.replace(
    '"DecisionStump"', '{learner = "sklearn.ensemble.RandomForestClassifier", n_estimators = 1000000}'
)


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_stops_within_a_fit_and_loses_nothing(table, tmp_path, run, jobs):
    plan = table(SLOW, "plan.toml")
    arguments = [*COMMAND, "experiment", plan, "--jobs", jobs]
    ours, theirs = pty.openpty()  # the share that is done shows when the first cells are
    process = subprocess.Popen(
        map(str, arguments), stdout=subprocess.PIPE, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    shown = b""
    while not re.search(rb"[1-9]%", shown):  # of 18 cells some are done
        assert select.select([ours], [], [], 60)[0], shown
        shown += os.read(ours, 4096)
    assert b"running" in shown
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130
    assert process.stdout.read() == b""
    process.stdout.close()
    os.close(ours)
    assert names(tmp_path) == ["plan.sqlite", "plan.toml"]
    found = Experiment.read(tmp_path / "plan.sqlite")
    assert set(found.cells["learner"]) <= {"tree", "bayes"}
    assert set(found.cells["status"]) == {"done"}
    assert 1 <= len(found.cells) < 18
    assert run("report", tmp_path / "plan.sqlite").code == 0


def test_the_example_is_the_one_that_the_documentation_runs():
    page = (EXAMPLE.parents[1] / "docs" / "experiments.md").read_text(encoding="utf-8")
    _, _, plan = EXAMPLE.read_text(encoding="utf-8").partition("\n\n")
    assert f"```toml\n{plan}```" in page
    assert "$ induce experiment" in page
