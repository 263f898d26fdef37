"""Growing and pruning one rule, as in IREP (Cohen 1995)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from induce.core import trace
from induce.core.loops import repeated
from induce.core.values import Value
from induce.hypotheses.conditions import Condition, Mask
from induce.rules._loops import EQUAL
from induce.rules.encoding import Flags
from induce.rules.ripper import _loops as loops
from induce.rules.ripper.rows import DistinctRows, Step
from induce.rules.training import Floats

TESTING = 6
"""Elementary steps to process one cell while a rule is grown."""


@dataclass(frozen=True, eq=False)
class Aim:
    """Task of growing rules for one class.

    Parameters
    ----------
    prediction : str, int, float or bool
        Predicted class.
    positive : array of bool
        Rows of the predicted class.
    given : tuple of Condition
        Initial conditions of the rules.
    inside : array of bool
        Rows that satisfy the initial conditions.
    may : array of uint8, shape (attributes, kinds of test)
        Tests that the rules may contain.
    """

    prediction: Value
    positive: Mask
    given: tuple[Condition, ...]
    inside: Mask
    may: Flags


@dataclass(frozen=True, eq=False)
class Grown:
    """A rule: the tests that follow the given conditions, and the rows that satisfy all of them."""

    steps: tuple[Step, ...]
    covers: Mask


class Grower:
    """Grows rules test by test on sorted lists of their covered rows, and prunes them on other rows.

    Parameters
    ----------
    rows : DistinctRows
        Distinct rows of the training table.
    open_values : array of uint8
        Nominal values that may be tested for.
    min_weight : float
        Minimum weight of the covered rows of the class after adding a test.
    max_length : int, optional
        Maximum number of conditions of a rule.
    """

    def __init__(
        self, rows: DistinctRows, open_values: Flags, min_weight: float, max_length: int | None
    ) -> None:
        self.rows = rows
        self._open_values = open_values
        self._min_weight = float(min_weight)
        self._max_length = max_length
        coded = rows.coded
        ranks = rows.cells[coded.slots >= 0]
        self._lengths = np.append((ranks >= 0).sum(axis=1), len(rows))
        self._order = np.tile(np.arange(len(rows)), (len(self._lengths), 1))
        for order, column, length in zip(self._order, ranks, self._lengths, strict=False):
            by_rank = np.argsort(column, kind="stable")[len(rows) - length :]
            order[:length] = column[by_rank].astype(np.int64) << 32 | by_rank
        self._kept = np.empty_like(self._order)
        self._sizes = np.empty_like(self._lengths)
        self._signed = np.empty(len(rows))
        self._inside = np.empty(len(rows), dtype=np.uint8)
        self._room = np.empty((2, int(np.diff(coded.starts).max())))

    def rule(self, aim: Aim, steps: tuple[Step, ...]) -> Grown:
        """Return the rule with some tests."""
        covers = aim.inside
        for step in steps:
            covers = covers & self.rows.passes(step)
        return Grown(steps, covers)

    def grow(self, aim: Aim, weight: Floats, steps: tuple[Step, ...] = ()) -> tuple[Step, ...]:
        """Add tests of highest FOIL gain until only rows of the class are covered.

        The rows of nonzero weight must satisfy the given conditions and the existing `steps`.
        """
        gains = [float("nan")] * len(steps)
        may = aim.may.copy()
        may[[attribute for attribute, kind, _ in steps if kind == EQUAL], EQUAL] = 0
        repeated(loops.start, self._order.size)(
            self._order,
            self._lengths,
            weight,
            aim.positive,
            self._kept,
            self._sizes,
            self._signed,
            self._inside,
        )
        # fewer rows remain with each test
        add_test = repeated(loops.add_test, TESTING * int(self._sizes.sum()))
        with np.errstate(all="ignore"):  # rounding may leave nothing of a small weight
            while self._max_length is None or len(aim.given) + len(steps) < self._max_length:
                attribute, kind, low, gain = add_test(
                    self.rows.cells,
                    self.rows.coded.slots,
                    self.rows.coded.starts,
                    self._kept,
                    self._sizes,
                    self._signed,
                    self._inside,
                    may,
                    self._open_values,
                    self._min_weight,
                    self._room,
                )
                if attribute < 0:
                    break
                steps = (*steps, (attribute, kind, int(low)))
                gains.append(float(gain))
                if kind == EQUAL:
                    may[attribute, EQUAL] = 0
        self._tell("rule grown", aim, steps, gains=tuple(gains))
        return steps

    def prune(self, aim: Aim, weight: Floats, steps: tuple[Step, ...], whole: bool = False) -> Grown:
        """Return the rule without its last tests that make it worse on the pruning rows.

        The worth of a rule is its precision by Laplace's estimate or, with `whole`, the accuracy on all
        pruning rows.
        """
        worth = prefix_worth(self.rows, aim.positive, weight, steps, whole)
        kept = steps[: int(worth.argmax())] if weight.any() else steps
        self._tell("rule pruned", aim, kept, dropped=len(steps) - len(kept), worth=tuple(worth.tolist()))
        return self.rule(aim, kept)

    def _tell(self, kind: str, aim: Aim, steps: tuple[Step, ...], **data: object) -> None:
        if trace.active(kind):
            made = (str(self.rows.conditions([step])[0]) for step in steps)
            trace.emit(kind, prediction=aim.prediction, conditions=(*map(str, aim.given), *made), **data)


def prefix_worth(
    rows: DistinctRows, positive: Mask, weight: Floats, steps: tuple[Step, ...], whole: bool
) -> Floats:
    """Return the worth of a rule with its first 0, 1, 2, … tests on the rows of nonzero weight."""
    p, t = np.empty(len(steps) + 1), np.empty(len(steps) + 1)
    left = np.flatnonzero(weight)
    for k in range(len(steps) + 1):
        if k:
            left = left[rows.passes(steps[k - 1], left)]
        t[k], p[k] = weight[left].sum(), weight[left[positive[left]]].sum()
    if whole:
        wrong = t - p + (p[0] - p)
        return np.asarray(1.0 - wrong / max(t[0], np.finfo(np.float64).tiny))
    return (p + 1.0) / (t + 2.0)
