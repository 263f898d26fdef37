"""The nearest of some points, where each point may count more than once or less."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Nearby:
    """The points near each query, nearest first; of those equally near the first stored.

    Parameters
    ----------
    distance, weights : array of float64, shape (queries, points)
    index : array of int64, shape (queries, points)
        Which points they are.
    """

    distance: Floats
    weights: Floats
    index: Places

    def first(self, k: float) -> Nearby:
        """Return the nearest points whose weights sum to `k`; the last may count in part."""
        before = np.cumsum(self.weights, axis=1) - self.weights
        return replace(self, weights=np.clip(k - before, 0.0, self.weights))


def all_points(points: Floats, weights: Floats, queries: Floats, own: Places | None = None) -> Nearby:
    """Return all points for each query.

    Parameters
    ----------
    own : array of int64, optional
        Which of the points each query is; one of it is left out.
    """
    from scipy.spatial.distance import cdist

    distance = cdist(queries, points)
    index = np.broadcast_to(np.arange(len(points)), distance.shape)
    return Nearby(distance, without_own(np.broadcast_to(weights, distance.shape), index, own), index)


def nearest(
    tree: Any, weights: Floats, queries: Floats, k: float, own: Places | None = None, p: float = 2.0
) -> Nearby:
    """Return the nearest points for each query, up to a weight of `k`, from a `scipy.spatial.cKDTree`.

    Examples
    --------
    >>> from scipy.spatial import cKDTree
    >>> points = np.array([[3.0], [1.0], [4.0]])
    >>> near = nearest(cKDTree(points), np.ones(3), np.array([[2.0]]), 2)
    >>> near.index.tolist(), near.distance.tolist()
    ([[0, 1]], [[1.0, 1.0]])
    """
    n = len(weights)
    wanted = rows_for(weights, k + (own is not None))
    distance, index = tree.query(queries, k=np.arange(1, min(wanted + 1, n) + 1), p=p)
    index = index.astype(np.int64)
    if wanted < n:
        for row in np.flatnonzero(distance[:, -1] == distance[:, -2]):
            _settle_ties(tree, queries[row], distance[row], index[row], p)
        distance, index = distance[:, :-1], index[:, :-1]
    order = np.lexsort((index, distance))
    distance, index = (np.take_along_axis(each, order, axis=1) for each in (distance, index))
    return Nearby(distance, without_own(weights[index], index, own), index).first(k)


def _settle_ties(tree: Any, query: Floats, distance: Floats, index: Places, p: float) -> None:
    """Of the points as far as the last ones, put those stored first into the places at the end."""
    last = distance[-1]
    rivals = np.array(sorted(tree.query_ball_point(query, last * (1 + 1e-12), p=p)), dtype=np.int64)
    away = np.linalg.norm(tree.data[rivals] - query, ord=p, axis=1)
    tied = rivals[np.abs(away - last) <= 1e-12 * last]
    places = np.flatnonzero(distance == last)
    if len(tied) >= len(places):
        index[places] = tied[: len(places)]


def without_own(weights: Floats, index: Places, own: Places | None) -> Floats:
    """Return the weights without one example of the query's own."""
    if own is None:
        return weights
    return np.where(index == own[:, np.newaxis], np.maximum(weights - 1.0, 0.0), weights)


def rows_for(weights: Floats, k: float) -> int:
    """Return how many points have a weight of `k` at least, whichever they are."""
    enough = int(np.searchsorted(np.cumsum(np.sort(weights)), k * (1 - 1e-12))) + 1
    return min(enough, len(weights))
