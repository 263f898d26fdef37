"""The logistic function and related functions without overflow."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def sigmoid(z: ArrayLike) -> Floats:
    """Return 1 / (1 + exp(-z)) (Mitchell eq. 4.12).

    Examples
    --------
    >>> sigmoid([-1000.0, 0.0, np.log(9), 1000.0]).round(4).tolist()
    [0.0, 0.5, 0.9, 1.0]
    """
    # exp of a nonpositive number cannot overflow and keeps the small tail exact
    z = np.asarray(z, np.float64)
    tail = np.exp(-np.abs(z))
    return np.asarray(np.where(z >= 0, 1.0, tail) / (1.0 + tail))


def log1p_exp(z: ArrayLike) -> Floats:
    """Return log(1 + exp(z)), the loss of a row with margin -z.

    Examples
    --------
    >>> log1p_exp([-1000.0, 0.0, 1000.0]).round(4).tolist()
    [0.0, 0.6931, 1000.0]
    """
    z = np.asarray(z, np.float64)
    return np.asarray(np.maximum(z, 0.0) + np.log1p(np.exp(-np.abs(z))))


def logit(p: ArrayLike) -> Floats:
    """Return log(p / (1 - p)), the inverse of the sigmoid.

    Examples
    --------
    >>> logit([0.1, 0.5, 0.9]).round(4).tolist()
    [-2.1972, 0.0, 2.1972]
    """
    p = np.asarray(p, np.float64)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(p) - np.log1p(-p))


def softmax(z: ArrayLike) -> Floats:
    """Return the softmax of each row.

    Examples
    --------
    >>> softmax([[0.0, 0.0], [1000.0, 0.0]]).tolist()
    [[0.5, 0.5], [1.0, 0.0]]
    """
    z = np.asarray(z, np.float64)
    shares = np.exp(z - z.max(axis=-1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True))


def log_softmax(z: ArrayLike) -> Floats:
    """Return the logarithm of the softmax of each row.

    Examples
    --------
    >>> log_softmax([[1000.0, 0.0]]).tolist()
    [[0.0, -1000.0]]
    """
    z = np.asarray(z, np.float64)
    shifted = z - z.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))
