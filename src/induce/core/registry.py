"""Closed list of the types in model files, from the declarations of packages.

Names in a file are only looked up in this list; they never become module paths.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from induce.core.declarations import declarations, learner_modules
from induce.core.errors import ModelFileError

VALUES: dict[str, str] = {
    name: f"induce.{package}.{home}" if ":" in home else f"induce.{package}.{home}:{name}"
    for package, declared in declarations().items()
    for name, home in declared.values.items()
}
"""Frozen dataclasses: hypotheses and their parts."""

ESTIMATORS: dict[str, str] = {name: f"{module}:{name}" for name, module in learner_modules().items()}
"""Learners, which are looked up only when an estimator is loaded."""


def resolve(name: str, names: Mapping[str, str] = VALUES) -> Any:
    """Import and return the class named `name` in `names`.

    Examples
    --------
    >>> resolve("Column")("age")
    Column('age', numeric)
    """
    if name not in names:
        raise ModelFileError(f"it holds a {name[:60]!r}, which this version of induce does not know")
    module, _, attribute = names[name].partition(":")
    return getattr(import_module(module), attribute)


def names_by_class(names: Mapping[str, str]) -> dict[str, str]:
    """Return the inverse registry; if a class has several names, the first is used.

    Examples
    --------
    >>> names_by_class({"Leaf": "garden:Leaf", "OldLeaf": "garden:Leaf"})
    {'garden:Leaf': 'Leaf'}
    """
    return {target: name for name, target in reversed(list(names.items()))}


def target_of(cls: type) -> str:
    """Return the registry entry of a class.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> target_of(Column)
    'induce.data.schema:Column'
    """
    return f"{cls.__module__}:{cls.__qualname__}"
