"""Hot loop of Gibbs sampling."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import loop

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@loop
def sweeps(
    sizes: Ints,
    tables: Floats,
    hidden: Ints,
    starts: Ints,
    factors: Ints,
    strides: Ints,
    state: Ints,
    at: Ints,
    uniform: Floats,
    weights: Ints,
    seen: Ints,
) -> None:
    """Draw each hidden variable from its distribution given all others, again and again (AIMA 14.5.2).

    Variable `v` is in the factors ``factors[starts[v]:starts[v + 1]]``, and `at` is the entry of each factor that
    belongs to the present state. After every sweep, the state of the targets is noted as one number by `weights`.
    """
    chances = np.empty(sizes.max())
    for s in range(len(uniform)):
        for h in range(len(hidden)):
            v = hidden[h]
            total = 0.0
            for value in range(sizes[v]):
                chance = 1.0
                for i in range(starts[v], starts[v + 1]):
                    chance *= tables[at[factors[i]] + (value - state[v]) * strides[i]]
                total += chance
                chances[value] = total
            drawn = uniform[s, h] * total
            value = 0
            while value < sizes[v] - 1 and chances[value] <= drawn:
                value += 1
            for i in range(starts[v], starts[v + 1]):
                at[factors[i]] += (value - state[v]) * strides[i]
            state[v] = value
        for v in range(len(state)):
            seen[s] += weights[v] * state[v]
