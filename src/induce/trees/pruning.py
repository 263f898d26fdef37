"""Making a grown tree smaller: each pruner takes a tree and examples and returns a tree."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
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


def reduced_error(tree: Tree, validation: Examples) -> Tree:
    """Prune, again and again, the node whose removal helps most on the validation examples (Quinlan 1987).

    A node becomes a leaf with the majority class of its training examples as long as the validation error does
    not rise; among equals the larger subtree goes first.
    """
    counts = tree.route(validation.table, validation.labels, validation.weight())
    as_leaf = counts.sum(axis=1) - counts[np.arange(tree.n_nodes), tree.majority]
    as_tree = np.where(tree.attribute < 0, as_leaf, 0.0)
    size = np.ones(tree.n_nodes, np.int64)
    for node in range(tree.n_nodes - 1, 0, -1):
        as_tree[tree.parent[node]] += as_tree[node]
        size[tree.parent[node]] += size[node]
    pruned = np.zeros(tree.n_nodes, bool)
    gone = np.zeros(tree.n_nodes, bool)

    def gain(node: int) -> float:
        return float(as_tree[node] - as_leaf[node])

    waiting = [(-gain(n), -int(size[n]), n) for n in np.flatnonzero(tree.attribute >= 0).tolist()]
    heapq.heapify(waiting)
    while waiting:
        loss, smaller, node = heapq.heappop(waiting)
        if gone[node] or pruned[node] or (loss, smaller) != (-gain(node), -int(size[node])):
            continue
        if loss > 1e-9:
            break
        trace.emit("prune", node=node, errors_before=float(as_tree[0]), errors_after=float(as_tree[0] + loss))
        pruned[node] = True
        change, removed = gain(node), int(size[node]) - 1
        gone[_descendants(tree, node)] = True
        above = node
        while above >= 0:
            as_tree[above] -= change
            size[above] -= removed
            if above != node:
                heapq.heappush(waiting, (-gain(above), -int(size[above]), above))
            above = int(tree.parent[above])
    return tree.cut(pruned)


def error_based(
    tree: Tree, examples: Examples, confidence_factor: float = 0.25, raising: bool = True
) -> Tree:
    """C4.5's pruning: compare upper limits of the training errors of a subtree, a leaf and the largest branch."""
    if not 0 < confidence_factor <= 0.5:
        raise InputError(f"confidence_factor is {confidence_factor}; it lies above 0 and at most at 0.5")
    if tree.n_nodes == 1:
        return tree
    from scipy.stats import norm

    rows = _path_loops.Rows(
        examples.table.numeric, examples.table.nominal, examples.labels, examples.weight()
    )
    paths = _path_loops.Paths(tree.packed.copy(), tree.n_branches.copy(), tree.branch_map, tree.share.copy())
    attribute, counts = tree.attribute.copy(), tree.counts.copy()
    n = len(examples)
    entry_row = np.arange(4 * n, dtype=np.int32)
    entry_weight = np.empty(4 * n)
    entry_weight[:n] = rows.weights
    widest = int(tree.n_branches.max())
    stack = np.zeros((4 * widest, 5), np.int64)
    stack[0, 2] = n
    state = np.array([1, n], np.int64)
    estimate, out = np.zeros(tree.n_nodes), np.zeros_like(counts)
    put, room = np.empty(widest, np.int64), np.empty(tree.n_nodes, np.int64)
    z = float(norm.ppf(1 - confidence_factor))
    while not _path_loops.prune_by_estimate(
        paths,
        attribute,
        counts,
        rows,
        entry_row,
        entry_weight,
        estimate,
        out,
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
    first = paths.packed[:, _path_loops.FIRST].astype(np.int32)
    raised = replace(
        tree,
        attribute=attribute,
        threshold=paths.packed[:, _path_loops.THRESHOLD].copy(),
        first=first,
        n_branches=paths.n_branches,
        map_start=paths.packed[:, _path_loops.MAP_START].astype(np.int32),
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
    as_tree = np.where(tree.attribute < 0, as_leaf, 0.0)
    leaves = (tree.attribute < 0).astype(np.int64)
    for node in range(tree.n_nodes - 1, 0, -1):
        as_tree[tree.parent[node]] += as_tree[node]
        leaves[tree.parent[node]] += leaves[node]
    weakest = np.full(tree.n_nodes, np.inf)
    gone = np.zeros(tree.n_nodes, bool)

    def link(node: int) -> float:
        return float((as_leaf[node] - as_tree[node]) / (leaves[node] - 1))

    inner = np.flatnonzero((tree.attribute >= 0) & (leaves > 1))
    weakest[np.flatnonzero((tree.attribute >= 0) & (leaves == 1))] = 0.0
    waiting = [(link(n), n) for n in inner.tolist()]
    heapq.heapify(waiting)
    alphas = [0.0]
    while waiting:
        value, node = heapq.heappop(waiting)
        if gone[node] or np.isfinite(weakest[node]) or value != link(node):
            continue
        alphas.append(max(alphas[-1], value, 0.0))
        weakest[node] = alphas[-1]
        change, removed = as_leaf[node] - as_tree[node], int(leaves[node]) - 1
        gone[_descendants(tree, node)] = True
        above = node
        while above >= 0:
            as_tree[above] += change
            leaves[above] -= removed
            if above != node and leaves[above] > 1:
                heapq.heappush(waiting, (link(above), above))
            above = int(tree.parent[above])
    return PruningSequence(np.unique(np.array(alphas)), weakest)


def cross_validated_alpha(
    grow: Callable[[Examples], Tree], tree: Tree, examples: Examples, splits: Sequence[Split]
) -> float:
    """Choose alpha by cross-validation: the largest whose error is within one standard error of the least."""
    if tree.n_nodes == 1:
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


def stratified_splits(labels: NDArray[np.int64], n_folds: int, random: np.random.Generator) -> list[Split]:
    """Return folds as (train, test) pairs, the classes spread evenly; at most one fold for each example."""
    n_folds = min(n_folds, len(labels))
    order = random.permutation(len(labels))
    order = order[np.argsort(labels[order], kind="stable")]
    fold = np.empty(len(labels), np.int64)
    fold[order] = np.arange(len(labels)) % n_folds
    return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(n_folds)]


def _descendants(tree: Tree, node: int) -> list[int]:
    found: list[int] = []
    waiting = [node]
    while waiting:
        children = tree.children(waiting.pop())
        found += children
        waiting += children
    return found
