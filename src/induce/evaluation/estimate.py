"""The error of a learner, by cross-validation, hold-out or on given rows, with an honest interval."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from html import escape
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.metrics import zero_one_loss
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples, check_is_fitted

from induce.core import parallel
from induce.core.errors import InputError
from induce.core.estimator import numeric_target
from induce.core.folds import can_stratify_folds, can_stratify_hold_out, folds, hold_out
from induce.core.notes import note
from induce.core.progress import progress, report
from induce.core.values import is_missing
from induce.evaluation.numeric import regression_estimate
from induce.statistics.intervals import Interval, check_confidence, clopper_pearson

Rows = NDArray[np.intp]
Split = tuple[Rows | None, Rows]  # the rows to learn from (None: it is fitted already), the rows to test on

_HOLD_OUT = "hold-out"
_GIVEN = "given data"
_NOT_FITTED_ON = "holds only for rows that the learner was not fitted on"
_SHARED = "the folds share training rows, so their errors are not independent"


@dataclass(frozen=True)
class Estimate:
    """An estimated error rate, and how far to trust it.

    Parameters
    ----------
    error : float
        The share of test rows that were predicted wrongly.
    errors, n : int
        The number of wrong rows and of distinct test rows. When rows are tested repeatedly, `errors` is the
        rounded mean over the repetitions.
    standard_deviation : float
        That of the error rate, sqrt(error (1 - error) / n).
    interval : Interval
    method : str
        How the rows were tested, such as ``"10-fold cross-validation"``.
    fold_errors : tuple of float
        The error rate of each split, in order.
    seconds : float
        The time it took.
    predicted, actual : numpy.ndarray
        The predicted and the true class of every test row, in the order of the rows.
    """

    error: float
    errors: int
    n: int
    standard_deviation: float
    interval: Interval
    method: str
    fold_errors: tuple[float, ...]
    seconds: float = field(compare=False)
    predicted: NDArray[Any] = field(repr=False, compare=False)
    actual: NDArray[Any] = field(repr=False, compare=False)

    @property
    def accuracy(self) -> float:
        """The share of test rows that were predicted correctly."""
        return 1 - self.error

    def __str__(self) -> str:
        error = f"{self.error:.{self.interval.decimals}f}"
        return f"error {error}, {self.interval.summary} ({self.method}, {_rows(self.n)})"

    def _repr_html_(self) -> str:
        return f"<p>{escape(str(self))}<br><small>{escape(self.interval.preconditions)}</small></p>"


def evaluate(
    learner: Any,
    X: Any,
    y: Any,
    cv: Any = 10,
    *,
    confidence: float = 0.95,
    test_size: float | None = None,
    stratify: bool = True,
    n_jobs: int | None = None,
    random_state: int | None = 0,
) -> Any:  # an estimate of one kind or the other: which, only the learner knows
    """Estimate the error of a classifier or a regressor, with an interval (Mitchell, chapter 5).

    The learner itself is left alone: copies of it are fitted.

    Parameters
    ----------
    learner : estimator
        Any scikit-learn classifier or regressor, or a pipeline ending in one.
    X : frame or array
        A table of pandas, polars or pyarrow, or an array.
    y : series, array or list
        The class or the number of each row; none may be missing.
    cv : int, splitter or None
        The number of folds, a scikit-learn splitter, or None to score the learner as it is fitted on `X`.
    confidence : float
        The confidence of the interval.
    test_size : float or int, optional
        Hold out this share or number of rows for one test, instead of what `cv` says.
    stratify : bool
        Keep the shares of the classes in every fold where there are enough rows of each.
    n_jobs : int, optional
        The number of folds to work on at the same time; the result is the same.
    random_state : int or None
        What the rows are shuffled by.

    Returns
    -------
    Estimate or RegressionEstimate
        The interval of a classifier's error is exact for a hold-out. For cross-validation it is labelled
        approximate, because the folds share training rows; rows tested repeatedly count once. Intervals of a
        regressor's errors are always approximate.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> print(evaluate(DecisionTreeClassifier(random_state=0), X, y, test_size=50))
    error 0.04, 95% interval [0.00, 0.14] (hold-out, 50 rows)
    """
    started = time.perf_counter()
    _check_learner(learner)
    check_confidence(confidence)
    numeric = is_regressor(learner)
    actual = _numbers(X, y) if numeric else _target(X, y)
    splits, method = _plan(learner, X, actual, cv, test_size, stratify and not numeric, random_state)

    finished = count(1)

    def predict(split: Split) -> NDArray[Any]:
        train, test = split
        fitted = learner
        with progress(_unheard):  # the share of one fit is not the share of the whole
            if train is not None:
                fitted = clone(learner).fit(_safe_indexing(X, train), _safe_indexing(y, train))
            predicted = np.asarray(fitted.predict(_safe_indexing(X, test)))
        report(next(finished) / len(splits))
        return predicted

    predictions = parallel.run(predict, splits, n_jobs)
    if numeric:
        caveat = {_HOLD_OUT: "", _GIVEN: _NOT_FITTED_ON}.get(method, _SHARED)
        tests, seconds = [test for _, test in splits], time.perf_counter() - started
        return regression_estimate(actual, tests, predictions, confidence, method, caveat, seconds)
    fold_errors = tuple(
        _error(actual[test], predicted) for (_, test), predicted in zip(splits, predictions, strict=True)
    )
    tested = np.concatenate([test for _, test in splits])
    order = np.argsort(tested, kind="stable")
    predicted, actual = np.concatenate(predictions)[order], actual[tested[order]]
    error = _error(actual, predicted)
    n = np.unique(tested).size
    return Estimate(
        error=error,
        errors=round(error * n),
        n=n,
        standard_deviation=math.sqrt(error * (1 - error) / n),
        interval=_interval(error, n, confidence, method),
        method=method,
        fold_errors=fold_errors,
        seconds=time.perf_counter() - started,
        predicted=predicted,
        actual=actual,
    )


def _unheard(share: float) -> None:
    """Take a report of progress and tell nobody."""


def _error(actual: NDArray[Any], predicted: NDArray[Any]) -> float:
    return float(zero_one_loss(actual, predicted, normalize=False)) / actual.size


def _interval(error: float, n: int, confidence: float, method: str) -> Interval:
    exact = clopper_pearson(round(error * n), n, confidence)
    if method == _HOLD_OUT:
        return exact
    if method == _GIVEN:
        return replace(exact, preconditions=_NOT_FITTED_ON)
    return replace(
        exact,
        low=min(exact.low, error),  # the rounded count of a repeated test may lie beside the error itself
        high=max(exact.high, error),
        holds=False,
        preconditions=_SHARED,
    )


def _plan(
    learner: Any,
    X: Any,
    actual: NDArray[Any],
    cv: Any,
    test_size: float | None,
    stratify: bool,
    random_state: int | None,
) -> tuple[list[Split], str]:
    """Return the splits to work through, and what the method is called."""
    n = actual.size
    rows: Rows = np.arange(n, dtype=np.intp)
    if n < 2 and (test_size is not None or cv is not None):
        raise InputError("X has one row, which leaves none to test on; give at least two")
    if test_size is not None:
        return [_hold_out(rows, actual, test_size, stratify, random_state)], _HOLD_OUT
    if cv is None:
        _check_fitted(learner)
        return [(None, rows)], _GIVEN
    splits = _folds(X, actual, cv, stratify, random_state)
    if len(splits) == 1:
        return splits, _HOLD_OUT
    tested = np.sort(np.concatenate([test for _, test in splits]))
    if np.array_equal(tested, rows):
        return splits, f"{len(splits)}-fold cross-validation"
    return splits, f"{len(splits)} splits by {type(cv).__name__}"


def _hold_out(
    rows: Rows, actual: NDArray[Any], test_size: float, stratify: bool, random_state: int | None
) -> Split:
    whole = isinstance(test_size, int | np.integer)
    if not whole and not 0 < test_size < 1:
        raise InputError(f"test_size must be a share between 0 and 1 or a number of rows, not {test_size}")
    held = int(test_size) if whole else math.ceil(test_size * rows.size)
    if not 1 <= held < rows.size:
        raise InputError(
            f"test_size {test_size} of {_rows(rows.size)} leaves none to learn from or none to test on"
        )
    if stratify and not can_stratify_hold_out(actual, held):
        note("there are too few rows of some class to stratify the hold-out, so it is drawn at random")
    return hold_out(actual, held, random_state, stratify)


def _folds(X: Any, actual: NDArray[Any], cv: Any, stratify: bool, random_state: int | None) -> list[Split]:
    splitter = cv
    if isinstance(cv, int | np.integer):
        if not 2 <= cv <= actual.size:
            raise InputError(
                f"cv must be between 2 folds and one for each of the {actual.size} rows, not {cv}"
            )
        if stratify and not can_stratify_folds(actual, int(cv)):
            rarest = np.unique(actual, return_counts=True)[1].min()
            note(f"a class has only {_rows(rarest)}, too few for {cv} folds, so the folds are not stratified")
        splitter = folds(actual, int(cv), random_state, stratify)
    elif not hasattr(cv, "split") or isinstance(cv, str):
        raise TypeError(f"cv must be a number of folds, a scikit-learn splitter or None, not {cv!r}")
    try:
        splits = list(splitter.split(X, actual))
    except ValueError as problem:
        raise InputError(f"cv cannot split these rows: {problem}") from problem
    return [(np.asarray(train), np.asarray(test)) for train, test in splits]


def _check_learner(learner: Any) -> None:
    name = type(learner).__name__
    if isinstance(learner, type) or not hasattr(learner, "__sklearn_tags__"):
        raise TypeError(
            f"learner must be a scikit-learn classifier or regressor such as C45(), not {learner!r}"
        )
    if not is_classifier(learner) and not is_regressor(learner):
        raise TypeError(f"evaluate estimates the error of classifiers and regressors, and {name} is neither")


def _check_fitted(learner: Any) -> None:
    try:
        check_is_fitted(learner)
    except NotFittedError:
        raise InputError(
            f"{type(learner).__name__} is not fitted, but cv=None scores it as it is; fit it first or give cv"
        ) from None


def _numbers(X: Any, y: Any) -> NDArray[Any]:
    """Return the targets as an array, after checking that there is one for every row."""
    actual = numeric_target(y)
    _check_rows(X, actual)
    return actual


def _check_rows(X: Any, actual: NDArray[Any]) -> None:
    rows = _num_samples(X)
    if rows != actual.size:
        raise InputError(
            f"X has {_rows(rows)} and y has {actual.size}; give one class or number for every row"
        )
    if not rows:
        raise InputError("X has no rows; give at least one")


def _target(X: Any, y: Any) -> NDArray[Any]:
    """Return the classes as an array, after checking that there is one for every row."""
    # a list of strings and NaN would become an array of strings, one of them "nan"
    actual = np.asarray(y, dtype=object if isinstance(y, list | tuple) else None)
    if actual.ndim != 1:
        raise InputError(f"y must be one column of classes, but its shape is {actual.shape}")
    values = actual.tolist()
    missing = sum(map(is_missing, values))
    if missing:
        raise InputError(f"y has no value in {_rows(missing)}; leave those rows out")
    _check_rows(X, actual)
    if len({isinstance(value, str) for value in values}) > 1:
        raise InputError("y mixes strings with other values; make them all strings")
    return np.asarray(y)


def _rows(count: int) -> str:
    return f"{count} row{'' if count == 1 else 's'}"
