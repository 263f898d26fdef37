"""Shared parts of the pruners: errors of nodes, and pruning decisions in a single bottom-up pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.trees.hypothesis import Tree
from induce.trees.node_errors import LEAST_WEIGHT

Floats = NDArray[np.float64]
Nodes = NDArray[np.bool_]
"""Boolean mask of selected nodes of a tree."""


def subtree_sums(tree: Tree, own: Floats) -> Floats:
    """Return the sum of `own` over each node and all nodes below it."""
    sums, parent = own.tolist(), tree.parent.tolist()
    for node in range(tree.n_nodes - 1, 0, -1):
        sums[parent[node]] += sums[node]
    return np.array(sums)


def cut_unless(tree: Tree, worthy: Nodes, details: Callable[[int], dict[str, Any]]) -> Tree:
    """Prune every test that is not worth keeping and has no such test below it.

    The result equals that of repeated passes over the tests whose children are all leaves. `details` gives
    the trace fields of a pruned node.
    """
    kept, parent = worthy.tolist(), tree.parent.tolist()
    for node in range(tree.n_nodes - 1, 0, -1):
        if kept[node]:
            kept[parent[node]] = True
    cut = ~np.array(kept)
    if trace.active("prune"):
        for node in np.flatnonzero(cut & (tree.attribute >= 0))[::-1].tolist():
            trace.emit("prune", node=node, **details(node))
    return cut_and_tell(tree, cut)


def cut_to_cheapest(tree: Tree, as_leaf: Floats, as_test: Floats) -> Tree:
    """Return the pruned tree of minimum cost; ties go to the smallest.

    The cost of a node is `as_leaf` as a leaf, and `as_test` plus the cost of its children as a test.
    """
    leaf, whole, parent = as_leaf.tolist(), as_test.tolist(), tree.parent.tolist()
    tested = (tree.attribute >= 0).tolist()
    cut = np.zeros(tree.n_nodes, bool)
    # Backwards, so that `whole` has the minimum cost of all children when a node is reached.
    for node in range(tree.n_nodes - 1, -1, -1):
        cost = leaf[node]
        if tested[node]:
            if leaf[node] <= whole[node] + LEAST_WEIGHT:
                trace.emit("prune", node=node, as_leaf=leaf[node], as_tree=whole[node])
                cut[node] = True
            else:
                cost = whole[node]
        if node:
            whole[parent[node]] += cost
    return cut_and_tell(tree, cut)


def cut_and_tell(tree: Tree, at: Nodes) -> Tree:
    """Return the tree with the chosen nodes made leaves; report the remaining nodes to an active trace."""
    if trace.active("pruned"):
        tell_kept(np.flatnonzero(tree.kept_by(at)))
    return tree.cut(at)


def tell_kept(numbers: NDArray[np.intp]) -> None:
    """Report the original number of each node of the pruned tree to an active trace."""
    if trace.active("pruned"):
        trace.emit("pruned", nodes=tuple(numbers.tolist()))


def topmost(tree: Tree, cut: Nodes) -> Nodes:
    """Return the chosen nodes without a chosen ancestor."""
    below, parent = cut.tolist(), tree.parent.tolist()
    highest = cut.copy()
    for node in range(1, tree.n_nodes):
        if below[parent[node]]:
            below[node] = True
            highest[node] = False
    return highest
