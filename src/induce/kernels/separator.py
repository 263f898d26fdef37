"""One separator of a kernel machine: between two classes, or between one and the rest."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.shapes import check_numbers, check_shapes
from induce.kernels.inputs import Floats
from induce.statistics.logistic import sigmoid

Ints = NDArray[np.int64]

REST = -1
"""Code for all other classes."""
CLEAR = (-2.0, 0.0)
"""Sigmoid of scores if none was fitted."""


@dataclass(frozen=True, eq=False)
class Separator:
    """f(x) = Σ coefficient K(support vector, x) + intercept, which is 0 on the boundary (AIMA Eq. 18.14).

    The book writes ``- b`` in that equation and ``+ b`` in its text; here it is ``+``.

    Parameters
    ----------
    negative, positive : int
        Indices of the classes on its sides; -1 for all others.
    support : array of int
        Indices of its support vectors among those of the machine.
    coefficients : array of float
        y alpha of each support vector.
    at_bound : array of bool
        Whether each alpha has reached C.
    intercept : float
    norm : float
        Norm of w in feature space.
    objective : float
        Value of the dual objective; NaN if none was solved.
    gap : float
        Violation of the optimality conditions.
    n_rows : int
        Number of training rows.
    sigmoid : (float, float)
        A and B of the probability 1 / (1 + exp(A f + B)) of the positive side.
    survival : array of float
        Survival times of a sequence of voting perceptrons, in examples. Empty if f is a single sum.
    """

    negative: int
    positive: int
    support: Ints
    coefficients: Floats
    at_bound: NDArray[np.bool_]
    intercept: float
    norm: float
    objective: float
    gap: float
    n_rows: int
    sigmoid: tuple[float, float]
    survival: Floats

    @property
    def margin(self) -> float:
        """Width between the lines f = 1 and f = -1."""
        return 2.0 / self.norm if self.norm > 0 else float("inf")

    def scores(self, kernel: Floats) -> Floats:
        """Return f for each row of a matrix of kernel values with all support vectors of the machine."""
        pulls = kernel[:, self.support]
        if not len(self.survival):
            return np.asarray(pulls @ self.coefficients + self.intercept)
        after_each = np.cumsum(pulls * self.coefficients, axis=1)
        return np.asarray(np.where(after_each >= 0, 1.0, -1.0) @ self.survival / self.survival.sum())

    def probability(self, scores: Floats) -> Floats:
        """Return the probability of the positive side for scores, by the sigmoid."""
        slope, shift = self.sigmoid
        return sigmoid(-(slope * scores + shift))

    def fits(self, n_support: int, n_classes: int) -> None:
        """Raise an `InputError` unless the parts are consistent."""
        check_shapes(self, dict.fromkeys(("support", "coefficients", "at_bound"), "vectors"))
        for field in ("coefficients", "survival", "sigmoid"):
            check_numbers(field, getattr(self, field))
        check_numbers("intercept", self.intercept)
        n = len(self.support)
        sizes = {len(self.coefficients), len(self.at_bound), len(self.survival) or n}
        places = self.support.dtype.kind == "i" and ((self.support >= 0) & (self.support < n_support)).all()
        sides = REST <= self.negative < n_classes and 0 <= self.positive < n_classes
        if sizes != {n} or not places or not sides:
            raise InputError(
                "a separator does not match the support vectors and classes; learn the machine again"
            )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Separator):
            return NotImplemented
        return all(_same(getattr(self, each.name), getattr(other, each.name)) for each in fields(self))

    def __hash__(self) -> int:
        return hash((self.negative, self.positive, len(self.support)))


def _same(mine: Any, other: Any) -> bool:
    return bool(np.array_equal(mine, other, equal_nan=np.asarray(mine).dtype.kind == "f"))
