"""Difference of the error rates of two hypotheses tested on separate samples (Mitchell, section 5.5)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

from induce.statistics.constants import Student
from induce.statistics.counts import errors_of
from induce.statistics.interval import Interval, Sides
from induce.statistics.recipe import Recipe
from induce.statistics.verdict import Verdict

LEAST_ROWS = 30


@dataclass(frozen=True)
class Difference:
    """The difference of two error rates, first minus second.

    Parameters
    ----------
    difference : float
        Observed difference of the error rates.
    deviation : float
        Estimated standard deviation of the difference.
    interval : Interval
        Confidence interval of the true difference.
    probability : float
        Confidence that the first hypothesis has the higher true error.

    Examples
    --------
    >>> found = two_proportions(30, 100, 20, 100)
    >>> print(found)
    difference 0.10, approximate 95% interval [-0.02, 0.22] (normal)
    the first has the higher error with confidence 0.950: reject that it has not at the level 0.050
    """

    difference: float
    deviation: float
    interval: Interval
    probability: float

    @property
    def level(self) -> float:
        """Smallest significance level at which the null hypothesis that the first error is not higher is rejected."""
        return 1 - self.probability

    @property
    def verdict(self) -> Verdict:
        """Comparison as a two-sided test."""
        no_spread = self.deviation == 0
        statistic = math.nan if no_spread and self.difference else 0.0
        if not no_spread:
            statistic = self.difference / self.deviation
        return Verdict(
            "two proportions, normal",
            self.difference,
            statistic,
            min(1.0, 2 * min(self.probability, self.level)),
            None,
            self.interval,
            math.nan,
            self.interval.holds,
            self.interval.preconditions,
        )

    def __str__(self) -> str:
        return (
            f"difference {self.difference:.{self.interval.decimals}f}, {self.interval}\n"
            f"the first has the higher error with confidence {self.probability:.3f}: "
            f"reject that it has not at the level {self.level:.3f}"
        )

    def _repr_html_(self) -> str:
        lines = [*str(self).splitlines(), self.interval.preconditions]
        return f"<p>{'<br>'.join(map(escape, lines))}</p>"


def two_proportions(
    errors1: int,
    n1: int,
    errors2: int,
    n2: int,
    confidence: float = 0.95,
    sides: Sides = "two",
    *,
    shared_sample: bool = False,
    table: bool = False,
) -> Difference:
    """Compare the errors of two hypotheses, counted on separate samples (Mitchell, section 5.5).

    Parameters
    ----------
    errors1, n1, errors2, n2 : int
        Number of errors of each hypothesis, and number of rows it was tested on.
    confidence : float
        Confidence level of the interval.
    sides : {"two", "lower", "upper"}
        Two-sided interval of the difference, or only a lower or upper bound.
    shared_sample : bool
        Whether both were tested on the same rows. The interval is then usually wider than necessary; if the rows are
        available, `mcnemar` is more powerful.
    table : bool
        Whether to round z to two decimals, as in the book's table 5.1.

    Examples
    --------
    >>> found = two_proportions(30, 100, 20, 100, 0.90)
    >>> print(found.interval)
    approximate 90% interval [0.00, 0.20] (normal)
    >>> round(found.probability, 4)
    0.9499
    """
    errors1, n1 = errors_of(errors1, n1)
    errors2, n2 = errors_of(errors2, n2)
    rate1, rate2 = errors1 / n1, errors2 / n2
    holds = min(n1, n2) >= LEAST_ROWS
    needs = "two independent samples of 30 rows or more"
    if not holds:
        needs = f"{min(n1, n2)} rows are fewer than {LEAST_ROWS}"
    elif shared_sample:
        needs = "the same rows for both, so the interval is probably wider than necessary; use mcnemar"
    recipe = Recipe(
        "difference of the error rates",
        rate1 - rate2,
        math.sqrt(rate1 * (1 - rate1) / n1 + rate2 * (1 - rate2) / n2),
        Student(table=table),
        lowest=-1.0,
        highest=1.0,
        holds=holds,
        preconditions=needs,
    )
    interval = recipe.interval(confidence, sides)
    return Difference(recipe.estimate, recipe.deviation, interval, recipe.above(0.0))
