"""Scalar logistic functions for compiled loops."""

from __future__ import annotations

import math

from induce.core.loops import inner


@inner
def sigmoid_of(z: float) -> float:
    """Return 1 / (1 + exp(-z)) without overflow."""
    tail = math.exp(
        -abs(z)
    )  # one call for both signs: the sign of a net input is unpredictable for a processor
    return (1.0 if z >= 0.0 else tail) / (1.0 + tail)


@inner
def log1p_exp_of(z: float) -> float:
    """Return log(1 + exp(z)) without overflow."""
    return max(z, 0.0) + math.log1p(math.exp(-abs(z)))
