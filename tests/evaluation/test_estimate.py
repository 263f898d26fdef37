"""Estimates: equal to scikit-learn's own, honest about their intervals, clear about bad input."""

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
    train_test_split,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from induce.core.errors import InputError
from induce.core.notes import Note
from induce.core.progress import progress
from induce.evaluation import evaluate
from induce.statistics import clopper_pearson

X, CODES = load_iris(return_X_y=True)
Y = np.array(["setosa", "versicolor", "virginica"])[CODES]
TREE = DecisionTreeClassifier(random_state=0, max_depth=2)


@pytest.mark.parametrize("stratify", [True, False])
def test_folds_are_those_of_scikit_learn(stratify: bool) -> None:
    kind = StratifiedKFold if stratify else KFold
    folds = kind(10, shuffle=True, random_state=3)
    expected = cross_val_predict(TREE, X, Y, cv=folds)
    estimate = evaluate(TREE, X, Y, stratify=stratify, random_state=3)
    assert (estimate.predicted == expected).all()
    assert (estimate.actual == Y).all()
    assert estimate.errors == (expected != Y).sum() > 0
    assert estimate.n == 150
    assert estimate.error == estimate.errors / 150
    assert estimate.accuracy == 1 - estimate.error
    assert estimate.fold_errors == tuple((expected != Y)[test].mean() for _, test in folds.split(X, Y))
    assert estimate == evaluate(TREE, X, Y, folds)


def test_cross_validated_interval_is_approximate() -> None:
    estimate = evaluate(TREE, X, Y)
    exact = clopper_pearson(estimate.errors, 150)
    assert not estimate.interval.holds
    assert estimate.interval.approximate
    assert "share training rows" in estimate.interval.preconditions
    assert (estimate.interval.low, estimate.interval.high) == (exact.low, exact.high)
    assert estimate.interval.low <= estimate.error <= estimate.interval.high
    assert estimate.standard_deviation == math.sqrt(estimate.error * estimate.accuracy / 150)
    assert estimate.seconds > 0


def test_text() -> None:
    rows, classes = [[0]] * 14, ["no"] * 3 + ["yes"] * 11
    estimate = evaluate(DummyClassifier(), rows, classes, cv=10, stratify=False)
    assert (
        str(estimate)
        == "error 0.21, approximate 95% interval [0.05, 0.51] (10-fold cross-validation, 14 rows)"
    )
    html = estimate._repr_html_()
    assert "error 0.21" in html
    assert "share training rows" in html
    assert "predicted" not in repr(estimate)


def test_hold_out_is_that_of_scikit_learn() -> None:
    rows, classes = load_breast_cancer(return_X_y=True)
    estimate = evaluate(TREE, rows, classes, test_size=0.3, random_state=1)
    train_rows, test_rows, train, test = train_test_split(
        rows, classes, test_size=0.3, stratify=classes, random_state=1
    )
    wrong = clone(TREE).fit(train_rows, train).predict(test_rows) != test
    assert estimate.errors == wrong.sum() > 0
    assert estimate.n == test.size == 171
    assert estimate.method == "hold-out"
    assert estimate.fold_errors == (estimate.error,)
    assert estimate.interval == clopper_pearson(int(wrong.sum()), 171)
    assert not estimate.interval.approximate


def test_hold_out_of_a_number_of_rows() -> None:
    assert evaluate(TREE, X, Y, test_size=30).n == 30
    assert evaluate(TREE, X, Y, test_size=np.int64(30)).n == 30
    assert evaluate(TREE, X, Y, test_size=30, stratify=False).n == 30


def test_given_data_scores_the_learner_as_it_is() -> None:
    fitted = clone(TREE).fit(X[::2], Y[::2])
    estimate = evaluate(fitted, X[1::2], Y[1::2], cv=None)
    wrong = int((fitted.predict(X[1::2]) != Y[1::2]).sum())
    assert (estimate.errors, estimate.n, estimate.method) == (wrong, 75, "given data")
    assert estimate.interval.holds
    assert "not fitted on" in estimate.interval.preconditions
    assert evaluate(fitted, X[:1], Y[:1], cv=None).n == 1


def test_learner_is_left_alone() -> None:
    tree = clone(TREE)
    evaluate(tree, X, Y, cv=2)
    assert not hasattr(tree, "tree_")


