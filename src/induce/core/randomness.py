"""Randomness: one generator per fit."""

from __future__ import annotations

import numpy as np

RandomState = int | np.random.Generator | np.random.RandomState | None


def generator(random_state: RandomState) -> np.random.Generator:
    """Return the generator that a `random_state` parameter stands for.

    Examples
    --------
    >>> int(generator(0).integers(100)) == int(generator(0).integers(100))
    True
    """
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    return np.random.default_rng(random_state)
