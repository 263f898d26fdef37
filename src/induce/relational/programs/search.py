"""Search for a whole theory: base and recursive clauses by size, evaluated together (learning from failures).

A theory that covers a negative example is dropped with all its supersets; a body without an answer is dropped
with all its extensions. Only the shortest of the clauses that are equivalent on all known inputs is tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from math import log2

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal
from induce.logic.coverage.examples import Examples, variable
from induce.logic.facts import Codes
from induce.logic.limits import Limits
from induce.logic.terms import Term
from induce.relational.clauses.language import Language
from induce.relational.clauses.limits import Deadline
from induce.relational.clauses.recursion import size
from induce.relational.programs.engine import MOST_ANSWERS, MOST_INFERENCES, Engine, Row
from induce.relational.programs.enumeration import Bodies, Body
from induce.relational.programs.invention import invented
from induce.relational.programs.space import Space

MOST_POSITIVES, MOST_NEGATIVES = 40, 80
"""Number of examples in the first test of a theory; a theory that passes is tested on all examples."""
MOST_THEORIES = 1_500_000
"""Maximum number of theories of three clauses per round."""
MOST_BODIES = 60_000
"""Maximum number of bodies of each size that are extended."""
MOST_PAIRS = 150_000
"""Maximum number of theories of one base and one recursive clause per round."""
MOST_PARTS = 5_000
"""Maximum number of theories whose partial coverage is tested, smallest first."""
MOST_BEGUN = 60
"""Maximum number of partial theories that are extended by a further clause."""
LONGEST_BASE = 4
"""Maximum number of literals, including the head, of base clauses that are combined with long or several
recursive clauses.
"""
CHUNK = 2_000


@dataclass(frozen=True)
class Candidate:
    """Clause: its number in the engine, its literals, and the positive examples that it covers, as bits."""

    number: int
    body: Body
    covered: int = 0
    """Examples that the clause covers by itself or, if it has calls, could cover if these succeeded."""

    @property
    def size(self) -> int:
        """Number of literals, including the head."""
        return len(self.body.rows) + 1


Theory = tuple[Candidate, ...]


@dataclass(frozen=True)
class Found:
    """Theory that covers no negative example: its clauses, and the positive examples that it covers."""

    clauses: tuple[Candidate, ...]
    covered: int

    @property
    def size(self) -> int:
        """Number of literals, including the heads."""
        return sum(clause.size for clause in self.clauses)


@dataclass(frozen=True)
class Judged:
    """Theory that explains all examples, its description length, and its answers to the known inputs."""

    theory: Found
    bits: float
    answers: tuple[frozenset[tuple[Term, ...]], ...]


class ProgramSearch:
    """Search for a theory of a few clauses that explains all examples.

    Parameters
    ----------
    examples : Examples
    recursion : bool
    max_literals : int
        Maximum number of literals of a body.
    max_clauses : int
    max_variables : int or None
    singletons : bool
    deadline : Deadline
        Limit of the search; its unit of work is an elementary step of a proof.
    invent : bool
        Whether to invent a predicate if no theory without one is found.
    constraints : sequence of str
        Constraints on every clause, as `Constraints` reads them.
    """

    def __init__(
        self,
        examples: Examples,
        recursion: bool,
        max_literals: int,
        max_clauses: int,
        max_variables: int | None,
        singletons: bool,
        deadline: Deadline,
        invent: bool = False,
        constraints: Sequence[str] = (),
    ) -> None:
        self.examples = examples
        self._recursion, self._invent = recursion, invent
        self.space = Space(examples, recursion)
        self._language = Language(examples, constraints, recursion)
        self.max_literals, self.max_clauses, self._deadline = max_literals, max_clauses, deadline
        self.engine = Engine(
            examples.relations,
            self.space.background,
            self.space.needed,
            self.space.width,
            self.space.largest,
            deadline,
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
            *((self._forbids, self._forbids_longer) if self._language.constraints else ()),
        )  # fmt: skip
        self._places = self._places_of_positives()
        self.bases: list[Candidate] = []
        self.recursive: list[Candidate] = []
        self._partial: list[Found] = []
        self._known = 0, 0
        self._pairs: dict[tuple[int, int], int] = {}
        self._least = np.inf
        self.rivals: list[Judged] = []
        self.n_theories = 0

    def _by_size(self, rows: Codes) -> Codes:
        terms = self.examples.relations.symbols.terms
        return rows[np.argsort([sum(size(terms[code]) for code in row) for row in rows], kind="stable")]

    def _places_of_positives(self) -> list[int]:
        """Return, for each positive example, the index of its input among the inputs that distinguish bodies."""
        place = {tuple(row): k for k, row in enumerate(self._bodies.inputs.tolist())}
        rows = self._goals[: self.n_positive].copy()
        rows[:, [p for p, sign in enumerate(self.space.signs) if sign == "-"]] = -1
        return [place.get(tuple(row), 0) for row in rows.tolist()]

    def _clause(self, rows: Sequence[Row]) -> Clause:
        return Clause(self.examples.head, tuple(map(self.space.literal, rows)))

    def _forbids(self, rows: Sequence[Row]) -> bool:
        return self._language.constraints.forbids(self._clause(rows), self._language.kinds)

    def _forbids_longer(self, rows: Sequence[Row]) -> bool:
        return self._language.excludes_longer(self._clause(rows))

    def search(self) -> list[Clause]:
        """Return the smallest theory that explains all examples, or else the best found."""
        level = [self._bodies.start()]
        best: Judged | None = None
        for n_literals in range(1, self.max_literals + 1):
            # a clause of that many literals together with the shortest base clause exceeds any useful theory
            if self._bits_of(n_literals + 3) >= self._least:
                break
            level = self._bodies.extended(level[:MOST_BODIES], self.max_literals - n_literals)
            if self._deadline.passed():
                break
            self._take([body for body in level if self._bodies.complete(body)])
            for theories in (self._single, self._shared_out, self._with_base, self._with_two):
                for one in theories():
                    if self._deadline.passed() or self._bits_of(one.size) >= self._least:
                        break
                    if self._explains_all(one):
                        judged = self._described(one)
                        self.rivals.append(judged)
                        if judged.bits < self._least:
                            best, self._least = judged, judged.bits
            self._known = len(self.bases), len(self.recursive)
        if best is None and self._invent and (clauses := self._invented()):
            return clauses
        found = self._completed() if best is None else best.theory
        return [] if found is None else self._clauses(found)

    def _invented(self) -> list[Clause]:
        found = invented(self._bodies, self.engine, self._goals, self.n_positive, self._recursion)
        if found is None:
            return []
        name = f"{self.examples.target[0]}_1"
        self.space.predicates.append((name, 2))
        heads = [self.examples.head] * len(found.target)
        heads += [Literal(name, (variable(0), variable(1)))] * len(found.own)
        bodies = [*(one.rows for one in found.target), *found.own]
        clauses = [
            Clause(head, tuple(map(self.space.literal, rows)))
            for head, rows in zip(heads, bodies, strict=True)
        ]
        kinds = self._language.kinds
        return [] if any(self._language.constraints.forbids(one, kinds) for one in clauses) else clauses

    def _bits_of(self, n_literals: int) -> float:
        """Return the number of bits that encode a number of literals."""
        return n_literals * (log2(len(self.space.predicates)) + 1)

    def _longest(self) -> int:
        """Return the size of the largest theory that could still have a shorter description than the best one."""
        longest = self.max_clauses * (self.max_literals + 1)
        return next((n - 1 for n in range(1, longest + 1) if self._bits_of(n) >= self._least), longest)

    def _described(self, theory: Found) -> Judged:
        """Return the description length of a theory, including the choice among its answers to the inputs.

        A theory that does not terminate on the inputs of the examples has infinite description length.
        """
        given = [place for place, sign in enumerate(self.space.signs) if sign != "-"]
        most = MOST_ANSWERS // 2 if len(given) < len(self.space.signs) else 1
        prover = self.examples.relations.prover(self._clauses(theory))
        terms = self.examples.relations.symbols.terms
        calls = [[terms[row[place]] for place in given] for row in self._bodies.inputs.tolist()]
        limits = Limits(inferences=MOST_INFERENCES, solutions=most)
        try:
            solutions = prover.solutions_each(self.examples.target, given, calls, limits)
        except InputError:
            return Judged(theory, np.inf, ())
        answers = tuple(map(frozenset, solutions.found))
        own = slice(self.space.n_own)
        ended = solutions.complete[own] | [len(found) >= most for found in solutions.found[own]]
        if not ended.all():
            return Judged(theory, np.inf, ())
        mean = sum(map(len, answers[own])) / self.space.n_own
        bits = self._bits_of(theory.size) + self.space.n_own * log2(max(mean, 1.0))
        return Judged(theory, bits, answers)

    # candidates

    def _take(self, bodies: Sequence[Body]) -> None:
        """Add the clauses of some bodies: those without calls that cover no negative example, and those with calls.

        A clause with a call must be able to explain a positive example; this is tested by running the
        literals after the call backwards.
        """
        plain: list[Candidate] = []
        calling: list[Candidate] = []
        for body in bodies:
            number = self.engine.add(self.space.target, len(self.space.types), body.rows, len(body.types))
            (calling if body.calls else plain).append(Candidate(number, body))
        covered, wrong = self._judged([(one.number,) for one in plain])
        known = {(*one.body.columns[: len(self.space.types)], one.covered) for one in self.bases}
        for one, bits, bad in zip(plain, covered.tolist(), wrong.tolist(), strict=True):
            key = (*one.body.columns[: len(self.space.types)], bits)
            if bad < 0 and key not in known:
                known.add(key)
                self.bases.append(replace(one, covered=bits))
                if bits:
                    self._partial.append(Found((self.bases[-1],), bits))
        positive = self._goals[: self.n_positive]
        numbers = np.array([one.number for one in calling], np.int64)[:, None]
        possible = self.engine.possible(numbers, positive, self.space.target)
        self.recursive += [
            replace(one, covered=bits) for one, bits in zip(calling, possible.tolist(), strict=True) if bits
        ]

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

    # -- theories, from one clause upwards --

    def _single(self) -> Iterator[Found]:
        for base in self.bases[self._known[0] :]:
            if base.covered == self._every:
                yield Found((base,), base.covered)

    def _with_base(self) -> Iterator[Found]:
        """Yield the theories of one base and one recursive clause that explain all examples, by size."""
        if self.max_clauses > 1:
            yield from self._tried(islice(self._new_pairs(whole=True), MOST_PAIRS))

    def _new_pairs(self, whole: bool) -> Iterator[Theory]:
        """Yield pairs of a base and a recursive clause, at least one of them new, by size.

        Judged by each clause alone, they could explain all examples, or some of them without `whole`.
        """
        mine, other = map(_BySize, (self.bases, self.recursive), self._known)
        for total in range(4, self._longest() + 1):
            for length, (bases, new_bases, bits) in mine.groups.items():
                rest = total - length
                if rest not in other.groups or (length > LONGEST_BASE and rest > LONGEST_BASE):
                    continue
                recursive, new, more = other.groups[rest]
                together = bits[:, None] | more
                fits = (
                    together == self._every
                    if whole
                    else (together != self._every) & (together != bits[:, None])
                )
                for row, column in np.argwhere(fits & (new_bases[:, None] | new)).tolist():
                    yield bases[row], recursive[column]

    def _tried(self, theories: Iterable[Theory]) -> Iterator[Found]:
        """Yield the theories that explain all examples."""
        for chunk in _chunks(theories):
            covered, wrong = self._judged([tuple(one.number for one in each) for each in chunk], whole=True)
            if self._deadline.passed():
                return
            for each, bits, bad in zip(chunk, covered.tolist(), wrong.tolist(), strict=True):
                if bits == self._every and bad < 0:
                    yield Found(each, bits)

    def _in_part(self, pairs: Iterable[Theory]) -> None:
        """Determine which theories of two clauses cover no negative example, and what they explain."""
        for chunk in _chunks(pairs):
            covered, wrong = self._judged([(base.number, other.number) for base, other in chunk])
            if self._deadline.passed():
                return
            for (base, other), bits, bad in zip(chunk, covered.tolist(), wrong.tolist(), strict=True):
                self._pairs[base.number, other.number] = bits if bad < 0 else -1
                if bad < 0 and bits & ~base.covered:
                    self._partial.append(Found((base, other), bits))

    def _with_two(self) -> Iterator[Found]:
        """Yield the extensions, by one clause, of theories that explain some of the examples, by size."""
        if self.max_clauses < 3 or self._least < np.inf:
            return
        self._in_part(islice(self._new_pairs(whole=False), MOST_PARTS))
        partial = [one for one in self._partial if len(one.clauses) == 2]
        partial.sort(key=lambda one: (-one.covered.bit_count(), one.size))
        new: list[Theory] = []
        for base, other in (one.clauses for one in partial[:MOST_BEGUN]):
            left = self._every & ~(base.covered | other.covered)
            new += [(base, one, other) for one in self.bases if not left & ~one.covered and one is not base]
            new += [
                (base, other, one) for one in self.recursive if not left & ~one.covered and one is not other
            ]
        new = [theory for theory in new if self._pairs.get((theory[0].number, theory[2].number), 0) >= 0]
        yield from self._tried(sorted(new, key=_size)[:MOST_THEORIES])

    def _shared_out(self) -> Iterator[Found]:
        """Yield the theories of a base and two recursive clauses that partition the inputs.

        Each of the two must explain all examples of its own inputs, which leaves few candidates.
        """
        if self.max_clauses < 3:
            return
        groups: dict[int, list[Candidate]] = {}
        for one in self.recursive:
            if not self._own(one) & ~one.covered:
                groups.setdefault(one.body.guard, []).append(one)
        bases = [one for one in self.bases if one.size <= LONGEST_BASE]
        shares = [
            (base, first, second)
            for first, second in combinations([*groups], 2)
            if not first & second
            for base in bases
            if not base.body.guard & (first | second)
            and not self._every & ~(base.covered | self._own(groups[first][0]) | self._own(groups[second][0]))
        ]
        pairs = {
            (base.number, one.number): (base, one)
            for base, *guards in shares
            for guard in guards
            for one in groups[guard]
            if (base.number, one.number) not in self._pairs and base.size + one.size + 4 <= self._longest()
        }
        self._in_part(sorted(pairs.values(), key=_size)[: 2 * MOST_PAIRS])
        new: list[Theory] = []
        for base, first, second in shares:
            good = [
                [one for one in groups[which] if self._pairs.get((base.number, one.number), -1) >= 0]
                for which in (first, second)
            ]
            new += [(base, one, other) for one in good[0] for other in good[1]]
            if len(new) > MOST_THEORIES:
                break
        yield from self._tried(sorted(new, key=_size))

    def _own(self, clause: Candidate) -> int:
        """Return the positive examples whose inputs have an answer before the first call, as bits."""
        return sum(1 << k for k, place in enumerate(self._places) if clause.body.guard >> place & 1)

    def _completed(self) -> Found | None:
        """Return the best partial theory, completed greedily by the clauses that cover most for their size.

        The theory must explain half of the positive examples, and each added clause more than one.
        """
        self._partial.sort(key=lambda one: (-one.covered.bit_count(), one.size))
        best = self._partial[0] if self._partial else None
        while best is not None and best.covered != self._every and len(best.clauses) < self.max_clauses:
            more = [one for one in self.bases if one.covered & ~best.covered]
            more += [one for one in self.recursive if one not in best.clauses][:MOST_PAIRS]
            theories = [(*(one.number for one in best.clauses), one.number) for one in more]
            if not theories or self._deadline.passed():
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
        enough = max(self.n_positive / 2, 2 * len(best.clauses)) if best is not None else 0
        return best if best is not None and best.covered.bit_count() >= enough else None

    def _explains_all(self, theory: Found) -> bool:
        """Test a theory on all examples."""
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
        return [self._clause(one.body.rows) for one in sorted(theory.clauses, key=lambda one: one.body.calls)]


def _spread(rows: Codes, most: int) -> Codes:
    """Return the smallest rows, plus a sample of the others if there are too many."""
    if len(rows) <= most:
        return rows
    half = most // 2
    return np.concatenate([rows[:half], rows[np.linspace(half, len(rows) - 1, most - half).astype(int)]])


def _size(theory: Theory) -> int:
    return sum(one.size for one in theory)


def _chunks(theories: Iterable[Theory]) -> Iterator[list[Theory]]:
    waiting = iter(theories)
    while chunk := [*islice(waiting, CHUNK)]:
        yield chunk


class _BySize:
    """Clauses grouped by size, with the positions of new clauses, and the coverage of each clause."""

    def __init__(self, clauses: list[Candidate], n_old: int) -> None:
        self.groups: dict[int, tuple[list[Candidate], NDArray[np.bool_], Codes]] = {}
        for length in sorted({one.size for one in clauses}):
            places = [k for k, one in enumerate(clauses) if one.size == length]
            here = [clauses[k] for k in places]
            bits = np.array([one.covered for one in here], np.int64)
            self.groups[length] = here, np.array(places) >= n_old, bits
