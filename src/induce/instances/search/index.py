"""The index of a set of rows: which way to search it is found out by a short trial."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from induce.core import trace
from induce.distances.base import BLOCKS, KD_TREE, SCAN, TILES, Distance
from induce.distances.rows import Rows
from induce.instances.search.blocks import Blocks
from induce.instances.search.found import Engine, Found
from induce.instances.search.scan import Scan
from induce.instances.search.scipy_tree import SciPyTree
from induce.instances.search.tiles import Tiles

ENGINES: dict[str, Callable[[Distance, Rows], Engine]] = {
    SCAN: Scan,
    KD_TREE: SciPyTree,
    BLOCKS: Blocks,
    TILES: Tiles,
}
SMALL = 20_000_000
"""Cells of numbers that are compared at once, without an index: about a tenth of a second."""
TRIALS = (4, 32)
"""Queries of the first trial, and of the second among those that did well."""
REPEATS = 2
CLOSE = 3.0
COMPILING = 0.5
"""Seconds that the other ways must take before a compiled one is tried."""


class Index:
    """Rows that can be searched, with the distance that compares them.

    Every way of search finds the same neighbours in the same order, so that the clock decides on nothing but time.

    Parameters
    ----------
    distance : Distance
    rows : Rows
        On the axes of the distance.
    algorithm : str
        A way of search, or ``"auto"``.

    Examples
    --------
    >>> from induce.distances import distance
    >>> X = [[1.0], [4.0], [2.0]]
    >>> metric = distance("euclidean", X)
    >>> Index(metric, metric.rows(X)).nearest(metric.rows([[3.5]]), 2).places
    array([[1, 2]])
    """

    def __init__(self, distance: Distance, rows: Rows, algorithm: str = "auto") -> None:
        self._distance, self._rows = distance, rows
        self._built: dict[str, Engine] = {SCAN: Scan(distance, rows)}
        self._chosen = None if algorithm == "auto" else algorithm

    def nearest(self, queries: Rows, k: int) -> Found:
        """Return the k nearest rows of each query, or all where there are fewer."""
        k = min(k, len(self._rows))
        return self._engine(self._way(queries, k)).nearest(queries, k)

    def nearest_others(self, k: int) -> Found:
        """Return the k nearest other rows of each row, or all others where there are fewer."""
        return self.nearest(self._rows, k + 1).without(np.arange(len(self._rows)))

    def _way(self, queries: Rows, k: int) -> str:
        if self._chosen is not None:
            return self._chosen
        width = queries.numbers.shape[1] + queries.codes.shape[1]
        ways = self._distance.engines(self._rows)
        if len(queries) * len(self._rows) * width <= SMALL or len(ways) == 1:
            return SCAN
        self._chosen = self._fastest(ways, queries, k)
        return self._chosen

    def _fastest(self, ways: tuple[str, ...], queries: Rows, k: int) -> str:
        """Return the way that answers some of the queries soonest."""
        seconds: dict[str, float] = {}
        for n_trials in TRIALS:
            sample = queries[np.linspace(0, len(queries) - 1, min(n_trials, len(queries))).astype(np.int64)]
            for way in ways:
                least = min(seconds.values(), default=np.inf)
                expected = least * len(queries) / TRIALS[0]
                late = way == TILES and expected < COMPILING
                if (n_trials == TRIALS[0] and not late) or seconds.get(way, np.inf) <= CLOSE * least:
                    seconds[way] = self._timed(way, sample, k) * TRIALS[0] / len(sample)
        chosen = min(seconds, key=seconds.__getitem__)
        trace.emit(
            "search", chosen=chosen, seconds_for_each={way: t / TRIALS[0] for way, t in seconds.items()}
        )
        return chosen

    def _timed(self, way: str, sample: Rows, k: int) -> float:
        engine = self._engine(way)
        engine.nearest(sample[:1], k)
        taken = []
        for _ in range(REPEATS):
            start = time.perf_counter()
            engine.nearest(sample, k)
            taken.append(time.perf_counter() - start)
        return min(taken)

    def _engine(self, way: str) -> Engine:
        if way not in self._built:
            self._built[way] = ENGINES[way](self._distance, self._rows)
        return self._built[way]
