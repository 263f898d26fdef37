"""Fast testing of theories on examples: clauses and background answers as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from induce.core.errors import InputError
from induce.core.loops import repeated, spend
from induce.logic.background.called import Solved
from induce.logic.background.relations import Relations
from induce.logic.clauses import Predicate
from induce.logic.facts import Codes, Facts
from induce.logic.limits import Limits
from induce.logic.terms import Constant, Term
from induce.relational.clauses.limits import Deadline
from induce.relational.clauses.recursion import size
from induce.relational.programs import _loops
from induce.relational.programs.purity import is_pure

MOST_ANSWERS = 200
"""Maximum number of background answers to one call."""
MOST_INFERENCES = 5_000
"""Maximum number of inferences for one background call."""
MOST_CALLS = 400_000
"""Maximum number of cached background calls; further calls have no answer."""
MOST_CLAUSED = 8
"""Maximum number of predicates with clauses."""
FUEL = 20_000
"""Number of goals tested between two checks of the clock."""
BATCH = 2_000
"""Number of calls per query of the background."""
STEPS = 50
"""Estimated number of elementary steps per goal."""

Row = tuple[int, ...]
"""Encoded literal: the number of its predicate, then variables and constants."""


class Behaviour(NamedTuple):
    """Answers of clauses to goals."""

    number: Codes
    """Number of answers."""
    columns: Codes
    """Hash of the values of each variable."""
    guards: Codes
    """Bitset of the goals with an answer."""
    less: Codes
    """For each argument of the goals, the bits of the variables that are always smaller."""
    more: Codes
    """For each argument of the goals, the bits of the variables that are always larger."""


class Engine:
    """Engine that tests theories on goals.

    Parameters
    ----------
    relations : Relations
    background : sequence of Predicate
        Background predicates in the order of their numbers.
    inputs : mapping
        Alternative sets of argument positions per predicate; a call must bind all positions of one set.
    width : int
        Maximum arity.
    largest : int
        Size of the largest term in the examples; much larger terms are not built.
    deadline : Deadline
        Limit of the search; its unit of work is an elementary step of a proof.
    """

    def __init__(
        self,
        relations: Relations,
        background: Sequence[Predicate],
        inputs: Mapping[Predicate, Sequence[frozenset[int]]],
        width: int,
        largest: int,
        deadline: Deadline,
    ) -> None:
        self._relations = relations
        self._inputs = inputs
        self._background = [*background]
        self._width = width
        self._largest = largest + 5
        self.deadline = deadline
        self._literals = np.full((1024, 1 + width), -1, np.int64)
        self._clauses = np.zeros((256, 5), np.int64)
        self.n_literals = self.n_clauses = 0
        self._keys = np.full((4096, 2 + width), -1, np.int64)
        self._start = np.zeros(4096, np.int64)
        self._count = np.full(4096, -1, np.int64)
        self._n_calls = self._n_answers = 0
        self._answers = np.zeros((4096, width), np.int64)
        depth = 10 + largest
        self._limits = np.array([20 * depth, depth], np.int64)
        self._memory = (
            np.zeros(40 * depth * 4, np.int64),
            np.zeros(40 * depth * 4, np.int64),
            np.zeros((10 * depth, _loops.F_ARGUMENTS + width), np.int64),
            np.zeros((10 * depth, _loops.C_SIZE), np.int64),
            np.zeros((1, 2 + width), np.int64),
        )
        self._weights = np.zeros(0, np.int64)
        self._pure: dict[Predicate, bool] = {}
        self._narrow = np.full(len(self._background) + MOST_CLAUSED, -1, np.int64)
        for number, predicate in enumerate(self._background):
            ways = {*inputs[predicate]}
            if len(ways) == 1 and not isinstance(relations.relation(predicate), Facts):
                self._narrow[number] = sum(1 << place for place in ways.pop())

    def add(self, predicate: int, arity: int, body: Sequence[Row], n_variables: int) -> int:
        """Add a clause and return its number."""
        while self.n_literals + len(body) >= len(self._literals):
            self._literals = np.concatenate([self._literals, np.full_like(self._literals, -1)])
        if self.n_clauses + 1 >= len(self._clauses):
            self._clauses = np.concatenate([self._clauses, np.zeros_like(self._clauses)])
        first = self.n_literals
        for row in body:
            self._literals[self.n_literals, : len(row)] = row
            self._literals[self.n_literals, len(row) :] = -1
            self.n_literals += 1
        self._clauses[self.n_clauses] = first, self.n_literals, max(n_variables, arity), predicate, arity
        self.n_clauses += 1
        return self.n_clauses - 1

    def forget(self, n_clauses: int) -> None:
        """Drop all clauses from a given number on."""
        if n_clauses < self.n_clauses:
            self.n_literals = int(self._clauses[n_clauses, 0])
            self.n_clauses = n_clauses

    def judge(
        self, theories: Codes, goals: Codes, n_positive: int, predicate: int, whole: bool = False
    ) -> tuple[Codes, Codes]:
        """Return the bits of the positive goals that theories prove, and the first goal they get wrong (-1 if none).

        With `whole`, a theory is abandoned at the first positive goal that it does not prove.
        """
        wrong, covered, _ = self._run(theories, goals, n_positive, predicate, whole=whole)
        return covered[:, 0] & ((1 << n_positive) - 1), wrong

    def possible(self, theories: Codes, goals: Codes, predicate: int) -> Codes:
        """Return the bits of the goals that theories prove, or would prove if every call of a clause succeeded.

        Literals after a call are tested with the known values; they count as true if these do not suffice.
        """
        wrong, covered, _ = self._run(theories, goals, len(goals), predicate, trusting=True)
        return np.where(wrong < 0, covered[:, 0], (1 << len(goals)) - 1)

    def behave(self, theories: Codes, goals: Codes, predicate: int, most: int) -> Behaviour:
        """Compute all answers of single-clause theories, with `most` variables, to goals with unbound arguments."""
        n_columns = most + 2 * self._width
        number, guards, columns = self._run(theories, goals, len(goals), predicate, n_columns=n_columns)
        less, more = columns[:, most : most + self._width], columns[:, most + self._width :]
        return Behaviour(number, columns[:, :most], guards, less, more)

    def _run(
        self,
        theories: Codes,
        goals: Codes,
        n_positive: int,
        predicate: int,
        whole: bool = False,
        trusting: bool = False,
        n_columns: int = 0,
    ) -> tuple[Codes, Codes, Codes]:
        theories = np.ascontiguousarray(theories, np.int64)
        done, wrong = np.zeros(len(theories), np.int64), np.full(len(theories), -1, np.int64)
        covered = np.zeros((len(theories), 1 + len(goals) // _loops.BITS), np.int64)
        columns = np.zeros((len(theories), n_columns), np.int64)
        wanted = np.zeros((BATCH, 2 + self._width), np.int64)
        while not done.all():
            table = self._keys, self._start, self._count, self._answers, self._narrow
            n_wanted, tried = repeated(_loops.judge, 0)(
                theories, done, goals, n_positive, whole, predicate, self._literals, self._clauses,
                len(self._background), trusting, table, self._memory, self._limits, self._weighed(), FUEL, wanted,
                wrong, covered, columns,
            )  # fmt: skip
            spend(_loops.judge, tried * STEPS)
            self.deadline.spend(tried * STEPS)
            if n_wanted:
                self._ask(np.unique(wanted[:n_wanted], axis=0))
            if self.deadline.passed():
                break
        return wrong, covered, columns

    def _weighed(self) -> Codes:
        """Return the weight of each term: an integer, or the size of a structure."""
        terms = self._relations.symbols.terms
        if len(self._weights) < len(terms):
            more = [_weight(term) for term in terms[len(self._weights) :]]
            self._weights = np.concatenate([self._weights, np.array(more, np.int64)])
        return self._weights

    def _ask(self, keys: Codes) -> None:
        """Query the background for calls missing in the loops' table, and insert their answers."""
        kinds, which = np.unique(keys[:, :2], axis=0, return_inverse=True)
        for kind, (number, bits) in enumerate(kinds.tolist()):
            mine = keys[which.ravel() == kind]
            predicate = self._background[number]
            bound = tuple(k for k in range(predicate[1]) if bits >> k & 1)
            if self._is_open(predicate, bound):
                rows, counts = np.empty((0, predicate[1]), np.int64), np.full(len(mine), _loops.OPEN)
                start = np.zeros(len(mine), np.int64)
            else:
                rows, counts = self.answers(predicate, bound, mine[:, [2 + k for k in bound]])
                many = counts == _loops.OPEN
                start = self._n_answers + np.cumsum(np.where(many, 0, counts)) - counts
            while self._n_answers + len(rows) > len(self._answers):
                self._answers = np.concatenate([self._answers, np.zeros_like(self._answers)])
            self._answers[self._n_answers : self._n_answers + len(rows), : predicate[1]] = rows
            self._n_answers += len(rows)
            self._n_calls += len(mine)
            while 2 * self._n_calls > len(self._keys):
                old = self._count >= 0
                before = self._keys[old], self._start[old], self._count[old]
                self._keys = np.full((2 * len(self._keys), 2 + self._width), -1, np.int64)
                self._start = np.zeros(len(self._keys), np.int64)
                self._count = np.full(len(self._keys), -1, np.int64)
                self._insert(*before)
            self._insert(mine, start, counts)

    def _insert(self, keys: Codes, start: Codes, count: Codes) -> None:
        repeated(_loops.insert, 20 * keys.size)(keys, start, count, self._keys, self._start, self._count)

    def answers(self, predicate: Predicate, bound: tuple[int, ...], keys: Codes) -> tuple[Codes, Codes]:
        """Return the background facts that match each of some calls, and their number per call."""
        relation = self._relations.relation(predicate)
        if self._n_calls >= MOST_CALLS:
            return np.empty((0, predicate[1]), np.int64), np.zeros(len(keys), np.int64)
        if isinstance(relation, Facts):
            matches = relation.matches(bound, np.ascontiguousarray(keys))
            of_call, rows = matches.pairs()
            counts = np.bincount(of_call, minlength=len(keys)).astype(np.int64)
            return relation.rows[rows], counts
        backwards = not self._called_as_declared(predicate, bound)
        symbols = self._relations.symbols
        free = [place for place in range(predicate[1]) if place not in bound]
        found, counts = [], np.zeros(len(keys), np.int64)
        for number, (key, solved) in enumerate(
            zip(keys.tolist(), self._solved(predicate, bound, keys, backwards), strict=True)
        ):
            if solved is not None and len(solved) >= MOST_ANSWERS:
                # a requested answer could be among those cut off
                self._narrow[self._background.index(predicate)] = -1
            if solved is None:
                counts[number] = _loops.OPEN
                continue
            for answer in dict.fromkeys(solved):
                if any(size(term) > self._largest for term in answer):
                    continue
                row = [0] * predicate[1]
                for place, code in zip(bound, key, strict=True):
                    row[place] = code
                for place, term in zip(free, answer, strict=True):
                    row[place] = symbols.code(term)
                found.append(row)
                counts[number] += 1
        return np.array(found, np.int64).reshape(len(found), predicate[1]), counts

    def _called_as_declared(self, predicate: Predicate, bound: tuple[int, ...]) -> bool:
        return any(needed <= {*bound} for needed in self._inputs[predicate])

    def _is_open(self, predicate: Predicate, bound: tuple[int, ...]) -> bool:
        """Return whether a call has too few bound arguments for the background clauses to be run."""
        return not self._called_as_declared(predicate, bound) and not (bound and self._is_pure(predicate))

    def _is_pure(self, predicate: Predicate) -> bool:
        if predicate not in self._pure:
            self._pure[predicate] = is_pure(
                predicate, self._relations.rules.by_predicate, self._relations.listed
            )
        return self._pure[predicate]

    def _solved(
        self, predicate: Predicate, bound: tuple[int, ...], keys: Codes, backwards: bool
    ) -> Sequence[Solved | None]:
        """Query the prover; return None for a backward call whose answers are not all known.

        An invalid call, such as a numeric comparison of names, has no answer.
        """
        terms = self._relations.symbols.terms
        calls = [[terms[code] for code in key] for key in keys.tolist()]
        limits = Limits(inferences=MOST_INFERENCES, solutions=MOST_ANSWERS)
        prover = self._relations.prover()
        try:
            solutions = prover.solutions_each(predicate, bound, calls, limits)
        except InputError:
            if len(calls) == 1:
                return [None if backwards else ()]
            half = len(calls) // 2
            return [
                *self._solved(predicate, bound, keys[:half], backwards),
                *self._solved(predicate, bound, keys[half:], backwards),
            ]
        if not backwards:
            return solutions.found
        return [
            found if complete and not solutions.dropped else None
            for found, complete in zip(solutions.found, solutions.complete.tolist(), strict=True)
        ]


def _weight(term: Term) -> int:
    if isinstance(term, Constant):
        return term.value if isinstance(term.value, int) and abs(term.value) < 1 << 40 else 1
    return size(term)
