"""Growth of a regression tree: the table is sorted once; then nodes are split in bounded compiled steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.arrays import longer
from induce.core.loops import repeated
from induce.data.schema import Schema
from induce.data.table import Table, positions
from induce.discretise import thresholds
from induce.trees.binning import root_key
from induce.trees.regression import _loops as loops
from induce.trees.regression.hypothesis import RegressionTree
from induce.trees.regression.models import Standardised, with_linear_models

Floats = NDArray[np.float64]

SPLITTERS = {"multiway": loops.MULTIWAY, "subset": loops.SUBSET}
SLACK = 1.0 - loops.TOLERANCE
"""Tolerance by which a sum of fractions may fall short of a limit."""
STEP = 5_000_000
"""Number of entries visited in one compiled step: a small fraction of a second."""


@dataclass(frozen=True)
class RegressionRule:
    """Settings of regression tree growth.

    Parameters
    ----------
    linear : bool
        Whether tests are evaluated by the errors of linear functions in their branches instead of constants.
    nominal : {"subset", "multiway"}
        Branches of a nominal split: two with a subset of the values each, or one per declared value.
    max_depth : int or None
        Maximum depth; None sets no limit.
    min_samples_split, min_samples_leaf : float
        Minimum weight of a node that is split, and minimum weight in at least two branches of a split.
    min_decrease : float
        Minimum reduction of the squared error by a split, as a fraction of that at the root.
    """

    linear: bool = False
    nominal: str = "subset"
    max_depth: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_decrease: float = 0.0


@dataclass(frozen=True, eq=False)
class Measured:
    """Encoded training examples: inputs, numeric targets and weights (None if every example counts once)."""

    table: Table
    y: Floats
    weights: Floats | None

    def __len__(self) -> int:
        return len(self.y)

    def rows(self, index: NDArray[Any]) -> Measured:
        """Return the examples at the given row indices."""
        return Measured(
            self.table.rows(index), self.y[index], None if self.weights is None else self.weights[index]
        )

    def weight(self) -> Floats:
        """Return the weight of every example."""
        return np.ones(len(self)) if self.weights is None else self.weights


def grow(
    examples: Measured,
    schema: Schema,
    target: str,
    rule: RegressionRule,
    progress: Callable[[float], None] | None = None,
    n_tried: int | None = None,
    seed: int = 0,
) -> RegressionTree:
    """Grow a regression tree on the examples; linear leaves are fitted once it is grown.

    `n_tried` columns with a test are drawn at every node, as in a random forest; None tries all columns.
    """
    growth = Growth(examples, rule, n_tried, seed)
    emitted = 0
    while not growth.step():
        growth.make_room()
        emitted = growth.emit(emitted)
        if progress is not None:
            progress(growth.share_done())
    growth.emit(emitted)
    return growth.tree(schema, target)


def settings_of(
    rule: RegressionRule, root_sse: float, n_columns: int, n_tried: int | None, record: bool
) -> loops.RegressionSettings:
    """Return the stopping rules of the loops."""
    return loops.RegressionSettings(
        min_split=0.0 if rule.min_samples_split <= 2 else float(rule.min_samples_split) * SLACK,
        min_leaf=0.0 if rule.min_samples_leaf <= 1 else float(rule.min_samples_leaf) * SLACK,
        min_decrease=float(rule.min_decrease) * root_sse,
        max_depth=np.iinfo(np.int32).max if rule.max_depth is None else int(rule.max_depth),
        root_sse=root_sse,
        record=record,
        n_tried=n_columns if n_tried is None else min(n_tried, n_columns),
    )


def splitters_of(inputs: Schema, rule: RegressionRule) -> NDArray[np.int8]:
    """Return the splitter of each column."""
    found = np.full(len(inputs), loops.THRESHOLD, np.int8)
    for f, column in enumerate(inputs):
        if column.kind == "nominal":
            found[f] = loops.ORDERED if column.ordered else SPLITTERS[rule.nominal]
    return found


class Growth:
    """The arrays of one run of the compiled growth loop."""

    def __init__(
        self,
        examples: Measured,
        rule: RegressionRule,
        n_tried: int | None = None,
        seed: int = 0,
        key: int | None = None,
    ) -> None:
        self.examples = examples
        self.inputs = examples.table.schema
        n, n_columns = len(examples), len(self.inputs)
        weights = examples.weight()
        self.columns = self._columns(splitters_of(self.inputs, rule))
        self.widest = max(2, int(self.columns.domain.max(initial=0)))
        self.standardised = Standardised.of(examples.table, weights) if rule.linear else None
        self.design = self._design()
        terms = 1 if self.design is None else len(self.design.u) ** 2
        self.expected = n * n_columns * n.bit_length() * terms
        """Elementary steps of the whole growth, approximately; consumed by the first step."""
        record = trace.active("split")
        self.nodes = self._root(weights, record)
        whole, _, _, root_sse, _ = self.nodes.about[0].tolist()
        self.settings = settings_of(rule, root_sse, n_columns, n_tried, record)
        self.room = loops.Room(
            branch=np.empty(n, np.uint8 if self.widest < 256 else np.uint16),
            bits=np.zeros(n // 8 + 1, np.uint8),
            row=np.empty(n, np.int32),
            rank=np.empty(n, np.int32),
            target=np.empty(n),
            best=np.zeros((n_columns, 5)),
            side=np.empty((n_columns, self.widest), np.uint8),
            groups=np.empty((2, self.widest)),
            marks=np.empty((4, self.widest), np.int64),
            tried=np.arange(n_columns),
        )
        self.stack = np.zeros(1, np.int64)
        splits = root_sse > 0 and whole >= self.settings.min_split and self.settings.max_depth > 0
        self.nodes.place[0, loops.KEY] = root_key(seed) if key is None else key
        self.state = np.array([1, int(splits), 0, -1, 0, 0], np.int64)
        self.make_room()

    def _columns(self, splitter: NDArray[np.int8]) -> loops.Columns:
        """Sort every column; missing values come first, with rank -1."""
        shape = len(self.inputs), len(self.examples)
        rows, ranks = np.empty(shape, np.int32), np.empty(shape, np.int32)
        for f, column in enumerate(self.inputs):
            values = self.examples.table.column(f)
            if column.kind != "nominal":
                values = np.where(np.isnan(values), -np.inf, values)
            rows[f] = np.argsort(values, kind="stable" if column.kind == "nominal" else None)
            ordered = values[rows[f]]
            if column.kind == "nominal":
                ranks[f] = ordered
            else:
                ranks[f, 0] = -1 if ordered[0] == -np.inf else 0
                ranks[f, 1:] = ranks[f, 0] + np.cumsum(ordered[1:] != ordered[:-1])
        domain = np.array([len(column.domain) for column in self.inputs], dtype=np.int32)
        return loops.Columns(rows, ranks, self.examples.y[rows], splitter, domain)

    def _design(self) -> loops.Design | None:
        if self.standardised is None:
            return None
        n_numbers = self.standardised.z.shape[1]
        n_terms = min(n_numbers, loops.MOST_TERMS)
        n_products = (n_terms + 2) * (n_terms + 3) // 2
        return loops.Design(
            z=self.standardised.z,
            own=np.maximum(positions(self.inputs), -1),
            numbers=np.empty((3, n_numbers)),
            terms=np.empty(n_terms, np.int64),
            used=np.empty(n_terms, np.int64),
            u=np.ones(n_terms + 2),
            sums=np.empty((3, n_products)),
            of_groups=np.empty((self.widest, n_products)),
            kept=np.empty((loops.MOST_CUTS + 1, n_products)),
            kept_at=np.empty(loops.MOST_CUTS + 1, np.int64),
            work=np.empty((n_terms + 1, n_terms + 1)),
        )

    def _root(self, weights: Floats, record: bool) -> loops.Nodes:
        y, whole = self.examples.y, weights.sum()
        mean = y[0] + weights @ (y - y[0]) / whole
        mean += weights @ (y - mean) / whole
        off = y - mean
        drift = weights @ off
        sse = max(weights @ off**2 - drift**2 / whole, loops.SMALLEST) if (y != y[0]).any() else 0.0
        place = np.zeros((1, loops.KEY + 1), np.int64)
        place[0, [loops.ATTRIBUTE, loops.END]] = loops.LEAF, len(y)
        return loops.Nodes(
            place=place,
            about=np.array([[whole, mean, drift, sse, sse]]),
            branch_map=np.empty(0, np.int32),
            gains=np.empty((int(record), len(self.inputs))),
        )

    def step(self) -> bool:
        """Run one bounded step; return whether growth is complete."""
        expected, self.expected = self.expected, 0
        grow = repeated(loops.grow, expected)
        with np.errstate(over="ignore"):  # the bits of a hash
            return bool(
                grow(
                    self.columns,
                    self.examples.weights,
                    self.design,
                    self.nodes,
                    self.room,
                    self.stack,
                    self.state,
                    self.settings,
                    STEP,
                )
            )

    def make_room(self) -> None:
        """Allocate the space that the next step may need."""
        n_nodes, in_stack, mapped = (int(number) + self.widest for number in self.state[:3])
        place, about, branch_map, gains = self.nodes
        if n_nodes > len(place):
            place, about = longer(place, 2 * n_nodes), longer(about, 2 * n_nodes)
            gains = longer(gains, 2 * n_nodes) if self.settings.record else gains
        if mapped > len(branch_map):
            branch_map = longer(branch_map, 2 * mapped)
        self.nodes = loops.Nodes(place, about, branch_map, gains)
        if in_stack > len(self.stack):
            self.stack = longer(self.stack, 2 * in_stack)

    def share_done(self) -> float:
        """Return the fraction of the examples in finished leaves."""
        waiting = self.nodes.place[self.stack[: int(self.state[loops.STACK])]]
        n_waiting = int((waiting[:, loops.END] - waiting[:, loops.BEGIN]).sum())
        return 1.0 - n_waiting / len(self.examples)

    def emit(self, first: int) -> int:
        """Report the nodes split since the last step, with the best gain of each column, to an active trace."""
        if not self.settings.record:
            return first
        n_nodes = int(self.state[loops.N_NODES])
        waiting = set(self.stack[: int(self.state[loops.STACK])].tolist())
        names = self.inputs.names()
        for node in range(first, n_nodes):
            if node in waiting:
                return node
            attribute, depth = self.nodes.place[node, [loops.ATTRIBUTE, loops.DEPTH]].tolist()
            if attribute >= 0:
                n, mean, _, _, sse = self.nodes.about[node].tolist()
                gains = zip(names, self.nodes.gains[node].tolist(), strict=True)
                trace.emit(
                    "split",
                    node=node,
                    depth=depth,
                    n=n,
                    mean=mean,
                    sse=sse,
                    candidates={name: gain for name, gain in gains if gain > -np.inf},
                    chosen=names[attribute],
                    **self._place_of(node),
                )
        return n_nodes

    def _place_of(self, node: int) -> dict[str, Any]:
        """Return the trace fields of a split: threshold, parent, and statistics of its branches."""
        place, threshold = self.nodes.place, float(self._thresholds(self.nodes.place[node : node + 1])[0])
        first = place[:node, loops.FIRST]
        inner = place[:node, loops.ATTRIBUTE] >= 0
        above = np.flatnonzero(inner & (first <= node) & (node < first + place[:node, loops.N_BRANCHES]))
        parent = int(above[-1]) if len(above) else None
        below = int(place[node, loops.FIRST]) + np.arange(place[node, loops.N_BRANCHES])
        told = self.nodes.about[below][:, [loops.WEIGHT, loops.MEAN, loops.SSE]].tolist()
        return {
            "threshold": None if np.isnan(threshold) else threshold,
            "parent": parent,
            "branch": None if parent is None else node - int(first[parent]),
            "branches": tuple({"n": n, "mean": mean, "sse": sse} for n, mean, sse in told),
        }

    def tree(self, schema: Schema, target: str) -> RegressionTree:
        """Return the grown nodes as an immutable tree."""
        n_nodes, mapped = int(self.state[loops.N_NODES]), int(self.state[loops.MAPPED])
        place, about = self.nodes.place[:n_nodes], self.nodes.about[:n_nodes]
        inner = place[:, loops.ATTRIBUTE] >= 0
        mean = about[:, loops.MEAN].copy()
        tree = RegressionTree(
            schema=schema,
            target=target,
            attribute=place[:, loops.ATTRIBUTE].astype(np.int32),
            threshold=self._thresholds(place),
            first=np.where(inner, place[:, loops.FIRST], -1).astype(np.int32),
            n_branches=np.where(inner, place[:, loops.N_BRANCHES], 0).astype(np.int32),
            map_start=np.where(inner, place[:, loops.MAP_START], -1).astype(np.int32),
            branch_map=self.nodes.branch_map[:mapped].copy(),
            n=about[:, loops.WEIGHT].copy(),
            mean=mean,
            sse=about[:, loops.SSE].copy(),
            intercept=mean,
            coefficients=np.empty((n_nodes, 0)),
            spread=float(np.sqrt(about[0, loops.SSE] / about[0, loops.WEIGHT])),
        )
        if self.standardised is None:
            return tree
        begin, end = place[:, loops.BEGIN], place[:, loops.END]
        y, weights = self.examples.y, self.examples.weight()
        return with_linear_models(tree, self.standardised, y, weights, self.columns.rows[0], begin, end)

    def _thresholds(self, place: NDArray[np.int64]) -> Floats:
        """Return the midpoints between the values on either side of each cut."""
        threshold = np.full(len(place), np.nan)
        for f, column in enumerate(self.inputs):
            at = np.flatnonzero(place[:, loops.ATTRIBUTE] == f)
            if column.kind != "nominal":
                values = self.examples.table.column(f)
                low, high = values[place[at, loops.LOW_ROW]], values[place[at, loops.HIGH_ROW]]
                threshold[at] = thresholds(low, high)
        return threshold
