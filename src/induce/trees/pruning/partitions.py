"""Choice of the pruning level on partitions of the data into training and test parts (Mitchell §3.7.1.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.data.training import Examples
from induce.trees.hypothesis import Tree
from induce.trees.node_errors import errors_as_leaf, errors_ending
from induce.trees.pruning.sequence import ROUNDING, cost_complexity
from induce.trees.size import breadth_first, sizes

Floats = NDArray[np.float64]
Split = tuple[NDArray[np.int64], NDArray[np.int64]]
"""The rows to train on and the rows to test on."""
Grow = Callable[[Examples], Tree]


@dataclass(frozen=True)
class Level:
    """Pruning levels: numbers that determine how far a tree is pruned.

    Parameters
    ----------
    candidates : callable
        Function that returns the candidate levels of a tree, from least to most pruning.
    errors : callable
        Function that returns the errors of a tree at each level, from the class counts of its nodes.
    tree : callable
        Function that returns the tree pruned to a level.
    """

    candidates: Callable[[Tree], Floats]
    errors: Callable[[Tree, Floats, Floats], Floats]
    tree: Callable[[Tree, float], Tree]


def cross_validated_alpha(grow: Grow, tree: Tree, examples: Examples, splits: Sequence[Split]) -> float:
    """Choose alpha by cross-validation: the largest whose error is within one standard error of the minimum."""
    if tree.n_nodes == 1 or not splits:
        return 0.0
    return _chosen(LEVELS["alpha"], grow, tree, examples, splits, one_standard_error=True)


def repeated_partitions(
    grow: Grow,
    examples: Examples,
    splits: Sequence[Split],
    level: str = "size",
    one_standard_error: bool = False,
) -> Tree:
    """Grow on all examples and prune to the level that was best on average over several partitions.

    For every partition, a tree is grown on one part and evaluated at all levels on the other. The errors at
    each level are averaged. The tree of all examples is pruned to the best level; ties go to the level that
    prunes most. Unlike with a single validation set, no example is lost to pruning (Mitchell §3.7.1.1).

    Parameters
    ----------
    grow : callable
        Function that grows a tree on examples.
    examples : Examples
        Training examples.
    splits : sequence of (train, test)
        The partitions, such as the folds of one or several cross-validations.
    level : {"size", "alpha"}
        Pruning level: the number of nodes in breadth-first order, or CART's cost of a leaf.
    one_standard_error : bool
        Whether to prune further as long as the error stays within one standard error of the minimum.

    Examples
    --------
    >>> import induce
    >>> from induce.core.folds import folds
    >>> from induce.trees.growth import GrowthRule, grow
    >>> X, y = induce.dataset("wine")
    >>> examples, *described = induce.ID3()._examples(X, y, None)
    >>> partitions = [split for seed in range(3) for split in folds(y, 5, seed).split(y, y)]
    >>> tree = repeated_partitions(lambda on: grow(on, *described, GrowthRule()), examples, partitions)
    >>> tree.size()
    '15 nodes, 8 leaves, depth 4'
    """
    one_of("level", level, LEVELS)
    if not splits:
        raise InputError("splits is empty; give at least one pair of training rows and test rows")
    tree, way = grow(examples), LEVELS[level]
    if tree.n_nodes == 1:
        return tree
    return way.tree(tree, _chosen(way, grow, tree, examples, splits, one_standard_error))


def _chosen(
    way: Level, grow: Grow, tree: Tree, examples: Examples, splits: Sequence[Split], one_standard_error: bool
) -> float:
    levels = way.candidates(tree)
    error, tested = np.zeros(len(levels)), 0.0
    for number, (train, test) in enumerate(splits, 1):
        held_out = examples.rows(test)
        with trace.part(f"fold {number}"):
            partial = grow(examples.rows(train))
        error += way.errors(
            partial, partial.route(held_out.table, held_out.labels, held_out.weight()), levels
        )
        tested += float(held_out.weight().sum())
    error /= tested
    best = float(error.min())
    # a row in several test parts still counts as one row
    once = float(examples.weight()[np.unique(np.concatenate([test for _, test in splits]))].sum())
    slack = np.sqrt(best * (1 - best) / once) if one_standard_error else ROUNDING
    chosen = int(np.flatnonzero(error <= best + slack)[-1])
    trace.emit("level", chosen=float(levels[chosen]), error=float(error[chosen]), least=best)
    return float(levels[chosen])


def _alphas(tree: Tree) -> Floats:
    """Return a value of alpha for each tree of the sequence, and one at which every tree is a leaf."""
    links = cost_complexity(tree).alphas
    return np.append(np.sqrt(links[:-1] * links[1:]), np.finfo(np.float64).max)


def _errors_by_alpha(tree: Tree, counts: Floats, alphas: Floats) -> Floats:
    """Return the errors of the tree pruned at each alpha.

    A node is a leaf of the pruned tree for alphas from its own up to the alpha at which an ancestor becomes one.
    """
    is_leaf = tree.attribute < 0
    weakest = np.where(is_leaf, 0.0, cost_complexity(tree).weakest)
    links, until, parent = weakest.tolist(), [np.inf] * tree.n_nodes, tree.parent.tolist()
    for node in range(1, tree.n_nodes):
        above = parent[node]
        until[node] = min(until[above], links[above])
    gone = np.array(until)
    wrong, ending = errors_as_leaf(tree, counts), np.where(is_leaf, 0.0, errors_ending(tree, counts))
    change = np.zeros(len(alphas) + 1)
    change[0] = ending.sum()
    reached = alphas + ROUNDING
    np.subtract.at(change, np.searchsorted(reached, np.minimum(weakest, gone)), ending)
    leaf = np.flatnonzero(weakest < gone)
    np.add.at(change, np.searchsorted(reached, weakest[leaf]), wrong[leaf])
    np.subtract.at(change, np.searchsorted(reached, gone[leaf]), wrong[leaf])
    return np.cumsum(change)[:-1]


def _errors_by_size(tree: Tree, counts: Floats, levels: Floats) -> Floats:
    """Return the errors of the largest tree for each maximum number of nodes."""
    curve = sizes(tree, counts)
    return curve.errors[np.searchsorted(curve.nodes, levels, side="right") - 1]


LEVELS = {
    "size": Level(
        candidates=lambda tree: sizes(tree).nodes[::-1].astype(np.float64),
        errors=_errors_by_size,
        tree=lambda tree, level: breadth_first(tree, int(level)),
    ),
    "alpha": Level(
        candidates=_alphas,
        errors=_errors_by_alpha,
        tree=lambda tree, level: cost_complexity(tree).tree(tree, level),
    ),
}
