"""Weights of the output layer by least squares, with the kernels fixed (Mitchell §8.4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.statistics.least_squares import LeastSquares

Floats = NDArray[np.float64]


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
        Weight of each example.
    intercept : {"free", "mean", "zero"}
        Bias w_0: fitted, the mean of the targets, or 0.
    ridge : float
        Penalty on squared weights, in mean squared error; w_0 is not penalised. If 0, the best-fitting
        weights with the smallest sum of squares are used, including w_0.

    Returns
    -------
    w0 : array of float64, shape (outputs,)
    w : array of float64, shape (kernels, outputs)
    left_out : array of float64, shape (examples, outputs)
        Leave-one-out error at each example, with the kernels fixed.

    Examples
    --------
    >>> x = np.arange(5.0)[:, None]
    >>> kernels = activations(x, np.array([[1.0], [3.0]]), np.ones(2))
    >>> w0, w, _ = output_weights(kernels, x**2, np.ones(5))
    >>> w0.round(6).tolist(), w.ravel().round(6).tolist()
    ([11.858684], [-13.667378, 1.252311])
    """
    return LeastSquares(kernels, targets, weights, intercept, ridge == 0).fitted(ridge)
