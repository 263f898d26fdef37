"""Validation of samples: lists of finite numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.errors import InputError


def numbers(values: ArrayLike) -> NDArray[np.float64]:
    """Return a list of finite numbers as an array; otherwise raise an `InputError`."""
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1 or sample.size == 0 or not np.isfinite(sample).all():
        raise InputError("values must be a list of one or more finite numbers")
    return sample
