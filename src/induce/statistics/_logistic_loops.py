"""Scalar logistic functions for compiled loops."""

from __future__ import annotations

import math

from induce.core.loops import inner


@inner
def sigmoid_of(z: float) -> float:
    """Return 1 / (1 + exp(-z)) without overflow."""
    tail = math.exp(
        -abs(z)
    )  # a single call for both signs, because processors cannot predict the sign of a net input
    return (1.0 if z >= 0.0 else tail) / (1.0 + tail)


@inner
def log1p_exp_of(z: float) -> float:
    """Return log(1 + exp(z)) without overflow."""
    return max(z, 0.0) + math.log1p(math.exp(-abs(z)))
