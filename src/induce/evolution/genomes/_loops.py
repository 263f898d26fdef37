"""Hot loops of genomes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import loop


@loop
def keep_precedence(
    population: NDArray[np.int64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    masks: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """Return two offspring of each pair: each thing is the first left of the parent that the mask names."""
    n_pairs, n = masks.shape
    children = np.empty((2 * n_pairs, n), dtype=np.int64)
    taken = np.empty(n, dtype=np.bool_)
    for pair in range(n_pairs):
        for side in range(2):
            taken[:] = False
            # Both pointers only move on: whatever is before in both parents stays before in the child.
            one, two = 0, 0
            for place in range(n):
                if masks[pair, place] != (side == 1):
                    while taken[population[first[pair], one]]:
                        one += 1
                    thing = population[first[pair], one]
                else:
                    while taken[population[second[pair], two]]:
                        two += 1
                    thing = population[second[pair], two]
                taken[thing] = True
                children[2 * pair + side, place] = thing
    return children


@loop
def right_predictions(
    target: NDArray[np.int64], output: NDArray[np.int64], start: int, symbols: NDArray[np.int64]
) -> int:
    """Return how often a machine says which symbol comes next."""
    state, right = start, 0
    for place in range(len(symbols) - 1):
        symbol = symbols[place]
        if output[state, symbol] == symbols[place + 1]:
            right += 1
        state = target[state, symbol]
    return right
