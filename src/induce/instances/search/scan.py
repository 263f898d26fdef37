"""Linear scan of all rows (Russell and Norvig, section 18.8.2)."""

from __future__ import annotations

import numpy as np

from induce.distances.base import BLOCK, Distance
from induce.distances.rows import Rows
from induce.instances.search.found import Engine, Found, smallest


class Scan(Engine):
    """Computes the distance to every row."""

    def __init__(self, distance: Distance, rows: Rows) -> None:
        self._distance, self._rows = distance, rows

    def nearest(self, queries: Rows, k: int) -> Found:
        """Return the k nearest rows of each query."""
        step = max(1, BLOCK // len(self._rows))
        parts = [
            smallest(self._distance.powers(queries[start : start + step], self._rows), k)
            for start in range(0, max(1, len(queries)), step)
        ]
        return Found(*map(np.concatenate, zip(*parts, strict=True)))
