"""Shape checks of a value's arrays and tuples; errors name the inconsistent field in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from induce.core.errors import InputError


def check_shapes(owner: object, shapes: dict[str, str], **sizes: int) -> dict[str, int]:
    """Raise an `InputError` unless fields have their declared shapes; return the sizes found.

    Parameters
    ----------
    owner : object
        Object with the fields.
    shapes : dict
        Axes of each field, as words separated by spaces: a number, or a name for a size that must be the same
        wherever the name occurs. A tuple has one axis.
    **sizes : int
        Sizes that are already known.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> pairs = SimpleNamespace(counts=np.zeros((3, 2)), classes=("yes", "no"))
    >>> check_shapes(pairs, {"counts": "rows classes", "classes": "classes"})
    {'rows': 3, 'classes': 2}
    >>> check_shapes(pairs, {"counts": "rows classes"}, classes=4)
    Traceback (most recent call last):
    induce.core.errors.InputError: counts has the shape (3, 2); rows classes, with 3 rows, 4 classes, was expected
    """
    for field, axes in shapes.items():
        value = getattr(owner, field)
        found = value.shape if isinstance(value, np.ndarray) else (len(value),)
        names = axes.split()
        fits = len(names) == len(found) and all(
            size == (int(name) if name.isdigit() else sizes.setdefault(name, size))
            for name, size in zip(names, found, strict=True)
        )
        if not fits:
            known = ", ".join(f"{sizes[name]} {name}" for name in names if name in sizes)
            told = f", with {known}," if known else ""
            raise InputError(f"{field} has the shape {found}; {axes}{told} was expected")
    return sizes


def check_places(what: str, places: Any, n: int, least: int = 0) -> None:
    """Raise an `InputError` unless all numbers are indices into `n` items, or markers not below `least`.

    Examples
    --------
    >>> check_places("label", np.array([0, 3]), 3)
    Traceback (most recent call last):
    induce.core.errors.InputError: label has 3, but there are only 3 items
    """
    numbers = np.asarray(places)
    if numbers.size and (numbers.min() < least or numbers.max() >= n):
        wrong = numbers.max() if numbers.max() >= n else numbers.min()
        raise InputError(f"{what} has {wrong}, but there are only {n} items")


def check_numbers(what: str, numbers: Any, *, at_least: float = -np.inf) -> None:
    """Raise an `InputError` unless all numbers are finite, and none is below a bound.

    Examples
    --------
    >>> check_numbers("counts", [1.0, -2.0], at_least=0)
    Traceback (most recent call last):
    induce.core.errors.InputError: counts has -2.0; it needs finite numbers of at least 0
    """
    values = np.asarray(numbers, np.float64)
    wrong = values[~(np.isfinite(values) & (values >= at_least))]
    if wrong.size:
        bound = "" if at_least == -np.inf else f" of at least {at_least:g}"
        raise InputError(f"{what} has {wrong.flat[0]}; it needs finite numbers{bound}")


def check_units(offset: Any, scale: Any) -> None:
    """Raise an `InputError` unless offsets are finite, and scales finite and above 0.

    Examples
    --------
    >>> check_units([0.0], [0.0])
    Traceback (most recent call last):
    induce.core.errors.InputError: scale has 0.0; it needs finite numbers above 0
    """
    check_numbers("offset", offset)
    check_numbers("scale", scale)
    wrong = np.asarray(scale, np.float64)
    if not (wrong > 0).all():
        raise InputError(f"scale has {wrong.min()}; it needs finite numbers above 0")


def check_same_length(owner: object, fields: Sequence[str]) -> None:
    """Raise an `InputError` unless all fields have the same length."""
    check_shapes(owner, dict.fromkeys(fields, "entries"))
