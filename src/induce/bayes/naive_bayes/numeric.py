"""Numeric columns: a density of the numbers in each class, normal or by kernels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from induce.bayes.naive_bayes.column import ColumnModel, Term, holes_by_class
from induce.bayes.naive_bayes.smoothing import Smoothing, shares
from induce.core.checks import one_of
from induce.core.shapes import check_numbers, check_shapes
from induce.counts.additive import Floats
from induce.counts.moments import Moments
from induce.counts.numbers import NumberCounts
from induce.counts.steps import Steps
from induce.data.schema import Column
from induce.hypotheses.naming import threshold_text, value_text

LARGEST = 1e145
"""Maximum magnitude of a learned number; larger ones are clipped, as their squares cannot be summed."""
SMALLEST = 1e-300
"""Variance below which a column is constant."""
PAIRS = 2**21
"""Maximum product of the numbers of values and of kernels compared at a time."""
WIDTHS = {"silverman": (4 / 3) ** 0.2, "scott": 1.0}
LEAST_WIDTH = float(np.finfo(np.float64).tiny)
"""Kernel widths for standard deviation 1 and one number; they shrink with the fifth root of the count."""


@dataclass(frozen=True, eq=False, kw_only=True)
class NumericColumn(ColumnModel):
    """A density of the numbers in each class, and the probability of a missing number.

    Parameters
    ----------
    smoothing : Smoothing
        Smoothing of the probability of a missing number.
    as_values : bool
        Whether missing is a value of its own; otherwise it is ignored.
    steps : Steps
        Distinct numbers, if there are few: the variance of a class is at least the variance of rounding to
        their steps.
    min_variance : float
        Minimum variance of a class, relative to that of the column.

    See Also
    --------
    ColumnModel : the other parameters.
    """

    smoothing: Smoothing
    as_values: bool = False
    steps: Steps
    min_variance: float

    @property
    def moments(self) -> Moments:
        """Count, mean and spread of the numbers in each class."""
        raise TypeError(f"{type(self).__name__} has no moments")

    def densities(self, values: Floats) -> Floats:
        """Return the log density of each number (column) in each class (row); NaN if missing.

        If missing is a value, the density includes the probability that the number is not missing.
        """
        raise TypeError(f"{type(self).__name__} has no density")

    @cached_property
    def spread(self) -> tuple[Floats, Floats]:
        """Mean and variance of each class."""
        return self.spread_of(self.moments, self.moments.total(), self.steps.width)

    def spread_of(self, moments: Moments, total: Moments, step: float | Floats) -> tuple[Floats, Floats]:
        """Return mean and variance from the moments of each class and of all, and from the steps of numbers.

        A class without numbers gets the moments of all classes together. A variance is at least the rounding
        variance, and never below a fraction of the overall variance. It is 1 if all numbers are equal, so
        that the column carries no evidence.
        """
        empty = moments.count <= 0
        mean = np.where(empty, total.mean, moments.mean)
        variance = np.where(empty, total.variance, moments.variance)
        variance = np.maximum(variance, self.min_variance * total.variance)
        variance = np.maximum(variance, np.where(total.variance > 0, np.square(step) / 12, 0.0))
        return mean, np.where(variance > SMALLEST, variance, 1.0)

    @cached_property
    def flat(self) -> NDArray[np.bool_]:
        """Return whether the column is constant within each class although it varies overall."""
        least = self.min_variance * self.moments.total().variance
        return np.asarray((self.moments.count > 0) & (self.moments.variance < least))

    @cached_property
    def known(self) -> Floats:
        """ln P(known | class) and ln P(missing | class); zeros if missing values are ignored."""
        if not self.as_values:
            return np.zeros((2, len(self.holes)))
        counts = np.vstack([self.moments.count, self.holes])
        with np.errstate(divide="ignore"):
            return np.log(shares(counts, self.smoothing.pseudo(0, self.column.name, 2)))

    def check_classes(self, n_classes: int) -> None:
        """Raise an `InputError` unless there are moments of each class."""
        super().check_classes(n_classes)
        check_shapes(self.moments, {"count": "classes"}, classes=n_classes)
        check_shapes(self.steps, {"numbers": "numbers"})
        check_numbers("min_variance", [self.min_variance], at_least=0)

    def add(self, scores: Floats, values: Any) -> None:
        """Add the log density of each number."""
        found = self.densities(values)
        missing = np.isnan(values)
        if missing.any():
            found[:, missing] = self.known[1][:, np.newaxis]
        scores += found

    def terms(self, value: Any) -> list[Term]:
        """Return the evidence of one row's number."""
        name = value_text(self.column.name)
        if np.isnan(value[0]):
            return [(f"{name} is missing", self.known[1])] if self.as_values else []
        return [
            (f"{name} = {threshold_text(float(value[0]), self.column.counted)}", self.densities(value)[:, 0])
        ]


