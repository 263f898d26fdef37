"""Search index of a set of rows; a short trial chooses the algorithm."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from induce.core import trace
from induce.core.loops import is_compiled
from induce.distances.base import BLOCKS, KD_TREE, SCAN, TILES, Distance
from induce.distances.rows import Rows
from induce.instances.search._loops import search_tiles
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
SMALL = 100_000
"""Maximum number of cells for which rows are scanned without an index, because a trial would take longer."""
FIRST, SECOND = 4, 16
"""Number of queries of the first trial, and of the second among the best algorithms."""
REPEATS = 2
CLOCK = time.thread_time if time.get_clock_info("thread_time").resolution < 1e-5 else time.perf_counter
"""CPU time of this thread if its resolution suffices, so that other load does not bias the trial."""
CLOSE = 3.0
COMPILING, ARRANGING = 1.0, 0.1
"""Time in seconds of the other algorithms above which a compiled one is tried: for the first time, and once
compiled.
"""


class Index:
    """Rows that can be searched, with their distance.

    Every exact algorithm finds the same neighbours in the same order, so that timing affects only speed.

    Parameters
    ----------
    distance : Distance
    rows : Rows
        Rows on the axes of the distance.
    algorithm : str
        Search algorithm, or ``"auto"``.

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
        self._told = None if algorithm == "auto" else algorithm
        self._pace: dict[str, float] = {}

    def nearest(self, queries: Rows, k: int) -> Found:
        """Return the k nearest rows of each query, or all if there are fewer."""
        k = min(k, len(self._rows))
        return self._engine(self._way(queries, k)).nearest(queries, k)

    def nearest_others(self, k: int) -> Found:
        """Return the k nearest other rows of each row, or all others if there are fewer."""
        return self.nearest(self._rows, k + 1).without(np.arange(len(self._rows)))

    def _way(self, queries: Rows, k: int) -> str:
        """Return the algorithm: the given one, a scan for little work, or the fastest one."""
        if self._told is not None:
            return self._told
        width = queries.numbers.shape[1] + queries.codes.shape[1]
        ways = self._distance.engines(self._rows)
        if len(queries) * len(self._rows) * width <= SMALL or len(ways) == 1:
            return SCAN
        tried = len(self._pace)
        if not tried:
            self._try([way for way in ways if way not in (SCAN, TILES)] or [SCAN], queries, k, FIRST)
        if TILES in ways and TILES not in self._pace:
            least = ARRANGING if is_compiled(search_tiles) else COMPILING
            if min(self._pace.values()) * len(queries) > least:
                self._try([TILES], queries, k, FIRST)
        fastest = min(self._pace, key=self._pace.__getitem__)
        if len(self._pace) == tried:
            return fastest
        close = [way for way in self._pace if self._pace[way] <= CLOSE * self._pace[fastest]]
        if len(close) > 1:
            self._try(close, queries, k, SECOND)
            fastest = min(close, key=self._pace.__getitem__)
        trace.emit("search", seconds_per_query=dict(self._pace), chosen=fastest)
        return fastest

    def _try(self, ways: list[str], queries: Rows, k: int, n_trials: int) -> None:
        """Measure the time of some algorithms per query."""
        sample = queries[np.linspace(0, len(queries) - 1, min(n_trials, len(queries))).astype(np.int64)]
        for way in ways:
            engine = self._engine(way)
            if way not in self._pace:
                engine.nearest(sample[:1], k)  # compiles and warms the caches
            taken = []
            for _ in range(REPEATS):
                start = CLOCK()
                engine.nearest(sample, k)
                taken.append(CLOCK() - start)
            self._pace[way] = min(taken) / len(sample)

    def _engine(self, way: str) -> Engine:
        if way not in self._built:
            self._built[way] = ENGINES[way](self._distance, self._rows)
        return self._built[way]
