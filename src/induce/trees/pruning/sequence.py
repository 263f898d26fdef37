"""Pruning one node at a time, and CART's sequence of nested trees."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.trees.hypothesis import Tree
from induce.trees.node_errors import errors_as_leaf
from induce.trees.pruning.passes import cut_and_tell, topmost

Floats = NDArray[np.float64]
Key = tuple[float, ...]
ROUNDING = 1e-12
"""Tolerance for comparing error rates."""


@dataclass
class Shrinking:
    """A partly pruned tree: current errors and leaves of the subtree at each node."""

    as_leaf: list[float]
    as_tree: list[float]
    leaves: list[int]


def shrink(
    tree: Tree, as_leaf: Floats, key: Callable[[Shrinking, int], Key], ending: Floats | None = None
) -> Iterator[tuple[Key, int, Shrinking]]:
    """Prune one node at a time, the one with the smallest key first, and yield each before it is pruned.

    The key of a node must not fall when a node below it is pruned. `as_leaf` has the errors of each node as a
    leaf, `ending` the errors of the examples that end at it in the current tree (by default, none end at a
    test).
    """
    first, n_branches, parent = tree.first.tolist(), tree.n_branches.tolist(), tree.parent.tolist()
    is_leaf = (tree.attribute < 0).tolist()
    now = Shrinking(
        as_leaf.tolist(),
        (np.where(is_leaf, as_leaf, 0.0) if ending is None else ending).tolist(),
        [int(leaf) for leaf in is_leaf],
    )
    # Children have higher numbers than their parents, so one backward pass sums up all subtrees.
    for node in range(tree.n_nodes - 1, 0, -1):
        now.as_tree[parent[node]] += now.as_tree[node]
        now.leaves[parent[node]] += now.leaves[node]
    waiting = [(key(now, node), node) for node in range(tree.n_nodes) if not is_leaf[node]]
    heapq.heapify(waiting)
    while waiting:
        entry, node = heapq.heappop(waiting)
        if is_leaf[node]:
            continue
        current = key(now, node)
        if entry != current:  # keys never fall, so no queue entry behind this one was skipped
            heapq.heappush(waiting, (current, node))
            continue
        yield entry, node, now
        below = [node]
        while below:
            inner = below.pop()
            is_leaf[inner] = True
            below += [
                child for child in range(first[inner], first[inner] + n_branches[inner]) if not is_leaf[child]
            ]
        # Only ancestors change; their queue entries are updated when they come up.
        change, removed = now.as_leaf[node] - now.as_tree[node], now.leaves[node] - 1
        above = node
        while above >= 0:
            now.as_tree[above] += change
            now.leaves[above] -= removed
            above = parent[above]


@dataclass(frozen=True)
class PruningSequence:
    """The nested trees of cost-complexity pruning: the k-th tree is optimal from `alphas[k]` on.

    `weakest[node]` is the alpha at which a node becomes a leaf (infinite if it never does by itself).
    """

    alphas: Floats
    weakest: Floats

    def tree(self, tree: Tree, alpha: float) -> Tree:
        """Return the smallest tree of minimum cost at `alpha`."""
        cut = self.weakest <= alpha + ROUNDING
        if trace.active("prune"):
            for node in np.flatnonzero(topmost(tree, cut)).tolist():
                trace.emit("prune", node=node, link=float(self.weakest[node]), alpha=alpha)
        return cut_and_tell(tree, cut)


def cost_complexity(tree: Tree) -> PruningSequence:
    """Return CART's sequence of nested trees by weakest-link pruning on the resubstitution error.

    The link of a node is g(t) = (R(t) - R(T_t)) / (leaves of T_t - 1), with errors relative to the root.
    """
    as_leaf = errors_as_leaf(tree, tree.counts) / tree.counts[0].sum()

    def link(now: Shrinking, node: int) -> Key:
        gain = now.as_leaf[node] - now.as_tree[node]
        return (gain / max(now.leaves[node] - 1, 1),)

    weakest = np.full(tree.n_nodes, np.inf)
    alpha = 0.0
    alphas = [alpha]
    for (value,), node, _ in shrink(tree, as_leaf, link):
        # Breiman and others, CART, ch. 3: the links of successive trees never fall; this removes rounding
        # errors.
        alpha = max(alpha, value)
        weakest[node] = alpha
        alphas.append(alpha)
    return PruningSequence(np.unique(np.array(alphas)), weakest)
