"""Best-first search between the empty body and the most specific clause (Mitchell §10.7.5; Muggleton 1995)."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from induce.core import trace
from induce.core.loops import call_wrapping
from induce.logic.clauses import Clause
from induce.relational.clauses.limits import Deadline
from induce.relational.progol import _loops as _progol_loops
from induce.relational.progol.cover import BITS_STEPS, NEW, BindingTable, Coded, Evaluation, Part, Words
from induce.relational.progol.most_specific import BottomClause
from induce.relational.progol.scores import Generality, Limits, Score

CHILD_COSTS = 10
"""Cost of a candidate apart from the rows that it is tested on, in rows."""
ROWS_AT_ONCE = 8
"""Number of rows that are tested at the cost of one that is joined."""


class Found(NamedTuple):
    """Best clause of a search, or the reason why none was found."""

    places: tuple[int, ...] | None
    inside: int
    outside: int
    score: float
    nodes: int
    tests: int
    """Number of tests of clauses on examples."""
    whole: bool
    """Whether every candidate that could be better was examined."""


Child = tuple[int, int, int]
"""Literal that may be added, and the numbers of positive and negative examples that the clause would then cover."""


class _Part:
    """Part of a body, its bindings, and the cached parts that result from one more literal."""

    __slots__ = ("covers", "grown", "literals", "masks", "names", "part", "rows", "table", "variables")

    def __init__(
        self, literals: tuple[int, ...], variables: int, names: dict[int, int], part: Part, covers: int
    ) -> None:
        self.literals, self.variables, self.names = literals, variables, names
        self.part, self.covers = part, covers
        self.grown: dict[tuple[int, ...], _Part] = {}
        self.masks: dict[int, int] = {}
        # the table is kept by `Evaluation` alone, which drops all tables if they are large
        self.table: weakref.ref[BindingTable] | None = None
        self.rows: Words | None = None


@dataclass(frozen=True, eq=False, slots=True)
class _Node:
    """Node of the search: the literals of a clause in order of addition, and those that may still be added."""

    places: tuple[int, ...]
    allowed: list[int]
    bound: int
    alone: Words
    parts: tuple[_Part, ...]
    covers: Words
    inside: int
    outside: int
    recursive: bool


class BottomSearch:
    """Search for the best clause among the subsets of a most specific clause.

    Each subset whose literals have their inputs bound is visited at most once, because literals are added in
    only one order. A clause is refined only if some longer clause could improve on the best: one that keeps
    all its positive examples and covers no negative one. So the best clause is never missed unless a limit
    ends the search.

    Parameters
    ----------
    bottom : BottomClause
    evaluation : Evaluation
    score : Score
    limits : Limits
    prove : callable, optional
        Function that returns the coverage of a recursive clause; by default calls are looked up among the
        facts of the target.
    deadline : Deadline, optional
        Limit of the search; its unit of work is a row of bindings.
    admitted : callable, optional
        Function that returns whether a clause may join the earlier ones, since recursive clauses may prove
        more with its help.
    excluded : callable, optional
        Function that returns whether no clause that contains the given literals may be learned.
    """

    def __init__(
        self,
        bottom: BottomClause,
        evaluation: Evaluation,
        score: Score,
        limits: Limits,
        prove: Callable[[Clause], Words] | None = None,
        deadline: Deadline | None = None,
        admitted: Callable[[Clause], bool] | None = None,
        excluded: Callable[[Clause], bool] | None = None,
    ) -> None:
        self.bottom, self.evaluation, self.score, self.limits = bottom, evaluation, score, limits
        self.prove = prove if prove is not None else evaluation.words_of_clause
        self.deadline = deadline or Deadline(None)
        self.admitted, self.excluded = admitted, excluded
        # without negative examples, a clause without a body is no answer for a relation of several arguments
        self.least_length = int(isinstance(score, Generality) and len(bottom.head.arguments) > 1)
        head = [*bottom.head.variables()]
        names = dict.fromkeys([*head, *(name for one in bottom.literals for name in one.variables())])
        # Sets of variables are bitsets in integers: those known from the head, and those that a literal
        # needs, gives, and introduces beyond the head.
        bit = {name: 1 << number for number, name in enumerate(names)}
        self.head = sum(bit[name] for name in head if name in bit)
        self.known = sum(bit[name] for name in bottom.known)
        self.outputs = self.head & ~self.known
        self.needs = [sum(bit[name] for name in needed) for needed in bottom.needs]
        self.gives = [sum(bit[name] for name in dict.fromkeys(one.variables())) for one in bottom.literals]
        self.brings = [given & ~self.head for given in self.gives]
        numbers = evaluation.numbers() | {
            name: NEW + number for number, name in enumerate(names) if name not in bottom.head.arguments
        }
        self.coded = [evaluation.coded(one, numbers) for one in bottom.literals]
        self.calls_itself = [one.predicate == bottom.head.predicate for one in bottom.literals]
        self.recursion = any(self.calls_itself)
        self.of_head = [not new and not own for new, own in zip(self.brings, self.calls_itself, strict=True)]
        evaluation.forget()
        self.covers_alone = [
            evaluation.alone(coded) if alone else -1
            for coded, alone in zip(self.coded, self.of_head, strict=True)
        ]
        self._nothing = _Part((), 0, {}, Part((), ()), -1)
        self._made_ready: dict[tuple[int, int], list[int]] = {}
        self.enough = limits.enough(len(bottom))
        # minimum coverage at which a clause, or a longer one, may be accepted
        self.at_least = [min(self.enough[length:]) for length in range(len(self.enough))]
        self.nodes = self.tests = 0

    def best(self, left: Words, floor: float = -np.inf) -> Found:
        """Return the best clause for the remaining examples whose score is above `floor`."""
        best = Found(None, 0, 0, floor, 0, 0, True)
        # Entries are unexpanded children with their counts; a node is built only when popped. Ties go to the
        # shorter clause, then to the one found first.
        heap: list[tuple[float, int, int, _Node, int, int, int]] = []
        root = self._root(left)
        best = self._better(best, root, -1, root.inside, root.outside)
        number = 0
        node: _Node | None = root
        while node is not None:
            if self.nodes >= self.limits.max_nodes or self.deadline.passed():
                best = best._replace(whole=False)
                break
            length = self._length(node) + 1
            if trace.active("node"):
                self._tell(node)
            last = length >= self.limits.max_literals
            for place, inside, outside in self._children(node, best.score):
                if self.score.of(inside, outside, length) > best.score:
                    best = self._better(best, node, place, inside, outside)
                if last:
                    continue
                # The length of a clause includes the literals still needed to bind its outputs.
                missing = self._missing(node.bound | self.gives[place]) if self.outputs else 0
                if inside >= self._least(best.score, length + max(missing, 1)):
                    number += 1
                    value = self.score.of(inside, outside, length + missing)
                    heappush(heap, (-value, length, number, node, place, inside, outside))
            node = None
            while heap and node is None:
                _, length, _, parent, place, inside, outside = heappop(heap)
                # The best may have improved since this child was pushed.
                if inside >= self._least(best.score, length + 1):
                    node = self._child(parent, place, inside, outside)
        return best._replace(nodes=self.nodes, tests=self.tests)

    def covers(self, places: tuple[int, ...]) -> Words:
        """Return the examples covered by the clause of the given literals, which are in search order."""
        node = self._root(self.evaluation.everything)
        for place in places[len(self.bottom.fixed) :]:
            node = self._child(node, place, 0, 0)
        return node.covers

    def _length(self, node: _Node) -> int:
        """Return the number of literals, excluding those that state constants of the head."""
        return len(node.places) - len(self.bottom.fixed)

    def _least(self, best: float, length: int) -> int:
        return max(self.score.least(best, length), self.at_least[min(length, self.limits.max_literals)])

    def _better(self, best: Found, node: _Node, place: int, inside: int, outside: int) -> Found:
        """Return a clause if it may be learned and is better than the best so far."""
        places = node.places if place < 0 else (*node.places, place)
        bound = node.bound if place < 0 else node.bound | self.gives[place]
        length = len(places) - len(self.bottom.fixed)
        if length < self.least_length:
            return best
        if self.outputs & ~bound or inside < self.enough[length] or not self.limits.allow(inside, outside):
            return best
        value = self.score.of(inside, outside, length)
        if value <= best.score or (self.admitted and not self.admitted(self.bottom.clause(places))):
            return best
        return Found(places, inside, outside, value, 0, 0, best.whole)

    # -- nodes --

    def _root(self, left: Words) -> _Node:
        node = _Node((), self._ready(0, self.known), self.known, left, (), left, 0, 0, False)
        for place in self.bottom.fixed:
            node = self._child(node, place, 0, 0)
        inside, outside = self._count_both(node.covers, node.covers, 0)
        return replace(node, inside=inside, outside=outside)

    def _ready(self, before: int, bound: int) -> list[int]:
        """Return the literals whose inputs are bound now but were not before."""
        found = self._made_ready.get((before, bound))
        if found is None:
            found = [
                place
                for place, needed in enumerate(self.needs)
                if not needed & ~bound and (needed & ~before or not before)
            ]
            self._made_ready[before, bound] = found
        return found

    def _child(self, node: _Node, place: int, inside: int, outside: int) -> _Node:
        """Return the clause with one more literal."""
        bound = node.bound | self.gives[place]
        places = (*node.places, place)
        # Literals are added in ascending order, so that each set is visited once. A literal whose inputs are
        # bound only now could not have been added before, whatever its number.
        allowed = [other for other in node.allowed if other > place]
        if bound != node.bound:
            allowed += self._ready(node.bound, bound)
            allowed.sort()
        recursive = node.recursive or self.calls_itself[place]
        alone, parts = node.alone, node.parts
        if recursive:
            covers = node.covers & self.prove(self.bottom.clause(places))
        elif self.of_head[place]:
            mask = self.evaluation.masks[self.covers_alone[place]]
            alone, covers = alone & mask, node.covers & mask
        else:
            part, others = self._joined(node, place)
            parts = (*others, part)
            covers = self._rest(alone, parts)
        return _Node(places, allowed, bound, alone, parts, covers, inside, outside, recursive)

    def _rest(self, alone: Words, parts: Iterable[_Part]) -> Words:
        for part in parts:
            alone = alone & self.evaluation.masks[part.covers]
        return alone

    def _joined(self, node: _Node, place: int) -> tuple[_Part, list[_Part]]:
        """Return the part that results from joining a literal, and the untouched parts."""
        # Parts that share no new variable are independent. A literal joins all parts that contain its
        # variables into one. The result is cached with the first of these parts, for all clauses with the
        # same join.
        mine = self.brings[place]
        touched = [part for part in node.parts if part.variables & mine]
        others = [part for part in node.parts if not part.variables & mine]
        first = touched[0] if touched else self._nothing
        key = (place, *(one for part in touched[1:] for one in part.literals))
        grown = first.grown.get(key)
        if grown is None:
            grown = first.grown[key] = self._grown(first, touched[1:], place)
        return grown, others

    def _grown(self, first: _Part, more: list[_Part], place: int) -> _Part:
        """Return the part that results from joining a literal with one or several parts."""
        names, makers, tests = dict(first.names), [*first.part.makers], [*first.part.tests]
        added = [one for part in more for one in part.literals] + [place]
        for one in added:
            known = len(names)
            for number in self.coded[one][1:]:
                if number >= NEW and number not in names:
                    names[number] = NEW + len(names)
            (makers if len(names) > known else tests).append(_renamed(self.coded[one], names))
        variables = first.variables | self.brings[place]
        for part in more:
            variables |= part.variables
        whole = Part(tuple(makers), tuple(sorted(tests)))
        return _Part((*first.literals, *added), variables, names, whole, self.evaluation.covered(whole))

    # -- refinements --

    def _children(self, node: _Node, best: float) -> list[Child]:
        """Return the useful literals that may be added, with the resulting coverage of the clause."""
        least = self._least(best, self._length(node) + 1)
        self.nodes += len(node.allowed)
        self.tests += len(node.allowed) * (node.inside + node.outside)
        before = self.evaluation.work
        found: list[Child] = []
        if node.recursive:
            self._count_recursive(node, node.allowed, least, found)
        else:
            recursive = self._count_plain(node, least, found)
            self._count_recursive(node, recursive, least, found)
        # rows of bindings that were joined or tested, many of them in one step, and the work per candidate
        self.deadline.spend(self.evaluation.work - before + CHILD_COSTS * len(node.allowed))
        found.sort()
        if self.excluded is not None:
            clause = self.bottom.clause
            found = [one for one in found if not self.excluded(clause((*node.places, one[0])))]
        return [one for one in found if not self._says_nothing(node, one)]

    def _count_recursive(self, node: _Node, places: list[int], least: int, found: list[Child]) -> None:
        for place in places:
            covers = self.prove(self.bottom.clause((*node.places, place)))
            counts = self._count_both(node.covers, covers, least)
            if counts[0] >= least:
                found.append((place, *counts))

    def _count_both(self, base: Words, covers: Words, least: int) -> tuple[int, int]:
        """Count the positive and negative examples in both bitsets."""
        given = base, covers, self.evaluation.n_inside, least
        return call_wrapping(_progol_loops.count_both, BITS_STEPS * len(base), *given)

    def _count_plain(self, node: _Node, least: int, found: list[Child]) -> list[int]:
        """Count the coverage of literals that do not call the target, many at once; return those that do."""
        recursive: list[int] = []
        apart: list[tuple[int, int]] = []
        within: list[tuple[list[int], list[tuple[int, int]]]] = [([], []) for _ in node.parts]
        bound, parts = node.bound, node.parts
        for place in node.allowed:
            mine = self.brings[place]
            if self.calls_itself[place]:
                recursive.append(place)
                continue
            if not mine:
                apart.append((place, self.covers_alone[place]))
                continue
            touched = [number for number, part in enumerate(parts) if part.variables & mine]
            # Without a new variable a literal only tests the bindings of one part, and many such tests are
            # counted in one pass.
            if len(touched) == 1 and not mine & ~bound:
                within[touched[0]][0].append(place)
                continue
            grown, others = self._joined(node, place)
            if not touched:
                apart.append((place, grown.covers))
            elif len(touched) == 1:
                within[touched[0]][1].append((place, grown.covers))
            else:
                self._count_masks(self._rest(node.alone, others), [(place, grown.covers)], least, found)
        self._count_masks(node.covers, apart, least, found)
        for part, (tests, grown_parts) in zip(parts, within, strict=True):
            if tests or grown_parts:
                rest = self._rest(node.alone, [other for other in parts if other is not part])
                if tests:
                    grown_parts += self._count_tests(node, part, tests, rest, least, found)
                self._count_masks(rest, grown_parts, least, found)
        return recursive

    def _count_masks(self, base: Words, masks: list[tuple[int, int]], least: int, found: list[Child]) -> None:
        """Count the examples left by literals or parts; `masks` pairs each literal with the index of its bitset."""
        if masks:
            which = np.array([number for _, number in masks])
            work = BITS_STEPS * len(base) * len(which)
            self.evaluation.work += len(base) * len(which)
            given = base, self.evaluation.masks, which, self.evaluation.n_inside, least
            inside, outside = call_wrapping(_progol_loops.count, work, *given)
            for (place, _), p, n in zip(masks, inside.tolist(), outside.tolist(), strict=True):
                if p >= least:
                    found.append((place, p, n))

    def _count_tests(
        self, node: _Node, part: _Part, tests: list[int], rest: Words, least: int, found: list[Child]
    ) -> list[tuple[int, int]]:
        """Count literals that test a part's bindings; return the resulting parts if there are too many bindings."""
        table = None if part.table is None else part.table()
        if table is None:
            table = self.evaluation.table(part.part.makers)
            part.masks.clear()
            part.rows = self.evaluation.rows_of(part.part, table) if table else None
            part.table = weakref.ref(table) if table else None
        if part.rows is None or table is None:
            return [(place, self._joined(node, place)[0].covers) for place in tests]
        which = np.array([self._mask(part, table, place) for place in tests])
        example = table.example
        work = BITS_STEPS * len(example) * len(which)
        self.evaluation.work += len(example) * len(which) // ROWS_AT_ONCE
        given = part.rows, table.masks, which, example, rest, self.evaluation.n_inside, least
        inside, outside = call_wrapping(_progol_loops.count_rows, work, *given)
        for place, p, n in zip(tests, inside.tolist(), outside.tolist(), strict=True):
            if p >= least:
                found.append((place, p, n))
        return []

    def _mask(self, part: _Part, table: BindingTable, place: int) -> int:
        found = part.masks.get(place)
        if found is None:
            literal = _renamed(self.coded[place], part.names)
            found = part.masks[place] = self.evaluation.test(table, literal)
        return found

    def _says_nothing(self, node: _Node, child: Child) -> bool:
        """Return whether a literal does not change the coverage now and cannot change it later."""
        place, inside, outside = child
        return (
            inside == node.inside
            and outside == node.outside
            and self.of_head[place]
            and not self.gives[place] & ~node.bound
            and not self.recursion
        )

    def _missing(self, bound: int) -> int:
        """Return the minimum number of literals needed to bind the outputs of the head."""
        steps = 0
        while self.outputs & ~bound:
            wider = bound
            for needed, given in zip(self.needs, self.gives, strict=True):
                if needed & ~bound == 0:
                    wider |= given
            if wider == bound:
                return self.limits.max_literals + 1
            bound = wider
            steps += 1
        return steps

    def _tell(self, node: _Node) -> None:
        trace.emit(
            "node",
            clause=str(self.bottom.clause(node.places)),
            positives=node.inside,
            negatives=node.outside,
            score=self.score.of(node.inside, node.outside, self._length(node)),
        )


def _renamed(coded: Coded, names: dict[int, int]) -> Coded:
    return tuple([names.get(number, number) for number in coded])
