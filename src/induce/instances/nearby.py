"""Weighted nearest points."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from induce.data.schema import Column, Schema
from induce.data.table import Table
from induce.distances.metrics import minkowski
from induce.distances.rows import Rows
from induce.instances.choice import weighted_median
from induce.instances.search.index import Index

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

WIDTHS = 10
"""Number of candidate widths."""


@dataclass(frozen=True, eq=False)
class Nearby:
    """The points near each query, nearest first; ties go to the first stored.

    Parameters
    ----------
    distance, weights : array of float64, shape (queries, points)
    index : array of int64, shape (queries, points)
        Indices of the points.
    """

    distance: Floats
    weights: Floats
    index: Places

    def first(self, k: float) -> Nearby:
        """Return the nearest points whose weights sum to `k`; the last may count fractionally."""
        before = np.cumsum(self.weights, axis=1) - self.weights
        return replace(self, weights=np.clip(k - before, 0.0, self.weights))

    def widths(self, weights: Floats) -> list[float]:
        """Return candidate widths of kernels, between near and far points of queries with the given weights.

        The smallest is the median distance of the nearest point, the largest twice the distance of the last
        point used.
        """
        counting = self.weights > 0
        far = np.where(counting, self.distance, 0.0).max(axis=1)
        close = np.where(counting & (self.distance > 0), self.distance, np.inf).min(axis=1)
        apart = np.isfinite(close)
        if not apart.any():
            return [1.0]
        low = weighted_median(close[apart], weights[apart])
        high = 2.0 * weighted_median(far, weights)
        return list(map(float, np.geomspace(low, max(high, 2.0 * low), WIDTHS)))

    def shared(self, k: float) -> Nearby:
        """Return the nearest points whose weights sum to `k`; ties at the largest distance share the rest.

        Examples
        --------
        >>> near = Nearby(np.array([[1.0, 2.0, 2.0, 3.0]]), np.ones((1, 4)), np.arange(4)[np.newaxis])
        >>> near.shared(2).weights.tolist()
        [[1.0, 0.5, 0.5, 0.0]]
        """
        total = np.cumsum(self.weights, axis=1)
        differs = self.distance[:, 1:] != self.distance[:, :-1]
        ends = np.ones((len(total), 1), dtype=np.bool_)
        first, last = np.hstack([ends, differs]), np.hstack([differs, ends])
        before = np.maximum.accumulate(np.where(first, total - self.weights, 0.0), axis=1)
        after = np.minimum.accumulate(np.where(last, total, np.inf)[:, ::-1], axis=1)[:, ::-1]
        group = after - before
        share = np.clip(k - before, 0.0, group) / np.where(group > 0, group, 1.0)
        return replace(self, weights=self.weights * share)


def all_points(points: Floats, weights: Floats, queries: Floats, own: Places | None = None) -> Nearby:
    """Return all points for each query.

    Parameters
    ----------
    own : array of int64, optional
        Index of each query among the points, to be left out once.
    """
    from scipy.spatial.distance import cdist

    distance = cdist(queries, points)
    index = np.broadcast_to(np.arange(len(points)), distance.shape)
    return Nearby(distance, without_own(np.broadcast_to(weights, distance.shape), index, own), index)


class Points:
    """Points indexed for nearest-neighbour queries.

    Parameters
    ----------
    points : array of float64, shape (points, columns)
    p : float
        Power of the Minkowski distance.

    Examples
    --------
    >>> near = Points(np.array([[3.0], [1.0], [4.0]])).nearest(np.ones(3), np.array([[2.0]]), 2)
    >>> near.index.tolist(), near.distance.tolist()
    ([[0, 1]], [[1.0, 1.0]])
    """

    def __init__(self, points: Floats, p: float = 2.0) -> None:
        schema = Schema(tuple(Column(f"x{j}") for j in range(points.shape[1])))
        self._metric = minkowski(Table(schema, points, _no_codes(points)), p)
        self._index = Index(self._metric, Rows(points, _no_codes(points)))

    def nearest(self, weights: Floats, queries: Floats, k: float, own: Places | None = None) -> Nearby:
        """Return the nearest points for each query, up to a weight of `k`.

        Parameters
        ----------
        weights : array of float64
            Weight of each point.
        queries : array of float64, shape (queries, columns)
        k : float
        own : array of int64, optional
            Index of each query among the points, to be left out once.
        """
        wanted = rows_for(weights, k + (own is not None))
        found = self._index.nearest(Rows(queries, _no_codes(queries)), wanted)
        left = without_own(weights[found.places], found.places, own)
        return Nearby(self._metric.root(found.powers), left, found.places).first(k)


def _no_codes(points: Floats) -> NDArray[np.int32]:
    return np.empty((len(points), 0), dtype=np.int32)


def without_own(weights: Floats, index: Places, own: Places | None) -> Floats:
    """Return the weights without one copy of the query's own example."""
    if own is None:
        return weights
    return np.where(index == own[:, np.newaxis], np.maximum(weights - 1.0, 0.0), weights)


def rows_for(weights: Floats, k: float) -> int:
    """Return the number of points that guarantees a total weight of at least `k`."""
    enough = int(np.searchsorted(np.cumsum(np.sort(weights)), k * (1 - 1e-12))) + 1
    return min(enough, len(weights))
