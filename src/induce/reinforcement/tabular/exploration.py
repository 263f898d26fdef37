"""Exploration strategies for choosing the next action (Mitchell 13.3.5)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.reinforcement.tabular import _loops as rules

WAYS = ("epsilon", "power", "counts", "random")


def power_probabilities(values: Any, k: float) -> NDArray[np.float64]:
    """Return the probability of each action, proportional to k^Q.

    Parameters
    ----------
    values : sequence of float
        Q of each action.
    k : float
        Base, at least 1 (uniform probabilities); larger values favour the best action more.

    Examples
    --------
    >>> power_probabilities([0, 1, 2], k=2).round(4)
    array([0.1429, 0.2857, 0.5714])
    """
    check_k(k)
    q = np.asarray(values, dtype=np.float64)
    weights = np.exp(math.log(k) * (q - q.max()))
    return np.asarray(weights / weights.sum())


def check_k(k: Any) -> None:
    """Raise an `InputError` unless k favours larger values."""
    if not isinstance(k, int | float | np.number) or not 1 <= k < math.inf:
        raise InputError(
            f"k is {k!r}; it must be a number of at least 1, because below 1 the worst actions are preferred"
        )


def extent_of(explore: Any, epsilon: Any, k: Any, bonus: Any) -> tuple[int, float]:
    """Return the code of an exploration strategy and its initial exploration rate."""
    if explore == "power":
        return rules.POWERS, math.log(k)
    if explore == "counts":
        return rules.COUNTS, float(bonus)
    return rules.EPSILON, 1.0 if explore == "random" else float(epsilon)
