"""The hash tables of locality-sensitive hashing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.loops import sized
from induce.core.randomness import generator
from induce.distances.base import Distance
from induce.distances.rows import Rows
from induce.instances.search import _loops as loops
from induce.instances.search.found import Engine, Found
from induce.instances.search.hashing import LSH
from induce.instances.search.index import Index

Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]

STEP = 50_000


def check_hashable(distance: Distance, rows: Rows) -> None:
    """Raise an `InputError` unless rows compared by this distance can be hashed."""
    if distance.name != "hamming" and not (distance.power == 2 and distance.additive and rows.known()):
        raise InputError(
            "LSH supports nominal columns with 'hamming', and numeric ones without missing values "
            f"with a Euclidean metric; these rows are compared by {distance.name!r}"
        )


class Buckets(Engine):
    """Hash tables of the stored rows.

    Parameters
    ----------
    settings : LSH
    distance : Distance
        Hamming distance over nominal columns, or a Euclidean distance over numbers.
    rows : Rows
    """

    def __init__(self, settings: LSH, distance: Distance, rows: Rows) -> None:
        check_hashable(distance, rows)
        bits = distance.name == "hamming"
        self.settings, self._distance, self._rows, self._bits = settings, distance, rows, bits
        self._points = np.ascontiguousarray(rows.codes if bits else rows.numbers, dtype=np.float64)
        width = self._points.shape[1]
        self.n_sampled, n_tables, self.bin = settings.plan(len(rows), width if bits else None)
        self.n_tables = int(n_tables)
        random = generator(settings.random_state)
        shape = self.n_tables, self.n_sampled
        if bits:
            self._columns = np.array(
                [random.permutation(width)[: self.n_sampled] for _ in range(self.n_tables)]
            )
        else:
            self._directions = random.normal(size=(width, self.n_tables * self.n_sampled)) / self.bin
            self._offsets = random.random(self.n_tables * self.n_sampled)
        self._mixing = random.integers(0, 2**63, shape, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
        keys = self._keys(self._points)
        self._members = np.argsort(keys, axis=1, kind="stable").astype(np.int32)
        self._sorted = np.take_along_axis(keys, self._members.astype(np.int64), axis=1)

    def neighbors(self, X: Any, k: int = 1) -> tuple[Floats, NDArray[np.int64]]:
        """Return distances and positions of the k nearest rows among those in the buckets of each row of `X`.

        If the buckets hold fewer, the distance is infinite and the index -1.
        """
        found, _ = self._search(self._distance.rows(X), k)
        return self._distance.root(found.powers), np.where(np.isinf(found.powers), -1, found.places)

    def nearest(self, queries: Rows, k: int) -> Found:
        """Return the k nearest rows of each query; all rows are searched if the buckets hold too few."""
        found, _ = self._search(queries, k)
        few = np.flatnonzero(np.isinf(found.powers[:, -1]))
        if len(few):
            exact = Index(self._distance, self._rows).nearest(queries[few], k)
            found.powers[few], found.places[few] = exact
        return found

    def looked_at(self, X: Any) -> float:
        """Return the mean fraction of rows in the buckets of a query from `X`."""
        _, looked = self._search(self._distance.rows(X), 1)
        return looked / max(1, len(X)) / len(self._rows)

    def recall(self, X: Any, k: int = 1) -> float:
        """Return the recall: the measured fraction of the true k nearest neighbours that are found."""
        queries = self._distance.rows(X)
        found, _ = self._search(queries, k)
        exact = Index(self._distance, self._rows).nearest(queries, k)
        # equidistant rows count as found
        return float(np.mean(found.powers[:, : exact.powers.shape[1]] <= exact.powers[:, -1:]))

    def __str__(self) -> str:
        what = "columns" if self._bits else f"projections in bins of {self.bin:.4g}"
        return f"{self.n_tables} tables of {self.n_sampled} {what}, {len(self._rows)} rows"

    def _search(self, queries: Rows, k: int) -> tuple[Found, int]:
        points = np.ascontiguousarray(queries.codes if self._bits else queries.numbers, dtype=np.float64)
        best = np.full((len(points), k), np.inf)
        places = np.full((len(points), k), len(self._rows), dtype=np.int64)
        looked = 0
        for start in range(0, len(points), STEP):
            part = slice(start, start + STEP)
            keys = self._keys(points[part])
            first, last = (
                np.array([np.searchsorted(mine, keys[t], side) for t, mine in enumerate(self._sorted)])
                for side in ("left", "right")
            )
            work = int((last - first).sum()) * points.shape[1]
            search = sized(loops.search_buckets, work)
            seen = np.full(len(self._rows), -1, dtype=np.int64)
            looked += search(
                *(self._points, self._members, first, last, points[part], self._bits),
                *(best[part], places[part], seen),
            )
        return Found(best, places), looked

    def _keys(self, points: Floats) -> Keys:
        """Return the bucket of each point in each table."""
        found = np.zeros((self.n_tables, len(points)), dtype=np.uint64)
        if not self._bits:
            bins = np.floor(points @ self._directions + self._offsets).astype(np.int64).view(np.uint64)
        for table in range(self.n_tables):
            for i in range(self.n_sampled):
                if self._bits:
                    cell = points[:, self._columns[table, i]].astype(np.int64).view(np.uint64)
                else:
                    cell = bins[:, table * self.n_sampled + i]
                found[table] = (found[table] ^ cell) * self._mixing[table, i]
                found[table] ^= found[table] >> np.uint64(29)
        return found
