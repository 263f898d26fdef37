"""Confidence intervals for a proportion and for a mean, and the error limits that pruning uses."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.errors import InputError

Sides = Literal["two", "lower", "upper"]

_EXACT = "Clopper-Pearson"


@dataclass(frozen=True)
class Interval:
    """A confidence interval, how it was made and whether that was allowed.

    Parameters
    ----------
    low, high : float
        The bounds; a one-sided interval ends on its open side where the quantity does (0, 1 or infinity).
    confidence : float
        The nominal coverage, between 0 and 1.
    method : str
    sides : {"two", "lower", "upper"}
        Both bounds, a lower bound only, or an upper bound only.
    holds : bool
        Whether the preconditions of the method hold as far as the numbers can tell.
    preconditions : str
        What the method needs, or why it does not hold.

    Examples
    --------
    >>> print(Interval(0.05, 0.51, 0.95, "Wilson", "two", True, "independent rows"))
    approximate 95% interval [0.05, 0.51] (Wilson)
    """

    low: float
    high: float
    confidence: float
    method: str
    sides: Sides
    holds: bool
    preconditions: str

    @property
    def approximate(self) -> bool:
        """Whether the coverage is only roughly the confidence."""
        return not self.holds or self.method != _EXACT

    @property
    def decimals(self) -> int:
        """How many decimals are worth printing: two digits of the width, at least two decimals."""
        width = self.high - self.low
        if not math.isfinite(width):
            width = abs(self.low if self.sides == "lower" else self.high)
        return 2 if width == 0 else max(2, 1 - math.floor(math.log10(width)))

    @property
    def summary(self) -> str:
        """The bounds in words, without the method."""
        kind = f"{'approximate ' if self.approximate else ''}{100 * self.confidence:.10g}%"
        low, high = (f"{bound:.{self.decimals}f}" for bound in (self.low, self.high))
        if self.sides == "lower":
            return f"{kind} lower bound {low}"
        if self.sides == "upper":
            return f"{kind} upper bound {high}"
        return f"{kind} interval [{low}, {high}]"

    def __str__(self) -> str:
        return f"{self.summary} ({self.method})"


def normal(errors: int, n: int, confidence: float = 0.95, sides: Sides = "two") -> Interval:
    """Return the textbook interval r ± z sqrt(r(1 - r)/n) for a proportion r (Mitchell, section 5.2.2).

    Its precondition is n r (1 - r) ≥ 5; bounds beyond 0 and 1 are cut off.

    Examples
    --------
    >>> print(normal(12, 40))
    approximate 95% interval [0.16, 0.44] (normal)
    >>> normal(1, 20).holds
    False
    """
    errors, n = _counts(errors, n)
    z = _z(confidence, sides)
    rate = errors / n
    spread = n * rate * (1 - rate)
    reach = z * math.sqrt(spread) / n
    holds = errors * (n - errors) >= 5 * n  # in whole numbers: the limit itself must not be rounded away
    verdict = "is at least 5" if holds else "is below 5, so use the exact interval"
    reason = f"n r (1 - r) = {spread:.3g} {verdict}"
    return _proportion(rate - reach, rate + reach, confidence, "normal", sides, holds, reason)


def wilson(errors: int, n: int, confidence: float = 0.95, sides: Sides = "two") -> Interval:
    """Return Wilson's score interval for a proportion, sound for small n and for rates near 0 and 1.

    Examples
    --------
    >>> print(wilson(12, 40))
    approximate 95% interval [0.18, 0.45] (Wilson)
    """
    errors, n = _counts(errors, n)
    z = _z(confidence, sides)
    rate = errors / n
    centre = rate + z * z / (2 * n)
    reach = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    low, high = ((centre + sign * reach) / (1 + z * z / n) for sign in (-1, 1))
    if z >= 0:  # rounding must not push a bound past the rate, as it can for no errors or nothing but errors
        low, high = min(low, rate), max(high, rate)
    return _proportion(low, high, confidence, "Wilson", sides, True, "independent rows")


def clopper_pearson(errors: int, n: int, confidence: float = 0.95, sides: Sides = "two") -> Interval:
    """Return the exact binomial interval for a proportion; it covers at least as often as it says.

    Examples
    --------
    >>> print(clopper_pearson(3, 14))
    95% interval [0.05, 0.51] (Clopper-Pearson)
    """
    from scipy.special import betaincinv

    errors, n = _counts(errors, n)
    tail = _tail(confidence, sides)
    low = 0.0 if errors == 0 else float(betaincinv(errors, n - errors + 1, tail))
    high = 1.0 if errors == n else float(betaincinv(errors + 1, n - errors, 1 - tail))
    return _proportion(low, high, confidence, _EXACT, sides, True, "independent rows")


def normal_mean(
    values: ArrayLike,
    confidence: float = 0.95,
    sides: Sides = "two",
    *,
    standard_deviation: float | None = None,
) -> Interval:
    """Return the interval for a mean when there are many values (30 or more; Mitchell, section 5.4).

    `standard_deviation` is that of one value, when it is known; otherwise it is estimated.

    Examples
    --------
    >>> print(normal_mean(range(100)))
    approximate 95% interval [43.81, 55.19] (normal)
    """
    sample = _values(values)
    if standard_deviation is None:
        standard_deviation = _spread(sample)
    elif not 0 <= standard_deviation < math.inf:
        raise InputError(f"standard_deviation must be finite and at least 0, not {standard_deviation}")
    reach = _z(confidence, sides) * standard_deviation / math.sqrt(sample.size)
    holds = sample.size >= 30
    verdict = (
        "at least 30" if holds else "fewer than 30, so use t_mean unless the standard deviation is known"
    )
    reason = f"{sample.size} values are {verdict}"
    return _mean(sample, reach, confidence, "normal", sides, holds, reason)


def t_mean(values: ArrayLike, confidence: float = 0.95, sides: Sides = "two") -> Interval:
    """Return Student's interval for the mean of independent normal values (Mitchell, section 5.6).

    Examples
    --------
    >>> print(t_mean([0.05, 0.02, -0.01, 0.04, 0.03, 0.06, 0.00, 0.03, 0.02, 0.05, 0.04]))
    approximate 95% interval [0.016, 0.044] (t)
    """
    from scipy.special import stdtrit

    sample = _values(values)
    spread = _spread(sample)
    reach = -float(stdtrit(sample.size - 1, _tail(confidence, sides))) * spread / math.sqrt(sample.size)
    reason = "independent, normally distributed values"
    if spread == 0:
        reason = "all values are equal, so their spread is unknown"
    return _mean(sample, reach, confidence, "t", sides, spread > 0, reason)


def upper_limit(errors: ArrayLike, n: ArrayLike, confidence_factor: float) -> NDArray[np.float64]:
    """Return the error rate U_CF(E, N) at which E or fewer errors in N have probability CF, exactly.

    Real `errors` and `n` (weighted rows) are allowed, as is any shape. Where all rows are errors it is 1.

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


