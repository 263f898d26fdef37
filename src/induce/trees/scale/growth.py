"""Level-wise tree growth: each pass over the partitions counts a level, whose tests are then chosen.

Each pass is a function of the current tree alone, so it can run anywhere, and can be repeated. The tree is
identical, node for node, to the tree grown on bins in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.engines import scratch, total
from induce.core.errors import InputError
from induce.core.loops import repeated
from induce.core.pass_results import pass_result
from induce.data.partitions import Partition
from induce.data.scanning import Scan
from induce.trees import _bin_loops
from induce.trees.binning import (
    BinnedGrowth,
    BinnedRows,
    binned_thresholds,
    check_binned,
    root_key,
    settings_of,
    splitters_of,
)
from induce.trees.growth import GrowthRule
from induce.trees.hypothesis import Tree
from induce.trees.prepared import BinnedTable
from induce.trees.scale import _loops
from induce.trees.scale.binning import Bins, binned_classes, settled_bins
from induce.trees.scale.nodes import Nodes

Floats = NDArray[np.float64]
Times = Callable[[Partition], NDArray[np.int64]]

MOST_BYTES = 2**25
"""Memory in bytes for the bins of the nodes counted in one pass; sums over partitions hold several copies."""
MOST_ENTRIES = 2**21
"""Maximum number of rows of small nodes collected in one pass."""
TOGETHER = 4
"""Number of partitions counted into the same bins: adding bins takes as long as counting some ten thousand rows."""
ROOM = 2**19
"""Number of entries that are counted at a time: with more of them the bins of a node stay longer in the cache."""
ABREAST = 1024
"""Number of rows that follow the tree side by side."""
ADDS_UP = 1e-6
"""Relative difference between the bins and the count of a node that proves that rows have changed."""


@dataclass(frozen=True, eq=False)
class _Pass:
    """Task of a pass over the partitions: the current tree, and the nodes that have a slot."""

    bins: Bins
    splitter: NDArray[np.int8]
    of_class: Floats
    times: Times | None
    routes: _loops.Routes
    wanted: NDArray[np.bool_]
    n_collected: int

    @property
    def n_counted(self) -> int:
        """The nodes whose bins are counted."""
        return len(self.wanted)


@pass_result
@dataclass(eq=False)
class Counted:
    """The bins of large nodes, and the rows of small ones: slot, codes with class, and weight."""

    bins: Floats
    slots: list[NDArray[np.int32]]
    rows: list[NDArray[Any]]
    weights: list[Floats]
    too_many: bool = False

    def collect(self, slots: NDArray[np.int32], rows: NDArray[Any], weights: Floats) -> None:
        """Add rows of small nodes, unless there are too many to keep."""
        if self.too_many or not len(slots):
            return
        self.slots.append(slots)
        self.rows.append(rows)
        self.weights.append(weights)
        if sum(map(len, self.slots)) > MOST_ENTRIES:
            self.slots, self.rows, self.weights, self.too_many = [], [], [], True

    def __add__(self, later: Counted) -> Counted:
        too_many = self.too_many or later.too_many
        too_many |= sum(map(len, self.slots)) + sum(map(len, later.slots)) > MOST_ENTRIES
        bins = self.bins + later.bins
        if too_many:
            return Counted(bins, [], [], [], True)
        return Counted(bins, self.slots + later.slots, self.rows + later.rows, self.weights + later.weights)


def counted(group: Group, given: _Pass) -> Counted:
    """Count several adjacent partitions into the same bins."""
    n_codes = given.bins.n_codes
    start = np.append(0, np.cumsum(n_codes + 1)).astype(np.uint64)
    found = Counted(np.zeros((given.n_counted, int(start[-1]), given.bins.n_classes)), [], [], [])
    room = _Room(len(given.routes.attribute) + 1)
    at = np.empty(given.n_counted + 1, np.uint64)
    steps, maps = _steps(given)
    block = np.empty(ABREAST, np.uint64), np.empty(ABREAST, np.uint64)
    columns = np.empty(len(n_codes) + 1, np.int64)
    for partition in group.partitions:
        made = given.bins.coded(partition)
        codes, labels = made[:, :-1], np.ascontiguousarray(made[:, -1])
        times = np.ones(len(labels), np.int64) if given.times is None else given.times(partition)
        begin = 0
        while begin < len(labels):
            route = repeated(_loops.route, 8 * min(ROOM, len(labels) - begin))
            where = (times, given.of_class, given.routes, steps, maps, begin)
            begin, n = route(codes, labels, *where, *block, *room.stacks, *room.entries)
            if n == 0 and begin < len(labels):
                raise InputError(
                    "a row has too many missing values to follow all its branches; limit "
                    "max_depth or max_nodes"
                )
            row, slot, weight = room.entries[0][:n], room.entries[1][:n], room.entries[2][:n]
            if given.n_collected:
                small = slot >= given.n_counted
                small_slots = (slot[small] - given.n_counted).astype(np.int32)
                found.collect(small_slots, made[row[small]], weight[small])
                row, slot, weight = row[~small], slot[~small], weight[~small]
            if len(row):
                tally = repeated(_loops.tally, len(row) * codes.shape[1])
                entries = (row, slot, weight, len(row))
                tally(codes, labels, start, *entries, at, *room.sorted, given.wanted, columns, found.bins)
    return found


def _steps(given: _Pass) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the tree so far as rows follow it, side by side; see `_loops.GOES_ON`."""
    routes, widest = given.routes, int(given.bins.n_codes.max(initial=0))
    f = np.maximum(routes.attribute, 0)
    cut = given.splitter[f] == _bin_loops.THRESHOLD
    steps = np.zeros((len(f), _loops.MAP + 1), np.uint64)
    steps[:, _loops.GOES_ON] = (routes.slot < 0) & (routes.attribute != _bin_loops.LEAF)
    steps[:, _loops.TESTED], steps[:, _loops.MISSING] = f, given.bins.n_codes[f]
    steps[:, _loops.LOW] = np.where(cut, routes.low_code, widest)
    steps[:, _loops.FIRST] = routes.first
    # the maps of thresholds and of tests with a branch for each value, then those of divisions of values
    steps[:, _loops.MAP] = np.where(
        cut, 0, np.where(routes.map_start < 0, widest, 2 * widest + routes.map_start)
    )
    maps = np.concatenate([np.zeros(widest, np.int64), np.arange(widest), routes.branch_map])
    return steps, maps.astype(np.uint64)


