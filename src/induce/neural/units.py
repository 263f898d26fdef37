"""Kinds of units: activation functions and their derivatives (Mitchell §4.4-4.5, AIMA §18.7)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

INPUT, THRESHOLD, LINEAR, SIGMOID, TANH, SOFTMAX, RECTIFIED = range(7)
CODES = {
    "input": INPUT,
    "threshold": THRESHOLD,
    "linear": LINEAR,
    "sigmoid": SIGMOID,
    "tanh": TANH,
    "softmax": SOFTMAX,
    "rectified": RECTIFIED,
}
"""Codes of the kinds of unit in loops."""

UNITS = tuple(CODES)[1:]
RANGES = {"sigmoid": (0.0, 1.0), "softmax": (0.0, 1.0), "tanh": (-1.0, 1.0), "rectified": (0.0, np.inf)}
"""Output ranges of bounded units."""


def _sigmoid_in(net: Array) -> Array:
    """Replace net inputs by their sigmoids in place; where the exponential overflows, the sigmoid is correctly 0.

    Batches are large and may be in single precision; `statistics.logistic.sigmoid` needs three float64
    arrays.
    """
    with np.errstate(over="ignore"):
        np.negative(net, out=net)
        np.exp(net, out=net)
        net += 1.0
        return np.asarray(np.reciprocal(net, out=net))


def softmax(net: Array) -> Array:
    """Return the softmax of each row.

    Examples
    --------
    >>> softmax(np.log([[1.0, 3.0]])).round(4).tolist()
    [[0.25, 0.75]]
    """
    powers = np.exp(net - net.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def activated(unit: int, net: Array, steepness: float, off: float, fires_at_zero: bool) -> Array:
    """Return the outputs of units of a kind for net inputs; the array may be overwritten."""
    if steepness != 1.0:
        net *= steepness
    if unit == SIGMOID:
        return _sigmoid_in(net)
    if unit == TANH:
        return np.asarray(np.tanh(net, out=net))
    if unit == SOFTMAX:
        return softmax(net)
    if unit == RECTIFIED:
        return np.asarray(np.maximum(net, 0.0, out=net))
    if unit == THRESHOLD:
        return np.where(net >= 0 if fires_at_zero else net > 0, 1.0, off).astype(net.dtype)
    return net


def returned(unit: int, out: Array, error: Array, steepness: float) -> Array:
    """Return dE/dnet from dE/dout, given the outputs of the units; it is 0 for threshold units."""
    if unit == SIGMOID:
        return error * (steepness * out * (1.0 - out))
    if unit == TANH:
        return error * (steepness * (1.0 - out * out))
    if unit == SOFTMAX:
        return np.asarray(out * (error - (error * out).sum(axis=1, keepdims=True)))
    if unit == RECTIFIED:
        return error * (out > 0)
    if unit == THRESHOLD:
        return np.zeros_like(error)
    return error
