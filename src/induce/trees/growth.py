"""Tree growth: the table is sorted once; then nodes are split in bounded compiled steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.arrays import longer
from induce.core.loops import repeated, spend
from induce.core.values import Value
from induce.data.schema import Column, Schema
from induce.data.training import Examples
from induce.discretise import codes as interval_codes
from induce.discretise import mdlp_cuts, thresholds
from induce.trees import _loops
from induce.trees.hypothesis import Tree
from induce.trees.measures import (
    Number,
    chi_square,
    gain,
    gini_decrease,
    kearns_mansour_decrease,
    twoing,
)
from induce.trees.prepared import Prepared, kept, sorted_codes, times_of
from induce.trees.structure import FRACTIONAL, MODE
from induce.trees.surrogates import SurrogateFinder

MEASURES = {
    "gain": (_loops.ENTROPY, _loops.PLAIN),
    "gain_ratio": (_loops.ENTROPY, _loops.RATIO),
    "mantaras": (_loops.ENTROPY, _loops.DISTANCE),
    "gini": (_loops.GINI, _loops.PLAIN),
    "kearns_mansour": (_loops.ROOT, _loops.PLAIN),
    "chi_square": (_loops.CHI_SQUARE, _loops.PLAIN),
    "g_statistic": (_loops.ENTROPY, _loops.G),
    "twoing": (_loops.TWOING, _loops.PLAIN),
    "random": (_loops.ENTROPY, _loops.RANDOM),
    "gain_per_cost": (_loops.ENTROPY, _loops.PER_COST),
    "tan_schlimmer": (_loops.ENTROPY, _loops.TAN_SCHLIMMER),
    "nunez": (_loops.ENTROPY, _loops.NUNEZ),
}
"""Measures that compare the tests of one attribute, and the best tests of all attributes."""
FORMULAS: dict[int, Callable[[Any], Number]] = {
    _loops.ENTROPY: gain,
    _loops.GINI: gini_decrease,
    _loops.ROOT: kearns_mansour_decrease,
    _loops.CHI_SQUARE: chi_square,
    _loops.TWOING: twoing,
}
"""The measures as formulas on tables of counts, for traces."""
SAME_MEASURES = {"entropy": "gain", "log_loss": "gain"}
"""Names of the measures in scikit-learn."""
PLAIN_MEASURES = ("gain", "gain_ratio", "gini")
"""Measures that need no extras."""
SPLITTERS = {"multiway": _loops.MULTIWAY, "subset": _loops.SUBSET, "one-value": _loops.ONE_VALUE}
NUMERIC = ("threshold", "intervals")
MISSING = {
    "fractional": _loops.FRACTIONAL,
    "distributed": _loops.DISTRIBUTED,
    "class-distributed": _loops.CLASS_DISTRIBUTED,
    "mode": _loops.MODE,
    "class-mode": _loops.CLASS_MODE,
    "surrogate": _loops.FRACTIONAL,
}
"""Treatment of missing values when tests are compared; surrogates act once a test is chosen."""
SLACK = 1.0 - _loops.TOLERANCE
"""Tolerance by which a sum of fractions may fall short of a limit."""
STEP = 5_000_000
"""Number of entries visited in one compiled step: a small fraction of a second."""
ENTRY_STEPS = 2
"""Elementary steps per visited entry, approximately."""
BRANCH_STEPS = 8
"""Elementary steps per new branch, in addition to the number of classes, approximately."""


@dataclass(frozen=True)
class GrowthRule:
    """Settings of tree growth.

    Parameters
    ----------
    measure : str
        Measure of a split; one of `MEASURES`.
    nominal : {"multiway", "subset", "one-value"}
        Branches of a nominal split: one per declared value, two with a subset of the values each, or one
        value against the others. An ordered attribute is cut at a position in its order.
    numeric : {"threshold", "intervals"}
        Branches of a numeric split: two, or one per interval found by the minimum description length
        principle.
    missing : str
        Treatment of missing values; one of `MISSING` (see `DecisionTreeClassifier`).
    max_depth : int or None
        Maximum depth; None sets no limit.
    min_samples_split, min_samples_leaf : float
        Minimum weight of a node that is split, and minimum weight in at least two branches of a split.
    min_gain : float
        Minimum gain of a test.
    guard_thresholds : bool
        C4.5's guard: each side of a threshold must hold a tenth of the average class weight (at most 25
        examples), and its gain must pay for the choice among thresholds.
    significance : float or None
        Significance level of the chi-square test for splits.
    dof_values : {"declared", "present"}
        Number of values per attribute for the degrees of freedom.
    cost_weight : float
        Weight of costs in Núñez' measure, between 0 and 1.
    seed : int
        Random seed of the measure "random".
    surrogates : bool
        Whether the tree keeps surrogate splits for values missing in prediction; if not, they only send
        training examples.
    """

    measure: str = "gain"
    nominal: str = "multiway"
    numeric: str = "threshold"
    missing: str = "fractional"
    max_depth: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_gain: float = 0.0
    guard_thresholds: bool = False
    significance: float | None = None
    dof_values: str = "declared"
    cost_weight: float = 1.0
    seed: int = 0
    surrogates: bool = True

    def plain(self) -> bool:
        """Return whether the rule needs none of the loop's extras."""
        ways = ("fractional", "surrogate")
        return self.measure in PLAIN_MEASURES and self.missing in ways and self.significance is None


