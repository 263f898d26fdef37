"""Fitting copies on splits: what is kept, the fast path of leave-one-out, and what is said when a learner fails."""

import builtins
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import induce
from induce.core.errors import InputError
from induce.evaluation.estimating.fits import check_fitted, fit_and_predict
from induce.evaluation.estimating.splits import plan

X, CODES = load_iris(return_X_y=True)
Y = np.array(["setosa", "versicolor", "virginica"])[CODES]
TREE = DecisionTreeClassifier(random_state=0, max_depth=2)
SPLITS = plan(X, Y, 5).splits


class Nearest(ClassifierMixin, BaseEstimator):
    """The class of the nearest row; leave-one-out needs no refitting."""

    brute_fits = 0

    def fit(self, X: Any, y: Any) -> "Nearest":
        Nearest.brute_fits += 1
        self.X_, self.y_ = np.asarray(X, dtype=float), np.asarray(y)
        self.classes_ = np.unique(self.y_)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        return self.y_[self._distances(np.asarray(X, dtype=float), self.X_).argmin(axis=1)]

    def leave_one_out_predict(self, X: Any, y: Any) -> NDArray[Any]:
        rows = np.asarray(X, dtype=float)
        apart = self._distances(rows, rows)
        np.fill_diagonal(apart, np.inf)
        return np.asarray(y)[apart.argmin(axis=1)]

    def _distances(self, first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:
        return np.abs(first[:, np.newaxis] - second).sum(axis=2)


class Failing(DecisionTreeClassifier):
    """Fails when row 0 is among the test rows, in a way that can be chosen."""

    def __init__(self, problem: str = "ValueError", at: str = "fit") -> None:
        super().__init__()
        self.problem, self.at = problem, at

    def fit(self, X: Any, y: Any) -> "Failing":
        self.bad_ = 0 not in np.asarray(X)[:, 0]
        if self.bad_ and self.at == "fit":
            raise getattr(builtins, self.problem)("it\nis broken")
        return super().fit(X, y)

    def predict(self, X: Any) -> NDArray[Any]:
        if self.bad_ and self.at == "predict":
            raise RuntimeError
        return super().predict(X)


def test_what_is_kept() -> None:
    tested = fit_and_predict(TREE, X, Y, SPLITS, keep=True, train_too=True, also=lambda f, rows, y: len(rows))
    for fold, (train, test) in zip(tested, SPLITS, strict=True):
        assert train is not None
        expected = clone(TREE).fit(X[train], Y[train])
        assert fold.train is train
        assert fold.test is test
        assert (fold.predicted == expected.predict(X[test])).all()
        assert fold.train_predicted is not None
        assert (fold.train_predicted == expected.predict(X[train])).all()
        assert (fold.learner.predict(X) == expected.predict(X)).all()
        assert (fold.also, fold.train_also) == (30, 120)
        assert fold.fit_seconds > 0
    plainly = fit_and_predict(TREE, X, Y, SPLITS)
    assert all(fold.learner is fold.train_predicted is fold.also is None for fold in plainly)
    assert not hasattr(TREE, "tree_")


@pytest.mark.parametrize(
    "frame",
    [
        X.tolist(),
        pd.DataFrame(X, columns=list("abcd"), index=range(500, 650)),
        pl.DataFrame(X, schema=list("abcd")),
        pa.table({name: X[:, j] for j, name in enumerate("abcd")}),
    ],
)
def test_frames_and_threads(frame: Any) -> None:
    expected = [fold.predicted.tolist() for fold in fit_and_predict(TREE, X, Y, SPLITS)]
    for jobs in (None, 2):
        found = fit_and_predict(TREE, frame, pl.Series(Y), SPLITS, n_jobs=jobs)
        assert [fold.predicted.tolist() for fold in found] == expected
    ours = fit_and_predict(induce.C45(), frame, Y, SPLITS)
    same = fit_and_predict(induce.C45(), X, Y, SPLITS)
    assert all((a.predicted == b.predicted).all() for a, b in zip(ours, same, strict=True))


def test_fitted_learner_is_taken_as_it_is() -> None:
    tree = clone(TREE).fit(X[::2], Y[::2])
    (fold,) = fit_and_predict(tree, X, Y, plan(X, Y, None).splits, keep=True)
    assert fold.learner is tree
    assert (fold.predicted == tree.predict(X)).all()
    assert (fold.train, fold.fit_seconds) == (None, 0.0)
    check_fitted(tree)
    with pytest.raises(
        InputError, match="DecisionTreeClassifier is not fitted, but cv=None scores it as it is"
    ):
        fit_and_predict(clone(TREE), X, Y, plan(X, Y, None).splits)


@settings(max_examples=20)
@given(
    rows=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=4, max_size=14, unique=True),
    seed=st.integers(0, 9),
)
def test_fast_leave_one_out_is_brute_force_leave_one_out(rows: list[tuple[int, int]], seed: int) -> None:
    table = np.array(rows, dtype=float) + np.random.default_rng(seed).random((len(rows), 2)) / 100
    classes = np.where(table[:, 0] > table[:, 1], "above", "below")
    splits = plan(table, classes, "loo").splits
    Nearest.brute_fits = 0
    fast = fit_and_predict(Nearest(), table, classes, splits)
    assert Nearest.brute_fits == 0
    brute = fit_and_predict(Nearest(), table, classes, splits, keep=True)
    assert Nearest.brute_fits == len(rows)
    assert [fold.predicted.tolist() for fold in fast] == [fold.predicted.tolist() for fold in brute]
    shuffled = fit_and_predict(Nearest(), table, classes, splits[::-1])
    assert [fold.predicted.tolist() for fold in shuffled[::-1]] == [fold.predicted.tolist() for fold in fast]


