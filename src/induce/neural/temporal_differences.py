"""Training of networks on sequences by temporal differences, with eligibility traces (Sutton 1988; Tesauro 1995)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.loops import sized
from induce.core.randomness import RandomState, generator
from induce.neural._trace_loops import follow
from induce.neural.initial import initial_weights
from induce.neural.network import Floats, Network
from induce.neural.units import RANGES

UPDATES = ("step", "episode")


def train_td(
    network: Network,
    episodes: Sequence[Any],
    rewards: Sequence[Any],
    *,
    lambda_: float = 0.7,
    discount: float = 1.0,
    learning_rate: float = 0.1,
    updates: str = "step",
    epochs: int = 1,
    init: float | str | None = "glorot",
    random_state: RandomState = 0,
) -> tuple[Network, Floats]:
    """Return a network trained by TD(λ) to predict future rewards, and its error in each epoch.

    The single output V predicts the sum of discounted rewards from a state to the end of its episode. After each
    step every weight is changed by ``learning_rate * (r + discount * V(next) - V) * e``. Its eligibility trace
    ``e`` is the gradient of V plus ``discount * lambda_`` times the previous trace. After the last state of an
    episode V is 0.

    Parameters
    ----------
    network : Network
        Network with one output: linear, sigmoid, tanh or rectified. Its frozen weights are not changed.
    episodes : sequence of array
        States of each episode, one row of inputs per state; arrays or sparse matrices.
    rewards : sequence of array or float
        For each episode, the reward after each state, or a single number: the final reward.
    lambda_ : float
        Weight of later steps: with 0 a state learns only from the next state, with 1 from the whole episode.
    discount : float
        Discount factor of rewards per step, from 0 to 1.
    learning_rate : float
        Step size.
    updates : {"step", "episode"}
        Whether the weights are updated after each step, or after each episode by the sum of its changes.
    epochs : int
        Number of passes over the episodes: the first in the given order, the others in random order.
    init : float, "glorot", "zero_inputs" or None
        Range or distribution of the initial weights; None starts from those of the network.
    random_state : int, Generator or None
        Random seed of the initial weights and of the order of episodes.

    Returns
    -------
    network : Network
    errors : array
        Root mean squared temporal difference of each epoch. It does not fall to 0 if transitions are stochastic.

    References
    ----------
    Sutton, R. S. (1988). Learning to predict by the methods of temporal differences. Machine Learning 3, 9-44.

    Examples
    --------
    A random walk over five states ends on the left with 0, on the right with 1. From state k of 1 to 5 it
    ends on the right with probability k / 6.

    >>> rng, walks, ends = np.random.default_rng(0), [], []
    >>> for _ in range(400):
    ...     places = [3]
    ...     while 0 < places[-1] < 6:
    ...         places.append(places[-1] + rng.choice([-1, 1]))
    ...     walks.append(np.eye(5)[np.array(places[:-1]) - 1])
    ...     ends.append(float(places[-1] == 6))
    >>> network, errors = train_td(Network.layered(5, 1), walks, ends, lambda_=0.3, epochs=3, init=None)
    >>> float(np.abs(network(np.eye(5)).ravel() - np.arange(1, 6) / 6).max()) < 0.1
    True
    """
    plan = network.plan
    _check(network, lambda_, discount, learning_rate, updates, epochs)
    X, R, starts = _joined(network, episodes, rewards)
    _check_returns(network, R, starts, discount)
    rng = generator(random_state)
    w = (network.weights if init is None else initial_weights(network, init, rng)).astype(np.float64)
    work = (12.0 * plan.n_weights + 40.0 * plan.n_units) * len(R)
    errors = np.empty(epochs)
    order = np.arange(len(starts) - 1)
    for epoch in range(epochs):
        with np.errstate(over="ignore", invalid="ignore"):
            total = sized(follow, work * epochs, 1 / epochs)(
                plan.groups,
                plan.facts,
                plan.links,
                plan.places,
                plan.factor,
                X,
                R,
                starts,
                order,
                w,
                float(learning_rate),
                float(discount * lambda_),
                float(discount),
                updates == "step",
            )
        if not (np.isfinite(w).all() and np.isfinite(total)):
            raise InputError(
                f"the weights diverge at a learning_rate of {learning_rate:g}; use a smaller one"
            )
        errors[epoch] = np.sqrt(total / len(R))
        order = rng.permutation(len(order))
    return network.with_weights(w), errors


def _check(
    network: Network, lambda_: float, discount: float, learning_rate: float, updates: str, epochs: int
) -> None:
    if network.plan.delayed:
        raise InputError("the network has delayed links; unfold it first")
    units = [network.group(name).unit for name in network.outputs]
    if network.n_outputs != 1 or units[0] in ("threshold", "softmax"):
        raise InputError(
            "train_td needs a network with one linear, sigmoid, tanh or rectified output; this one "
            f"has {network.n_outputs} ({', '.join(units)})"
        )
    for name, value in (("lambda_", lambda_), ("discount", discount)):
        if not 0 <= value <= 1:
            raise InputError(f"{name} is {value:g}; give a number from 0 to 1")
    if not 0 < learning_rate < np.inf:
        raise InputError(f"learning_rate is {learning_rate:g}; give a number above 0")
    if updates not in UPDATES:
        raise InputError(f"updates is {updates!r}; give one of {', '.join(map(repr, UPDATES))}")
    if not isinstance(epochs, int | np.integer) or epochs < 1:
        raise InputError(f"epochs is {epochs}; give a whole number of at least 1")


def _joined(
    network: Network, episodes: Sequence[Any], rewards: Sequence[Any]
) -> tuple[Floats, Floats, np.ndarray[Any, np.dtype[np.int64]]]:
    """Return the concatenated states and rewards of all episodes, and the start and end of each episode."""
    try:
        episodes, rewards = list(episodes), list(rewards)
    except TypeError:
        raise InputError("episodes and rewards are not lists; give one entry per episode in each") from None
    if len(episodes) != len(rewards) or not episodes:
        raise InputError(
            f"there are {len(episodes)} episodes, but rewards for {len(rewards)}; give at least one "
            "episode, and the rewards of each"
        )
    states, gains, starts = [], [], [0]
    for number, (given, gain) in enumerate(zip(episodes, rewards, strict=True)):
        rows, gain = _numbers(given, number), _numbers(gain, number)
        if rows.ndim != 2 or rows.shape[1] != network.n_inputs or not len(rows):
            raise InputError(
                f"episode {number} has shape {rows.shape}; give at least one state, each a row of "
                f"{network.n_inputs} inputs"
            )
        if gain.ndim == 0:
            gain = np.append(np.zeros(len(rows) - 1), gain)
        if gain.shape != (len(rows),):
            raise InputError(
                f"episode {number} has {len(rows)} states, but rewards of shape {gain.shape}; give one "
                "reward per state, or a single final reward"
            )
        if not (np.isfinite(rows).all() and np.isfinite(gain).all()):
            raise InputError(f"episode {number} has non-finite inputs or rewards; give finite numbers")
        states.append(rows)
        gains.append(gain)
        starts.append(starts[-1] + len(rows))
    return np.concatenate(states), np.concatenate(gains), np.array(starts, np.int64)


def _numbers(given: Any, number: int) -> Floats:
    try:
        return np.asarray(given.toarray() if hasattr(given, "toarray") else given, np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"the inputs or rewards of episode {number} are not rows of numbers; give numeric rows of "
            "equal length"
        ) from None


def _check_returns(network: Network, R: Floats, starts: Any, discount: float) -> None:
    """Raise an `InputError` unless the output can represent the discounted sums of rewards."""
    unit = network.group(network.outputs[0]).unit
    low, high = RANGES.get(unit, (-np.inf, np.inf))
    ends = set((starts[1:] - 1).tolist())
    following = 0.0
    for row in range(len(R) - 1, -1, -1):
        following = float(R[row]) + (0.0 if row in ends else discount * following)
        if not low - 1e-9 <= following <= high + 1e-9:
            raise InputError(
                f"the rewards from a state on sum to {following:.6g}, but {unit} output units only "
                f"range from {low:g} to {high:g}; scale the rewards, or use a linear output"
            )
