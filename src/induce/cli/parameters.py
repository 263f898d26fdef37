"""Learners by name, with the parameters given as key=value."""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from induce.core.declarations import Learner

BY_OPTIONS = ("schema",)
"""Parameters of learners that the options for columns stand for."""
CONSTANTS = {"none": None, "null": None, "true": True, "false": False}


def catalogued(name: str) -> Learner:
    """Return what the catalogue says of the learner that goes by `name`, in upper or lower case.

    Examples
    --------
    >>> catalogued("c45").gives
    'Tree'
    """
    from induce.core.declarations import learners
    from induce.data.names import unknown

    entries = {entry.name.lower(): entry for entry in learners()}
    if name.lower() not in entries:
        raise unknown("learner", name, [entry.name for entry in entries.values()])
    return entries[name.lower()]


def learner_class(name: str) -> Any:
    """Return the learner that goes by `name`, in upper or lower case.

    Examples
    --------
    >>> learner_class("c45").__name__
    'C45'
    """
    import induce

    return getattr(induce, catalogued(name).name)


def parameters_of(learner: Any, settings: Sequence[str]) -> dict[str, Any]:
    """Read ``key=value`` settings by what the learner's parameters are by default.

    Examples
    --------
    >>> parameters_of(learner_class("C45"), ["max_depth=3", "subtree_raising=no"])
    Traceback (most recent call last):
    induce.core.errors.InputError: subtree_raising is 'no'; it takes true or false
    >>> parameters_of(learner_class("C45"), ["max_depth=3", "pruning=none"])
    {'max_depth': 3, 'pruning': None}
    """
    from induce.core.errors import InputError

    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(learner).parameters.items()
        if name not in BY_OPTIONS
    }
    found: dict[str, Any] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals:
            raise InputError(f"{setting!r} is not a parameter; write it as key=value")
        if key not in defaults:
            raise InputError(
                f"{learner.__name__} has no parameter {key!r}; its parameters are {', '.join(defaults)}"
            )
        if key in found:
            raise InputError(f"the parameter {key} is given twice")
        found[key] = _value(key, text, defaults[key])
    return found


def _value(key: str, text: str, default: Any) -> Any:
    from induce.core.errors import InputError

    value = CONSTANTS[text.lower()] if text.lower() in CONSTANTS else _literal(text)
    if value is None or default is None:
        return value
    if isinstance(default, str):
        return text
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise InputError(f"{key} is {text!r}; it takes true or false")
    elif isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{key} is {text!r}; it takes a number")
    return value


def _literal(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
