"""Tree growth on binned columns: much faster, with fewer candidate thresholds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.arrays import longer
from induce.core.errors import InputError
from induce.core.loops import repeated
from induce.core.values import Value
from induce.data.schema import Column, Schema
from induce.data.training import Examples
from induce.discretise import thresholds
from induce.trees import _bin_loops
from induce.trees.growth import SLACK, STEP, GrowthRule, emit_split, lightest, tests_of
from induce.trees.hypothesis import Tree
from induce.trees.prepared import BinnedTable, Prepared, times_of

Floats = NDArray[np.float64]

MEASURES = {"gain": _bin_loops.GAIN, "gain_ratio": _bin_loops.GAIN_RATIO, "gini": _bin_loops.GINI}
SPLITTERS = {"multiway": _bin_loops.MULTIWAY, "subset": _bin_loops.SUBSET}
ENTRY_STEPS = 5
"""Elementary steps per counted code, including the pass over the bins, approximately."""
MOST_BINS = 65_535
MOST_SLOTS = 64
SLOT_MEMORY = 2**26
"""Memory in bytes for the bins of nodes that wait to be split."""


def grow_binned(
    examples: Examples,
    schema: Schema,
    target: str,
    classes: tuple[Value, ...],
    rule: GrowthRule,
    n_bins: int = 255,
    progress: Callable[[float], None] | None = None,
    prepared: Prepared | None = None,
    n_tried: int | None = None,
    seed: int = 0,
) -> Tree:
    """Grow a tree like `grow`, but with at most `n_bins` intervals per numeric column.

    The intervals hold about equally many values, and thresholds lie between them. Columns with at most
    `n_bins` distinct values lose nothing, so a table of such columns gives the same tree as `grow`. Nominal
    columns are used unchanged. An example with a missing value goes down all branches, in proportion to the
    examples whose value is known.

    Parameters
    ----------
    examples : Examples
        Training examples.
    schema : Schema
        Schema of the training table.
    target : str
        Name of the target column.
    classes : tuple
        The classes, in the order in which ties are broken.
    rule : GrowthRule
        Settings of tree growth.
    n_bins : int
        Maximum number of intervals; codes of up to 255 intervals take one byte.
    progress : callable, optional
        Callback that receives the fraction of the examples in finished leaves.
    prepared : Prepared, optional
        Preparation of the table, shared by trees whose examples differ only in their weights.
    n_tried : int, optional
        Number of columns drawn as candidates at each node; if none of them has a test, more are drawn.
    seed : int
        Random seed for drawing columns.

    Examples
    --------
    >>> import numpy as np
    >>> from induce.data.schema import Column
    >>> from induce.data.table import Table
    >>> schema = Schema((Column("temperature"),))
    >>> numbers = np.array([[40.0], [48], [60], [72], [80], [90]])
    >>> table = Table(schema, numbers, np.empty((6, 0), np.int32))
    >>> examples = Examples(table, np.array([0, 0, 1, 1, 1, 0]), None, 2)
    >>> print(grow_binned(examples, schema, "play", ("no", "yes"), GrowthRule(), n_bins=3))
    temperature <= 54: no (2/2)
    temperature > 54
    |   temperature <= 76: yes (2/2)
    |   temperature > 76: no (1/2)
    """
    growth = BinnedGrowth(_binned_rows(examples, rule, n_bins, prepared), rule, n_tried, seed)
    share = 0.0
    while not growth.step():
        growth.make_room()
        if progress is not None:
            # a row that goes down several branches has several entries
            share = max(share, growth.share_done())
            progress(share)
    growth.emit()
    return growth.tree(schema, target, classes)


@dataclass(frozen=True, eq=False)
class BinnedRows:
    """Rows of binned codes to grow on.

    Parameters
    ----------
    inputs : Schema
        Schema of the input columns.
    binned : BinnedTable
        The binned table.
    labels : array of int
        The class of each row of the table.
    rows : array of int32
        The rows in use, repeated according to their counts.
    weight : array of float64 or None
        The weight of each of these rows; None if each counts once and no value is missing.
    counts : array of float64
        The total weight of each class.
    lightest : float
        The weight of the lightest example, at most 1.
    depth : int
        Depth of their node.
    key : int, optional
        Random seed of that node; None at a root.
    """

    inputs: Schema
    binned: BinnedTable
    labels: NDArray[Any]
    rows: NDArray[np.int32]
    weight: Floats | None
    counts: Floats
    lightest: float = 1.0
    depth: int = 0
    key: int | None = None


def _binned_rows(examples: Examples, rule: GrowthRule, n_bins: int, prepared: Prepared | None) -> BinnedRows:
    check_binned(rule, n_bins)
    binned = (prepared or Prepared(examples.table)).binned(n_bins)
    times, weighted = times_of(examples.weights, whole=not binned.any_missing)
    weighted |= binned.any_missing
    rows = np.arange(len(examples), dtype=np.int32)
    rows = rows if times is None else np.repeat(rows, times)
    return BinnedRows(
        inputs=examples.table.schema,
        binned=binned,
        labels=examples.labels,
        rows=rows,
        weight=examples.weight()[rows] if weighted else None,
        counts=np.bincount(examples.labels, examples.weights, examples.n_classes).astype(np.float64),
        lightest=lightest(examples),
    )


def root_key(seed: int) -> int:
    """Return the random seed of the root of a tree."""
    return int(np.random.default_rng(seed).integers(1, 2**62))


def settings_of(
    rule: GrowthRule, lightest: float, n_columns: int, n_tried: int | None, record: bool
) -> _bin_loops.BinSettings:
    """Return the growth settings of the loops."""
    return _bin_loops.BinSettings(
        measure=MEASURES[rule.measure],
        min_split=SLACK * (rule.min_samples_split if rule.min_samples_split > 2 else 2 * lightest),
        min_leaf=0.0 if rule.min_samples_leaf <= 1 else rule.min_samples_leaf * SLACK,
        min_gain=float(rule.min_gain),
        max_depth=np.iinfo(np.int32).max if rule.max_depth is None else rule.max_depth,
        guard=rule.guard_thresholds,
        record=record,
        n_tried=n_columns if n_tried is None else n_tried,
    )


def splitters_of(inputs: Schema, rule: GrowthRule) -> NDArray[np.int8]:
    """Return the kind of split of each column."""
    return np.array([_splitter(column, SPLITTERS[rule.nominal]) for column in inputs], np.int8)


class BinnedGrowth:
    """The arrays of one run of the compiled growth loop."""

    def __init__(
        self, given: BinnedRows, rule: GrowthRule, n_tried: int | None = None, seed: int = 0
    ) -> None:
        self.inputs, self.binned, self.rows = given.inputs, given.binned, given.rows
        binned, weighted = self.binned, given.weight is not None
        n, n_columns, n_classes = len(self.rows), len(self.inputs), len(given.counts)
        number, kind = (np.float64, np.float64) if weighted else (np.int64, np.int32)
        start = np.append(0, np.cumsum(binned.n_codes + 1))
        self.n_examples = n
        self.expected = n * n.bit_length()
        """Number of codes per column that growth counts in total, approximately; consumed by its first step."""
        self.widest = widest = max(2, int(binned.n_codes.max(initial=0))) + 1
        self.columns = _bin_loops.Columns(
            codes=binned.codes,
            labels=given.labels.astype(np.uint8 if n_classes <= 256 else np.uint16),
            start=start,
            splitter=splitters_of(self.inputs, rule),
        )
        self.weight = given.weight
        record = trace.active("split")
        self.settings = settings_of(rule, given.lightest, n_columns, n_tried, record)
        slot = max(1, int(start[-1]) * n_classes * np.dtype(kind).itemsize)
        n_slots = 1 if weighted else min(MOST_SLOTS, max(2, SLOT_MEMORY // slot))
        k = np.arange(0 if weighted else n + 1, dtype=np.float64)
        self.bins = _bin_loops.Bins(
            slots=np.empty((n_slots, int(start[-1]), n_classes), kind),
            free=np.arange(n_slots),
            few=np.zeros((widest, n_classes), kind),
            bits=np.zeros(widest // 64 + 1, np.int64),
            position_of_bit=_positions_of_bits(),
            all_codes=np.arange(widest),
            code=np.empty(widest, np.int64),
        )
        self.tests = _bin_loops.Tests(
            gain=np.empty(n_columns),
            merit=np.empty(n_columns),
            low_code=np.empty(n_columns, np.int64),
            high_code=np.empty(n_columns, np.int64),
            tried=np.arange(n_columns),
        )
        self.side = (
            np.empty((n_columns, widest), np.bool_)
            if any(column.kind == "nominal" for column in self.inputs)
            else None
        )
        self.parting = _bin_loops.Parting(
            branch=np.empty(widest, np.int64),
            taken=np.empty(n, np.uint8 if widest <= 256 else np.uint16),
            offset=np.empty(widest, np.int64),
            put=np.empty(widest, np.int64),
            grows=np.empty(widest, np.bool_),
            tail=np.empty(n_classes),
            row=np.empty(n, np.int32),
            weight=np.empty(n if weighted else 0),
        )
        self.scales = _bin_loops.Scales(
            known=np.empty(n_classes, number),
            left=np.empty(n_classes, number),
            right=np.empty(n_classes, number),
            terms=None if weighted else k * np.log2(np.maximum(k, 1.0)),
            order=np.empty(widest, np.int64),
            member=np.empty(widest, np.bool_),
        )
        self.nodes = _bin_loops.Nodes(
            attribute=np.full(1, _bin_loops.LEAF, np.int32),
            low_code=np.zeros(1, np.int32),
            high_code=np.zeros(1, np.int32),
            first=np.zeros(1, np.int32),
            n_branches=np.zeros(1, np.int32),
            map_start=np.full(1, -1, np.int32),
            depth=np.full(1, given.depth, np.int32),
            counts=given.counts[None, :].copy(),
            branch_map=np.empty(0, np.int32),
            gains=np.empty((1 if record else 0, n_columns)),
            merits=np.empty((1 if record else 0, n_columns)),
            key=np.full(1, root_key(seed) if given.key is None else given.key, np.int64),
        )
        self.state = np.zeros(5, np.int64)
        self.state[[_bin_loops.N_NODES, _bin_loops.STACK, _bin_loops.FREE]] = 1, 1, n_slots
        self.stack = np.zeros((1, 7), np.int64)
        self.stack[0, [_bin_loops.HI, _bin_loops.TAIL_LO, _bin_loops.TAIL_HI, _bin_loops.TOP]] = n
        self.stack[0, _bin_loops.SLOT] = _bin_loops.NONE
        self.make_room()

    def step(self) -> bool:
        """Run one bounded step; return whether growth is complete."""
        expected, self.expected = self.expected, 0
        grow = repeated(_bin_loops.grow, ENTRY_STEPS * expected * self.settings.n_tried)
        with np.errstate(over="ignore"):  # bits of codes
            return bool(
                grow(
                    self.columns,
                    self.rows,
                    self.weight,
                    self.nodes,
                    self.bins,
                    self.scales,
                    self.tests,
                    self.side,
                    self.parting,
                    self.stack,
                    self.state,
                    self.settings,
                    STEP,
                )
            )

    def make_room(self) -> None:
        """Allocate the space that the next step may need."""
        n_nodes, in_stack, mapped, *_ = map(int, self.state)
        nodes = self.nodes
        if n_nodes + self.widest > len(nodes.attribute):
            of_trace = () if self.settings.record else ("gains", "merits")
            lengthened = {
                name: longer(array, 2 * (n_nodes + self.widest))
                for name, array in nodes._asdict().items()
                if name not in ("branch_map", *of_trace)
            }
            nodes = nodes._replace(**lengthened)
        if mapped + self.widest > len(nodes.branch_map):
            nodes = nodes._replace(branch_map=longer(nodes.branch_map, 2 * (mapped + self.widest)))
        self.nodes = nodes
        if in_stack + self.widest > len(self.stack):
            self.stack = longer(self.stack, 2 * (in_stack + self.widest))
        if self.weight is not None and in_stack:
            _, lo, hi, tail_lo, tail_hi, top, _ = self.stack[in_stack - 1].tolist()
            needed = top + hi - lo + tail_hi - tail_lo
            if tail_lo < tail_hi and needed > len(self.rows):
                self.rows = longer(self.rows, needed + self.n_examples // 2)
                self.weight = longer(self.weight, len(self.rows))

    def share_done(self) -> float:
        """Return the fraction of the examples in finished leaves."""
        waiting = self.stack[: int(self.state[_bin_loops.STACK])]
        entries = waiting[:, _bin_loops.HI] - waiting[:, _bin_loops.LO]
        return 1.0 - min(1.0, float(entries.sum()) / max(1, self.n_examples))

    def emit(self) -> None:
        """Report the split nodes and their candidates to an active trace."""
        if not self.settings.record:
            return
        n_nodes = int(self.state[_bin_loops.N_NODES])
        for node in np.flatnonzero(self.nodes.attribute[:n_nodes] >= 0):
            at = slice(node, node + 1)
            of_node = self.nodes._replace(
                low_code=self.nodes.low_code[at], high_code=self.nodes.high_code[at]
            )
            threshold = float(binned_thresholds(self.binned.edges, self.nodes.attribute[at], of_node)[0])
            emit_split(self.nodes, int(node), self.inputs.names(), None if np.isnan(threshold) else threshold)

    def tree(self, schema: Schema, target: str, classes: tuple[Value, ...]) -> Tree:
        """Return the grown nodes as an immutable tree."""
        n_nodes, mapped = int(self.state[_bin_loops.N_NODES]), int(self.state[_bin_loops.MAPPED])
        arrays = tests_of(self.nodes, n_nodes)
        return Tree(
            schema=schema,
            target=target,
            classes=classes,
            threshold=binned_thresholds(self.binned.edges, arrays["attribute"], self.nodes),
            branch_map=self.nodes.branch_map[:mapped].copy(),
            **arrays,
        )


def binned_thresholds(
    edges: tuple[tuple[Floats, Floats], ...], attribute: NDArray[np.int32], nodes: Any
) -> Floats:
    """Return the midpoint, for each cut, of the nearest bins on either side that hold examples of the node."""
    threshold = np.full(len(attribute), np.nan)
    for f, (highest, lowest) in enumerate(edges):
        if len(highest):
            at = np.flatnonzero(attribute == f)
            below, above = nodes.low_code[at], nodes.high_code[at]
            threshold[at] = thresholds(highest[below], lowest[above - 1])
    return threshold


def check_binned(rule: GrowthRule, n_bins: Any) -> None:
    """Raise an `InputError` for options that growth on binned columns does not support."""
    if not isinstance(n_bins, int | np.integer) or not 2 <= n_bins <= MOST_BINS:
        raise InputError(f"bins is {n_bins!r}; give a whole number from 2 to {MOST_BINS}")
    offered: dict[str, tuple[Any, ...]] = {
        "measure": tuple(MEASURES),
        "nominal": tuple(SPLITTERS),
        "numeric": ("threshold",),
        "missing": ("fractional",),
        "significance": (None,),
    }
    for name, values in offered.items():
        if getattr(rule, name) not in values:
            raise InputError(
                f"{name} is {getattr(rule, name)!r}, which is not supported with bins; give "
                f"{' or '.join(map(repr, values))}, or grow without bins"
            )


def _splitter(column: Column, nominal_splitter: int) -> int:
    if column.kind != "nominal":
        return _bin_loops.THRESHOLD
    return _bin_loops.ORDERED if column.ordered else nominal_splitter


def _positions_of_bits() -> NDArray[np.int64]:
    """Return the powers of two, indexed by the six highest bits of their products with `DE_BRUIJN`."""
    positions = np.empty(64, np.int64)
    for bit in range(64):
        positions[(_bin_loops.DE_BRUIJN << bit) % 2**64 >> 58] = bit
    return positions
