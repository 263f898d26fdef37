"""Impurity importances: relative reduction of impurity by the tests of each column (Breiman and others)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.trees.hypothesis import Tree
from induce.trees.regression.hypothesis import RegressionTree
from induce.trees.structure import Structure

Floats = NDArray[np.float64]


def class_importances(tree: Tree, gini: bool = False) -> Floats:
    """Return the relative reduction of impurity by each column in a classification tree.

    Parameters
    ----------
    tree : Tree
        Decision tree.
    gini : bool
        Whether impurity is the Gini index; entropy otherwise.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> class_importances(induce.ID3().fit(X, y).hypothesis_).round(3).tolist()
    [0.262, 0.0, 0.369, 0.369]
    """
    totals = np.maximum(tree.counts.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    shares = tree.counts / totals
    if gini:
        impurity = 1.0 - np.square(shares).sum(axis=1)
    else:
        impurity = -(shares * np.log2(np.where(shares > 0, shares, 1.0))).sum(axis=1)
    return _by_column(tree, tree.weights * impurity)


def number_importances(tree: RegressionTree) -> Floats:
    """Return the relative reduction of the squared error by each column in a regression tree."""
    return _by_column(tree, tree.sse)


def _by_column(tree: Structure, impurity: Floats) -> Floats:
    """Sum the decrease of weighted impurity by the tests of each column, normalised to sum to 1."""
    names = tree.schema.names()
    removed = np.zeros(len(names))
    for node in np.flatnonzero(tree.n_branches).tolist():
        below = sum(float(impurity[child]) for child in tree.children(node))
        removed[names.index(tree.tested(node).name)] += max(0.0, float(impurity[node]) - below)
    total = removed.sum()
    return removed / total if total > 0 else removed