class Group:
    """Group adjacent partitions that are counted into the same bins, independently of the number of workers."""

    def __init__(self, partitions: list[Partition]) -> None:
        self.partitions = partitions
        self.label = partitions[0].label
        self.n_rows = sum(partition.n_rows for partition in partitions)


class _Room:
    """Buffers for the rows that descend."""

    def __init__(self, n_nodes: int) -> None:
        self.stacks = np.empty(n_nodes, np.int32), np.empty(n_nodes)
        self.entries = np.empty(ROOM, np.uint32), np.empty(ROOM, np.uint32), np.empty(ROOM)
        self.sorted = np.empty(ROOM, np.uint32), np.empty(ROOM, np.uint32), np.empty(ROOM)


@dataclass(frozen=True, eq=False)
class Bag:
    """The rows of one tree of a forest.

    Parameters
    ----------
    times : callable
        Number of times each row of a partition is in the bootstrap sample.
    counts : array of int
        Number of rows per class in the sample.
    n_tried : int
        Number of columns drawn at each node.
    seed : int
        Random seed for drawing columns.
    """

    times: Times
    counts: NDArray[np.int64]
    n_tried: int
    seed: int


class LevelGrowth:
    """A tree that grows level by level on the partitions of a binned table."""

    def __init__(
        self, coded: Coded, rule: GrowthRule, of_class: Floats | None = None, bag: Bag | None = None
    ) -> None:
        self.rule, self.bins, self.groups = rule, coded.bins, coded.groups
        n_classes = self.bins.n_classes
        self.of_class = np.ones(n_classes) if of_class is None else of_class
        self.weighted = of_class is not None or bag is not None or coded.n_missing > 0
        self.lightest = float(min(1.0, self.of_class[self.of_class > 0].min()))
        self.times = None if bag is None else bag.times
        n_tried = None if bag is None else bag.n_tried
        self.settings = settings_of(rule, self.lightest, len(self.bins.inputs), n_tried, False)
        self.splitter = splitters_of(self.bins.inputs, rule)
        counts = coded.counts if bag is None else bag.counts
        key = 1 if bag is None else root_key(bag.seed)
        self.nodes = Nodes(counts * self.of_class, self.bins.n_codes, key)
        self.start = np.append(0, np.cumsum(self.bins.n_codes + 1))
        self.slot_bytes = int(self.start[-1]) * n_classes * 8
        self.n_passes = 0

    def grow(self) -> None:
        """Grow level by level until no node can be split."""
        level = [0] if self._may_grow(0) else []
        while level:
            level = self._next_level(level)

    def _may_grow(self, node: int) -> bool:
        counts = self.nodes.counts[node]
        weight = counts.sum()
        return not (
            weight < self.settings.min_split
            or self.nodes.depth[node] >= self.settings.max_depth
            or counts.max() >= weight * (1.0 - 1e-12)
        )

    def _next_level(self, level: list[int]) -> list[int]:
        """Split the nodes of a level, as many per pass as memory allows; small nodes are grown completely."""
        few = max(_bin_loops.FEW, self.slot_bytes // (len(self.splitter) + 9))
        small = [node for node in level if self.nodes.counts[node].sum() <= few]
        large = [node for node in level if self.nodes.counts[node].sum() > few]
        most, share = max(1, MOST_BYTES // self.slot_bytes), 0.5
        grown: list[int] = []
        whole: set[int] = set()
        while small or large:
            count, large = large[:most], large[most:]
            collect: list[int] = []
            entries = 0.0
            while small and (not collect or entries <= share * MOST_ENTRIES):
                collect.append(small.pop(0))
                entries += self.nodes.counts[collect[-1]].sum()
            wanted = self._wanted(count, whole)
            found = self._counted(count, collect, wanted)
            if found.too_many and len(collect) == 1:
                large = collect + large  # its rows are numerous because they go down many branches
            elif found.too_many:
                small = collect + small
                share /= 2
            elif collect:
                self._finish(collect, found)
            children, again = self._split(count, found.bins, wanted)
            grown += children
            large, whole = again + large, whole.union(again)
        return [node for node in grown if self._may_grow(node)]

    def _wanted(self, nodes: list[int], whole: set[int]) -> NDArray[np.bool_]:
        """Return which columns are counted at each node: all, or those drawn first."""
        n_columns = len(self.splitter)
        if self.settings.n_tried >= n_columns:
            return np.ones((len(nodes), n_columns), np.bool_)
        wanted = np.zeros((len(nodes), n_columns), np.bool_)
        drawn = repeated(_loops.drawn_columns, len(nodes) * 2 * n_columns)
        drawn(
            self.nodes.key[nodes],
            self.settings.n_tried,
            np.arange(n_columns),
            np.zeros(_bin_loops.RANDOM + 1, np.int64),
            wanted,
        )
        wanted[[node in whole for node in nodes]] = True
        return wanted

    def _counted(self, count: list[int], collect: list[int], wanted: NDArray[np.bool_]) -> Counted:
        routes = self.nodes.routes([*count, *collect])
        given = _Pass(self.bins, self.splitter, self.of_class, self.times, routes, wanted, len(collect))
        self.n_passes += 1
        return total(partial(counted, given=given), self.groups)

    def _split(
        self, nodes: list[int], bins: Floats, wanted: NDArray[np.bool_]
    ) -> tuple[list[int], list[int]]:
        """Choose the tests of nodes by their bins; return children that may grow, and nodes to count again.

        A node is counted again in all columns if none of the columns drawn has a test.
        """
        if not nodes:
            return [], []
        counts = np.array([self.nodes.counts[node] for node in nodes])
        self._check(nodes, counts, bins, wanted)
        n_columns, n_classes = len(self.splitter), counts.shape[1]
        widest = max(2, int(self.bins.n_codes.max(initial=0))) + 1
        chosen, low, high = (np.empty(len(nodes), np.int64) for _ in range(3))
        sides = np.zeros((len(nodes), widest), np.bool_)
        tests = _bin_loops.Tests(
            np.empty(n_columns),
            np.empty(n_columns),
            np.empty(n_columns, np.int64),
            np.empty(n_columns, np.int64),
            np.arange(n_columns),
        )
        scales = _bin_loops.Scales(
            known=np.empty(n_classes),
            left=np.empty(n_classes),
            right=np.empty(n_classes),
            terms=None,
            order=np.empty(widest, np.int64),
            member=np.empty(widest, np.bool_),
        )
        best_tests = repeated(_loops.best_tests, bins.size * 4)
        best_tests(
            bins,
            counts,
            self.start,
            self.splitter,
            np.arange(widest),
            np.empty(widest, np.int64),
            tests,
            np.empty((n_columns, widest), np.bool_),
            scales,
            self.settings,
            self.nodes.key[nodes],
            wanted,
            np.zeros(_bin_loops.RANDOM + 1, np.int64),
            chosen,
            low,
            high,
            sides,
        )
        grown: list[int] = []
        again: list[int] = []
        for k, node in enumerate(nodes):
            if chosen[k] >= 0:
                grown += self._children(node, int(chosen[k]), int(low[k]), int(high[k]), sides[k], bins[k])
            elif not wanted[k].all():
                again.append(node)
        return grown, again

    def _children(
        self, node: int, f: int, low: int, high: int, side: NDArray[np.bool_], bins: Floats
    ) -> list[int]:
        n_codes = int(self.bins.n_codes[f])
        here = bins[self.start[f] : self.start[f] + n_codes]
        tail = bins[self.start[f] + n_codes]
        multiway = self.splitter[f] == _bin_loops.MULTIWAY
        branch = np.arange(n_codes) if multiway else side[:n_codes].astype(np.int64)
        n_branches = n_codes if multiway else 2
        own = np.zeros((n_branches, len(tail)))
        np.add.at(own, branch, here)
        of_known = self.nodes.counts[node].sum() - tail.sum()
        share = own.sum(axis=1) / of_known
        mapped = None if multiway or self.splitter[f] == _bin_loops.THRESHOLD else branch.astype(np.int32)
        first = self.nodes.split(node, f, low, high, own + share[:, np.newaxis] * tail, share, mapped)
        return [first + b for b in range(n_branches) if share[b] > 0]

    def _check(self, nodes: list[int], counts: Floats, bins: Floats, wanted: NDArray[np.bool_]) -> None:
        """Raise an `InputError` if bins do not add up to the count of their node, because rows were replaced."""
        sums = np.add.reduceat(bins, self.start[:-1], axis=1)
        off = np.where(wanted, np.abs(sums - counts[:, np.newaxis]).max(axis=2), 0.0).max(axis=1)
        wrong = np.flatnonzero(off > ADDS_UP * np.maximum(counts.sum(axis=1), 1.0))
        if len(wrong):
            raise InputError(
                f"the bins of node {nodes[wrong[0]]} do not add up to its rows: a partition changed while the tree "
                "grew; scan the table again"
            )

    def _finish(self, nodes: list[int], found: Counted) -> None:
        """Grow the subtrees of small nodes in this process, as in memory."""
        slots = np.concatenate([np.empty(0, np.int32), *found.slots])
        rows = np.concatenate([np.empty((0, len(self.splitter) + 1), self.bins.dtype), *found.rows])
        weights = np.concatenate([np.empty(0), *found.weights])
        order = np.argsort(slots, kind="stable")
        ends = np.searchsorted(slots[order], np.arange(len(nodes) + 1))
        for k, node in enumerate(nodes):
            mine = order[ends[k] : ends[k + 1]]
            counts = self.nodes.counts[node]
            weight = weights[mine]
            made = rows[mine]
            if abs(weight.sum() - counts.sum()) > ADDS_UP * max(1.0, counts.sum()):
                raise InputError(
                    f"the rows of node {node} do not add up to its count: a partition changed while the tree grew; "
                    "scan the table again"
                )
            table = BinnedTable(
                np.ascontiguousarray(made[:, :-1]), self.bins.n_codes, self.bins.edges, self.weighted
            )
            growth = BinnedGrowth(
                BinnedRows(
                    self.bins.inputs,
                    table,
                    made[:, -1],
                    np.arange(len(made), dtype=np.int32),
                    weight if self.weighted else None,
                    counts,
                    self.lightest,
                    int(self.nodes.depth[node]),
                    int(self.nodes.key[node]),
                ),
                self.rule,
                self.settings.n_tried,
            )
            while not growth.step():
                growth.make_room()
            self.nodes.graft(node, growth.nodes, growth.state)


@dataclass(frozen=True, eq=False)
class Coded:
    """Binned partitions, with their number of rows per class and of missing cells."""

    bins: Bins
    groups: list[Group]
    counts: NDArray[np.int64]
    n_missing: int


@contextmanager
def coded_partitions(source: Scan, n_bins: int) -> Iterator[Coded]:
    """Bin a table on the local disks of the workers, for the duration of the block."""
    bins, partitions = settled_bins(source, n_bins), source.partitions()
    with scratch((bins, partitions)) as folder:
        bins = replace(bins, folder=folder)
        found = total(partial(binned_classes, bins=bins), partitions)
        groups = [Group(partitions[at : at + TOGETHER]) for at in range(0, len(partitions), TOGETHER)]
        yield Coded(bins, groups, found[:-1], int(found[-1]))


def grow_coded(
    coded: Coded, source: Scan, rule: GrowthRule, of_class: Floats | None = None, bag: Bag | None = None
) -> tuple[Tree, int]:
    """Grow a tree on binned partitions; return it with the number of passes."""
    growth = LevelGrowth(coded, rule, of_class, bag)
    growth.grow()
    arrays, nodes = growth.nodes.arrays()
    tree = Tree(
        schema=source.schema,
        target=source.target,
        classes=source.classes,
        threshold=binned_thresholds(growth.bins.edges, arrays["attribute"], nodes),
        **arrays,
    )
    return tree, growth.n_passes


def grow_partitions(
    source: Scan, rule: GrowthRule, n_bins: int, of_class: Floats | None, told: Callable[[str], None]
) -> Tree:
    """Grow a tree on a partitioned table; the result equals `grow_binned` on the same rows in memory."""
    check_binned(rule, n_bins)
    with coded_partitions(source, n_bins) as coded:
        tree, n_passes = grow_coded(coded, source, rule, of_class)
    told(f"{n_passes:,} passes over the bytes of {len(source):,} rows")
    return tree