FRAMES: list[Callable[[], Any]] = [
    lambda: X,
    lambda: X.tolist(),
    lambda: pd.DataFrame(X, columns=list("abcd"), index=range(1000, 1150)),
    lambda: pl.DataFrame(X, schema=list("abcd")),
    lambda: pa.table({name: X[:, j] for j, name in enumerate("abcd")}),
]
TARGETS: list[Callable[[], Any]] = [
    lambda: Y,
    lambda: Y.tolist(),
    lambda: pd.Series(Y, index=range(150, 0, -1)),
    lambda: pd.Series(Y, dtype="category"),
    lambda: pl.Series(Y),
    lambda: pl.Series(Y, dtype=pl.Enum(["virginica", "versicolor", "setosa"])),
    lambda: pa.array(Y),
    lambda: pa.chunked_array([Y[:70], Y[70:]]),
]


@pytest.mark.parametrize("frame", FRAMES)
def test_frames(frame: Callable[[], Any]) -> None:
    assert evaluate(TREE, frame(), Y, cv=3) == evaluate(TREE, X, Y, cv=3)
    assert evaluate(TREE, frame(), Y, test_size=0.3) == evaluate(TREE, X, Y, test_size=0.3)


@pytest.mark.parametrize("target", TARGETS)
def test_targets(target: Callable[[], Any]) -> None:
    assert evaluate(TREE, X, target(), cv=3) == evaluate(TREE, X, Y, cv=3)


@pytest.mark.parametrize("classes", [CODES, CODES == 1, pl.Series(CODES), pl.Series(CODES == 1)])
def test_classes_that_are_numbers_or_truth_values(classes: Any) -> None:
    estimate = evaluate(TREE, X, classes, cv=3)
    assert estimate.actual.tolist() == np.asarray(classes).tolist()
    assert 0 < estimate.error < 0.4


def test_same_seed_same_estimate_whatever_the_threads() -> None:
    tree = DecisionTreeClassifier(max_features=1, random_state=5)
    one = evaluate(tree, X, Y, random_state=7)
    assert one == evaluate(tree, X, Y, random_state=7, n_jobs=2)
    assert one == evaluate(tree, X, Y, random_state=7, n_jobs=-1)
    assert one.fold_errors != evaluate(tree, X, Y, random_state=8).fold_errors


def test_pipeline() -> None:
    pipeline = make_pipeline(StandardScaler(), clone(TREE))
    assert evaluate(pipeline, X, Y, cv=3).n == 150
    assert evaluate(pipeline.fit(X, Y), X, Y, cv=None).n == 150


def test_rows_tested_repeatedly_count_once() -> None:
    repeated = evaluate(TREE, X, Y, RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0))
    once = evaluate(TREE, X, Y, 5)
    assert repeated.n == 150
    assert repeated.method == "20 splits by RepeatedStratifiedKFold"
    assert len(repeated.fold_errors) == 20
    assert repeated.predicted.size == 600
    assert repeated.error == pytest.approx(np.mean(repeated.fold_errors))
    width = repeated.interval.high - repeated.interval.low
    assert width == pytest.approx(once.interval.high - once.interval.low, rel=0.2)
    narrow = evaluate(TREE, X, Y, RepeatedStratifiedKFold(n_splits=5, random_state=0), confidence=0.001)
    assert narrow.interval.low <= narrow.error <= narrow.interval.high


def test_other_splitters() -> None:
    assert evaluate(TREE, X[50:], Y[50:], LeaveOneOut()).method == "100-fold cross-validation"
    in_time = evaluate(TREE, X[::-1], Y[::-1], TimeSeriesSplit(2))
    assert (in_time.n, in_time.method) == (100, "2 splits by TimeSeriesSplit")
    single = evaluate(TREE, X, Y, ShuffleSplit(1, test_size=30, random_state=0))
    assert (single.n, single.method, single.interval.holds) == (30, "hold-out", True)


def test_rare_class_gives_a_note_instead_of_strata() -> None:
    classes = np.where(np.arange(150) < 3, "rare", "common")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimate = evaluate(TREE, X, classes)
    assert [str(warning.message) for warning in caught] == [
        "a class has only 3 rows, too few for 10 folds, so the folds are not stratified"
    ]
    assert issubclass(caught[0].category, Note)
    assert estimate == evaluate(TREE, X, classes, stratify=False)


