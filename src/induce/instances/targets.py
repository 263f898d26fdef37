"""Range checks of targets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError

LARGEST = 1e100
"""Largest absolute target whose squares can be summed."""


def refuse_too_large(numbers: NDArray[np.float64]) -> None:
    """Raise an `InputError` if targets are too large to be squared and summed."""
    if np.abs(numbers).max() > LARGEST:
        raise InputError(f"y holds numbers beyond {LARGEST:g}, whose squares overflow; scale them down")
