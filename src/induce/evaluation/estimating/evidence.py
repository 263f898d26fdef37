"""Basis of an estimate: a loss for every row, a score for every fold, or one score of all rows.

Each kind gives its value, how far that varies, and the intervals that it allows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.statistics.constants import Student, tail
from induce.statistics.intervals import (
    Interval,
    Sides,
    bootstrap_mean,
    bootstrap_proportion,
    cautious_mean,
    cautious_proportion,
    clopper_pearson,
    normal,
    normal_mean,
    t_mean,
    variance_over_folds,
    wilson,
)
from induce.statistics.recipe import Recipe

Floats = NDArray[np.float64]

NORMAL, WILSON, EXACT, STUDENT, BOOTSTRAP = "normal", "wilson", "clopper-pearson", "t", "bootstrap"
CAUTIOUS = "cautious"
AUTO = "auto"
METHODS = (CAUTIOUS, NORMAL, WILSON, EXACT, STUDENT, BOOTSTRAP)
RESAMPLES = 1000
FEW = 20

_INDEPENDENT = "independent rows"
_LARGER = "a larger variance allows for that"


@dataclass(frozen=True)
class Trust:
    """Division of the rows, as far as intervals need it.

    Parameters
    ----------
    caveat : str
        Why an interval is not to be taken at its word; may be empty.
    exact : bool
        Whether the test rows are independent draws that nothing was learned from.
    shared : bool
        Whether rows were tested by several hypotheses that share training rows, as by those of folds.
    """

    caveat: str
    exact: bool
    shared: bool = False

    def qualified(self, interval: Interval) -> Interval:
        """Return an interval over rows with the doubts that come from how they were tested."""
        reasons = (interval.preconditions, self.caveat)
        if self.caveat and interval.preconditions == _INDEPENDENT:
            reasons = ("", self.caveat)
        return replace(
            interval,
            holds=interval.holds and self.exact,
            preconditions="; ".join(filter(None, reasons)),
        )


class Evidence(Protocol):
    """Basis of an estimate."""

    @property
    def trust(self) -> Trust:
        """Division of the rows."""

    @property
    def value(self) -> float:
        """The estimate."""

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the value."""

    @property
    def methods(self) -> tuple[str, ...]:
        """The intervals that there are, the usual one first."""

    def interval(self, method: str, confidence: float, sides: Sides) -> Interval:
        """Return an interval by one of the methods."""


@dataclass(frozen=True, eq=False)
class RowLosses:
    """The mean loss of each distinct row that was tested.

    Parameters
    ----------
    losses : array of float64
    proportion : bool
        Whether a loss tells whether a row is wrong, so that the value is an error rate.
    lowest : float
        The least loss there can be.
    trust : Trust
    over_folds : float
        The variance of the mean loss as the folds show it; 0 if there are none.
    """

    losses: Floats
    proportion: bool
    lowest: float
    trust: Trust
    over_folds: float = 0.0

    @cached_property
    def value(self) -> float:
        """The mean loss."""
        return float(self.losses.mean())

    @property
    def wrong(self) -> int:
        """The number of wrong rows; when rows are tested repeatedly, the rounded mean over the repetitions."""
        return round(self.value * self.losses.size)

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the mean loss: sqrt(r (1 - r) / n) for a proportion, otherwise estimated from the
        losses."""
        n = self.losses.size
        if self.proportion:
            return math.sqrt(self.value * (1 - self.value) / n)
        return float(self.losses.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan

    @property
    def methods(self) -> tuple[str, ...]:
        """The exact interval first for proportions, Student's for other losses; before both the cautious one."""
        several: tuple[str, ...]
        if self.proportion:
            one = (EXACT, WILSON, NORMAL)
            several = one if self.losses.size == 1 else (*one, STUDENT, BOOTSTRAP)
        else:
            several = (STUDENT,) if self.losses.size == 1 else (STUDENT, NORMAL, BOOTSTRAP)
        return (CAUTIOUS, *several) if self.trust.shared and self.losses.size > 1 else several

    def interval(self, method: str, confidence: float, sides: Sides) -> Interval:
        """Return the interval of the mean loss."""
        if self.proportion:
            return self._of_proportion(method, confidence, sides)
        if self.losses.size == 1:
            tail(confidence, sides)
            why = "one row does not tell how much losses vary"
            return Interval(self.lowest, math.inf, confidence, STUDENT, "lower", False, why)
        return self._within(self._of_mean(method, confidence, sides), math.inf)

    def _of_proportion(self, method: str, confidence: float, sides: Sides) -> Interval:
        n = self.losses.size
        by_count: dict[str, Callable[..., Interval]] = {
            CAUTIOUS: partial(cautious_proportion, variance=self.over_folds),
            EXACT: clopper_pearson,
            WILSON: wilson,
            NORMAL: normal,
            BOOTSTRAP: bootstrap_proportion,
        }
        if method not in by_count:
            return self._within(self._of_mean(method, confidence, sides), 1.0)
        found = self.trust.qualified(by_count[method](self.wrong, n, confidence, sides))
        if method == CAUTIOUS:
            found = replace(found, preconditions=f"{found.preconditions}; {_LARGER}")
        if self.wrong == self.value * n:
            return found
        # the rounded count of rows tested repeatedly may lie beside the error itself
        return replace(found, low=min(found.low, self.value), high=max(found.high, self.value))

    def _of_mean(self, method: str, confidence: float, sides: Sides) -> Interval:
        if method == CAUTIOUS:
            found = cautious_mean(self.losses, confidence, sides, variance=self.over_folds)
            known = found.preconditions or f"{self.trust.caveat}; {_LARGER}"
            return replace(found, preconditions=known)
        if method == NORMAL:
            found = normal_mean(self.losses, confidence, sides)
        elif method == BOOTSTRAP:
            found = bootstrap_mean(self.losses, confidence, sides, resamples=RESAMPLES)
        else:
            found = t_mean(self.losses, confidence, sides)
            why = "the values of rows are not distributed normally" if found.holds else found.preconditions
            found = replace(found, holds=False, preconditions=why)
        return self.trust.qualified(found)

    def _within(self, found: Interval, highest: float) -> Interval:
        return replace(found, low=max(found.low, self.lowest), high=min(found.high, highest))


