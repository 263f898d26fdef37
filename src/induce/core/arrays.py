"""Arrays that grow."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def longer(array: NDArray[Any], size: int) -> NDArray[Any]:
    """Return a copy with room for `size` rows; new rows are zero.

    Examples
    --------
    >>> longer(np.array([1, 2]), 4)
    array([1, 2, 0, 0])
    """
    copy = np.zeros((size, *array.shape[1:]), array.dtype)
    copy[: len(array)] = array
    return copy
