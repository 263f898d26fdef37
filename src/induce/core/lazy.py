"""Public names of a package that are loaded when they are first asked for, so that importing it is fast."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def loader(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package whose public names live in the modules that `homes` says.

    Examples
    --------
    >>> loader("induce.core", {"InputError": "induce.core.errors"})("InputError").__name__
    'InputError'
    """

    def load(name: str) -> Any:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
