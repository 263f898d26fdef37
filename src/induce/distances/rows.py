"""Rows in the form that distances compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows on the axes of a distance.

    Parameters
    ----------
    numbers : array of float64, shape (..., axes)
        Numbers on scaled axes; NaN if missing.
    codes : array of int32, shape (..., nominal columns)
        Indices of values in the domains; -1 if missing, -2 if not seen in training.
    """

    numbers: Floats
    codes: Codes

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: Any) -> Rows:
        return Rows(self.numbers[index], self.codes[index])

    def known(self) -> bool:
        """Return whether all columns are numeric and no number is missing."""
        return self.codes.shape[-1] == 0 and not bool(np.isnan(self.numbers).any())
