"""Result of a significance test: the difference, its p-value, and a plain sentence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

from induce.core.checks import share
from induce.statistics.interval import Interval


@dataclass(frozen=True)
class Verdict:
    """Result of a test for the difference of two hypotheses or learners.

    Parameters
    ----------
    method : str
        Name of the method.
    difference : float
        First minus second, usually a difference of error rates, as estimated by the test.
    statistic : float
        Value of the test statistic.
    p_value : float
        Two-sided p-value: the probability of a difference at least as large under the null hypothesis. NaN if
        the test is undefined.
    degrees : float or None
        Degrees of freedom of the statistic, if any.
    interval : Interval or None
        Confidence interval of the difference, if the test provides one.
    effect : float
        Mean difference in units of the standard deviation of the differences; NaN if undefined.
    holds : bool
        Whether the assumptions of the test hold, as far as the data show.
    preconditions : str
        Assumptions of the test, or the reason why they do not hold.

    Examples
    --------
    >>> from induce.statistics import paired_t
    >>> verdict = paired_t([0.05, 0.02, -0.01, 0.04, 0.03, 0.06, 0.00, 0.03, 0.02, 0.05, 0.04])
    >>> verdict.says("tree", "rules")
    'rules has the lower error: p < 0.001'
    >>> print(verdict)
    difference 0.030, p < 0.001, approximate 95% interval [0.016, 0.044] (paired t)
    """

    method: str
    difference: float
    statistic: float
    p_value: float
    degrees: float | None
    interval: Interval | None
    effect: float
    holds: bool
    preconditions: str

    def significant(self, alpha: float = 0.05) -> bool:
        """Return whether there is evidence of a difference at a significance level."""
        share("alpha", alpha)
        return self.p_value <= alpha

    def says(self, first: str = "first", second: str = "second", alpha: float = 0.05) -> str:
        """Return the verdict as a sentence about errors."""
        different = self.significant(alpha)
        if math.isnan(self.p_value):
            return f"no verdict is possible: {self.preconditions}"
        if not different:
            return f"no evidence of a difference: {p_text(self.p_value)}"
        return f"{first if self.difference < 0 else second} has the lower error: {p_text(self.p_value)}"

    def __str__(self) -> str:
        decimals = 3 if self.interval is None else self.interval.decimals
        parts = [f"difference {self.difference:.{decimals}f}", p_text(self.p_value)]
        if self.interval is not None:
            parts.append(self.interval.summary)
        return f"{', '.join(parts)} ({self.method})"

    def _repr_html_(self) -> str:
        return f"<p>{escape(str(self))}<br><small>{escape(self.preconditions)}</small></p>"


def p_text(p_value: float) -> str:
    """Format a p-value with a meaningful number of digits.

    Examples
    --------
    >>> p_text(0.4123), p_text(0.00312), p_text(0.00001)
    ('p = 0.41', 'p = 0.0031', 'p < 0.001')
    """
    if math.isnan(p_value):
        return "p unknown"
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.2g}"