@dataclass(frozen=True, eq=False, kw_only=True)
class NormalColumn(NumericColumn):
    """A normal density in each class, by maximum likelihood (AIMA, equation 20.4).

    Parameters
    ----------
    counts : Moments
        Moments of each class.

    See Also
    --------
    NumericColumn : the other parameters.
    """

    counts: Moments

    @property
    def moments(self) -> Moments:
        """Count, mean and spread of the numbers in each class."""
        return self.counts

    @cached_property
    def curve(self) -> tuple[Floats, Floats, Floats]:
        """Coefficients of the log density in each class: ``constant - (x - mean) * (x - mean) * factor``."""
        mean, variance = self.spread
        return mean, 0.5 / variance, -0.5 * np.log(2 * math.pi * variance) + self.known[0]

    def count(self, values: Any, labels: NDArray[np.int64], weights: Floats | None) -> Self:
        """Compute the moments of the given rows."""
        n_classes = len(self.holes)
        with np.errstate(over="ignore", invalid="ignore"):
            moments = Moments.of(values, labels, n_classes, weights)
        if not np.isfinite(moments.m2).all():
            moments = Moments.of(np.clip(values, -LARGEST, LARGEST), labels, n_classes, weights)
        return self.of(moments, holes_by_class(np.isnan(values), labels, n_classes, weights), values)

    def of(self, moments: Moments, holes: Floats, numbers: Floats) -> Self:
        """Return the model with the given per-class moments."""
        return replace(self, counts=moments, holes=holes, steps=Steps.of(numbers))

    def __add__(self, other: Self) -> Self:
        holes, steps = self.holes + other.holes, self.steps + other.steps
        return replace(self, holes=holes, counts=self.counts + other.counts, steps=steps)

    def enlarged(self, column: Column, places: Sequence[int], n_classes: int) -> Self:
        """Return the model with further classes."""
        return replace(
            self, holes=self._more_holes(places, n_classes), counts=self.counts.placed(places, n_classes)
        )

    def densities(self, values: Floats) -> Floats:
        """Return the log density of each number in each class."""
        mean, factor, constant = (each[:, np.newaxis] for each in self.curve)
        with np.errstate(over="ignore"):
            found = values - mean
            found *= found
            found *= factor
        return np.subtract(constant, found, out=found)

    def n_parameters(self) -> int:
        """Return the number of means and variances."""
        return 2 * len(self.holes)


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelColumn(NumericColumn):
    """A kernel density in each class, with a normal kernel around every number (AIMA §20.4; John and Langley
    1995).

    Parameters
    ----------
    counts : NumberCounts
        Numbers of each class.
    bandwidth : str or float
        Standard deviation of the kernels, or the rule that derives it from the class's standard deviation and
        count.

    See Also
    --------
    NumericColumn : the other parameters.
    """

    counts: NumberCounts
    bandwidth: str | float

    def lacking(self) -> dict[str, str]:
        """Return the export formats that a hypothesis with this column does not support, with the reason."""
        return {"sql": "needs kernels, which SQL does not support"}

    def check_classes(self, n_classes: int) -> None:
        """Raise an `InputError` unless there are numbers of each class and a width of their kernels."""
        if isinstance(self.bandwidth, str):
            one_of("bandwidth", self.bandwidth, WIDTHS)
        else:
            check_numbers("bandwidth", [self.bandwidth], at_least=LEAST_WIDTH)
        super().check_classes(n_classes)

    @cached_property
    def moments(self) -> Moments:
        """Count, mean and spread of the numbers in each class."""
        numbers = np.clip(self.counts.number, -LARGEST, LARGEST)
        return Moments.of(numbers, self.counts.label, len(self.holes), self.counts.weight)

    @cached_property
    def widths(self) -> Floats:
        """Standard deviation of the kernels of each class."""
        if not isinstance(self.bandwidth, str):
            return np.full(len(self.holes), float(self.bandwidth))
        count = self.moments.count
        count = np.where(count > 0, count, count.sum())
        shrunk = WIDTHS[self.bandwidth] * np.maximum(count, 1.0) ** -0.2
        return np.asarray(np.sqrt(self.spread[1]) * shrunk)

    def count(self, values: Any, labels: NDArray[np.int64], weights: Floats | None) -> Self:
        """Store the numbers of the given rows."""
        holes = holes_by_class(np.isnan(values), labels, len(self.holes), weights)
        numbers = NumberCounts.of(values, labels, weights)
        return replace(self, holes=holes, counts=numbers, steps=Steps.of(values))

    def __add__(self, other: Self) -> Self:
        holes, steps = self.holes + other.holes, self.steps + other.steps
        return replace(self, holes=holes, counts=self.counts + other.counts, steps=steps)

    def enlarged(self, column: Column, places: Sequence[int], n_classes: int) -> Self:
        """Return the model with further classes."""
        return replace(self, holes=self._more_holes(places, n_classes), counts=self.counts.placed(places))

    def kernels(self, place: int) -> tuple[Floats, Floats]:
        """Return the numbers of a class with their weights; if it has none, the numbers of all classes."""
        mine = self.counts.label == place
        if not mine.any():
            mine[:] = True
        return self.counts.number[mine], self.counts.weight[mine]

    def densities(self, values: Floats) -> Floats:
        """Return the log density of each number in each class."""
        found = np.empty((len(self.holes), len(values)))
        for place, width in enumerate(self.widths.tolist()):
            numbers, weights = self.kernels(place)
            if len(numbers) == 0:
                found[place] = 0.0
                continue
            constant = math.log(weights.sum()) + math.log(width) + 0.5 * math.log(2 * math.pi)
            step = max(1, PAIRS // len(numbers))
            for start in range(0, len(values), step):
                rows = slice(start, start + step)
                found[place, rows] = _log_sum(values[rows], numbers, np.log(weights), width) - constant
        found += self.known[0][:, np.newaxis]
        return found

    def n_parameters(self) -> int:
        """Return the number of kernels."""
        return len(self.counts.number)


def _log_sum(values: Floats, numbers: Floats, log_weights: Floats, width: float) -> Floats:
    """Logarithm of the sum of kernels around `numbers` at each of `values`, without their constant."""
    with np.errstate(over="ignore", invalid="ignore"):
        steps = (values[:, np.newaxis] - numbers) / width
        exponents = log_weights - 0.5 * steps * steps
        highest = exponents.max(axis=1)
        finite = np.where(np.isfinite(highest), highest, 0.0)
        total = np.exp(exponents - finite[:, np.newaxis]).sum(axis=1)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(total) + finite)
