"""The general recipe for a confidence interval (Mitchell, section 5.4), of which the others are instances."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Protocol

from induce.core.errors import InputError
from induce.statistics.constants import Student, tail
from induce.statistics.interval import Interval, Sides


class Shape(Protocol):
    """A distribution with quantiles, such as `Student` or any frozen distribution of scipy."""

    def ppf(self, share: float, /) -> Any:
        """Return the quantile of a given probability."""

    def cdf(self, value: float, /) -> Any:
        """Return the cumulative probability of a value."""


@dataclass(frozen=True)
class Recipe:
    """An estimated parameter, its estimator and the distribution of that estimator.

    The fields are the book's steps: the parameter (1), the estimator's value (2) and its deviation from the parameter
    (3): `deviation` times a value of `shape`. `interval` is step 4.

    Parameters
    ----------
    parameter : str
        Name of the estimated parameter.
    estimate : float
        Value of the estimator, preferably an unbiased one of minimum variance.
    deviation : float
        Standard deviation of the estimator, or an estimate of it.
    shape : distribution
        Distribution of (estimate - parameter) / deviation; by default the standard normal.
    lowest, highest : float
        Minimum and maximum possible value of the parameter.
    method : str
        Name of the method, recorded in the interval.
    holds : bool
        Whether the assumptions of the recipe hold.
    preconditions : str
        Whether the assumptions hold, as far as the data show, and their description.

    Examples
    --------
    The mean of 25 values whose standard deviation is known to be 10:

    >>> mean = Recipe("mean", estimate=52.0, deviation=10 / 25**0.5)
    >>> print(mean.interval())
    approximate 95% interval [48.08, 55.92] (normal)
    >>> round(mean.above(50), 3)
    0.841
    """

    parameter: str
    estimate: float
    deviation: float
    shape: Shape = field(default_factory=Student)
    lowest: float = -math.inf
    highest: float = math.inf
    method: str = "normal"
    holds: bool = True
    preconditions: str = "the estimator is unbiased and distributed as given"

    def __post_init__(self) -> None:
        if not math.isfinite(self.estimate):
            raise InputError(f"the estimate of the {self.parameter} must be a number, not {self.estimate}")
        if not 0 <= self.deviation < math.inf:
            raise InputError(f"the deviation of the {self.parameter} must be 0 or more, not {self.deviation}")

    def interval(self, confidence: float = 0.95, sides: Sides = "two") -> Interval:
        """Return the equal-tailed confidence bounds."""
        outside = tail(confidence, sides)
        # the parameter lies as far below the estimate as the estimator lies above the parameter
        low = self.estimate - self.deviation * float(self.shape.ppf(1 - outside))
        high = self.estimate - self.deviation * float(self.shape.ppf(outside))
        return Interval(
            self.lowest if sides == "upper" else self._within(low),
            self.highest if sides == "lower" else self._within(high),
            confidence,
            self.method,
            sides,
            self.holds,
            self.preconditions,
        )

    def above(self, value: float) -> float:
        """Return the confidence that the parameter exceeds a value."""
        distance = self.estimate - value
        if self.deviation == 0:
            return 0.5 if distance == 0 else float(distance > 0)
        return float(self.shape.cdf(distance / self.deviation))

    def _within(self, bound: float) -> float:
        return min(max(bound, self.lowest), self.highest)
