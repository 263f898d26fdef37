"""Predicates whose facts cannot be listed; the prover answers each call, and answers are cached."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from induce.core.errors import InputError
from induce.core.notes import note
from induce.logic.clauses import Predicate
from induce.logic.facts import Codes, Facts, Matches, Symbols
from induce.logic.limits import Limits
from induce.logic.prover import Prover
from induce.logic.terms import Term

MOST_INFERENCES = 20_000_000
"""Maximum number of inferences for all calls of a predicate."""
MOST_CELLS = 1_000_000
"""Maximum number of memory cells for all answers to the calls of a predicate."""
FIRST_CALLS = 4
"""Number of calls after which the work per call is known."""

Solved = tuple[tuple[Term, ...], ...]
"""Answers to one call: the terms of its unbound arguments."""


class Called:
    """Relation of a predicate defined by clauses, whose facts are computed on demand.

    The inferences and answers of all calls together are limited; later calls are assumed false, with a note.

    Parameters
    ----------
    predicate : Predicate
    symbols : Symbols
    prover : callable
        Function that returns the prover, which is created on first use.
    inputs : tuple of tuple of int
        Alternative sets of argument positions that must be bound in a call; by default any call is allowed.
    inferences : int
        Maximum number of inferences per call.
    """

    def __init__(
        self,
        predicate: Predicate,
        symbols: Symbols,
        prover: Callable[[], Prover],
        inputs: tuple[tuple[int, ...], ...] = ((),),
        inferences: int = 100_000,
    ) -> None:
        self.predicate = predicate
        self.inputs = inputs
        self.has_modes = inputs != ((),)
        self._symbols = symbols
        self._prover = prover
        self._inferences = inferences
        self._noted = False
        self._work = np.zeros(2)  # inferences, and cells of answers
        self._n_calls = 0
        self._known: dict[tuple[int, ...], tuple[set[bytes], Facts]] = {}

    def callable_with(self, bound: tuple[int, ...]) -> bool:
        """Return whether the predicate can be called when the arguments at these positions are known."""
        return any(set(needed) <= set(bound) for needed in self.inputs)

    def matches(self, bound: tuple[int, ...], keys: Codes) -> Matches:
        """Return, for each row of `keys`, the facts that match it at the positions `bound`."""
        if not self.callable_with(bound):
            name, arity = self.predicate
            raise InputError(
                f"{name}/{arity} is called with too few bound arguments; its modes require "
                + " or ".join(str([place + 1 for place in needed]) for needed in self.inputs)
            )
        known, facts = self._known.get(bound, (set(), Facts.of(np.empty((0, self.predicate[1]), np.int64))))
        keys = np.ascontiguousarray(keys, np.int64)
        new = {
            key.tobytes(): tuple(key.tolist())
            for key in np.unique(keys, axis=0)
            if key.tobytes() not in known
        }
        if new:
            facts = Facts.of(np.concatenate([facts.rows, self._answers(bound, [*new.values()])]))
            known = known | set(new)
            self._known[bound] = known, facts
        return facts.matches(bound, keys)

    def _answers(self, bound: tuple[int, ...], keys: list[tuple[int, ...]]) -> Codes:
        """Query the prover for the facts that match each key."""
        terms, code = self._symbols.terms, self._symbols.code
        asked = [tuple(terms[part] for part in key) for key in keys]
        free = [place for place in range(self.predicate[1]) if place not in bound]
        solutions: list[Solved] = []
        while len(solutions) < len(asked) and (most := self._calls_left()):
            calls = asked[len(solutions) : len(solutions) + most]
            try:
                solutions += self._solutions(bound, calls)
            except InputError:  # one of the calls is invalid, such as a numeric comparison of names
                solutions += [self._alone(bound, call) for call in calls]
        if len(solutions) < len(asked):
            self._note_work()
        found = []
        for key, answers in zip(keys, solutions, strict=False):
            for answer in answers:
                row = [0] * self.predicate[1]
                for place, part in zip(bound, key, strict=True):
                    row[place] = part
                for place, term in zip(free, answer, strict=True):
                    row[place] = code(term)
                found.append(row)
        return np.array(found, np.int64).reshape(len(found), self.predicate[1])

    def _solutions(self, bound: tuple[int, ...], asked: list[tuple[Term, ...]]) -> Sequence[Solved]:
        limits = Limits(inferences=self._inferences)
        solutions = self._prover().solutions_each(self.predicate, bound, asked, limits)
        self._work += solutions.inferences, solutions.cells
        self._n_calls += len(asked)
        return solutions.found

    def _calls_left(self) -> int:
        """Return the number of calls for which the remaining work suffices if they need as much as earlier ones."""
        used = float((self._work / (MOST_INFERENCES, MOST_CELLS)).max())
        if used >= 1 or not self._n_calls:
            return 0 if used >= 1 else FIRST_CALLS
        affordable = self._n_calls * (1 - used) / used if used else np.inf
        return int(min(max(affordable, 1), 4 * self._n_calls))

    def _note_work(self) -> None:
        name, arity = self.predicate
        note(
            f"calls of {name}/{arity} needed {self._work[0]:,.0f} inferences and {self._work[1]:,.0f} cells for "
            f"their answers, more than the limits ({MOST_INFERENCES:,} and {MOST_CELLS:,}); others are assumed "
            "false; bind more of its arguments by a mode, or leave it out"
        )

    def _alone(self, bound: tuple[int, ...], key: tuple[Term, ...]) -> Solved:
        """Return the answers to one call; none if the call is invalid, with a single warning to the user."""
        try:
            return self._solutions(bound, [key])[0]
        except InputError as problem:
            if not self._noted:
                self._noted = True
                name, arity = self.predicate
                note(f"{name}/{arity} is assumed false where it cannot be evaluated: {problem}")
            return ()
