"""Which classes an online learner knows: settled in the first call, the same ever after."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.values import Value


def announced_classes(classes: Any, known: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return the classes that the user announces, or those known.

    Examples
    --------
    >>> announced_classes(["b", "a"], ("a",)), announced_classes(None, ("a",))
    (('b', 'a'), ('a',))
    """
    if classes is None:
        return known
    values = np.asarray(classes)
    if values.ndim != 1 or values.dtype.kind not in "OUbiuf" or not len(values):
        raise InputError(f"classes is {classes!r}; give a list of the classes that may come")
    return tuple(dict.fromkeys(values.tolist()))


def check_known(value: Value, known: tuple[Value, ...]) -> int:
    """Return the place of a class among those known.

    Examples
    --------
    >>> check_known("maybe", ("no", "yes"))
    Traceback (most recent call last):
    induce.core.errors.InputError: y holds 'maybe', which is none of the classes no, yes; name all classes in the
    first call of partial_fit
    """
    if value not in known:
        few = ", ".join(map(str, known[:6])) + (", …" if len(known) > 6 else "")
        raise InputError(
            f"y holds {value!r}, which is none of the classes {few}; name all classes in the first call of "
            "partial_fit"
        )
    return known.index(value)
