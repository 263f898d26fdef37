"""Rows grouped by their missing values."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray


def patterns(known: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.int64]]]:
    """Yield every pattern of known columns with the rows that have it.

    Examples
    --------
    >>> for pattern, rows in patterns(np.array([[True, False], [True, True], [True, False]])):
    ...     print(pattern, rows)
    [ True False] [0 2]
    [ True  True] [1]
    """
    if not len(known):
        return
    kinds, which = np.unique(known, axis=0, return_inverse=True)
    order = np.argsort(which.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(which.ravel(), minlength=len(kinds)))
    yield from zip(kinds, np.split(order, ends[:-1]), strict=True)
