"""Running: the same cells for everybody, nothing lost, nothing done twice, nobody stopped by another."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import _safe_indexing

import induce
from induce.core.errors import InputError
from induce.core.progress import progress
from induce.evaluation.experiments import Experiment, experiment, read_plan, running
from induce.evaluation.experiments.store import Store
from induce.evaluation.experiments.tables import loaded

from .conftest import LEARNERS, plan_of


@dataclass
class Counter:
    fits: int = 0


@pytest.fixture
def counter(monkeypatch):
    """How many fits there were."""
    counted, fit = Counter(), running.fit_and_predict

    def counting(*arguments, **options):
        counted.fits += 1
        return fit(*arguments, **options)

    monkeypatch.setattr(running, "fit_and_predict", counting)
    return counted


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.sqlite"


def test_scores_are_those_of_the_learners_themselves(path):
    plan = plan_of(splits={"folds": 3, "repeats": 2}, seeds=[5])
    found = experiment(plan, path).scores("flowers")
    data = induce.dataset("iris")
    drawn = loaded(read_plan(plan))[0].drawn[5].splits
    assert len(drawn) == 6
    for name, learner in (("tree", induce.C45(random_state=5)), ("bayes", GaussianNB())):
        expected = []
        for train, test in drawn:
            rows = data.X if name == "tree" else data.X.to_numpy()
            fitted = clone(learner).fit(_safe_indexing(rows, train), data.y[train])
            expected.append((fitted.predict(_safe_indexing(rows, test)) != data.y[test].to_numpy()).mean())
        np.testing.assert_allclose(found[name], expected)


def test_threads_change_nothing(tmp_path):
    forest = {"learner": "sklearn.ensemble.RandomForestClassifier", "n_estimators": 5}
    plan = plan_of(learners=LEARNERS | {"forest": forest})
    one, two = (experiment(plan, tmp_path / f"{jobs}.sqlite", n_jobs=jobs) for jobs in (1, 2))
    apart = ["fit_seconds", "finished"]
    assert one.cells.drop(apart).equals(two.cells.drop(apart))
    assert one.hypotheses == two.hypotheses
    for learner in one.learners:
        assert one.predicted(learner, "wines").equals(two.predicted(learner, "wines"))


def test_what_is_there_is_not_done_again(path, counter):
    first = experiment(plan_of(), path)
    assert counter.fits == 3 * 2 * 3
    again = experiment(plan_of(), path)
    assert counter.fits == 18
    assert again.cells.equals(first.cells)


def test_a_plan_that_grows_runs_what_is_new(path, counter):
    before = experiment(plan_of(learners={"tree": "C45"}), path).cells
    assert counter.fits == 6
    after = experiment(plan_of(learners={"tree": "C45", "stump": "DecisionStump"}, seeds=[0, 1]), path).cells
    assert counter.fits == 6 + 18
    same = after.filter((pl.col("learner") == "tree") & (pl.col("seed") == 0))
    assert same.equals(before)


def test_a_cell_that_fails_does_not_stop_the_rest(finished):
    failed = finished.failed
    assert set(failed["learner"]) == {"broken"}
    assert len(failed) == 2 * 2 * 3
    assert set(failed["error"].str.slice(0, 11)) == {"ValueError:"}
    assert len(finished.cells) == finished.planned == 48


def test_retry_tries_what_failed_and_nothing_else(path, monkeypatch, counter):
    fit, broken = running.fit_and_predict, [True]

    def sometimes(learner, *arguments, **options):
        if broken[0] and isinstance(learner, induce.DecisionStump):
            raise MemoryError("too much")
        return fit(learner, *arguments, **options)

    monkeypatch.setattr(running, "fit_and_predict", sometimes)
    assert experiment(plan_of(), path).failed["error"].to_list() == ["MemoryError: too much"] * 6
    broken[0], counter.fits = False, 0
    assert len(experiment(plan_of(), path).failed) == 6
    assert counter.fits == 0
    found = experiment(plan_of(), path, retry=True)
    assert counter.fits == 6
    assert len(found.failed) == 0
    attempts = dict(found.cells.group_by("learner").agg(pl.col("attempts").max()).rows())
    assert attempts == {"tree": 1, "stump": 2, "bayes": 1}


def test_a_score_that_is_not_a_number_fails_the_cell(path):
    plan = plan_of(score="r2", learners={"line": "sklearn.linear_model.LinearRegression"})
    plan |= {"datasets": {"two": "two-lines"}, "splits": {"hold_out": 1}}
    found = experiment(plan, path)
    assert found.cells["error"][0].startswith("InputError: the r2 is nan; choose a score")


def test_a_fold_with_one_class_fails_the_cell(path, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("x,y\n" + "".join(f"{i},{'q' if i == 0 else 'p'}\n" for i in range(9)), encoding="utf-8")
    plan = plan_of(learners={"line": "sklearn.linear_model.LogisticRegression"}, splits={"folds": 3})
    plan["datasets"] = {"rare": {"data": str(table), "target": "y"}}
    with pytest.warns(induce.Note, match=", so some of the 3 folds have no test row of it"):
        found = experiment(plan, path)
    assert found.cells["status"].to_list().count("failed") == 1
    assert "one class" in found.failed["error"][0]


def test_a_fit_that_takes_too_long_fails_the_cell(path):
    slow = {"learner": "sklearn.ensemble.RandomForestClassifier", "n_estimators": 20_000}
    plan = plan_of(
        learners={"slow": slow}, datasets={"t": "play-tennis"}, splits={"hold_out": 4}, time_limit=0.3
    )
    found = experiment(plan, path)
    assert found.cells["error"].to_list() == ["TimeoutError: it takes longer than 0.3 s"]


def test_a_prediction_that_is_no_class_fails_the_cell(path, monkeypatch):
    monkeypatch.setattr(induce.C45, "predict", lambda self, X: np.full(len(X), "rose"))
    found = experiment(plan_of(datasets={"flowers": "iris"}), path)
    said = set(found.failed["error"])
    assert said == {"InputError: it predicts 'rose', which is not a class of 'flowers'"}


@pytest.mark.parametrize(("keep", "kept"), [("first", 4), ("all", 12), ("none", 0)])
def test_hypotheses_that_are_kept(path, keep, kept):
    learners = {"tree": "C45", "theirs": {"learner": "sklearn.tree.DecisionTreeClassifier", "max_depth": 2}}
    found = experiment(plan_of(learners=learners, keep=keep), path)
    with Store.reading(path) as store:
        rows = store.rows("cells", "learner, hypothesis, model")
    assert sum(row["hypothesis"] is not None for row in rows) == kept
    assert sum(row["model"] is not None for row in rows) == kept / 2
    if not kept:
        with pytest.raises(
            InputError,
            match="no hypothesis of 'tree' on 'flowers' was stored; those of induce are stored unless keep is 'none'",
        ):
            found.fitted("tree", "flowers")
        return
    assert str(found.fitted("tree", "flowers").hypothesis_) == found.hypotheses["tree", "flowers"]
    assert "petal" in found.hypotheses["theirs", "flowers"]


def test_numbers_are_predicted_too(path):
    plan = {
        "learners": {"tree": "DecisionTreeRegressor", "line": "sklearn.linear_model.LinearRegression"},
        "datasets": {"sugar": "diabetes"},
        "splits": {"folds": 3},
    }
    found = experiment(plan, path)
    assert found.measure.name == "absolute error"
    said = found.predicted("line", "sugar")
    by_fold = said.group_by("fold", maintain_order=True).agg(
        (pl.col("actual") - pl.col("predicted")).abs().mean()
    )
    np.testing.assert_allclose(by_fold["actual"], found.scores("sugar")["line"])


def test_predictions_are_kept_row_by_row(finished):
    said = finished.predicted("tree", "flowers")
    iris = induce.dataset("iris")
    assert said["row"].n_unique() == 150
    assert len(said) == 300
    assert said["actual"].to_list() == [iris.y[row] for row in said["row"]]
    errors = said.group_by("seed", "fold", maintain_order=True).agg(
        (pl.col("actual") != pl.col("predicted")).mean()
    )
    np.testing.assert_allclose(errors["actual"], finished.scores("flowers")["tree"])
    assert len(finished.predicted("broken", "flowers")) == 0
    with pytest.raises(InputError, match="there is no learner 'tre'"):
        finished.predicted("tre", "flowers")
    with pytest.raises(InputError, match="there is no data set 'flower'"):
        finished.predicted("tree", "flower")


def test_progress_goes_on_where_it_was(path):
    heard = []
    with progress(heard.append):
        experiment(plan_of(learners={"tree": "C45"}), path)
    assert heard == [pytest.approx(k / 6) for k in range(1, 7)]
    heard.clear()
    with progress(heard.append):
        experiment(plan_of(learners={"tree": "C45", "stump": "DecisionStump"}), path)
    assert heard == [pytest.approx(k / 12) for k in range(7, 13)]


def test_where_results_go(tmp_path, written):
    plan = written('[learners]\nt = "ID3"\n[datasets]\nd = "play-tennis"\n[splits]\nfolds = 2\n')
    assert experiment(plan).path == str(tmp_path / "plan.sqlite")
    with pytest.raises(TypeError, match="out is missing and has no default"):
        experiment(plan_of())


RUN = """
import json, sys
from induce.core.progress import progress
from induce.evaluation.experiments import experiment
with progress(lambda share: print(share, flush=True)):
    experiment(json.loads(sys.argv[1]), sys.argv[2], n_jobs=2)
