"""Pruning of a grown regression tree by the errors of its node models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.ties import first_smallest
from induce.trees.pruning import Shrinking, Split, shrink
from induce.trees.regression.growth import Measured
from induce.trees.regression.hypothesis import RegressionTree

Floats = NDArray[np.float64]
Grow = Callable[[Measured], RegressionTree]
LARGEST = 1e70


def passing_errors(
    tree: RegressionTree, examples: Measured, power: int, unit: float = 1.0
) -> tuple[Floats, Floats]:
    """Sum a power of the absolute errors of examples over the nodes they pass, and over their end nodes.

    Errors are measured in a unit; an error whose power would overflow is clipped.
    """
    weights, numeric = examples.weight(), examples.table.numeric
    nodes, rows = tree.reached(examples.table), np.arange(len(examples))
    passing, ending = np.zeros(tree.n_nodes), np.zeros(0)
    while len(rows):
        with np.errstate(over="ignore"):
            errors = np.abs(examples.y[rows] - tree.says(nodes, numeric[rows])) / unit
        passing += np.bincount(nodes, weights[rows] * np.fmin(errors, LARGEST) ** power, tree.n_nodes)
        if not len(ending):
            ending = passing.copy()
        nodes = tree.parent[nodes].astype(np.int64)
        rows, nodes = rows[nodes >= 0], nodes[nodes >= 0]
    return passing, ending


def reduced_error(tree: RegressionTree, validation: Measured) -> RegressionTree:
    """Repeatedly prune the node whose removal helps most on the validation examples (Quinlan 1987).

    A node becomes a leaf as long as the squared error on the validation examples does not rise; ties go to the
    larger subtree.
    """
    as_leaf, ending = passing_errors(tree, validation, 2)
    whole = float(as_leaf[0]) or 1.0

    def harm_then_smallness(now: Shrinking, node: int) -> tuple[float, ...]:
        return round(now.as_leaf[node] - now.as_tree[node], 9), -now.leaves[node]

    pruned = np.zeros(tree.n_nodes, bool)
    nodes: Any = tree
    for (harm, _), node, now in shrink(nodes, as_leaf / whole, harm_then_smallness, ending / whole):
        if harm > 0:
            break
        trace.emit(
            "prune", node=node, sse_before=now.as_tree[0] * whole, sse_after=(now.as_tree[0] + harm) * whole
        )
        pruned[node] = True
    return tree.cut(pruned)


def adjusted_error(tree: RegressionTree, examples: Measured) -> RegressionTree:
    """Prune as M5 does: a node becomes a leaf if that does not raise the estimated error (Quinlan 1992).

    The estimate is the root mean squared training error times (n + 2 v) / (n - v), for n examples and v
    fitted parameters. The parameters of a subtree are those of all its leaves plus one per test (Wang and
    Witten 1997). If there are no more examples than parameters, no estimate is possible.
    """
    squared, _ = passing_errors(tree, examples, 2)
    return adjusted_by(tree, squared)


def adjusted_by(tree: RegressionTree, squared: Floats) -> RegressionTree:
    """Prune like `adjusted_error`, given the squared training error of every node."""
    squared = squared.copy()
    fitted = 1.0 + np.count_nonzero(tree.coefficients, axis=1)
    cut = np.zeros(tree.n_nodes, bool)
    for node in np.flatnonzero(tree.attribute >= 0)[::-1].tolist():
        below = list(tree.children(node))
        sse, numbers = squared[below].sum(), fitted[below].sum() + 1
        as_leaf = _adjusted(squared[node], tree.n[node], fitted[node])
        as_tree = _adjusted(sse, tree.n[node], numbers)
        cut[node] = as_leaf <= as_tree
        if cut[node]:
            trace.emit("prune", node=node, as_leaf=as_leaf, as_tree=as_tree)
        else:
            squared[node], fitted[node] = sse, numbers
    return tree.cut(cut)


def _adjusted(sse: float, n: float, fitted: float) -> float:
    return float(np.sqrt(sse / n) * (n + 2 * fitted) / (n - fitted)) if n > fitted else np.inf


def weakest_links(tree: RegressionTree, total: float) -> Floats:
    """Return the cost of a leaf at which each node becomes one (CART's cost-complexity pruning).

    The link of a node is g(t) = (R(t) - R(T_t)) / (leaves of T_t - 1), with squared errors relative to
    `total`, the squared error about the mean of all examples. It is infinite for leaves, and for nodes that
    are never pruned by themselves.
    """

    def link(now: Shrinking, node: int) -> tuple[float, ...]:
        return ((now.as_leaf[node] - now.as_tree[node]) / max(now.leaves[node] - 1, 1),)

    weakest = np.full(tree.n_nodes, np.inf)
    alpha = 0.0
    nodes: Any = tree
    for (value,), node, _ in shrink(nodes, tree.sse / (total or 1.0), link):
        alpha = weakest[node] = max(alpha, value)
    return weakest


def cut_at(tree: RegressionTree, weakest: Floats, alpha: float) -> RegressionTree:
    """Return the tree of minimum total cost if a leaf costs `alpha`; ties go to the smallest tree."""
    return tree.cut(weakest <= alpha * (1 + 1e-9))


def cross_validated_alpha(
    grow: Grow, weakest: Floats, total: float, examples: Measured, splits: Sequence[Split]
) -> float:
    """Choose the cost of a leaf: the largest with an error within one standard error of the minimum.

    `weakest` has the links of the tree to prune; costs between them are tried on trees grown on the training
    part of each fold.
    """
    links = np.unique(np.append(weakest[np.isfinite(weakest)], 0.0))
    if len(links) == 1 or not splits:
        return 0.0
    # CART, ch. 3: each tree of the sequence is optimal between two links; their geometric mean represents it
    # in the folds.
    alphas = np.append(np.sqrt(links[:-1] * links[1:]), links[-1])
    whole = float(examples.weight().sum())
    unit = float(np.sqrt(total / whole))
    squared, fourth, tested = np.zeros(len(alphas)), np.zeros(len(alphas)), 0.0
    for number, (train, test) in enumerate(splits, 1):
        held_out = examples.rows(test)
        with trace.part(f"fold {number}"):
            partial = grow(examples.rows(train))
        own_links = weakest_links(partial, total * float(partial.n[0]) / whole)
        squared += _by_alpha(partial, own_links, passing_errors(partial, held_out, 2, unit)[0], alphas)
        fourth += _by_alpha(partial, own_links, passing_errors(partial, held_out, 4, unit)[0], alphas)
        tested += float(held_out.weight().sum())
    error = squared / tested
    best = first_smallest(error)
    # a row in several test parts still counts as one row
    once = float(examples.weight()[np.unique(np.concatenate([test for _, test in splits]))].sum())
    deviation = np.sqrt(max(fourth[best] / tested - error[best] ** 2, 0.0) / once)
    chosen = int(np.flatnonzero(error <= error[best] + deviation)[-1])
    trace.emit(
        "level",
        chosen=float(alphas[chosen]),
        error=float(error[chosen]) * unit**2,
        least=float(error[best]) * unit**2,
    )
    return float(alphas[chosen])


def _by_alpha(tree: RegressionTree, weakest: Floats, passing: Floats, alphas: Floats) -> Floats:
    """Return the errors of the tree pruned at each cost."""
    # A node is a leaf of the pruned tree for costs from its own link up to the first link above it. Its
    # errors are added at one cost and subtracted at the other; a cumulative sum gives the errors at all costs.
    since = np.where(tree.attribute < 0, 0.0, weakest)
    until = np.full(tree.n_nodes, np.inf)
    for depth in range(1, tree.depth + 1):
        level = np.flatnonzero(tree.depths == depth)
        above = tree.parent[level]
        until[level] = np.minimum(until[above], since[above])
    leaf = np.flatnonzero(since < until)
    change = np.zeros(len(alphas) + 1)
    np.add.at(change, np.searchsorted(alphas, since[leaf]), passing[leaf])
    np.subtract.at(change, np.searchsorted(alphas, until[leaf]), passing[leaf])
    return np.cumsum(change)[:-1]
