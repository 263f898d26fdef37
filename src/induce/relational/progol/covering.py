"""PROGOL's covering loop: one clause at a time, each for the first uncovered example (Mitchell §10.7.5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from induce.core import trace
from induce.core.interrupts import interruptible
from induce.core.notes import note
from induce.core.progress import report
from induce.covering import sequential_covering
from induce.logic.clauses import Clause, Literal
from induce.logic.coverage.examples import Examples
from induce.logic.facts import Codes, Facts
from induce.relational.clauses.description_length import bits_of_choice
from induce.relational.clauses.language import Language
from induce.relational.clauses.limits import Deadline
from induce.relational.progol.cover import Evaluation, Words, recursive, unpacked
from induce.relational.progol.modes import modes_of
from induce.relational.progol.most_specific import Saturation
from induce.relational.progol.recursion import proved
from induce.relational.progol.saturation import SAME
from induce.relational.progol.scores import Generality, Limits, Score, bits_of_subset
from induce.relational.progol.search import BottomSearch, Found

PRICE = 2.0
"""Cost of a misclassified example relative to the cost of identifying it: examples are presumed to be correct."""

FEW = 8
"""Number of processed examples after which the length of the theory's description is extrapolated."""


LITERAL_COSTS = 500
"""Cost of a literal of a most specific clause, in rows of bindings."""


@dataclass(eq=False)
class Task:
    """Learning task and its limits."""

    examples: Examples
    inside: Codes
    outside: Codes
    score: Score
    limits: Limits
    deadline: Deadline
    depth: int
    max_bottom: int
    max_clauses: float
    recursion: bool
    language: Language
    nodes: int = 0
    cut_searches: int = 0
    cut_bottoms: int = 0

    def __post_init__(self) -> None:
        head, modes = modes_of(self.examples, self.recursion)
        coverage = self.examples.coverage()
        self.evaluation = Evaluation(coverage, self.examples.head, self.inside, self.outside)
        self._covered: dict[Clause, Words] = {}
        denied = None if isinstance(self.score, Generality) else Facts.of(self.outside)
        self.saturation = Saturation(
            coverage, head, modes, self.depth, self.max_bottom, self.evaluation.cuts, denied,
            not self.examples.declared or any(mode.name == SAME for mode in modes),
        )  # fmt: skip

    def facts(self, clauses: Sequence[Clause]) -> list[Clause]:
        """Return the positive examples that no clause covers as facts."""
        left = self.evaluation.everything & ~self.covered(clauses)
        places = np.flatnonzero(unpacked(left)[: len(self.inside)])
        known = self.inside[places][(self.inside[places] >= 0).all(1)]
        return [Clause(self.examples.literal(row)) for row in Facts.of(known).rows]

    def covered(self, clauses: Sequence[Clause]) -> Words:
        """Return the examples that a theory covers."""
        if recursive(clauses):
            rows = proved(clauses, self.examples.relations, self.evaluation.rows)
            return self.evaluation.words(np.flatnonzero(rows))
        covers = np.zeros(self.evaluation.n_words, np.uint64)
        for clause in clauses:
            if clause not in self._covered:
                self._covered[clause] = self.evaluation.words_of_clause(clause)
            covers |= self._covered[clause]
        return covers

    def reduced(self, clauses: list[Clause]) -> list[Clause]:
        """Drop clauses whose positive examples are covered by others, earliest first."""
        n_inside = self.evaluation.n_inside
        kept = [*clauses]
        wanted = self.covered(kept)[:n_inside]
        for clause in clauses if len(clauses) > 1 else ():
            rest = [other for other in kept if other is not clause]
            if rest and not (wanted & ~self.covered(rest)[:n_inside]).any():
                kept = rest
        return kept

    def unfinished(self) -> str | None:
        """Record that some searches were truncated, and emit a note."""
        if self.cut_bottoms:
            note(
                f"the most specific clause of {self.cut_bottoms} example{'s' * (self.cut_bottoms > 1)} "
                f"has more than {self.max_bottom:,} literals; the others are left out; restrict the "
                "modes, lower depth or raise max_bottom"
            )
        if not self.cut_searches:
            return None
        limit = f"max_nodes ({self.limits.max_nodes:,})"
        note(f"{limit} ended {self.cut_searches} searches for a clause; a better one may have been missed")
        return limit


class Learned(NamedTuple):
    """Clause, the coverage of it and the clauses before it, its search result, and its description length."""

    clause: Clause
    covers: Words
    found: Found
    bits: float


