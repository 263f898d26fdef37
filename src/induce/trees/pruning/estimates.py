"""Pruning by an error estimate for new examples that uses only the training examples."""

from __future__ import annotations

import numpy as np

from induce.core import trace
from induce.core.errors import InputError
from induce.trees.hypothesis import Tree
from induce.trees.node_errors import errors_as_leaf
from induce.trees.pruning.passes import cut_and_tell, cut_to_cheapest, subtree_sums, topmost


def pessimistic(tree: Tree) -> Tree:
    """Prune by pessimistic errors: half an error is added for every leaf (Quinlan 1987).

    Take a subtree over N examples with E errors and L leaves. From the root down, it becomes a leaf if the
    leaf's errors plus 0.5 are at most E' + SE, where E' = E + L/2 and SE = sqrt(E' (N - E') / N) is the
    standard error of E'. Every subtree is evaluated as it was grown.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("breast-cancer")
    >>> tree = induce.ID3().fit(X, y).hypothesis_
    >>> tree.n_nodes, pessimistic(tree).n_nodes
    (39, 19)
    """
    is_leaf = tree.attribute < 0
    as_leaf = errors_as_leaf(tree, tree.counts)
    n = tree.counts.sum(axis=1)
    errors = subtree_sums(tree, np.where(is_leaf, as_leaf + 0.5, 0.0))
    variance = np.where(n > 0, errors * np.maximum(n - errors, 0.0) / np.where(n > 0, n, 1.0), 0.0)
    limit = errors + np.sqrt(variance)
    cut = ~is_leaf & (as_leaf + 0.5 <= limit + 1e-9)
    if trace.active("prune"):
        for node in np.flatnonzero(topmost(tree, cut)).tolist():
            trace.emit("prune", node=node, as_leaf=float(as_leaf[node]) + 0.5, limit=float(limit[node]))
    return cut_and_tell(tree, cut)


def minimum_error(tree: Tree, m: float | None = None) -> Tree:
    """Prune subtrees whose expected error exceeds that of a leaf, bottom up (Niblett and Bratko 1986).

    A leaf with n examples, n_c of them of the predicted class, has the expected error rate (n - n_c + (1 -
    p_c) m) / (n + m), where p_c is the prior probability of that class and m the weight of the prior in
    examples (Cestnik and Bratko 1991). The expected error of a test is that of its children, weighted by
    their examples.

    Parameters
    ----------
    tree : Tree
        Tree to prune.
    m : float, optional
        m of the m-estimate; larger values usually prune more. The priors are the class frequencies at the
        root. None gives Laplace's estimate (n - n_c + c - 1) / (n + c): uniform priors, and m is the number c
        of classes.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> tree = induce.ID3().fit(X, y).hypothesis_
    >>> [minimum_error(tree, m).n_nodes for m in (None, 2, 100)]
    [8, 8, 1]
    """
    if m is not None and not 0 <= m < np.inf:
        raise InputError(f"m is {m}; give a number of at least 0")
    n_classes, n = len(tree.classes), tree.counts.sum(axis=1)
    prior = np.full(n_classes, 1.0 / n_classes) if m is None else tree.counts[0] / n[0]
    worth = float(n_classes if m is None else m)
    wrong = errors_as_leaf(tree, tree.counts) + (1.0 - prior[tree.majority]) * worth
    expected = np.where(n > 0, n * wrong / np.where(n > 0, n + worth, 1.0), 0.0)
    return cut_to_cheapest(tree, expected, np.zeros(tree.n_nodes))
