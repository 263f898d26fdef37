"""Learners by name, with the parameters given as key=value."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from induce.core.declarations import Learner
    from induce.data.schema import Schema

BY_OPTIONS = ("schema",)
"""Parameters of learners that the options for columns stand for."""
LEARNERS = {"estimator", "estimators"}
"""Parameters that are learners themselves."""
CONSTANTS = {"none": None, "null": None, "true": True, "false": False, "inf": math.inf}


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


def from_tables(name: str) -> Learner:
    """Return what the catalogue says of a learner that takes tables; say of another how it is used.

    Examples
    --------
    >>> from_tables("c45").name
    'C45'
    """
    from induce.core.declarations import FITNESS
    from induce.core.errors import InputError

    entry = catalogued(name)
    if entry.explores:
        command = "evolve" if entry.needs == FITNESS else "train"
        raise InputError(
            f"{entry.name} does not learn from a table; it needs {entry.needs}: use `induce {command}`"
        )
    if not entry.takes_tables:
        raise InputError(f"{entry.name} does not learn from a table; it needs {entry.needs}")
    return entry


def for_learning(name: str) -> Learner:
    """Return what the catalogue says of a learner that `induce learn` runs: one from tables or from sequences.

    Examples
    --------
    >>> for_learning("hiddenmarkovmodel").face
    'sequences'
    """
    entry = catalogued(name)
    return entry if entry.face == "sequences" else from_tables(name)


def learner_class(name: str) -> Any:
    """Return the learner that goes by `name`, in upper or lower case.

    Examples
    --------
    >>> learner_class("c45").__name__
    'C45'
    """
    import induce

    return getattr(induce, catalogued(name).name)


def built(
    learner: Any, parameters: dict[str, Any], schema: Schema | None = None, seed: int | None = None
) -> Any:
    """Return a learner with its parameters, and with schema and seed if it takes them.

    Examples
    --------
    >>> built(learner_class("CART"), {"max_depth": 2}, seed=7)
    CART(max_depth=2, random_state=7)
    >>> built(learner_class("FindS"), {}, seed=7)
    FindS()
    """
    told = {
        name: value
        for name, value in (("schema", schema), ("random_state", seed))
        if value is not None and name in inspect.signature(learner).parameters
    }
    return learner(**{**told, **parameters})


def parameters_of(learner: Any, settings: Sequence[str]) -> dict[str, Any]:
    """Read ``key=value`` settings by what the learner's parameters are by default.

    Examples
    --------
    >>> parameters_of(learner_class("C45"), ["max_depth=3", "subtree_raising=no"])
    Traceback (most recent call last):
    induce.core.errors.InputError: subtree_raising is 'no'; it takes true or false
    >>> parameters_of(learner_class("C45"), ["max_depth=3", "pruning=none"])
    {'max_depth': 3, 'pruning': None}
    >>> parameters_of(learner_class("SVM"), ["C=auto"]), parameters_of(learner_class("SVM"), ["C=inf"])
    ({'C': 'auto'}, {'C': inf})

    A learner that is a parameter is named, and its own parameters follow two underscores:

    >>> parameters_of(learner_class("AdaBoost"), ["estimator=c45", "estimator__max_depth=3"])
    {'estimator': C45(max_depth=3)}
    """
    from induce.core.errors import InputError

    known = inspect.signature(learner).parameters
    defaults = {name: parameter.default for name, parameter in known.items() if name not in BY_OPTIONS}
    found: dict[str, Any] = {}
    inner: dict[str, list[str]] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals:
            raise InputError(f"{setting!r} is not a parameter; write it as key=value")
        outer, dunder, rest = key.partition("__")
        if dunder and outer in LEARNERS and outer in defaults:
            inner.setdefault(outer, []).append(f"{rest}={text}")
            continue
        if key not in defaults:
            raise InputError(
                f"{learner.__name__} has no parameter {key!r}; its parameters are {', '.join(defaults)}"
            )
        if key in found:
            raise InputError(f"the parameter {key} is given twice")
        found[key] = text if key in LEARNERS else _value(key, text, defaults[key], str(known[key].annotation))
    for key in LEARNERS & defaults.keys() & (found.keys() | inner.keys()):
        if key not in found:
            raise InputError(f"{key}__{inner[key][0]} is a parameter of a learner; say which: {key}=C45")
        found[key] = _learners(found[key], inner.get(key, []), several=key == "estimators")
    return found


def _learners(names: str, settings: Sequence[str], several: bool) -> Any:
    """Return the learner that is a parameter, or several, by their names: ``C45,PART``."""
    from induce.core.errors import InputError

    if not several:
        kind = learner_class(names)
        return kind(**parameters_of(kind, settings))
    kinds = {name.strip(): learner_class(name.strip()) for name in names.split(",")}
    own: dict[str, list[str]] = {name: [] for name in kinds}
    for setting in settings:
        name, _, rest = setting.partition("__")
        if name not in own:
            raise InputError(f"estimators__{setting} names no learner of {names}; write one of them first")
        own[name].append(rest)
    return {name: kind(**parameters_of(kind, own[name])) for name, kind in kinds.items()}


def _value(key: str, text: str, default: Any, kinds: str) -> Any:
    from induce.core.errors import InputError

    value = CONSTANTS[text.lower()] if text.lower() in CONSTANTS else _literal(text)
    if value is None or default is None or {"str", "float"} <= set(kinds.split(" | ")):
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
