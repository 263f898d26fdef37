"""Distances in the feature space of a kernel, for nearest neighbours (AIMA 18.9.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.kernels.inputs import Floats, plain_inputs
from induce.kernels.kernel import Kernel


@dataclass(frozen=True)
class KernelDistance:
    """Distance of two rows in feature space: its square is K(x, x) - 2 K(x, z) + K(z, z).

    Called with two rows, it returns one number, as learners with a `metric` expect.

    Parameters
    ----------
    kernel : Kernel

    Examples
    --------
    >>> from induce.kernels import Polynomial, kernel_distance
    >>> metric = kernel_distance(Polynomial(2))
    >>> round(metric([1.0, 2.0], [3.0, -1.0]) ** 2)
    149
    >>> metric.between([[1.0, 2.0]], [[3.0, -1.0], [1.0, 2.0]]).round(4).tolist()
    [[12.2066, 0.0]]
    """

    kernel: Kernel

    def __call__(self, x: Any, z: Any) -> float:
        """Return the distance between two rows, or between two objects."""
        rows = ([x], [z]) if isinstance(x, str) else (np.atleast_2d(x), np.atleast_2d(z))
        return float(self.between(*rows)[0, 0])

    def between(self, A: Any, B: Any) -> Floats:
        """Return the distance between each row of `A` and each row of `B`."""
        first, like = plain_inputs(A)
        a, b = self.kernel.prepare(first), self.kernel.prepare(plain_inputs(B, like)[0])
        square = self.kernel.own(a)[:, np.newaxis] + self.kernel.own(b) - 2 * self.kernel.between(a, b)
        if square.min(initial=0.0) < -1e-6 * max(1.0, float(np.abs(square).max(initial=0.0))):
            raise InputError(
                f"{self.kernel} gives a negative squared distance, so it is not a dot product; give a "
                "positive semidefinite kernel"
            )
        return np.asarray(np.sqrt(np.maximum(square, 0.0)))

    def __str__(self) -> str:
        return f"distance by {self.kernel}"


def kernel_distance(kernel: Kernel) -> KernelDistance:
    """Return the distance in the feature space of a kernel, a metric for nearest neighbours.

    Parameters
    ----------
    kernel : Kernel
        Kernel that defines the feature space.
    """
    return KernelDistance(kernel)
