"""Making a grown tree smaller: each pruner takes a tree and examples and returns a tree."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.errors import InputError
from induce.trees import _path_loops
from induce.trees.growth import Examples
from induce.trees.hypothesis import Tree

STEP = 2_000_000
Floats = NDArray[np.float64]
Split = tuple[NDArray[np.int64], NDArray[np.int64]]
"""The rows to train on and the rows to test on."""


@dataclass
class Shrinking:
    """A tree on its way to becoming smaller: errors and leaves of the subtree at each node as it is now."""

    as_leaf: list[float]
    as_tree: list[float]
    leaves: list[int]


Key = tuple[float, ...]


def shrink(
    tree: Tree, as_leaf: Floats, key: Callable[[Shrinking, int], Key]
) -> Iterator[tuple[Key, int, Shrinking]]:
    """Prune one node after the other, always the one with the smallest key, and yield each before it goes."""
    first, n_branches, parent = tree.first.tolist(), tree.n_branches.tolist(), tree.parent.tolist()
    is_leaf = (tree.attribute < 0).tolist()
    now = Shrinking(
        as_leaf.tolist(), np.where(is_leaf, as_leaf, 0.0).tolist(), [int(leaf) for leaf in is_leaf]
    )
    for node in range(tree.n_nodes - 1, 0, -1):
        now.as_tree[parent[node]] += now.as_tree[node]
        now.leaves[parent[node]] += now.leaves[node]
    waiting = [(key(now, node), node) for node in range(tree.n_nodes) if not is_leaf[node]]
    heapq.heapify(waiting)
    while waiting:
        entry, node = heapq.heappop(waiting)
        if is_leaf[node] or entry != key(now, node):
            continue
        yield entry, node, now
        below = [node]
        while below:
            inner = below.pop()
            is_leaf[inner] = True
            below += [
                child for child in range(first[inner], first[inner] + n_branches[inner]) if not is_leaf[child]
            ]
        change, removed = now.as_leaf[node] - now.as_tree[node], now.leaves[node] - 1
        above = node
        while above >= 0:
            now.as_tree[above] += change
            now.leaves[above] -= removed
            if above != node:
                heapq.heappush(waiting, (key(now, above), above))
            above = parent[above]


def reduced_error(tree: Tree, validation: Examples) -> Tree:
    """Prune, again and again, the node whose removal helps most on the validation examples (Quinlan 1987).

    A node becomes a leaf with the majority class of its training examples as long as the validation error does
    not rise; among equals the larger subtree goes first.
    """
    counts = tree.route(validation.table, validation.labels, validation.weight())
    as_leaf = counts.sum(axis=1) - counts[np.arange(tree.n_nodes), tree.majority]

    def harm_then_smallness(now: Shrinking, node: int) -> Key:
        return round(now.as_leaf[node] - now.as_tree[node], 9), -now.leaves[node]

    pruned = np.zeros(tree.n_nodes, bool)
    for (harm, _), node, now in shrink(tree, as_leaf, harm_then_smallness):
        if harm > 0:
            break
        trace.emit("prune", node=node, errors_before=now.as_tree[0], errors_after=now.as_tree[0] + harm)
        pruned[node] = True
    return tree.cut(pruned)


def error_based(
    tree: Tree, examples: Examples, confidence_factor: float = 0.25, raising: bool = True
) -> Tree:
    """C4.5's pruning: compare upper limits of the training errors of a subtree, a leaf and the largest branch."""
    if not 0 < confidence_factor <= 0.5:
        raise InputError(f"confidence_factor is {confidence_factor}; it lies above 0 and at most at 0.5")
    if tree.n_nodes == 1:
        return tree
    from scipy.special import ndtri

    rows = _path_loops.Rows(examples.table.numeric, examples.table.nominal, examples.labels)
    paths = _path_loops.Paths(*(array.copy() for array in tree.paths_arrays))
    attribute, counts = tree.attribute.copy(), tree.counts.copy()
    n = len(examples)
    entry_row = np.arange(4 * n, dtype=np.int32)
    entry_weight = np.empty(4 * n)
    entry_weight[:n] = examples.weight()
    widest = int(tree.n_branches.max())
    stack = np.zeros((4 * widest, 5), np.int64)
    stack[0, 2] = n
    state = np.array([1, n], np.int64)
    estimate, out = np.zeros(tree.n_nodes), np.zeros_like(counts)
    branch, put = np.empty(n, np.int32), np.empty(widest, np.int64)
    room = np.empty(tree.n_nodes, np.int64)
    z = -float(ndtri(confidence_factor))
    while not _path_loops.prune_by_estimate(
        paths,
        attribute,
        counts,
        rows,
        entry_row,
        entry_weight,
        estimate,
        out,
        branch,
        put,
        room,
        stack,
        state,
        z,
        confidence_factor,
        raising,
        STEP,
    ):
        node, lo, hi = stack[state[0] - 1, :3]
        needed = int(state[1] + (hi - lo) * max(paths.n_branches[node], 1))
        if needed > len(entry_row):
            entry_row, entry_weight = np.resize(entry_row, 2 * needed), np.resize(entry_weight, 2 * needed)
        if state[0] + widest > len(stack):
            stack = np.concatenate([stack, np.zeros_like(stack)])
    raised = replace(
        tree,
        attribute=attribute,
        threshold=paths.threshold,
        first=paths.first,
        n_branches=paths.n_branches,
        map_start=paths.map_start,
        counts=counts,
    )
    return raised.cut(attribute < 0)


