"""Nearest-neighbour search with SciPy's k-d tree."""

from __future__ import annotations

import numpy as np

from induce.distances.base import Distance
from induce.distances.rows import Rows
from induce.instances.search.found import Engine, Found, ranked

LEAF = 32
"""Minimum number of rows of a leaf: with fewer, a tree takes longer to build and is no faster."""
SLACK = 1e-9
"""Relative tolerance: SciPy sums the axes in another order, so its distances can differ in their last digits."""


class SciPyTree(Engine):
    """`scipy.spatial.cKDTree`, with ties broken by the order of rows."""

    def __init__(self, distance: Distance, rows: Rows) -> None:
        from scipy.spatial import cKDTree

        self._distance, self._rows = distance, rows
        self._tree = cKDTree(rows.numbers, LEAF)

    def nearest(self, queries: Rows, k: int) -> Found:
        """Return the k nearest rows of each query."""
        power, n = self._distance.power, len(self._rows)
        asked = min(k + 1, n)
        away, place = self._tree.query(queries.numbers, k=np.arange(1, asked + 1), p=power)
        place = place.astype(np.int64)
        powers = self._distance.paired(queries[:, np.newaxis], self._rows[place])
        order = np.lexsort((place, powers))
        found = Found(
            np.take_along_axis(powers, order, axis=1)[:, :k], np.take_along_axis(place, order, axis=1)[:, :k]
        )
        if asked == n:
            return found
        # if the next row is tied with the last, other tied rows may precede it
        for query in np.flatnonzero(away[:, k] <= away[:, k - 1] * (1 + SLACK)):
            near = self._tree.query_ball_point(queries.numbers[query], away[query, k] * (1 + SLACK), p=power)
            rivals = np.sort(np.array(near, dtype=np.int64))
            each = self._distance.paired(queries[query], self._rows[rivals])
            settled = ranked(each, np.zeros_like(rivals), rivals, 1, k)
            found.powers[query], found.places[query] = settled.powers[0], settled.places[0]
        return found
