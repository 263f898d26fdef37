"""Experiment planning: sample size for an interval width or a comparison (Mitchell, exercise 5.4, and power)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from induce.core.checks import one_of, share
from induce.core.errors import InputError
from induce.statistics.constants import Student, tail
from induce.statistics.counts import whole

MOST_ROWS = 10**12
PAIRED_MOST_ROWS = 10**7


@dataclass(frozen=True)
class SampleSize:
    """Sample size required for an interval of a given width.

    Parameters
    ----------
    n : int
        Smallest sample size for which the interval is narrower than required.
    width : float
        Width of that interval at the error rate `error`.
    error : float
        Assumed error rate: the rate within the given range that needs the largest sample.
    confidence : float
        Confidence level of the interval.
    method : str
        Method of the interval.
    holds : bool
        Whether the assumptions of the method hold.
    preconditions : str
        Assumptions of the method, or the reason why they do not hold.

    Examples
    --------
    >>> print(sample_size(0.02, error=0.1))
    3458 rows: 95% interval of width 0.019998 at error 0.1 (normal)
    """

    n: int
    width: float
    error: float
    confidence: float
    method: str
    holds: bool
    preconditions: str

    def __str__(self) -> str:
        level = f"{100 * self.confidence:.10g}% interval"
        return f"{self.n} rows: {level} of width {self.width:.5g} at error {self.error:.10g} ({self.method})"

    def _repr_html_(self) -> str:
        return f"<p>{escape(str(self))}<br><small>{escape(self.preconditions)}</small></p>"


def sample_size(
    width: float,
    confidence: float = 0.95,
    error: float | tuple[float, float] = (0.0, 1.0),
    method: str = "normal",
    *,
    table: bool = False,
) -> SampleSize:
    """Return the sample size for a two-sided interval narrower than a width (Mitchell, exercise 5.4).

    Parameters
    ----------
    width : float
        Maximum distance between the bounds.
    confidence : float
        Confidence level of the interval.
    error : float or pair of float
        Expected error rate, or its range; without prior knowledge, use (0, 1).
    method : {"normal", "wilson", "exact"}
        Interval method.
    table : bool
        Whether to round z to two decimals, as in the book's table 5.1. Only for the normal interval.

    Examples
    --------
    In the exercise, the error is between 0.2 and 0.6, and the 95% interval must be narrower than 0.1.

    >>> sample_size(0.1, error=(0.2, 0.6)).n
    385
    >>> sample_size(0.1, error=(0.2, 0.6), method="wilson").n
    381
    """
    share("width", width)
    outside = tail(confidence, "two")
    one_of("method", method, ("normal", "wilson", "exact"))
    if table and method != "normal":
        raise InputError(f"table is for the normal interval; leave it out for {method!r}")
    low, high = error if isinstance(error, tuple | list) else (error, error)
    if not 0 <= low <= high <= 1:
        raise InputError(f"error is {error}; give a rate between 0 and 1, or an increasing pair of rates")
    worst = min(max(0.5, low), high)
    if method == "normal" and worst in (0, 1):
        raise InputError(f"error is {worst:g}, where the normal interval has no width; use wilson or exact")
    z = Student(table=table).ppf(1 - outside)

    def reached(n: int) -> float:
        return _width(method, worst, n, z, outside)

    n = _smallest(lambda n: reached(n) < width, MOST_ROWS)
    spread = n * worst * (1 - worst)
    holds = method != "normal" or spread >= 5
    needs = "independent rows"
    if method == "normal":
        verdict = "is at least 5" if holds else "is below 5, so plan with wilson or exact"
        needs = f"n p (1 - p) = {spread:.3g} {verdict}"
    return SampleSize(n, reached(n), worst, confidence, method, holds, needs)


def _width(method: str, rate: float, n: int, z: float, outside: float) -> float:
    """Return the width of the interval at the assumed error rate; the number of errors may be fractional."""
    if method == "normal":
        return 2 * z * math.sqrt(rate * (1 - rate) / n)
    if method == "wilson":
        return 2 * z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    from scipy.special import betaincinv

    wrong, right = rate * n, (1 - rate) * n
    low = float(betaincinv(wrong, right + 1, outside)) if wrong else 0.0
    high = float(betaincinv(wrong + 1, right, 1 - outside)) if right else 1.0
    return high - low


@dataclass(frozen=True)
class PlannedComparison:
    """A planned comparison of two hypotheses and its power.

    Parameters
    ----------
    error1, error2 : float
        Assumed true error rates.
    paired : bool
        Whether both will be tested on the same rows, by McNemar's exact test; otherwise on separate rows, by the
        normal test of Mitchell's section 5.5.
    disagreement : float, optional
        Only if paired: the fraction of rows that exactly one of them misclassifies. By default their errors
        are assumed independent, which is conservative: hypotheses trained on the same data usually
        misclassify the same rows.
    alpha : float
        Significance level of the two-sided test.

    Examples
    --------
    >>> plan = PlannedComparison(0.10, 0.12)
    >>> plan.rows(power=0.8), round(plan.power(1000), 3)
    (3839, 0.298)
    >>> PlannedComparison(0.10, 0.12, paired=True, disagreement=0.06).rows(power=0.8)
    1244
    """

    error1: float
    error2: float
    paired: bool = False
    disagreement: float | None = None
    alpha: float = 0.05

    def __post_init__(self) -> None:
        for name in ("error1", "error2", "alpha"):
            share(name, getattr(self, name))
        if self.disagreement is None:
            return
        if not self.paired:
            raise InputError("disagreement is for hypotheses tested on the same rows; give paired as well")
        # the rows misclassified by exactly one are at most those misclassified by either, and at most all
        # rows
        most = min(self.error1 + self.error2, 2 - self.error1 - self.error2)
        gap = abs(self.error1 - self.error2)
        if not (self.disagreement > 0 and gap - 1e-12 <= self.disagreement <= most + 1e-12):
            raise InputError(
                f"disagreement must lie between the difference of the errors and {most:.4g}, not {self.disagreement}"
            )

    @property
    def discordance(self) -> float:
        """Given or assumed fraction of rows that exactly one of the two misclassifies."""
        if self.disagreement is not None:
            return self.disagreement
        return self.error1 * (1 - self.error2) + self.error2 * (1 - self.error1)

    def power(self, n: int) -> float:
        """Return the power of the test for sample size n (per hypothesis, unless paired)."""
        n = whole("n", n, least=1)
        if self.paired:
            return _mcnemar_power(n, self.discordance, self.error1 - self.error2, self.alpha)
        spread = self.error1 * (1 - self.error1) + self.error2 * (1 - self.error2)
        distance = abs(self.error1 - self.error2) / math.sqrt(spread / n)
        normal = Student()
        z = normal.ppf(1 - self.alpha / 2)
        return normal.cdf(distance - z) + normal.cdf(-distance - z)

    def rows(self, power: float = 0.8) -> int:
        """Return the smallest sample size (per hypothesis, unless paired) for a given power."""
        share("power", power)
        if self.error1 == self.error2:
            raise InputError(
                "the two error rates are equal, so no number of rows can show a "
                "difference; give different ones"
            )
        return _smallest(lambda n: self.power(n) >= power, PAIRED_MOST_ROWS if self.paired else MOST_ROWS)


def detectable_difference(
    error: float,
    n: int,
    power: float = 0.8,
    *,
    paired: bool = False,
    disagreement: float | None = None,
    alpha: float = 0.05,
) -> float:
    """Return the smallest improvement of an error rate that n rows detect with a given power.

    The other parameters are those of `PlannedComparison`.

    Parameters
    ----------
    error : float
        Error rate to improve on.
    n : int
        Number of rows.
    power : float, default=0.8
        Required power of the test.
    paired : bool, default=False
        Whether both hypotheses are tested on the same rows.
    disagreement : float | None, default=None
        Fraction of rows that exactly one of them misclassifies, if paired.
    alpha : float, default=0.05
        Significance level of the two-sided test.

    Examples
    --------
    >>> round(detectable_difference(0.12, 1000), 4)
    0.0377
    """
    share("power", power)
    share("error", error)

    def found(better: float) -> float:
        return PlannedComparison(error, better, paired, disagreement, alpha).power(n) - power

    # the disagreement is at least the difference and at most the sum of both errors
    best, least = error * 1e-6, error
    if disagreement is not None:
        best, least = (
            max(best, error - disagreement, disagreement - error),
            min(error, 2 - error - disagreement),
        )
    if found(best) < 0:
        raise InputError(
            f"n is {n}, too few rows to detect any improvement on the error {error} with power "
            f"{power}; give more rows"
        )
    from scipy.optimize import brentq

    return error - float(brentq(found, best, least, xtol=1e-9))


def _mcnemar_power(n: int, discordance: float, gap: float, alpha: float) -> float:
    """Return the exact power of McNemar's exact test, summed over the number of discordant rows."""
    import numpy as np
    from scipy import stats

    rows = stats.binom(n, discordance)
    # the probability beyond these is negligible
    m = np.arange(max(0, int(rows.ppf(1e-12))), int(rows.isf(1e-12)) + 1)
    # critical value of the smaller number: the largest with a tail of alpha/2 or less
    critical = stats.binom.ppf(alpha / 2, m, 0.5)
    critical = np.where(stats.binom.cdf(critical, m, 0.5) <= alpha / 2, critical, critical - 1)
    first = (discordance + gap) / (2 * discordance)  # fraction of these rows that the first misclassifies
    rejected = stats.binom.cdf(critical, m, first) + stats.binom.sf(m - critical - 1, m, first)
    return float(np.clip(rows.pmf(m) @ rejected, 0.0, 1.0))


def _smallest(enough: Callable[[int], bool], most: int) -> int:
    """Return the smallest number for which a monotone condition holds."""
    high = 1
    while not enough(high):
        high *= 2
        if high > most:
            raise InputError(f"more than {most:,} rows would be needed; relax the requirements")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