@dataclass(frozen=True)
class PruningSequence:
    """The nested trees of cost-complexity pruning: from `alphas[k]` on, the k-th tree is best.

    `weakest[node]` is the value of alpha at which a node becomes a leaf (infinite if it never does on its own).
    """

    alphas: Floats
    weakest: Floats

    def tree(self, tree: Tree, alpha: float) -> Tree:
        """Return the smallest tree with the least cost at `alpha`."""
        return tree.cut(self.weakest <= alpha + 1e-12)


def cost_complexity(tree: Tree) -> PruningSequence:
    """CART's weakest-link pruning: the sequence of nested trees, by resubstitution error.

    The link of a node is g(t) = (R(t) - R(T_t)) / (leaves of T_t - 1), with errors as shares of the root.
    """
    total = tree.counts[0].sum()
    as_leaf = (tree.counts.sum(axis=1) - tree.counts.max(axis=1)) / total

    def link(now: Shrinking, node: int) -> Key:
        gain = now.as_leaf[node] - now.as_tree[node]
        return (gain / max(now.leaves[node] - 1, 1),)

    weakest = np.full(tree.n_nodes, np.inf)
    alpha = 0.0
    alphas = [alpha]
    for (value,), node, _ in shrink(tree, as_leaf, link):
        alpha = max(alpha, value)
        weakest[node] = alpha
        alphas.append(alpha)
    return PruningSequence(np.unique(np.array(alphas)), weakest)


def cross_validated_alpha(
    grow: Callable[[Examples], Tree], tree: Tree, examples: Examples, splits: Sequence[Split]
) -> float:
    """Choose alpha by cross-validation: the largest whose error is within one standard error of the least."""
    if tree.n_nodes == 1 or not splits:
        return 0.0
    sequence = cost_complexity(tree)
    alphas = np.append(np.sqrt(sequence.alphas[:-1] * sequence.alphas[1:]), sequence.alphas[-1])
    error = np.zeros(len(alphas))
    tested = 0.0
    for train, test in splits:
        held_out = examples.rows(test)
        error += _errors_by_alpha(grow(examples.rows(train)), held_out, alphas)
        tested += float(held_out.weight().sum())
    error /= tested
    best = int(error.argmin())
    standard_error = np.sqrt(error[best] * (1 - error[best]) / tested)
    return float(alphas[np.flatnonzero(error <= error[best] + standard_error)[-1]])


def _errors_by_alpha(tree: Tree, held_out: Examples, alphas: Floats) -> Floats:
    """The weight of the held-out examples that the tree pruned at each alpha gets wrong.

    A node is a leaf of the pruned tree from its own alpha on until an ancestor becomes one.
    """
    weakest = np.where(tree.attribute < 0, 0.0, cost_complexity(tree).weakest)
    until = np.full(tree.n_nodes, np.inf)
    for node in range(1, tree.n_nodes):
        above = tree.parent[node]
        until[node] = min(until[above], weakest[above])
    counts = tree.route(held_out.table, held_out.labels, held_out.weight())
    wrong = counts.sum(axis=1) - counts[np.arange(tree.n_nodes), tree.majority]
    change = np.zeros(len(alphas) + 1)
    leaf = np.flatnonzero(weakest < until)
    np.add.at(change, np.searchsorted(alphas, weakest[leaf]), wrong[leaf])
    np.add.at(change, np.searchsorted(alphas, until[leaf]), -wrong[leaf])
    return np.cumsum(change)[:-1]
