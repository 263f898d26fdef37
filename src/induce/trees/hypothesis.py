"""The decision tree as a value: it predicts, prints, draws, explains and exports itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.hypothesis import Hypothesis
from induce.core.values import Value
from induce.data.schema import Column, Schema
from induce.data.table import Table, encode, positions
from induce.hypotheses.conditions import Above, AtMost, Condition, Is, one_of
from induce.hypotheses.naming import plural, right_of_all, value_text
from induce.hypotheses.rules import Rule, RuleList, class_array
from induce.trees.explanation import TreeExplanation, explain_row

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


@dataclass(frozen=True, eq=False, repr=False)
class Tree(Hypothesis):
    """A decision tree over nominal and numeric attributes.

    Nodes are numbered with the root 0 first and the branches of a node one after the other. A missing value
    sends a row down all branches, weighted by the training examples that took each; a value not seen in
    training ends at the node that asked for it.

    Parameters
    ----------
    schema : Schema
        All columns of the training table; only inputs are tested.
    target : str
    classes : tuple
    attribute : array of int32
        Which input a node tests; -1 at a leaf.
    threshold : array of float64
        For a numeric test: the first branch takes values up to and including it.
    first, n_branches : arrays of int32
        The first child and the number of children.
    map_start, branch_map : arrays of int32
        Where a node's map from nominal codes to branches begins; -1 when the code is the branch.
    counts : array of float64, shape (nodes, classes)
        The weight of the training examples of each class.
    """

    schema: Schema
    target: str
    classes: tuple[Value, ...]
    attribute: Ints
    threshold: Floats
    first: Ints
    n_branches: Ints
    map_start: Ints
    branch_map: Ints
    counts: Floats

    @property
    def n_nodes(self) -> int:
        """The number of nodes, leaves included."""
        return len(self.attribute)

    @property
    def n_leaves(self) -> int:
        """The number of leaves."""
        return int((self.attribute < 0).sum())

    @cached_property
    def parent(self) -> Ints:
        """The parent of each node; -1 for the root."""
        parent = np.full(self.n_nodes, -1, np.int32)
        inner = np.flatnonzero(self.attribute >= 0)
        children = _ranges(self.first[inner], self.n_branches[inner])
        parent[children] = np.repeat(inner, self.n_branches[inner])
        return parent

    @cached_property
    def depths(self) -> Ints:
        """The number of tests above each node."""
        depths = np.zeros(self.n_nodes, np.int32)
        level = np.array([0])
        depth = 0
        while len(level):
            depths[level] = depth
            level = level[self.attribute[level] >= 0]
            level = _ranges(self.first[level], self.n_branches[level])
            depth += 1
        return depths

    @property
    def depth(self) -> int:
        """The number of tests on the longest path."""
        return int(self.depths.max())

    @cached_property
    def distribution(self) -> Floats:
        """The share of each class at each node; a node that no training example reached has its parent's."""
        totals = self.counts.sum(axis=1)
        source = np.arange(self.n_nodes)
        for _ in range(self.depth):
            source = np.where((totals[source] > 0) | (source == 0), source, self.parent[source])
        safe = np.where(totals[source] > 0, totals[source], 1.0)
        shares = self.counts[source] / safe[:, None]
        shares[totals[source] == 0] = 1.0 / len(self.classes)
        return np.asarray(shares)

    @cached_property
    def majority(self) -> NDArray[np.int64]:
        """The most common class of each node, the first of equals."""
        return np.asarray(self.distribution.argmax(axis=1))

    @cached_property
    def share(self) -> Floats:
        """The share of its parent's training examples that each node got."""
        totals = self.counts.sum(axis=1)
        share = np.ones(self.n_nodes)
        inner = np.flatnonzero(self.attribute >= 0)
        for first, n in zip(self.first[inner], self.n_branches[inner], strict=True):
            among = totals[first : first + n].sum()
            share[first : first + n] = totals[first : first + n] / among if among > 0 else 1.0 / n
        return share

    def encode(self, X: Any) -> Table:
        """Return the rows as this tree reads them."""
        return X if isinstance(X, Table) else encode(X, self.schema)

    @cached_property
    def paths_arrays(self) -> Any:
        """The arrays that the compiled loops descend by."""
        from induce.trees._path_loops import LEAF, Paths

        where = np.append(positions(self.schema.inputs()), LEAF).astype(np.int32)
        return Paths(
            where[self.attribute],
            self.threshold,
            self.first,
            self.n_branches,
            self.map_start,
            self.branch_map,
            self.share,
        )

    def _reached(self, table: Table) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
        """Where each row ends, the rows that meet a missing value, and what their branches say together."""
        from induce.trees import _path_loops

        reached = _path_loops.descend(self.paths_arrays, table.numeric, table.nominal)
        several = np.flatnonzero(reached == _path_loops.EVERY)
        shares = np.zeros((len(several), len(self.classes)))
        if len(several):
            _path_loops.spread(
                self.paths_arrays, self.distribution, table.numeric, table.nominal, several, shares
            )
        return reached, several, shares

    def predict_proba(self, X: Any) -> Floats:
        """Return the share of each class for each row, in the order of `classes`."""
        reached, several, shares = self._reached(self.encode(X))
        probabilities = self.distribution[reached]
        probabilities[several] = shares
        return probabilities

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        reached, several, shares = self._reached(self.encode(X))
        codes = self.majority[reached]
        codes[several] = shares.argmax(axis=1)
        return class_array(self.classes)[codes]

    def route(self, table: Table, labels: NDArray[np.int64], weights: Floats) -> Floats:
        """Return the class counts of each node when other examples are sent down the tree."""
        from induce.trees import _path_loops

        counts = np.zeros_like(self.counts)
        rows = _path_loops.Rows(table.numeric, table.nominal, labels)
        entries = np.arange(len(labels), dtype=np.int32)
        _path_loops.route(self.paths_arrays, rows, entries, weights, 0, len(labels), 0, counts)
        return counts

    def explain(self, X: Any) -> tuple[TreeExplanation, ...]:
        """Return, for each row, the tests it went through with their class counts."""
        table = self.encode(X)
        probabilities = self.predict_proba(table)
        return tuple(explain_row(self, table, i, probabilities[i]) for i in range(len(table)))

    def size(self) -> str:
        """Return the number of nodes, leaves and levels."""
        leaves = "1 leaf" if self.n_leaves == 1 else f"{self.n_leaves} leaves"
        return f"{plural(self.n_nodes, 'node')}, {leaves}, depth {self.depth}"

    def tested(self, node: int) -> Column:
        """Return the column that a node tests."""
        return self.schema.inputs().columns[int(self.attribute[node])]

    def condition(self, node: int, branch: int) -> Condition | None:
        """Return what a branch of a node demands; None when no value can take it."""
        column = self.tested(node)
        if column.kind != "nominal":
            threshold = float(self.threshold[node])
            return AtMost(column.name, threshold) if branch == 0 else Above(column.name, threshold)
        start = int(self.map_start[node])
        if start < 0:
            return Is(column.name, column.domain[branch])
        taken = self._codes_of(node, branch)
        while self.parent[node] >= 0:  # leave out the values that a test above sends elsewhere
            above = int(self.parent[node])
            if self.attribute[above] == self.schema.inputs().columns.index(column):
                taken &= self._codes_of(above, node - int(self.first[above]))
            node = above
        values = tuple(column.domain[code] for code in sorted(taken))
        return one_of(column.name, values) if values else None

    def _codes_of(self, node: int, branch: int) -> set[int]:
        """The nominal codes that take a branch of a node."""
        start = int(self.map_start[node])
        if start < 0:
            return {branch}
        mapped = self.branch_map[start : start + len(self.tested(node).domain)]
        return set(np.flatnonzero(mapped == branch).tolist())

    def children(self, node: int) -> range:
        """Return the children of a node."""
        first = int(self.first[node])
        return range(first, first + int(self.n_branches[node]))

    def prediction(self, node: int) -> Value:
        """Return the class that a node predicts."""
        return self.classes[int(self.majority[node])]

    def walk(self) -> Iterator[tuple[int, int, Condition | None]]:
        """Yield every node but the root, depth first, with its depth and the condition that leads to it."""
        waiting = [(child, 1, self.condition(0, b)) for b, child in enumerate(self.children(0))][::-1]
        while waiting:
            node, depth, condition = waiting.pop()
            yield node, depth, condition
            waiting += [
                (child, depth + 1, self.condition(node, b)) for b, child in enumerate(self.children(node))
            ][::-1]

    def paths(self) -> Iterator[tuple[int, tuple[Condition, ...]]]:
        """Yield every leaf with the conditions on its path."""
        path: list[Condition] = []
        if self.n_nodes == 1:
            yield 0, ()
        for node, depth, condition in self.walk():
            if condition is not None:
                path[depth - 1 :] = [condition]
                if self.attribute[node] < 0:
                    yield node, tuple(path)

    def leaf_text(self, node: int) -> str:
        """Return what a leaf says: its class and how many of its training examples have it."""
        prediction = self.prediction(node)
        return (
            f"{value_text(prediction)} ({right_of_all(prediction, self.classes, self.counts[node].tolist())})"
        )

    def __str__(self) -> str:
        if self.n_nodes == 1:
            return f"{value_text(self.target)} is {self.leaf_text(0)}"
        lines = []
        for node, depth, condition in self.walk():
            if condition is not None:
                says = f": {self.leaf_text(node)}" if self.attribute[node] < 0 else ""
                lines.append("|   " * (depth - 1) + str(condition) + says)
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Tree for {self.target}: {self.size()}>"

    def to_rules(self) -> RuleList:
        """Return the tree as a list of rules, one for each leaf.

        A row with a missing value that the rules test satisfies none of them and gets the default.
        """
        rules = tuple(
            Rule(path, self.prediction(leaf), tuple(self.counts[leaf].tolist())).simplified()
            for leaf, path in self.paths()
        )
        return RuleList(
            self.schema, self.target, self.classes, rules, self.prediction(0), tuple(self.counts[0].tolist())
        )

    def to_sql(self, table: str = "data") -> str:
        """Return a SQL query that predicts as the tree does, missing values included."""
        from induce.trees.export import to_sql

        return to_sql(self, table)

    def to_python(self, name: str = "predict") -> str:
        """Return the source of a Python function that predicts as the tree does from a dict."""
        from induce.trees.export import to_python

        return to_python(self, name)

    def to_prolog(self) -> str:
        """Return the rules of the tree as Prolog clauses."""
        return self.to_rules().to_prolog()

    def _repr_html_(self) -> str:
        from induce.trees.html import html

        return html(self)

    def draw(self) -> Any:
        """Return a matplotlib figure of the tree."""
        from induce.trees.drawing import draw

        return draw(self)

    def cut(self, at: NDArray[np.bool_]) -> Tree:
        """Return the tree with the chosen nodes made leaves."""
        attribute = np.where(at, np.int32(-1), self.attribute)
        kept = np.zeros(self.n_nodes, bool)
        level = np.array([0])
        while len(level):
            kept[level] = True
            level = level[attribute[level] >= 0]
            level = _ranges(self.first[level], self.n_branches[level])
        number = np.cumsum(kept) - 1
        inner = attribute[kept] >= 0
        return replace(
            self,
            attribute=attribute[kept],
            threshold=np.where(inner, self.threshold[kept], np.nan),
            first=np.where(inner, number[self.first[kept]], -1).astype(np.int32),
            n_branches=np.where(inner, self.n_branches[kept], 0).astype(np.int32),
            map_start=np.where(inner, self.map_start[kept], -1).astype(np.int32),
            counts=self.counts[kept],
        )

    def check(self) -> None:
        """Raise an `InputError` unless the arrays describe a tree over the schema."""
        n, inputs = self.n_nodes, self.schema.inputs()
        arrays = (self.threshold, self.first, self.n_branches, self.map_start, self.counts)
        kinds = all(
            a.dtype == np.int32
            for a in (self.attribute, self.first, self.n_branches, self.map_start, self.branch_map)
        )
        sound = (
            n > 0
            and kinds
            and self.attribute.ndim == self.branch_map.ndim == self.threshold.ndim == 1
            and self.threshold.dtype == self.counts.dtype == np.float64
            and all(len(array) == n for array in arrays)
            and self.counts.shape == (n, len(self.classes))
            and len(self.classes) > 0
            and bool(np.isfinite(self.counts).all() and (self.counts >= 0).all())
            and bool((self.attribute >= -1).all() and (self.attribute < len(inputs)).all())
            and self._children_follow()
            and all(self._test_fits(int(node), inputs) for node in np.flatnonzero(self.attribute >= 0))
        )
        if not sound:
            raise InputError("the arrays of the tree do not fit together")

    def _children_follow(self) -> bool:
        inner = np.flatnonzero(self.attribute >= 0)
        if (self.first[inner] <= inner).any() or (self.n_branches[inner] < 1).any():
            return False
        if (self.first[inner].astype(np.int64) + self.n_branches[inner] > self.n_nodes).any():
            return False
        children = np.sort(_ranges(self.first[inner], self.n_branches[inner]))
        return np.array_equal(children, np.arange(1, self.n_nodes))

    def _test_fits(self, node: int, inputs: Schema) -> bool:
        column = inputs.columns[int(self.attribute[node])]
        n_branches, start = int(self.n_branches[node]), int(self.map_start[node])
        if column.kind != "nominal":
            return n_branches == 2 and bool(np.isfinite(self.threshold[node]))
        if start < 0:
            return n_branches == len(column.domain)
        mapped = self.branch_map[start : start + len(column.domain)]
        return len(mapped) == len(column.domain) and bool((mapped >= 0).all() and (mapped < n_branches).all())


def _ranges(first: NDArray[Any], length: NDArray[Any]) -> NDArray[np.int64]:
    """The numbers of several consecutive ranges."""
    ends = np.cumsum(length)
    return np.asarray(np.arange(ends[-1] if len(ends) else 0) + np.repeat(first - (ends - length), length))
