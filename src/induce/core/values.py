"""Single values: the types of nominal values, and missing values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

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
