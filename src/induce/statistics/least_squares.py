"""Least squares by one decomposition: ordinary, ridge, multiple outputs, and leave-one-out errors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

INTERCEPTS = ("free", "mean", "zero")
SINGULAR = 1e-12
"""Relative singular value below which a direction is indistinguishable from rounding."""


class LeastSquares:
    """Least-squares weights of columns, decomposed once so that several ridge penalties can be evaluated cheaply.

    Parameters
    ----------
    columns : array of float64, shape (examples, columns)
    targets : array of float64, shape (examples, outputs)
    weights : array of float64
        Weight of each example.
    intercept : {"free", "mean", "zero"}
        Whether the intercept is fitted, is the mean of the targets, or is 0.
    free_of_charge : bool
        Whether no ridge penalty will be used; the intercept is then included in the minimum-norm solution.

    Examples
    --------
    >>> x, y = np.arange(4.0)[:, None], np.array([[1.0], [3.0], [5.0], [7.0]])
    >>> constant, w, _ = LeastSquares(x, y, np.ones(4)).fitted(0.0)
    >>> constant.round(9).tolist(), w.round(9).tolist()
    ([1.0], [[2.0]])
    """

    def __init__(
        self,
        columns: Floats,
        targets: Floats,
        weights: Floats,
        intercept: str = "free",
        free_of_charge: bool = False,
    ) -> None:
        share = weights / weights.sum()
        mean = share @ targets
        self.constant = intercept == "free" and free_of_charge
        self.w0 = np.zeros(targets.shape[1]) if self.constant or intercept == "zero" else mean
        self.shift = np.zeros(columns.shape[1])
        self.columns, self.residual = columns, targets - self.w0
        self.own = np.zeros(len(columns))  # leverage of each example through the constant
        if self.constant:
            self.columns = np.column_stack([np.ones(len(columns)), columns])
        elif intercept == "free":
            self.shift = share @ columns
            self.columns = columns - self.shift
            self.own += 1.0 / weights.sum()
        self.weights = weights
        root = np.sqrt(share)[:, np.newaxis]
        self.left, self.sizes, self.right = np.linalg.svd(self.columns * root, full_matrices=False)
        self.along = self.left.T @ (root * self.residual)

    def _kept(self, ridge: float) -> Floats:
        """Return the factor of each direction; directions that are indistinguishable from rounding get 0."""
        settled = self.sizes > SINGULAR * self.sizes.max(initial=1.0)
        return np.where(settled, self.sizes / np.where(settled, np.square(self.sizes) + ridge, 1.0), 0.0)

    def coefficients(self, ridge: float) -> tuple[Floats, Floats]:
        """Return the intercept of each output, and the weights, shape (columns, outputs)."""
        w = self.right.T @ (self._kept(ridge)[:, np.newaxis] * self.along)
        return (w[0], w[1:]) if self.constant else (self.w0 - self.shift @ w, w)

    def fitted(self, ridge: float) -> tuple[Floats, Floats, Floats]:
        """Return the intercepts, the weights, and the leave-one-out errors.

        Parameters
        ----------
        ridge : float
            Penalty on squared weights, in mean squared error; the intercept is not penalised. With 0, the
            minimum-norm solution is returned.
        """
        constant, w = self.coefficients(ridge)
        whole = np.vstack([constant, w]) if self.constant else w
        error = self.residual - self.columns @ whole
        unit = np.square(self.left) @ (self._kept(ridge) * self.sizes) / self.weights + self.own
        with np.errstate(divide="ignore", invalid="ignore"):
            left_out = np.where(unit[:, np.newaxis] < 1 - 1e-6, error / (1.0 - unit[:, np.newaxis]), np.inf)
        return constant, w, left_out


def least_squares(columns: Floats, target: Floats) -> Floats:
    """Return the least-squares weights of columns; the minimum-norm solution if they are not unique.

    Examples
    --------
    >>> least_squares(np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]), np.array([1.0, 3.0, 5.0])).round(9).tolist()
    [1.0, 2.0]
    """
    rows, numbers = np.asarray(columns, np.float64), np.asarray(target, np.float64)
    found = LeastSquares(rows, numbers[:, np.newaxis], np.ones(len(rows)), "zero")
    return found.coefficients(0.0)[1][:, 0]
