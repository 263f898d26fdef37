"""Partial trees: C4.5 trees grown only where they lead to good leaves (Frank and Witten 1998)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.loops import repeated
from induce.data.schema import Schema
from induce.data.training import Examples
from induce.hypotheses.conditions import Condition, OneOf, none_of, simplified
from induce.rules import _part_loops
from induce.rules.training import Problem
from induce.trees import _loops, _path_loops
from induce.trees.growth import Growth, GrowthRule, emit_split
from induce.trees.hypothesis import Tree
from induce.trees.measures import entropy
from induce.trees.node_errors import errors_as_leaf

Mask = NDArray[np.bool_]
Rows = NDArray[np.integer[Any]]
Path = tuple[tuple[int, int], ...]
"""Nodes from the root down, each with the branch taken there."""

DIGITS = 6
"""Number of decimals with which weights and entropies are compared."""


@dataclass
class Frame:
    """A node on the current path whose subsets are being processed.

    Parameters
    ----------
    node, first : int
        The node and its first child.
    rows : array of int
        The examples that reach the node by known values only.
    branches : array of int
        Branch of each of these rows; for a missing value, the number of branches.
    waiting : list of int
        The branches not yet processed, purest last.
    records : dict
        The record of the compiled loop for each branch that may be split.
    floor : int
        Number of records on the stack of the compiled loop below those of the subsets.
    leaves : list of int
        The branches that have become leaves.
    branch : int
        The branch processed last.
    """

    node: int
    first: int
    rows: Rows
    branches: Rows
    waiting: list[int]
    records: dict[int, list[int]]
    floor: int
    leaves: list[int] = field(default_factory=list)
    branch: int = -1


class Replacement(ABC):
    """Criterion that compares the errors of a split with those of a leaf in its place."""

    slack = 1e-9
    """Number of additional errors that a leaf is allowed."""

    @abstractmethod
    def errors(self, partial: PartialTree, nodes: list[int]) -> list[float]:
        """Return the errors of each node as a leaf."""


@dataclass(frozen=True)
class Estimated(Replacement):
    """C4.5's pessimistic estimate from the examples on which the tree is grown."""

    confidence_factor: float
    slack = 0.1

    def errors(self, partial: PartialTree, nodes: list[int]) -> list[float]:
        """Return the estimated errors of each node as a leaf."""
        from scipy.special import ndtri

        z = -float(ndtri(self.confidence_factor))
        counts = partial.growth.nodes.counts
        return [float(_path_loops.leaf_estimate(counts, node, z, self.confidence_factor)) for node in nodes]


@dataclass(frozen=True)
class Counted(Replacement):
    """Errors on held-out examples."""

    held: Examples

    def errors(self, partial: PartialTree, nodes: list[int]) -> list[float]:
        """Return the weight of the held-out examples that each node would misclassify as a leaf."""
        tree = partial.tree()
        counts = tree.route(self.held.table, self.held.labels, self.held.weight())
        wrong: list[float] = errors_as_leaf(tree, counts)[nodes].tolist()
        return wrong


