"""The training rule of locally weighted linear regression, as derived in the book (Mitchell §8.3.1).

`fit_around` solves the same problem in closed form; the rule shows the derivation.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def local_error(w: Floats, points: Floats, numbers: Floats, kernel: Floats) -> float:
    """Return half the squared error of a linear function, each example weighted by K(d(x_q, x)).

    With the k nearest examples it is E1 (all weights 1) or E3, with all examples E2. Weights that count
    copies of each example give E4 of exercise 8.2, which is E2.

    Examples
    --------
    >>> x, y = np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 1.0, 4.0])
    >>> local_error(np.zeros(2), x, y, np.ones(3))
    8.5
    """
    return float(0.5 * kernel @ np.square(numbers - _says(w, points)))


def training_rule(w: Floats, points: Floats, numbers: Floats, kernel: Floats, rate: float) -> Floats:
    """Return the weights after one step down the gradient of `local_error` (equation 8.7).

    With all examples and all weights 1 it is the rule of global linear regression (equation 8.6).

    Parameters
    ----------
    w : array of float64
        w_0, the weight of the constant a_0 = 1, followed by one weight per column.
    points, numbers : array of float64
        Examples used, and their targets.
    kernel : array of float64
        Their weights K(d(x_q, x)).
    rate : float
        Learning rate η.

    Examples
    --------
    >>> x, y = np.arange(5.0)[:, None], np.arange(5.0) ** 2
    >>> training_rule(np.zeros(2), x, y, np.ones(5), 0.1).round(9).tolist()
    [3.0, 10.0]
    """
    residual = kernel * (numbers - _says(w, points))
    return w + rate * np.concatenate([[residual.sum()], residual @ points])


def _says(w: Floats, points: Floats) -> Floats:
    return np.asarray(w[0] + points @ w[1:])
