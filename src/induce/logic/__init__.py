"""First-order logic: terms, clauses, programs, their order by generality, and provers (Mitchell §10.4 to §10.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.core.lazy import loader

if TYPE_CHECKING:
    from induce.logic.bottom_up import FactBase as FactBase
    from induce.logic.bottom_up import LimitError as LimitError
    from induce.logic.bottom_up import consequences as consequences
    from induce.logic.clauses import Clause as Clause
    from induce.logic.clauses import Literal as Literal
    from induce.logic.clauses import Predicate as Predicate
    from induce.logic.clauses import Program as Program
    from induce.logic.facts import Facts as Facts
    from induce.logic.facts import Symbols as Symbols
    from induce.logic.generalising import connected as connected
    from induce.logic.generalising import determinate_saturation as determinate_saturation
    from induce.logic.generalising import lgg as lgg
    from induce.logic.generalising import rlgg as rlgg
    from induce.logic.generality import entails as entails
    from induce.logic.generality import more_general_than as more_general_than
    from induce.logic.limits import Limits as Limits
    from induce.logic.notations import parse_book as parse_book
    from induce.logic.notations import parse_disjunction as parse_disjunction
    from induce.logic.notations import write_book as write_book
    from induce.logic.parsing import goals_of as goals_of
    from induce.logic.parsing import literal_of as literal_of
    from induce.logic.parsing import parse_clause as parse_clause
    from induce.logic.parsing import parse_literal as parse_literal
    from induce.logic.parsing import parse_program as parse_program
    from induce.logic.parsing import parse_term as parse_term
    from induce.logic.parsing import read_program as read_program
    from induce.logic.parsing import term_of as term_of
    from induce.logic.proofs import Proof as Proof
    from induce.logic.prover import Answer as Answer
    from induce.logic.prover import Answers as Answers
    from induce.logic.prover import Prover as Prover
    from induce.logic.prover import Solutions as Solutions
    from induce.logic.refutation import Refutation as Refutation
    from induce.logic.refutation import ResolutionProof as ResolutionProof
    from induce.logic.refutation import refute as refute
    from induce.logic.resolution import Resolvent as Resolvent
    from induce.logic.resolution import factors as factors
    from induce.logic.resolution import resolve_on as resolve_on
    from induce.logic.resolution import resolvents as resolvents
    from induce.logic.resolution import resolves_to as resolves_to
    from induce.logic.resolution import write_disjunction as write_disjunction
    from induce.logic.stratification import is_function_free as is_function_free
    from induce.logic.stratification import recursive_predicates as recursive_predicates
    from induce.logic.stratification import strata as strata
    from induce.logic.substitution import Substitution as Substitution
    from induce.logic.substitution import canonical as canonical
    from induce.logic.substitution import renamed_apart as renamed_apart
    from induce.logic.subsumption import equivalent as equivalent
    from induce.logic.subsumption import reduced as reduced
    from induce.logic.subsumption import theta_subsumes as theta_subsumes
    from induce.logic.subsumption import variants as variants
    from induce.logic.terms import Constant as Constant
    from induce.logic.terms import Function as Function
    from induce.logic.terms import Term as Term
    from induce.logic.terms import Text as Text
    from induce.logic.terms import Variable as Variable
    from induce.logic.terms import listed as listed
    from induce.logic.terms import unlisted as unlisted
    from induce.logic.unification import match as match
    from induce.logic.unification import unify as unify

_HOMES = {
    "Answer": "induce.logic.prover",
    "Answers": "induce.logic.prover",
    "Clause": "induce.logic.clauses",
    "Constant": "induce.logic.terms",
    "FactBase": "induce.logic.bottom_up",
    "Facts": "induce.logic.facts",
    "Function": "induce.logic.terms",
    "LimitError": "induce.logic.bottom_up",
    "Limits": "induce.logic.limits",
    "Literal": "induce.logic.clauses",
    "Predicate": "induce.logic.clauses",
    "Program": "induce.logic.clauses",
    "Proof": "induce.logic.proofs",
    "Prover": "induce.logic.prover",
    "Refutation": "induce.logic.refutation",
    "ResolutionProof": "induce.logic.refutation",
    "Resolvent": "induce.logic.resolution",
    "Solutions": "induce.logic.prover",
    "Substitution": "induce.logic.substitution",
    "Symbols": "induce.logic.facts",
    "Term": "induce.logic.terms",
    "Text": "induce.logic.terms",
    "Variable": "induce.logic.terms",
    "canonical": "induce.logic.substitution",
    "connected": "induce.logic.generalising",
    "consequences": "induce.logic.bottom_up",
    "determinate_saturation": "induce.logic.generalising",
    "entails": "induce.logic.generality",
    "equivalent": "induce.logic.subsumption",
    "factors": "induce.logic.resolution",
    "goals_of": "induce.logic.parsing",
    "is_function_free": "induce.logic.stratification",
    "lgg": "induce.logic.generalising",
    "listed": "induce.logic.terms",
    "literal_of": "induce.logic.parsing",
    "match": "induce.logic.unification",
    "more_general_than": "induce.logic.generality",
    "parse_book": "induce.logic.notations",
    "parse_clause": "induce.logic.parsing",
    "parse_disjunction": "induce.logic.notations",
    "parse_literal": "induce.logic.parsing",
    "parse_program": "induce.logic.parsing",
    "parse_term": "induce.logic.parsing",
    "read_program": "induce.logic.parsing",
    "recursive_predicates": "induce.logic.stratification",
    "reduced": "induce.logic.subsumption",
    "refute": "induce.logic.refutation",
    "renamed_apart": "induce.logic.substitution",
    "resolve_on": "induce.logic.resolution",
    "resolvents": "induce.logic.resolution",
    "resolves_to": "induce.logic.resolution",
    "rlgg": "induce.logic.generalising",
    "strata": "induce.logic.stratification",
    "term_of": "induce.logic.parsing",
    "theta_subsumes": "induce.logic.subsumption",
    "unify": "induce.logic.unification",
    "unlisted": "induce.logic.terms",
    "variants": "induce.logic.subsumption",
    "write_book": "induce.logic.notations",
    "write_disjunction": "induce.logic.resolution",
}

__all__ = sorted(_HOMES)
__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
