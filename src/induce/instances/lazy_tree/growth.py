"""Growth of only the branches that queries follow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from induce.data.table import Table
from induce.hypotheses.conditions import Above, AtMost, Condition, Is
from induce.instances.lazy_tree.gain import EQUAL, best_threshold, gain_of_values

if TYPE_CHECKING:
    from induce.instances.lazy_tree.hypothesis import LazyTree

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True)
class Step:
    """A test on the path: the condition that the query meets, its gain in bits, and the class weights before
    it.
    """

    condition: Condition
    gain: float
    counts: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Node:
    """A group of queries on the same branch, with the examples consistent with them so far.

    Parameters
    ----------
    queries : array of int64
    rows : array of int64
        The examples.
    weights : array of float64
        Weights of the examples; an example with a missing tested value has a fractional weight.
    usable : tuple of int
        Columns that can be tested.
    steps : tuple of Step
    """

    queries: Places
    rows: Places
    weights: Floats
    usable: tuple[int, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Test:
    """The best test of a node: a column, a threshold if it is numeric, and the gain in bits."""

    column: int
    threshold: float
    gain: float


def branches(tree: LazyTree, table: Table) -> Iterator[Node]:
    """Yield the final nodes of the queries of a table.

    Queries that follow the same branch grow it together, so that many queries cost no more than the full tree.
    """
    known = [
        table.column(j) >= 0 if kind else ~np.isnan(table.column(j)) for j, kind in enumerate(tree.nominals)
    ]
    patterns, which = np.unique(np.stack(known, axis=1), axis=0, return_inverse=True)
    rows, weights = np.arange(len(tree.labels)), tree.weights
    waiting = [
        Node(np.flatnonzero(which == number), rows, weights, tuple(np.flatnonzero(pattern).tolist()), ())
        for number, pattern in enumerate(patterns)
    ]
    while waiting:
        node = waiting.pop()
        test = None if _ends(tree, node) else best_test(tree, node)
        if test is None:
            yield node
        else:
            waiting.extend(_followed(tree, table, node, test))


def _ends(tree: LazyTree, node: Node) -> bool:
    counts = tree.counts(node)
    deep = tree.max_depth is not None and len(node.steps) >= tree.max_depth
    return deep or counts.max() >= counts.sum() - 1e-9 or counts.sum() < tree.min_samples_split


def best_test(tree: LazyTree, node: Node) -> Test | None:
    """Return the test with the largest gain, with ties going to the first column; None if there is no split."""
    best: Test | None = None
    total = float(node.weights.sum())
    labels = tree.labels[node.rows]
    for column in node.usable:
        values = tree.table.column(column)[node.rows]
        known = values >= 0 if tree.nominals[column] else ~np.isnan(values)
        values, weights = values[known], node.weights[known]
        if not len(values):
            continue
        if not tree.nominals[column]:
            gain, threshold = best_threshold(values, labels[known], weights)
        elif (values == values[0]).all():
            gain, threshold = -1.0, 0.0
        else:
            gain, threshold = gain_of_values(values, labels[known], weights), 0.0
        if gain >= 0 - EQUAL * total and (best is None or gain / total > best.gain + EQUAL):
            best = Test(column, threshold, max(gain / total, 0.0))
    return best


def _followed(tree: LazyTree, table: Table, node: Node, test: Test) -> Iterator[Node]:
    """Yield the next nodes of a node's queries; queries whose value no example has try the other columns."""
    counts = tuple(tree.counts(node).tolist())
    asked, stored = table.column(test.column)[node.queries], tree.table.column(test.column)[node.rows]
    name, unit = tree.table.schema.columns[test.column].name, tree.table.schema.columns[test.column].counted
    sides: list[tuple[NDArray[np.bool_], NDArray[np.bool_], Condition, tuple[int, ...]]]
    if tree.nominals[test.column]:
        domain = tree.table.schema.columns[test.column].domain
        unknown = stored < 0
        left = tuple(column for column in node.usable if column != test.column)
        sides = [
            (asked == code, stored == code, Is(name, domain[code]), left)
            for code in np.unique(asked).tolist()
        ]
    else:
        unknown = np.isnan(stored)
        sides = [
            (
                asked <= test.threshold,
                stored <= test.threshold,
                AtMost(name, test.threshold, unit),
                node.usable,
            ),
            (asked > test.threshold, stored > test.threshold, Above(name, test.threshold, unit), node.usable),
        ]
    known = float(node.weights[~unknown].sum())
    for follow, agree, condition, usable in sides:
        if not follow.any():
            continue
        if not agree.any():
            yield replace(node, queries=node.queries[follow], usable=usable)
            continue
        share = float(node.weights[agree].sum()) / known
        kept = np.flatnonzero(agree | unknown)
        weights = np.where(unknown, node.weights * share, node.weights)[kept]
        steps = (*node.steps, Step(condition, test.gain, counts))
        yield Node(node.queries[follow], node.rows[kept], weights, usable, steps)
