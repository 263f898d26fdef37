"""Confidence interval: its bounds, its method and the preconditions of the method."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Sides = Literal["two", "lower", "upper"]

EXACT = "Clopper-Pearson"
MOST_DECIMALS, MOST_DIGITS = 9, 15
"""Decimals, and digits before the point, of a number that is written without an exponent."""


@dataclass(frozen=True)
class Interval:
    """A confidence interval, its method and the validity of its assumptions.

    Parameters
    ----------
    low, high : float
        Bounds; the open side of a one-sided interval is the limit of the quantity (0, 1 or infinity).
    confidence : float
        Nominal coverage, between 0 and 1.
    method : str
        Name of the method.
    sides : {"two", "lower", "upper"}
        Two-sided, or only a lower or upper bound.
    holds : bool
        Whether the assumptions of the method hold, as far as the data show.
    preconditions : str
        Assumptions of the method, or the reason why they do not hold.

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
        """Whether the coverage is only approximately the confidence."""
        return not self.holds or self.method != EXACT

    @property
    def decimals(self) -> int:
        """Number of decimals to print: enough for two digits of the width, at least two."""
        width = self.high - self.low
        if not math.isfinite(width):
            width = abs(self.low if self.sides == "lower" else self.high)
        return 2 if width == 0 else max(2, 1 - math.floor(math.log10(width)))

    def written(self, value: float) -> str:
        """Return a value with the decimals of the interval; with an exponent if they or its digits are many.

        Examples
        --------
        >>> Interval(0.1, 0.5, 0.95, "t", "two", True, "normal").written(0.25)
        '0.25'
        >>> Interval(1e-15, 3e-15, 0.95, "t", "two", True, "normal").written(2e-15)
        '2e-15'
        """
        places = self.decimals
        if places > MOST_DECIMALS or abs(value) >= 10**MOST_DIGITS:
            return f"{value:.3g}"
        return f"{round(value, places) + 0.0:.{places}f}"  # no -0

    @property
    def summary(self) -> str:
        """Bounds as text, without the method."""
        kind = f"{'approximate ' if self.approximate else ''}{100 * self.confidence:.10g}%"
        low, high = self.written(self.low), self.written(self.high)
        if self.sides == "lower":
            return f"{kind} lower bound {low}"
        if self.sides == "upper":
            return f"{kind} upper bound {high}"
        return f"{kind} interval [{low}, {high}]"

    def __str__(self) -> str:
        return f"{self.summary} ({self.method})"
