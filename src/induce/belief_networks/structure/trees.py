"""The maximum-likelihood tree (Chow and Liu 1968)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks.structure.independence import Independences
from induce.belief_networks.structure.knowledge import Constraints
from induce.belief_networks.structure.scores import CodedRows
from induce.core.ties import first_largest


def information_of(table: NDArray[np.float64]) -> float:
    """Return the mutual information of two columns in nats, given the counts of their value pairs.

    Examples
    --------
    >>> round(information_of(np.array([[5.0, 0.0], [0.0, 5.0]])), 4)
    0.6931
    """
    known = float(table.sum())
    pairs = CodedRows.of(np.argwhere(np.ones(table.shape)), table.shape, table.ravel())
    return Independences(pairs).test(0, 1).g / (2 * known) if known else 0.0


def mutual_information(tests: Independences) -> NDArray[np.float64]:
    """Return the pairwise mutual information of the columns in nats: G / 2N."""
    n = len(tests.rows)
    found = np.zeros((n, n))
    for a in range(n):
        for b in range(a + 1, n):
            known = float(tests.rows.weights[(tests.rows.codes[[a, b]] >= 0).all(axis=0)].sum())
            found[a, b] = found[b, a] = tests.test(a, b).g / (2 * known) if known else 0.0
    return found


def tree(information: NDArray[np.float64], limits: Constraints, root: int) -> list[set[int]]:
    """Return the parents of the maximum spanning tree by mutual information, with arcs directed away from the
    root.

    The tree grows from the root by the most informative allowed arc (Prim); a node with a required parent
    waits for it. A node that no allowed arc reaches becomes the root of another tree.
    """
    n = len(information)
    parents: list[set[int]] = [set() for _ in range(n)]
    fits = limits.allowed & (limits.max_parents > 0)
    fits &= limits.required | ~limits.required.any(axis=0)
    weights = np.where(fits, information, -math.inf)
    left = [root, *(node for node in limits.order() if node != root)]
    inside: list[int] = []
    while left:
        within = weights[np.ix_(inside, left)] if inside else np.empty((0, 0))
        if not within.size or within.max() == -math.inf:
            inside.append(left.pop(0))
            continue
        above, below = np.unravel_index(first_largest(within), within.shape)
        child = left.pop(int(below))
        parents[child].add(inside[int(above)])
        inside.append(child)
    return parents
