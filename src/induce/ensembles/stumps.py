"""Stumps for boosting: the columns are sorted once, and every additional stump takes one pass of sums."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import sized
from induce.core.values import Value
from induce.data.schema import Schema
from induce.data.table import Table
from induce.data.training import Examples
from induce.discretise import thresholds
from induce.ensembles import _loops
from induce.ensembles.steps import steps_of
from induce.trees.hypothesis import Tree
from induce.trees.prepared import Prepared
from induce.trees.structure import FRACTIONAL

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


class Stumps:
    """A table that gives the best stump for any row weights (AIMA 18.10).

    Nominal columns have one branch per value, others a threshold. A row with a missing value counts in no
    branch; the stump predicts the majority class of the rows with a known value for it. When stumps are
    compared by error, a stump with many branches is penalised for the number of ways to label them.

    Parameters
    ----------
    examples : Examples
        Examples; rows of weight zero are dropped.
    schema : Schema
        Schema of the training table.
    target : str
        Name of the target column.
    classes : tuple
        The classes, in the order in which ties are broken.
    by_gain : bool
        Whether tests are chosen by information gain rather than by error.
    directions : array of int
        Monotonicity of each input column: 1 or -1 if the second class may only become more or less likely as
        it grows.
    rounds : int
        Approximate number of stumps to learn.
    """

    def __init__(
        self,
        examples: Examples,
        schema: Schema,
        target: str,
        classes: tuple[Value, ...],
        by_gain: bool,
        directions: NDArray[np.int64],
        rounds: int,
    ) -> None:
        self.kept = None if examples.weights is None else np.flatnonzero(examples.weights)
        examples = examples.counted()
        self.table, self.labels = examples.table, examples.labels
        self.schema, self.target, self.classes = schema, target, classes
        self.by_gain, self.directions = by_gain, directions
        self.n_rows: float = len(self.labels)
        inputs = self.table.schema
        found = Prepared(self.table).sorted
        self.rows = np.stack([rows for rows, _ in found])
        self.ends = np.ones(self.rows.shape, np.bool_)
        for f, (_, ranks) in enumerate(found):
            np.not_equal(ranks[1:], ranks[:-1], out=self.ends[f, :-1])
        self.n_missing = np.array([int((ranks < 0).sum()) for _, ranks in found], np.int64)
        self.kind = np.array(
            [_loops.MULTIWAY if by_value(column) else _loops.THRESHOLD for column in inputs], np.int64
        )
        self.charge = np.zeros(len(inputs)) if by_gain else self._charges()
        self.search = sized(_loops.search, float(self.rows.size) * rounds)

    def learn(self, weights: Floats) -> Tree:
        """Return the best stump for the weights of all examples, or a leaf if none helps."""
        weights = weights if self.kept is None else weights[self.kept]
        n_classes, n_columns = len(self.classes), len(self.rows)
        totals = self._totals(weights)
        known = np.repeat(totals[None, :], n_columns, axis=0)
        for f in np.flatnonzero(self.n_missing).tolist():
            rows = self.rows[f, : self.n_missing[f]]
            known[f] -= np.bincount(self.labels[rows], weights[rows], n_classes)
        merit, cut = np.empty(n_columns), np.empty(n_columns, np.int64)
        self.search(
            self.rows,
            self.ends,
            self.n_missing,
            self.kind,
            self.directions,
            self.labels,
            weights,
            np.where(self.labels == 1, weights, -weights),
            known,
            np.empty(n_classes),
            self.by_gain,
            merit,
            cut,
        )
        if not self.by_gain:  # the prediction for missing values is correct for some rows
            merit += (totals - known)[np.arange(n_columns), known.argmax(axis=1)] - self.charge * totals.sum()
        best, least = None, 0.0 if self.by_gain else float(totals.max())
        for f in range(n_columns):
            if merit[f] > least + _loops.TOLERANCE * totals.sum():
                best, least = f, float(merit[f])
        return self._leaf(totals) if best is None else self._stump(best, int(cut[best]), totals, weights)

    def _totals(self, weights: Floats) -> Floats:
        return np.bincount(self.labels, weights, len(self.classes)).astype(np.float64)

    def _charges(self) -> Floats:
        """Return, per column, the fraction of the weight by which its stump may beat a threshold by chance.

        The error of the best of H hypotheses on n rows deviates by sqrt(ln H / 2n) (Hoeffding). With c
        classes and k branches there are c^k stumps, and with a threshold about n c^2; only the excess over
        the latter is penalised.
        """
        n, n_classes = self.n_rows, max(2, len(self.classes))
        values = np.array(
            [ends[start:].sum() for ends, start in zip(self.ends, self.n_missing, strict=True)], np.float64
        )
        of_branches = np.sqrt(values * np.log(n_classes) / (2.0 * n))
        of_threshold = np.sqrt(np.log(n * n_classes**2) / (2.0 * n))
        return np.where(self.kind == _loops.MULTIWAY, np.maximum(of_branches - of_threshold, 0.0), 0.0)

    def _leaf(self, totals: Floats) -> Tree:
        return self._tree(np.array([-1]), np.nan, [], totals[None, :])

    def _stump(self, f: int, cut: int, totals: Floats, weights: Floats) -> Tree:
        column, values = self.table.schema.columns[f], self.table.column(f)
        threshold, branch_map = np.nan, []
        if by_value(column):
            branch, n_branches = values, len(column.domain)
        else:
            low, high = values[self.rows[f, cut]], values[self.rows[f, cut + 1]]
            if column.kind == "nominal":
                branch_map = [int(code > low) for code in range(len(column.domain))]
                branch = values > low
            else:
                threshold = float(thresholds(low, high))
                branch = values > threshold
            n_branches = 2
        labels = self.labels
        if self.n_missing[f]:
            known = self.rows[f, self.n_missing[f] :]
            branch, labels, weights = branch[known], labels[known], weights[known]
        n_classes = len(self.classes)
        cells: Floats = np.bincount(branch * n_classes + labels, weights, n_branches * n_classes)  # type: ignore[assignment]
        return self._branched(f, threshold, branch_map, totals, cells.reshape(n_branches, n_classes))

    def _branched(
        self, f: int, threshold: float, branch_map: list[int], totals: Floats, cells: Floats
    ) -> Tree:
        attribute = np.append(f, np.full(len(cells), -1))
        return self._tree(attribute, threshold, branch_map, np.vstack([totals, cells]))

    def _tree(self, attribute: NDArray[Any], threshold: float, branch_map: list[int], counts: Floats) -> Tree:
        n_leaves = len(attribute) - 1
        nothing = np.full(n_leaves, -1, np.int32)
        return Tree(
            schema=self.schema,
            target=self.target,
            classes=self.classes,
            attribute=attribute.astype(np.int32),
            threshold=np.append(threshold, np.full(n_leaves, np.nan)),
            first=np.append(1 if n_leaves else -1, nothing).astype(np.int32),
            n_branches=np.append(n_leaves, np.zeros(n_leaves)).astype(np.int32),
            map_start=np.append(0 if branch_map else -1, nothing).astype(np.int32),
            branch_map=np.array(branch_map, np.int32),
            counts=counts,
        )


def is_stump(hypothesis: Any) -> bool:
    """Return whether a hypothesis is a tree with at most one plain test."""
    return (
        type(hypothesis) is Tree
        and hypothesis.n_nodes == 1 + int(hypothesis.n_branches[0])
        and hypothesis.missing == FRACTIONAL
        and hypothesis.surrogates is None
        and not len(hypothesis.cuts)
    )


def stump_codes(stump: Tree, table: Table) -> Codes:
    """Return the class code that a stump predicts for each row, without a compiled loop.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> stump = induce.DecisionStump().fit(X, y).hypothesis_
    >>> stump_codes(stump, stump.encoded(X))[:4].tolist()
    [1, 1, 0, 0]
    """
    if stump.n_nodes == 1:
        return np.full(len(table), stump.majority[0])
    return np.asarray(steps_of(stump).of(table.column(int(stump.attribute[0]))))


def by_value(column: Any) -> bool:
    """Return whether a column has one branch per value."""
    return bool(column.kind == "nominal" and not column.ordered)
