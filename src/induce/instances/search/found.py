"""Results of a search, and the order of neighbours: by distance, then by position."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from induce.distances.rows import Rows

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

FEW = 4
"""Maximum number of candidates per neighbour for sorting them as rows of a matrix."""


class Found(NamedTuple):
    """The nearest rows of each query, nearest first; ties go to the first stored.

    Parameters
    ----------
    powers : array of float64, shape (queries, k)
        Powers of their distances.
    places : array of int64, shape (queries, k)
    """

    powers: Floats
    places: Places

    def without(self, own: Places) -> Found:
        """Return one neighbour fewer for each query: without itself, or without the last if it is absent.

        Examples
        --------
        >>> found = Found(np.array([[0.0, 0.0, 2.0]] * 2), np.array([[3, 5, 1]] * 2))
        >>> found.without(np.array([5, 9])).places.tolist()
        [[3, 1], [3, 5]]
        """
        mine = self.places == own[:, np.newaxis]
        mine[:, -1] |= ~mine.any(axis=1)
        shape = len(self.places), self.places.shape[1] - 1
        return Found(self.powers[~mine].reshape(shape), self.places[~mine].reshape(shape))

    def widened(self, queries: Places, more: Found) -> Found:
        """Return more neighbours for the given queries; for the others, the last is repeated."""
        extra = more.places.shape[1] - self.places.shape[1]
        powers = np.pad(self.powers, ((0, 0), (0, extra)), mode="edge")
        places = np.pad(self.places, ((0, 0), (0, extra)), mode="edge")
        powers[queries], places[queries] = more
        return Found(powers, places)


def smallest(powers: Floats, k: int) -> Found:
    """Return the k smallest of each row of a matrix; ties go to the left.

    Examples
    --------
    >>> smallest(np.array([[2.0, 1.0, 2.0, 0.5]]), 3)
    Found(powers=array([[0.5, 1. , 2. ]]), places=array([[3, 1, 0]]))
    """
    n = powers.shape[1]
    if k < n // 4:
        last = np.partition(powers, k - 1, axis=1)[:, k - 1 : k]
        query, place = np.divmod(np.flatnonzero(powers <= last), n)
        return ranked(powers[query, place], query, place, len(powers), k)
    index = np.argsort(powers, axis=1, kind="stable")[:, :k]
    return Found(np.take_along_axis(powers, index, axis=1), index)


def ranked(powers: Floats, query: Places, place: Places, n_queries: int, k: int) -> Found:
    """Return the k nearest of some candidates, given by query in the order of positions; each query has at
    least k.
    """
    counts = np.bincount(query, minlength=n_queries)
    starts = np.cumsum(counts) - counts
    most = int(counts.max(initial=0))
    if most > FEW * k:
        order = np.lexsort((place, powers, query))
        chosen = order[starts[:, np.newaxis] + np.arange(k)]
        return Found(powers[chosen], place[chosen])
    # A matrix with one row per query: a stable sort keeps ties in the order of positions.
    rows = np.full((n_queries, most), np.inf)
    column = np.arange(len(query)) - np.repeat(starts, counts)
    rows[query, column] = powers
    nearest = np.argsort(rows, axis=1, kind="stable")[:, :k]
    return Found(np.take_along_axis(rows, nearest, axis=1), place[starts[:, np.newaxis] + nearest])


class Engine:
    """A search algorithm for the nearest rows."""

    def nearest(self, queries: Rows, k: int) -> Found:
        """Return the k nearest rows of each query; there must be at least k rows."""
        raise NotImplementedError
