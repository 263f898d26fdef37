"""Trees of limited size: the tests of a grown tree in breadth-first order (AIMA 18.4.1)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.trees.hypothesis import Tree
from induce.trees.node_errors import errors_as_leaf, errors_ending

Floats = NDArray[np.float64]
COUNTED = ("nodes", "tests")


class Sizes(NamedTuple):
    """Arrays over trees of increasing size: the numbers of tests and nodes, and the weight of the errors."""

    tests: NDArray[np.int64]
    nodes: NDArray[np.int64]
    errors: Floats


def breadth_first_tests(tree: Tree) -> NDArray[np.int64]:
    """Return the tests of a tree level by level, from the first branch to the last."""
    order = [0]
    first, n_branches = tree.first.tolist(), tree.n_branches.tolist()
    for node in order:
        order.extend(range(first[node], first[node] + n_branches[node]))
    nodes = np.array(order, np.int64)
    return nodes[tree.attribute[nodes] >= 0]


def breadth_first(tree: Tree, max_nodes: int, count: str = "nodes") -> Tree:
    """Return the tree at the time when breadth-first growth reached a size (AIMA 18.4.1).

    A greedily grown tree has the same tests in whatever order its nodes are split, so growing to a size equals
    keeping the first tests. Growth stops before the test that would exceed the size.

    Parameters
    ----------
    tree : Tree
        Fully grown tree.
    max_nodes : int
        Maximum number of nodes of the resulting tree.
    count : {"nodes", "tests"}
        Whether to count all nodes or only tests.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("restaurant")
    >>> tree = induce.ID3().fit(X, y).hypothesis_
    >>> [breadth_first(tree, size).n_nodes for size in (1, 5, 9, 100)]
    [1, 4, 6, 12]
    """
    one_of("count", count, COUNTED)
    least = 1 if count == "nodes" else 0
    if not isinstance(max_nodes, int | np.integer) or max_nodes < least:
        raise InputError(f"max_nodes is {max_nodes!r}; give a whole number of at least {least}")
    tests = breadth_first_tests(tree)
    n_kept = int(max_nodes)
    if count == "nodes":
        n_kept = int(np.searchsorted(1 + np.cumsum(tree.n_branches[tests]), max_nodes, side="right"))
    cut = np.zeros(tree.n_nodes, bool)
    cut[tests[n_kept:]] = True
    return tree.cut(cut)


def sizes(tree: Tree, counts: Floats | None = None) -> Sizes:
    """Return the sizes and errors of all trees that `breadth_first` can return, without building them.

    Parameters
    ----------
    tree : Tree
        Fully grown tree.
    counts : array of float64, shape (nodes, classes), optional
        Class counts for the errors, as returned by `Tree.route`; None uses those of the training examples.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("restaurant")
    >>> curve = sizes(induce.ID3().fit(X, y).hypothesis_)
    >>> curve.nodes.tolist(), curve.errors.tolist()
    ([1, 4, 6, 10, 12], [6.0, 2.0, 2.0, 1.0, 0.0])
    """
    counts = tree.counts if counts is None else counts
    if counts.shape != tree.counts.shape:
        raise InputError(
            f"counts has the shape {counts.shape}; give counts of shape {tree.counts.shape}, like "
            "those of the tree"
        )
    as_leaf, ending = errors_as_leaf(tree, counts), errors_ending(tree, counts)
    below = np.bincount(tree.parent[1:], as_leaf[1:], tree.n_nodes)
    tests = breadth_first_tests(tree)
    nodes = 1 + np.cumsum(tree.n_branches[tests], dtype=np.int64)
    change = (below + ending - as_leaf)[tests]
    return Sizes(
        tests=np.arange(len(tests) + 1),
        nodes=np.concatenate([[1], nodes]),
        errors=np.cumsum(np.concatenate([as_leaf[:1], change])),
    )
