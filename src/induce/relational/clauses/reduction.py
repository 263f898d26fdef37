"""Redundant literals, whose removal does not change the covered examples."""

from __future__ import annotations

from collections.abc import Sequence

from induce.logic.clauses import Clause
from induce.logic.coverage.bindings import Coverage, linked
from induce.logic.facts import Codes
from induce.logic.subsumption import reduced
from induce.logic.terms import Variable
from induce.relational.clauses.language import Language

MOST_STEPS = 10_000
"""Maximum number of steps of the search for a literal that another one implies."""


def without_idle(
    clauses: Sequence[Clause], coverage: Coverage, rows: Codes, language: Language | None = None
) -> list[Clause]:
    """Return clauses without literals that other literals imply or that affect no example.

    A literal is kept if a comparison or a negation needs the variable it binds. Recursive clauses lose only
    literals that others imply, because their coverage depends on the other clauses.

    Parameters
    ----------
    clauses : sequence of Clause
    coverage : Coverage
    rows : array of int64
        Examples as codes.
    language : Language, optional
        Declared language; clauses that satisfy it keep satisfying it.

    Examples
    --------
    >>> import numpy as np
    >>> from induce.logic import parse_clause
    >>> from induce.logic.background.relations import Relations
    >>> family = Relations(program="mother(ann, bea). mother(bea, cal). mother(ann, dan).")
    >>> clause = parse_clause("old(A, B) :- mother(A, C), mother(A, D), mother(C, B).")
    >>> print(*without_idle([clause], Coverage(family), np.array([[0, 2], [0, 1], [1, 2]])))
    old(A, B) :- mother(A, C), mother(C, B).
    """
    heads = {clause.head.predicate for clause in clauses if clause.head is not None}
    found = []
    for clause in clauses:
        shorter = _reduced(clause)
        strict = language is not None and not language.free
        if strict and language is not None and not language.allows(shorter):
            shorter = clause
        if not any(literal.predicate in heads for literal in shorter.body):
            shorter = _dropped(shorter, coverage, rows, language if strict else None)
        found.append(shorter)
    return found


def _reduced(clause: Clause) -> Clause:
    """Return a clause without the literals that others imply, in its original order."""
    if len({literal.predicate for literal in clause.body}) == len(clause.body):
        return clause
    kept = {*reduced(clause, max_steps=MOST_STEPS).body}
    return Clause(clause.head, tuple(literal for literal in clause.body if literal in kept))


def _dropped(clause: Clause, coverage: Coverage, rows: Codes, language: Language | None) -> Clause:
    if len(clause.body) < 2 or not coverage.decides(clause):
        return clause
    covers = coverage.covered(clause, rows)
    for literal in reversed(clause.body):
        shorter = Clause(clause.head, tuple(one for one in clause.body if one is not literal))
        if not shorter.body:
            continue
        if not _safe(shorter, clause) or not coverage.decides(shorter):
            continue
        if language is not None and not language.allows(shorter):
            continue
        # Dropping a literal never loses an example, so only uncovered examples are tested again.
        if not coverage.covered(shorter, rows[~covers]).any():
            clause = shorter
    return clause


def _safe(shorter: Clause, longer: Clause) -> bool:
    """Return whether a clause is connected, keeps its head variables, and binds all compared or negated variables."""
    head = set(() if longer.head is None else longer.head.variables())
    if linked(shorter)[1] or head & _bound(longer) - _bound(shorter):
        return False
    tested = {
        name
        for literal in shorter.body
        if literal.negated or not literal.name[0].isalpha()
        for name in literal.variables()
    }
    return not (tested & (_bound(longer) | head)) - (_bound(shorter) | head)


def _bound(clause: Clause) -> set[Variable]:
    """Return the variables of literals that can bind them."""
    return {
        name
        for literal in clause.body
        if not literal.negated and literal.name[0].isalpha()
        for name in literal.variables()
    }
