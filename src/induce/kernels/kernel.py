"""Kernels: functions of two rows that are dot products in a feature space (AIMA 18.9.2).

Kernels are immutable. They can be printed, stored in a model file, and combined with ``+`` and ``*``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.kernels.inputs import Array, Floats, Inputs, plain_inputs

VECTORS, COLUMNS, THINGS = "vectors", "columns", "things"
"""Input form of a kernel: rows as numeric vectors, columns of a table with missing values, or texts and
terms.
"""


class Kernel:
    """A function K(x, z) of two rows.

    Subclasses convert rows to the form that they compare (`prepare`), and compute the matrix of K between two
    prepared sets (`between`).
    """

    def needs(self) -> frozenset[str]:
        """Return the parts of the inputs that the kernel compares."""
        return frozenset([VECTORS])

    def prepare(self, inputs: Inputs) -> Any:
        """Return the prepared rows: an array, a list, or a tuple of these, with one entry per row."""
        raise NotImplementedError

    def between(self, a: Any, b: Any) -> Array:
        """Return K between each prepared row of `a` and each of `b`."""
        raise NotImplementedError

    def own(self, a: Any) -> Floats:
        """Return K between each prepared row and itself."""
        n = count(a)
        parts = [np.diagonal(self.between(take(a, part), take(a, part))) for part in _parts(n, 50)]
        return np.concatenate(parts).astype(np.float64) if parts else np.empty(0)

    def settled(self, inputs: Inputs, weights: Floats | None = None) -> Kernel:
        """Return the kernel with parameters inferred from training rows, such as a width."""
        return self

    def single(self, inputs: Inputs) -> bool:
        """Return whether single precision is sufficient for these rows."""
        return False

    def doubtful(self) -> bool:
        """Return whether the kernel may be indefinite or constant."""
        return False

    def features(self, X: Any) -> Floats:
        """Return the features F(x) of each row, for which K(x, z) = F(x)·F(z)."""
        raise InputError(f"{self} has no explicit features; use the kernel itself")

    def dimension(self, n_inputs: int) -> float:
        """Return the number of features of a row with this many inputs."""
        raise InputError(f"{self} has no number of features that depends only on the number of inputs")

    def normalised(self) -> Kernel:
        """Return K(x, z) / sqrt(K(x, x) K(z, z)), the cosine in feature space."""
        from induce.kernels.combinations import Normalised

        return Normalised(self)

    def __call__(self, A: Any, B: Any = None) -> Floats:
        """Return the Gram matrix of K between the rows of `A` and those of `B`, or of `A` itself.

        Parameters
        ----------
        A, B : array, frame, or sequence of strings or terms
            Rows or objects; numbers are not scaled, and nominal values become indicators.
        """
        inputs, like = plain_inputs(A)
        kernel = self.settled(inputs)
        a = kernel.prepare(inputs)
        b = a if B is None else kernel.prepare(plain_inputs(B, like)[0])
        return np.asarray(kernel.between(a, b), np.float64)

    def __add__(self, other: Kernel | float) -> Kernel:
        from induce.kernels.combinations import summed

        return summed(self, other)

    def __radd__(self, other: float) -> Kernel:
        from induce.kernels.combinations import summed

        return summed(other, self)

    def __mul__(self, other: Kernel | float) -> Kernel:
        from induce.kernels.combinations import multiplied

        return multiplied(self, other)

    def __rmul__(self, other: float) -> Kernel:
        from induce.kernels.combinations import multiplied

        return multiplied(other, self)


def take(prepared: Any, index: Any) -> Any:
    """Return a subset of the prepared rows."""
    if isinstance(prepared, tuple):
        return tuple(take(part, index) for part in prepared)
    if isinstance(prepared, list):
        return [prepared[i] for i in np.arange(len(prepared))[index].tolist()]
    return prepared[index]


def count(prepared: Any) -> int:
    """Return the number of prepared rows."""
    while isinstance(prepared, tuple):
        prepared = prepared[0]
    return len(prepared) if isinstance(prepared, list) else int(prepared.shape[0])


def _parts(n: int, size: int) -> list[slice]:
    return [slice(start, start + size) for start in range(0, n, size)]
