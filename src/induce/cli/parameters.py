"""Learners by name, with the parameters given as key=value."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from induce.core.declarations import Learner
    from induce.core.parameters import Parameter
    from induce.data.schema import Schema

BY_OPTIONS = ("schema",)
"""Learner parameters that are set by the column options."""
NONE = ("none", "null")


USUAL = "C45"
"""Learner whose settings are offered for completion if the table decides which one learns."""


def catalogued(name: str) -> Learner:
    """Return the catalogue entry of the learner `name`, ignoring case.

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
    """Return the catalogue entry of a learner from tables.

    For other learners, raise an `InputError` that names the command.

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
    """Return the catalogue entry of a learner for `induce learn`: one from tables or from sequences.

    Examples
    --------
    >>> for_learning("hiddenmarkovmodel").face
    'sequences'
    """
    entry = catalogued(name)
    return entry if entry.face == "sequences" else from_tables(name)


def learner_class(name: str) -> Any:
    """Return the learner `name`, ignoring case.

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
    """Return a learner with its parameters, including schema and seed if it has them.

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
    """Parse ``key=value`` settings by the declarations of the learner's parameters.

    Examples
    --------
    >>> parameters_of(learner_class("C45"), ["max_depth=3", "subtree_raising=no"])
    Traceback (most recent call last):
    induce.core.errors.InputError: subtree_raising is 'no'; it must be true or false
    >>> parameters_of(learner_class("C45"), ["max_depth=3", "pruning=none"])
    {'max_depth': 3, 'pruning': None}
    >>> parameters_of(learner_class("SVM"), ["C=auto"]), parameters_of(learner_class("SVM"), ["C=inf"])
    ({'C': 'auto'}, {'C': inf})

    A parameter that is a learner is given by name; the learner's own parameters follow after two underscores:

    >>> parameters_of(learner_class("AdaBoost"), ["estimator=c45", "estimator__max_depth=3"])
    {'estimator': C45(max_depth=3)}
    """
    from difflib import get_close_matches

    from induce.core.errors import InputError

    declared = _declared(learner)
    found: dict[str, Any] = {}
    inner: dict[str, list[str]] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals:
            raise InputError(f"{setting!r} is not a parameter; write it as key=value")
        outer, dunder, rest = key.partition("__")
        if dunder and outer in declared and declared[outer].kind.holds:
            inner.setdefault(outer, []).append(f"{rest}={text}")
            continue
        if key not in declared:
            close = get_close_matches(key, declared, n=1)
            remedy = f"did you mean {close[0]!r}?" if close else f"its parameters are {', '.join(declared)}"
            raise InputError(f"{learner.__name__} has no parameter {key!r}; {remedy}")
        if key in found:
            raise InputError(f"the parameter {key} is given twice")
        found[key] = text if declared[key].kind.holds else declared[key].read(key, text)
    for key in [name for name in declared if declared[name].kind.holds and name in {**found, **inner}]:
        if key not in found:
            raise InputError(
                f"{key}__{inner[key][0]} is a parameter of a learner; name the learner: {key}=C45"
            )
        found[key] = _learners(declared[key], found[key], inner.get(key, []))
    return found


def setting_words(context: typer.Context, incomplete: str) -> list[str]:
    """Return completions of a ``key=value`` setting, for the shell.

    bash splits ``key=value`` into three words; then only the value is completed.
    """
    name = context.params.get("learner") or _usual_learner(context) or USUAL
    try:
        declared = _declared(learner_class(name))
    except Exception:  # completion must not report an error in an incomplete name
        return []
    key, equals, start = incomplete.partition("=")
    before = [*(context.params.get("settings") or ()), *context.args]
    if before[-1:] == ["="]:
        key, equals, start = (before[-2:-1] or [""])[0], "", incomplete
        return [word for word in _words(declared, key) if word.startswith(start)]
    if not equals:
        return [f"{each}=" for each in declared if each.startswith(key)]
    return [f"{key}={word}" for word in _words(declared, key) if word.startswith(start)]


def _words(declared: Mapping[str, Parameter], key: str) -> list[str]:
    if key not in declared:
        return []
    if not declared[key].kind.holds:
        return list(declared[key].words())
    from induce.core.declarations import learners

    return [*declared[key].words(), *(entry.name for entry in learners() if entry.takes_tables)]


def _usual_learner(context: typer.Context) -> str:
    usual = [option.default for option in context.command.params if option.name == "learner"]
    return str(usual[0]) if usual and usual[0] else ""


def _declared(learner: Any) -> dict[str, Parameter]:
    """Return the declarations of the parameters that can be set by ``key=value``."""
    told: Mapping[str, Parameter] = learner.declared_parameters()
    return {name: parameter for name, parameter in told.items() if name not in BY_OPTIONS}


def _learners(declared: Parameter, names: str, settings: Sequence[str]) -> Any:
    """Return the learner or learners that are the value of a parameter, by name: ``C45,PART``."""
    from induce.core.errors import InputError

    if names.lower() in NONE and declared.none:
        return None
    if declared.kind.holds == "learner":
        if names in declared.words():
            return names
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
