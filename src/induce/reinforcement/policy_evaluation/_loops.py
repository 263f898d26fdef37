"""Compiled loop that simulates episodes of a policy in a known model."""

from __future__ import annotations

from typing import Any

from induce.core._random_loops import below, uniform
from induce.core.loops import loop

STOPS = -1
RANDOM = -2
UNKNOWN = -3
"""Codes for a state in which a policy has no pair: no action, any action, or unknown."""


@loop
def play(
    choice: Any,
    absorbing: Any,
    offset: Any,
    first: Any,
    after: Any,
    chance: Any,
    reward: Any,
    ends: Any,
    start: Any,
    discount: float,
    limit: int,
    dice: Any,
    coins: Any,
    returns: Any,
    steps: Any,
) -> int:
    """Simulate one episode per random stream; a random policy draws its actions from a separate stream.

    Sets the return and the length of each episode; the length is negative if it was cut off. Returns -1, or
    the first state without an action of the policy.
    """
    for episode in range(len(returns)):
        left = uniform(dice[episode])
        state = 0
        while state < len(start) - 1 and left >= start[state]:
            left -= start[state]
            state += 1
        total, weight, count, ended = 0.0, 1.0, 0, False
        while count < limit and not ended:
            pair = choice[state]
            if absorbing[state] or pair == STOPS:
                ended = True
                break
            if pair == UNKNOWN:
                return state
            if pair == RANDOM:
                pair = offset[state] + below(coins[episode], offset[state + 1] - offset[state])
            left = uniform(dice[episode])
            k = first[pair]
            while k < first[pair + 1] - 1 and left >= chance[k]:
                left -= chance[k]
                k += 1
            total += weight * reward[k]
            weight *= discount
            count += 1
            ended = ends[k]
            state = after[k]
        if not ended and (absorbing[state] or choice[state] == STOPS):
            ended = True
        returns[episode] = total
        steps[episode] = count if ended else -count
    return -1
