"""Coverage of clauses: by joining tables where possible, otherwise by proof."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from induce.core.notes import note
from induce.hypotheses.theory import Theory
from induce.logic.clauses import Clause, Literal, Program
from induce.logic.coverage.bindings import Coverage
from induce.logic.coverage.examples import Examples
from induce.logic.facts import Codes
from induce.logic.prover import Prover

Mask = NDArray[np.bool_]

_ALONE = "is covered"


@dataclass(frozen=True, eq=False)
class CoverTester:
    """Coverage test of clauses; recursive calls are looked up among the known positive examples."""

    examples: Examples

    @cached_property
    def coverage(self) -> Coverage:
        """Join engine of clauses and examples."""
        return self.examples.coverage()

    @cached_property
    def prover(self) -> Prover:
        """Prover over the background and the known positive examples."""
        known = tuple(Clause(self.examples.literal(row)) for row in self.examples.facts().rows)
        return self.examples.relations.prover(known)

    def covered(self, clause: Clause, rows: Codes) -> Mask:
        """Return the examples, given as codes, that a clause covers."""
        if not len(rows):
            return np.zeros(0, np.bool_)
        if self.coverage.decides(clause):
            return self.coverage.covered(clause, rows)
        assert clause.head is not None
        alone = Clause(Literal(_ALONE, clause.head.arguments), clause.body)
        prover = self.prover.extended(Program((alone,)))
        return prover.holds_each([Literal(_ALONE, self.examples.literal(row).arguments) for row in rows])


def note_unproved(theory: Theory, tester: CoverTester) -> None:
    """Emit a note if recursive clauses prove fewer examples than they appeared to cover."""
    if not theory.recursive:
        return
    examples = tester.examples
    rows = examples.rows[examples.positive]
    covered = np.zeros(len(rows), np.bool_)
    for clause in theory.clauses:
        if clause.head is not None and clause.head.predicate == examples.target:
            covered |= tester.covered(clause, rows)
    proved = int(sum(within for _, within in theory.counts))
    if proved < covered.sum():
        note(
            f"as a program the theory proves {proved} of the positive examples, but its clauses cover "
            f"{covered.sum()} when calls are looked up among the examples: intermediate examples are "
            "missing"
        )
