"""Checks of arguments: one sentence that names the argument and its allowed values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from induce.core.errors import InputError


def one_of(name: str, value: Any, allowed: Iterable[Any]) -> None:
    """Raise an `InputError` unless the value is one of the allowed ones.

    Examples
    --------
    >>> one_of("criterion", "gian", ("gain", "gini"))
    Traceback (most recent call last):
    induce.core.errors.InputError: criterion is 'gian'; it can be 'gain', 'gini'
    """
    allowed = tuple(allowed)
    if not isinstance(value, str | None) or value not in allowed:
        raise InputError(f"{name} is {value!r}; it can be {', '.join(map(repr, allowed))}")


def at_least(name: str, value: Any, least: float, whole: bool = False) -> None:
    """Raise an `InputError` unless the value is a number, or an integer, not below a minimum.

    Examples
    --------
    >>> at_least("max_depth", -1, 0, whole=True)
    Traceback (most recent call last):
    induce.core.errors.InputError: max_depth is -1; it must be a whole number of at least 0
    """
    if not isinstance(value, int | np.integer if whole else int | float | np.number) or not value >= least:
        raise InputError(
            f"{name} is {value!r}; it must be a {'whole ' if whole else ''}number of at least {least}"
        )


def share(name: str, value: Any) -> None:
    """Raise an `InputError` unless the value lies between 0 and 1.

    Examples
    --------
    >>> share("validation_fraction", 2)
    Traceback (most recent call last):
    induce.core.errors.InputError: validation_fraction is 2; it must be a number between 0 and 1
    """
    if not isinstance(value, int | float | np.number) or not 0 < value < 1:
        raise InputError(f"{name} is {value!r}; it must be a number between 0 and 1")


def probability(name: str, value: Any) -> None:
    """Raise an `InputError` unless the value is a number from 0 to 1, inclusive.

    Examples
    --------
    >>> probability("mutation", -0.1)
    Traceback (most recent call last):
    induce.core.errors.InputError: mutation is -0.1; it must be a number from 0 to 1
    """
    if not isinstance(value, int | float | np.number) or not 0 <= value <= 1:
        raise InputError(f"{name} is {value!r}; it must be a number from 0 to 1")
