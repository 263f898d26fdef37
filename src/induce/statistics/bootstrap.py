"""Bootstrap intervals."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.statistics.constants import tail
from induce.statistics.counts import errors_of, whole
from induce.statistics.interval import Interval, Sides
from induce.statistics.numbers import numbers

FEW, MANY = 20, 2000
_METHODS = {"bca": "bootstrap, BCa", "percentile": "bootstrap, percentile"}
_ALTERNATIVE = {"two": "two-sided", "lower": "greater", "upper": "less"}


def bootstrap_mean(
    values: ArrayLike,
    confidence: float = 0.95,
    sides: Sides = "two",
    random_state: RandomState = 0,
    *,
    method: str | None = None,
    resamples: int = 9999,
) -> Interval:
    """Return the bootstrap interval of a mean, which makes no distributional assumption.

    Parameters
    ----------
    values : array-like
        Sample, such as the loss of each row.
    confidence : float
        Confidence level of the interval.
    sides : {"two", "lower", "upper"}
        Two-sided interval, or only the lower or upper bound.
    random_state : int, Generator or None
        Random seed of the bootstrap samples.
    method : {"bca", "percentile"}, optional
        Bias-corrected and accelerated (BCa), or the plain percentiles of the means. The default is BCa for up
        to 2000 values; its time grows with their square, and for larger samples both hardly differ.
    resamples : int
        Number of bootstrap samples.

    Examples
    --------
    >>> print(bootstrap_mean([0.1, 0.4, 0.2, 1.9, 0.3, 0.2, 0.8, 0.1, 0.5, 0.6] * 3))
    approximate 95% interval [0.37, 0.76] (bootstrap, BCa)
    """
    sample = numbers(values)
    method = ("bca" if sample.size <= MANY else "percentile") if method is None else method
    one_of("method", method, _METHODS)
    whole("resamples", resamples, least=100)
    tail(confidence, sides)
    random = generator(random_state)
    if sample.size < 2:
        raise InputError("values has fewer than two values; a bootstrap needs at least two")
    low = high = float(sample.mean())
    reason = "all values are equal, so their variance is unknown"
    if np.ptp(sample) > 0:
        from scipy import stats

        low, high = stats.bootstrap(
            (sample,),
            np.mean,
            n_resamples=resamples,
            batch=max(1, 2_000_000 // sample.size),
            confidence_level=confidence,
            alternative=_ALTERNATIVE[sides],
            method="BCa" if method == "bca" else method,
            random_state=random,
        ).confidence_interval
        reason = "independent values, numerous enough to represent the population"
        if sample.size < FEW:
            reason = f"{sample.size} values are few for a bootstrap"
    holds = sample.size >= FEW and bool(np.ptp(sample) > 0)
    ends = (-np.inf if sides == "upper" else float(low), np.inf if sides == "lower" else float(high))
    return Interval(*ends, confidence, _METHODS[method], sides, holds, reason)


def bootstrap_proportion(errors: int, n: int, confidence: float = 0.95, sides: Sides = "two") -> Interval:
    """Return the percentile bootstrap interval for a proportion.

    The number of errors in a bootstrap sample of n rows is binomial. Therefore no samples are drawn, and the
    percentiles are those of the binomial distribution.

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
    >>> print(bootstrap_proportion(12, 40))
    approximate 95% interval [0.17, 0.45] (bootstrap, percentile)
    """
    from scipy import stats

    errors, n = errors_of(errors, n)
    outside = tail(confidence, sides)
    drawn = stats.binom(n, errors / n)
    low = 0.0 if sides == "upper" else float(drawn.ppf(outside)) / n
    high = 1.0 if sides == "lower" else float(drawn.ppf(1 - outside)) / n
    holds = errors * (n - errors) >= 5 * n
    needs = "independent rows, with enough wrong and enough correct ones"
    if not holds:
        needs = "too few wrong or too few correct rows for a bootstrap, so use the exact interval"
    return Interval(low, high, confidence, _METHODS["percentile"], sides, holds, needs)
