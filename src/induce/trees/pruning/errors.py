"""Pruning by errors: on held-out examples (Quinlan 1987), or by upper limits of training errors (C4.5)."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.errors import InputError
from induce.core.loops import repeated
from induce.core.progress import report
from induce.data.training import Examples
from induce.trees import _path_loops
from induce.trees.hypothesis import Tree
from induce.trees.node_errors import errors_as_leaf, errors_ending
from induce.trees.pruning.passes import Floats, Nodes, cut_and_tell, subtree_sums, tell_kept, topmost
from induce.trees.pruning.sequence import Key, Shrinking, shrink
from induce.trees.structure import MODE, PATH_STEPS

STEP = 250_000
"""Number of entries that are sent down a tree between two progress reports."""


def reduced_error(tree: Tree, validation: Examples) -> Tree:
    """Repeatedly prune the node whose removal helps most on the validation examples (Quinlan 1987).

    A node becomes a leaf with the majority class of its training examples, as long as the validation error
    does not rise; ties go to the larger subtree.
    """
    counts = tree.route(validation.table, validation.labels, validation.weight())
    as_leaf, ending = errors_as_leaf(tree, counts), errors_ending(tree, counts)

    def harm_then_smallness(now: Shrinking, node: int) -> Key:
        return round(now.as_leaf[node] - now.as_tree[node], 9), -now.leaves[node]

    pruned = np.zeros(tree.n_nodes, bool)
    for (harm, _), node, now in shrink(tree, as_leaf, harm_then_smallness, ending):
        if harm > 0:
            break
        trace.emit("prune", node=node, errors_before=now.as_tree[0], errors_after=now.as_tree[0] + harm)
        pruned[node] = True
    return cut_and_tell(tree, pruned)


def error_based(
    tree: Tree, examples: Examples, confidence_factor: float = 0.25, raising: bool = True
) -> Tree:
    """Prune as C4.5 does: compare upper error limits of a subtree, of a leaf and of the largest branch.

    A subtree that classifies no more training examples correctly than a leaf is pruned at once.
    """
    if not 0 < confidence_factor <= 0.5:
        raise InputError(f"confidence_factor is {confidence_factor}; give a number above 0 and at most 0.5")
    as_leaf = errors_as_leaf(tree, tree.counts)
    as_tree = subtree_sums(tree, np.where(tree.attribute < 0, as_leaf, 0.0))
    useless = as_tree >= as_leaf - 1e-3
    numbers = np.flatnonzero(tree.kept_by(useless))
    tell_useless(tree, useless, as_leaf, as_tree)
    tree = tree.cut(useless)
    if tree.n_nodes == 1:
        tell_kept(numbers)
        return tree
    from scipy.special import ndtri

    rows = _path_loops.Rows(examples.table.numeric, examples.table.nominal, examples.labels)
    paths = _path_loops.Paths(*(array.copy() for array in tree.paths_arrays))
    surrogates = tree.surrogate_arrays
    if surrogates is not None:
        surrogates = surrogates._replace(start=surrogates.start.copy(), stop=surrogates.stop.copy())
    attribute, counts = tree.attribute.copy(), tree.counts.copy()
    n = len(examples)
    entry_row = np.arange(4 * n, dtype=np.int32)
    entry_weight = np.empty(4 * n)
    entry_weight[:n] = examples.weight()
    widest = int(tree.n_branches.max())
    stack = np.zeros((4 * widest, 7), np.int64)
    stack[0, 2] = n
    state = np.array([1, n], np.int64)
    judged = np.full((tree.n_nodes, 2, 4), np.nan)
    estimate, out = np.zeros(tree.n_nodes), np.zeros_like(counts)
    branch, put = np.empty(n, np.int32), np.empty(widest, np.int64)
    room = np.empty(tree.n_nodes, np.int64)
    z = -float(ndtri(confidence_factor))
    prune_by_estimate = repeated(_path_loops.prune_by_estimate, PATH_STEPS * len(examples) * widest)
    while not prune_by_estimate(
        paths,
        surrogates,
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
        judged,
        z,
        confidence_factor,
        raising,
        tree.missing == MODE,
        STEP,
    ):
        waiting = stack[: state[0]]
        waiting = waiting[waiting[:, 3] == 0]
        report(1 - min(1.0, float((waiting[:, 2] - waiting[:, 1]).sum()) / n))
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
        surrogates=tree.surrogates and tree.surrogates.of(surrogates.start, surrogates.stop),
    )
    tell_judged(judged, numbers)
    tell_kept(numbers[raised.kept_by(attribute < 0)])
    return raised.cut(attribute < 0)


def tell_useless(tree: Tree, useless: Nodes, as_leaf: Floats, as_tree: Floats) -> None:
    """Report subtrees that classify no more training examples correctly than a leaf to an active trace."""
    if trace.active("prune"):
        for node in np.flatnonzero(topmost(tree, useless) & (tree.attribute >= 0)).tolist():
            trace.emit("prune", node=node, as_leaf=float(as_leaf[node]), as_tree=float(as_tree[node]))


def tell_judged(judged: Floats, numbers: NDArray[np.intp]) -> None:
    """Report the nodes made leaves and the raised branches to an active trace, from the leaves up."""
    if not trace.active("prune"):
        return
    for node in range(len(judged) - 1, -1, -1):
        for what in (1, 0):
            as_leaf, as_tree, as_branch, largest = judged[node, what].tolist()
            if math.isnan(as_leaf):
                continue
            trace.emit(
                "prune",
                node=int(numbers[node]),
                as_leaf=as_leaf,
                as_tree=as_tree,
                as_branch=as_branch if math.isfinite(as_branch) else None,
                raised=int(numbers[int(largest)]) if what else None,
            )
