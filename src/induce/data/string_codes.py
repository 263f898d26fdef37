"""Codes and distinct values of long columns of strings, by the hash of each cell.

polars hashes a cell in a tenth of the time that it takes to look up a category, and a hash of 64 bits is found in a
small table. Two of a thousand different strings have the same hash with a probability of 3e-14; a domain in which
that happens is left to polars.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from induce.core.loops import repeated

LONG = 2**16
"""Minimum number of rows for which a loop is worth calling."""
FEW = 1024
"""Maximum number of distinct strings that are found by their hashes."""
STEPS = 4
"""Elementary steps per cell."""

Hashes = NDArray[np.uint64]


def codes_of_strings(cells: pl.Series, domain: tuple[Any, ...]) -> NDArray[np.int32] | None:
    """Return the index of each string in the domain, -1 if it is missing.

    None is returned if a value is outside the domain, and for columns that are short or do not hold strings.

    Examples
    --------
    >>> cells = pl.Series(["red", None, "blue"] * LONG)
    >>> codes_of_strings(cells, ("blue", "red"))[:4].tolist(), codes_of_strings(cells, ("red",))
    ([1, -1, 0, 1], None)
    """
    from induce.data import _hash_loops

    if cells.dtype != pl.String or len(cells) < LONG:
        return None
    table = _table(domain)
    if table is None:
        return None
    shift, keys, codes = table
    found: NDArray[np.int32] = repeated(_hash_loops.codes_of, STEPS * len(cells))(
        _hashes(cells), shift, keys, codes
    )
    return None if int(found.min()) == _hash_loops.FREE else found


def distinct_strings(cells: pl.Series) -> pl.Series:
    """Return the distinct cells of a column of strings, with null if one is missing.

    Examples
    --------
    >>> distinct_strings(pl.Series(["red", None, "blue"] * LONG)).to_list()
    ['red', None, 'blue']
    """
    from induce.data import _hash_loops

    if len(cells) < LONG:
        return cells.unique()
    rows = np.empty(FEW, np.int64)
    first_rows = repeated(_hash_loops.first_rows, STEPS * len(cells))
    n = first_rows(_hashes(cells), *_places(FEW), rows)
    return cells.unique() if n < 0 else cells.gather(rows[:n])


def _hashes(cells: pl.Series) -> Hashes:
    return cells.hash().to_numpy()


def _places(n: int) -> tuple[np.uint64, Hashes, NDArray[np.int32]]:
    """Return an empty table for `n` hashes, and the number of bits of a hash that do not determine its place."""
    from induce.data import _hash_loops

    bits = (4 * n).bit_length()
    return np.uint64(64 - bits), np.zeros(2**bits, np.uint64), np.full(2**bits, _hash_loops.FREE, np.int32)


@lru_cache(256)
def _table(domain: tuple[Any, ...]) -> Any:
    """Return the places of the hashes of a domain, and of null; None if two of them are the same."""
    from induce.data import _hash_loops

    hashes = _hashes(pl.Series([*domain, None], dtype=pl.String))
    if len(np.unique(hashes)) < len(hashes):
        return None
    shift, keys, codes = _places(len(hashes))
    repeated(_hash_loops.enter, STEPS * len(hashes))(hashes, shift, keys, codes)
    codes[codes == len(domain)] = -1
    return shift, keys, codes
