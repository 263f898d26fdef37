"""Learning first-order rules from relations (Mitchell §10.4 to §10.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.core.lazy import loader

if TYPE_CHECKING:
    from induce.relational.aleph import read_aleph as read_aleph
    from induce.relational.aleph import write_aleph as write_aleph
    from induce.relational.cigol import Cigol as Cigol
    from induce.relational.claudien import Regularity as Regularity
    from induce.relational.claudien import regularities as regularities
    from induce.relational.comparison import compare_searches as compare_searches
    from induce.relational.construction import inter_construction as inter_construction
    from induce.relational.construction import intra_construction as intra_construction
    from induce.relational.construction import truncation as truncation
    from induce.relational.databases import read_database as read_database
    from induce.relational.entailment import Instance as Instance
    from induce.relational.entailment import entailed as entailed
    from induce.relational.foil import FOIL as FOIL
    from induce.relational.foil import foil_candidates as foil_candidates
    from induce.relational.golem import Golem as Golem
    from induce.relational.inverse_resolution import InverseResolvent as InverseResolvent
    from induce.relational.inverse_resolution import absorption as absorption
    from induce.relational.inverse_resolution import explains as explains
    from induce.relational.inverse_resolution import identification as identification
    from induce.relational.inverse_resolution import inverse_resolvents as inverse_resolvents
    from induce.relational.inverse_resolution import propositional_inverse as propositional_inverse
    from induce.relational.modes import Mode as Mode
    from induce.relational.most_specific import BottomClause as BottomClause
    from induce.relational.most_specific import bottom_clause as bottom_clause
    from induce.relational.oracles import ConsoleOracle as ConsoleOracle
    from induce.relational.oracles import HiddenTheory as HiddenTheory
    from induce.relational.oracles import ScriptedOracle as ScriptedOracle
    from induce.relational.pictures import draw_inverse_resolution as draw_inverse_resolution
    from induce.relational.pictures import draw_resolution as draw_resolution
    from induce.relational.popper import read_popper as read_popper
    from induce.relational.popper import write_popper as write_popper
    from induce.relational.problems import Problem as Problem
    from induce.relational.problems import read_problem as read_problem
    from induce.relational.progol import Progol as Progol
    from induce.relational.relations import Relations as Relations
    from induce.relational.templates import RDT as RDT
    from induce.relational.templates import instances as instances
    from induce.relational.templates import parse_template as parse_template
    from induce.relational.theory import Derivation as Derivation
    from induce.relational.theory import Theory as Theory

_HOMES = {
    "BottomClause": "induce.relational.most_specific",
    "Cigol": "induce.relational.cigol",
    "ConsoleOracle": "induce.relational.oracles",
    "Derivation": "induce.relational.theory",
    "FOIL": "induce.relational.foil",
    "Golem": "induce.relational.golem",
    "HiddenTheory": "induce.relational.oracles",
    "Instance": "induce.relational.entailment",
    "InverseResolvent": "induce.relational.inverse_resolution",
    "Mode": "induce.relational.modes",
    "Problem": "induce.relational.problems",
    "Progol": "induce.relational.progol",
    "RDT": "induce.relational.templates",
    "Regularity": "induce.relational.claudien",
    "Relations": "induce.relational.relations",
    "ScriptedOracle": "induce.relational.oracles",
    "Theory": "induce.relational.theory",
    "absorption": "induce.relational.inverse_resolution",
    "bottom_clause": "induce.relational.most_specific",
    "compare_searches": "induce.relational.comparison",
    "draw_inverse_resolution": "induce.relational.pictures",
    "draw_resolution": "induce.relational.pictures",
    "entailed": "induce.relational.entailment",
    "explains": "induce.relational.inverse_resolution",
    "foil_candidates": "induce.relational.foil",
    "identification": "induce.relational.inverse_resolution",
    "instances": "induce.relational.templates",
    "inter_construction": "induce.relational.construction",
    "intra_construction": "induce.relational.construction",
    "inverse_resolvents": "induce.relational.inverse_resolution",
    "parse_template": "induce.relational.templates",
    "propositional_inverse": "induce.relational.inverse_resolution",
    "read_aleph": "induce.relational.aleph",
    "read_database": "induce.relational.databases",
    "read_popper": "induce.relational.popper",
    "read_problem": "induce.relational.problems",
    "regularities": "induce.relational.claudien",
    "truncation": "induce.relational.construction",
    "write_aleph": "induce.relational.aleph",
    "write_popper": "induce.relational.popper",
}

__all__ = sorted(_HOMES)
__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
