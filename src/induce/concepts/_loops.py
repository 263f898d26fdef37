"""Hot loops of concept learning: pure functions on arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import loop


@loop
def minimal(runs: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return, for each row of runs sorted by size, whether it contains none of the earlier rows kept."""
    n, width = runs.shape[0], runs.shape[1]
    kept = np.zeros(n, np.bool_)
    places = np.empty(n, np.int64)
    n_kept = 0
    for row in range(n):
        good = True
        # Sorted by size, a row can only contain earlier ones, so the rows kept are the minimal elements.
        for k in range(n_kept):
            other = places[k]
            above = True
            for j in range(width):
                if runs[row, j, 0] > runs[other, j, 0] or runs[row, j, 1] < runs[other, j, 1]:
                    above = False
                    break
            if above:
                good = False
                break
        if good:
            kept[row] = True
            places[n_kept] = row
            n_kept += 1
    return kept


@loop
def discriminating_votes(
    rows: NDArray[np.int64],
    seeds: NDArray[np.int64],
    others: NDArray[np.int64],
    line: NDArray[np.bool_],
    least: int,
    violations: int,
) -> NDArray[np.bool_]:
    """Return, for each row and seed, whether the row differs from enough others as the seed does."""
    n, m, width = len(rows), len(seeds), rows.shape[1]
    votes = np.zeros((n, m), np.bool_)
    for i in range(n):
        for e in range(m):
            wrong = 0
            for f in range(len(others)):
                shared = 0
                for j in range(width):
                    seed, other, cell = seeds[e, j], others[f, j], rows[i, j]
                    if cell < 0 or seed == other:
                        continue
                    # For ordered cells, the row must lie on the seed's side of the other one; for names, it
                    # must equal the seed's.
                    if line[j]:
                        shared += (cell < other) if seed < other else (cell > other)
                    else:
                        shared += cell == seed
                if shared < least:
                    wrong += 1
                    if wrong > violations:
                        break
            votes[i, e] = wrong <= violations
    return votes
