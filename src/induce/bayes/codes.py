"""Optimal codes for probabilities (Mitchell 6.6)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from induce.bayes.probability import chance
from induce.core.errors import InputError


@dataclass(frozen=True)
class OptimalCode:
    """Number of bits of each message, and their expected number, which is the entropy.

    Parameters
    ----------
    bits : dict
        Mapping from each message to its number of bits.
    expected : float
        Expected number of bits: the entropy.
    """

    bits: dict[Any, float]
    expected: float


def optimal_code(probabilities: Mapping[Any, float]) -> OptimalCode:
    """Return the code of minimum expected length: -log2 p bits for a message of probability p.

    Parameters
    ----------
    probabilities : dict
        Mapping from each message to its probability.

    Examples
    --------
    >>> optimal_code({"a": 0.5, "b": 0.25, "c": 0.125, "d": 0.125})
    OptimalCode(bits={'a': 1.0, 'b': 2.0, 'c': 3.0, 'd': 3.0}, expected=1.75)
    """
    total = math.fsum(chance(str(message), p) for message, p in probabilities.items())
    if abs(total - 1) > 1e-9:
        raise InputError(
            f"probabilities sum to {total:.6g}; give probabilities of all messages that sum to 1"
        )
    bits = {message: -math.log2(p) if p > 0 else math.inf for message, p in probabilities.items()}
    return OptimalCode(bits, math.fsum(p * bits[message] for message, p in probabilities.items() if p > 0))