def test_fast_path_is_for_leave_one_out_only() -> None:
    Nearest.brute_fits = 0
    fit_and_predict(Nearest(), X, Y, SPLITS)
    fit_and_predict(Nearest(), X[:4], Y[:4], plan(X[:4], Y[:4], "loo").splits[:3])
    assert Nearest.brute_fits == 8


def test_fast_path_must_answer_for_every_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Nearest, "leave_one_out_predict", lambda self, X, y: np.asarray(y)[:-1])
    with pytest.raises(
        InputError, match=r"returned the shape \(149,\) for 150 rows; it must return one prediction per row"
    ):
        fit_and_predict(Nearest(), X, Y, plan(X, Y, "loo").splits)


@pytest.mark.parametrize("n_jobs", [None, 2])
@pytest.mark.parametrize(
    ("learner", "kind", "message"),
    [
        (Failing(), ValueError, "Failing failed in fold 2 of 3: it"),
        (Failing("KeyError"), KeyError, "Failing failed in fold 2 of 3: KeyError: 'it\\nis broken'"),
        (Failing(at="predict"), RuntimeError, "Failing failed in fold 2 of 3: RuntimeError"),
    ],
)
def test_failure_says_which_fold(learner: Any, kind: type, message: str, n_jobs: int | None) -> None:
    rows, classes = np.arange(9.0).reshape(-1, 1), list("ababababa")
    splits = [
        (np.delete(np.arange(9), test), test) for test in (np.array([4, 5]), np.array([0, 1]), np.array([8]))
    ]
    with pytest.raises(InputError) as caught:
        fit_and_predict(learner, rows, classes, splits, n_jobs=n_jobs)
    assert str(caught.value) == message
    assert isinstance(caught.value.__cause__, kind)


def test_first_failing_fold_is_told_and_the_rest_left_undone() -> None:
    started: list[int] = []

    def also(fitted: Any, rows: Any, classes: Any) -> None:
        started.append(1)
        raise ValueError("no")

    for jobs in (1, 2):
        started.clear()
        with pytest.raises(InputError, match="in fold 1 of 50: no"):
            fit_and_predict(TREE, X, Y, plan(X, Y, 10, repeats=5).splits, also=also, n_jobs=jobs)
        assert len(started) <= jobs


def test_memory_is_no_input() -> None:
    with pytest.raises(MemoryError):
        fit_and_predict(Failing("MemoryError"), X[1:] + 1, Y[1:], plan(X[1:], Y[1:], 2).splits)


def test_training_rows_of_one_class() -> None:
    rows, classes = np.arange(6.0).reshape(-1, 1), np.array(list("aaabbb"))
    with pytest.raises(InputError) as caught:
        fit_and_predict(
            LogisticRegression(), rows, classes, plan(rows, classes, [([0, 1, 2], [3, 4, 5])]).splits
        )
    said = str(caught.value)
    assert said.startswith("LogisticRegression failed in fold 1 of 1: ")
    assert said.endswith("; its training rows have only one class, so give fewer folds or stratify")
    assert "\n" not in said


def test_what_else_fails_is_told_apart() -> None:
    def also(fitted: Any, rows: Any, classes: Any) -> float:
        raise ValueError("no such thing")

    with pytest.raises(
        InputError, match=r"^DecisionTreeClassifier cannot be scored in fold 1 of 5: no such thing$"
    ):
        fit_and_predict(TREE, X, Y, SPLITS, also=also)
    with pytest.raises(
        InputError, match=r"^DecisionTreeClassifier failed on the given rows: X has 3 features"
    ):
        fit_and_predict(clone(TREE).fit(X, Y), X[:, :3], Y, plan(X, Y, None).splits)
