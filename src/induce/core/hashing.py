"""Sampling by a hash of the row number: the same rows in memory, in a stream and on a cluster."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SAMPLE = 250_000
"""Number of sampled rows that determine bins and densities; smaller tables are used whole."""
HELD_OUT = 0x5DEECE66D
"""Seed of held-out rows, which makes them independent of the rows that determine bins."""


def row_hashes(first: int, n_rows: int, seed: int = 0) -> NDArray[np.uint64]:
    """Return a hash for each row starting at `first`, uniform over 64 bits (the mixing of splitmix64).

    Examples
    --------
    >>> bool((row_hashes(0, 5)[2:] == row_hashes(2, 3)).all())
    True
    """
    with np.errstate(over="ignore"):
        x = np.arange(first, first + n_rows, dtype=np.uint64) + np.uint64(seed % 2**63)
        x = (x + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(x ^ (x >> np.uint64(31)))


def hashed_rows(first: int, n_rows: int, share: float, seed: int = 0) -> NDArray[np.int64]:
    """Return the indices of rows, starting at `first`, in a hash sample of a given fraction of all rows.

    Examples
    --------
    >>> len(hashed_rows(0, 100_000, 0.1)), hashed_rows(7, 3, 1.0).tolist()
    (9828, [0, 1, 2])
    """
    if share >= 1.0:
        return np.arange(n_rows)
    return np.flatnonzero(row_hashes(first, n_rows, seed) < np.uint64(share * 2.0**64))


def sampled_rows(
    n_rows: int, first: int = 0, n_here: int | None = None, most: int = SAMPLE
) -> NDArray[np.int64]:
    """Return the indices of the rows that determine bins, of all rows or of some starting at `first`."""
    return hashed_rows(first, n_rows if n_here is None else n_here, most / max(1, n_rows))
