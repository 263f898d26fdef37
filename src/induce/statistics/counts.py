"""Validation of counts: errors, rows and trials are integers."""

from __future__ import annotations

import operator
from typing import Any

from induce.core.errors import InputError


def whole(name: str, value: Any, least: int = 0) -> int:
    """Return an integer of at least a given size; otherwise raise an `InputError` that names the parameter.

    Examples
    --------
    >>> whole("n", 2.5, least=1)
    Traceback (most recent call last):
    induce.core.errors.InputError: n must be a whole number of at least 1, not 2.5
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise InputError(f"{name} must be a whole number of at least {least}, not {value!r}")
    return number


def errors_of(errors: Any, n: Any) -> tuple[int, int]:
    """Return a validated number of errors among a number of rows."""
    try:
        errors, n = operator.index(errors), operator.index(n)
    except TypeError:
        raise InputError(f"errors and n must be whole numbers, not {errors!r} and {n!r}") from None
    if n < 1:
        raise InputError(f"an interval needs at least one row, but n is {n}")
    if not 0 <= errors <= n:
        raise InputError(f"errors must lie between 0 and n = {n}, not {errors}")
    return errors, n
