"""Confidence intervals of proportions and means, and the error limits used by pruning."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.errors import InputError
from induce.statistics.bootstrap import bootstrap_mean, bootstrap_proportion
from induce.statistics.constants import Student, check_confidence, tail
from induce.statistics.counts import errors_of
from induce.statistics.difference import Difference, two_proportions
from induce.statistics.interval import EXACT, Interval, Sides
from induce.statistics.numbers import numbers
from induce.statistics.recipe import Recipe

__all__ = [
    "Difference",
    "Interval",
    "Sides",
    "bootstrap_mean",
    "bootstrap_proportion",
    "cautious_mean",
    "cautious_proportion",
    "check_confidence",
    "clopper_pearson",
    "normal",
    "normal_mean",
    "t_mean",
    "two_proportions",
    "upper_limit",
    "variance_over_folds",
    "wilson",
]


CAUTION = 2.0
"""Variance inflation factor for rows tested by hypotheses that share training rows."""


def normal(
    errors: int, n: int, confidence: float = 0.95, sides: Sides = "two", *, table: bool = False
) -> Interval:
    """Return the textbook interval r ± z sqrt(r(1 - r)/n) for a proportion r (Mitchell, section 5.2.2).

    Its precondition is n r (1 - r) ≥ 5; bounds are clipped to 0 and 1. With `table`, z has the two decimals of the
    book's table 5.1.

    Parameters
    ----------
    errors : int
        Number of errors.
    n : int
        Number of rows.
    confidence : float, default=0.95
        Confidence level of the interval.
    sides : {"two", "lower", "upper"}, default='two'
        Two-sided interval, or only the lower or upper bound.
    table : bool, default=False
        Whether to round the constant to two decimals, as in the book's table.

    Examples
    --------
    >>> print(normal(12, 40))
    approximate 95% interval [0.16, 0.44] (normal)
    >>> normal(1, 20).holds
    False
    """
    errors, n = errors_of(errors, n)
    rate = errors / n
    spread = n * rate * (1 - rate)
    holds = errors * (n - errors) >= 5 * n  # in integers, so that rounding cannot shift the limit
    verdict = "is at least 5" if holds else "is below 5, so use the exact interval"
    return Recipe(
        "error rate",
        rate,
        math.sqrt(spread) / n,
        Student(table=table),
        lowest=0.0,
        highest=1.0,
        holds=holds,
        preconditions=f"n r (1 - r) = {spread:.3g} {verdict}",
    ).interval(confidence, sides)


def wilson(errors: int, n: int, confidence: float = 0.95, sides: Sides = "two") -> Interval:
    """Return Wilson's score interval of a proportion, valid for small n and for rates near 0 and 1.

    Parameters
    ----------
    errors : int
        Number of errors.
    n : int
        Number of rows.
    confidence : float, default=0.95
        Confidence level of the interval.
    sides : {"two", "lower", "upper"}, default='two'
        Two-sided interval, or only the lower or upper bound.

    Examples
    --------
    >>> print(wilson(12, 40))
    approximate 95% interval [0.18, 0.45] (Wilson)
    """
    errors, n = errors_of(errors, n)
    z = -Student().ppf(tail(confidence, sides))
    rate = errors / n
    centre = rate + z * z / (2 * n)
    reach = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    low, high = ((centre + sign * reach) / (1 + z * z / n) for sign in (-1, 1))
    if z >= 0:  # rounding must not push a bound past the rate if no rows or all rows are errors
        low, high = min(low, rate), max(high, rate)
    return _proportion(low, high, confidence, "Wilson", sides)


def clopper_pearson(errors: int, n: int, confidence: float = 0.95, sides: Sides = "two") -> Interval:
    """Return the exact binomial interval of a proportion; its coverage is at least the nominal level.

    Parameters
    ----------
    errors : int
        Number of errors.
    n : int
        Number of rows.
    confidence : float, default=0.95
        Confidence level of the interval.
    sides : {"two", "lower", "upper"}, default='two'
        Two-sided interval, or only the lower or upper bound.

    Examples
    --------
    >>> print(clopper_pearson(3, 14))
    95% interval [0.05, 0.51] (Clopper-Pearson)
    """
    from scipy.special import betaincinv

    errors, n = errors_of(errors, n)
    outside = tail(confidence, sides)
    low = 0.0 if errors == 0 else float(betaincinv(errors, n - errors + 1, outside))
    high = 1.0 if errors == n else float(betaincinv(errors + 1, n - errors, 1 - outside))
    return _proportion(low, high, confidence, EXACT, sides)


def cautious_proportion(
    errors: int, n: int, confidence: float = 0.95, sides: Sides = "two", *, variance: float = 0.0
) -> Interval:
    """Return the exact interval for a reduced effective sample size, for an error rate from cross-validation.

    Each fold tests a different hypothesis, and the hypotheses share training rows, so the error rate varies
    more than on independent rows. The interval is that of a smaller number of independent rows, chosen to
    double the variance or to reach `variance` if that is larger (see `variance_over_folds`).

    Parameters
    ----------
    errors : int
        Number of errors.
    n : int
        Number of rows.
    confidence : float, default=0.95
        Confidence level of the interval.
    sides : {"two", "lower", "upper"}, default='two'
        Two-sided interval, or only the lower or upper bound.
    variance : float, default=0.0
        Variance of the error rate from another estimate, used if it is larger; 0 by default.

    Examples
    --------
    >>> print(cautious_proportion(3, 14))
    approximate 95% interval [0.02, 0.65] (cautious Clopper-Pearson)
    """
    from scipy.special import betaincinv

    errors, n = errors_of(errors, n)
    outside = tail(confidence, sides)
    rate = (errors + 1) / (n + 2)  # never 0 or 1, where the variance would be zero
    rows = 1 / max(CAUTION / n, variance / (rate * (1 - rate)))
    wrong, right = rows * errors / n, rows * (n - errors) / n
    low = 0.0 if errors == 0 else float(betaincinv(wrong, right + 1, outside))
    high = 1.0 if errors == n else float(betaincinv(wrong + 1, right, 1 - outside))
    return replace(_proportion(low, high, confidence, f"cautious {EXACT}", sides), holds=False)


def cautious_mean(
    values: ArrayLike, confidence: float = 0.95, sides: Sides = "two", *, variance: float = 0.0
) -> Interval:
    """Return Student's t interval of a mean with twice its variance, or `variance` if that is larger.

    It is for row losses from cross-validation, as `cautious_proportion` is for errors.

    Parameters
    ----------
    values : array-like
        Sample of values.
    confidence : float, default=0.95
        Confidence level of the interval.
    sides : {"two", "lower", "upper"}, default='two'
        Two-sided interval, or only the lower or upper bound.
    variance : float, default=0.0
        Variance of the mean from another estimate, used if it is larger; 0 by default.

    Examples
    --------
    >>> print(cautious_mean([0.05, 0.02, -0.01, 0.04, 0.03, 0.06, 0.00, 0.03, 0.02, 0.05, 0.04]))
    approximate 95% interval [0.010, 0.050] (cautious t)
    """
    sample = numbers(values)
    spread = _spread(sample)
    return Recipe(
        "mean",
        float(sample.mean()),
        math.sqrt(max(CAUTION * spread * spread / sample.size, variance)),
        Student(sample.size - 1),
        method="cautious t",
        holds=False,
        preconditions="" if spread else "all values are equal, so their variance is unknown",
    ).interval(confidence, sides)


def variance_over_folds(scores: ArrayLike, test_share: float) -> float:
    """Return the variance of the mean score of folds, with the overlap of their training rows counted twice.

    Nadeau and Bengio count the overlap once, which is too little for unstable learners.

    Parameters
    ----------
    scores : array-like
        Score of each fold.
    test_share : float
        Ratio of test rows to training rows: 1/9 for ten folds.

    Examples
    --------
    >>> round(variance_over_folds([0.1, 0.3, 0.2, 0.2], 1 / 3), 5)
    0.00611
    """
    sample = numbers(scores)
    return 0.0 if sample.size < 2 else (1 / sample.size + CAUTION * test_share) * float(sample.var(ddof=1))


def normal_mean(
    values: ArrayLike,
    confidence: float = 0.95,
    sides: Sides = "two",
    *,
    standard_deviation: float | None = None,
) -> Interval:
    """Return the normal interval of a mean of many values (30 or more; Mitchell, section 5.4).

    `standard_deviation` is that of a single value, if known; otherwise it is estimated.

    Parameters
    ----------
    values : array-like
        Sample of values.
    confidence : float, default=0.95
        Confidence level of the interval.
    sides : {"two", "lower", "upper"}, default='two'
        Two-sided interval, or only the lower or upper bound.
    standard_deviation : float | None, default=None
        Standard deviation of a single value, if known; estimated by default.

    Examples
    --------
    >>> print(normal_mean(range(100)))
    approximate 95% interval [43.81, 55.19] (normal)
    """
    sample = numbers(values)
    if standard_deviation is None:
        standard_deviation = _spread(sample)
    elif not 0 <= standard_deviation < math.inf:
        raise InputError(f"standard_deviation must be finite and at least 0, not {standard_deviation}")
    holds = sample.size >= 30
    verdict = (
        "at least 30" if holds else "fewer than 30, so use t_mean unless the standard deviation is known"
    )
    return Recipe(
        "mean",
        float(sample.mean()),
        standard_deviation / math.sqrt(sample.size),
        holds=holds,
        preconditions=f"{sample.size} values are {verdict}",
    ).interval(confidence, sides)


def t_mean(
    values: ArrayLike, confidence: float = 0.95, sides: Sides = "two", *, table: bool = False
) -> Interval:
    """Return Student's t interval of the mean of independent normal values (Mitchell, section 5.6).

    With `table`, t has the two decimals of the book's table 5.6.

    Parameters
    ----------
    values : array-like
        Sample of values.
    confidence : float, default=0.95
        Confidence level of the interval.
    sides : {"two", "lower", "upper"}, default='two'
        Two-sided interval, or only the lower or upper bound.
    table : bool, default=False
        Whether to round the constant to two decimals, as in the book's table.

    Examples
    --------
    >>> print(t_mean([0.05, 0.02, -0.01, 0.04, 0.03, 0.06, 0.00, 0.03, 0.02, 0.05, 0.04]))
    approximate 95% interval [0.016, 0.044] (t)
    """
    sample = numbers(values)
    spread = _spread(sample)
    reason = "independent, normally distributed values"
    if spread == 0:
        reason = "all values are equal, so their variance is unknown"
    return Recipe(
        "mean",
        float(sample.mean()),
        spread / math.sqrt(sample.size),
        Student(sample.size - 1, table),
        method="t",
        holds=spread > 0,
        preconditions=reason,
    ).interval(confidence, sides)


def upper_limit(errors: ArrayLike, n: ArrayLike, confidence_factor: float) -> NDArray[np.float64]:
    """Return the error rate U_CF(E, N) at which E or fewer errors in N rows have probability CF.

    Fractional `errors` and `n` (weighted rows) are allowed, as are arrays of any shape. If all rows are
    errors, it is 1.

    Parameters
    ----------
    errors : array-like
        Numbers of errors; fractions are allowed.
    n : array-like
        Numbers of rows; fractions are allowed.
    confidence_factor : float
        Probability of at most the observed number of errors; smaller values raise the limit.

    Examples
    --------
    >>> upper_limit([0, 0, 1], [6, 9, 7], 0.25).round(4)
    array([0.2063, 0.1428, 0.3407])
    """
    from scipy.special import betaincinv

    wrong, total = _weights(errors, n)
    if not 0 < confidence_factor < 1:
        raise InputError(f"confidence_factor must lie between 0 and 1, not {confidence_factor}")
    right = total - wrong
    inside = right > 0
    limit = betaincinv(wrong + 1, np.where(inside, right, 1.0), 1 - confidence_factor)
    return np.where(inside, limit, 1.0)


def _weights(errors: ArrayLike, n: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    wrong, total = np.asarray(errors, dtype=np.float64), np.asarray(n, dtype=np.float64)
    if not (np.all(wrong >= 0) and np.all(total >= 0)):
        raise InputError("the numbers of errors and of rows must be nonnegative")
    return wrong, total


def _spread(sample: NDArray[np.float64]) -> float:
    if sample.size < 2:
        raise InputError(
            "values has fewer than two values; give at least two to estimate their standard deviation"
        )
    return 0.0 if np.ptp(sample) == 0 else float(sample.std(ddof=1))


def _proportion(low: float, high: float, confidence: float, method: str, sides: Sides) -> Interval:
    low = 0.0 if sides == "upper" else min(max(low, 0.0), 1.0)
    high = 1.0 if sides == "lower" else min(max(high, 0.0), 1.0)
    return Interval(low, high, confidence, method, sides, True, "independent rows")
