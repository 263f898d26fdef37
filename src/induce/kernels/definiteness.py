"""Mercer's condition on given rows: whether a function is a kernel (AIMA 18.9.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.kernels.functions import Function
from induce.kernels.inputs import Floats
from induce.kernels.kernel import Kernel

TOLERANCE = 1e-9
"""Tolerance for negative eigenvalues, as a fraction of the largest eigenvalue."""


@dataclass(frozen=True)
class Mercer:
    """Test of a Gram matrix for positive semidefiniteness, which a dot product implies.

    The book requires a positive definite matrix. Positive semidefinite is sufficient, and all that is
    possible with equal rows.

    Parameters
    ----------
    n_rows : int
    smallest, largest : float
        Smallest and largest eigenvalue.
    n_negative : int
        Number of eigenvalues below zero, beyond rounding.
    asymmetry : float
        Largest difference between K(x, z) and K(z, x).
    """

    n_rows: int
    smallest: float
    largest: float
    n_negative: int
    asymmetry: float

    @property
    def holds(self) -> bool:
        """Whether the matrix is symmetric and has no negative eigenvalue."""
        return self.n_negative == 0 and self.asymmetry <= TOLERANCE * max(1e-300, abs(self.largest))

    def __str__(self) -> str:
        if self.asymmetry > TOLERANCE * max(1e-300, abs(self.largest)):
            return f"not symmetric: K(x, z) and K(z, x) differ by up to {self.asymmetry:.4g}"
        if self.n_negative:
            many = f"eigenvalue {self.n_rows}" if self.n_negative == 1 else f"{self.n_negative} eigenvalues"
            return (
                f"not positive semidefinite on {self.n_rows} rows: {many} of {self.n_rows} below zero, the smallest "
                f"is {self.smallest:.4g}"
            )
        return f"positive semidefinite on {self.n_rows} rows: the smallest eigenvalue is {self.smallest:.4g}"


def mercer(kernel: Kernel | Any, A: Any) -> Mercer:
    """Check Mercer's condition on the given rows.

    Parameters
    ----------
    kernel : Kernel or callable
        Kernel; a function of two rows is wrapped in `Function`.
    A : array, frame, or sequence of strings or terms
        Rows or objects.

    Examples
    --------
    >>> from induce.kernels import Linear
    >>> print(mercer(Linear(), [[1.0, 0.0], [0.0, 1.0]]))
    positive semidefinite on 2 rows: the smallest eigenvalue is 1
    >>> print(mercer(lambda x, z: -((x - z) ** 2).sum(), [[0.0], [1.0]]))
    not positive semidefinite on 2 rows: eigenvalue 2 of 2 below zero, the smallest is -1
    """
    kernel = kernel if isinstance(kernel, Kernel) else Function(kernel)
    return mercer_of(kernel(A))


def mercer_of(matrix: Floats) -> Mercer:
    """Check Mercer's condition of a Gram matrix."""
    matrix = np.asarray(matrix, np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not len(matrix):
        raise InputError(
            f"the Gram matrix has shape {matrix.shape}; give a square matrix with one row and one "
            "column per data row"
        )
    eigenvalues = np.linalg.eigvalsh((matrix + matrix.T) / 2)
    floor = -TOLERANCE * max(float(np.abs(eigenvalues).max()), 1e-300) * max(10, len(matrix))
    return Mercer(
        len(matrix),
        float(eigenvalues[0]),
        float(eigenvalues[-1]),
        int((eigenvalues < floor).sum()),
        float(np.abs(matrix - matrix.T).max()),
    )
