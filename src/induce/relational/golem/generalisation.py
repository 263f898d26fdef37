"""GOLEM's search for the next clause: generalisation of pairs of examples (Muggleton & Feng 1990)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from induce.core import trace
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.progress import report
from induce.logic.background.kinds import ANY
from induce.logic.background.reach import Reach, facts_of, saturated
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.coverage.examples import Examples
from induce.logic.facts import Codes
from induce.logic.generalisation import connected, lgg
from induce.logic.substitution import canonical, fresh_variables, ordered
from induce.logic.subsumption import reduced
from induce.logic.terms import Constant, Function, Term
from induce.relational.clauses.cover_tester import CoverTester, Mask
from induce.relational.clauses.descent import Descent
from induce.relational.clauses.language import Language
from induce.relational.clauses.limits import Deadline
from induce.relational.progol.modes import modes_of

if TYPE_CHECKING:
    from induce.relational.learners.golem import Golem

STEPS = 20_000
"""Step limit of a reduction; a clause that exceeds it is left unreduced."""


PATIENCE = 10
"""Factor of `n_pairs`: maximum number of pairs tried while none can be generalised."""


@dataclass(eq=False)
class Generalising:
    """Covering loop of GOLEM: the remaining examples, and the search for the next clause."""

    learner: Golem
    examples: Examples
    random: np.random.Generator
    deadline: Deadline

    def __post_init__(self) -> None:
        examples, learner = self.examples, self.learner
        self.tester = CoverTester(examples)
        whole = (examples.rows >= 0).all(1)
        self.positive = self._distinct(examples.rows[examples.positive & whole])
        self.negative = np.unique(examples.rows[~examples.positive], axis=0)
        self.covered_so_far = np.zeros(len(self.positive), np.bool_)
        self.descent = Descent(examples) if learner.recursion else None
        self.language = Language(examples, learner.constraints, bool(learner.recursion))
        self.kinds = self._typed()
        self._plain_terms: dict[Term, Term] = {}
        self._open = [
            all(isinstance(examples.literal(row).arguments[place], Constant) for row in self.positive)
            for place in range(examples.target[1])
        ]
        facts = [self._tagged(fact) for fact in facts_of(examples.relations, "Golem")]
        modes = [mode for mode in examples.relations.modes if not mode.head]
        if not learner.determinate:
            known = {*examples.relations.predicates(), examples.target}
            modes = [mode for mode in modes_of(examples, learner.recursion)[1] if mode.predicate in known]
        if learner.recursion:
            facts += [self._tagged(examples.literal(row)) for row in self.positive]
        self.reach = Reach(facts, modes)
        self._saturated: dict[int, Clause] = {}

    def _typed(self) -> dict[Predicate, tuple[str, ...]]:
        """Return the argument types, or none if an argument may have any type or some terms are structures."""
        terms = self.examples.relations.symbols.terms
        structured = any(isinstance(terms[code], Function) for code in np.unique(self.positive))
        return {} if ANY in self.examples.types or structured else self.language.kinds

    def _tagged(self, literal: Literal) -> Literal:
        """Tag each constant with its type, so that equal names of two types remain distinct."""
        kinds = self.kinds.get(literal.predicate, ())
        terms = [*literal.arguments]
        for place, kind in enumerate(kinds):
            term = terms[place]
            if isinstance(term, Constant) and kind != ANY:
                tagged = Constant(f"{kind}: {term}")
                self._plain_terms[tagged] = term
                terms[place] = tagged
        return Literal(literal.name, tuple(terms), literal.negated)

    def _untagged(self, clause: Clause) -> Clause:
        """Return a clause with the type tags of its constants removed."""

        def plain(literal: Literal) -> Literal:
            terms = tuple(self._plain_terms.get(term, term) for term in literal.arguments)
            return Literal(literal.name, terms, literal.negated)

        assert clause.head is not None
        return Clause(plain(clause.head), tuple(map(plain, clause.body)))

    def _opened(self, clause: Clause) -> Clause:
        """Replace the constants of the head by variables, so that the clause applies to other examples."""
        assert clause.head is not None
        free = fresh_variables(clause.variables())
        by: dict[Term, Term] = {}
        for term, is_open in zip(clause.head.arguments, self._open, strict=True):
            if is_open and isinstance(term, Constant) and term not in by:
                by[term] = next(free)
        if not by:
            return clause

        def changed(literal: Literal) -> Literal:
            terms = tuple(by.get(term, term) for term in literal.arguments)
            return Literal(literal.name, terms, literal.negated)

        return Clause(changed(clause.head), tuple(map(changed, clause.body)))

    def _distinct(self, rows: Codes) -> Codes:
        """Return distinct rows in a canonical order."""
        rows = np.unique(rows, axis=0)
        places = {self.examples.literal(row): place for place, row in enumerate(rows)}
        return rows[[places[literal] for literal in ordered(places)]]

    def left(self) -> bool:
        """Return whether an example still needs a clause."""
        report(float(self.covered_so_far.mean()) if len(self.positive) else 1.0)
        return not self.covered_so_far.all() and not self.deadline.passed()

    def remove(self, clause: Clause) -> bool:
        """Remove the positive examples that a clause covers; return whether there were any."""
        new = self._positives(clause) & ~self.covered_so_far
        self.covered_so_far |= new
        if self.descent is not None:
            self.descent.remember(clause)
        return bool(new.any())

    def _positives(self, clause: Clause) -> Mask:
        return self.tester.covered(self._untagged(clause), self.positive)

    def _counts(self, clause: Clause) -> tuple[int, int]:
        """Return the numbers of remaining positive examples and of negative examples that a clause covers."""
        rows = self.positive[~self.covered_so_far]
        within = int(self.tester.covered(self._untagged(clause), rows).sum())
        return within, self._negatives(clause)

    def _negatives(self, clause: Clause) -> int:
        return int(self.tester.covered(self._untagged(clause), self.negative).sum())

    def accept(self, clause: Clause) -> bool:
        """Return whether a clause covers enough positive and few enough negative examples."""
        within, outside = self._counts(clause)
        good = self._good_enough(within, outside)
        good = good and (self.language.free or self.language.allows(clause))
        if trace.active("clause"):
            trace.emit("clause", clause=str(clause), positives=within, negatives=outside, accepted=good)
        return good

    def _good_enough(self, within: int, outside: int) -> bool:
        return within >= self.learner.min_positives and outside <= self.learner.noise * (within + outside)

    def learn(self) -> Clause | None:
        """Return the best generalisation of remaining examples, or None if all cover too much."""
        best: Clause | None = None
        most = 0
        for number, (one, other) in enumerate(self._pairs()):
            if (best is not None and number >= self.learner.n_pairs) or self.deadline.passed():
                break
            clause, size = self._tried(self._saturation(one), self._saturation(other))
            if clause is not None and size > most:
                best, most = clause, size
        if best is None:
            if not any(clause.body for clause in self._saturated.values()):
                self._tell_why()
            return None
        # Muggleton and Feng 1990: the best pair is generalised further with one example at a time, as long as it
        # covers more.
        while not self.deadline.passed():
            rest = np.flatnonzero(~self.covered_so_far & ~self._positives(best))
            wider, before = best, most
            for example in self.random.permutation(rest)[: self.learner.n_pairs].tolist():
                clause, size = self._tried(best, self._saturation(example))
                if clause is not None and size > most:
                    wider, most = clause, size
            if most == before:
                break
            best = wider
        shorter = self._untagged(self._pruned(best))
        return shorter if self.language.free or self.language.allows(shorter) else self._untagged(best)

    def _tell_why(self) -> None:
        if self.learner.determinate and self.reach.index.facts:
            note(
                "the background determines nothing about the examples, so Golem finds no clause; set "
                "determinate=False to allow literals that are not determinate"
            )

    def _pairs(self) -> Iterator[tuple[int, int]]:
        """Draw pairs of remaining examples, and then pairs of a remaining and a covered one."""
        left, done = np.flatnonzero(~self.covered_so_far), np.flatnonzero(self.covered_so_far)
        most = PATIENCE * self.learner.n_pairs
        yield from islice(self._drawn(len(left) * (len(left) - 1) // 2, left, None), most)
        yield from islice(self._drawn(len(left) * len(done), left, done), most)

    def _drawn(self, n_pairs: int, ones: Codes, others: Codes | None) -> Iterator[tuple[int, int]]:
        """Draw distinct pairs of elements by index, within one array or across two."""
        seen: set[int] = set()
        while len(seen) < n_pairs:
            number = int(self.random.integers(n_pairs))
            if number in seen:
                continue
            seen.add(number)
            if others is None:
                # Pairs are numbered (0, 1), (0, 2), (1, 2), (0, 3), …
                second = int((1 + np.sqrt(8 * number + 1)) / 2)
                yield int(ones[number - second * (second - 1) // 2]), int(ones[second])
            else:
                yield int(ones[number // len(others)]), int(others[number % len(others)])

    def _tried(self, one: Clause, other: Clause) -> tuple[Clause | None, int]:
        """Return the generalisation of two clauses and its coverage; None if it covers too much."""
        clause = self._trimmed(self._opened(lgg(one, other)))
        within, outside = self._counts(clause)
        if trace.active("generalisation"):
            trace.emit("generalisation", clause=str(clause), positives=within, negatives=outside)
        return (clause if self._good_enough(within, outside) else None), within

    def _saturation(self, example: int) -> Clause:
        """Return an example with its background facts."""
        if example not in self._saturated:
            literal = self._tagged(self.examples.literal(self.positive[example]))
            self._saturated[example] = self._said(literal, self.reach)
        return self._saturated[example]

    def _said(self, head: Literal, reach: Reach) -> Clause:
        learner = self.learner
        return saturated(
            head,
            reach,
            learner.depth,
            max_arity=learner.max_arity,
            determinate=learner.determinate,
            max_literals=learner.max_literals,
        )

    def _trimmed(self, clause: Clause) -> Clause:
        """Drop literals that are disconnected from the head, not determinate, not decreasing, or redundant."""
        linked = connected(clause)
        assert linked.head is not None
        said = self.language.lawful(self._said(linked.head, Reach(linked.body, self.reach.modes)))
        if self.descent is not None:
            said = self.descent.limited(said)
        try:
            return canonical(reduced(said, max_steps=STEPS))
        except InputError:  # a reduction that takes too long is skipped, which does not change the coverage
            return canonical(said)

    def _pruned(self, clause: Clause) -> Clause:
        """Drop literals that exclude no negative example.

        Bisection finds the shortest sufficient prefix of the literals. Its last literal is needed, together
        with its links to the head. This is repeated with the needed literals in front until they suffice
        (Muggleton & Feng 1990).
        """
        allowed = self._negatives(clause)
        needed: list[Literal] = []
        rest = [*clause.body]

        def suffices(body: list[Literal]) -> bool:
            return self._negatives(Clause(clause.head, tuple(body))) <= allowed

        while not suffices(needed):
            # Invariant: the first `high` literals suffice and the first `low` do not, so literal `high` is
            # needed in the end.
            low, high = 0, len(rest)
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (low, middle) if suffices(needed + rest[:middle]) else (middle, high)
            needed += _linking(Clause(clause.head, tuple(needed)), rest[: high - 1], rest[high - 1])
            rest = [literal for literal in rest[: high - 1] if literal not in needed]
        for literal in reversed([*needed]):
            shorter = connected(Clause(clause.head, tuple(one for one in needed if one is not literal)))
            if suffices([*shorter.body]):
                needed = [*shorter.body]
        return canonical(Clause(clause.head, tuple(one for one in clause.body if one in needed)))


def _linking(clause: Clause, between: list[Literal], literal: Literal) -> list[Literal]:
    """Return a literal preceded by a minimal set of literals that connect it to a clause by shared variables."""
    known = set(clause.variables())
    way: dict[int, list[Literal]] = {}
    waiting = [(literal, [literal])]
    for other, path in waiting:
        if not known.isdisjoint(other.variables()) or other.ground:
            return path
        mine = set(other.variables())
        for place, next_one in enumerate(between):
            if place not in way and not mine.isdisjoint(next_one.variables()):
                way[place] = [next_one, *path]
                waiting.append((next_one, way[place]))
    return [literal]
