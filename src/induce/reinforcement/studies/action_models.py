"""Learning the effects of actions from random behaviour: the theory of EBNN (Mitchell and Thrun 1993)."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.randomness import RandomState, seed_of, stream
from induce.environments.sources import Simulated, open_source
from induce.reinforcement.approximation.action_models import ActionModels
from induce.reinforcement.approximation.sources import World

FEWEST = 5
"""Minimum number of transitions of an action for training its network."""


def learn_action_models(
    source: Any,
    episodes: int = 30,
    hidden: int = 10,
    max_steps: int | None = None,
    weight_decay: float = 0.001,
    random_state: RandomState = 0,
) -> ActionModels:
    """Act at random and train one network per action that predicts the next observation and the reward.

    Parameters
    ----------
    source : environment of gymnasium, or str
        Environment with numeric observations.
    episodes : int
        Number of episodes.
    hidden : int
        Number of hidden units per network.
    max_steps : int, optional
        Maximum number of steps per episode.
    weight_decay : float
        Penalty on the squared weights of the networks.
    random_state : int, Generator or None
        Random seed.

    Examples
    --------
    >>> from induce.environments import MountainCar
    >>> models = learn_action_models(MountainCar(), episodes=2, hidden=4, max_steps=100)
    >>> after, reward = models.predict([-0.5, 0.0], "right")
    >>> bool(after[1] > 0), round(reward)
    (True, -1)
    """
    from induce.neural.learners.neural_network_regressor import NeuralNetworkRegressor

    at_least("episodes", episodes, 1, whole=True)
    at_least("hidden", hidden, 1, whole=True)
    opened = open_source(source, max_steps)
    if isinstance(opened, Simulated):
        raise InputError("action models predict observed numbers, but the states are listed; use QLearning")
    seed = seed_of(random_state)
    world = World.of(opened, None)
    seen = world.seen
    if seen.states:
        raise InputError("action models predict observed numbers, but the states are listed; use QLearning")
    low, high = world.ranges(seed)
    middle, scale = (low + high) / 2, 2 / np.where(high > low, high - low, 1.0)
    rows: list[list[Any]] = [[] for _ in world.actions]
    for k in range(episodes):
        random = stream(seed, 4, k)
        observation, _ = opened.reset(int(random.integers(2**31)))
        for _ in range(world.limit):
            action = int(random.integers(len(rows)))
            after, reward, ended, cut, _ = opened.step(action)
            before, then = ((seen.vector(each) - middle) * scale for each in (observation, after))
            rows[action].append((*before, *(then - before), reward))
            observation = after
            if ended or cut:
                break
    n = len(seen.names)
    into, out = np.zeros((len(rows), hidden, n + 1)), np.zeros((len(rows), n + 1, hidden + 1))
    for action, met in enumerate(rows):
        if len(met) < FEWEST:
            raise InputError(
                f"the action {world.action_names[action]!r} was taken only {len(met)} times; give more "
                "episodes"
            )
        table = np.array(met)
        learner = NeuralNetworkRegressor(
            hidden=hidden, scale=None, weight_decay=weight_decay, random_state=seed
        )
        found = learner.fit(table[:, :n], table[:, n:]).hypothesis_
        _written(found, into[action], out[action])
    return ActionModels(seen.names, world.action_names, middle, scale, into, out)


def _written(found: Any, into: Any, out: Any) -> None:
    """Write the weights of a network with one hidden layer."""
    network = found.network
    first, middle, last = (group.name for group in network.groups)
    into[:, :-1] = network.get((first, middle)).T
    into[:, -1] = network.get(middle)
    out[:, :-1] = network.get((middle, last)).T * found.scale[:, np.newaxis]
    out[:, -1] = network.get(last) * found.scale + found.offset
