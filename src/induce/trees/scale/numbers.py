"""Level-wise growth of a regression tree on a partitioned table.

A pass over the partitions sums the targets in the bins of all columns for the nodes of a level; small nodes
are collected and grown in memory. If every bin holds a single value, the tree is that of
`regression.growth.grow`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.arrays import longer
from induce.core.engines import total
from induce.core.errors import InputError
from induce.core.loops import repeated
from induce.core.pass_results import pass_result
from induce.data.scanning import Scan
from induce.data.table import Table
from induce.discretise import thresholds
from induce.trees._bin_loops import child_key
from induce.trees.binning import root_key
from induce.trees.regression import _loops as memory
from induce.trees.regression.growth import Growth, Measured, RegressionRule, settings_of, splitters_of
from induce.trees.regression.hypothesis import RegressionTree
from induce.trees.scale import _number_loops as loops
from induce.trees.scale.binning import Bins
from induce.trees.scale.growth import ADDS_UP, MOST_BYTES, MOST_ENTRIES, Coded, Group, Times

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FEW = 200
"""Nodes of at most this many rows are always grown in memory."""
LARGEST = 1e100
"""Largest target that can be squared and summed without overflow."""


@pass_result
@dataclass(eq=False)
class Targets:
    """Number, mean and squared error of targets, and the smallest and largest of them."""

    n: float
    mean: float
    sse: float
    least: float
    largest: float

    def __add__(self, later: Targets) -> Targets:
        if not self.n or not later.n:
            return later if not self.n else self
        n, apart = self.n + later.n, later.mean - self.mean
        sse = self.sse + later.sse + apart**2 * self.n * later.n / n
        mean = self.mean + apart * later.n / n
        return Targets(n, mean, sse, min(self.least, later.least), max(self.largest, later.largest))


@dataclass(frozen=True, eq=False)
class NumberBag:
    """The rows of one tree of a forest.

    Parameters
    ----------
    times : callable
        Function that returns the number of times each row of a partition is in the bag.
    n_tried : int
        Number of columns drawn at each node.
    seed : int
        Random seed of the draws.
    """

    times: Times
    n_tried: int
    seed: int


def targets_of(group: Group, bins: Bins, times: Times | None = None) -> Targets:
    """Return the statistics of the targets of some partitions, or of those in a bag."""
    found = Targets(0.0, 0.0, 0.0, np.inf, -np.inf)
    for partition in group.partitions:
        y = bins.numbers(partition)
        if times is not None:
            y = np.repeat(y, times(partition))
        if len(y) and np.abs(y).max() > LARGEST:
            raise InputError(
                f"the target holds numbers beyond {LARGEST:g}, whose squares cannot be summed; scale them down"
            )
        mean = float(y.mean()) if len(y) else 0.0
        low, high = float(y.min(initial=np.inf)), float(y.max(initial=-np.inf))
        found += Targets(float(len(y)), mean, float(((y - mean) ** 2).sum()), low, high)
    return found


@dataclass(frozen=True, eq=False)
class _Pass:
    """Task of a pass over the partitions: the current tree, and the nodes that have a slot."""

    bins: Bins
    splitter: NDArray[np.int8]
    times: Times | None
    routes: loops.NumberRoutes
    mean: Floats
    n_collected: int


@pass_result
@dataclass(eq=False)
class CountedNumbers:
    """The bins of large nodes with their smallest and largest target, and the rows of small ones."""

    bins: Floats
    ends: Floats
    slots: list[NDArray[np.int32]]
    rows: list[NDArray[Any]]
    y: list[Floats]
    weights: list[Floats]
    too_many: bool = False

    def __add__(self, later: CountedNumbers) -> CountedNumbers:
        n = sum(map(len, self.slots)) + sum(map(len, later.slots))
        ends = np.stack(
            [np.minimum(self.ends[:, 0], later.ends[:, 0]), np.maximum(self.ends[:, 1], later.ends[:, 1])],
            axis=1,
        )
        if self.too_many or later.too_many or n > MOST_ENTRIES:
            return CountedNumbers(self.bins + later.bins, ends, [], [], [], [], True)
        rows = self.slots + later.slots, self.rows + later.rows
        return CountedNumbers(
            self.bins + later.bins, ends, *rows, self.y + later.y, self.weights + later.weights
        )


def counted_numbers(group: Group, given: _Pass) -> CountedNumbers:
    """Count several adjacent partitions into the same bins."""
    n_codes, n = given.bins.n_codes, len(given.mean)
    start = np.append(0, np.cumsum(n_codes + 1)).astype(np.uint64)
    ends = np.tile([np.inf, -np.inf], (n, 1))
    found = CountedNumbers(np.zeros((n, int(start[-1]), loops.SUMS)), ends, [], [], [], [])
    for partition in group.partitions:
        codes, y = np.ascontiguousarray(given.bins.coded(partition)[:, :-1]), given.bins.numbers(partition)
        slot = np.empty(len(y), np.int32)
        route = repeated(loops.route_numbers, 8 * len(y))
        route(codes, n_codes, given.splitter, given.routes, slot)
        weight = None if given.times is None else given.times(partition).astype(np.float64)
        if weight is not None:
            slot[weight == 0] = -1
        if given.n_collected and not found.too_many:
            small = np.flatnonzero(slot >= n)
            found.slots.append((slot[small] - n).astype(np.int32))
            found.rows.append(codes[small])
            found.y.append(y[small])
            found.weights.append(np.ones(len(small)) if weight is None else weight[small])
            if sum(map(len, found.slots)) > MOST_ENTRIES:
                found.slots, found.rows, found.y, found.weights, found.too_many = [], [], [], [], True
        if n:
            tally = repeated(loops.tally_numbers, len(y) * codes.shape[1])
            room = np.empty(n + 1, np.int64), np.empty(len(y), np.uint32)
            tally(codes, y, weight, start, slot, given.mean, *room, found.ends, found.bins)
    return found


class NumberNodes:
    """The nodes of a regression tree in the order of their creation; children of a node are consecutive."""

    names = ("attribute", "low_code", "high_code", "first", "n_branches", "map_start", "heaviest", "depth")

    def __init__(self, root: Targets, key: int = 1) -> None:
        self.n, self.key = 1, np.full(1, key)
        for name in self.names:
            setattr(self, name, np.zeros(1, np.int64))
        self.attribute, self.map_start = np.full(1, loops.LEAF), np.full(1, -1)
        self.weight, self.mean = np.array([root.n]), np.array([root.mean])
        self.sse = np.array([max(root.sse, memory.SMALLEST) if root.least < root.largest else 0.0])
        self.branch_map = np.empty(0, np.int64)

    attribute: Ints
    low_code: Ints
    high_code: Ints
    first: Ints
    n_branches: Ints
    map_start: Ints
    heaviest: Ints
    depth: Ints

    def room(self, more: int) -> int:
        """Allocate additional leaves; return the first."""
        first, self.n = self.n, self.n + more
        if self.n > len(self.attribute):
            for name in (*self.names, "key", "weight", "mean", "sse"):
                setattr(self, name, longer(getattr(self, name), 2 * self.n))
        self.attribute[first : self.n], self.map_start[first : self.n] = loops.LEAF, -1
        return first

    def routes(self, counted: list[int]) -> loops.NumberRoutes:
        """Return the current tree for routing rows, with a slot for each node that is counted."""
        slot = np.full(self.n, -1, np.int32)
        slot[counted] = np.arange(len(counted))
        told = (self.attribute, self.low_code, self.first, self.map_start)
        attribute, low, first, maps = (each[: self.n] for each in told)
        return loops.NumberRoutes(attribute, low, first, maps, self.branch_map, self.heaviest[: self.n], slot)

    def graft(self, node: int, growth: Growth, rows: NDArray[Any]) -> None:
        """Replace a node by a tree that was grown in memory on codes."""
        n, mapped = int(growth.state[memory.N_NODES]), int(growth.state[memory.MAPPED])
        place, about = growth.nodes.place[:n], growth.nodes.about[:n]
        into = np.append(node, self.room(n - 1) + np.arange(n - 1))
        inner = place[:, memory.ATTRIBUTE] >= 0
        of = np.maximum(place[:, memory.ATTRIBUTE], 0)
        self.attribute[into] = place[:, memory.ATTRIBUTE]
        self.low_code[into] = rows[place[:, memory.LOW_ROW], of]
        self.high_code[into] = rows[place[:, memory.HIGH_ROW], of]
        self.first[into] = np.where(inner, into[np.minimum(place[:, memory.FIRST], n - 1)], 0)
        self.n_branches[into] = np.where(inner, place[:, memory.N_BRANCHES], 0)
        has_map = inner & (place[:, memory.MAP_START] >= 0)
        self.map_start[into] = np.where(has_map, place[:, memory.MAP_START] + len(self.branch_map), -1)
        self.branch_map = np.append(self.branch_map, growth.nodes.branch_map[:mapped])
        self.weight[into], self.mean[into] = about[:, memory.WEIGHT], about[:, memory.MEAN]
        self.sse[into] = about[:, memory.SSE]

    def order(self) -> Ints:
        """Return the nodes numbered as in memory, where a node gets its number when its parent is split."""
        order, stack = [0], [0]
        while stack:
            node = stack.pop()
            if self.attribute[node] >= 0:
                first = int(self.first[node])
                children = range(first, first + int(self.n_branches[node]))
                order += children
                stack += reversed(children)
        return np.array(order)


class NumberGrowth:
    """A regression tree that grows level by level on binned partitions."""

    def __init__(self, coded: Coded, rule: RegressionRule, bag: NumberBag | None = None) -> None:
        self.rule, self.bins, self.groups = rule, coded.bins, coded.groups
        self.times = None if bag is None else bag.times
        root = total(partial(targets_of, bins=self.bins, times=self.times), self.groups)
        self.nodes = NumberNodes(root, 1 if bag is None else root_key(bag.seed))
        n_tried = None if bag is None else bag.n_tried
        self.settings = settings_of(rule, float(self.nodes.sse[0]), len(self.bins.inputs), n_tried, False)
        self.splitter = splitters_of(self.bins.inputs, rule)
        self.start = np.append(0, np.cumsum(self.bins.n_codes + 1))
        self.slot_bytes = int(self.start[-1]) * loops.SUMS * 8

    def grow(self) -> None:
        """Grow level by level until no node can be split."""
        level = [0] if self._may_grow(0) else []
        while level:
            level = self._next_level(level)

    def _may_grow(self, node: int) -> bool:
        nodes, settings = self.nodes, self.settings
        return bool(
            nodes.weight[node] >= settings.min_split
            and nodes.depth[node] < settings.max_depth
            and nodes.sse[node] > 0
        )

    def few(self) -> float:
        """Return the maximum number of rows of a node to collect: they take no more space than its bins."""
        return max(FEW, self.slot_bytes // (len(self.splitter) + 8))

    def _next_level(self, level: list[int]) -> list[int]:
        """Split the nodes of a level, as many per pass as memory allows; small nodes are grown completely."""
        few = min(self.few(), MOST_ENTRIES)  # a larger node would never be collected
        small = [node for node in level if self.nodes.weight[node] <= few]
        large = [node for node in level if self.nodes.weight[node] > few]
        most, grown = max(1, MOST_BYTES // self.slot_bytes), list[int]()
        while small or large:
            count, large = large[:most], large[most:]
            collect: list[int] = []
            entries = 0.0
            while small and entries + self.nodes.weight[small[0]] <= MOST_ENTRIES:
                collect.append(small.pop(0))
                entries += self.nodes.weight[collect[-1]]
            routes = self.nodes.routes([*count, *collect])
            mean = self.nodes.mean[count]
            given = _Pass(self.bins, self.splitter, self.times, routes, mean, len(collect))
            found = total(partial(counted_numbers, given=given), self.groups)
            if found.too_many:
                raise _changed(collect[0])
            if collect:
                self._finish(collect, found)
            grown += self._split(count, found)
        return [node for node in grown if self._may_grow(node)]

    def _split(self, nodes: list[int], found: CountedNumbers) -> list[int]:
        """Choose the test of each node by its bins, and return its children."""
        if not nodes:
            return []
        bins, tree = found.bins, self.nodes
        sums = np.add.reduceat(bins, self.start[:-1], axis=1)
        n = tree.weight[nodes]
        wrong = np.flatnonzero(np.abs(sums[:, :, loops.ROWS] - n[:, np.newaxis]).max(axis=1) > ADDS_UP * n)
        if len(wrong):
            raise _changed(nodes[wrong[0]])
        drift, squares = sums[:, 0, loops.DRIFT], sums[:, 0, loops.SQUARES]
        same = found.ends[:, 0] == found.ends[:, 1]
        tree.sse[nodes] = np.where(same, 0.0, np.maximum(squares - drift**2 / n, memory.SMALLEST))
        tree.mean[nodes] = np.where(same, found.ends[:, 0], tree.mean[nodes])
        widest, n_columns = max(2, int(self.bins.n_codes.max(initial=0))), len(self.splitter)
        chosen, low, high = (np.zeros(len(nodes), np.int64) for _ in range(3))
        sides = np.zeros((len(nodes), widest), np.uint8)
        best_tests = repeated(loops.best_number_tests, bins.size * 2)
        best_tests(
            bins,
            tree.sse[nodes],
            self.start,
            self.splitter,
            self.settings,
            np.arange(widest, dtype=np.int32),
            np.empty(widest, np.int32),
            np.empty(widest),
            np.empty(widest),
            np.zeros((n_columns, 5)),
            np.zeros((n_columns, 2), np.int64),
            np.zeros((n_columns, widest), np.uint8),
            np.empty((2, widest)),
            np.empty((4, widest), np.int64),
            tree.key[nodes],
            np.arange(n_columns),
            np.zeros(memory.RANDOM + 1, np.int64),
            chosen,
            low,
            high,
            sides,
        )
        grown: list[int] = []
        for k, node in enumerate(nodes):
            if chosen[k] >= 0 and not same[k]:
                grown += self._children(node, int(chosen[k]), int(low[k]), int(high[k]), sides[k], bins[k])
        return grown

    def _children(
        self, node: int, f: int, low: int, high: int, side: NDArray[np.uint8], bins: Floats
    ) -> list[int]:
        tree, n_codes = self.nodes, int(self.bins.n_codes[f])
        here = bins[self.start[f] : self.start[f] + n_codes]
        kind = self.splitter[f]
        if kind == memory.MULTIWAY:
            n_branches, branch = n_codes, np.arange(n_codes)
        else:
            n_branches = 2
            branch = (np.arange(n_codes) > low if kind == memory.THRESHOLD else side[:n_codes]).astype(
                np.int64
            )
        sums = np.zeros((n_branches, loops.SUMS))
        np.add.at(sums, branch, here)
        heaviest = int(sums[:, loops.ROWS].argmax())
        sums[heaviest] += bins[self.start[f] + n_codes]  # fraction of rows whose value is missing
        first = tree.room(n_branches)
        new = slice(first, tree.n)
        tree.attribute[node], tree.low_code[node], tree.high_code[node] = f, low, high
        tree.first[node], tree.n_branches[node], tree.heaviest[node] = first, n_branches, heaviest
        if kind not in (memory.MULTIWAY, memory.THRESHOLD):
            tree.map_start[node] = len(tree.branch_map)
            tree.branch_map = np.append(tree.branch_map, branch)
        n, drift, squares = sums.T
        off = drift / np.where(n > 0, n, 1.0)
        tree.weight[new], tree.depth[new] = n, tree.depth[node] + 1
        with np.errstate(over="ignore"):  # the bits of a hash
            tree.key[new] = [child_key(int(tree.key[node]), b) for b in range(n_branches)]
        tree.mean[new] = tree.mean[node] + off
        tree.sse[new] = np.where(n > 0, np.maximum(squares - drift * off, memory.SMALLEST), 0.0)
        tree.sse[new][n <= 1] = 0.0
        return [first + b for b in range(n_branches) if n[b] > 0]

    def _finish(self, nodes: list[int], found: CountedNumbers) -> None:
        """Grow the subtrees of small nodes in this process, as in memory."""
        slots, y = np.concatenate(found.slots), np.concatenate(found.y)
        rows, weights = np.concatenate(found.rows), np.concatenate(found.weights)
        order = np.argsort(slots, kind="stable")
        ends = np.searchsorted(slots[order], np.arange(len(nodes) + 1))
        for k, node in enumerate(nodes):
            mine = order[ends[k] : ends[k + 1]]
            if weights[mine].sum() != self.nodes.weight[node]:
                raise _changed(node)
            here = np.where(rows[mine] == self.bins.n_codes, -1, rows[mine].astype(np.int64))
            depth = int(self.nodes.depth[node])
            deeper = None if self.rule.max_depth is None else int(self.rule.max_depth) - depth
            growth = Growth(
                Measured(_of_codes(self.bins, here), y[mine], None if self.times is None else weights[mine]),
                replace(self.rule, max_depth=deeper),
                self.settings.n_tried,
                key=int(self.nodes.key[node]),
            )
            growth.settings = growth.settings._replace(
                min_decrease=self.settings.min_decrease, root_sse=self.settings.root_sse
            )
            while not growth.step():
                growth.make_room()
            self.nodes.graft(node, growth, here)

    def tree(self, source: Scan) -> RegressionTree:
        """Return the grown nodes as an immutable tree."""
        grown, order = self.nodes, self.nodes.order()
        new = np.empty(grown.n, np.int64)
        new[order] = np.arange(len(order))
        attribute = grown.attribute[order]
        inner = attribute >= 0
        threshold = np.full(len(order), np.nan)
        for f, (highest, lowest) in enumerate(self.bins.edges):
            at = np.flatnonzero(attribute == f)
            if len(highest) and self.bins.inputs.columns[f].kind != "nominal":
                low, high = grown.low_code[order][at], grown.high_code[order][at]
                threshold[at] = thresholds(highest[low], lowest[high - 1])
        maps = [np.empty(0, np.int64)]
        map_start, mapped = np.full(len(order), -1, np.int32), 0
        for node in _by_depth(grown):
            begin = int(grown.map_start[node])
            if grown.attribute[node] >= 0 and begin >= 0:
                size = int(self.bins.n_codes[grown.attribute[node]])
                map_start[new[node]], mapped = mapped, mapped + size
                maps.append(grown.branch_map[begin : begin + size])
        mean = grown.mean[order]
        return RegressionTree(
            schema=source.schema,
            target=source.target,
            attribute=attribute.astype(np.int32),
            threshold=threshold,
            first=np.where(inner, new[grown.first[order]], -1).astype(np.int32),
            n_branches=np.where(inner, grown.n_branches[order], 0).astype(np.int32),
            map_start=map_start,
            branch_map=np.concatenate(maps).astype(np.int32),
            n=grown.weight[order],
            mean=mean,
            sse=grown.sse[order],
            intercept=mean,
            coefficients=np.empty((len(order), 0)),
            spread=float(np.sqrt(grown.sse[0] / grown.weight[0])),
        )


def _by_depth(grown: NumberNodes) -> list[int]:
    """Return the nodes in depth-first order, as growth in memory splits them."""
    order, stack = [], [0]
    while stack:
        node = stack.pop()
        order.append(node)
        first = int(grown.first[node])
        if grown.attribute[node] >= 0:
            stack += reversed(range(first, first + int(grown.n_branches[node])))
    return order


def _of_codes(bins: Bins, codes: Ints) -> Table:
    """Return rows of codes (-1 for missing values) as a table whose numbers are the bins."""
    nominal = [f for f, column in enumerate(bins.inputs) if column.kind == "nominal"]
    numeric = [f for f, column in enumerate(bins.inputs) if column.kind != "nominal"]
    numbers = codes[:, numeric].astype(np.float64)
    numbers[numbers < 0] = np.nan
    return Table(bins.inputs, numbers, np.ascontiguousarray(codes[:, nominal], np.int32))


def _changed(node: int) -> InputError:
    return InputError(
        f"the rows of node {node} do not add up to its count: a partition changed while the tree grew; scan the "
        "table again"
    )
