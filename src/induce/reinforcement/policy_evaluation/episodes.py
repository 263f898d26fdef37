"""Simulate episodes of a policy and measure its return."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least, probability
from induce.core.errors import InputError
from induce.core.loops import sized
from induce.core.randomness import streams
from induce.environments.games.contestants import Contestant, contestant
from induce.environments.games.game import find_game, is_game
from induce.environments.games.matches import match
from induce.environments.mdp import MDP, Floats
from induce.environments.sources import Stepped, open_source
from induce.reinforcement.extraction.policy_reading import PolicyReading
from induce.reinforcement.extraction.returns import limited_return, met
from induce.reinforcement.policy import Policy
from induce.reinforcement.policy_evaluation import _loops

ENOUGH = 1e-6
"""Discounted weight below which the remaining rewards of an endless episode are ignored."""
STEPS_WORK = 20
"""Approximate number of elementary steps per step of an episode."""
MOST_EXACT = 10**9
"""Maximum number of elementary steps for an exact value."""


@dataclass(frozen=True, eq=False)
class Played:
    """Simulated episodes.

    Parameters
    ----------
    returns : array of float64
        Return of each episode, discounted if there is a discount.
    steps : array of int64
        Number of steps of each episode.
    cut : int
        Number of truncated episodes, except those whose remaining rewards are negligible.
    discount : float
    limit : int
        Number of steps after which episodes were truncated.
    exact : float
        Exact expected return if the model is known; NaN otherwise.
    won : bool
        Whether the episodes are games, with return 1 for a win, 1/2 for a draw and 0 for a loss.
    """

    returns: Floats
    steps: NDArray[np.int64]
    cut: int
    discount: float
    limit: int
    exact: float = math.nan
    won: bool = False

    @property
    def measure(self) -> str:
        """Name of the measured return."""
        if self.won:
            return "win rate"
        return "return" if self.discount == 1 else "discounted return"


def is_policy(candidate: Any) -> bool:
    """Return whether an object can act: a policy, a player, a function of the state, or 'random'.

    Examples
    --------
    >>> is_policy(lambda state: "go"), is_policy("random"), is_policy(3)
    (True, True, False)
    """
    return (
        candidate == "random"
        if isinstance(candidate, str)
        else hasattr(candidate, "act") or isinstance(candidate, Contestant) or _function(candidate)
    )


def _function(candidate: Any) -> bool:
    return callable(candidate) and not isinstance(candidate, type) and not hasattr(candidate, "fit")


def play(
    policy: Any,
    env: Any,
    episodes: int,
    *,
    discount: float | None = None,
    max_steps: int | None = None,
    opponent: Any = None,
    seed: int = 0,
    exactly: bool = False,
) -> Played:
    """Simulate episodes of a policy.

    Parameters
    ----------
    policy : Policy, PolicyReading, object with `act`, function of the state, or 'random'; or a player
    env : MDP, environment of gymnasium, game, or name
    episodes : int
    discount : float, optional
        Discount factor; by default that of the policy, or 1.
    max_steps : int, optional
        Maximum number of steps per episode. By default the environment's limit; without one, as many as matter under
        the discount, or 1000.
    opponent : player or name, optional
        Opponent in a game; a random player by default.
    seed : int
        Random seed: with the same seed, the k-th episode has the same random numbers for every policy.
    exactly : bool
        Whether the exact expected return suffices, so that nothing is simulated if it is known.
    """
    at_least("episodes", episodes, 1, whole=True)
    if is_game(env):
        _refuse("game", "each is played to its end", discount=discount, max_steps=max_steps)
        return _games(policy, env, "random" if opponent is None else opponent, episodes, seed)
    _refuse("process", "it has no opponent", opponent=opponent)
    if isinstance(policy, Contestant):
        raise InputError(f"{type(policy).__name__} plays a game; give one, such as 'tic-tac-toe'")
    factor = _discount(policy, discount)
    source = open_source(env, max_steps)
    if isinstance(source, Stepped):
        return _stepped(policy, source, episodes, factor, seed)
    limit = source.limit
    fades = source.max_steps is None and factor < 1
    if fades:
        limit = 1 if factor == 0 else math.ceil(math.log(ENOUGH) / math.log(factor))
    mdp = source.mdp
    choice = chosen_pairs(policy, mdp)
    exact = math.nan
    if (choice[met(mdp, choice)] != _loops.UNKNOWN).all() and limit * len(mdp.next_state) <= MOST_EXACT:
        exact = limited_return(mdp, choice, factor, limit)
    if exactly and not math.isnan(exact):
        return Played(np.empty(0), np.empty(0, dtype=np.int64), 0, factor, limit, exact)
    returns, steps = np.empty(episodes), np.empty(episodes, dtype=np.int64)
    loop: Any = _loops.play
    work = STEPS_WORK * episodes * min(limit, mdp.n_states)
    lost = sized(loop, work)(
        choice,
        mdp.absorbing,
        mdp.offset,
        mdp.first,
        mdp.next_state,
        mdp.probability,
        mdp.reward,
        mdp.ends,
        mdp.start,
        factor,
        limit,
        streams(seed, 0, n=episodes),
        streams(seed, 1, n=episodes),
        returns,
        steps,
    )
    if lost >= 0:
        raise _lost(policy, mdp, int(lost))
    cut = 0 if fades else int((steps < 0).sum())
    return Played(returns, np.abs(steps), cut, factor, limit, exact)


def _refuse(what: str, why: str, **given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise InputError(f"{name} does not apply to a {what}: {why}; omit it")


def _games(player: Any, env: Any, opponent: Any, games: int, seed: int) -> Played:
    game = find_game(env)
    found = match(game, contestant(player, game), contestant(opponent, game), games, seed)
    return Played((np.sign(found.points) + 1) / 2, np.zeros(games, dtype=np.int64), 0, 1.0, 0, won=True)


def _discount(policy: Any, discount: float | None) -> float:
    found = getattr(policy, "discount", 1.0) if discount is None else discount
    probability("discount", found)
    return float(found)


def chosen_pairs(policy: Any, mdp: MDP) -> NDArray[np.int64]:
    """Return the pair chosen by a policy in each state; negative if there is none or it is unknown."""
    if isinstance(policy, str):
        return np.where(mdp.absorbing, _loops.STOPS, _loops.RANDOM).astype(np.int64)
    decide = _decider(policy, mdp)
    choice = np.full(mdp.n_states, _loops.UNKNOWN, dtype=np.int64)
    pair_of = {
        (state, action): pair
        for pair, (state, action) in enumerate(
            zip(mdp.pair_state.tolist(), mdp.pair_action.tolist(), strict=True)
        )
    }
    number = {action: k for k, action in enumerate(mdp.actions)}
    for place in range(mdp.n_states):
        if mdp.absorbing[place]:
            choice[place] = _loops.STOPS
            continue
        action = decide(place)
        if action in number:
            choice[place] = pair_of.get((place, number[action]), _loops.UNKNOWN)
    return choice


def _decider(policy: Any, mdp: MDP) -> Callable[[int], Any]:
    """Return a function from a state's index to the policy's action, or None if unknown."""
    if isinstance(policy, Policy):
        known = {
            state: None if pair < 0 else policy.actions[policy.pair_action[pair]]
            for state, pair in zip(policy.states, policy.choice.tolist(), strict=True)
        }
        return lambda place: known.get(mdp.states[place])
    if isinstance(policy, PolicyReading):
        import polars as pl

        missing = [name for name in policy.hypothesis.schema.names() if name not in mdp.features]
        if missing:
            raise InputError(
                f"the rules test the feature {missing[0]!r}, which the process lacks; give a process "
                "that has it"
            )
        frame = pl.DataFrame({name: list(mdp.features[name]) for name in policy.hypothesis.schema.names()})
        actions = policy.predict(frame).tolist()
        return lambda place: actions[place]
    act = policy.act if hasattr(policy, "act") else policy
    return lambda place: act(mdp.states[place])


def _lost(policy: Any, mdp: MDP, place: int) -> InputError:
    state = mdp.states[place]
    allowed = ", ".join(
        repr(mdp.actions[a]) for a in mdp.pair_action[mdp.offset[place] : mdp.offset[place + 1]]
    )
    told = _decider(policy, mdp)(place)
    if told is None:
        return InputError(
            f"the policy has no action for state {state!r}; learn it from experience that includes this state"
        )
    return InputError(f"the policy chooses {told!r} in state {state!r}, where the process allows {allowed}")


def _stepped(policy: Any, source: Stepped, episodes: int, discount: float, seed: int) -> Played:
    act = _actor(policy, source, seed)
    number = {action: k for k, action in enumerate(source.actions)}
    returns, steps, cut = np.zeros(episodes), np.zeros(episodes, dtype=np.int64), 0
    seeds = np.random.default_rng(seed).integers(2**31, size=episodes)
    for episode in range(episodes):
        observation, mask = source.reset(int(seeds[episode]))
        weight, ended = 1.0, False
        while steps[episode] < source.limit:
            action = act(observation, mask)
            if action not in number:
                raise InputError(f"the policy chooses {action!r}, which is not an action of the environment")
            observation, reward, ended, truncated, mask = source.step(number[action])
            returns[episode] += weight * reward
            weight *= discount
            steps[episode] += 1
            if ended or truncated:
                break
        cut += not ended
    return Played(returns, steps, cut, discount, source.limit)


def _actor(policy: Any, source: Stepped, seed: int) -> Callable[[Any, Any], Any]:
    """Return a function from an observation and the allowed actions to the policy's action."""
    if isinstance(policy, str):
        random = np.random.default_rng([seed, 1])
        return lambda observation, mask: source.actions[
            int(random.choice(np.arange(len(source.actions)) if mask is None else np.flatnonzero(mask)))
        ]
    act = policy.act if hasattr(policy, "act") else policy
    name = source.name if source.countable else (lambda observation: observation)
    return lambda observation, mask: act(name(observation))
