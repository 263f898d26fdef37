"""Choices and orders that do not depend on rounding in the last bit.

BLAS, the width of vector instructions and fused multiply-add make sums and functions round differently on
different processors. Here, numbers that are equal up to rounding are ties, and ties are broken by order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Item = TypeVar("Item")

TOLERANCE = 1e-9
"""Relative difference below which numbers count as equal."""
CANCELLED = 1e-12
"""The same difference relative to the terms of sums, which may have cancelled each other."""


def first_largest(values: ArrayLike, scale: float = 0.0) -> int:
    """Return the index of the largest number; ties up to rounding go to the first.

    Parameters
    ----------
    values : array of float
        Numbers; at least one, none of them NaN.
    scale : float, optional
        Magnitude of the terms of sums that may cancel each other.

    Examples
    --------
    >>> int(np.argmax([0.3, 0.1 + 0.2])), first_largest([0.3, 0.1 + 0.2])
    (1, 0)
    """
    return int(first_largest_of_each(np.ravel(values)[np.newaxis], scale)[0])


def first_smallest(values: ArrayLike, scale: float = 0.0) -> int:
    """Return the index of the smallest number; ties up to rounding go to the first."""
    return first_largest(-np.asarray(values, np.float64), scale)


def first_largest_of_each(rows: ArrayLike, scale: float = 0.0) -> Places:
    """Return the index of the largest number of each row; ties up to rounding go to the first.

    Examples
    --------
    >>> first_largest_of_each([[0.3, 0.1 + 0.2], [0.5, 0.6]]).tolist()
    [0, 1]
    """
    found = largest_of_each(rows, scale)
    return np.asarray(found.argmax(axis=1))


def largest_of_each(rows: ArrayLike, scale: float = 0.0) -> NDArray[np.bool_]:
    """Return whether each number is the largest of its row up to rounding.

    Examples
    --------
    >>> largest_of_each([[0.3, 0.1 + 0.2, 0.2]]).tolist()
    [[True, True, False]]
    """
    numbers = np.asarray(rows, np.float64)
    top = numbers.max(axis=1, keepdims=True)
    return np.asarray(numbers >= top - _slack(top, scale))


def largest_first(values: ArrayLike, scale: float = 0.0) -> Places:
    """Return the indices that sort numbers in decreasing order; ties up to rounding keep their order.

    Examples
    --------
    >>> largest_first([0.3, 0.1 + 0.2, 0.5]).tolist()
    [2, 0, 1]
    """
    return np.asarray(np.argsort(-levelled(values, scale), kind="stable"))


def smallest_first(values: ArrayLike, scale: float = 0.0) -> Places:
    """Return the indices that sort numbers in increasing order; ties up to rounding keep their order."""
    return largest_first(-np.asarray(values, np.float64), scale)


def ranked(items: Iterable[Item], number: Callable[[Item], float]) -> list[Item]:
    """Return items in decreasing order of their numbers; ties up to rounding keep their order.

    Examples
    --------
    >>> ranked([("a", 0.3), ("b", 0.1 + 0.2), ("c", 0.5)], lambda item: item[1])
    [('c', 0.5), ('a', 0.3), ('b', 0.30000000000000004)]
    """
    found = list(items)
    return [found[place] for place in largest_first([number(item) for item in found])]


def best_of(items: Iterable[Item], number: Callable[[Item], float]) -> Item:
    """Return the item with the largest number; ties up to rounding go to the first.

    Examples
    --------
    >>> best_of([("a", 0.3), ("b", 0.1 + 0.2)], lambda item: item[1])
    ('a', 0.3)
    """
    found = list(items)
    return found[first_largest([number(item) for item in found])]


def is_less(one: float, other: float, scale: float = 0.0) -> bool:
    """Return whether a number is less than another by more than rounding.

    Examples
    --------
    >>> 0.3 < 0.1 + 0.2, is_less(0.3, 0.1 + 0.2), is_less(0.2, 0.3)
    (True, False, True)
    """
    if not (math.isfinite(one) and math.isfinite(other)):
        return one < other
    return one < other - (TOLERANCE * abs(other) + CANCELLED * scale)


def levelled(values: ArrayLike, scale: float = 0.0) -> Floats:
    """Return the numbers with ties up to rounding replaced by the largest of them.

    NaN and infinite numbers are unchanged.

    Examples
    --------
    >>> levelled([0.1 + 0.2, 0.1, 0.3]).tolist() == [0.1 + 0.2, 0.1, 0.1 + 0.2]
    True
    """
    numbers = np.array(values, np.float64)
    falling = np.argsort(-numbers, kind="stable")
    ranked = numbers[falling]
    near = ranked[1:] >= (ranked - _slack(ranked, scale))[:-1]
    if near.any():
        starts = np.flatnonzero(np.concatenate([[True], ~near]))
        numbers[falling] = np.repeat(ranked[starts], np.diff(starts, append=len(ranked)))
    return numbers


def _slack(top: Floats, scale: float) -> Floats:
    """Return the tolerance below a number."""
    return np.where(np.isfinite(top), TOLERANCE * np.abs(top) + CANCELLED * scale, 0.0)
