"""Compiled loops of dynamic programming: full sweeps, policy sweeps and prioritized sweeping.

`offset` gives the first pair of each state, `first` the first transition of each pair; `chance` is 0 for a
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
    """Update the value of every pair and set the new value of every state to that of its best pair.

    The transitions of the best pairs are copied to contiguous arrays in the same pass. Returns the smallest and the
    largest change.
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
        # The smallest and largest change bound the optimal values from both sides (MacQueen 1966; Puterman, ch.
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
    """Evaluate a policy: each sweep sets the value of a state to that of its chosen pair.

    Stops after `most` sweeps, or when the changes differ by at most `enough`; returns the number of sweeps.
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
        ):  # not a single assignment, whose shape check takes seconds to compile
            values[state] = new[state]
        # A uniform change only shifts all values; the spread of the changes bounds the error of the policy's
        # values.
        if high - low <= enough:
            return sweep + 1
    return most


@loop
def gather(pairs: Any, first: Any, after: Any, chance: Any, begins: Any, places: Any, chances: Any) -> None:
    """Copy the transitions of some pairs to contiguous arrays; `begins` receives the start of each pair."""
    for row in range(len(pairs)):
        shift = first[pairs[row]] - begins[row]
        for k in range(begins[row], begins[row + 1]):
            places[k] = after[k + shift]
            chances[k] = chance[k + shift]


@loop
def promising(offset: Any, q: Any, values: Any, margin: float, rounding: float, kept: Any) -> int:
    """Mark the pairs within a margin of the best of their state, and return their number."""
    n = 0
    for state in range(len(values)):
        # MacQueen 1967: a pair below the best by more than the bounds allow is never optimal.
        least = values[state] - margin - rounding * abs(values[state])
        for pair in range(offset[state], offset[state + 1]):
            kept[pair] = q[pair] >= least
            n += kept[pair]
    return n


@loop
def pair_values(
    first: Any, after: Any, chance: Any, reward: Any, discount: float, values: Any, q: Any
) -> None:
    """Compute Q of every pair: its reward plus the discounted value of its next states."""
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
    """Return the change that an update would make to the value of a state."""
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
    """Update the state with the largest pending change, then its predecessors, until all changes are small.

    Returns the number of updates, at most `most`. The first updates are recorded as far as the arrays allow: the
    state in `updated`, the change in its value in `changes`.
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
        # A state may be queued several times: entries from before its last update are stale.
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
