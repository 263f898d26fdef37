"""Confidence interval: its bounds, its method and the preconditions of the method."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Sides = Literal["two", "lower", "upper"]

EXACT = "Clopper-Pearson"


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

    @property
    def summary(self) -> str:
        """Bounds as text, without the method."""
        kind = f"{'approximate ' if self.approximate else ''}{100 * self.confidence:.10g}%"
        places = self.decimals
        low, high = (f"{round(bound, places) + 0.0:.{places}f}" for bound in (self.low, self.high))  # no -0
        if self.sides == "lower":
            return f"{kind} lower bound {low}"
        if self.sides == "upper":
            return f"{kind} upper bound {high}"
        return f"{kind} interval [{low}, {high}]"

    def __str__(self) -> str:
        return f"{self.summary} ({self.method})"
