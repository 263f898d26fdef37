"""Parsing and validation of loss tables."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.values import Value, is_missing
from induce.hypotheses.naming import number_text, value_text

Floats = NDArray[np.float64]

_NAME = r'("(?:[^"\\]|\\.)*"|[^",>=]+?)'
_ENTRY = re.compile(rf"\s*{_NAME}\s*(?:>\s*{_NAME}\s*)?=\s*([^,]+?)\s*(?:,|$)")


def pair_of(pair: Any) -> tuple[Any, Any]:
    """Return a key of losses after checking that it is a pair."""
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise InputError(f"{pair!r} is not a pair of classes; give losses by (true, predicted)")
    return pair


def entries(text: str) -> Iterator[tuple[str, str | None, float]]:
    """Parse the text of a table into the true class, the predicted class or None, and the loss."""
    at = 0
    while at < len(text.rstrip()):
        found = _ENTRY.match(text, at)
        if found is None:
            raise InputError(
                f"the losses contain {text[at:].strip()!r}; write entries like spam>nospam=1, "
                "separated by commas"
            )
        at = found.end()
        true, said, loss = found.groups()
        try:
            value = float(loss)
        except ValueError:
            raise InputError(f"the losses contain {loss!r} after {true}, which is not a number") from None
        yield _unquoted(true), None if said is None else _unquoted(said), value


def _unquoted(name: str) -> str:
    if not name.startswith('"'):
        return name
    try:
        return str(json.loads(name))
    except ValueError:
        raise InputError(
            f"the losses contain {name}, which is not a valid quoted name; write a backslash twice"
        ) from None


def check_classes(classes: tuple[Value, ...]) -> None:
    """Raise an error for missing or repeated classes."""
    if not classes:
        raise InputError("classes is empty; give at least one class")
    if any(map(is_missing, classes)):
        raise InputError("classes contains a missing value; every class needs a name")
    if len(set(classes)) < len(classes):
        twice = next(value for value in classes if classes.count(value) > 1)
        raise InputError(f"classes contains {value_text(twice)} twice; give every class once")


def square(losses: Any, classes: tuple[Value, ...]) -> Floats:
    """Return the losses as a matrix with one row and one column per class."""
    try:
        matrix = np.asarray(losses, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("losses is not a numeric matrix; give one row per true class") from None
    n = len(classes)
    if matrix.shape != (n, n):
        raise InputError(
            f"losses has the shape {matrix.shape}, but there are {n} classes; give {n} rows and {n} columns"
        )
    if not np.isfinite(matrix).all():
        raise InputError("losses contains a value that is not finite; give finite numbers")
    return matrix


def check_losses(matrix: Floats, classes: tuple[Value, ...]) -> None:
    """Raise an error for an invalid loss: a nonzero cost of a correct answer, or a negative cost of a mistake."""
    if matrix.diagonal().any():
        right = int(np.flatnonzero(matrix.diagonal())[0])
        raise InputError(
            f"predicting {value_text(classes[right])} when it is true has the loss "
            f"{number_text(matrix[right, right])}, but correct predictions cost nothing; set "
            "gains=True if these are utilities"
        )
    if (matrix < 0).any():
        true, said = np.argwhere(matrix < 0)[0]
        raise InputError(
            f"predicting {value_text(classes[said])} when {value_text(classes[true])} is true has the loss "
            f"{number_text(matrix[true, said])}, which is negative; set gains=True if that is intended"
        )


def check_reject(reject: str, loss: float, classes: tuple[Value, ...], gains: bool) -> None:
    """Raise an error if the reject option is a class or has a negative cost."""
    if reject in classes:
        raise InputError(f"{value_text(reject)} is already a class; give the reject option another name")
    if not math.isfinite(loss) or (loss < 0 and not gains):
        raise InputError(f"reject_loss is {loss}; it must be a finite number of at least 0")


def quoted(value: Any) -> str:
    """Return a value quoted for a message."""
    return "a missing value" if is_missing(value) else value_text(value)


def listed(values: tuple[Value, ...]) -> str:
    """Return values as a comma-separated line."""
    return ", ".join(map(value_text, values))


def those(classes: tuple[Value, ...]) -> str:
    """Return the end of a sentence about an unknown class."""
    return f"the classes are {listed(classes[:12])}{', …' if len(classes) > 12 else ''}"
