"""Shared structure of all trees: tests, branches and paths, whatever the model of their leaves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.data.schema import Column, Schema
from induce.data.table import positions
from induce.hypotheses.conditions import Above, AtMost, Condition, Is, interval, one_of
from induce.hypotheses.kinds.predictor import Predictor
from induce.hypotheses.naming import plural, value_text
from induce.trees.surrogates import Surrogates

if TYPE_CHECKING:
    from induce.hypotheses.expressions.nodes import Cell

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

FRACTIONAL, MODE = "fractional", "mode"
PATH_STEPS = 10
"""Elementary steps per row of the loops over paths, approximately."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Structure(Predictor):
    """The tests of a tree over nominal and numeric attributes.

    Nodes are numbered from the root, 0, and the children of a node are consecutive. A value not seen in
    training ends at the node that tests it.

    Parameters
    ----------
    schema : Schema
        All columns of the training table; nodes test only inputs.
    target : str
        Name of the target column.
    attribute : array of int32
        The input that each node tests; -1 at a leaf.
    threshold : array of float64
        Threshold of a numeric test with two branches: values up to and including it take the first branch.
    first, n_branches : arrays of int32
        The first child and the number of children of each node.
    map_start : array of int32
        Start of a node's map from nominal codes to branches in `branch_map`, or -1 if the code is the branch;
        for a numeric test, start of the ends of its intervals in `cuts`, or -1 if it has a single threshold.
    branch_map : array of int32
        Maps from nominal codes to branches, one node after another.
    cuts : array of float64
        Ends of the intervals of numeric tests with several cuts.
    missing : {"fractional", "mode"}
        Treatment of a row with a missing value: all branches, weighted by the training examples in each, or
        only the branch with the most training examples.
    surrogates : Surrogates, optional
        Surrogate tests, used if the value of a test is missing.
    """

    schema: Schema
    target: str
    attribute: Ints
    threshold: Floats
    first: Ints
    n_branches: Ints
    map_start: Ints
    branch_map: Ints
    cuts: Floats = field(default_factory=lambda: np.empty(0))
    missing: str = FRACTIONAL
    surrogates: Surrogates | None = None

    of_nodes: ClassVar[tuple[str, ...]] = ()
    """The fields that describe each node in addition to its test."""

    @property
    def weights(self) -> Floats:
        """The weight of the training examples that reached each node."""
        raise TypeError(f"{type(self).__name__} does not count its examples")

    def leaf_text(self, node: int) -> str:
        """Return the text of a leaf."""
        raise TypeError(f"{type(self).__name__} has no text for its leaves")

    @property
    def n_nodes(self) -> int:
        """The number of nodes, including leaves."""
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
        depths = [0] * self.n_nodes
        for node, parent in enumerate(self.parent[1:].tolist(), start=1):
            depths[node] = depths[parent] + 1
        return np.array(depths, np.int32)

    @property
    def depth(self) -> int:
        """The number of tests on the longest path."""
        return int(self.depths.max())

    @cached_property
    def share(self) -> Floats:
        """Fraction of a row with a missing value that goes to each node from its parent."""
        share = np.ones(self.n_nodes)
        inner = np.flatnonzero(self.attribute >= 0)
        if not len(inner):
            return share
        n = self.n_branches[inner]
        starts = np.cumsum(n) - n
        children = _ranges(self.first[inner], n)
        weights = self.weights[children]
        if self.missing == MODE:
            heaviest = weights == np.repeat(np.maximum.reduceat(weights, starts), n)
            earlier = np.cumsum(heaviest) - heaviest
            share[children] = heaviest & (earlier == np.repeat(earlier[starts], n))
        else:
            of_parent = np.repeat(np.add.reduceat(weights, starts), n)
            known = of_parent > 0
            share[children] = np.where(
                known, weights / np.where(known, of_parent, 1.0), 1.0 / np.repeat(n, n)
            )
        return share

    @cached_property
    def testable(self) -> Schema:
        """The columns that nodes can test, as `attribute` numbers them."""
        return self.schema.inputs()

    @cached_property
    def paths_arrays(self) -> Any:
        """The arrays that the compiled loops use to send rows down."""
        from induce.trees._path_loops import Paths

        return Paths(
            self._positions(self.attribute),
            self.threshold,
            self.first,
            self.n_branches,
            self.map_start,
            self.branch_map,
            self.share,
            self.cuts,
        )

    @cached_property
    def surrogate_arrays(self) -> Any:
        """The arrays of the surrogate tests; None without any."""
        from induce.trees._path_loops import SurrogateArrays

        found = self.surrogates
        if found is None:
            return None
        return SurrogateArrays(
            found.start[:-1],
            found.start[1:],
            self._positions(found.attribute),
            found.threshold,
            found.swapped,
            found.map_start,
        )

    def _positions(self, attribute: Ints) -> Ints:
        """Return the positions of the tested columns in the table."""
        from induce.trees._path_loops import LEAF

        return np.append(positions(self.testable), LEAF).astype(np.int32)[attribute]

    def size(self) -> str:
        """Return the number of nodes, leaves and levels."""
        leaves = "1 leaf" if self.n_leaves == 1 else f"{self.n_leaves} leaves"
        return f"{plural(self.n_nodes, 'node')}, {leaves}, depth {self.depth}"

    def parts(self) -> Parts:
        """Return the number of conditions at branches and of conclusions at leaves."""
        tests, leaves = np.flatnonzero(self.attribute >= 0), np.flatnonzero(self.attribute < 0)
        conditions = self.n_branches[tests] * self._terms()[self.attribute[tests]]
        number = int(conditions.sum()) + self._concluding(leaves)
        return Parts(number, "conditions and conclusions")

    def _terms(self) -> NDArray[np.int64]:
        """Return the number of elements to read in a condition on each testable column."""
        return np.ones(len(self.testable.columns), np.int64)

    def _concluding(self, leaves: NDArray[np.intp]) -> int:
        """Return the number of elements to read in the leaves."""
        return len(leaves)

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        if self.surrogates is not None:
            lacking["onnx"] = "it has surrogate splits"
        return lacking

    def to_tree(self) -> Self:
        """Return the tree itself; other hypotheses return an equivalent tree."""
        return self

    def tested(self, node: int) -> Column:
        """Return the column that a node tests."""
        return self.testable.columns[int(self.attribute[node])]

    def cell(self, attribute: int) -> Cell:
        """Return a testable column as part of an expression."""
        from induce.hypotheses.expressions.nodes import Cell

        return Cell(self.testable.columns[attribute])

    def ends(self, node: int) -> Floats:
        """Return the ends of the intervals of a numeric test: its threshold, or its several cuts."""
        start = int(self.map_start[node])
        if start < 0:
            return self.threshold[node : node + 1]
        return self.cuts[start : start + int(self.n_branches[node]) - 1]

    def condition(self, node: int, branch: int) -> Condition | None:
        """Return the condition of a branch of a node; None if no value can take it."""
        column = self.tested(node)
        if column.kind != "nominal":
            ends = [-math.inf, *self.ends(node).tolist(), math.inf]
            return interval(column.name, ends[branch], ends[branch + 1], column.counted)
        start = int(self.map_start[node])
        if start < 0:
            return Is(column.name, column.domain[branch])
        taken = self._codes_of(node, branch)
        tested = self.attribute[node]
        while self.parent[node] >= 0:  # drop the values that a test above sends elsewhere
            above = int(self.parent[node])
            if self.attribute[above] == tested:
                taken &= self._codes_of(above, node - int(self.first[above]))
            node = above
        values = tuple(column.domain[code] for code in sorted(taken))
        return one_of(column.name, values) if values else None

    def surrogate_conditions(self, node: int) -> list[tuple[Condition | None, Condition | None]]:
        """Return the conditions of each surrogate of a node, first for branch 0 and then for branch 1."""
        if self.surrogates is None:
            return []
        found: list[tuple[Condition | None, Condition | None]] = []
        for k in range(*self.surrogates.start[node : node + 2].tolist()):
            column = self.testable.columns[int(self.surrogates.attribute[k])]
            if column.kind == "nominal":
                start = int(self.surrogates.map_start[k])
                codes = self.branch_map[start : start + len(column.domain)]
                values = [tuple(np.array(column.domain, object)[codes == b].tolist()) for b in (0, 1)]
                both = [one_of(column.name, of_branch) if of_branch else None for of_branch in values]
            else:
                threshold = float(self.surrogates.threshold[k])
                both = [
                    AtMost(column.name, threshold, column.counted),
                    Above(column.name, threshold, column.counted),
                ]
                both = both[::-1] if self.surrogates.swapped[k] else both
            found.append((both[0], both[1]))
        return found

    def _codes_of(self, node: int, branch: int) -> set[int]:
        """Return the nominal codes that take a branch of a node."""
        start = int(self.map_start[node])
        if start < 0:
            return {branch}
        mapped = self.branch_map[start : start + len(self.tested(node).domain)]
        return set(np.flatnonzero(mapped == branch).tolist())

    def expected_cost(self) -> float:
        """Return the mean cost of the attributes measured per training example.

        An attribute that is tested more than once on a path is measured once.
        """
        costs = np.array([column.cost for column in self.testable])
        total = 0.0
        known_above: list[frozenset[int]] = [frozenset()] * self.n_nodes
        for node in range(self.n_nodes):
            above, tested = int(self.parent[node]), int(self.attribute[node])
            if above >= 0:
                known_above[node] = known_above[above] | {int(self.attribute[above])}
            if tested >= 0 and tested not in known_above[node]:
                total += float(self.weights[node]) * costs[tested]
        return float(total / self.weights[0]) if self.weights[0] > 0 else 0.0

    def children(self, node: int) -> range:
        """Return the children of a node."""
        first = int(self.first[node])
        return range(first, first + int(self.n_branches[node]))

    def walk(self) -> Iterator[tuple[int, int, Condition | None]]:
        """Yield every node except the root, depth first, with its depth and the condition that leads to it."""
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

    def _picture(self) -> tuple[str, dict[str, Any]]:
        """Return the nodes with one array per field."""
        conditions = [""] * self.n_nodes
        for node, _, condition in self.walk():
            conditions[node] = "" if condition is None else str(condition)
        names = [value_text(column.name) for column in self.testable]
        leaf = self.attribute < 0
        return "tree", {
            "parent": self.parent,
            "condition": conditions,
            "tests": ["" if end else names[at] for at, end in zip(self.attribute, leaf, strict=True)],
            "says": [self.leaf_text(node) for node in range(self.n_nodes)],
            "weight": self.weights,
            **self._told_of_nodes(),
        }

    def _told_of_nodes(self) -> dict[str, Any]:
        """Return the fields of the view in addition to tests and weights."""
        return {}

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
        return f"<{type(self).__name__} for {self.target}: {self.size()}>"

    def cut(self, at: NDArray[np.bool_]) -> Self:
        """Return the tree with the chosen nodes made leaves."""
        attribute = np.where(at, np.int32(-1), self.attribute)
        kept = self.kept_by(at)
        number = np.cumsum(kept) - 1
        inner = attribute[kept] >= 0
        return replace(
            self,
            attribute=attribute[kept],
            threshold=np.where(inner, self.threshold[kept], np.nan),
            first=np.where(inner, number[self.first[kept]], -1).astype(np.int32),
            n_branches=np.where(inner, self.n_branches[kept], 0).astype(np.int32),
            map_start=np.where(inner, self.map_start[kept], -1).astype(np.int32),
            surrogates=self._surrogates_of(kept, inner),
            **{name: getattr(self, name)[kept] for name in self.of_nodes},
        )

    def kept_by(self, at: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the nodes that remain when the chosen ones are made leaves."""
        reached = [True] + [False] * (self.n_nodes - 1)
        for node in np.flatnonzero((self.attribute >= 0) & ~at).tolist():
            if reached[node]:
                first, n = int(self.first[node]), int(self.n_branches[node])
                reached[first : first + n] = [True] * n
        return np.array(reached)

    def _surrogates_of(self, kept: NDArray[np.bool_], inner: NDArray[np.bool_]) -> Surrogates | None:
        """Return the surrogates of the kept nodes that are still tests."""
        if self.surrogates is None:
            return None
        begin, end = self.surrogates.start[:-1][kept], self.surrogates.start[1:][kept]
        return self.surrogates.of(begin, np.where(inner, end, begin))

    def check(self) -> None:
        """Raise an `InputError` unless the arrays describe a valid tree over the schema."""
        if not self._fits():
            raise InputError("the arrays of the tree do not fit together")

    def _fits(self) -> bool:
        n, inputs = self.n_nodes, self.testable
        whole = (self.attribute, self.first, self.n_branches, self.map_start, self.branch_map)
        real = (self.threshold, self.cuts)
        return (
            n > 0
            and all(isinstance(a, np.ndarray) and a.dtype == np.int32 and a.ndim == 1 for a in whole)
            and all(isinstance(a, np.ndarray) and a.dtype == np.float64 and a.ndim == 1 for a in real)
            and all(len(a) == n for a in (self.threshold, self.first, self.n_branches, self.map_start))
            and all(len(getattr(self, name)) == n for name in self.of_nodes)
            and self.missing in (FRACTIONAL, MODE)
            and bool((self.attribute >= -1).all() and (self.attribute < len(inputs)).all())
            and self._children_follow()
            and all(self._test_fits(int(node), inputs) for node in np.flatnonzero(self.attribute >= 0))
            and (self.surrogates is None or self.surrogates.fit(self, inputs))
        )

    def _children_follow(self) -> bool:
        inner = np.flatnonzero(self.attribute >= 0)
        if (self.first[inner] <= inner).any() or (self.n_branches[inner] < 1).any():
            return False
        if self.n_branches[self.attribute < 0].any():
            return False
        if (self.first[inner].astype(np.int64) + self.n_branches[inner] > self.n_nodes).any():
            return False
        children = np.sort(_ranges(self.first[inner], self.n_branches[inner]))
        return np.array_equal(children, np.arange(1, self.n_nodes))

    def _test_fits(self, node: int, inputs: Schema) -> bool:
        column = inputs.columns[int(self.attribute[node])]
        n_branches, start = int(self.n_branches[node]), int(self.map_start[node])
        if column.kind != "nominal":
            ends = self.ends(node)
            return (
                n_branches >= 2
                and (start >= 0 or n_branches == 2)
                and len(ends) == n_branches - 1
                and bool(np.isfinite(ends).all() and (np.diff(ends) > 0).all())
            )
        if start < 0:
            return n_branches == len(column.domain)
        return map_fits(self.branch_map, start, len(column.domain), 0, n_branches)


def map_fits(branch_map: Ints, start: int, length: int, least: int, n_branches: int) -> bool:
    """Return whether a map from codes to branches lies within `branch_map` and its branches exist."""
    mapped = branch_map[max(start, 0) : max(start, 0) + length]
    return len(mapped) == length and bool((mapped >= least).all() and (mapped < n_branches).all())


def _ranges(first: NDArray[Any], length: NDArray[Any]) -> NDArray[np.int64]:
    """Return the numbers of several consecutive ranges."""
    ends = np.cumsum(length)
    return np.asarray(np.arange(ends[-1] if len(ends) else 0) + np.repeat(first - (ends - length), length))
