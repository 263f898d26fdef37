"""Coverage of recursive clauses run as a program: a call counts as proved only if the clauses prove it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.coverage.bindings import Coverage
from induce.logic.facts import Codes, Facts
from induce.logic.terms import Term, Variable

Mask = NDArray[np.bool_]

MOST_CALLS = 200_000
"""Maximum number of distinct calls collected from the proofs of all examples; further calls count as not proved."""


def proved(clauses: Sequence[Clause], relations: Relations, rows: Codes) -> Mask:
    """Return the examples of a target that the given clauses, which may call the target, prove.

    First, the calls that can occur in proofs of the examples are collected; then those that hold are derived
    bottom-up. A call with unknown arguments can match any of the collected calls.

    Examples
    --------
    >>> from induce.logic import parse_program
    >>> family = Relations(program="parent(a, b). parent(b, c). parent(c, d).")
    >>> theory = parse_program("older(X, Y) :- parent(X, Y). older(X, Y) :- parent(X, Z), older(Z, Y).").clauses
    >>> proved(theory, family, np.array([[0, 3], [3, 0]]))
    array([ True, False])
    """
    head = clauses[0].head
    assert head is not None
    calls = _calls(clauses, head.predicate, relations, rows)
    holds = np.zeros(len(calls), np.bool_)
    plain = [clause for clause in clauses if not _recursive_literals(clause, head.predicate)]
    again = [clause for clause in clauses if _recursive_literals(clause, head.predicate)]
    coverage = Coverage(relations)
    for clause in plain:
        left = np.flatnonzero(~holds)
        holds[left] = coverage.covered(clause, calls[left])
    grows = True
    while grows and again:
        coverage = Coverage(relations, {head.predicate: Facts.of(calls[holds])})
        grows = False
        for clause in again:
            left = np.flatnonzero(~holds)
            more = coverage.covered(clause, calls[left])
            holds[left[more]] = True
            grows |= bool(more.any())
    return Facts.of(calls[holds]).matches(tuple(range(rows.shape[1])), rows).count > 0


def _recursive_literals(clause: Clause, target: Predicate) -> list[Literal]:
    return [literal for literal in clause.body if literal.predicate == target]


def _calls(clauses: Sequence[Clause], target: Predicate, relations: Relations, rows: Codes) -> Codes:
    """Return the examples, and all calls of the target that can occur in their proofs."""
    found = Facts.of(rows).rows
    new = found
    coverage = Coverage(relations)
    while len(new) and len(found) < MOST_CALLS:
        asked = [new[:0]]
        for clause in clauses:
            assert clause.head is not None
            inner = _recursive_literals(clause, target)
            if not inner:
                continue
            bindings = coverage.start(clause.head, new)
            rest = [literal for literal in clause.body if literal not in inner]
            wanted = {name for literal in inner for name in literal.variables()}
            for number, literal in enumerate(rest):
                joined = coverage.join(bindings, literal)
                assert joined is not None
                later = {name for other in rest[number + 1 :] for name in other.variables()}
                bindings = joined.project(wanted | later)
            for literal in inner:
                columns = [
                    _column(term, bindings.columns, relations, len(bindings)) for term in literal.arguments
                ]
                known = [column for column in columns if column is not None]
                if len(known) == len(columns):
                    asked.append(np.stack(known, 1))
        candidates = Facts.of(np.concatenate(asked)).rows
        there = Facts.of(found).matches(tuple(range(found.shape[1])), candidates).count > 0
        new = candidates[~there]
        found = np.concatenate([found, new])
    return found


def _column(term: Term, columns: dict[Variable, Codes], relations: Relations, n_rows: int) -> Codes | None:
    if isinstance(term, Variable):
        return columns.get(term)
    return np.full(n_rows, relations.symbols.find(term), np.int64)
