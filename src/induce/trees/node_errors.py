"""Weight of the misclassified examples at each node of a tree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.trees.hypothesis import Tree

Floats = NDArray[np.float64]
LEAST_WEIGHT = 1e-9
"""Smaller weights are rounding errors of summed fractions of rows."""


def errors_as_leaf(tree: Tree, counts: Floats) -> Floats:
    """Return the weight of the errors of each node as a leaf.

    `counts` are the class counts of the tree, or of other examples sent down it.
    """
    return np.asarray(counts.sum(axis=1) - counts[np.arange(tree.n_nodes), tree.majority])


def errors_ending(tree: Tree, counts: Floats) -> Floats:
    """Return the weight of the misclassified examples that end at each node.

    At a leaf, these are all of its examples; at a test, those whose value has no branch.
    """
    ending = counts.copy()
    np.subtract.at(ending, tree.parent[1:], counts[1:])
    ending[ending < LEAST_WEIGHT] = 0.0
    return errors_as_leaf(tree, ending)
