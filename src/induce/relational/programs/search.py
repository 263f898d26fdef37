"""Search for a whole theory: base and recursive clauses by size, judged together (learning from failures).

A theory that covers a negative example is left with all that contain it; a body without an answer is left with all
that extend it; of clauses that do the same on all inputs that are known of only the shortest is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log2

import numpy as np

from induce.core.errors import InputError
from induce.logic.clauses import Clause
from induce.logic.coverage.examples import Examples
from induce.logic.facts import Codes
from induce.logic.limits import Limits
from induce.relational.clauses.recursion import size
from induce.relational.programs.engine import MOST_ANSWERS, MOST_INFERENCES, Engine
from induce.relational.programs.enumeration import Bodies, Body
from induce.relational.programs.space import Space

MOST_POSITIVES, MOST_NEGATIVES = 40, 80
"""How many examples theories are tried on; what passes is tried on all."""
MOST_THEORIES = 1_500_000
"""How many theories of three clauses are tried in one round."""
MOST_BODIES = 60_000
"""How many bodies of one size are extended."""
MOST_AGAIN = 3
"""How long clauses are looked at after a theory was found, for one that leaves less open."""
MOST_PAIRS = 150_000
"""How many theories of a base and a recursive clause are tried in one round."""
MOST_PARTS = 20_000
"""How many of them are looked at in part, the smallest ones."""
CHUNK = 2_000


@dataclass(frozen=True)
class Candidate:
    """A clause: its number in the engine, its literals, and the positive examples that it covers alone."""

    number: int
    body: Body
    covered: int = 0

    @property
    def size(self) -> int:
        """The number of literals, the head included."""
        return len(self.body.rows) + 1


Theory = tuple[Candidate, ...]


@dataclass(frozen=True)
class Found:
    """A theory without a negative example: its clauses, and the positive examples that it covers."""

    clauses: tuple[Candidate, ...]
    covered: int

    @property
    def size(self) -> int:
        """The number of literals, the heads included."""
        return sum(clause.size for clause in self.clauses)


class ProgramSearch:
    """Looks for a theory of a few clauses that explains all examples.

    Parameters
    ----------
    examples : Examples
    recursion : bool
    max_literals : int
        The largest number of literals of a body.
    max_clauses : int
    max_variables : int or None
    singletons : bool
    ended : callable
        Says whether the time is over.
    """

    def __init__(
        self,
        examples: Examples,
        recursion: bool,
        max_literals: int,
        max_clauses: int,
        max_variables: int | None,
        singletons: bool,
        ended: Callable[[], bool],
    ) -> None:
        self.examples = examples
        self.space = Space(examples, recursion)
        self.max_literals, self.max_clauses, self._ended = max_literals, max_clauses, ended
        self.engine = Engine(
            examples.relations, self.space.background, self.space.width, self.space.largest, ended
        )
        known = (examples.rows >= 0).all(1)
        inside = self._by_size(np.unique(examples.rows[examples.positive & known], axis=0))
        outside = self._by_size(np.unique(examples.rows[~examples.positive & known], axis=0))
        self._all = self.space.wide(inside), self.space.wide(outside)
        self.n_positive = min(len(inside), MOST_POSITIVES)
        self._goals = self.space.wide(
            np.concatenate([_spread(inside, MOST_POSITIVES), _spread(outside, MOST_NEGATIVES)])
        )
        self._every = (1 << self.n_positive) - 1
        self._bodies = Bodies(
            self.engine, self.space.target, self.space.types, self.space.signs, self.space.templates,
            self.space.target, self.space.inputs(self.engine), self.space.sized(), max_variables, singletons,
        )  # fmt: skip
        self._needed = self._inputs_of_positives()
        self.bases: list[Candidate] = []
        self.recursive: list[Candidate] = []
        self._partial: list[Found] = []
        self._new: list[Theory] = []
        self._smaller_than = 1_000
        self._pairs: dict[tuple[int, int], int] = {}
        self.n_theories = 0

    def _by_size(self, rows: Codes) -> Codes:
        terms = self.examples.relations.symbols.terms
        return rows[np.argsort([sum(size(terms[code]) for code in row) for row in rows], kind="stable")]

    def _inputs_of_positives(self) -> int:
        """Return the inputs of the positive examples as bits."""
        place = {tuple(row): k for k, row in enumerate(self._bodies.inputs.tolist())}
        rows = self._goals[: self.n_positive].copy()
        rows[:, [p for p, sign in enumerate(self.space.signs) if sign == "-"]] = -1
        return sum(1 << place[row] for row in {tuple(row) for row in rows.tolist()} if row in place)

    def search(self) -> list[Clause]:
        """Return the smallest theory that explains all examples, or else the best that was found."""
        level = [self._bodies.start()]
        best: Found | None = None
        least = np.inf
        for n_literals in range(1, self.max_literals + 1):
            # a clause of so many literals and the shortest base are a larger theory than is worth looking for
            if self._bits_of(n_literals + 3) >= least:
                break
            if best is not None and n_literals > MOST_AGAIN and n_literals + 3 >= best.size:
                break
            level = self._bodies.extended(level[:MOST_BODIES], self.max_literals - n_literals)
            if self._ended():
                break
            self._take(body for body in level if self._bodies.complete(body))
            for theories in (self._single, self._with_base, self._with_two, self._apart):
                if best is not None and theories not in (self._single, self._with_base):
                    break
                for one in theories():
                    if self._ended() or self._bits_of(one.size) >= least:
                        break
                    if self._explains_all(one) and (bits := self._described(one)) < least:
                        best, least = one, bits
                        self._smaller_than = min(self._smaller_than, one.size + MOST_AGAIN)
        if best is None:
            best = self._completed()
        return [] if best is None else self._clauses(best)

    def _bits_of(self, n_literals: int) -> float:
        """Return the bits that it takes to write down so many literals."""
        return n_literals * (log2(len(self.space.predicates)) + 2)

    def _described(self, theory: Found) -> float:
        """Return the bits of a theory, and of the answers among those that it allows that the examples show."""
        bits = self._bits_of(theory.size)
        given = [place for place, sign in enumerate(self.space.signs) if sign != "-"]
        if len(given) == len(self.space.signs):
            return bits
        prover = self.examples.relations.prover(self._clauses(theory))
        terms = self.examples.relations.symbols.terms
        calls = [[terms[row[place]] for place in given] for row in self._goals[: self.n_positive].tolist()]
        limits = Limits(depth=500, inferences=MOST_INFERENCES, solutions=MOST_ANSWERS)
        try:
            found = prover.solutions_each(self.examples.target, given, calls, limits).found
        except InputError:  # it does not end for some inputs, so that it leaves everything open
            return bits + self.n_positive * log2(MOST_ANSWERS)
        return bits + sum(log2(max(len({*answers}), 1)) for answers in found)

    # candidates

    def _take(self, bodies: Iterable[Body]) -> None:
        """Add the clauses of some bodies: those without a call that cover no negative example, and those with one."""
        plain: list[Candidate] = []
        for body in bodies:
            number = self.engine.add(self.space.target, len(self.space.types), body.rows, len(body.types))
            (self.recursive if body.calls else plain).append(Candidate(number, body))
        covered, wrong = self._judged([(one.number,) for one in plain])
        known = {(*one.body.columns[: len(self.space.types)], one.covered) for one in self.bases}
        for one, bits, bad in zip(plain, covered.tolist(), wrong.tolist(), strict=True):
            key = (*one.body.columns[: len(self.space.types)], bits)
            if bad < 0 and key not in known:
                known.add(key)
                self.bases.append(Candidate(one.number, one.body, bits))
                if bits:
                    self._partial.append(Found((self.bases[-1],), bits))

    def _judged(self, theories: Sequence[tuple[int, ...]], whole: bool = False) -> tuple[Codes, Codes]:
        self.n_theories += len(theories)
        if not theories:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        return self.engine.judge(
            np.array(theories, np.int64).reshape(len(theories), -1),
            self._goals,
            self.n_positive,
            self.space.target,
            whole,
        )

    # theories, from those of one clause on

    def _single(self) -> Iterator[Found]:
        for base in self.bases:
            if base.covered == self._every:
                yield Found((base,), base.covered)

    def _with_base(self) -> Iterator[Found]:
        """Go through the theories of a base clause and a recursive one that explain all examples, by size."""
        if self.max_clauses < 2:
            return
        self._new = [
            (base, other)
            for other in self.recursive
            for base in self.bases
            if (base.number, other.number) not in self._pairs
        ]
        self._new = [pair for pair in self._new if sum(one.size for one in pair) < self._smaller_than]
        self._new.sort(key=lambda pair: (pair[0].size + pair[1].size, pair[1].size))
        del self._new[MOST_PAIRS:]
        for pair in self._new:
            self._pairs[pair[0].number, pair[1].number] = -1
        yield from self._tried(self._new)

    def _explain_a_part(self) -> None:
        """Find out which of the newest theories of two clauses cover no negative example, and what they explain."""
        for chunk in _chunks(self._new[:MOST_PARTS]):
            covered, wrong = self._judged([(base.number, other.number) for base, other in chunk])
            if self._ended():
                return
            for pair, bits, bad in zip(chunk, covered.tolist(), wrong.tolist(), strict=True):
                self._pairs[pair[0].number, pair[1].number] = bits if bad < 0 else -1
                if bad < 0 and bits & ~pair[0].covered:
                    self._partial.append(Found(pair, bits))

    def _with_two(self) -> Iterator[Found]:
        """Go through what one more clause makes of theories that explain a part of the examples, by size."""
        self._explain_a_part()
        if self.max_clauses < 3:
            return
        partial = [one for one in self._partial if len(one.clauses) == 2]
        partial.sort(key=lambda one: (-one.covered.bit_count(), one.size))
        new: list[Theory] = []
        for one in partial[:60]:
            base, other = one.clauses
            for more in self.bases:
                if self._pairs.get((more.number, other.number), -1) >= 0 and more is not base:
                    new.append((base, more, other))
            for more in self.recursive:
                if self._pairs.get((base.number, more.number), -1) >= 0 and more is not other:
                    new.append((base, other, more))
        yield from self._tried(new)

    def _apart(self) -> Iterator[Found]:
        """Go through the theories of a base and two recursive clauses that share out the inputs between them."""
        if self.max_clauses < 3:
            return
        groups: dict[int, list[Candidate]] = {}
        for one in self.recursive:
            groups.setdefault(one.body.guard, []).append(one)
        new: list[Theory] = []
        for first, second in combinations([*groups], 2):
            if first & second or self._needed & ~(first | second):
                continue
            for base in self.bases:
                if base.body.guard & (first | second) or len(new) > MOST_THEORIES:
                    continue
                good = [
                    [one for one in groups[which] if self._pairs.get((base.number, one.number), -1) >= 0]
                    for which in (first, second)
                ]
                new += [(base, one, other) for one in good[0] for other in good[1]]
        yield from self._tried(new)

    def _tried(self, theories: list[Theory]) -> Iterator[Found]:
        theories.sort(key=lambda theory: sum(one.size for one in theory))
        for chunk in _chunks(theories[:MOST_THEORIES]):
            covered, wrong = self._judged([tuple(one.number for one in each) for each in chunk], whole=True)
            if self._ended():
                return
            for each, bits, bad in zip(chunk, covered.tolist(), wrong.tolist(), strict=True):
                if bits == self._every and bad < 0:
                    yield Found(each, bits)

    def _completed(self) -> Found | None:
        """Return the best theory that was found, with the clauses added that cover most for their size."""
        self._partial.sort(key=lambda one: (-one.covered.bit_count(), one.size))
        best = self._partial[0] if self._partial else None
        while best is not None and best.covered != self._every and len(best.clauses) < self.max_clauses:
            more = [one for one in self.bases if one.covered & ~best.covered]
            more += [one for one in self.recursive if one not in best.clauses][:MOST_PAIRS]
            theories = [(*(one.number for one in best.clauses), one.number) for one in more]
            if not theories or self._ended():
                break
            covered, wrong = self._judged(theories)
            gains = [
                (bits & ~best.covered).bit_count() - one.size / 4 if bad < 0 else -1.0
                for one, bits, bad in zip(more, covered.tolist(), wrong.tolist(), strict=True)
            ]
            place = int(np.argmax(gains))
            if gains[place] <= 0:
                break
            best = Found((*best.clauses, more[place]), int(covered[place]))
        return best

    def _explains_all(self, theory: Found) -> bool:
        """Try a theory on all examples."""
        inside, outside = self._all
        numbers = np.array([[one.number for one in theory.clauses]], np.int64)
        for start in range(0, len(inside), MOST_POSITIVES):
            part = inside[start : start + MOST_POSITIVES]
            covered, _ = self.engine.judge(numbers, part, len(part), self.space.target, True)
            if int(covered[0]) != (1 << len(part)) - 1:
                return False
        _, wrong = self.engine.judge(numbers, outside, 0, self.space.target)
        return bool(wrong[0] < 0)

    def _clauses(self, theory: Found) -> list[Clause]:
        """Return the clauses of a theory as values, those without a call first."""
        return [
            Clause(self.examples.head, tuple(map(self.space.literal, one.body.rows)))
            for one in sorted(theory.clauses, key=lambda one: one.body.calls)
        ]


def _spread(rows: Codes, most: int) -> Codes:
    """Return the smallest rows, and some of the others if there are more than so many."""
    if len(rows) <= most:
        return rows
    half = most // 2
    return np.concatenate([rows[:half], rows[np.linspace(half, len(rows) - 1, most - half).astype(int)]])


def _chunks(theories: list[Theory]) -> Iterator[list[Theory]]:
    for start in range(0, len(theories), CHUNK):
        yield theories[start : start + CHUNK]
