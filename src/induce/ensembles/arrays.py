"""Base of hypotheses that hold arrays."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, cast

import numpy as np


class OfArrays:
    """A frozen dataclass with arrays: equal to another if all its fields are equal."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        both = ((getattr(self, name), getattr(other, name)) for name in self._names())
        return all(np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b for a, b in both)

    def __hash__(self) -> int:
        return hash((type(self), *(np.shape(getattr(self, name)) for name in self._names())))

    def _names(self) -> list[str]:
        return [field.name for field in fields(cast(Any, self))]


def is_floats(array: Any, *shape: int) -> bool:
    """Return whether something is an array of finite numbers of this shape."""
    return (
        isinstance(array, np.ndarray)
        and array.dtype == np.float64
        and array.shape == shape
        and bool(np.isfinite(array).all())
    )
