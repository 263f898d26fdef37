"""The general-to-specific search space of propositional rules: conjunctions and the rows they cover."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import repeated
from induce.covering import Refinements
from induce.rules import _loops
from induce.rules.encoding import Coded, Flags, State, Test
from induce.rules.measures import performance
from induce.rules.training import Floats

JUDGING = 3
"""Elementary steps to process one cell while tests are evaluated."""


@dataclass(frozen=True, eq=False)
class Limits:
    """Limits that rules must respect.

    Parameters
    ----------
    may : array of uint8, shape (attributes, kinds of test, classes)
        Kinds of test on each attribute that rules for each class may contain.
    open_values : array of uint8
        Nominal values that may be tested for (see `Coded.starts`).
    critical : float
        Minimum likelihood ratio of a rule.
    max_length : int or None
        Maximum number of tests of a rule.
    sets : bool
        Whether a nominal attribute may be tested for membership in a set of values.
    """

    may: Flags
    open_values: Flags
    critical: float = 0.0
    max_length: int | None = None
    sets: bool = False


@dataclass(frozen=True, eq=False)
class Rest:
    """The weights of rows of other classes per value, while one class is learned (see `_loops.tally`)."""

    heavy: Floats
    keys: NDArray[np.int64]
    below: NDArray[np.int64]
    above: NDArray[np.int64]

    @classmethod
    def of(cls, coded: Coded, rows: NDArray[np.bool_]) -> Rest:
        """Return the weights of the selected rows."""
        chosen = np.flatnonzero(rows).astype(np.int32)
        tally = repeated(_loops.tally, JUDGING * len(chosen) * len(coded.columns))
        with np.errstate(over="ignore"):  # keys wrap around at 64 bits
            return cls(*tally(chosen, coded.columns, coded.slots, coded.offsets, coded.weights, coded.marks))


class Conjunctions:
    """Conjunctions from the most general one down, evaluated on the rows they cover.

    Parameters
    ----------
    coded : Coded
        Encoded training table.
    task : Task
        Settings of the evaluation.
    prior : array
        Class frequencies in the whole training table.
    expected : array
        Class frequencies from which those of a rule must differ significantly.
    fresh : array
        Contribution of each row to the tie-breaker.
    limits : Limits
        Limits that rules must respect.
    start : State
        Initial state of the search.
    rest : (Rest, State), optional
        If the initial state covers everything, the weights of the other classes and the rows of the target,
        which then determine its refinements.
    before : dict, optional
        Cached states of the search for the previous rule, by the key of their rows. Most of them lose no row
        to a rule, so their scores stay valid.
    """

    def __init__(
        self,
        coded: Coded,
        task: _loops.Task,
        prior: Floats,
        expected: Floats,
        fresh: Floats,
        limits: Limits,
        start: State,
        rest: tuple[Rest, State] | None = None,
        before: dict[int, State] | None = None,
    ) -> None:
        self.coded, self.task, self.limits = coded, task, limits
        self.prior, self.expected, self.fresh = prior, expected, fresh
        self._start, self._rest = start, rest
        self._before = before or {}
        self.seen: dict[int, State] = {}
        n_values = int(coded.starts[-1])
        self._table = np.zeros((n_values, coded.n_classes))
        self._n_steps = n_values * (1 + task.not_equal) + 2 * len(coded.inputs)
        self._widest = int(np.diff(coded.starts).max(initial=0)) if limits.sets else 0
        self._everything = np.ones(coded.n_classes, np.uint8)
        self._free = bool(limits.may.all())

    def start(self) -> list[State]:
        """Return the initial states."""
        return [self._start]

    def head(self, state: State) -> int:
        """Return the class that a rule with these preconditions predicts; -1 if none is allowed."""
        return performance(state.counts, self.task, self.prior, self._open(state))[0]

    def quality(self, state: State) -> tuple[float, float]:
        """Return the PERFORMANCE of a state, and its tie-breaker."""
        return performance(state.counts, self.task, self.prior, self._open(state))[1], state.tie

    def refine(self, state: State) -> Refinements:
        """Evaluate all possible next tests of a state."""
        limits = self.limits
        if limits.max_length is not None and len(state.tests) >= limits.max_length:
            nothing = np.empty(0)
            return Refinements(nothing, nothing, nothing, nothing, np.empty(0, np.int64))
        if "refined" in state.steps:
            known: Refinements = state.steps["refined"]
            return known
        if state is self._start and self._rest is not None:
            tests, scores, keys, sets = self._refined_by_positives(*self._rest)
        else:
            tests, scores, keys, sets = self._refined(state)
        promise, bound, tie, ratio = scores
        quality = np.where(ratio >= limits.critical, promise, -np.inf) if limits.critical else promise
        refined = Refinements(quality, promise, bound, tie, keys)
        state.steps.update(tests=tests, sets=sets, refined=refined)
        return refined

    def _refined(self, state: State) -> tuple[Any, Any, Any, Any]:
        coded, limits = self.coded, self.limits
        refine = repeated(_loops.refine, JUDGING * len(state.rows) * len(coded.columns))
        with np.errstate(all="ignore"):  # keys wrap around at 64 bits, and rows may have zero weight
            return refine(
                state.rows,
                state.orders,
                state.known,
                state.counts,
                state.key,
                coded.columns,
                coded.slots,
                coded.starts,
                coded.labels,
                coded.weights,
                self.fresh,
                coded.marks,
                self.prior,
                self.expected,
                limits.may if self._free else limits.may & self._open(state),
                limits.open_values,
                self._table,
                *self.task,
                self._n_steps,
                self._widest,
            )

    def _refined_by_positives(self, rest: Rest, positives: State) -> tuple[Any, Any, Any, Any]:
        coded, task = self.coded, self.task
        refine = repeated(_loops.refine_positives, JUDGING * len(positives.rows) * len(coded.columns))
        with np.errstate(all="ignore"):  # keys wrap around at 64 bits, and rows may have zero weight
            found = refine(
                positives.rows,
                positives.orders,
                positives.known,
                self._start.key,
                coded.columns,
                coded.slots,
                coded.offsets,
                rest.heavy,
                rest.keys,
                rest.below,
                rest.above,
                coded.weights,
                self.fresh,
                coded.marks,
                self.prior,
                self.expected,
                self.limits.may,
                self.limits.open_values,
                coded.starts,
                task.measure,
                task.target,
                task.not_equal,
                task.m,
                task.base,
                task.lightest,
                task.largest_prior,
                task.significant,
                self._n_steps,
            )
        return *found, None

    def describe(self, state: State, step: int | None) -> str:
        """Return the conditions of a state for a trace, optionally with the test of a step."""
        tests = state.tests if step is None else (*state.tests, self._test(state, step))
        return " AND ".join(map(str, self.coded.conditions(tests))) or "TRUE"

    def take(self, state: State, step: int) -> State:
        """Return the state with one more test."""
        test = self._test(state, step)
        key = int(state.steps["refined"].keys[step])
        known = self.seen.get(key) or self._before.get(key)
        if known is None:
            known = self.coded.take(state, test, self.fresh)
        self.seen[key] = known
        return replace(known, tests=(*state.tests, test))

    def _test(self, state: State, step: int) -> Test:
        """Return the test of a step."""
        attribute, kind, low, high = state.steps["tests"][step].tolist()
        accepted = state.steps["sets"][attribute].copy() if kind == _loops.AMONG else None
        return Test(attribute, kind, low, high, accepted)

    def _open(self, state: State) -> NDArray[np.uint8]:
        """Return the classes that a rule with the tests of a state may predict."""
        if self._free:
            return self._everything
        open_classes = self._everything.copy()
        for test in state.tests:
            open_classes &= self.limits.may[test.attribute, test.kind]
        return open_classes