@dataclass(eq=False)
class Covering:
    """Covering loop of one theory, with the remaining examples."""

    task: Task
    limits: Limits
    floor: float
    """Minimum score, which a clause must exceed."""
    most_bits: float = np.inf
    clauses: list[Clause] = field(default_factory=list)

    def __post_init__(self) -> None:
        evaluation = self.task.evaluation
        unknown = np.flatnonzero((self.task.inside < 0).any(1))
        self._left = evaluation.everything & ~evaluation.words(unknown)
        self._covers = np.zeros_like(self._left)
        self._hopeless: set[frozenset[Literal]] = set()
        self._bits = 0.0
        self._n_failed = 0
        self._proofs: dict[Clause, Words] = {}

    def learn_all(self) -> Covering:
        """Learn one clause at a time; Ctrl-C keeps those found."""
        with interruptible(self.clauses, "clauses"):
            for _ in sequential_covering(self, self.learn, lambda _: True):
                left = self._seeds()
                report(1 - len(left) / max(len(self.task.inside), 1))
                if len(self.clauses) >= self.task.max_clauses:
                    if len(left):
                        self.task.deadline.stop(f"max_clauses ({len(self.clauses)})")
                    break
        return self

    def left(self) -> bool:
        """Return whether an uncovered positive example remains."""
        return len(self._seeds()) > 0 and not self._too_long()

    def _too_long(self) -> bool:
        """Return whether the extrapolated description of the theory will be too long."""
        covered = unpacked(self._covers)[: len(self.task.inside)]
        n_seen = len(self.task.inside) - len(self._seeds())
        price = self.limits.worth * (n_seen - int(covered.sum())) if self._n_failed else 0.0
        share = n_seen / len(self.task.inside) if self._n_failed + len(self.clauses) >= FEW else 1.0
        return self._bits + price > self.most_bits * share

    def _seeds(self) -> Codes:
        return np.flatnonzero(unpacked(self._left)[: len(self.task.inside)])

    def learn(self) -> Learned | None:
        """Return the best clause for the first example that has one.

        An example without a clause is treated as an exception and no longer counts for other clauses.
        """
        task = self.task
        while len(seeds := self._seeds()) and not task.deadline.passed() and not self._too_long():
            seed = int(seeds[0])
            bottom = task.saturation.of(task.examples.literal(task.inside[seed]))
            task.cut_bottoms += bottom.cut
            task.deadline.spend(LITERAL_COSTS * len(bottom))
            key = frozenset(bottom.literals)
            if key not in self._hopeless:
                if trace.active("bottom clause"):
                    trace.emit("bottom clause", example=str(bottom.seed), clause=str(bottom.clause()))
                search = BottomSearch(
                    bottom,
                    task.evaluation,
                    task.score,
                    self.limits,
                    self._prove,
                    task.deadline,
                    self._admits(),
                    task.language.excludes_longer if task.language.constraints else None,
                )
                found = search.best(self._left, self.floor)
                trace.emit("search", example=str(bottom.seed), nodes=found.nodes, tests=found.tests)
                task.nodes += found.nodes
                task.cut_searches += not found.whole and not task.deadline.passed()
                if found.places is not None:
                    clause = bottom.clause(found.places)
                    covers = search.covers(found.places) | self._covers
                    return Learned(clause, covers, found, bits_of_subset(len(found.places), len(bottom)))
            self._hopeless.add(key)
            self._n_failed += 1
            self._left = self._left & ~task.evaluation.words(np.array([seed]))
        return None

    def _prove(self, clause: Clause) -> Words:
        if all(recursive([one]) for one in self.clauses):
            return np.zeros_like(self._covers)  # nothing can be proved without a base clause
        found = self._proofs.get(clause)
        if found is None:
            found = self._proofs[clause] = self.task.covered([*self.clauses, clause])
        return found

    def _admits(self) -> Callable[[Clause], bool] | None:
        """Return the test of whether a clause may be learned; None if every clause may."""
        allows = None if self.task.language.free else self.task.language.allows
        if not recursive(self.clauses):
            return allows
        return lambda clause: (allows is None or allows(clause)) and self._admitted(clause)

    def _admitted(self, clause: Clause) -> bool:
        """Return whether a clause, together with the earlier recursive ones, covers few enough negative examples."""
        before, after = self._covers, self._prove(clause)
        first = self.task.evaluation.n_inside
        more = unpacked(after & ~before)
        return self.limits.allow(int(more[: 64 * first].sum()), int(more[64 * first :].sum()))

    def remove(self, rule: Learned) -> bool:
        """Add a clause, and remove the positive examples that it covers."""
        self.clauses.append(rule.clause)
        self._proofs.clear()
        self._covers = self.task.covered(self.clauses) if recursive(self.clauses) else rule.covers
        settled = self._covers.copy()
        settled[self.task.evaluation.n_inside :] = 0
        before, self._left = self._left, self._left & ~settled
        self._bits += rule.bits
        if trace.active("clause"):
            found = rule.found
            trace.emit(
                "clause",
                clause=str(rule.clause),
                positives=found.inside,
                negatives=found.outside,
                score=found.score,
                nodes=found.nodes,
            )
        return bool((before != self._left).any())

    # -- evaluation of the theory --

    def _counts(self) -> tuple[int, int, int, int]:
        covered = unpacked(self._covers)
        n_inside, n_outside = len(self.task.inside), len(self.task.outside)
        inside = int(covered[:n_inside].sum())
        outside = int(covered[64 * self.task.evaluation.n_inside :][:n_outside].sum())
        return inside, outside, n_inside - inside, n_outside - outside

    def wrong(self) -> int:
        """Return the number of examples that the theory misclassifies."""
        _, outside, missed, _ = self._counts()
        return outside + missed

    def bits(self) -> float:
        """Return the description length of the theory and of the examples that it misclassifies."""
        inside, outside, missed, rest = self._counts()
        wrong = 0.0
        if outside:
            wrong += float(bits_of_choice(outside, inside + outside))
        if missed:
            wrong += float(bits_of_choice(missed, missed + rest))
        return self._bits + PRICE * wrong
