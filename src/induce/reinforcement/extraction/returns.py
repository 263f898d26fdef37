"""Exact return of a policy in a known model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.environments.mdp import MDP, Floats
from induce.reinforcement.dynamic_programming.methods import policy_values, steps_to_end
from induce.statistics.least_squares import least_squares

HORIZON = 200
"""Number of steps counted if an undiscounted policy does not end."""


@dataclass(frozen=True)
class Return:
    """Return of a policy.

    Parameters
    ----------
    value : float
        Mean return per episode, or average reward per step.
    steps : int
        Number of steps counted if episodes do not end; 0 otherwise.
    """

    value: float
    steps: int = 0


def exact_return(mdp: MDP, choice: NDArray[np.int64], discount: float, *, average: bool = False) -> Return:
    """Return the exact return of a policy given as one pair per state, or -1 where it stops.

    Examples
    --------
    >>> walk = MDP.of({"a": {"go": ("b", -1), "stay": ("a", -1)}, "b": {"go": ("end", 10)}}, start="a")
    >>> exact_return(walk, np.array([0, 2, -1]), 1.0), exact_return(walk, np.array([1, 2, -1]), 1.0)
    (Return(value=9.0, steps=0), Return(value=-200.0, steps=200))
    """
    choice = np.where(mdp.absorbing, -1, choice)
    visited = met(mdp, choice)
    followed = np.where(visited, choice, -1)
    if average:
        return Return(_average(mdp, followed))
    if discount < 1 or _ends(mdp, followed, visited):
        return Return(float(mdp.start @ policy_values(mdp, followed, discount)))
    return Return(limited_return(mdp, followed, discount, HORIZON), HORIZON)


def reachable(mdp: MDP) -> NDArray[np.bool_]:
    """Return whether each state is reachable from the start states by any sequence of actions."""
    return _spread(mdp, np.ones(mdp.n_pairs, dtype=bool), mdp.start > 0)


def ends_surely(mdp: MDP, allowed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the allowed pairs that may lead nearer to an end: a policy restricted to them ends."""
    steps = np.append(steps_to_end(mdp, allowed), 0.0)
    after = np.where(mdp.ends, mdp.n_states, mdp.next_state)
    pair = np.repeat(np.arange(mdp.n_pairs), np.diff(mdp.first))
    nearer = (steps[after] < steps[mdp.pair_state[pair]]) & (mdp.probability > 0)
    found = np.zeros(mdp.n_pairs, dtype=bool)
    found[pair[nearer]] = True
    return found & allowed


def _spread(mdp: MDP, allowed: NDArray[np.bool_], start: NDArray[np.bool_]) -> NDArray[np.bool_]:
    pair = np.repeat(np.arange(mdp.n_pairs), np.diff(mdp.first))
    possible = allowed[pair] & (mdp.going_on > 0)
    source, after = mdp.pair_state[pair[possible]], mdp.next_state[possible]
    visited = start.copy()
    while True:
        more = visited.copy()
        more[after[visited[source]]] = True
        if (more == visited).all():
            return visited
        visited = more


def met(mdp: MDP, choice: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether each state is visited when the policy is followed from the start."""
    return _spread(mdp, _weights(mdp, choice) > 0, mdp.start > 0)


def _ends(mdp: MDP, choice: NDArray[np.int64], visited: NDArray[np.bool_]) -> bool:
    """Return whether an end is reachable from every visited state."""
    chosen = np.zeros(mdp.n_pairs, dtype=bool)
    chosen[choice[choice >= 0]] = True
    sure = ends_surely(mdp, chosen)
    acting = visited & (choice >= 0)
    return bool(sure[choice[acting]].all())


def limited_return(mdp: MDP, choice: NDArray[np.int64], discount: float, steps: int) -> float:
    """Return the expected return over a number of steps; choice -1 stops and -2 acts at random."""
    weights = _weights(mdp, choice)
    rewards = np.bincount(mdp.pair_state, weights * mdp.expected_reward, minlength=mdp.n_states)
    chances = discount * _matrix(mdp, weights)
    values = np.zeros(mdp.n_states)
    for _ in range(steps):
        new = rewards + chances @ values
        if (new == values).all():
            break
        values = new
    return float(mdp.start @ values)


def _weights(mdp: MDP, choice: NDArray[np.int64]) -> Floats:
    """Return the probability of each pair in its state."""
    weights = np.zeros(mdp.n_pairs)
    weights[choice[choice >= 0]] = 1.0
    anything = (choice == -2)[mdp.pair_state]
    weights[anything] = 1 / np.diff(mdp.offset)[mdp.pair_state[anything]]
    return weights


def _average(mdp: MDP, choice: NDArray[np.int64]) -> float:
    """Return the long-run average reward per step of a policy whose states form one recurrent class."""
    acting = np.flatnonzero(choice >= 0)
    if not len(acting):
        return math.nan
    rewards = mdp.expected_reward[choice[acting]]
    chances = _matrix(mdp, _weights(mdp, choice))[acting][:, acting].toarray()
    # h + gain - P h = r with h = 0 in the first state, whose column holds the gain instead
    equations = np.eye(len(acting)) - chances
    equations[:, 0] = 1.0
    return float(least_squares(equations, rewards)[0])


def _matrix(mdp: MDP, weights: Floats) -> Any:
    """Return the state transition matrix under the given pair probabilities."""
    from scipy import sparse

    pair = np.repeat(np.arange(mdp.n_pairs), np.diff(mdp.first))
    mine = weights[pair] > 0
    chances = weights[pair[mine]] * mdp.going_on[mine]
    places = mdp.pair_state[pair[mine]], mdp.next_state[mine]
    return sparse.coo_array((chances, places), shape=(mdp.n_states, mdp.n_states)).tocsr()
