"""Randomness: one generator per fit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError

RandomState = int | np.random.Generator | np.random.RandomState | None


def generator(random_state: RandomState) -> np.random.Generator:
    """Return the generator of a `random_state` parameter.

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


def seed_of(random_state: RandomState) -> int:
    """Return one integer for a `random_state`, which a resumable run keeps.

    Examples
    --------
    >>> seed_of(7)
    7
    """
    if isinstance(random_state, int | np.integer) and random_state >= 0:
        return int(random_state)
    return int(generator(random_state).integers(2**62))


def stream(seed: int, *place: int) -> np.random.Generator:
    """Return the random stream of one position in a run, such as a generation or an individual.

    It depends only on the seed and the position, not on other draws or on the process.

    Examples
    --------
    >>> stream(0, 3, 5).random() == stream(0, 3, 5).random() != stream(0, 3, 6).random()
    True
    """
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=place)))


def streams(seed: int, *place: int, n: int) -> NDArray[np.int64]:
    """Return `n` independent streams for compiled loops, one per row (see `induce.core._random_loops`).

    Examples
    --------
    >>> streams(0, 3, n=2).shape
    (2, 6)
    """
    return stream(seed, *place).integers(1, 4294944443, size=(n, 6), dtype=np.int64)
