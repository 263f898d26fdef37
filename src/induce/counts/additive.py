"""Base of all counts: immutable values that can be added."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

ROUNDING = 1e-9
LONG = 2**17
"""Minimum number of rows of a column that is counted by compiled loops."""


class Additive:
    """A frozen dataclass over arrays that can be added, subtracted, scaled and compared."""

    def __add__(self, other: Self) -> Self:
        raise TypeError(f"{type(self).__name__} cannot be added")

    def __mul__(self, weight: float) -> Self:
        raise TypeError(f"{type(self).__name__} cannot be scaled")

    def __sub__(self, other: Self) -> Self:
        return self + other * -1.0

    def __rmul__(self, weight: float) -> Self:
        return self * weight

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and same_fields(self, other)

    def __hash__(self) -> int:
        return hash(type(self))


def same_fields(mine: Any, other: Any) -> bool:
    """Return whether two dataclasses of the same type have equal fields; arrays by element."""
    return all(_same(getattr(mine, field.name), getattr(other, field.name)) for field in fields(mine))


def sums(places: NDArray[Any], weights: Floats | None, size: int) -> Floats:
    """Return the sum of the weights, or the number, of the rows at each index.

    Examples
    --------
    >>> sums(np.array([0, 2, 2]), None, 3).tolist()
    [1.0, 0.0, 2.0]
    """
    return np.bincount(places, weights, size).astype(np.float64, copy=False)


def without_rounding(left: Floats, before: Floats, rounding: float = ROUNDING) -> Floats:
    """Return the remainder of a subtraction, exactly 0 if only rounding errors remain."""
    return np.where(np.abs(left) <= rounding * np.abs(before), 0.0, left)


def _same(mine: Any, other: Any) -> bool:
    if isinstance(mine, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(mine, other, equal_nan=mine.dtype.kind == "f")
    return bool(mine == other)
