"""Public names of a package that are imported on first use, so that importing it is fast."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def loader(
    package: str,
    homes: Callable[[], Mapping[str, str]],
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for a package, where `homes` maps names to modules.

    Submodules, too, are imported on first use: `induce.neural` works after `import induce`.
    Examples
    --------
    >>> load, names = loader("induce.core", lambda: {"InputError": "induce.core.errors"})
    >>> load("InputError").__name__, names()
    ('InputError', ['InputError'])
    """

    def load(name: str) -> Any:
        if name == "__all__":
            return names()
        home = None if name.startswith("__") else homes().get(name)
        if home is None:
            return submodule(name)
        value = getattr(import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    def submodule(name: str) -> Any:
        full = f"{package}.{name}"
        if name.startswith("_") or find_spec(full) is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return import_module(full)

    def names() -> list[str]:
        return sorted(homes())

    return load, names


def exports(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for a package that declares its names in its `_declaration.py`.

    Examples
    --------
    >>> load, names = exports("induce.online")
    >>> load("Winnow").__name__
    'Winnow'
    """
    from induce.core.declarations import exported_names

    own = package.removeprefix("induce.")
    return loader(package, lambda: exported_names(own))