@pytest.mark.parametrize(("rare", "size"), [(1, 30), (2, 1), (2, 149)])
def test_hold_out_too_small_for_strata_gives_a_note(rare: int, size: int) -> None:
    classes = np.where(np.arange(150) < rare, "rare", "common")
    with pytest.warns(Note, match="too few rows of some class"):
        assert evaluate(TREE, X, classes, test_size=size).n == size


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cv": 151}, "cv must be between 2 folds and one for each of the 150 rows, not 151"),
        ({"cv": 1}, "cv must be between 2 folds and one for each of the 150 rows, not 1"),
        ({"X": X[:1], "y": Y[:1]}, "X has one row, which leaves none to test on; give at least two"),
        ({"X": X[:0], "y": Y[:0]}, "X has no rows; give at least one"),
        ({"y": Y[:149]}, "X has 150 rows and y has 149; give one class or number for every row"),
        ({"y": np.ones((150, 1))}, "y must be one column of classes, but its shape is (150, 1)"),
        ({"test_size": 0.0}, "test_size must be a share between 0 and 1 or a number of rows, not 0.0"),
        ({"test_size": 1.5}, "test_size must be a share between 0 and 1 or a number of rows, not 1.5"),
        ({"test_size": 150}, "test_size 150 of 150 rows leaves none to learn from or none to test on"),
        ({"test_size": 0.999}, "test_size 0.999 of 150 rows leaves none to learn from or none to test on"),
        ({"confidence": 95}, "confidence must lie between 0 and 1, not 95"),
        (
            {"cv": None},
            "DecisionTreeClassifier is not fitted, but cv=None scores it as it is; fit it first or give cv",
        ),
        ({"y": ["a"] * 75 + [1] * 75}, "y mixes strings with other values; make them all strings"),
    ],
)
def test_refusals(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        evaluate(TREE, **({"X": X, "y": Y} | change))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "classes",
    [
        ["a", None, "b", "a"],
        ["a", math.nan, "b", "a"],
        np.array([0.0, math.nan, 1.0, 0.0]),
        pd.Series(["a", None, "b", "a"]),
        pd.Series([1, None, 2, 1], dtype="Int64"),
        pd.Series([True, None, False, True], dtype="boolean"),
        pl.Series(["a", None, "b", "a"], dtype=pl.Enum(["a", "b"])),
        pl.Series([1, None, 2, 1]),
        pa.array(["a", None, "b", "a"]),
        pa.array([True, None, False, True]),
    ],
)
def test_missing_classes_are_refused(classes: Any) -> None:
    with pytest.raises(InputError) as caught:
        evaluate(TREE, X[:4], classes, cv=2)
    assert str(caught.value) == "y has no value in 1 row; leave those rows out"


def test_splitter_that_cannot_split() -> None:
    with pytest.raises(InputError, match="cv cannot split these rows: "):
        evaluate(TREE, X, Y, GroupKFold(3))


@pytest.mark.parametrize("cv", ["10", 5.0, [1, 2]])
def test_cv_of_another_kind(cv: Any) -> None:
    with pytest.raises(TypeError, match="cv must be a number of folds, a scikit-learn splitter or None"):
        evaluate(TREE, X, Y, cv)


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (
            StandardScaler(),
            "evaluate estimates the error of classifiers and regressors, and StandardScaler is neither",
        ),
        (DecisionTreeClassifier, "learner must be a scikit-learn classifier or regressor"),
        ("tree", "learner must be a scikit-learn classifier or regressor"),
    ],
)
def test_other_learners(learner: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        evaluate(learner, X, Y)


def test_learner_of_other_classes() -> None:
    with pytest.raises(ValueError, match="Mix of label input types"):
        evaluate(clone(TREE).fit(X, Y), X, CODES, cv=None)


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_progress_is_that_of_the_whole(n_jobs: int | None) -> None:
    shares: list[float] = []
    with progress(shares.append):
        evaluate(TREE, X, Y, cv=4, n_jobs=n_jobs)
    assert sorted(shares) == [0.25, 0.5, 0.75, 1.0]
