"""The former home of belief networks, mixtures and sequences, whose names it still finds."""

from __future__ import annotations

from typing import Any

from induce.core.declarations import exported_names
from induce.core.lazy import loader
from induce.core.notes import note

PACKAGES = ("belief_networks", "mixtures", "sequences")


def _homes() -> dict[str, str]:
    return {name: home for package in PACKAGES for name, home in exported_names(package).items()}


_load, __dir__ = loader(__name__, _homes)


def __getattr__(name: str) -> Any:
    value = _load(name)
    if not name.startswith("__"):
        home = ".".join(_homes()[name].split(".")[:2])
        note(f"induce.graphical is now in three packages; import {name} from {home}")
    return value
