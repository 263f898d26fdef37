"""Compiled loop that counts the joint states of families of nodes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import loop

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Codes = NDArray[np.int32]


@loop
def count(
    columns: Codes, sizes: Ints, weights: Floats, starts: Ints, scopes: Ints, offsets: Ints, counts: Floats
) -> None:
    """Add the row weights to the counts of each family's states; the tables are concatenated."""
    for f in range(len(starts) - 1):
        for row in range(columns.shape[1]):
            at = 0
            for k in range(starts[f], starts[f + 1]):
                code = columns[scopes[k], row]
                if code < 0:
                    at = -1
                    break
                at = at * sizes[scopes[k]] + code
            if at >= 0:
                counts[offsets[f] + at] += weights[row]
