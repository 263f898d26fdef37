"""ID3's tree in mutable arrays, restructured after each example."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from induce.core.arrays import longer
from induce.core.loops import repeated, spend
from induce.core.progress import report
from induce.core.values import Value
from induce.data.schema import Schema
from induce.data.table import Table
from induce.data.training import Examples
from induce.trees.growth import GrowthRule, grow
from induce.trees.hypothesis import Tree
from induce.trees.incremental import _loops as loops

STEP, PLAIN_STEP = 5_000_000, 20_000
"""Number of counts visited in one step, compiled or not: a small fraction of a second."""
TERMS = 2**14
"""Largest k for which k log2 k is looked up."""
FEW_ROWS = 500
"""Maximum number of rows that are read faster cell by cell than column by column."""
LEAST_ASIDE = 64
"""Minimum number of examples of branches that are put aside; smaller ones can be grown again as quickly."""


class StandingTree:
    """A tree in mutable arrays that learns one example at a time.

    Parameters
    ----------
    inputs : Schema
        Nominal columns.
    n_classes : int
        Number of classes.
    few : int, optional
        Minimum number of examples for a node to have a table of counts; by default the table takes no more
        space than they do.
    least_aside : int
        Minimum number of examples of branches that are put aside when the test changes.
    """

    def __init__(
        self, inputs: Schema, n_classes: int, few: int | None = None, least_aside: int = LEAST_ASIDE
    ) -> None:
        sizes = np.array([len(column.domain) for column in inputs])
        start = np.append(0, np.cumsum(sizes))
        k = np.arange(TERMS, dtype=np.float64)
        if few is None:
            few = int(np.clip(start[-1] * n_classes // len(sizes), 8, 256))
        self.n_columns = len(sizes)
        self.widest = max(1, int(sizes.max()))
        self.settings = loops.TreeSettings(start, k * np.log2(np.maximum(k, 1.0)), few, least_aside)
        self.nodes = np.full((1, loops.NODE_SIZE), loops.NONE)
        self.nodes[0, loops.SIZE] = 0
        self.counts = np.zeros((1, n_classes))
        self.cells = np.empty((0, 2), np.int64)
        self.room = loops.Room(
            tables=np.empty((1, int(start[-1]), n_classes)),
            free_table=np.empty(1, np.int64),
            free_block=np.full(self.widest + 1, loops.NONE),
            order=np.empty(0, np.int64),
            sorted=np.empty(0, np.int64),
            put=np.empty(self.widest, np.int64),
            walk=np.empty((1, 2), np.int64),
            stack=np.zeros((1, 4), np.int64),
        )
        self.state = np.zeros(loops.STATE_SIZE, np.int64)
        self.state[[loops.N_NODES, loops.N_TABLES]] = 1
        self.state[[loops.FREE_TABLE, loops.FREE_CELL]] = loops.NONE

    def learn(self, seen: loops.Seen, stop: int) -> None:
        """Insert the examples before `stop` that are not in the tree yet."""
        begin = int(self.state[loops.NEXT])
        self._make_room(stop)
        while not self._step(seen, stop):
            self._make_room(stop)
            report((int(self.state[loops.NEXT]) - begin) / max(1, stop - begin))

    def _step(self, seen: loops.Seen, stop: int) -> bool:
        """Insert pending examples up to the step's budget; return whether all are in the tree."""
        learn = repeated(loops.learn, 0)
        arrays = self.nodes, self.counts, self.cells, self.room, self.state
        budget = PLAIN_STEP if learn is loops.learn else STEP
        done = learn(seen, self.settings, *arrays, stop, budget)
        spend(loops.learn, float(self.state[loops.SPENT]))
        return bool(done)

    def learn_at_once(self, seen: loops.Seen, stop: int) -> None:
        """Insert all examples before `stop` at once into an empty tree."""
        self._make_room(stop)
        self.room.order[:stop] = np.arange(stop)
        self.counts[0] = np.bincount(seen.labels[:stop], seen.weights[:stop], self.counts.shape[1])
        self.nodes[0, loops.SIZE] = stop
        self.room.stack[0] = loops.GROW, 0, 0, stop
        self.state[[loops.NEXT, loops.STACK]] = stop, 1
        self.learn(seen, stop)

    def _make_room(self, n_examples: int) -> None:
        """Allocate the space that the next step may need."""
        state = self.state
        if n_examples >= len(self.room.order):
            size = 2 * (n_examples + 1)
            self.room = self.room._replace(
                order=longer(self.room.order, size), sorted=np.empty(size, np.int64)
            )
        if state[loops.N_NODES] + self.widest > len(self.nodes):
            size = 2 * (int(state[loops.N_NODES]) + self.widest)
            self.room = self.room._replace(walk=np.empty((size, 2), np.int64))
            self.counts = longer(self.counts, size)
            self.nodes = longer(self.nodes, size)
        if state[loops.N_TABLES] == len(self.room.tables):
            size = 2 * len(self.room.tables)
            self.room = self.room._replace(
                tables=longer(self.room.tables, size), free_table=longer(self.room.free_table, size)
            )
        if state[loops.STACK] + self.widest + 2 > len(self.room.stack):
            size = 2 * (int(state[loops.STACK]) + self.widest + 2)
            self.room = self.room._replace(stack=longer(self.room.stack, size))
        _, _, lo, hi = (
            self.room.stack[state[loops.STACK] - 1].tolist() if state[loops.STACK] else (0, 0, 0, 0)
        )
        needed = int(state[loops.USED_CELLS]) + hi - lo + self.n_columns + 2
        if needed > len(self.cells):
            self.cells = longer(self.cells, 2 * needed)

    def tree(self, schema: Schema, target: str, classes: tuple[Value, ...]) -> Tree:
        """Return the current tree as an immutable value."""
        size = int(self.state[loops.N_NODES])
        shape = np.empty((3, size), np.int32)
        counts = np.empty((size, len(classes)))
        snapshot = repeated(loops.snapshot, counts.size)
        n = snapshot(self.nodes, self.counts, self.settings.start, self.room.walk, shape, counts)
        return Tree(
            schema=schema,
            target=target,
            classes=classes,
            attribute=shape[0, :n].copy(),
            threshold=np.full(n, np.nan),
            first=shape[1, :n].copy(),
            n_branches=shape[2, :n].copy(),
            map_start=np.full(n, -1, np.int32),
            branch_map=np.empty(0, np.int32),
            counts=counts[:n].copy(),
        )


