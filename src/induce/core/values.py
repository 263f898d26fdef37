"""Single values: the types of nominal values, missing values, and the classes that words mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError

Value = str | int | float | bool


def plain(value: Any) -> Any:
    """Return a numpy scalar as a Python scalar.

    Examples
    --------
    >>> plain(np.float64(0.5))
    0.5
    """
    return value.item() if isinstance(value, np.generic) else value


def is_missing(cell: Any) -> bool:
    """Return whether a cell is a missing value: None, NaN or a dataframe library's own mark.

    Examples
    --------
    >>> is_missing(float("nan")), is_missing("")
    (True, False)
    """
    if cell is None:
        return True
    if isinstance(cell, float | np.floating):
        return bool(np.isnan(cell))
    return type(cell).__name__ in ("NAType", "NaTType")


POSITIVE = frozenset({"yes", "y", "true", "t", "+", "pos", "positive", "1", "1.0"})


def positive_class(classes: Sequence[Value]) -> Value:
    """Return the positive class: the one named yes, true, + or similar, or else the last in sorted order.

    Examples
    --------
    >>> positive_class(("+", "-")), positive_class(("ham", "spam"))
    ('+', 'spam')
    """
    named = [value for value in classes if str(value).lower() in POSITIVE]
    return named[0] if len(named) == 1 else max(classes)


NEGATIVE = frozenset({"no", "n", "false", "f", "-", "neg", "negative", "0", "0.0", "-1", "-1.0"})


def positive_rows(labels: Any) -> NDArray[np.bool_]:
    """Return which rows belong to the positive of two classes, in any coding.

    Examples
    --------
    >>> positive_rows(["no", "yes"]).tolist(), positive_rows([-1, 1]).tolist(), positive_rows([0, 0]).tolist()
    ([False, True], [False, True], [False, False])
    """
    values = np.asarray(labels)
    if values.dtype == np.bool_:
        return values
    classes = np.unique(values).tolist()
    if len(classes) > 2:
        raise InputError(f"there are {len(classes)} classes; give two")
    if len(classes) == 1 and str(classes[0]).lower() in NEGATIVE:
        return np.zeros(values.shape, np.bool_)
    return np.asarray(values == positive_class(classes)) if classes else np.zeros(values.shape, np.bool_)


def _number(value: Any) -> float:
    try:
        return float("nan" if isinstance(value, bool) else value)
    except (TypeError, ValueError):
        return float("nan")


READINGS: tuple[Callable[[Any], Any], ...] = (
    lambda value: (isinstance(value, bool), value),
    str,
    lambda value: str(value).strip().casefold(),
    _number,
)
"""Forms in which a word and a class are compared, the strictest first."""


def _classes_meant(word: Any, classes: Sequence[Value]) -> list[Value]:
    for reading in READINGS:
        matching = [value for value in classes if reading(value) == reading(word)]
        if len(matching) == 1:
            return matching
    return []


def class_named(word: Any, classes: Sequence[Value], owner: str) -> Value:
    """Return the class that a word of the user means, whatever the type of the classes.

    `owner` names the parameter or option that contains the word, for the error.

    Examples
    --------
    >>> class_named("1", (0, 1), "to"), class_named("1", (0.0, 1.0), "to"), class_named("true", (False, True), "to")
    (1, 1.0, True)
    >>> class_named("maybe", ("no", "yes"), "positive")
    Traceback (most recent call last):
    induce.core.errors.InputError: positive is 'maybe', which is not a class; the classes are 'no', 'yes'
    """
    word, known = plain(word), [plain(value) for value in classes]
    for meant in _classes_meant(word, known):
        return meant
    close = get_close_matches(str(word), map(str, known), n=1)
    shown = ", ".join(map(repr, known[:8])) + (", …" if len(known) > 8 else "")
    remedy = f"did you mean {close[0]!r}?" if close else f"the classes are {shown}"
    raise InputError(f"{owner} is {word!r}, which is not a class; {remedy}")


def by_class(mapping: Mapping[Any, Any], classes: Sequence[Value]) -> dict[Any, Any]:
    """Return a mapping from words of the user as one from classes; a word that means no class stays.

    Examples
    --------
    >>> by_class({"0": 1, "1": 5}, (0, 1))
    {0: 1, 1: 5}
    """
    known = [plain(value) for value in classes]
    return {
        meant: value
        for word, value in mapping.items()
        for meant in _classes_meant(plain(word), known) or [word]
    }
