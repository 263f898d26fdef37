"""Pruning by the length of a message that encodes the classes of the examples (Mitchell §3.7.1, §6.6)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from induce.core.checks import one_of
from induce.trees.hypothesis import Tree
from induce.trees.node_errors import errors_as_leaf
from induce.trees.pruning.passes import Floats, cut_to_cheapest

COMBINATORIAL, MITCHELL = "combinatorial", "mitchell"
EXCEPTIONS = (COMBINATORIAL, MITCHELL)


class DescriptionLength(NamedTuple):
    """Number of bits that encode a tree, and number of bits that encode its misclassified examples."""

    tree: float
    exceptions: float

    @property
    def total(self) -> float:
        """Total number of bits."""
        return self.tree + self.exceptions


def description_length(tree: Tree, exceptions: str = COMBINATORIAL) -> DescriptionLength:
    """Return the description length of a tree and of its exceptions (Quinlan and Rivest 1989; Mitchell §6.6).

    One bit per node encodes whether it is a leaf. A leaf encodes its class, one of c, with log2 c bits. A
    test encodes its attribute with log2 of the number of available attributes; a nominal attribute with one
    branch per value is used up by its test, all others stay available. A test with cuts, such as one
    threshold, encodes their positions among the n - 1 gaps between its n examples with log2 C(n - 1, cuts)
    bits, as if all values were distinct, because the tree does not store them. A test that groups v values
    into d branches encodes the branch of each value but the first with (v - 1) log2 d bits.

    Parameters
    ----------
    tree : Tree
        Tree to encode.
    exceptions : {"combinatorial", "mitchell"}
        Code of the misclassified examples. "combinatorial": each leaf with n examples encodes the number of
        exceptions, at most b = floor(n (c - 1) / c), and their positions with `exception_bits`; with more
        than two classes, each exception also encodes its class. "mitchell": nothing if there are no
        exceptions, and otherwise log2 m
        + log2 c bits for each, where m is the number of all examples.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> tree = induce.ID3().fit(X, y).hypothesis_
    >>> bits = description_length(tree)
    >>> round(bits.tree, 2), round(bits.exceptions, 2), round(bits.total, 2)
    (18.17, 5.58, 23.75)
    """
    one_of("exceptions", exceptions, EXCEPTIONS)
    is_leaf = tree.attribute < 0
    bits = np.where(is_leaf, _leaf_bits(tree), _test_bits(tree)).sum()
    return DescriptionLength(float(bits), float(_exception_bits(tree, exceptions)[is_leaf].sum()))


def mdl(tree: Tree, exceptions: str = COMBINATORIAL) -> Tree:
    """Prune to the tree of minimum description length (Quinlan and Rivest 1989; Mehta and others 1995).

    From the leaves up, a subtree becomes a leaf if that takes no more bits, so the result has the fewest bits
    of all pruned trees. The two codes of `description_length` may well disagree, as they do on the
    play-tennis examples.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> tree = induce.ID3().fit(X, y).hypothesis_
    >>> mdl(tree).n_nodes, mdl(tree, exceptions="mitchell").n_nodes
    (1, 8)
    """
    one_of("exceptions", exceptions, EXCEPTIONS)
    return cut_to_cheapest(tree, _leaf_bits(tree) + _exception_bits(tree, exceptions), _test_bits(tree))


def mdl_stop(tree: Tree, exceptions: str = COMBINATORIAL) -> Tree:
    """Return the tree as if growth had stopped at every split that does not shorten the description.

    A split is kept if it takes fewer bits than a leaf, counting its branches as leaves and their exceptions.
    The choice of a test does not depend on other nodes, so a grown tree can be stopped afterwards.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("breast-cancer")
    >>> tree = induce.ID3().fit(X, y).hypothesis_
    >>> tree.n_nodes, mdl_stop(tree).n_nodes
    (39, 9)
    """
    one_of("exceptions", exceptions, EXCEPTIONS)
    as_leaf = _leaf_bits(tree) + _exception_bits(tree, exceptions)
    branches = np.bincount(tree.parent[1:], as_leaf[1:], tree.n_nodes)
    return tree.cut((tree.attribute >= 0) & (_test_bits(tree) + branches >= as_leaf))


def exception_bits(n: Floats | float, k: Floats | float, b: Floats | float) -> Floats:
    """Return L(n, k, b) = log2(b + 1) + log2 C(n, k), the bits that encode k <= b of n items.

    Examples
    --------
    >>> float(exception_bits(14, 5, 14).round(6))
    14.874117
    """
    return np.log2(np.add(b, 1.0)) + _log2_choose(np.asarray(n, np.float64), np.asarray(k, np.float64))


def _exception_bits(tree: Tree, exceptions: str) -> Floats:
    """Return the number of bits for the exceptions of each node as a leaf."""
    n, wrong, n_classes = tree.counts.sum(axis=1), errors_as_leaf(tree, tree.counts), len(tree.classes)
    if exceptions == MITCHELL:
        return np.asarray(wrong * (np.log2(np.maximum(n[0], 1.0)) + np.log2(n_classes)))
    most = np.floor(n * (n_classes - 1) / n_classes + 1e-9)
    return np.asarray(exception_bits(n, wrong, most) + wrong * np.log2(max(n_classes - 1, 1)))


def _leaf_bits(tree: Tree) -> Floats:
    return np.full(tree.n_nodes, 1.0 + np.log2(len(tree.classes)))


def _test_bits(tree: Tree) -> Floats:
    """Return the number of bits of each node as a test; 0 at a leaf."""
    n_values = np.array([len(column.domain) for column in tree.testable] + [0])[tree.attribute]
    nominal = np.array([column.kind == "nominal" for column in tree.testable] + [False])[tree.attribute]
    tested, grouped = tree.attribute >= 0, tree.map_start >= 0
    used, parent = np.zeros(tree.n_nodes, np.int64).tolist(), tree.parent.tolist()
    uses_up = (nominal & ~grouped).tolist()
    for node in range(1, tree.n_nodes):
        used[node] = used[parent[node]] + uses_up[parent[node]]
    available = np.maximum(len(tree.testable) - np.array(used), 1)
    cuts = np.where(tested & ~nominal, tree.n_branches - 1, 0).astype(np.float64)
    gaps = np.maximum(tree.counts.sum(axis=1) - 1.0, cuts)
    grouping = np.where(nominal & grouped, (n_values - 1) * np.log2(np.maximum(tree.n_branches, 1)), 0.0)
    return np.where(tested, 1.0 + np.log2(available) + _log2_choose(gaps, cuts) + grouping, 0.0)


def _log2_choose(n: Floats, k: Floats) -> Floats:
    from scipy.special import gammaln

    return np.asarray((gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0)) / np.log(2.0))