@dataclass(frozen=True, eq=False)
class FoldScores:
    """A score of each of several folds.

    Parameters
    ----------
    scores : array of float64
    test_share : float
        The mean number of test rows for each training row.
    bounds : (float, float)
        The least and the greatest score there can be.
    trust : Trust
    """

    scores: Floats
    test_share: float
    bounds: tuple[float, float]
    trust: Trust

    @property
    def value(self) -> float:
        """The mean score."""
        return float(self.scores.mean())

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the mean score, with the correction of Nadeau and Bengio for folds that share
        training rows."""
        k = self.scores.size
        return math.sqrt((1 / k + self.test_share) * float(self.scores.var(ddof=1)))

    @property
    def methods(self) -> tuple[str, ...]:
        """Student's interval over the folds, with more or less correction."""
        return (CAUTIOUS, STUDENT)

    def interval(self, method: str, confidence: float, sides: Sides) -> Interval:
        """Return Student's interval with the corrected standard deviation, or with the overlap counted twice."""
        cautious = method == CAUTIOUS
        deviation, allowed = self.standard_deviation, "the corrected variance allows for that only roughly"
        if cautious:
            deviation, allowed = math.sqrt(variance_over_folds(self.scores, self.test_share)), _LARGER
        why = f"{self.trust.caveat}; {allowed}"
        return Recipe(
            "score",
            self.value,
            deviation,
            Student(self.scores.size - 1),
            *self.bounds,
            method=f"{'cautious' if cautious else 'corrected'} t over folds",
            holds=False,
            preconditions=why if deviation else "all folds score the same, so their spread is unknown",
        ).interval(confidence, sides)


@dataclass(frozen=True, eq=False)
class OneScore:
    """One score of all test rows.

    Parameters
    ----------
    value : float
    n : int
        The number of test rows.
    resampled : array of float64
        Scores of resamples of the rows, without undefined ones, as for a single class.
    trust : Trust
    """

    value: float
    n: int
    resampled: Floats
    trust: Trust

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the score over resamples."""
        return float(self.resampled.std()) if self.resampled.size else math.nan

    @property
    def methods(self) -> tuple[str, ...]:
        """The bootstrap over rows."""
        return (BOOTSTRAP,)

    def interval(self, method: str, confidence: float, sides: Sides) -> Interval:
        """Return the percentiles of the scores of resamples."""
        outside = tail(confidence, sides)
        scores = self.resampled
        if not scores.size:
            why = "no resample of the rows has a score"
            return Interval(-math.inf, math.inf, confidence, "bootstrap, percentile", sides, False, why)
        low = -math.inf if sides == "upper" else float(np.quantile(scores, outside))
        high = math.inf if sides == "lower" else float(np.quantile(scores, 1 - outside))
        holds, why = self.n >= FEW, _INDEPENDENT
        if not holds:
            why = f"{self.n} rows are few to draw again from"
        return self.trust.qualified(
            Interval(low, high, confidence, "bootstrap, percentile", sides, holds, why)
        )


def by_row(rows: NDArray[np.intp], losses: Floats) -> Floats:
    """Return the mean loss of each distinct row, in the order of the rows.

    Examples
    --------
    >>> by_row(np.array([1, 0, 1]), np.array([0.0, 1.0, 1.0]))
    array([1. , 0.5])
    """
    _, place, times = np.unique(rows, return_inverse=True, return_counts=True)
    return np.asarray(np.bincount(place, losses) / times)


def interval_by(evidence: Evidence, what: str, method: str, confidence: float, sides: Sides) -> Interval:
    """Return an interval by the method of that name; ``"auto"`` is the usual one."""
    if method == AUTO:
        method = evidence.methods[0]
    if method not in evidence.methods:
        there_are = ", ".join(map(repr, evidence.methods))
        if method in METHODS:
            raise InputError(f"{method!r} gives no interval for this {what}; there are {there_are}")
        raise InputError(f"interval must be 'auto' or one of {there_are} for this {what}, not {method!r}")
    return evidence.interval(method, confidence, sides)
