"""FOCL's theory operator: a sufficient condition in operational literals, pruned by examples (Mitchell §12.5.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

from induce.core.ties import first_largest
from induce.knowledge.literal_theory import LiteralTheory
from induce.logic.clauses import Literal
from induce.logic.coverage.bindings import Bindings, Coverage, compares
from induce.logic.terms import Variable
from induce.relational.foil._loops import N1, NEGATIVE, P1, POSITIVE, T
from induce.relational.foil.blocks import foil_gain
from induce.relational.foil.space import Clauses
from induce.relational.foil.state import State
from induce.relational.foil.suggestions import ORIGIN, Suggestion, tally, traced

Conjunction = tuple[Literal, ...]
Mask = NDArray[np.bool_]

OPERATORS = ("target", "clauses", "concepts")
PRUNINGS = ("improve", "not_worse")


class Operationaliser:
    """Source of suggested conjunctions that are sufficient according to a theory.

    Parameters
    ----------
    theory : LiteralTheory
    operators : sequence of {"target", "clauses", "concepts"}
        Parts to operationalise: the clause of the target with the highest gain; all its clauses; or all
        concepts below it that use only the target's arguments.
    pruning : {"improve", "not_worse", None}
        Condition for dropping a literal: the clause is more accurate without it, or at least no less
        accurate.
    """

    def __init__(self, theory: LiteralTheory, operators: Sequence[str], pruning: str | None) -> None:
        self.theory, self.operators, self.pruning = theory, tuple(operators), pruning
        self.numbers = count()
        self._concepts = list(theory.concepts(self.numbers)) if "concepts" in self.operators else []

    def __call__(self, state: State, space: Clauses) -> list[Suggestion]:
        """Return the distinct suggestions for a clause."""
        judge = _Judge(self.theory, state, space, self.numbers)
        found: dict[frozenset[Literal], Suggestion] = {}
        for seed in self._seeds(judge):
            conjunction = self._unfolded(seed, judge)
            if conjunction is None:
                continue
            said = conjunction
            if self.pruning is not None:
                conjunction = pruned(conjunction, judge, self.pruning)
            conjunction = tuple(one for one in conjunction if one not in state.body)
            ordered = judge.ordered(conjunction)
            if ordered:
                found.setdefault(frozenset(ordered), Suggestion(ordered, said))
        return list(found.values())

    def _seeds(self, judge: _Judge) -> Iterator[Conjunction]:
        """Yield the conjunctions to start from."""
        bodies = self.theory.bodies(self.theory.goal, self.numbers)
        if "clauses" in self.operators:
            yield from bodies
        elif "target" in self.operators and bodies:
            best = judge.best(bodies)
            if best is not None:
                yield bodies[best]
        for concept in self._concepts:
            yield (concept,)

    def _unfolded(self, conjunction: Conjunction, judge: _Judge) -> Conjunction | None:
        """Replace concepts by the bodies of their clauses, each time by the body with the highest gain."""
        while (place := _first(conjunction, self.theory)) is not None:
            literal = conjunction[place]
            before, after = conjunction[:place], conjunction[place + 1 :]
            if literal.negated:
                chosen = self._denied(literal, before, after, judge)
            else:
                bodies = self.theory.bodies(literal, self.numbers)
                best = judge.best([(*before, *body, *after) for body in bodies])
                chosen = None if best is None else bodies[best]
            if chosen is None:
                return None
            conjunction = tuple(dict.fromkeys((*before, *chosen, *after)))
        return conjunction

    def _denied(
        self, literal: Literal, before: Conjunction, after: Conjunction, judge: _Judge
    ) -> Conjunction | None:
        """Return literals that together refute every clause of a concept."""
        denials = self.theory.denials(literal, self.numbers)
        if denials is None:
            return None
        chosen: Conjunction = ()
        for options in denials:
            # The negated concept is kept while its clauses are refuted one by one, so that the remaining
            # clauses still count.
            best = judge.best([(*before, *chosen, option, literal, *after) for option in options])
            if best is None:
                return None
            chosen = (*chosen, options[best])
        return chosen


def _first(conjunction: Conjunction, theory: LiteralTheory) -> int | None:
    return next((place for place, one in enumerate(conjunction) if theory.is_concept(one)), None)


def pruned(conjunction: Conjunction, judge: _Judge, rule: str) -> Conjunction:
    """Drop literals according to the accuracy of the clause on the training examples.

    The book's text drops a literal unless accuracy falls, but the result in its example requires that
    accuracy rises.

    Parameters
    ----------
    conjunction : tuple of Literal
    judge : _Judge
    rule : {"improve", "not_worse"}
        "improve" repeatedly drops the literal whose removal improves the accuracy most; "not_worse" drops,
        from left to right, each literal without which the accuracy is no lower.
    """
    right = judge.right(conjunction)
    if rule == "not_worse":
        for literal in conjunction:
            shorter = tuple(one for one in conjunction if one is not literal)
            if shorter and (now := judge.right(shorter)) >= right:
                conjunction, right = shorter, now
        return conjunction
    while len(conjunction) > 1:
        each = judge.right_without_each(conjunction)
        best = int(np.argmax(each))
        if each[best] <= right:
            break
        conjunction, right = conjunction[:best] + conjunction[best + 1 :], each[best]
    return conjunction


class _Judge:
    """Coverage counter of conjunctions over a clause's bindings; known literals are evaluated only once."""

    def __init__(self, theory: LiteralTheory, state: State, space: Clauses, numbers: Iterator[int]) -> None:
        self.theory, self.state, self.numbers = theory, state, numbers
        self.coverage: Coverage = space.coverage
        self.n_positive = space.n_positive
        self.start = traced(state.bindings)
        self._known = frozenset(state.bindings.columns)
        self._masks: dict[Literal, Mask | None] = {}
        positive = state.bindings.example < space.n_positive
        self._sides = positive, ~positive
        # if each example has a single binding, as in a table, rows can be counted instead of examples
        self._single = bool((np.diff(state.bindings.example) > 0).all())
        self._n_negative = len(space.rows) - space.n_positive

    def best(self, conjunctions: Sequence[Conjunction]) -> int | None:
        """Return the index of the conjunction with the highest gain, ties broken by order, or None."""
        gains = [self.gain(one) for one in conjunctions]
        return first_largest(gains) if max(gains, default=-np.inf) > -np.inf else None

    def gain(self, conjunction: Conjunction) -> float:
        """Return Foil_Gain of a conjunction; a conjunction without positive bindings ranks below all others."""
        counts = self.counts(conjunction)
        if counts is None:
            return -np.inf
        if not counts[T]:
            return -1e9  # the theory and pruning may still need it
        state = self.state
        return float(foil_gain(counts[T], counts[P1], counts[N1], state.n_positive, state.n_negative))

    def right(self, conjunction: Conjunction) -> int:
        """Return the number of examples that the clause with a conjunction classifies correctly; -1 if unknown."""
        counts = self.counts(conjunction)
        return -1 if counts is None else int(counts[POSITIVE] + self._n_negative - counts[NEGATIVE])

    def right_without_each(self, conjunction: Conjunction) -> list[int]:
        """Return the value of `right` without each of the literals of a conjunction."""
        masks = [self._mask(one) if self._known.issuperset(one.variables()) else None for one in conjunction]
        if not self._single or any(mask is None for mask in masks):
            return [self.right(conjunction[:i] + conjunction[i + 1 :]) for i in range(len(conjunction))]
        fails = ~np.array(masks)
        # a row is covered without a literal if no other literal fails
        covered = fails.sum(axis=0) - fails == 0
        positive, negative = (covered[:, side].sum(axis=1) for side in self._sides)
        return [int(each) for each in positive + self._n_negative - negative]

    def counts(self, conjunction: Conjunction) -> NDArray[np.int64] | None:
        """Count the coverage of a conjunction; None if its literals cannot be joined in any order."""
        held, rest = self._split(conjunction)
        if held is None:
            return None
        if not rest and self._single:
            positive, negative = (int(np.count_nonzero(held & side)) for side in self._sides)
            return np.array([positive, positive, negative, positive, negative, negative])
        found = self._join(self.start.only(held), rest)
        return None if found is None else tally(found, self.n_positive)

    def ordered(self, conjunction: Conjunction) -> Conjunction:
        """Return the literals in an order in which each can be joined; empty if there is no such order."""
        left, done = [*conjunction], []
        bound = {*self._known}
        while left:
            ready = next((one for one in left if self._ready(one, bound, left)), None)
            if ready is None:
                return ()
            left.remove(ready)
            done.append(ready)
            if not ready.negated:
                bound |= {*ready.variables()}
        return tuple(done)

    def _ready(self, literal: Literal, bound: set[Variable], left: Sequence[Literal]) -> bool:
        free = {name for name in literal.variables() if name not in bound}
        if compares(literal):
            return not free
        if not literal.negated:
            # a literal that shares no variable with the clause would multiply its bindings
            return len(free) < len({*literal.variables()}) or not free
        return not any(free & {*other.variables()} for other in left if other is not literal)

    def _split(self, conjunction: Conjunction) -> tuple[Mask | None, list[Literal]]:
        """Return where the literals over known variables hold, and the other literals."""
        held = np.ones(len(self.start), np.bool_)
        rest: list[Literal] = []
        for one in conjunction:
            if self._known.issuperset(one.variables()):
                mask = self._mask(one)
                if mask is None:
                    return None, rest
                held &= mask
            else:
                rest.append(one)
        return held, rest

    def _mask(self, literal: Literal) -> Mask | None:
        """Return the bindings for which a literal over known variables holds."""
        if literal not in self._masks:
            self._masks[literal] = self._looked_up(literal)
        return self._masks[literal]

    def _looked_up(self, literal: Literal) -> Mask | None:
        mask = np.zeros(len(self.start), np.bool_)
        if self.theory.is_concept(literal):
            if literal.negated:
                plain = self._mask(Literal(literal.name, literal.arguments))
                return None if plain is None else ~plain
            bodies = self.theory.bodies(literal, self.numbers)
            if all(self._known.issuperset(one.variables()) for body in bodies for one in body):
                for body in bodies:
                    held, _ = self._split(body)
                    if held is None:
                        return None
                    mask |= held
                return mask
        # the clause's other variables need not be copied
        columns = {name: self.start.columns[name] for name in (*literal.variables(), ORIGIN)}
        found = self._some(Bindings(columns, self.start.example), literal)
        if found is None:
            return None
        mask[found.columns[ORIGIN]] = True
        return mask

    def _join(self, bindings: Bindings, literals: Sequence[Literal]) -> Bindings | None:
        """Join literals, each time the first one that can be joined."""
        left = [*literals]
        while left:
            bound = {*bindings.columns}
            ready = next((one for one in left if self._ready(one, bound, left)), None)
            if ready is None:
                return None
            left.remove(ready)
            found = self._some(bindings, ready)
            if found is None:
                return None
            bindings = found
        return bindings

    def _some(self, bindings: Bindings, literal: Literal) -> Bindings | None:
        """Return the bindings that satisfy a literal, which may be a concept."""
        if not self.theory.is_concept(literal):
            return self.coverage.join(bindings, literal)
        plain = Literal(literal.name, literal.arguments)
        # a concept may occur in the clause of another, so each call uses a new variable for its row numbers
        row = Variable(f"row {next(self.numbers)}")
        numbered = Bindings({**bindings.columns, row: np.arange(len(bindings))}, bindings.example)
        kept = [*bindings.columns, *(name for name in plain.variables() if name not in bindings.columns)]
        parts = []
        for body in self.theory.bodies(plain, self.numbers):
            found = self._join(numbered, body)
            if found is None:
                return None
            if not {*kept} <= found.columns.keys():
                return None
            parts.append(found)
        if literal.negated:
            holds = np.ones(len(bindings), np.bool_)
            for part in parts:
                holds[part.columns[row]] = False
            return bindings.only(holds)
        if not parts:
            return bindings.only(np.zeros(len(bindings), np.bool_))
        columns = {name: np.concatenate([part.columns[name] for part in parts]) for name in kept}
        example = np.concatenate([part.example for part in parts])
        _, first = np.unique(np.stack([example, *columns.values()], 1), axis=0, return_index=True)
        return Bindings(columns, example).only(first)
