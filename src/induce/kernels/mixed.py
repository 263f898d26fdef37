"""A kernel of unscaled table columns, nominal or numeric, with missing values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.kernels.inputs import Array, Floats, Inputs
from induce.kernels.kernel import COLUMNS, Kernel


@dataclass(frozen=True)
class Mixed(Kernel):
    """Overlap on nominal columns, a Gaussian on numeric ones; a missing value is neutral.

    K(x, z) is the product over columns of (1 + c k(x, z)), normalised. k is 1 for equal nominal values and 0
    for others, exp(-gamma (x - z)²) for numeric columns, and 0 if a value is missing. All interactions of
    columns therefore count, and a row with missing values is compared by its observed values.

    Parameters
    ----------
    gamma : float
        Inverse width of the Gaussian for scaled numbers, by default in standard deviations.
    strength : float
        Product of c and the number of columns: the total strength of all columns.

    Examples
    --------
    >>> import polars as pl
    >>> X = pl.DataFrame({"size": [1.0, 1.0, 2.0], "colour": ["red", "blue", None]})
    >>> Mixed()(X).round(3)
    array([[1.   , 0.667, 0.709],
           [0.667, 1.   , 0.709],
           [0.709, 0.709, 1.   ]])
    """

    gamma: float = 0.5
    strength: float = 1.0

    def __post_init__(self) -> None:
        for name in ("gamma", "strength"):
            at_least(name, getattr(self, name), 0)
            if not 0 < getattr(self, name) < math.inf:
                raise InputError(f"{name} is {getattr(self, name)!r}; give a number above 0")

    def needs(self) -> frozenset[str]:
        return frozenset([COLUMNS])

    def prepare(self, inputs: Inputs) -> Any:
        numbers = np.asarray(inputs.numeric, np.float64)
        n_known = (~np.isnan(numbers)).sum(axis=1) + (inputs.nominal >= 0).sum(axis=1)
        return numbers, inputs.nominal, n_known

    def between(self, a: Any, b: Any) -> Array:
        (p, codes_p, known_p), (q, codes_q, known_q) = a, b
        part = self._part(a)
        found = (1 + part) ** (-0.5 * (known_p[:, np.newaxis] + known_q))
        for j in range(p.shape[1]):
            with np.errstate(over="ignore"):
                alike = np.exp(-self.gamma * (p[:, j, np.newaxis] - q[:, j]) ** 2)
            found *= 1 + part * np.where(np.isnan(alike), 0.0, alike)
        for j in range(codes_p.shape[1]):
            left, right = codes_p[:, j, np.newaxis], codes_q[:, j]
            found *= 1 + part * ((left == right) & (left >= 0))
        return np.asarray(found)

    def own(self, a: Any) -> Floats:
        return np.ones(len(a[0]))

    def _part(self, a: Any) -> float:
        return float(self.strength / max(1, a[0].shape[1] + a[1].shape[1]))

    def __str__(self) -> str:
        return f"∏ (1 + {self.strength:.4g}/columns · alike), normalised, gamma {self.gamma:.4g}"
