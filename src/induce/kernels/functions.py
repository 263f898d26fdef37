"""Arbitrary functions of two rows as kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.kernels.inputs import Array, Inputs
from induce.kernels.kernel import Kernel, count


@dataclass(frozen=True)
class Function(Kernel):
    """An arbitrary function as a kernel; it cannot be stored in a model file.

    Parameters
    ----------
    function : callable
        Function that returns K(x, z) for two rows, numeric arrays or objects. If `whole`, a function of two
        matrices that returns the matrix of K between their rows, like scikit-learn's kernels.
    whole : bool
        Whether the function takes two matrices instead of two rows.

    Examples
    --------
    >>> Function(lambda x, z: min(x[0], z[0]))([[1.0], [2.0]]).tolist()
    [[1.0, 1.0], [1.0, 2.0]]
    """

    function: Callable[[Any, Any], Any]
    whole: bool = False

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise InputError(f"function is {self.function!r}; give a function of two rows")

    def doubtful(self) -> bool:
        return True

    def prepare(self, inputs: Inputs) -> Any:
        if inputs.things:
            return list(inputs.things[0])
        return inputs.vectors

    def between(self, a: Any, b: Any) -> Array:
        if self.whole:
            found = np.asarray(self.function(a, b), np.float64)
            if found.shape != (count(a), count(b)):
                raise InputError(
                    f"the kernel gave an array of shape {found.shape} for {count(a)} and {count(b)} "
                    "rows; give one number per pair of rows"
                )
        else:
            found = np.array([[self._number(x, z) for z in b] for x in a]).reshape(count(a), count(b))
        if not np.isfinite(found).all():
            raise InputError(
                "the kernel gave NaN or infinity for two rows; give a function with finite values"
            )
        return found

    def _number(self, x: Any, z: Any) -> float:
        try:
            return float(self.function(x, z))
        except (TypeError, ValueError) as problem:
            raise InputError(
                f"the kernel returned a non-number for two rows ({problem}); give a function that "
                "takes two rows and returns one number, or Function(…, whole=True) for two matrices"
            ) from None

    def __str__(self) -> str:
        return getattr(self.function, "__name__", "a function")
