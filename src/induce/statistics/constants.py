"""The constants z and t: half-widths of an interval in standard deviations (Mitchell, tables 5.1 and 5.6)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import get_args

from induce.core.errors import InputError
from induce.statistics.interval import Sides

# the two entries of the book's tables that are not correctly rounded: (level, degrees of freedom) -> printed
_SLIPS = {(0.68, math.inf): 1.00, (0.99, 20.0): 2.84}


@dataclass(frozen=True)
class Student:
    """Student's t distribution; with infinite degrees of freedom it is the standard normal.

    Parameters
    ----------
    degrees : float
        Degrees of freedom.
    table : bool
        Whether to return quantiles as printed in the book: to two decimals, including its errors (z for 68%,
        t for 99% and 20 degrees of freedom).

    Examples
    --------
    >>> round(Student().ppf(0.975), 4), Student(table=True).ppf(0.975)
    (1.96, 1.96)
    >>> round(Student(20).ppf(0.995), 4), Student(20, table=True).ppf(0.995)
    (2.8453, 2.84)
    """

    degrees: float = math.inf
    table: bool = False

    def __post_init__(self) -> None:
        if not self.degrees > 0:
            raise InputError(f"degrees must be greater than 0, not {self.degrees}")

    def ppf(self, share: float) -> float:
        """Return the quantile of a given probability."""
        from scipy.special import ndtri, stdtrit

        exact = float(ndtri(share) if math.isinf(self.degrees) else stdtrit(self.degrees, share))
        if not self.table:
            return exact
        printed = _SLIPS.get((round(abs(2 * share - 1), 9), float(self.degrees)), round(abs(exact), 2))
        return math.copysign(printed, exact)

    def cdf(self, value: float) -> float:
        """Return the cumulative probability of a value."""
        from scipy.special import ndtr, stdtr

        return float(ndtr(value) if math.isinf(self.degrees) else stdtr(self.degrees, value))


def z(confidence: float, *, table: bool = False) -> float:
    """Return the number of standard deviations around the mean that contain a normal value with a given probability.

    Parameters
    ----------
    confidence : float
        Probability, between 0 and 1.
    table : bool
        Whether to round to two decimals, as in table 5.1 of the book.

    Examples
    --------
    >>> round(z(0.95), 5), z(0.95, table=True)
    (1.95996, 1.96)
    >>> round(z(0.68), 5), z(0.68, table=True)
    (0.99446, 1.0)
    """
    return student_t(confidence, math.inf, table=table)


def student_t(confidence: float, degrees: float, *, table: bool = False) -> float:
    """Return the constant t of an interval of a mean whose standard deviation is estimated.

    Parameters
    ----------
    confidence : float
        Confidence level, between 0 and 1.
    degrees : float
        Degrees of freedom: one less than the number of values.
    table : bool
        Whether to round to two decimals, as in table 5.6 of the book.

    Examples
    --------
    >>> round(student_t(0.95, 10), 4), student_t(0.95, 10, table=True)
    (2.2281, 2.23)
    """
    return Student(degrees, table).ppf(1 - tail(confidence, "two"))


def check_confidence(confidence: float) -> None:
    """Raise an `InputError` unless a confidence is strictly between 0 and 1."""
    if not 0 < confidence < 1:
        raise InputError(f"confidence must lie between 0 and 1, not {confidence}")


def tail(confidence: float, sides: Sides) -> float:
    """Return the probability beyond each bound."""
    check_confidence(confidence)
    if sides not in get_args(Sides):
        raise InputError(f"sides must be one of {', '.join(get_args(Sides))}, not {sides!r}")
    return (1 - confidence) / 2 if sides == "two" else 1 - confidence
