"""Search by tiles: close rows are stored together, and distant tiles are skipped."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import compiled
from induce.distances.base import Distance
from induce.distances.rows import Rows
from induce.instances.search import _loops as loops
from induce.instances.search.found import Engine, Found

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

SIZE = 256
STEP = 500_000_000
"""Maximum number of cells in one compiled step: a small fraction of a second."""
COSTS = 4_000_000
"""Maximum number of cached costs of nominal values."""


class Tiles(Engine):
    """Rows split repeatedly at the median of their widest axis, until at most `SIZE` are left.

    It is a k-d tree whose inner nodes are discarded; each leaf has a bounding box. Mixed rows with missing
    values also have boxes: a nominal column, or a missing number, can only decrease the minimum distance.
    """

    def __init__(self, distance: Distance, rows: Rows) -> None:
        self._distance = distance
        self._order, numbers = arranged(rows.numbers, SIZE)
        codes = np.ascontiguousarray(rows.codes[self._order].T) + np.int32(1)
        starts = np.arange(0, len(rows), SIZE)
        missing, unknown = np.isnan(numbers), distance.unknown_powers()
        holes = np.logical_or.reduceat(missing, starts, axis=1)
        low, high = np.fmin.reduceat(numbers, starts, axis=1), np.fmax.reduceat(numbers, starts, axis=1)
        self._box = (
            np.where(np.isnan(low), np.inf, low),
            np.where(np.isnan(high), -np.inf, high),
            np.where(holes, unknown[:, np.newaxis], np.inf),
        )
        widths = [distance.costs(j, np.empty(0, np.int32)).shape[1] for j in range(len(codes))]
        places = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
        overlaps = np.array([distance.overlaps(j) for j in range(len(codes))], dtype=np.bool_)
        self._data = numbers, codes, places[:-1], overlaps, unknown
        self._width = int(places[-1])

    def nearest(self, queries: Rows, k: int) -> Found:
        """Return the k nearest rows of each query."""
        best = np.full((len(queries), k), np.inf)
        found = np.full((len(queries), k), len(self._order), dtype=np.int64)
        numbers, codes = self._data[:2]
        cells = numbers.shape[1] * (len(numbers) + len(codes))
        step = max(1, min(STEP // cells, COSTS // max(1, self._width)))
        search = compiled(loops.search_tiles)
        for start in range(0, len(queries), step):
            part = slice(start, start + step)
            some = queries[part]
            search(
                self._data,
                self._box,
                self._order,
                SIZE,
                (np.ascontiguousarray(some.numbers), known_codes(some.codes), self._costs(some)),
                self._distance.power,
                best[part],
                found[part],
            )
        return Found(best, found)

    def _costs(self, queries: Rows) -> Floats:
        """Return the contribution of each value of each nominal column to the distance from each query."""
        parts = [np.empty((len(queries), 0))]
        for column in range(queries.codes.shape[1]):
            asked, place = np.unique(queries.codes[:, column], return_inverse=True)
            parts.append(self._distance.costs(column, asked)[place])
        return np.ascontiguousarray(np.hstack(parts))


def known_codes(codes: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return codes in the layout of tiles, 0 for a missing value; unknown values of a query match no row."""
    return np.ascontiguousarray(np.where(codes < 0, -1, codes + 1), dtype=np.int32)


def arranged(numbers: Floats, size: int) -> tuple[Places, Floats]:
    """Return an order of points in which each run of `size` is close together, and their coordinates in that
    order.

    Examples
    --------
    >>> order, axes = arranged(np.array([[5.0], [1.0], [4.0], [2.0]]), 2)
    >>> sorted(order[:2].tolist()), sorted(axes[0, :2].tolist())
    ([1, 3], [1.0, 2.0])
    """
    axes, order = np.array(numbers.T, order="C"), np.arange(len(numbers))
    waiting = [slice(0, len(order))]
    while waiting:
        run = waiting.pop()
        points = axes[:, run]
        n = points.shape[1]
        axis = _widest(points) if n > size else -1
        if axis < 0:
            continue
        # The left part is a whole number of tiles, so that all but the last are full.
        middle = (n + size - 1) // size // 2 * size
        place = np.argpartition(points[axis], middle)
        axes[:, run], order[run] = np.take(points, place, axis=1), order[run][place]
        cut = run.start + middle
        waiting += [slice(cut, run.stop), slice(run.start, cut)]
    return order, axes


def _widest(axes: Floats) -> int:
    """Return the axis along which points are spread most; -1 if all points are equal."""
    if not len(axes):
        return -1
    spread = np.fmax.reduce(axes, axis=1) - np.fmin.reduce(axes, axis=1)
    axis = int(np.argmax(np.nan_to_num(spread, nan=-1.0)))
    return axis if spread[axis] > 0 else -1
