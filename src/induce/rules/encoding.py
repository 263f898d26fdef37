"""Encoding of a training table for the loops of rule learners, and conditions from their tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.loops import repeated
from induce.data.schema import Column
from induce.discretise import thresholds
from induce.hypotheses.conditions import Above, AtMost, Condition, Is, none_of, one_of, simplified
from induce.rules import _loops
from induce.rules.training import Floats, Problem

MOST_ROWS = 1 << _loops.RANK_BITS
Ints = NDArray[np.int32]
Flags = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Test:
    """A test in codes: a value equal to `low` or among those `accepted`, or a threshold between two ranks.

    The threshold is the midpoint of the values with these ranks, unless one is given.
    """

    attribute: int
    kind: int
    low: int
    high: int
    accepted: Flags | None = None
    threshold: float | None = None


@dataclass(eq=False, slots=True)
class State:
    """A conjunction and the rows it covers (see `_loops`)."""

    rows: Ints
    orders: NDArray[np.int64]
    known: NDArray[np.int64]
    counts: Floats
    key: int
    tie: float
    tests: tuple[Test, ...] = ()
    steps: dict[str, Any] = field(default_factory=dict)

    @property
    def covered(self) -> float:
        """The weight of the covered rows."""
        return float(self.counts.sum())


class Coded:
    """The columns of a problem as codes of values, or as ranks for thresholds."""

    def __init__(self, problem: Problem) -> None:
        self.inputs: tuple[Column, ...] = tuple(problem.table.schema)
        self.classes = problem.classes
        self.n_classes = len(problem.classes)
        self.labels = problem.labels.astype(np.int32)
        self.weights = np.ascontiguousarray(problem.examples.weight())
        n = len(self.labels)
        if n > MOST_ROWS:
            raise InputError(
                f"there are {n:,} rows, but rule learners accept at most {MOST_ROWS:,}; take a sample"
            )
        self.columns: Ints = np.empty((len(self.inputs), n), np.int32)
        self.slots = np.full(len(self.inputs), -1, np.int64)
        self.starts = np.zeros(len(self.inputs) + 1, np.int64)
        self.values: dict[int, Floats] = {}
        n_slots = 0
        for a, column in enumerate(self.inputs):
            raw = problem.table.column(a)
            n_values = 0
            if column.kind == "nominal":
                self.columns[a] = raw
                n_values = 0 if column.ordered else len(column.domain)
            else:
                missing = np.isnan(raw)
                self.values[a], ranks = np.unique(raw[~missing], return_inverse=True)
                self.columns[a, missing] = -1
                self.columns[a, ~missing] = ranks
            if column.kind != "nominal" or column.ordered:
                self.slots[a] = n_slots
                n_slots += 1
            self.starts[a + 1] = self.starts[a] + n_values
        sizes = [len(self.values.get(a, column.domain)) for a, column in enumerate(self.inputs)]
        self.offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.marks = np.random.default_rng(0).integers(1, 2**63 - 1, n)
        self._inside = np.zeros(n, np.uint8)
        self._nothing = np.zeros(0, np.uint8)
        self._no_ties = np.zeros(n)

    def __len__(self) -> int:
        return len(self.labels)

    def everything(self) -> State:
        """Return the most general state, which covers all rows."""
        ordered = [a for a in range(len(self.inputs)) if self.slots[a] >= 0]
        orders = np.zeros((len(ordered), len(self)), np.int64)
        known = np.zeros(len(ordered), np.int64)
        rows = np.arange(len(self))
        for j, a in enumerate(ordered):
            has = self.columns[a] >= 0
            known[j] = int(has.sum())
            ranks = self.columns[a, has].astype(np.int64)
            entries = (ranks << _loops.ROW_BITS | rows[has]) << _loops.LABEL_BITS | self.labels[has]
            orders[j, : known[j]] = np.sort(entries)
        counts = np.asarray(np.bincount(self.labels, self.weights, self.n_classes), np.float64)
        return State(rows.astype(np.int32), orders, known, counts, int(self.marks.sum()), 0.0)

    def take(self, state: State, test: Test, fresh: Floats | None = None) -> State:
        """Return the state with one more test; `fresh` is the contribution of each row to the tie-breaker."""
        column = self.columns[test.attribute]
        accepted = self._nothing if test.accepted is None else test.accepted
        return self._taken(state, column, test.kind, test.low, accepted, fresh, (*state.tests, test))

    def only(self, state: State, wanted: NDArray[np.bool_], fresh: Floats | None = None) -> State:
        """Return the state restricted to the given rows."""
        column = wanted.astype(np.int32)
        return self._taken(state, column, _loops.EQUAL, 1, self._nothing, fresh, state.tests)

    def _taken(
        self,
        state: State,
        column: Ints,
        kind: int,
        low: int,
        accepted: Flags,
        fresh: Floats | None,
        tests: tuple[Test, ...],
    ) -> State:
        take = repeated(_loops.take, len(state.rows) * (1 + len(state.known)) / 2)
        with np.errstate(over="ignore"):  # keys wrap around at 64 bits
            rows, orders, known, counts, key, tie = take(
                state.rows,
                state.orders,
                state.known,
                self.columns,
                self.slots,
                column,
                kind,
                low,
                accepted,
                self.labels,
                self.weights,
                self._no_ties if fresh is None else fresh,
                self.marks,
                self._inside,
                self.n_classes,
            )
        return State(rows, orders, known, counts, int(key), float(tie), tests)

    def conditions(self, tests: tuple[Test, ...]) -> tuple[Condition, ...]:
        """Return tests as conditions, at most one per attribute."""
        return simplified(self._condition(test) for test in tests)

    def _condition(self, test: Test) -> Condition:
        column = self.inputs[test.attribute]
        if column.kind == "nominal":
            if test.kind == _loops.EQUAL:
                return Is(column.name, column.domain[test.low])
            if test.kind == _loops.OTHER:
                return none_of(column, (column.domain[test.low],))
            codes = np.arange(len(column.domain))
            if test.accepted is not None:
                kept = test.accepted[: len(codes)] != 0
            else:
                kept = codes <= test.low if test.kind == _loops.AT_MOST else codes > test.low
            return one_of(column.name, tuple(column.domain[code] for code in codes[kept]))
        threshold = test.threshold
        if threshold is None:
            values = self.values[test.attribute]
            threshold = float(thresholds(values[test.low], values[test.high]))
        kind = AtMost if test.kind == _loops.AT_MOST else Above
        return kind(column.name, threshold)