def check_confidence(confidence: float) -> None:
    """Refuse a confidence that is not strictly between 0 and 1."""
    if not 0 < confidence < 1:
        raise InputError(f"confidence must lie between 0 and 1, not {confidence}")


def _tail(confidence: float, sides: Sides) -> float:
    """Return the probability left outside each bound."""
    check_confidence(confidence)
    if sides not in get_args(Sides):
        raise InputError(f"sides must be one of {', '.join(get_args(Sides))}, not {sides!r}")
    return (1 - confidence) / 2 if sides == "two" else 1 - confidence


def _z(confidence: float, sides: Sides) -> float:
    from scipy.special import ndtri

    return -float(ndtri(_tail(confidence, sides)))


def _counts(errors: int, n: int) -> tuple[int, int]:
    try:
        errors, n = operator.index(errors), operator.index(n)
    except TypeError:
        raise InputError(f"errors and n must be whole numbers, not {errors!r} and {n!r}") from None
    if n < 1:
        raise InputError(f"an interval needs at least one row, but n is {n}")
    if not 0 <= errors <= n:
        raise InputError(f"errors must lie between 0 and n = {n}, not {errors}")
    return errors, n


def _weights(errors: ArrayLike, n: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    wrong, total = np.asarray(errors, dtype=np.float64), np.asarray(n, dtype=np.float64)
    if not (np.all(wrong >= 0) and np.all(total >= 0)):
        raise InputError("the numbers of errors and of rows must be 0 or more")
    return wrong, total


def _values(values: ArrayLike) -> NDArray[np.float64]:
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1 or sample.size == 0 or not np.isfinite(sample).all():
        raise InputError("values must be a list of one or more finite numbers")
    return sample


def _spread(sample: NDArray[np.float64]) -> float:
    if sample.size < 2:
        raise InputError("values must be two or more for their standard deviation to be estimated")
    return 0.0 if np.ptp(sample) == 0 else float(sample.std(ddof=1))


def _proportion(
    low: float, high: float, confidence: float, method: str, sides: Sides, holds: bool, preconditions: str
) -> Interval:
    low = 0.0 if sides == "upper" else min(max(low, 0.0), 1.0)
    high = 1.0 if sides == "lower" else min(max(high, 0.0), 1.0)
    return Interval(low, high, confidence, method, sides, holds, preconditions)


def _mean(
    sample: NDArray[np.float64],
    reach: float,
    confidence: float,
    method: str,
    sides: Sides,
    holds: bool,
    preconditions: str,
) -> Interval:
    mean = float(sample.mean())
    low = -math.inf if sides == "upper" else mean - reach
    high = math.inf if sides == "lower" else mean + reach
    return Interval(low, high, confidence, method, sides, holds, preconditions)
