"""Validation of arguments of the calculators, with errors that name the remedy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError

Bits = NDArray[np.bool_]

MOST_DRAWN = 10**7


def rate(name: str, value: Any) -> None:
    """Raise an `InputError` unless a number is between 0 and 1.

    Examples
    --------
    >>> rate("gamma", 2)
    Traceback (most recent call last):
    induce.core.errors.InputError: gamma is 2; it must be a number from 0 to 1
    """
    if not isinstance(value, int | float | np.number) or not 0 <= value <= 1:
        raise InputError(f"{name} is {value!r}; it must be a number from 0 to 1")


def positive_rate(name: str, value: Any) -> None:
    """Raise an `InputError` unless a number is above 0 (by more than rounding) and at most 1."""
    if not isinstance(value, int | float | np.number) or not 0 < value <= 1:
        raise InputError(f"{name} is {value!r}; it must be a number above 0 and at most 1")
    if value < 1e-100:
        raise InputError(f"{name} is {value!r}, which is too small to calculate with; give at least 1e-100")


def finite(name: str, value: Any, least: float) -> None:
    """Raise an `InputError` unless a number is finite and at least a minimum."""
    at_least(name, value, least)
    try:
        known = math.isfinite(float(value))
    except OverflowError:
        known = False
    if not known:
        raise InputError(f"{name} is too large to calculate with; give a smaller one")


def drawn(name: str, number: Any, least: int = 1) -> None:
    """Raise an `InputError` if more rows or trials are requested than can be drawn.

    Examples
    --------
    >>> drawn("trials", 10**12)
    Traceback (most recent call last):
    induce.core.errors.InputError: trials is above 10,000,000; draw fewer
    """
    at_least(name, number, least, whole=True)
    if number > MOST_DRAWN:
        raise InputError(f"{name} is above {MOST_DRAWN:,}; draw fewer")


def array_of(values: Any) -> NDArray[Any]:
    """Return an array, which is empty if the rows have different lengths.

    Examples
    --------
    >>> array_of([[0, 1], [1]]).shape
    (0,)
    """
    try:
        return np.asarray(values)
    except ValueError:
        return np.empty(0)


def labels(name: str, values: ArrayLike, n: int, what: str) -> Bits:
    """Return n labels, each 0 or 1, as booleans.

    Examples
    --------
    >>> labels("labels", [0, 2], 2, "points")
    Traceback (most recent call last):
    induce.core.errors.InputError: labels must contain only 0 and 1, or False and True
    """
    given = array_of(values)
    if given.shape != (n,):
        raise InputError(f"there are {n} {what} and {given.size} {name}; give one for each")
    if given.dtype != np.bool_ and not np.isin(given, (0, 1)).all():
        raise InputError(f"{name} must contain only 0 and 1, or False and True")
    return given.astype(np.bool_)


def columns(name: str, given: Any, n: int) -> list[int]:
    """Return a list of instance numbers, which must be from 0 to n - 1.

    Examples
    --------
    >>> columns("points", [5], 2)
    Traceback (most recent call last):
    induce.core.errors.InputError: points contains [5]; the instances are numbered from 0 to 1
    """
    try:
        chosen = list(given)
    except TypeError:
        raise InputError(f"{name} is {given!r}; give a list of instances by their column numbers") from None
    for each in chosen:
        if not isinstance(each, int | np.integer) or isinstance(each, bool) or not 0 <= each < n:
            raise InputError(f"{name} contains {chosen[:8]}; the instances are numbered from 0 to {n - 1}")
    return [int(each) for each in chosen]


def coordinates(points: Any) -> NDArray[np.float64] | None:
    """Return points as an array with one row each, or None if they are not finite coordinates.

    Examples
    --------
    >>> coordinates([3.1, 5.7]).shape, coordinates([[1, "a"]])
    ((2, 1), None)
    """
    try:
        places = np.asarray(points, np.float64)
    except (TypeError, ValueError, OverflowError):
        return None
    places = places[:, None] if places.ndim == 1 else places
    return places if places.ndim == 2 and np.isfinite(places).all() else None
