"""A random generator for compiled loops: L'Ecuyer's MRG32k3a, whose products fit into 64 bits.

A stream is six integers, created by `induce.core.randomness.streams`. Every loop file may import these loops: the
numbers are published and never change, so a compiled loop that calls them never becomes stale.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import loop

M1 = 4294967087
M2 = 4294944443
UNIT = 1.0 / (M1 + 1)


@loop
def uniform(stream: NDArray[np.int64]) -> float:
    """Return the next number of a stream, strictly between 0 and 1."""
    first = (1403580 * stream[1] - 810728 * stream[0]) % M1
    stream[0] = stream[1]
    stream[1] = stream[2]
    stream[2] = first
    second = (527612 * stream[5] - 1370589 * stream[3]) % M2
    stream[3] = stream[4]
    stream[4] = stream[5]
    stream[5] = second
    if first > second:
        return float(first - second) * UNIT
    return float(first - second + M1) * UNIT


@loop
def below(stream: NDArray[np.int64], n: int) -> int:
    """Return a random integer from 0 to n - 1."""
    return int(uniform(stream) * n)


@loop
def normal(stream: NDArray[np.int64]) -> float:
    """Return a random number from the standard normal distribution."""
    radius = math.sqrt(-2.0 * math.log(uniform(stream)))
    return radius * math.cos(2.0 * math.pi * uniform(stream))
