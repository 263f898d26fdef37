"""Classes of an online learner, which are fixed in the first call."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.values import Value, is_missing, plain


def announced_classes(classes: Any, known: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return the announced classes if given, or the known ones.

    Examples
    --------
    >>> announced_classes(["b", "a"], ("a",)), announced_classes(None, ("a",))
    (('b', 'a'), ('a',))
    """
    if classes is None:
        return known
    values = [] if isinstance(classes, str | bytes) else _listed(classes)
    if not values:
        raise InputError(f"classes is {classes!r}; give a list of all possible classes")
    if any(is_missing(value) or value in (np.inf, -np.inf) for value in values):
        raise InputError("classes contains a missing value or infinity; give only actual classes")
    if not all(isinstance(value, str | int | float | bool) for value in values):
        raise InputError(f"classes is {classes!r}; a class is text, a number, True or False")
    check_one_kind("classes", values)
    # in a single type, so that arrays of classes have it too
    return tuple(dict.fromkeys(np.asarray(values).tolist()))


def _listed(values: Any) -> list[Any]:
    try:
        return [plain(value) for value in values]
    except TypeError:
        return []


def check_one_kind(what: str, values: list[Any]) -> None:
    """Raise an `InputError` if some of the classes are text and others are not."""
    if len({isinstance(value, str) for value in values}) > 1:
        raise InputError(
            f"{what} contains both text and numbers; make all classes text or all of them numbers"
        )


def check_known(value: Value, known: tuple[Value, ...]) -> int:
    """Return the position of a class among the known ones.

    Examples
    --------
    >>> check_known("maybe", ("no", "yes"))
    Traceback (most recent call last):
    induce.core.errors.InputError: y contains 'maybe', which is not one of the classes no, yes; name all classes in
    the first call of partial_fit
    """
    if value not in known:
        raise InputError(
            f"y contains {value!r}, which is not one of the classes {few(known)}; name all classes in "
            "the first call of partial_fit"
        )
    return known.index(value)


def few(values: Any, most: int = 6) -> str:
    """Return the first values, separated by commas.

    Examples
    --------
    >>> few("abc"), few("abc", most=2)
    ('a, b, c', 'a, b, …')
    """
    return ", ".join(map(str, values[:most])) + (", …" if len(values) > most else "")
