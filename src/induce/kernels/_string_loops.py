"""Hot loop of the subsequence kernel; each call compares one string with several others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import loop

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@loop
def subsequences(
    one: Ints, letters: Ints, starts: Ints, length: int, decay: float, before: Floats, found: Floats
) -> None:
    """Compute the common subsequences of `one` and each of several concatenated strings.

    After s letters of `one`, ``before[i, t]`` is K'_i of Lodhi et al. for these and the first t letters of
    the other string; `run` is their K''_i.
    """
    square = decay * decay
    for k in range(len(starts) - 1):
        other = letters[starts[k] : starts[k + 1]]
        before[:] = 0.0
        before[0] = 1.0
        total = 0.0
        for s in range(len(one)):
            letter = one[s]
            for t in range(len(other)):
                if other[t] == letter:
                    total += square * before[length - 1, t]
            # from the top down, since a level needs the one below as it was before this letter
            for i in range(length - 1, 0, -1):
                below, level = before[i - 1], before[i]
                run = 0.0
                for t in range(len(other)):
                    run = decay * run
                    if other[t] == letter:
                        run += square * below[t]
                    level[t + 1] = decay * level[t + 1] + run
        found[k] = total