class Memory:
    """The examples seen so far and their tree."""

    def __init__(
        self, schema: Schema, target: str, classes: tuple[Value, ...], tree: Tree | None = None
    ) -> None:
        self.schema = schema
        self.target = target
        self.classes = classes
        self._look_up()
        n_nominal = sum(column.kind == "nominal" for column in self.inputs)
        self.n = 0
        self.nominal = np.empty((0, n_nominal), np.int32)
        self.numeric = np.empty((0, len(self.inputs) - n_nominal))
        self.labels = np.empty(0, np.int64)
        self.weights = np.empty(0)
        self.in_place = all(column.kind == "nominal" and not column.ordered for column in self.inputs)
        self._standing: StandingTree | None = None
        self._tree = tree

    def _look_up(self) -> None:
        """Prepare the lookup of codes for known text cells and classes."""
        self.inputs = self.schema.inputs()
        text = all(isinstance(value, str) for column in self.inputs for value in column.domain)
        self._codes = [
            {value: code for code, value in enumerate(column.domain)} if column.role == "input" else None
            for column in self.schema
        ]
        self._places = {value: place for place, value in enumerate(self.classes)}
        self._quick = text and len({*map(type, self.classes)}) == 1

    def enlarge(self, schema: Schema, classes: tuple[Value, ...]) -> None:
        """Add values to columns, or classes to the target."""
        if schema != self.schema or classes != self.classes:
            self.schema, self.classes = schema, classes
            self._standing = self._tree = None
            self._look_up()

    def add(self, examples: Examples, tree: Tree | None = None) -> None:
        """Add examples, optionally with the tree of all previous examples."""
        n, stop = self.n, self.n + len(examples)
        if stop > len(self.labels):
            for name in ("nominal", "numeric", "labels", "weights"):
                setattr(self, name, longer(getattr(self, name), 2 * stop))
        self.nominal[n:stop] = examples.table.nominal
        self.numeric[n:stop] = examples.table.numeric
        self.labels[n:stop] = examples.labels
        self.weights[n:stop] = examples.weight()
        if self.in_place and (examples.table.nominal < 0).any():
            self.in_place, self._standing = False, None
        self._tree = tree
        self.n = stop

    def learn(self, examples: Examples) -> None:
        """Add examples and insert them into the tree one at a time."""
        if self._standing is None:
            self._stand()
        self.add(examples)
        self._stand()

    def _stand(self) -> None:
        """Ensure that all examples are in the current tree, if there is one."""
        if self.in_place:
            seen = loops.Seen(self.nominal, self.labels, self.weights)
            if self._standing is None:
                standing = StandingTree(self.inputs, len(self.classes))
                standing.learn_at_once(seen, self.n)
                self._standing = standing
            self._standing.learn(seen, self.n)

    def known_rows(self, X: Any, y: Any, names: list[str] | None) -> Examples | None:
        """Read a few rows cell by cell, which is fast; return None if they hold anything but known text."""
        if not (self.in_place and self._quick and hasattr(X, "shape") and X.shape[0] <= FEW_ROWS):
            return None
        cells = _cells(X, names)
        values = y.to_list() if hasattr(y, "to_list") else y.tolist() if hasattr(y, "tolist") else y
        if cells is None or not isinstance(values, list) or len(cells) != len(values):
            return None
        if {*map(type, values)} != {type(self.classes[0])}:
            return None
        try:
            codes = [
                [code[cell] for code, cell in zip(self._codes, row, strict=True) if code is not None]
                for row in cells
            ]
            labels = np.array([self._places[value] for value in values], np.int64)
        except (KeyError, TypeError, ValueError):
            return None
        table = Table(self.inputs, np.empty((len(labels), 0)), np.array(codes, np.int32))
        return Examples(table, labels, None, len(self.classes))

    def examples(self) -> Examples:
        """Return all examples seen so far."""
        n, weights = self.n, self.weights[: self.n]
        table = Table(self.inputs, self.numeric[:n], self.nominal[:n])
        return Examples(table, self.labels[:n], None if (weights == 1).all() else weights, len(self.classes))

    def tree(self) -> Tree:
        """Return the tree of all examples seen so far."""
        if self._tree is None:
            self._stand()
            if self._standing is not None:
                self._tree = self._standing.tree(self.schema, self.target, self.classes)
            else:
                self._tree = grow(self.examples(), self.schema, self.target, self.classes, GrowthRule())
        return self._tree


def _cells(X: Any, names: list[str] | None) -> list[Any] | None:
    """Return the rows of a small frame with these columns, or of a small array, as Python values."""
    if isinstance(X, np.ndarray):
        return X.tolist() if names is None and X.ndim == 2 and X.dtype.kind in "OU" else None
    if names is None or list(getattr(X, "columns", ())) != names:
        return None
    if hasattr(X, "rows"):
        return cast(list[Any], X.rows())
    return cast(list[Any], X.to_numpy(dtype=object).tolist()) if hasattr(X, "iloc") else None
