"""Beam search over conjunctions of conditions on joined tables, and the resulting clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log2

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.logic.clauses import Clause, Literal
from induce.logic.substitution import Substitution
from induce.logic.terms import Variable
from induce.relational.clauses.limits import Deadline
from induce.relational.foil.pruning import renamed, unified
from induce.relational.prejoin.conditions import Condition, Judge, Judged, saved
from induce.relational.prejoin.frames import Frame, Frames

Mask = NDArray[np.bool_]

STAGES = ((1, 5), (2, 5), (1, 20), (3, 5), (2, 20), (3, 20))
"""Maximum number of consecutive one-to-many steps, and number of conjunctions of each kind kept at a time.

Near tables are searched first, with few conjunctions. More distant tables, with their many rows and columns,
are the most expensive and have the most chance correlations. Wider beams follow if exceptions remain.
"""

MOST_CONDITIONS = 8
"""Maximum number of conditions of a clause."""

SHARE = 0.6
"""Fraction of the remaining time for the search of one clause, which leaves time for further clauses."""

KEEPS = 0.97
"""Fraction of the positive examples that a nearly lossless conjunction must still cover."""

ROW_COSTS = 8_000
"""Cost of evaluating a condition apart from its rows, in rows."""

PATIENCE = 3
"""Number of added conditions without improvement after which the search ends."""


@dataclass(frozen=True, eq=False)
class Node:
    """Frame in a clause, and the index of its parent node."""

    frame: Frame
    above: int


@dataclass(frozen=True, eq=False)
class State:
    """Conjunction: a tree of frames with conditions on their rows.

    For each node, `alive` marks the rows that belong to some binding that satisfies all conditions.
    """

    nodes: tuple[Node, ...]
    conditions: tuple[tuple[int, Condition], ...]
    alive: tuple[Mask, ...]
    positive: int
    negative: int
    worth: float
    """Bits that the conjunction saves."""
    bits: float
    """Description length of the conjunction."""
    costs: tuple[float, ...]

    @property
    def score(self) -> float:
        """Bits saved minus the description length."""
        return self.worth - self.bits

    def key(self) -> frozenset[tuple[object, ...]]:
        """Return a key that identifies the conjunction."""
        return frozenset((self._way(number), condition.key()) for number, condition in self.conditions)

    def _way(self, number: int) -> tuple[int, ...]:
        found: tuple[int, ...] = ()
        while number > 0:
            found = (id(self.nodes[number].frame), *found)
            number = self.nodes[number].above
        return found


class Conjunctions:
    """Search for the conjunction that best separates positive from negative examples.

    Parameters
    ----------
    frames : Frames
    judge : Judge
    deadline : Deadline, optional
        Limit of the search; its unit of work is a condition evaluated on a row.
    """

    def __init__(self, frames: Frames, judge: Judge, deadline: Deadline | None = None) -> None:
        self.frames, self.judge = frames, judge
        self.deadline = deadline or Deadline(None)
        self.stop = self.deadline.passed
        self.looked_at = 0

    def best(self, positive: Mask, considered: Mask) -> State | None:
        """Return the best conjunction for the current examples, or None if none justifies its description length."""
        self._considered = considered
        self._n_positive = int((positive & considered).sum())
        self._n_negative = int(considered.sum()) - self._n_positive
        self.judge.begin(positive, self._n_positive, self._n_negative)
        best: State | None = None
        for number, (reach, width) in enumerate(STAGES):
            if best is not None and (self._exact(best) or self.stop()):
                break
            if reach > 1 and not self.frames.reaches(reach):
                continue
            # uncovered positive examples may need another clause; covered negative ones show that a condition
            # is missing
            pure = best is not None and best.negative == 0 and best.score > 0
            if best is not None and pure and (number > 1 or 2 * best.positive > self._n_positive):
                break
            self._reach = reach
            found = self._climbed(width)
            if found is not None and (best is None or found.score > best.score):
                best = found
        return best if best is not None and best.score > 0 and best.positive > best.negative else None

    def _exact(self, state: State) -> bool:
        return state.negative == 0 and state.positive == self._n_positive

    def _climbed(self, width: int) -> State | None:
        """Return the best conjunction of a beam search with a given width."""
        start = self._state((Node(self.frames.root, 0),), (), ())
        beam, best, idle = [start], None, 0
        for _ in range(MOST_CONDITIONS):
            found = self._longer(beam, width)
            if not found:
                break
            leader = max(found, key=_rank)
            if best is None or leader.score > best.score:
                best, idle = leader, 0
            elif (
                best.score > 0
            ):  # conditions that are informative only in combination have no gain until the last is added
                idle += 1
            if self._exact(best):
                break
            if idle >= PATIENCE or self.stop():
                break
            beam = found
        return None if best is None else self._polished(best)

    # -- longer conjunctions --

    def _longer(self, beam: Sequence[State], width: int) -> list[State]:
        """Return the best conjunctions with one more condition: the most informative and the nearly lossless."""
        seen: list[tuple[State, tuple[Node, ...], int, Judged]] = []
        for state in beam:
            if self.stop() and seen:
                break
            for nodes, number, judged in self._candidates(state):
                if judged.positive and (judged.positive, judged.negative) != (state.positive, state.negative):
                    seen.append((state, nodes, number, judged))
        if not seen:
            return []
        counts = np.array([(one.positive, one.negative) for *_, one in seen])
        worth = saved(counts[:, 0], counts[:, 1], self._n_positive, self._n_negative)
        worth -= np.array([state.bits + one.bits for state, _, _, one in seen])
        every = [seen[place] for place in np.argsort(-worth, kind="stable")]
        keeping = [one for one in every if one[3].positive >= KEEPS * self._n_positive]
        found: dict[frozenset[tuple[object, ...]], State] = {}
        for ranked in (every, keeping):
            taken = 0
            for state, nodes, number, judged in ranked:
                if taken == width:
                    break
                conditions = (*state.conditions, (number, judged.condition))
                longer = replace(state, nodes=nodes, conditions=conditions)
                key = longer.key()
                if key in found:
                    continue
                taken += 1
                found[key] = self._state(nodes, conditions, (*state.costs, judged.bits))
        return [*found.values()]

    def _candidates(self, state: State) -> Iterator[tuple[tuple[Node, ...], int, Judged]]:
        """Evaluate all conditions on a conjunction's rows, and on the rows that further steps lead to."""
        n_columns = sum(len(node.frame.columns) for node in state.nodes) + 1
        bits = log2(n_columns) + 1
        for number, node in enumerate(state.nodes):
            rows = np.flatnonzero(state.alive[number])
            for judged in self.judge.conditions(node.frame, rows, bits):
                self.looked_at += 1
                self.deadline.spend(len(rows) + ROW_COSTS)
                if judged.condition.form != "exists" and not self._said(state, number, judged.condition):
                    yield state.nodes, number, judged
            yield from self._below(state.nodes, number, state.alive[number], bits)

    def _said(self, state: State, number: int, condition: Condition) -> bool:
        """Return whether a conjunction has an equal condition; a threshold may become stricter."""
        if condition.form in ("=<", ">"):
            return False
        key = condition.key()
        return any(at == number and one.key() == key for at, one in state.conditions)

    def _below(
        self, nodes: tuple[Node, ...], number: int, alive: Mask, bits: float
    ) -> Iterator[tuple[tuple[Node, ...], int, Judged]]:
        """Evaluate conditions on the rows that one-to-many steps lead to."""
        if self.stop() or nodes[number].frame.n_steps >= self._reach:
            return
        for frame in self.frames.below(nodes[number].frame):
            mask = alive[frame.row_above]
            if not mask.any():
                continue
            longer = (*nodes, Node(frame, number))
            more = bits + 2
            rows = np.flatnonzero(mask)
            for judged in self.judge.conditions(frame, rows, more):
                self.looked_at += 1
                self.deadline.spend(len(rows) + ROW_COSTS)
                yield longer, len(longer) - 1, judged
            yield from self._below(longer, len(longer) - 1, mask, more)

    def _state(
        self,
        nodes: tuple[Node, ...],
        conditions: tuple[tuple[int, Condition], ...],
        costs: tuple[float, ...],
    ) -> State:
        """Find the rows that satisfy all conditions, with one pass up the tree and one down."""
        alive = [np.ones(len(node.frame), np.bool_) for node in nodes]
        alive[0] = self._considered.copy()
        for number, condition in conditions:
            alive[number] &= self.judge.holds(condition, nodes[number].frame)
        for number in range(len(nodes) - 1, 0, -1):
            node = nodes[number]
            some = np.zeros(len(nodes[node.above].frame), np.bool_)
            some[node.frame.row_above[alive[number]]] = True
            alive[node.above] &= some
        for number in range(1, len(nodes)):
            node = nodes[number]
            alive[number] &= alive[node.above][node.frame.row_above]
        positive = int((alive[0] & self.judge.positive).sum())
        negative = int(alive[0].sum()) - positive
        worth = float(saved(np.array(positive), np.array(negative), self._n_positive, self._n_negative))
        return State(nodes, conditions, tuple(alive), positive, negative, worth, sum(costs), costs)

    # -- refinement --

    def _polished(self, state: State) -> State:
        """Refit all thresholds, drop redundant conditions and add useful ones, until nothing improves."""
        for _ in range(MOST_CONDITIONS):
            before = state.score
            for place in range(len(state.conditions)):
                state = max(state, self._refitted(state, place), key=_rank)
            place = 0
            while place < len(state.conditions) > 1:
                shorter = self._without(state, place)
                if shorter.score >= state.score:
                    state = shorter
                else:
                    place += 1
            room = len(state.conditions) < MOST_CONDITIONS and not self._exact(state)
            if room and not self.stop():
                state = max([state, *self._longer([state], 1)], key=_rank)
            if state.score <= before + 1e-9:
                break
        return state

    def _refitted(self, state: State, place: int) -> State:
        """Return a conjunction with one of its thresholds reoptimised, given all other conditions."""
        number, condition = state.conditions[place]
        if condition.form not in ("=<", ">") or condition.column is None:
            return state
        others = tuple(one for at, one in enumerate(state.conditions) if at != place)
        costs = tuple(one for at, one in enumerate(state.costs) if at != place)
        free = self._state(state.nodes, others, costs)
        frame = state.nodes[number].frame
        for judged in self.judge.cuts(frame, condition.column, np.flatnonzero(free.alive[number])):
            if judged.condition.key() == condition.key():
                refitted = (
                    *state.conditions[:place],
                    (number, judged.condition),
                    *state.conditions[place + 1 :],
                )
                return self._state(state.nodes, refitted, state.costs)
        return state

    def _without(self, state: State, place: int) -> State:
        """Return a conjunction without one condition, and without the steps that only this condition needed."""
        conditions = [one for at, one in enumerate(state.conditions) if at != place]
        costs = tuple(one for at, one in enumerate(state.costs) if at != place)
        needed = {0}
        for number, _ in conditions:
            while number not in needed:
                needed.add(number)
                number = state.nodes[number].above
        kept = sorted(needed)
        again = {number: at for at, number in enumerate(kept)}
        nodes = tuple(replace(state.nodes[number], above=again[state.nodes[number].above]) for number in kept)
        return self._state(
            nodes, tuple((again[number], condition) for number, condition in conditions), costs
        )

    # -- clauses --

    def clause(self, state: State) -> Clause:
        """Return the clause of a conjunction."""
        body: dict[Literal, None] = {}
        for number, node in enumerate(state.nodes):
            if node.frame.link is not None:
                source = {column.name for column in state.nodes[node.above].frame.columns}
                for column in state.nodes[node.above].frame.columns:
                    if column.name in node.frame.link.arguments:
                        for literal in column.makers():
                            body[_own(literal, node.above)] = None
                upper = {name: _named(name, node.above) for name in source}
                body[_own(node.frame.link, number, upper)] = None
            for at, condition in state.conditions:
                if at == number:
                    body.update(dict.fromkeys(self._literals(state, number, condition)))
        return renamed(unified(Clause(_own(self.frames.head, 0), tuple(body))))

    def _literals(self, state: State, number: int, condition: Condition) -> list[Literal]:
        found = []
        upper: dict[Variable, Variable] = {}
        if condition.column is not None:
            found += [_own(literal, number) for literal in condition.column.makers()]
        if condition.other is not None:
            at = number
            for _ in range(condition.up):
                at = state.nodes[at].above
            found += [_own(literal, at) for literal in condition.other.makers()]
            upper = {condition.other.name: _named(condition.other.name, at)}
        return found + [_own(literal, number, upper) for literal in self.judge.literals(condition)]


def _rank(state: State) -> tuple[float, int]:
    return state.score, -len(state.conditions)


def _named(name: Variable, number: int) -> Variable:
    return Variable(f"{name.name}_{number}")


def _own(literal: Literal, number: int, given: dict[Variable, Variable] | None = None) -> Literal:
    """Return a literal with its variables renamed to those of a node of the clause."""
    names = {name: _named(name, number) for name in literal.variables()} | (given or {})
    return Substitution({name: names[name] for name in literal.variables()}).apply(literal)


def theory_of(
    frames: Frames, judge: Judge, positive: Mask, deadline: Deadline, most: int = 20
) -> Iterator[Clause]:
    """Learn clauses one at a time, each for the uncovered positive examples."""
    considered = np.ones(len(positive), np.bool_)
    for _ in range(most):
        if not (positive & considered).any() or deadline.passed():
            return
        search = Conjunctions(frames, judge, deadline.part(SHARE))
        state = search.best(positive, considered)
        if state is None:
            return
        clause = search.clause(state)
        if trace.active("clause"):
            trace.emit("clause", clause=str(clause), positives=state.positive, negatives=state.negative)
        yield clause
        considered = considered & ~(positive & state.alive[0])
