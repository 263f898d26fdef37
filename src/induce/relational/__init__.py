"""Learning first-order rules from relations (Mitchell §10.4 to §10.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.core.lazy import loader

if TYPE_CHECKING:
    from induce.relational.aleph import read_aleph as read_aleph
    from induce.relational.aleph import write_aleph as write_aleph
    from induce.relational.databases import read_database as read_database
    from induce.relational.foil import FOIL as FOIL
    from induce.relational.golem import Golem as Golem
    from induce.relational.modes import Mode as Mode
    from induce.relational.popper import read_popper as read_popper
    from induce.relational.popper import write_popper as write_popper
    from induce.relational.problems import Problem as Problem
    from induce.relational.problems import read_problem as read_problem
    from induce.relational.progol import Progol as Progol
    from induce.relational.relations import Relations as Relations
    from induce.relational.theory import Derivation as Derivation
    from induce.relational.theory import Theory as Theory

_HOMES = {
    "Derivation": "induce.relational.theory",
    "FOIL": "induce.relational.foil",
    "Golem": "induce.relational.golem",
    "Mode": "induce.relational.modes",
    "Problem": "induce.relational.problems",
    "Progol": "induce.relational.progol",
    "Relations": "induce.relational.relations",
    "Theory": "induce.relational.theory",
    "read_aleph": "induce.relational.aleph",
    "read_database": "induce.relational.databases",
    "read_popper": "induce.relational.popper",
    "read_problem": "induce.relational.problems",
    "write_aleph": "induce.relational.aleph",
    "write_popper": "induce.relational.popper",
}

__all__ = sorted(_HOMES)
__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
