"""Training table of RIPPER: distinct rows, and their split into growing and pruning rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.hypotheses.conditions import Condition, Mask
from induce.rules._loops import ABOVE, AT_MOST, EQUAL
from induce.rules.encoding import Coded, Ints, Test
from induce.rules.training import Floats

Step = tuple[int, int, int]
"""A grown test: the attribute, the kind of test, and the code or rank."""

MOST_COPIES = 2**20
"""Maximum number of copies of rows that are assigned individually; more are assigned in batches."""


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """The distinct rows of a training table, in an order that does not depend on the order of the table.

    Rows that agree in all cells and in class become one row of larger weight. Repeating a row is therefore
    the same as weighting it, and the order of rows makes no difference.

    Parameters
    ----------
    coded : Coded
        The whole table.
    index : array
        Index of the first of each group of equal rows.
    cells : array of int32, shape (attributes, rows)
        Codes or ranks; -1 if missing.
    labels, weights : array
        The class and the weight of each row.
    strata : array of int16
        Number of classes rarer than that of the row.
    copies : array of int64
        Number of equal parts of the row that are assigned separately.
    """

    coded: Coded
    index: NDArray[np.intp]
    cells: Ints
    labels: Ints
    weights: Floats
    strata: NDArray[np.int16]
    copies: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.labels)

    def n_tests(self) -> float:
        """Return the number of tests: one for a nominal value, two for an ordered one."""
        ordered = [
            len(self.coded.values.get(a, column.domain))
            for a, column in enumerate(self.coded.inputs)
            if self.coded.slots[a] >= 0
        ]
        return float(self.coded.starts[-1] + 2 * sum(ordered))

    def passes(self, step: Step, some: NDArray[np.intp] | None = None) -> Mask:
        """Return whether each row, or each of the given rows, passes a test; a missing value passes none."""
        attribute, kind, low = step
        cells = self.cells[attribute] if some is None else self.cells[attribute, some]
        if kind == EQUAL:
            return np.asarray(cells == low)
        return np.asarray(cells > low if kind == ABOVE else (cells <= low) & (cells >= 0))

    def conditions(self, steps: Iterable[Step]) -> tuple[Condition, ...]:
        """Return tests as conditions, at most one per attribute."""
        return self.coded.conditions(tuple(map(self._test, steps)))

    def deal(self, live: Mask, n_folds: int, draws: np.random.Generator) -> tuple[Floats, Floats]:
        """Split the live rows at random, one copy in `n_folds` for pruning; return the weights in both parts.

        The copies are shuffled within each class, so that both parts have the same proportion of every class.
        The remainder of the rarest class goes to the growing part.
        """
        rows = np.flatnonzero(live)
        copies = draws.permutation(np.repeat(rows, self.copies[rows]))
        by_class = copies[np.argsort(self.strata[copies], kind="stable")]
        held = np.bincount(by_class[n_folds - 1 :: n_folds], minlength=len(self))
        each = self.weights / self.copies
        return np.where(live, (self.copies - held) * each, 0.0), held * each

    def _test(self, step: Step) -> Test:
        attribute, kind, low = step
        values = self.coded.values.get(attribute)
        if kind == AT_MOST and values is not None and low == len(values) - 1:
            return Test(attribute, kind, low, low, threshold=float(values[low]))
        return Test(attribute, kind, low, low + 1)


def distinct_rows(coded: Coded, repeated: bool) -> DistinctRows:
    """Return the distinct rows of a training table.

    Parameters
    ----------
    coded : Coded
        Encoded training table.
    repeated : bool
        Whether integer weights mean that rows were repeated; if not, a row stays in one piece, whatever its
        weight.
    """
    order = np.lexsort((*coded.columns, coded.labels))
    cells, labels = coded.columns[:, order], coded.labels[order]
    new = np.ones(len(labels), dtype=np.bool_)
    new[1:] = (cells[:, 1:] != cells[:, :-1]).any(axis=0) | (labels[1:] != labels[:-1])
    starts = np.flatnonzero(new)
    weights = np.add.reduceat(coded.weights[order], starts)
    whole = repeated and bool((coded.weights == np.floor(coded.weights)).all())
    copies = weights if whole else np.diff(starts, append=len(labels)).astype(np.float64)
    counts = np.bincount(coded.labels, coded.weights, coded.n_classes)
    rarer = np.argsort(np.argsort(counts, kind="stable"))
    lot = max(1.0, copies.sum() / max(MOST_COPIES, len(starts)))
    return DistinctRows(
        coded,
        order[starts],
        np.ascontiguousarray(cells[:, starts]),
        labels[starts],
        weights,
        rarer[labels[starts]].astype(np.int16),
        np.maximum(1, copies // lot).astype(np.int64),
    )