"""


def test_nothing_is_lost_at_kill_9_and_nothing_is_done_twice(path, tmp_path, counter):
    forest = {"learner": "sklearn.ensemble.RandomForestClassifier", "n_estimators": 20}
    plan = plan_of(learners={"tree": "C45", "forest": forest}, splits={"folds": 5, "repeats": 2})
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, json.dumps(plan), os.fspath(path)],
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    heard = [process.stdout.readline() for _ in range(9)]
    process.send_signal(signal.SIGSTOP)  # so that it is certainly not finished when it is killed
    with pytest.raises(InputError, match="an experiment is currently writing to"):
        experiment(plan, path)
    process.send_signal(signal.SIGKILL)
    heard += process.stdout.read().splitlines()
    process.stdout.close()
    assert process.wait() == -signal.SIGKILL
    before = Experiment.read(path)
    assert 9 <= len(heard) <= len(before.cells) < before.planned == 40
    assert set(before.cells["status"]) == {"done"}

    after = experiment(plan, path)
    assert counter.fits == 40 - len(before.cells)
    assert len(after.cells) == 40
    assert set(after.cells["attempts"]) == {1}
    assert after.cells.filter(pl.col("run") == 1).equals(before.cells)
    assert [run["ended"] is None for run in after.runs] == [True, False]
    assert [file.name for file in tmp_path.iterdir()] == ["results.sqlite"]
    whole = experiment(plan, tmp_path / "at once.sqlite")
    assert whole.cells["score"].to_list() == after.cells["score"].to_list()
