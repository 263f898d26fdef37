"""Tree-structured tables: a decision tree over the parents, with a distribution in each leaf (AIMA 20.2)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks.conditionals.base import (
    Conditional,
    Floats,
    Values,
    check_table_size,
    chosen,
    nominal,
    sizes_of,
)
from induce.core.errors import InputError
from induce.data.schema import Column

LEAF = -1
TOLERANCE = 1e-9
"""Differences of scores below this, relative to the scores, are rounding."""


@dataclass(frozen=True, eq=False)
class TreeConditional(Conditional):
    """A nominal node whose distribution depends on its parents through a decision tree.

    Parent states that reach the same leaf share one distribution. The number of parameters grows with the number of
    leaves; that of a table grows exponentially with the number of parents (Friedman and Goldszmidt 1996).

    Parameters
    ----------
    tested : array of int64, shape (tree nodes)
        Index of the parent tested at each tree node, -1 at a leaf. The root is the first tree node.
    first : array of int64, shape (tree nodes)
        Index of the first child of each tree node; one child per value of the parent, in the order of its domain.
    probabilities : array of float64, shape (tree nodes, values of the node)
        Distribution at each tree node.

    Examples
    --------
    >>> alarm = TreeConditional(  # without power the alarm is silent, whoever comes in
    ...     np.array([0, -1, 1, -1, -1]), np.array([1, 0, 3, 0, 0]),
    ...     np.array([[0.7, 0.3], [1.0, 0.0], [0.4, 0.6], [0.9, 0.1], [0.05, 0.95]]),
    ... )
    >>> alarm.table((2, 2))[..., 1].tolist()
    [[0.0, 0.0], [0.1, 0.95]]
    >>> alarm.n_parameters()
    3
    """

    tested: NDArray[np.int64]
    first: NDArray[np.int64]
    probabilities: Floats

    def verify(self, node: Column, parents: Sequence[Column]) -> None:
        """Raise an `InputError` unless it is a distribution of `node` given `parents`."""
        if node.kind != "nominal" or len(nominal(parents)) < len(parents):
            raise InputError(
                f"{node.name!r} has a tree of probabilities; neither it nor a parent may be numeric"
            )
        check_table_size(node, parents)
        shape, size = self.probabilities.shape, len(node.domain)
        if shape != (len(self.tested), size) or self.first.shape != self.tested.shape or not len(self.tested):
            raise InputError(f"the tree of {node.name!r} does not fit its {size} values")
        sizes = sizes_of(parents)
        for place, (test, child) in enumerate(zip(self.tested.tolist(), self.first.tolist(), strict=True)):
            fits = test == LEAF or (
                0 <= test < len(sizes) and place < child and child + sizes[test] <= len(self.tested)
            )
            if not fits:
                raise InputError(f"the tree of {node.name!r} does not fit its parents")
        sums = self.probabilities.sum(axis=1)
        if not (np.isfinite(sums).all() and (self.probabilities >= 0).all() and np.allclose(sums, 1.0)):
            raise InputError(f"a row of the tree of {node.name!r} does not sum to 1; give probabilities")

    def n_parameters(self) -> int:
        """Return the number of independent probabilities in the leaves."""
        return int(np.count_nonzero(self.tested == LEAF)) * (len(self.probabilities[0]) - 1)

    def leaves(self, parents: Sequence[Values], n: int) -> NDArray[np.int64]:
        """Return the index of the leaf that each of `n` rows reaches."""
        place = np.zeros(n, np.int64)
        values = np.column_stack(parents).astype(np.int64) if len(parents) else np.empty((n, 0), np.int64)
        opened = np.flatnonzero(self.tested[place] != LEAF)
        while len(opened):
            at = place[opened]
            place[opened] = self.first[at] + values[opened, self.tested[at]]
            opened = opened[self.tested[place[opened]] != LEAF]
        return place

    def table(self, sizes: Sequence[int]) -> Floats:
        """Return the probabilities, with one axis per parent and the last for the node."""
        n = math.prod(sizes)
        states = np.indices(tuple(sizes)).reshape(len(sizes), n)
        found = self.probabilities[self.leaves(list(states), n)]
        return np.asarray(found.reshape(*sizes, self.probabilities.shape[1]))

    def log_probability(self, values: Values, parents: Sequence[Values]) -> Floats:
        """Return the log probability of the node's value in each row."""
        with np.errstate(divide="ignore"):
            return np.log(self.probabilities[self.leaves(parents, len(values)), values])

    def sample(self, parents: Sequence[Values], n: int, rng: np.random.Generator) -> Values:
        """Return the code of a value for each of `n` rows, drawn at random."""
        return chosen(self.probabilities[self.leaves(parents, n)], rng)

    def branches(self, sizes: Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
        """Yield each tree node but the root, a parent before its children.

        Parameters
        ----------
        sizes : sequence of int
            Number of values of each parent.

        Yields
        ------
        tuple of int
            Depth, index of the parent tested above, index of its value, and index of the tree node.
        """

        def children(depth: int, place: int) -> list[tuple[int, int, int, int]]:
            test, first = int(self.tested[place]), int(self.first[place])
            values = range(sizes[test]) if test != LEAF else range(0)
            return [(depth, test, value, first + value) for value in reversed(values)]

        waiting = children(0, 0)
        while waiting:
            depth, test, value, place = waiting.pop()
            yield depth, test, value, place
            waiting += children(depth + 1, place)


@dataclass
class _Grown:
    """A tree node while the tree is grown: its counts, and the best split below it."""

    counts: Floats
    pseudo: Floats
    test: int = LEAF
    children: tuple[_Grown, ...] = ()


def tree_of_counts(counts: Floats, pseudo: Floats) -> TreeConditional:
    """Return the tree with the best BIC that greedy growth and pruning find.

    A tree node is split by the parent with the largest information gain, down to pure tree nodes; then each subtree
    whose gain in log-likelihood does not pay for its parameters, each half the logarithm of the number of cases, is
    replaced by a leaf. Ties are broken by the order of the parents.

    Parameters
    ----------
    counts : array of float64
        Counts of the joint states; one axis per parent, the last for the node.
    pseudo : array of float64
        Pseudo-counts in the same shape; a leaf has the mean pseudo-count of its parent states.

    Examples
    --------
    >>> counts = np.array([[[50.0, 0.0], [48.0, 2.0]], [[40.0, 10.0], [2.0, 48.0]]])
    >>> tree = tree_of_counts(counts, np.zeros((2, 2, 2)))
    >>> tree.tested.tolist(), tree.table((2, 2))[..., 1].tolist()
    ([0, -1, 1, -1, -1], [[0.02, 0.02], [0.2, 0.96]])
    """
    price = 0.5 * (counts.shape[-1] - 1) * math.log(max(float(counts.sum()), 1.0))
    root, _, _ = _grown(counts, pseudo, tuple(range(counts.ndim - 1)), price)
    nodes = [root]
    first = []
    for node in nodes:  # grows while it is read: breadth-first, so that the children of a node are contiguous
        first.append(len(nodes) if node.children else 0)
        nodes += node.children
    totals = np.array([node.counts + node.pseudo for node in nodes])
    sums = totals.sum(axis=1, keepdims=True)
    shares = np.where(sums > 0, totals / np.where(sums > 0, sums, 1.0), 1.0 / totals.shape[1])
    return TreeConditional(np.array([node.test for node in nodes]), np.array(first), shares)


def _grown(
    counts: Floats, pseudo: Floats, parents: tuple[int, ...], price: float
) -> tuple[_Grown, float, int]:
    """Return the pruned tree over some parents, its log-likelihood, and its number of leaves."""
    axes = tuple(range(counts.ndim - 1))
    own = counts.sum(axis=axes)
    leaf = _Grown(own, pseudo.mean(axis=axes))
    alone = _log_likelihood(own)
    if not axes or np.count_nonzero(own) < 2:
        return leaf, alone, 1
    gains = [_log_likelihood(counts.sum(axis=tuple(k for k in axes if k != axis))) for axis in axes]
    slack = TOLERANCE * max(1.0, abs(alone))
    axis = next(k for k, gain in enumerate(gains) if gain >= max(gains) - slack)
    below = [
        _grown(
            np.asarray(counts.take(value, axis)),
            np.asarray(pseudo.take(value, axis)),
            (*parents[:axis], *parents[axis + 1 :]),
            price,
        )
        for value in range(counts.shape[axis])
    ]
    log, n_leaves = sum(each[1] for each in below), sum(each[2] for each in below)
    if log - price * n_leaves <= alone - price + slack:
        return leaf, alone, 1
    return _Grown(own, leaf.pseudo, parents[axis], tuple(each[0] for each in below)), log, n_leaves


def _log_likelihood(counts: Floats) -> float:
    """Return the log-likelihood of counts under their relative frequencies along the last axis."""
    totals = counts.sum(axis=-1)
    seen, known = counts[counts > 0], totals[totals > 0]
    return float(seen @ np.log(seen) - known @ np.log(known))
