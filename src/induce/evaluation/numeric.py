"""The error of predicted numbers, with honest intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import mean_absolute_error, r2_score

from induce.statistics.intervals import Interval, t_mean

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class RegressionEstimate:
    """How far predicted numbers are off, and how far to trust that.

    Parameters
    ----------
    mean_absolute_error, root_mean_squared_error : float
    r2 : float
        The share of the variance of the target that is explained; NaN for a single row.
    n : int
        The number of distinct test rows. A row that is tested repeatedly counts once, with its mean error.
    interval : Interval
        Student's interval over the rows for the mean absolute error.
    squared_interval : Interval
        The same for the root mean squared error: the roots of the bounds of the mean squared error.
    method : str
        How the rows were tested, such as ``"10-fold cross-validation"``.
    fold_errors : tuple of float
        The mean absolute error of each split, in order.
    seconds : float
        The time it took.
    predicted, actual : numpy.ndarray
        The predicted and the true number of every test row, in the order of the rows.
    """

    mean_absolute_error: float
    root_mean_squared_error: float
    r2: float
    n: int
    interval: Interval
    squared_interval: Interval
    method: str
    fold_errors: tuple[float, ...]
    seconds: float = field(compare=False)
    predicted: NDArray[Any] = field(repr=False, compare=False)
    actual: NDArray[Any] = field(repr=False, compare=False)

    def __str__(self) -> str:
        absolute = f"{self.mean_absolute_error:.{self.interval.decimals}f}"
        squared = f"{self.root_mean_squared_error:.{self.squared_interval.decimals}f}"
        return (
            f"mean absolute error {absolute}, {self.interval.summary}; root mean squared error {squared}, "
            f"{self.squared_interval.summary}; R² {self.r2:.2f} "
            f"({self.method}, {self.n} row{'' if self.n == 1 else 's'})"
        )

    def _repr_html_(self) -> str:
        return f"<p>{escape(str(self))}<br><small>{escape(self.interval.preconditions)}</small></p>"


def regression_estimate(
    actual: NDArray[np.float64],
    tested: list[Rows],
    predictions: list[NDArray[Any]],
    confidence: float,
    method: str,
    caveat: str,
    seconds: float,
) -> RegressionEstimate:
    """Sum up the predictions of several splits; `caveat` says why intervals are not to be taken at their word."""
    rows, predicted = np.concatenate(tested), np.concatenate(predictions).astype(np.float64)
    order = np.argsort(rows, kind="stable")
    rows, predicted = rows[order], predicted[order]
    truth = actual[rows]
    _, place = np.unique(rows, return_inverse=True)
    off = np.abs(predicted - truth)
    absolute, squared = (np.bincount(place, off**k) / np.bincount(place) for k in (1, 2))
    of_squares = _interval(squared, confidence, caveat)
    return RegressionEstimate(
        mean_absolute_error=float(absolute.mean()),
        root_mean_squared_error=math.sqrt(squared.mean()),
        r2=float(r2_score(truth, predicted)) if len(absolute) > 1 else math.nan,
        n=len(absolute),
        interval=_interval(absolute, confidence, caveat),
        squared_interval=replace(of_squares, low=math.sqrt(of_squares.low), high=math.sqrt(of_squares.high)),
        method=method,
        fold_errors=tuple(
            float(mean_absolute_error(actual[test], said))
            for test, said in zip(tested, predictions, strict=True)
        ),
        seconds=seconds,
        predicted=predicted,
        actual=truth,
    )


def _interval(errors: NDArray[np.float64], confidence: float, caveat: str) -> Interval:
    if len(errors) == 1:
        why = "one row does not tell how much errors vary"
        return Interval(0.0, math.inf, confidence, "t", "lower", False, why)
    found = t_mean(errors, confidence)
    return replace(
        found,
        low=max(found.low, 0.0),
        holds=False,
        preconditions=f"errors are not distributed normally{f'; {caveat}' if caveat else ''}",
    )
