"""Estimates of the error of regressors: equal to scikit-learn's own, honest about their intervals."""

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_diabetes
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_absolute_error, r2_score, root_mean_squared_error
from sklearn.model_selection import (
    KFold,
    RepeatedKFold,
    cross_val_predict,
    cross_val_score,
    train_test_split,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from induce.core.errors import InputError
from induce.evaluation import RegressionEstimate, evaluate
from induce.statistics import cautious_mean, variance_over_folds
from induce.trees.learners.decision_tree_regressor import DecisionTreeRegressor

X, Y = load_diabetes(return_X_y=True)
LINE = LinearRegression()


def test_cross_validation_is_that_of_scikit_learn() -> None:
    folds = KFold(10, shuffle=True, random_state=3)
    expected = cross_val_predict(LINE, X, Y, cv=folds)
    estimate = evaluate(LINE, X, Y, random_state=3)
    assert isinstance(estimate, RegressionEstimate)
    assert estimate.predicted == pytest.approx(expected)
    assert (estimate.actual == Y).all()
    assert estimate.n == 442
    assert estimate.mean_absolute_error == pytest.approx(mean_absolute_error(Y, expected))
    assert estimate.root_mean_squared_error == pytest.approx(root_mean_squared_error(Y, expected))
    assert estimate.r2 == pytest.approx(r2_score(Y, expected))
    assert estimate.fold_errors == pytest.approx(
        [mean_absolute_error(Y[test], expected[test]) for _, test in folds.split(X)]
    )
    assert estimate.method == "10-fold cross-validation"
    assert estimate == evaluate(LINE, X, Y, folds)


def test_intervals_are_over_rows_and_approximate() -> None:
    estimate = evaluate(LINE, X, Y)
    off = np.abs(estimate.predicted - estimate.actual)
    variance = variance_over_folds(estimate.fold_values, 1 / 9)
    absolute, squared = cautious_mean(off, variance=variance), cautious_mean(off**2)
    assert (estimate.interval.low, estimate.interval.high) == pytest.approx((absolute.low, absolute.high))
    assert estimate.squared_interval.low == pytest.approx(math.sqrt(squared.low))
    assert estimate.squared_interval.high == pytest.approx(math.sqrt(squared.high))
    assert estimate.interval.approximate
    assert not estimate.interval.holds
    assert "share training rows" in estimate.interval.preconditions
    assert "the row values are not normally distributed" in estimate.interval_by("t").preconditions


def test_text() -> None:
    estimate = evaluate(DummyRegressor(), [[0]] * 10, list(range(10)), cv=5)
    text = str(estimate)
    assert text.startswith("mean absolute error 2.")
    assert text.count("approximate 95% interval [") == 2
    assert "; root mean squared error " in text
    assert text.endswith("(5-fold cross-validation, 10 rows)")
    assert "R² -0." in text
    assert "share training rows" in estimate._repr_html_()
    assert "predicted" not in repr(estimate)


def test_hold_out_and_given_rows() -> None:
    estimate = evaluate(LINE, X, Y, test_size=0.3, random_state=1)
    train_rows, test_rows, train, test = train_test_split(X, Y, test_size=0.3, random_state=1)
    fitted = LinearRegression().fit(train_rows, train)
    assert estimate.mean_absolute_error == pytest.approx(mean_absolute_error(test, fitted.predict(test_rows)))
    assert estimate.method == "hold-out"
    assert "share training rows" not in estimate.interval.preconditions
    given = evaluate(fitted, test_rows, test, cv=None)
    assert given.mean_absolute_error == pytest.approx(estimate.mean_absolute_error)
    assert "not fitted on" in given.interval.preconditions
    alone = evaluate(fitted, X[:1], Y[:1], cv=None)
    assert alone.n == 1
    assert math.isnan(alone.r2)
    assert alone.interval.high == math.inf
    assert "1 row)" in str(alone)


def test_rows_tested_repeatedly_count_once() -> None:
    estimate = evaluate(LINE, X[:40], Y[:40], RepeatedKFold(n_splits=4, n_repeats=3, random_state=0))
    assert estimate.n == 40
    assert len(estimate.predicted) == 120
    means = np.abs(estimate.predicted - estimate.actual).reshape(40, 3).mean(axis=1)
    assert estimate.mean_absolute_error == pytest.approx(means.mean())
    variance = variance_over_folds(estimate.fold_values, 1 / 3)
    assert estimate.interval.high == pytest.approx(cautious_mean(means, variance=variance).high)


@pytest.mark.compiled
@pytest.mark.parametrize(
    "target", [Y, Y.tolist(), pd.Series(Y, index=range(442, 0, -1)), pl.Series(Y), pl.Series(Y.astype(int))]
)
def test_targets_frames_and_pipelines(target: Any) -> None:
    pipeline = make_pipeline(StandardScaler(), DecisionTreeRegressor(max_depth=3))
    frame = pd.DataFrame(X, columns=list("abcdefghij"), index=range(1000, 1442))
    assert evaluate(pipeline, frame, target, cv=3) == evaluate(pipeline, X, Y, cv=3)
    assert evaluate(pipeline, X, target, cv=3, n_jobs=2) == evaluate(pipeline, X, Y, cv=3)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ([1.0, None, 2.0], "y contains NaN or infinity"),
        (["a", "b", "c"], "y holds 'a', which is not a number"),
        ([1.0, 2.0], "X has 3 rows and y has 2"),
    ],
)
def test_bad_targets(target: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        evaluate(LINE, [[0.0], [1.0], [2.0]], target, cv=2)


def test_other_losses_and_intervals() -> None:
    estimate = evaluate(LINE, X, Y, score="squared", interval="bootstrap", confidence=0.9)
    off = estimate.predicted - estimate.actual
    assert estimate.error == pytest.approx(np.mean(off**2))
    assert estimate.root_mean_squared_error == pytest.approx(math.sqrt(estimate.error))
    assert estimate.mean_absolute_error == evaluate(LINE, X, Y).error
    assert estimate.interval.method == "bootstrap, BCa"
    assert estimate.interval.low < estimate.error < estimate.interval.high
    assert str(estimate).startswith("mean squared error ")
    assert "R²" not in str(estimate)
    assert [each.method for each in estimate.intervals()] == ["cautious t", "t", "normal", "bootstrap, BCa"]
    with pytest.raises(
        InputError, match="'clopper-pearson' has no interval for this mean squared error; the methods are"
    ):
        estimate.interval_by("clopper-pearson")


def test_scores_of_numbers() -> None:
    estimate = evaluate(LINE, X, Y, score="r2", train=True)
    assert estimate.fold_values == pytest.approx(
        cross_val_score(LINE, X, Y, cv=KFold(10, shuffle=True, random_state=0), scoring="r2")
    )
    assert estimate.train_value is not None
    assert estimate.train_value > estimate.value
    assert str(estimate).startswith("r2 0.4")
    off = evaluate(LINE, X, Y, score="neg_root_mean_squared_error")
    assert off.error == pytest.approx(off.root_mean_squared_error, rel=0.05)
    assert off.measure == "root mean squared error"
    held = evaluate(LINE, X, Y, score="r2", test_size=0.3)
    assert held.interval.holds
    assert held.interval.low < held.value < held.interval.high


def test_as_dict() -> None:
    found = evaluate(LINE, X, Y, 3).as_dict()
    assert found["mean_absolute_error"] == found["error"]
    assert found["root_mean_squared_error"] > found["mean_absolute_error"]
    assert 0 < found["r2"] < 1


def test_probabilities_are_for_classes() -> None:
    with pytest.raises(InputError, match="the log loss needs probabilities, and LinearRegression has no"):
        evaluate(LINE, X, Y, score="log")