class PartialTree:
    """A partial tree that is grown repeatedly as examples are removed.

    Parameters
    ----------
    problem : Problem
        Training table.
    rule : GrowthRule
        Rule for choosing tests.
    """

    def __init__(self, problem: Problem, rule: GrowthRule) -> None:
        self.problem = problem
        self.growth = Growth(problem.examples, rule)
        columns = self.growth.columns
        self.sorted = columns.rows.copy(), columns.ranks.copy(), columns.labels.copy()
        self.size = len(problem.examples)
        self.weight = problem.examples.weight()
        self.left: Rows = np.arange(self.size)
        self.frames: list[Frame] = []

    def grow(self, left: Mask, replacement: Replacement | None) -> Path | None:
        """Grow a partial tree on the remaining examples; return the path to its largest leaf.

        The path is None if the root has no test. The subset of lowest entropy is processed first, and the next
        one as long as all previous ones have become leaves. When all have, a leaf replaces the split above
        them unless it has more errors; without a `replacement` the split stays. A leaf covers the examples
        that reach it by known values only. Excluded examples stay excluded.
        """
        self._restart(left)
        if not self._expand(0, [_loops.VISIT, 0, 0, self.size, 0, 0]):
            return None
        while True:
            frame = self.frames[-1]
            # Frank and Witten 1998: the purest subset first. If one of them does not become a leaf, the others
            # stay unexpanded.
            if frame.waiting:
                frame.branch = frame.waiting.pop()
                if not self._expand(frame.first + frame.branch, frame.records.get(frame.branch)):
                    frame.leaves.append(frame.branch)
            elif replacement is None or not self._replaced(replacement):
                return self._heaviest()
            elif self.frames:
                self.frames[-1].leaves.append(self.frames[-1].branch)
            else:
                return None

    def tree(self) -> Tree:
        """Return all tests so far as a tree, including those replaced by leaves."""
        return self.growth.tree(self.problem.schema, self.problem.target, self.problem.classes)

    def conditions(self, path: Path) -> tuple[Condition, ...]:
        """Return the conditions of a path, one per attribute."""
        tree = self.tree()
        demands = (tree.condition(node, branch) for node, branch in path)
        return tuple(
            _shorter(condition, self.problem.schema)
            for condition in simplified(demand for demand in demands if demand is not None)
        )

    def _restart(self, left: Mask) -> None:
        growth, examples = self.growth, self.problem.examples
        self.frames = []
        self.left = np.flatnonzero(left)
        keep_rows = repeated(_part_loops.keep_rows, self.size * len(growth.inputs))
        self.size = int(keep_rows(left, self.size, *self.sorted, growth.columns))
        if growth.weight is not None:
            growth.weight[:] = self.weight
        growth.nodes.attribute[0] = _loops.LEAF
        growth.nodes.counts[0] = np.bincount(
            examples.labels[self.left], self.weight[self.left], examples.n_classes
        )
        growth.state[:] = 1, 0, self.size, 0, 0

    def _expand(self, node: int, record: list[int] | None) -> bool:
        """Find the best test of a node, if allowed, and partition its examples; return whether there is one."""
        tested = record is not None and self._divide(node, record)
        if trace.active():
            self._tell(node, tested)
        return tested

    def _divide(self, node: int, record: list[int]) -> bool:
        """Run the compiled loop on the node of the record; return whether it found a test.

        The loop leaves records on its stack to restore weights, which are popped at its next call. For a
        sibling, they must then lie above the sibling's record.
        """
        growth = self.growth
        floor = self.frames[-1].floor if self.frames else 0
        top = int(growth.state[_loops.STACK])
        # Records above the floor, which restore weights, move up by one.
        growth.stack[floor + 1 : top + 1] = growth.stack[floor:top]
        growth.stack[floor] = record
        growth.state[_loops.STACK] = top + 1
        # The loop returns early when it runs out of space; the record is then still there.
        while growth.state[_loops.STACK] > floor and growth.stack[floor].tolist() == record:
            growth.make_room()
            growth.step(0, entries=record[3] - record[2])
        tested = bool(growth.nodes.attribute[node] >= 0)
        if tested:
            self.frames.append(self._frame(node, floor + (record[0] == _loops.ENTER)))
        return tested

    def _frame(self, node: int, floor: int) -> Frame:
        growth = self.growth
        first, n_branches = self._children(node)
        top = int(growth.state[_loops.STACK])
        records = {record[1] - first: record for record in growth.stack[floor:top].tolist()}
        growth.state[_loops.STACK] = floor
        bits = np.empty(n_branches)
        counts = growth.nodes.counts[first : first + n_branches]
        repeated(_part_loops.entropies, counts.size)(counts, growth.settings.min_leaf, bits)
        # light subsets have no test and give no rule, so they are skipped
        purest_last = sorted(((bit, b) for b, bit in enumerate(bits.tolist()) if bit >= 0), reverse=True)
        waiting = [b for _, b in purest_last]
        rows = self.left
        if self.frames:
            above = self.frames[-1]
            rows = above.rows[above.branches == above.branch]
        return Frame(node, first, rows, growth.parting.branch[rows], waiting, records, floor)

    def _replaced(self, replacement: Replacement) -> bool:
        """Replace the last node's test by a leaf unless that has more errors; return whether it was replaced."""
        node = self.frames[-1].node
        first, n_branches = self._children(node)
        as_leaf, *below = replacement.errors(self, [node, *range(first, first + n_branches)])
        replaced = as_leaf <= sum(below) + replacement.slack
        if trace.active("replace"):
            trace.emit(
                "replace",
                path=self._text(self.frames[:-1]),
                as_leaf=as_leaf,
                as_tree=sum(below),
                replaced=replaced,
            )
        if replaced:
            self.frames.pop()
        return replaced

    def _heaviest(self) -> Path | None:
        """Return the path to the leaf with the largest coverage, up to the last node that covers enough.

        If leaves hold mostly fractions of rows, the path ends above them.
        """
        enough = max(self.growth.settings.min_leaf, 10.0**-DIGITS)
        leaves, last, above = [], None, cast(Path, ())
        for frame in self.frames:
            covered = np.bincount(frame.branches, self.weight[frame.rows]).round(DIGITS).tolist()
            if above and sum(covered) >= enough:
                last = above
            for branch in frame.leaves:
                if branch < len(covered) and covered[branch] >= enough:
                    leaves.append((-covered[branch], (*above, (frame.node, branch))))
            above = (*above, (frame.node, frame.branch))
        return min(leaves)[1] if leaves else last

    def _children(self, node: int) -> tuple[int, int]:
        """Return the first child of a node and the number of its children."""
        return int(self.growth.nodes.first[node]), int(self.growth.nodes.n_branches[node])

    def _tell(self, node: int, tested: bool) -> None:
        """Report a processed subset and the candidates for its test to an active trace."""
        if trace.active("expand"):
            path = self.frames[:-1] if tested else self.frames
            counts = self.growth.nodes.counts[node]
            names = self.problem.table.schema.names()
            trace.emit(
                "expand",
                path=self._text(path),
                counts=tuple(counts.tolist()),
                entropy=float(entropy(counts)),
                test=names[self.growth.nodes.attribute[node]] if tested else None,
            )
        if tested and self.growth.settings.record:
            names = self.problem.table.schema.names()
            emit_split(self.growth.nodes, node, names, self.growth.threshold_of(node))

    def _text(self, frames: list[Frame]) -> str:
        """Return the conditions that lead to the branch processed last, as text."""
        path = tuple((frame.node, frame.branch) for frame in frames)
        return " AND ".join(map(str, self.conditions(path))) or "TRUE"


def _shorter(condition: Condition, schema: Schema) -> Condition:
    """Rewrite the condition as an exclusion if that is shorter."""
    if not isinstance(condition, OneOf):
        return condition
    column = schema[condition.attribute]
    excluded = tuple(value for value in column.domain if value not in condition.values)
    return none_of(column, excluded) if 0 < len(excluded) < len(condition.values) else condition
