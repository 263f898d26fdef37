"""The logistic function for loops, one number at a time."""

from __future__ import annotations

import math

from induce.core.loops import inner


@inner
def sigmoid_of(z: float) -> float:
    """Return 1 / (1 + exp(-z)) without overflow."""
    if z >= 0.0:
        return 1.0 / (1.0 + math.exp(-z))
    tail = math.exp(z)
    return tail / (1.0 + tail)


@inner
def log1p_exp_of(z: float) -> float:
    """Return log(1 + exp(z)) without overflow."""
    return max(z, 0.0) + math.log1p(math.exp(-abs(z)))
