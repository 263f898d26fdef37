"""The weights of the output layer: least squares, the kernels fixed (Mitchell §8.4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

INTERCEPTS = ("free", "mean", "zero")
SINGULAR = 1e-12


def activations(points: Floats, centres: Floats, widths: Floats) -> Floats:
    """Return K_u(d(x_u, x)), a Gaussian, for each point and each centre.

    Examples
    --------
    >>> activations(np.array([[1.0]]), np.array([[0.0], [1.0]]), np.ones(2)).round(8).tolist()
    [[0.60653066, 1.0]]
    """
    from scipy.spatial.distance import cdist

    return np.asarray(np.exp(-0.5 * cdist(points, centres, "sqeuclidean") / np.square(widths)))


def output_weights(
    kernels: Floats, targets: Floats, weights: Floats, intercept: str = "free", ridge: float = 0.0
) -> tuple[Floats, Floats, Floats]:
    """Fit the output units: w_0 and one weight for each kernel.

    Parameters
    ----------
    kernels : array of float64, shape (examples, kernels)
    targets : array of float64, shape (examples, outputs)
    weights : array of float64
        What each example counts.
    intercept : {"free", "mean", "zero"}
        Whether w_0 is fitted too, is the mean of the targets, or is 0.
    ridge : float
        What a weight of 1 costs, in mean squared error; w_0 is free of charge. Without it, of all weights that fit
        best those with the least sum of squares are taken, w_0 among them.

    Returns
    -------
    w0 : array of float64, shape (outputs,)
    w : array of float64, shape (kernels, outputs)
    left_out : array of float64, shape (examples, outputs)
        The error at each example if it were left out, the kernels as they are.

    Examples
    --------
    >>> x = np.arange(5.0)[:, None]
    >>> kernels = activations(x, np.array([[1.0], [3.0]]), np.ones(2))
    >>> w0, w, _ = output_weights(kernels, x**2, np.ones(5))
    >>> w0.round(6).tolist(), w.ravel().round(6).tolist()
    ([11.858684], [-13.667378, 1.252311])
    """
    return OutputLayer(kernels, targets, weights, intercept, ridge == 0).fitted(ridge)


class OutputLayer:
    """Output units over given kernels, taken apart once so that several ridges cost little more than one.

    Parameters
    ----------
    kernels, targets, weights, intercept
        See `output_weights`.
    free_of_charge : bool
        Whether no ridge will be asked for: then w_0 is one of the weights that are kept small.
    """

    def __init__(
        self, kernels: Floats, targets: Floats, weights: Floats, intercept: str, free_of_charge: bool = False
    ) -> None:
        share = weights / weights.sum()
        mean = share @ targets
        self.constant = intercept == "free" and free_of_charge
        self.w0 = np.zeros(targets.shape[1]) if self.constant or intercept == "zero" else mean
        self.shift = np.zeros(kernels.shape[1])
        self.columns, self.residual = kernels, targets - self.w0
        self.own = np.zeros(len(kernels))  # what an example adds to its own prediction by the constant
        if self.constant:
            self.columns = np.column_stack([np.ones(len(kernels)), kernels])
        elif intercept == "free":
            self.shift = share @ kernels
            self.columns = kernels - self.shift
            self.own += 1.0 / weights.sum()
        self.weights = weights
        root = np.sqrt(share)[:, np.newaxis]
        self.left, self.sizes, self.right = np.linalg.svd(self.columns * root, full_matrices=False)
        self.along = self.left.T @ (root * self.residual)

    def fitted(self, ridge: float) -> tuple[Floats, Floats, Floats]:
        """Return w_0, the weights of the kernels and the errors at examples left out."""
        settled = self.sizes > SINGULAR * self.sizes.max(initial=1.0)
        kept = np.where(settled, self.sizes / np.where(settled, np.square(self.sizes) + ridge, 1.0), 0.0)
        w = self.right.T @ (kept[:, np.newaxis] * self.along)
        error = self.residual - self.columns @ w
        unit = np.square(self.left) @ (kept * self.sizes) / self.weights + self.own
        with np.errstate(divide="ignore", invalid="ignore"):
            left_out = np.where(unit[:, np.newaxis] < 1 - 1e-6, error / (1.0 - unit[:, np.newaxis]), np.inf)
        if self.constant:
            return w[0], w[1:], left_out
        return self.w0 - self.shift @ w, w, left_out
