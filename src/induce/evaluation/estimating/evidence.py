"""Evidence of an estimate: a loss per row, a score per fold, or one score of all rows.

Each type provides its value, its variability, and the applicable intervals.
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
    """Properties of the resampling that affect intervals.

    Parameters
    ----------
    caveat : str
        Reason why an interval is only approximate; may be empty.
    exact : bool
        Whether the test rows are independent draws that were not used in training.
    shared : bool
        Whether rows were tested by several hypotheses that share training rows, as in cross-validation.
    """

    caveat: str
    exact: bool
    shared: bool = False

    def qualified(self, interval: Interval) -> Interval:
        """Return an interval over rows with caveats due to the resampling."""
        reasons = (interval.preconditions, self.caveat)
        if self.caveat and interval.preconditions == _INDEPENDENT:
            reasons = ("", self.caveat)
        return replace(
            interval,
            holds=interval.holds and self.exact,
            preconditions="; ".join(filter(None, reasons)),
        )


class Evidence(Protocol):
    """Evidence from which an estimate and its intervals are computed."""

    @property
    def trust(self) -> Trust:
        """Properties of the resampling."""

    @property
    def value(self) -> float:
        """The estimate."""

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the value."""

    @property
    def methods(self) -> tuple[str, ...]:
        """Names of the applicable interval methods, the default first."""

    def interval(self, method: str, confidence: float, sides: Sides) -> Interval:
        """Return an interval by a given method."""


@dataclass(frozen=True, eq=False)
class RowLosses:
    """Mean loss of each distinct test row.

    Parameters
    ----------
    losses : array of float64
    proportion : bool
        Whether a loss counts an error, so that the value is an error rate.
    lowest : float
        Minimum possible loss.
    trust : Trust
    over_folds : float
        Variance of the mean loss estimated from the folds; 0 if there are none.
    """

    losses: Floats
    proportion: bool
    lowest: float
    trust: Trust
    over_folds: float = 0.0

    @cached_property
    def value(self) -> float:
        """Mean loss."""
        return float(self.losses.mean())

    @property
    def wrong(self) -> int:
        """Number of misclassified rows; for rows tested repeatedly, the rounded mean over the repetitions."""
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
        """Names of the interval methods, default first: cautious if applicable, then exact or Student's t."""
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
            why = "one row does not show how much losses vary"
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
        # with repeated tests, the interval of the rounded count may not contain the error itself
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
            why = "the row values are not normally distributed" if found.holds else found.preconditions
            found = replace(found, holds=False, preconditions=why)
        return self.trust.qualified(found)

    def _within(self, found: Interval, highest: float) -> Interval:
        return replace(found, low=max(found.low, self.lowest), high=min(found.high, highest))


@dataclass(frozen=True, eq=False)
class FoldScores:
    """Scores of several folds.

    Parameters
    ----------
    scores : array of float64
    test_share : float
        Mean ratio of test rows to training rows.
    bounds : (float, float)
        Minimum and maximum possible score.
    trust : Trust
    """

    scores: Floats
    test_share: float
    bounds: tuple[float, float]
    trust: Trust

    @property
    def value(self) -> float:
        """Mean score."""
        return float(self.scores.mean())

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the mean score, with Nadeau and Bengio's correction for shared training rows."""
        k = self.scores.size
        return math.sqrt((1 / k + self.test_share) * float(self.scores.var(ddof=1)))

    @property
    def methods(self) -> tuple[str, ...]:
        """Names of the interval methods: Student's t over the folds, with different corrections."""
        return (CAUTIOUS, STUDENT)

    def interval(self, method: str, confidence: float, sides: Sides) -> Interval:
        """Return Student's t interval with the corrected standard deviation, or with the overlap counted twice."""
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
            preconditions=why
            if deviation
            else ("all folds have the same score, so their variance is unknown"),
        ).interval(confidence, sides)


@dataclass(frozen=True, eq=False)
class OneScore:
    """A single score of all test rows.

    Parameters
    ----------
    value : float
    n : int
        Number of test rows.
    resampled : array of float64
        Scores of bootstrap samples of the rows, without undefined ones, such as those with a single class.
    trust : Trust
    """

    value: float
    n: int
    resampled: Floats
    trust: Trust

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the score over bootstrap samples."""
        return float(self.resampled.std()) if self.resampled.size else math.nan

    @property
    def methods(self) -> tuple[str, ...]:
        """Names of the interval methods: the bootstrap over rows."""
        return (BOOTSTRAP,)

    def interval(self, method: str, confidence: float, sides: Sides) -> Interval:
        """Return the percentile interval of the bootstrap scores."""
        outside = tail(confidence, sides)
        scores = self.resampled
        if not scores.size:
            why = "the score is undefined for every bootstrap sample of the rows"
            return Interval(-math.inf, math.inf, confidence, "bootstrap, percentile", sides, False, why)
        low = -math.inf if sides == "upper" else float(np.quantile(scores, outside))
        high = math.inf if sides == "lower" else float(np.quantile(scores, 1 - outside))
        holds, why = self.n >= FEW, _INDEPENDENT
        if not holds:
            why = f"{self.n} rows are few for a bootstrap"
        return self.trust.qualified(
            Interval(low, high, confidence, "bootstrap, percentile", sides, holds, why)
        )


def by_row(rows: NDArray[np.intp], losses: Floats) -> Floats:
    """Return the mean loss of each distinct row in row order.

    Examples
    --------
    >>> by_row(np.array([1, 0, 1]), np.array([0.0, 1.0, 1.0]))
    array([1. , 0.5])
    """
    _, place, times = np.unique(rows, return_inverse=True, return_counts=True)
    return np.asarray(np.bincount(place, losses) / times)


def interval_by(evidence: Evidence, what: str, method: str, confidence: float, sides: Sides) -> Interval:
    """Return an interval by the named method; ``"auto"`` is the default one."""
    if method == AUTO:
        method = evidence.methods[0]
    if method not in evidence.methods:
        there_are = ", ".join(map(repr, evidence.methods))
        if method in METHODS:
            raise InputError(f"{method!r} has no interval for this {what}; the methods are {there_are}")
        raise InputError(f"interval is {method!r}; for this {what} it must be 'auto' or one of {there_are}")
    return evidence.interval(method, confidence, sides)
