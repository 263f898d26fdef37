"""The specific-to-general search space: least general generalisations of examples (as in FIND-S and GOLEM)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import repeated
from induce.covering import Refinements
from induce.rules import _loops
from induce.rules.encoding import Coded, State, Test
from induce.rules.measures import performance
from induce.rules.space import Limits
from induce.rules.training import Floats

Box = NDArray[np.int32]

MOST_SEEDS = 5
MOST_PARTNERS = 30
"""Number of initial examples, and of additional examples with which each conjunction is generalised per step."""


class Generalisations:
    """Conjunctions generalised from single examples, each step to cover one more example of the same class.

    A conjunction is a box: per column, the codes or ranks from `low` to `high`, or all values if `low` is -1.
    """

    def __init__(
        self,
        coded: Coded,
        task: _loops.Task,
        prior: Floats,
        fresh: Floats,
        limits: Limits,
        root: State,
        uncovered: NDArray[np.bool_],
        random: np.random.Generator,
    ) -> None:
        self.coded, self.task, self.prior, self.fresh = coded, task, prior, fresh
        self.limits, self.root = limits, root
        open_rows = np.flatnonzero(uncovered)
        self.seeds = np.sort(random.choice(open_rows, min(MOST_SEEDS, len(open_rows)), replace=False))
        self.partners = np.sort(random.choice(open_rows, min(MOST_PARTNERS, len(open_rows)), replace=False))

    def start(self) -> list[State]:
        """Return the most specific conjunctions of the seeds."""
        states = []
        for seed in self.seeds:
            head = int(self.coded.labels[seed])
            box = np.repeat(self.coded.columns[:, seed, None], 2, axis=1)
            states.append(self._state(self._widened(box, head), head))
        return states

    def head(self, state: State) -> int:
        """Return the class that a rule with these preconditions predicts."""
        return int(state.steps["head"])

    def quality(self, state: State) -> tuple[float, float]:
        """Return the PERFORMANCE of a state, and its tie-breaker."""
        return self._judged(state.counts, len(state.tests), self.head(state))[0], state.tie

    def refine(self, state: State) -> Refinements:
        """Evaluate the least general generalisations that cover one more example of the class."""
        box, head = state.steps["box"], self.head(state)
        others = self.coded.columns[:, self.partners[self.coded.labels[self.partners] == head]]
        boxes = [self._joined(box, cells, head) for cells in others.T]
        boxes = [other for other in boxes if (other != box).any()]
        state.steps["boxes"] = boxes
        count_boxes = repeated(_loops.count_boxes, len(boxes) * len(self.root.rows))
        with np.errstate(over="ignore"):  # keys wrap around at 64 bits
            counts, keys, ties = count_boxes(
                np.array(boxes, np.int32).reshape(len(boxes), *box.shape),
                self.root.rows,
                self.coded.columns,
                self.coded.labels,
                self.coded.weights,
                self.fresh,
                self.coded.marks,
                self.coded.n_classes,
            )
        judged = [
            self._judged(each, len(self._tests(other)), head)
            for each, other in zip(counts, boxes, strict=True)
        ]
        quality, promise = np.array(judged, np.float64).reshape(len(boxes), 2).T
        return Refinements(quality, promise, np.full(len(boxes), np.inf), ties, keys)

    def take(self, state: State, step: int) -> State:
        """Return the state of a generalisation."""
        return self._state(state.steps["boxes"][step], self.head(state))

    def _judged(self, counts: Floats, length: int, head: int) -> tuple[float, float]:
        """Return the performance as a rule, -inf if not allowed, and as a starting point for further steps."""
        task = self.task._replace(target=head)
        value = performance(counts, task, self.prior)[1]
        too_long = self.limits.max_length is not None and length > self.limits.max_length
        return (-np.inf if too_long or counts.sum() < task.lightest else value), value

    def _joined(self, box: Box, cells: NDArray[np.int32], head: int) -> Box:
        """Return the smallest box that also contains a given row."""
        low, high = np.minimum(box[:, 0], cells), np.maximum(box[:, 1], cells)
        apart = (self.coded.slots < 0) & (low != high)
        joined = np.where((apart | (low < 0))[:, None], -1, np.stack([low, high], axis=1))
        return self._widened(joined.astype(np.int32), head)

    def _widened(self, box: Box, head: int) -> Box:
        """Return the box without conditions that are forbidden for the class or vacuous."""
        may, starts = self.limits.may, self.coded.starts
        for a, (low, high) in enumerate(box.tolist()):
            if self.coded.slots[a] < 0:
                if low >= 0 and not (may[a, _loops.EQUAL, head] and self.limits.open_values[starts[a] + low]):
                    box[a] = -1
                continue
            if not may[a, _loops.ABOVE, head]:
                low = 0
            if not may[a, _loops.AT_MOST, head]:
                high = self._last(a)
            box[a] = -1 if low < 0 or (low == 0 and high == self._last(a)) else (low, high)
        return box

    def _last(self, a: int) -> int:
        return len(self.coded.values.get(a, self.coded.inputs[a].domain)) - 1

    def _tests(self, box: Box) -> tuple[Test, ...]:
        tests = []
        for a, (low, high) in enumerate(box.tolist()):
            if low < 0:
                continue
            if self.coded.slots[a] < 0:
                tests.append(Test(a, _loops.EQUAL, low, low))
                continue
            if low > 0:
                tests.append(Test(a, _loops.ABOVE, low - 1, low))
            if high < self._last(a):
                tests.append(Test(a, _loops.AT_MOST, high, high + 1))
        return tuple(tests)

    def _state(self, box: Box, head: int) -> State:
        state = self.root
        for test in self._tests(box):
            state = self.coded.take(state, test, self.fresh)
        return replace(state, steps={"box": box, "head": head})
