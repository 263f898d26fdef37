"""Randomness: one generator per fit."""

from __future__ import annotations

import numpy as np

from induce.core.errors import InputError

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
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise InputError(
            f"random_state is {random_state!r}; give a whole number of at least 0, a Generator or None"
        ) from None
