"""Error estimates of regressors."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import r2_score

from induce.evaluation.estimating.evidence import RowLosses, by_row
from induce.evaluation.estimating.results import Estimate
from induce.statistics.intervals import Interval

DEFAULT = "mean absolute error"


@dataclass(frozen=True)
class RegressionEstimate(Estimate):
    """An estimate of a regressor, with the usual regression metrics.

    For several outputs, metrics are means over the outputs, and `by_output` has the metrics of each.

    Parameters
    ----------
    outputs : tuple of str
        Names of the outputs, if there are several.
    measure : str
        Name of the measure.
    value : float
        Value of the measure.
    higher : bool
        Whether higher is better.
    n : int
        Number of rows.
    interval : Interval
        Confidence interval of the value.
    method : str
        Name of the method.
    fold_values : tuple of float
        Mean loss or score of each split, in order.
    train_value : float, optional
        Mean training value over the splits, if requested.
    seconds : float
        Elapsed time in seconds.
    fit_seconds : float
        Total time of all fits over all threads, in seconds.
    predicted : array
        Predictions of every test, in row order.
    actual : array
        True values, in the order of `predicted`.
    rows : array of int
        Row of each test; a row tested several times occurs several times.
    evidence : Evidence
        Evidence from which intervals are computed.
    baseline : Baseline, optional
        Result of a constant prediction on the same rows.
    probabilities : array, optional
        Probability of each class in every test, if requested.
    """

    outputs: tuple[str, ...] = ()

    def by_output(self) -> dict[str, dict[str, float]]:
        """Return the metrics of each output by name."""
        found = {}
        for place, name in enumerate(self.outputs):
            true, said = self.actual[:, place], self.predicted[:, place]
            off = by_row(self.rows, np.abs(said - true)), by_row(self.rows, np.square(said - true))
            found[name] = {
                "mean_absolute_error": float(off[0].mean()),
                "root_mean_squared_error": math.sqrt(off[1].mean()),
                "r2": float(r2_score(true, said)) if self.n > 1 else math.nan,
            }
        return found

    @property
    def mean_absolute_error(self) -> float:
        """Mean absolute error."""
        return float(self._off(1).mean())

    @property
    def root_mean_squared_error(self) -> float:
        """Root mean squared error."""
        return math.sqrt(self._off(2).mean())

    @property
    def r2(self) -> float:
        """Fraction of the variance of the target that is explained; NaN for a single row."""
        return float(r2_score(self.actual, self.predicted)) if self.n > 1 else math.nan

    @property
    def squared_interval(self) -> Interval:
        """Interval of the root mean squared error: the square roots of the bounds of the mean squared error."""
        squares = RowLosses(self._off(2), proportion=False, lowest=0.0, trust=self.evidence.trust)
        found = squares.interval(squares.methods[0], self.interval.confidence, self.interval.sides)
        return replace(found, low=math.sqrt(max(found.low, 0.0)), high=math.sqrt(found.high))

    def as_dict(self) -> dict[str, Any]:
        """Return the metrics by name, without the predictions."""
        several = {"outputs": self.by_output()} if self.outputs else {}
        return (
            super().as_dict()
            | several
            | {
                "mean_absolute_error": self.mean_absolute_error,
                "root_mean_squared_error": self.root_mean_squared_error,
                "r2": self.r2,
                "squared_interval": self.squared_interval,
            }
        )

    def _numbers(self) -> str:
        if self.measure != DEFAULT:
            return super()._numbers()
        squared = self.squared_interval
        return (
            f"{super()._numbers()}; root mean squared error "
            f"{squared.written(self.root_mean_squared_error)}, {squared.summary}; R² {self.r2:.2f}"
        )

    def __str__(self) -> str:
        lines = [super().__str__()]
        for name, each in self.by_output().items():
            absolute, root = each["mean_absolute_error"], each["root_mean_squared_error"]
            written = self.interval.written
            lines.append(
                f"  {name}: mean absolute error {written(absolute)}, root mean squared error {written(root)}, "
                f"R² {each['r2']:.2f}"
            )
        return "\n".join(lines)

    def _off(self, power: int) -> NDArray[np.float64]:
        """Return the absolute error of each row raised to a power, averaged over its tests."""
        off = np.abs(self.predicted - self.actual) ** power
        return by_row(self.rows, off if off.ndim == 1 else off.mean(axis=1))