def grow(
    examples: Examples,
    schema: Schema,
    target: str,
    classes: tuple[Value, ...],
    rule: GrowthRule,
    progress: Callable[[float], None] | None = None,
    prepared: Prepared | None = None,
) -> Tree:
    """Grow a tree by the greedy algorithm shared by all presets (DECISION-TREE-LEARNING).

    `prepared` can be shared by many trees whose examples differ in their weights; examples of weight zero are
    dropped.
    """
    growth = Growth(examples, rule, prepared)
    emitted, share = 0, 0.0
    while not growth.step():
        growth.make_room()
        emitted = growth.emit(emitted, schema.inputs())
        if progress is not None:
            # a row that goes down several branches has several entries
            share = max(share, growth.share_done())
            progress(share)
    growth.emit(emitted, schema.inputs())
    return growth.tree(schema, target, classes)


class Growth:
    """The arrays of one run of the compiled growth loop."""

    def __init__(self, examples: Examples, rule: GrowthRule, prepared: Prepared | None = None) -> None:
        self.examples = examples
        self.inputs = examples.table.schema
        self.rule = rule
        self.cuts = _interval_cuts(examples) if rule.numeric == "intervals" else {}
        shared, prepared = prepared is not None, prepared or Prepared(examples.table)
        any_missing = any(bool((ranks[:1] == -1).any()) for _, ranks in prepared.sorted)
        plain = rule.plain() or (not any_missing and replace(rule, missing="fractional").plain())
        times, weighted = times_of(examples.weights, whole=shared and plain and not any_missing)
        weighted |= any_missing or not plain
        self.columns = _sorted_columns(examples, prepared, times, SPLITTERS[rule.nominal], self.cuts)
        n, n_classes = self.columns.rows.shape[1], examples.n_classes
        terms, scale = _terms(0 if weighted else n, gini=rule.measure == "gini")
        self.n_entries = int(n)
        self.expected = self.n_entries * self.n_entries.bit_length()
        """Number of entries per column that growth visits in total, approximately; consumed by the first
        step.
        """
        n_columns = len(self.inputs)
        widest = max(2, int(self.columns.domain.max(initial=0)))
        self.widest = widest
        self.weight = examples.weight().copy() if weighted else None
        record = trace.active("split") or trace.active("thresholds")
        self._rows_of: dict[int, NDArray[np.int64]] = {}
        impurity, merit = MEASURES[rule.measure]
        self.settings = _loops.GrowthSettings(
            impurity=impurity,
            merit=merit,
            scale=scale,
            min_split=SLACK
            * (rule.min_samples_split if rule.min_samples_split > 2 else 2 * lightest(examples)),
            min_leaf=0.0 if rule.min_samples_leaf <= 1 else rule.min_samples_leaf * SLACK,
            min_gain=float(rule.min_gain),
            max_depth=np.iinfo(np.int32).max if rule.max_depth is None else rule.max_depth,
            guard=rule.guard_thresholds,
            record=record,
            pause=_loops.NEVER,
        )
        if rule.missing == "surrogate":
            pause = _loops.ALWAYS if rule.surrogates else _loops.WHERE_MISSING
            self.settings = self.settings._replace(pause=pause)
        two_way = (self.columns.splitter != _loops.THRESHOLD) & (self.columns.splitter != _loops.MULTIWAY)
        self.ordering = _ordering(self.columns.domain[two_way], self.n_entries, n_classes)
        """Number of steps to order the values of columns for binary groupings; consumed by the first step."""
        self.search = _loops.SplitSearch(
            known=np.empty(n_classes),
            left=np.empty(n_classes),
            right=np.empty(n_classes),
            left_count=np.empty(n_classes, np.int64),
            right_count=np.empty(n_classes, np.int64),
            terms=terms,
            steps=np.diff(terms),
            group=np.empty((widest, n_classes)),
            group_code=np.empty(widest, np.int64),
            size=np.empty(widest),
            order=np.empty(widest, np.int64),
            member=np.empty(widest, np.uint8),
            side=None if plain and not two_way.any() else np.empty((n_columns, widest), np.uint8),
            gain=np.empty(n_columns),
            merit=np.empty(n_columns),
            cut=np.empty(n_columns, np.int64),
        )
        self.parting = _loops.Parting(
            branch=np.empty(len(examples), np.uint8 if widest < 256 else np.uint16),
            bits=np.zeros(len(examples) // 8 + 1, np.uint8),
            row=np.empty(n, np.int32),
            rank=np.empty(n, np.int32),
            label=np.empty(n, self.columns.labels.dtype),
            grows=np.empty(widest, np.bool_),
            offset=np.empty(widest + 1, np.int64),
            put=np.empty(widest + 1, np.int64),
            tail=np.empty(n_classes),
            known=np.empty(n_classes),
        )
        self.saved = _loops.Saved(np.empty(0, np.int32), np.empty(0)) if weighted else None
        self.nodes = _loops.Nodes(
            attribute=np.full(1, _loops.LEAF, np.int32),
            low_row=np.zeros(1, np.int32),
            high_row=np.zeros(1, np.int32),
            first=np.zeros(1, np.int32),
            n_branches=np.zeros(1, np.int32),
            map_start=np.full(1, -1, np.int32),
            depth=np.zeros(1, np.int32),
            counts=np.bincount(examples.labels, examples.weights, n_classes)[None, :].astype(np.float64),
            branch_map=np.empty(0, np.int32),
            gains=np.empty((1 if record else 0, n_columns)),
            merits=np.empty((1 if record else 0, n_columns)),
        )
        self.extras = None if plain else _extras(rule, self.inputs, self.search.known, widest)
        self.finder = SurrogateFinder(len(examples), widest)
        self.stack = np.zeros((1, 6), np.int64)
        self.state = np.array([1, 0, n, 0, 0], np.int64)
        self.stack[0, 2:4] = 0, n
        self.state[_loops.STACK] = 1
        self.make_room()

    def step(self, budget: int = STEP, entries: int | None = None) -> bool:
        """Run one step, bounded by the rows it visits; return whether growth is complete.

        `entries` is the number of entries to visit per column, if known.
        """
        if entries is None:
            entries, self.expected = self.expected, 0
        ordering, self.ordering = self.ordering, 0
        grow = repeated(_loops.grow, ENTRY_STEPS * entries * len(self.inputs) + ordering)
        before = int(self.state[_loops.N_NODES])
        with np.errstate(over="ignore"):  # random bits
            done = bool(
                grow(
                    self.columns,
                    self.weight,
                    self.extras,
                    self.saved,
                    self.nodes,
                    self.search,
                    self.parting,
                    self.stack,
                    self.state,
                    self.settings,
                    budget,
                )
            )
        # The number of values of the chosen tests is known only now: nodes with thousands of branches take
        # long.
        made = int(self.state[_loops.N_NODES]) - before
        spend(_loops.grow, made * (BRANCH_STEPS + self.nodes.counts.shape[1]))
        waiting = int(self.state[_loops.STACK])
        if not done and self.stack[waiting - 1, 0] == _loops.SPLIT:
            node, lo, hi = map(int, self.stack[waiting - 1, 1:4])
            self.finder.find(
                self.columns, int(self.nodes.attribute[node]), node, lo, hi, self.parting.branch, self.weight
            )
        return done

    def make_room(self) -> None:
        """Allocate the space that the next step may need."""
        n_nodes, in_stack, top, saved, mapped = map(int, self.state)
        if n_nodes + self.widest > len(self.nodes.attribute):
            size = 2 * (n_nodes + self.widest)
            lengthened = {
                name: longer(array, size)
                for name, array in self.nodes._asdict().items()
                if name not in ("branch_map", "gains", "merits")
                or (name != "branch_map" and self.settings.record)
            }
            self.nodes = self.nodes._replace(**lengthened)
        if mapped + self.widest > len(self.nodes.branch_map):
            self.nodes = self.nodes._replace(
                branch_map=longer(self.nodes.branch_map, 2 * (mapped + self.widest))
            )
        if in_stack + self.widest + 1 > len(self.stack):
            self.stack = longer(self.stack, 2 * (in_stack + self.widest + 1))
        record = self.stack[in_stack - 1]
        if in_stack and record[0] == _loops.ENTER:
            n_tail = int(record[5] - record[4])
            needed = top + int(record[3] - record[2]) + n_tail
            if needed > self.columns.rows.shape[1]:
                wider = {
                    name: _wider(getattr(self.columns, name), needed + self.n_entries // 2)
                    for name in ("rows", "ranks", "labels")
                }
                self.columns = self.columns._replace(**wider)
            if self.saved is not None and saved + n_tail > len(self.saved.row):
                self.saved = _loops.Saved(*(longer(array, 2 * (saved + n_tail)) for array in self.saved))

    def share_done(self) -> float:
        """Return the fraction of the examples in finished leaves."""
        waiting = self.stack[: int(self.state[_loops.STACK])]
        waiting = waiting[waiting[:, 0] != _loops.LEAVE]
        return 1.0 - min(1.0, float((waiting[:, 3] - waiting[:, 2]).sum()) / max(1, self.n_entries))

    def emit(self, first: int, inputs: Schema) -> int:
        """Report the nodes split since the last step to an active trace."""
        if not self.settings.record:
            return first
        n_nodes = int(self.state[_loops.N_NODES])
        waiting = set(self.stack[: int(self.state[_loops.STACK]), 1].tolist())
        for node in range(first, n_nodes):
            if node in waiting:
                return node
            if self.nodes.attribute[node] >= 0:
                emit_split(self.nodes, node, inputs.names(), self.threshold_of(node))
                self._emit_thresholds(node)
        return n_nodes

    def threshold_of(self, node: int) -> float | None:
        """Return the threshold of a node's test; None if it has none."""
        at = slice(node, node + 1)
        nodes = self.nodes
        found = self._thresholds(nodes.attribute[at], nodes.low_row[at], nodes.high_row[at])[0]
        return None if np.isnan(found) else float(found)

    def _emit_thresholds(self, node: int) -> None:
        """Report the thresholds between classes at a node, with their gains, to an active trace.

        Examples are passed down from the root: the split event of a node comes after that of its parent.
        """
        if not trace.active("thresholds"):
            return
        rows = self._rows_of.pop(node, None)
        rows = np.arange(len(self.examples)) if node == 0 else rows
        if rows is None:
            return
        weight, labels = self.examples.weight(), self.examples.labels
        for f, column in enumerate(self.inputs):
            if column.kind == "nominal" or f in self.cuts:
                continue
            tried = thresholds_between_classes(
                self.examples.table.column(f)[rows],
                labels[rows],
                weight[rows],
                self.examples.n_classes,
                FORMULAS[MEASURES[self.rule.measure][0]],
            )
            if tried:
                trace.emit("thresholds", node=node, attribute=column.name, tried=tried)
        self._follow(node, rows)

    def _follow(self, node: int, rows: NDArray[np.int64]) -> None:
        """Store the examples of the branches of a node; those whose tested value is missing are dropped."""
        attribute, threshold = int(self.nodes.attribute[node]), self.threshold_of(node)
        values = self.examples.table.column(attribute)[rows]
        first = int(self.nodes.first[node])
        if threshold is not None:
            branch = np.where(np.isnan(values), -1, (values > threshold).astype(np.int64))
        else:
            start = int(self.nodes.map_start[node])
            if start < 0 or tuple(self.inputs)[attribute].kind != "nominal":
                return
            known = np.asarray(values, np.int64)
            branch = np.where(known >= 0, self.nodes.branch_map[start + np.maximum(known, 0)], -1)
        for b in range(int(self.nodes.n_branches[node])):
            self._rows_of[first + b] = rows[branch == b]

    def tree(self, schema: Schema, target: str, classes: tuple[Value, ...]) -> Tree:
        """Return the grown nodes as an immutable tree."""
        n_nodes, mapped = int(self.state[_loops.N_NODES]), int(self.state[_loops.MAPPED])
        arrays = tests_of(self.nodes, n_nodes)
        n_cuts = 0
        for f, cuts in self.cuts.items():
            arrays["map_start"][arrays["attribute"] == f] = n_cuts
            n_cuts += len(cuts)
        surrogates, maps = None, self.nodes.branch_map[:mapped].copy()
        if self.settings.pause == _loops.ALWAYS:
            surrogates, maps = self.finder.surrogates(n_nodes, maps, self._thresholds)
        low_row, high_row = self.nodes.low_row[:n_nodes], self.nodes.high_row[:n_nodes]
        return Tree(
            schema=schema,
            target=target,
            classes=classes,
            threshold=self._thresholds(arrays["attribute"], low_row, high_row),
            branch_map=maps,
            cuts=np.concatenate([np.empty(0), *self.cuts.values()]),
            missing=MODE if self.rule.missing in ("mode", "class-mode", "surrogate") else FRACTIONAL,
            surrogates=surrogates,
            **arrays,
        )

    def _thresholds(
        self, attribute: NDArray[np.int32], low_row: NDArray[np.int32], high_row: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """Return the midpoints between the values on either side of each cut."""
        low = np.full(len(attribute), np.nan)
        high = low.copy()
        for f, column in enumerate(self.inputs):
            if column.kind == "nominal" or f in self.cuts:
                continue
            at = np.flatnonzero(attribute == f)
            values = self.examples.table.column(f)
            low[at], high[at] = values[low_row[at]], values[high_row[at]]
        return thresholds(low, high)


def thresholds_between_classes(
    values: NDArray[np.float64],
    labels: NDArray[Any],
    weight: NDArray[np.float64],
    n_classes: int,
    measure: Callable[[Any], Number] = gain,
) -> dict[float, float]:
    """Return the gain of each threshold between adjacent values of different classes (Mitchell §3.7.2).

    Learners that use an impurity other than entropy pass its decrease.

    Examples
    --------
    >>> temperature = np.array([40.0, 48, 60, 72, 80, 90])
    >>> found = thresholds_between_classes(temperature, np.array([0, 0, 1, 1, 1, 0]), np.ones(6), 2)
    >>> {threshold: round(gain, 4) for threshold, gain in found.items()}
    {54.0: 0.4591, 85.0: 0.1909}
    """
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(values[known], kind="stable")]
    ordered = values[order]
    distinct, start = np.unique(ordered, return_index=True)
    if len(distinct) < 2:
        return {}
    counts = np.zeros((len(order), n_classes))
    counts[np.arange(len(order)), labels[order]] = weight[order]
    groups = np.add.reduceat(counts, start, axis=0)
    below, total = np.cumsum(groups, axis=0)[:-1], groups.sum(axis=0)
    share = groups / np.maximum(groups.sum(axis=1, keepdims=True), 1e-300)
    pure_alike = (share[:-1].max(axis=1) == 1) & (share[:-1] == share[1:]).all(axis=1)
    cuts = thresholds(distinct[:-1], distinct[1:])
    gains = np.asarray(measure(np.stack([below, total - below], axis=1)), np.float64)
    return {float(cuts[k]): float(gains[k]) for k in np.flatnonzero(~pure_alike).tolist()}


def emit_split(nodes: Any, node: int, names: tuple[str, ...], threshold: float | None = None) -> None:
    """Report a split node to an active trace: its parent, candidates and branches."""
    first, n_branches = int(nodes.first[node]), int(nodes.n_branches[node])
    above = np.flatnonzero(
        (nodes.attribute[:node] >= 0)
        & (nodes.first[:node] <= node)
        & (node < nodes.first[:node] + nodes.n_branches[:node])
    )
    parent = int(above[-1]) if len(above) else None
    found = zip(names, nodes.gains[node].tolist(), nodes.merits[node].tolist(), strict=True)
    trace.emit(
        "split",
        node=node,
        depth=int(nodes.depth[node]),
        counts=tuple(nodes.counts[node].tolist()),
        candidates={
            name: {"gain": gain, "merit": merit} for name, gain, merit in found if not np.isnan(gain)
        },
        chosen=names[nodes.attribute[node]],
        threshold=threshold,
        parent=parent,
        branch=None if parent is None else node - int(nodes.first[parent]),
        branches=tuple(tuple(nodes.counts[first + b].tolist()) for b in range(n_branches)),
    )


def tests_of(nodes: Any, n_nodes: int) -> dict[str, Any]:
    """Return the fields of a tree that are copies of its grown nodes."""
    attribute = nodes.attribute[:n_nodes].copy()
    inner = attribute >= 0
    return {
        "attribute": attribute,
        "first": np.where(inner, nodes.first[:n_nodes], -1).astype(np.int32),
        "n_branches": np.where(inner, nodes.n_branches[:n_nodes], 0).astype(np.int32),
        "map_start": np.where(inner, nodes.map_start[:n_nodes], -1).astype(np.int32),
        "counts": nodes.counts[:n_nodes].copy(),
    }


def lightest(examples: Examples) -> float:
    """Return the weight of the lightest example, at most 1; fractions of examples are lighter."""
    if examples.weights is None:
        return 1.0
    return float(min(1.0, examples.weights[examples.weights > 0].min(initial=1.0)))


def _extras(rule: GrowthRule, inputs: Schema, known: NDArray[np.float64], widest: int) -> _loops.Extras:
    n_classes = len(known)
    critical = np.empty(0)
    if rule.significance is not None:
        from scipy.stats import chi2

        dof = np.arange(1, (widest - 1) * (n_classes - 1) + 1)
        critical = np.concatenate([[np.inf], chi2.isf(rule.significance, dof)])
    impurity, merit = MEASURES[rule.measure]
    return _loops.Extras(
        impurity=impurity,
        merit=merit,
        missing=MISSING[rule.missing],
        known=known,
        pair=np.empty((2, n_classes)),
        pair_size=np.empty(2),
        cost=np.array([column.cost for column in inputs], dtype=np.float64),
        cost_weight=float(rule.cost_weight),
        seed=int(rule.seed),
        critical=critical,
        count_declared=rule.dof_values == "declared",
    )


def _interval_cuts(examples: Examples) -> dict[int, NDArray[np.float64]]:
    """Return the ends of the intervals of each numeric column."""
    return {
        f: mdlp_cuts(examples.table.column(f), examples.labels, examples.n_classes, examples.weights)
        for f, column in enumerate(examples.table.schema)
        if column.kind != "nominal"
    }


def _ordering(n_values: NDArray[Any], n_entries: int, n_classes: int) -> int:
    """Return the approximate number of steps to order and group values by their proportions of each class."""
    present = np.minimum(n_values.astype(np.int64), n_entries)
    return int((present * present).sum()) * (1 if n_classes == 2 else n_classes)


def _sorted_columns(
    examples: Examples,
    prepared: Prepared,
    times: NDArray[np.int64] | None,
    nominal_splitter: int,
    cuts: dict[int, NDArray[np.float64]],
) -> _loops.Columns:
    """Return the columns for one growth; a row that counts twice is repeated."""
    inputs = examples.table.schema
    n, n_columns = len(examples) if times is None else int(times.sum()), len(inputs)
    rows = np.empty((n_columns, n), np.int32)
    ranks = np.empty((n_columns, n), np.int32)
    classes = examples.labels.astype(np.uint8 if examples.n_classes <= 256 else np.uint16)
    labels = np.empty((n_columns, n), classes.dtype)
    for f in range(n_columns):
        if f in cuts:
            order, ranked = sorted_codes(interval_codes(examples.table.column(f), cuts[f]))
        else:
            order, ranked = prepared.sorted[f]
        entries = kept(order, times)
        rows[f], ranks[f] = order[entries], ranked[entries]
        labels[f] = classes[rows[f]]
    splitter = [_splitter(column, f in cuts, nominal_splitter) for f, column in enumerate(inputs)]
    domain = [len(cuts[f]) + 1 if f in cuts else len(column.domain) for f, column in enumerate(inputs)]
    return _loops.Columns(
        rows=rows,
        ranks=ranks,
        labels=labels,
        splitter=np.array(splitter, dtype=np.int8),
        domain=np.array(domain, dtype=np.int32),
    )


def _splitter(column: Column, in_intervals: bool, nominal_splitter: int) -> int:
    if column.kind == "nominal":
        return _loops.ORDERED if column.ordered else nominal_splitter
    return _loops.MULTIWAY if in_intervals else _loops.THRESHOLD


def _terms(n: int, gini: bool) -> tuple[NDArray[np.int64], float]:
    """Return tables of k log2 k (scaled to integers) or k squared for k up to `n`, and the scale."""
    k = np.arange(n + 2, dtype=np.float64)
    if gini:
        return (k * k).astype(np.int64), 1.0
    terms = k * np.log2(np.maximum(k, 1.0))
    scale = 2.0 ** (51 - int(np.ceil(np.log2(max(terms[-1], 1.0)))))
    return np.rint(terms * scale).astype(np.int64), scale


def _wider(array: NDArray[Any], size: int) -> NDArray[Any]:
    wider = np.empty((array.shape[0], size), array.dtype)
    wider[:, : array.shape[1]] = array
    return wider
