"""Conjunctions suggested by knowledge, as candidates in addition to single literals (Mitchell §12.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from induce.logic.clauses import Literal
from induce.logic.coverage.bindings import Bindings, Coverage
from induce.logic.facts import Codes
from induce.logic.terms import Variable
from induce.relational.foil._loops import N1, NEGATIVE, OLD_NEGATIVE, P1, POSITIVE, T
from induce.relational.foil.blocks import Atom, Block
from induce.relational.foil.state import State

if TYPE_CHECKING:
    from induce.relational.foil.space import Clauses

ORIGIN = Variable("origin of a row among the given bindings")
"""Column in addition to the variables of a clause; no parsed text has a variable of this name."""

SUGGESTED = ("a suggestion", 0)
"""Prefix of a suggestion's description; it is charged as one choice among all suggestions."""


@dataclass(frozen=True)
class Suggestion:
    """Conjunction to be added to a clause in one step.

    Parameters
    ----------
    literals : tuple of Literal
        Literals over variables of the clause, and new variables with any other names.
    unpruned : tuple of Literal
        Suggested conjunction before literals were dropped.
    """

    literals: tuple[Literal, ...]
    unpruned: tuple[Literal, ...]


class Suggester(Protocol):
    """Suggester of conjunctions for a growing clause."""

    def __call__(self, state: State, space: Clauses) -> Sequence[Suggestion]:
        """Return the suggestions for a clause."""


def traced(bindings: Bindings) -> Bindings:
    """Return bindings with a column that records the given binding each comes from."""
    return Bindings({**bindings.columns, ORIGIN: np.arange(len(bindings))}, bindings.example)


def joined(bindings: Bindings, literals: Sequence[Literal], coverage: Coverage) -> Bindings:
    """Return the bindings that satisfy all literals, joined in their order."""
    for literal in literals:
        found = coverage.join(bindings, literal)
        assert found is not None
        bindings = found
    return bindings


def tally(bindings: Bindings, n_positive: int) -> Codes:
    """Count the origins of traced bindings, as FOIL counts a literal; the first `n_positive` origins are positive."""
    positive = bindings.example < n_positive
    found = np.zeros(6, np.int64)
    for which, after, stays, examples in (
        (positive, P1, T, POSITIVE),
        (~positive, N1, OLD_NEGATIVE, NEGATIVE),
    ):
        found[after] = np.count_nonzero(which)
        found[stays] = len(np.unique(bindings.columns[ORIGIN][which]))
        found[examples] = len(np.unique(bindings.example[which]))
    return found


def suggested_blocks(suggestions: Sequence[Suggestion], state: State, space: Clauses) -> list[Block]:
    """Return suggestions as blocks of one candidate each, counted over the bindings of a clause."""
    start = traced(state.bindings)
    blocks = []
    for suggestion in suggestions:
        counts = tally(joined(start, suggestion.literals, space.coverage), space.n_positive)
        blocks.append(_block(suggestion, state, space.coverage, counts))
    return blocks


def _block(suggestion: Suggestion, state: State, coverage: Coverage, counts: Codes) -> Block:
    numbers = {name: number for number, name in enumerate(state.names)}
    positive = [name for one in suggestion.literals if not one.negated for name in one.variables()]
    n_known = len(numbers)
    for name in positive:
        numbers.setdefault(name, len(numbers))
    n_new = len(numbers) - n_known
    for one in suggestion.literals:
        for name in one.variables():
            numbers.setdefault(name, len(numbers))
    values: list[int] = []
    atoms = []
    for one in suggestion.literals:
        arguments = []
        for term in one.arguments:
            if isinstance(term, Variable):
                arguments.append(numbers[term])
            else:
                values.append(coverage.symbols.code(term))
                arguments.append(-len(values))
        atoms.append(Atom(one.name, tuple(arguments), one.negated))
    return Block(
        tuple(atoms),
        counts[None],
        np.array([values], np.int64).reshape(1, len(values)),
        SUGGESTED,
        1,
        n_new,
        len(numbers) - n_known - n_new,
        suggestion.unpruned,
    )
