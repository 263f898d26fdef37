"""The loops of dynamic programming: sweeps over states, over a policy's states, and by priority.

`offset` says where the pairs of a state begin, `first` where the transitions of a pair begin; `chance` is 0 for a
transition that ends the episode.
"""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import Any

from induce.core.loops import loop


@loop
def improve(
    offset: Any,
    first: Any,
    after: Any,
    chance: Any,
    reward: Any,
    discount: float,
    values: Any,
    new: Any,
    choice: Any,
    q: Any,
    begins: Any,
    places: Any,
    chances: Any,
) -> tuple[float, float]:
    """Set the value of every pair, and the new value of every state to that of its best pair.

    The transitions of the best pairs are written side by side while they are at hand. Returns the least and the
    greatest change.
    """
    low, high = math.inf, -math.inf
    end = 0
    begins[0] = 0
    for state in range(len(offset) - 1):
        best, best_pair = -math.inf, -1
        for pair in range(offset[state], offset[state + 1]):
            total = 0.0
            for k in range(first[pair], first[pair + 1]):
                total += chance[k] * values[after[k]]
            total = reward[pair] + discount * total
            q[pair] = total
            if total > best:
                best, best_pair = total, pair
        if best_pair < 0:
            best = 0.0
        else:
            for k in range(first[best_pair], first[best_pair + 1]):
                places[end] = after[k]
                chances[end] = chance[k]
                end += 1
        begins[state + 1] = end
        choice[state] = best_pair
        new[state] = best
        # The least and the greatest change bound the optimal values from both sides (MacQueen 1966; Puterman, ch.
        # 6.6).
        change = best - values[state]
        low = min(low, change)
        high = max(high, change)
    return low, high


@loop
def evaluate(
    begins: Any,
    places: Any,
    chances: Any,
    rewards: Any,
    discount: float,
    values: Any,
    new: Any,
    most: int,
    enough: float,
) -> int:
    """Follow a policy: in every sweep the value of a state is that of its chosen pair, whose transitions are given.

    Ends after `most` sweeps, or after one whose changes differ by no more than `enough`; returns how many there were.
    """
    for sweep in range(most):
        low, high = math.inf, -math.inf
        for state in range(len(values)):
            total = 0.0
            for k in range(begins[state], begins[state + 1]):
                total += chances[k] * values[places[k]]
            total = rewards[state] + discount * total
            new[state] = total
            low = min(low, total - values[state])
            high = max(high, total - values[state])
        for state in range(
            len(values)
        ):  # not as one assignment, whose check of shapes takes seconds to compile
            values[state] = new[state]
        # Changes that are alike everywhere only shift all values; their spread says how far the policy's values
        # are known.
        if high - low <= enough:
            return sweep + 1
    return most


@loop
def gather(pairs: Any, first: Any, after: Any, chance: Any, begins: Any, places: Any, chances: Any) -> None:
    """Write the transitions of some pairs side by side; `begins` says where each pair begins."""
    for row in range(len(pairs)):
        shift = first[pairs[row]] - begins[row]
        for k in range(begins[row], begins[row + 1]):
            places[k] = after[k + shift]
            chances[k] = chance[k + shift]


@loop
def promising(offset: Any, q: Any, values: Any, margin: float, rounding: float, kept: Any) -> int:
    """Mark the pairs that may be best, those within a margin of the best of their state; return how many."""
    n = 0
    for state in range(len(values)):
        # MacQueen 1967: a pair further below the best than the bounds leave open is never optimal.
        least = values[state] - margin - rounding * abs(values[state])
        for pair in range(offset[state], offset[state + 1]):
            kept[pair] = q[pair] >= least
            n += kept[pair]
    return n


@loop
def pair_values(
    first: Any, after: Any, chance: Any, reward: Any, discount: float, values: Any, q: Any
) -> None:
    """Set Q of every pair: its reward, and what its next states are worth."""
    for pair in range(len(q)):
        total = 0.0
        for k in range(first[pair], first[pair + 1]):
            total += chance[k] * values[after[k]]
        q[pair] = reward[pair] + discount * total


@loop
def residual(
    state: int,
    offset: Any,
    first: Any,
    after: Any,
    chance: Any,
    reward: Any,
    discount: float,
    values: Any,
) -> float:
    """Return by how much the value of a state would change."""
    best = -math.inf
    for pair in range(offset[state], offset[state + 1]):
        total = 0.0
        for k in range(first[pair], first[pair + 1]):
            total += chance[k] * values[after[k]]
        best = max(best, reward[pair] + discount * total)
    if best == -math.inf:
        best = 0.0
    return float(best - values[state])


@loop
def sweep_by_priority(
    offset: Any,
    first: Any,
    after: Any,
    chance: Any,
    reward: Any,
    discount: float,
    before_first: Any,
    before: Any,
    values: Any,
    threshold: float,
    most: int,
    updated: Any,
    changes: Any,
) -> int:
    """Update the state whose value would change most, then look at its predecessors, until none changes much.

    Returns the number of updates; `most` of them are done at the most. The first are written down, as many as there
    is room for: the state in `updated`, by how much its value changed in `changes`.
    """
    queue = [(0.0, 0)]
    heappop(queue)
    for state in range(len(values)):
        error = abs(residual(state, offset, first, after, chance, reward, discount, values))
        if error > threshold:
            heappush(queue, (-error, state))
    updates = 0
    while len(queue) > 0 and updates < most:
        _, state = heappop(queue)
        change = residual(state, offset, first, after, chance, reward, discount, values)
        # A state may be queued several times: what was pushed before its last update is out of date.
        if abs(change) <= threshold:
            continue
        values[state] += change
        if updates < len(updated):
            updated[updates] = state
            changes[updates] = change
        updates += 1
        for k in range(before_first[state], before_first[state + 1]):
            earlier = before[k]
            error = abs(residual(earlier, offset, first, after, chance, reward, discount, values))
            if error > threshold:
                heappush(queue, (-error, earlier))
    return updates
