"""Step sizes and their convergence conditions (Mitchell 13.4, theorem 13.2)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError


@dataclass(frozen=True)
class StepSizes:
    """Step size at the n-th visit of a pair: constant, or ``(1 + n) ** -power``.

    Parameters
    ----------
    alpha : float, optional
        Constant step size.
    power : float
        Exponent; 1 is the book's (13.11).

    Examples
    --------
    >>> print(StepSizes())
    step size (1 + visits)^-1: the sum is infinite, the sum of squares 0.6449; values converge
    >>> print(StepSizes(alpha=0.1))
    step size 0.1: the sum of squares is infinite; values converge only in deterministic processes
    """

    alpha: float | None = None
    power: float = 1.0

    def of(self, visits: Any) -> NDArray[np.float64]:
        """Return the step size at each visit count."""
        counts = np.asarray(visits, dtype=np.float64)
        return np.full(counts.shape, self.alpha) if self.alpha is not None else (1.0 + counts) ** -self.power

    @property
    def sum(self) -> float:
        """Sum over all visits; it must be infinite, or initial values are never forgotten."""
        return math.inf if self.alpha is not None else _sum_of_powers(self.power)

    @property
    def sum_of_squares(self) -> float:
        """Sum of squares over all visits; it must be finite, or noise never averages out."""
        return math.inf if self.alpha is not None else _sum_of_powers(2 * self.power)

    @property
    def converges(self) -> bool:
        """Whether values converge with probability 1 in a stochastic process."""
        return math.isinf(self.sum) and math.isfinite(self.sum_of_squares)

    def __str__(self) -> str:
        what = (
            f"step size {self.alpha:g}"
            if self.alpha is not None
            else f"step size (1 + visits)^-{self.power:g}"
        )
        if math.isfinite(self.sum):
            return f"{what}: the sum is {self.sum:.4g}; initial values are never forgotten"
        if math.isinf(self.sum_of_squares):
            return f"{what}: the sum of squares is infinite; values converge only in deterministic processes"
        return f"{what}: the sum is infinite, the sum of squares {self.sum_of_squares:.4g}; values converge"


def intervals_needed(first_error: float, error: float, discount: float) -> int:
    """Return the number of intervals, each updating every pair, until the error is small enough (theorem 13.1).

    Parameters
    ----------
    first_error : float
        Maximum initial error of the values.
    error : float
        Error to reach; above 0.
    discount : float
        Discount factor, between 0 and 1.

    Examples
    --------
    >>> intervals_needed(100, 0.01, discount=0.9)
    88
    """
    if not 0 < discount < 1 or not error > 0:
        raise InputError(
            f"error is {error!r} and discount {discount!r}; give an error above 0 and a discount "
            "between 0 and 1"
        )
    return max(0, math.ceil(math.log(error / first_error) / math.log(discount)))


def _sum_of_powers(power: float) -> float:
    """Return the sum of n^-power from n = 2."""
    from scipy.special import zeta

    return float(zeta(power)) - 1.0 if power > 1 else math.inf
