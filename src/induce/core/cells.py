"""Operations on polars columns without polars' threads, which a forked process does not have.

`fork` copies only the thread that calls it, so a call that waits for another thread of polars never returns in the
child. Learners and hypotheses use these functions and numpy wherever the methods of polars would wait.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

_forked = False


def _in_child() -> None:
    global _forked
    _forked = _forked or "polars" in sys.modules


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


def is_forked() -> bool:
    """Return whether this process was forked from one that had loaded polars."""
    return _forked


def distinct(cells: Any) -> Any:
    """Return the distinct non-missing cells of a polars series, unordered; categories as strings.

    Examples
    --------
    >>> import polars as pl
    >>> sorted_cells(distinct(pl.Series(["b", None, "a", "b"]))).to_list(), distinct(pl.Series([2, 1, 2])).to_list()
    (['a', 'b'], [1, 2])
    """
    import polars as pl

    known = cells.drop_nulls() if cells.null_count() else cells
    if isinstance(known.dtype, pl.Enum):
        codes = np.flatnonzero(np.bincount(known.to_physical().to_numpy()))
        return pl.Series(known.name, known.dtype.categories.to_numpy()[codes], dtype=pl.String)
    if known.dtype == pl.Categorical:
        known = known.cast(pl.String)
    if known.dtype in (pl.String, pl.Boolean):
        return known.unique()
    if known.dtype.is_numeric():
        return pl.Series(known.name, np.unique(known.to_numpy()), dtype=known.dtype)
    return pl.Series(known.name, list(set(known.to_list())), dtype=known.dtype)


def sorted_cells(cells: Any) -> Any:
    """Return a polars series in ascending order."""
    return cells.sort(multithreaded=False)


def filled(numbers: Any, null: int) -> NDArray[np.int32]:
    """Return a polars series of integers as an array, with `null` in place of nulls.

    Examples
    --------
    >>> import polars as pl
    >>> filled(pl.Series([3, None]), -1)
    array([ 3, -1], dtype=int32)
    """
    if not numbers.null_count():
        return np.array(numbers.to_numpy(), dtype=np.int32)
    codes = np.full(len(numbers), null, dtype=np.int32)
    codes[numbers.is_not_null().to_numpy()] = numbers.drop_nulls().to_numpy()
    return codes


def ranks(cells: Any) -> NDArray[np.int64]:
    """Return the rank of each cell of a polars series without nulls; equal cells have the same rank.

    Examples
    --------
    >>> import polars as pl
    >>> ranks(pl.Series(["b", "a", "b"])).tolist()
    [1, 0, 1]
    """
    return np.unique(np.asarray(cells.to_physical().to_list()), return_inverse=True)[1].astype(np.int64)
