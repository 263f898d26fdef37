"""Search by matrix products: squared Euclidean distance is |x|² - 2 q·x + |q|²."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.distances.base import Distance
from induce.distances.rows import Rows
from induce.instances.search.found import Engine, Found, ranked, smallest

CELLS = 4_000_000
"""Number of approximate distances computed at once."""
GROUPS = 8
"""Number of groups per neighbour: the minimum of a group bounds the distance of the neighbours."""
SIDE_BY_SIDE = 64
"""Group size above which groups are consecutive rows: numpy takes the minimum of a long run faster."""
ROUNDING = float(np.finfo(np.float32).eps)


class Blocks(Engine):
    """Approximate distances by one matrix product per block of queries; candidates are verified exactly.

    Products are in single precision. Their error is bounded, so that no neighbour is missed.
    """

    def __init__(self, distance: Distance, rows: Rows) -> None:
        self._distance, self._rows = distance, rows
        self._centre = rows.numbers.mean(axis=0)
        centred = rows.numbers - self._centre
        squares = np.square(centred).sum(axis=1)
        self._reach = float(np.sqrt(squares.max()))
        self._matrix = np.ascontiguousarray(np.column_stack([-2 * centred, squares]).T, dtype=np.float32)

    def nearest(self, queries: Rows, k: int) -> Found:
        """Return the k nearest rows of each query."""
        step = max(1, CELLS // len(self._rows))
        parts = [
            self._block(queries[start : start + step], k) for start in range(0, max(1, len(queries)), step)
        ]
        return Found(*map(np.concatenate, zip(*parts, strict=True)))

    def _block(self, queries: Rows, k: int) -> Found:
        centred = queries.numbers - self._centre
        ones = np.ones((len(centred), 1))
        near = np.hstack([centred, ones]).astype(np.float32) @ self._matrix
        length = np.sqrt(np.square(centred).sum(axis=1))
        error = 2 * (len(self._matrix) + 8) * ROUNDING * (length + self._reach) ** 2
        bound = _kth_bound(near, k) + error.astype(np.float32) * np.float32(1.01)
        if not np.isfinite(bound).all():
            return smallest(self._distance.powers(queries, self._rows), k)
        # one flat search is five times as fast as one over two axes
        query, place = np.divmod(np.flatnonzero(near <= bound[:, np.newaxis]), len(self._rows))
        exact = self._distance.paired(queries[query], self._rows[place])
        return ranked(exact, query, place, len(queries), k)


def _kth_bound(near: NDArray[np.float32], k: int) -> NDArray[np.float32]:
    """Return, for each query, an upper bound of at least k of its distances."""
    n_queries, n = near.shape
    size = n // (GROUPS * k)
    if size < 2:
        return np.partition(near, k - 1, axis=1)[:, k - 1]
    whole = near[:, : size * (n // size)]
    # small groups are strided rows, so that the minima of all groups are found in parallel
    least = (
        whole.reshape(n_queries, size, -1).min(axis=1)
        if size < SIDE_BY_SIDE
        else whole.reshape(n_queries, -1, size).min(axis=2)
    )
    return np.partition(least, k - 1, axis=1)[:, k - 1]
