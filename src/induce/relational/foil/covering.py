"""Covering loop: one clause at a time, then pruning and the check of recursive clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from induce.core import trace
from induce.core.progress import report
from induce.covering import learn_one_rule, sequential_covering
from induce.logic.background.relations import Relations, stored_term
from induce.logic.clauses import Clause, Literal
from induce.logic.coverage.examples import Examples
from induce.logic.facts import Codes
from induce.relational.clauses.recursion import Guard
from induce.relational.foil.pruning import Pruner, needed, renamed, unified
from induce.relational.foil.space import Clauses, ClauseSearch
from induce.relational.foil.steps import Steps
from induce.relational.foil.suggestions import Suggester


class Cover:
    """Covering search for clauses that together cover the positive examples.

    Parameters
    ----------
    examples : Examples
    steps : Steps
    search : ClauseSearch
    guard : Guard
        Termination guard, which becomes stricter with each recursive clause.
    suggester : Suggester, optional
        Suggester of conjunctions.
    """

    def __init__(
        self,
        examples: Examples,
        steps: Steps,
        search: ClauseSearch,
        guard: Guard,
        suggester: Suggester | None = None,
    ) -> None:
        self.suggester = suggester
        self.examples, self.steps, self.search, self.guard = examples, steps, search, guard
        self.coverage = examples.coverage()
        self.uncovered = examples.positive.copy()
        self.n_all = max(int(self.uncovered.sum()), 1)
        self._negative = np.flatnonzero(~examples.positive)

    def left(self) -> bool:
        """Return whether a positive example is uncovered and time remains."""
        return bool(self.uncovered.any()) and self.steps.budget.look_at()

    def remove(self, clause: Clause) -> bool:
        """Remove the positive examples that a clause covers; negative ones are kept for the next clause."""
        places = np.flatnonzero(self.uncovered)
        covered = self.coverage.covered(clause, self.examples.rows[places])
        self.uncovered[places[covered]] = False
        report(1 - int(self.uncovered.sum()) / self.n_all)
        return bool(covered.any())

    def space(self, head: Literal | None = None) -> Clauses:
        """Return the clauses for the remaining examples."""
        positive = np.flatnonzero(self.uncovered)
        rows = self.examples.rows[np.concatenate([positive, self._negative])]
        return Clauses(
            head or self.examples.head,
            rows,
            len(positive),
            self.n_all,
            self.steps,
            self.coverage,
            self.guard,
            self.search,
            self.suggester,
        )

    def clauses(self, prune: bool) -> Iterator[Clause]:
        """Learn clauses until the best one for the remaining examples is not accurate enough."""
        guard, accurate = self.guard, False

        def learn() -> Clause | None:
            nonlocal guard, accurate
            space, language = self.space(), self.steps.language
            state = learn_one_rule(space, self.search.width)
            most = self.steps.forms.max_variables
            if state is None or (
                most is not None and len(state.known) > most
            ):  # the head may have more variables
                return None
            types = state.types()
            pruner = Pruner(
                self.coverage,
                space.rows,
                space.n_positive,
                lambda shorter: (
                    self.guard.admits(self.guard.calls_of(shorter, types))
                    and (language.free or language.allows(shorter))
                ),
            )
            grown = space.clause(state)
            clause = pruner.without_spare(grown, state.spare)
            if language.free or language.allows(unified(clause)):
                clause = unified(clause)
            if prune:
                own = frozenset(clause.body) - state.suggested
                clause = pruner.pruned(clause, own if state.suggested else None)
            positive, negative = pruner.covered(clause)
            accurate = positive >= self.search.min_accuracy * (positive + negative)
            guard = replace(self.guard, calls=(*self.guard.calls, *self.guard.calls_of(clause, types)))
            clause = renamed(clause)
            if trace.active("clause"):
                trace.emit(
                    "clause",
                    clause=str(clause),
                    grown=str(grown),
                    positive=positive,
                    negative=negative,
                    accepted=accurate,
                )
            return clause

        for clause in sequential_covering(self, learn, lambda _: accurate):
            self.guard = guard
            yield clause

    def needed(self, clauses: Sequence[Clause]) -> list[Clause]:
        """Return the clauses needed to cover all positive examples.

        In a recursive theory every clause is needed: a call that succeeds by lookup among the examples must
        also be proved by a clause.
        """
        if any(map(self.calls, clauses)):
            return [*clauses]
        rows = self.examples.rows[self.examples.positive]
        kept = needed([self.coverage.covered(clause, rows) for clause in clauses])
        return [clauses[number] for number in kept]

    def calls(self, clause: Clause) -> bool:
        """Return whether a clause is recursive."""
        return any(literal.predicate == self.guard.target for literal in clause.body)

    def told(self, clauses: Sequence[Clause]) -> Examples:
        """Return the examples with a background that defines the type predicates used in clauses."""
        used = {literal.predicate for clause in clauses for literal in clause.body}
        domains = {
            predicate: one for predicate, one in self.steps.vocabulary.domains.items() if predicate in used
        }
        if not domains:
            return self.examples
        old = self.examples.relations
        facts = {f"{name}/{arity}": one.rows for (name, arity), one in {**old.listed, **domains}.items()}
        new = Relations(
            program=old.rules,
            types=old.types,
            modes=old.modes,
            terms=tuple(map(stored_term, old.symbols.terms)),
            facts=facts,
        )
        return replace(self.examples, relations=new)

    def first(self, clauses: Sequence[Clause]) -> Codes:
        """Return the first clause that covers each example, or -1; calls are looked up among the examples."""
        decided = np.full(len(self.examples), -1, np.int64)
        for number, clause in reversed([*enumerate(clauses)]):
            decided[self.coverage.covered(clause, self.examples.rows)] = number
        return decided
