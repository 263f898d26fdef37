"""Interface between function approximation and a source, in compiled loops or step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.loops import sized
from induce.core.notes import note
from induce.core.randomness import stream
from induce.data.names import listed
from induce.environments.control import MountainCar
from induce.environments.mdp import MDP
from induce.environments.sources import Simulated, Stepped, finite, mask_of
from induce.reinforcement.approximation import _loops
from induce.reinforcement.approximation.features import UNBOUNDED, Floats, Observations, checked

BLOCK = 20_000
"""Number of steps after which a compiled loop returns, at the end of the episode."""
PROBES, PROBED = 20, 200
"""Number of random episodes that estimate unbounded ranges, and maximum number of steps of each."""
MARGIN = 0.1
"""Fraction by which observed ranges are widened."""


@dataclass(frozen=True)
class Played:
    """A batch of episodes: their returns, their lengths, and whether they were cut off."""

    returns: Floats
    lengths: NDArray[np.int64]
    cut: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class World:
    """A source opened by a learner with function approximation."""

    source: Simulated | Stepped
    seen: Observations
    limit: int

    @staticmethod
    def of(source: Simulated | Stepped, function: Callable[[Any], Any] | None) -> World:
        """Open a source and describe its observations."""
        limit = source.limit
        if isinstance(source, Simulated):
            return World(source, _of_process(source.mdp, function), limit)
        if isinstance(source.env, MountainCar) and source.max_steps is None:
            limit = source.env.max_steps
        return World(source, _of_environment(source, function), limit)

    @property
    def actions(self) -> tuple[Any, ...]:
        """Actions in the environment's naming."""
        return tuple(self.source.actions)

    @property
    def action_names(self) -> tuple[str, ...]:
        """Display names of the actions."""
        return action_names(self.source)

    @property
    def name(self) -> str:
        """Name of the environment."""
        if isinstance(self.source, Simulated):
            return "a decision process"
        return type(getattr(self.source.env, "unwrapped", self.source.env)).__name__

    def ranges(self, seed: int) -> tuple[Floats, Floats]:
        """Return the ranges of all numbers; unbounded ones are estimated by acting at random."""
        seen = self.seen
        if seen.bounded or isinstance(self.source, Simulated):
            return seen.low, seen.high
        random = stream(seed, 1)
        met = []
        for _ in range(PROBES):
            observation, allowed = self.source.reset(int(random.integers(2**31)))
            met.append(seen.vector(observation))
            for _ in range(PROBED):
                action = random.choice(np.flatnonzero(self._mask(allowed)))
                observation, _, ended, cut, allowed = self.source.step(int(action))
                met.append(seen.vector(observation))
                if ended or cut:
                    break
        low, high = np.min(met, axis=0), np.max(met, axis=0)
        wider = MARGIN * np.where(high > low, high - low, 1.0)
        known = (np.abs(seen.low) < UNBOUNDED) & (np.abs(seen.high) < UNBOUNDED)
        return np.where(known, seen.low, low - wider), np.where(known, seen.high, high + wider)

    def play(self, agent: Any, episodes: int, work: float, share: float, seed: int, first: int) -> Played:
        """Run the agent and let it learn, several episodes in one compiled loop or one episode step by step.

        `work` is the work of the whole run, and `share` the fraction of it in these episodes.
        """
        if isinstance(self.source, Simulated):
            process, allowed = process_of(self.source.mdp)
            return self._loop(
                sized(_loops.walk, work, share), agent, (process, np.zeros(1), allowed), episodes
            )
        if isinstance(self.source.env, MountainCar) and self.seen.function is None:
            free = np.ones(3)
            return self._loop(sized(_loops.drive, work, share), agent, (np.zeros(2), free), episodes)
        advance: Any = sized(_loops.advance, work, share / episodes)
        return self._stepped(agent, advance, int(stream(seed, 2, first).integers(2**31)))

    def _loop(self, play: Any, agent: Any, world: tuple[Any, ...], episodes: int) -> Played:
        returns, lengths = np.zeros(episodes), np.zeros(episodes, dtype=np.int64)
        cut = np.zeros(episodes, dtype=bool)
        run = np.array([episodes, self.limit, BLOCK, -1], dtype=np.int64)
        done = play(agent, *world, run, returns, lengths, cut)
        return Played(returns[:done], lengths[:done], cut[:done])

    def _stepped(self, agent: Any, advance: Any, seed: int) -> Played:
        source: Any = self.source
        env, codes, vector = source.env, source.codes, self.seen.vector
        discount, free = float(agent.settings[_loops.DISCOUNT]), self._mask(None)
        observation, info = env.reset(seed=seed)
        allowed = self._mask(mask_of(info))
        action = advance(agent, -1, 0.0, 0.0, False, vector(observation), allowed, allowed)
        total, steps, ended, cut = 0.0, 0, False, False
        while action >= 0 and not cut:
            observation, reward, terminated, truncated, info = env.step(codes[action])
            reward = finite(reward, source.actions[action])
            ended = bool(terminated)
            steps += 1
            total += reward
            cut = not ended and (bool(truncated) or steps >= self.limit)
            after, later = free, discount
            if info:  # rare; reading it costs as much as a step
                after = self._mask(mask_of(info))
                later = discount ** info.get("duration", 1) if isinstance(info, Mapping) else discount
            action = advance(agent, action, reward, later, ended, vector(observation), allowed, after)
            allowed = after
        return Played(np.array([total]), np.array([steps]), np.array([cut]))

    def _mask(self, allowed: Any) -> Floats:
        return np.ones(len(self.actions)) if allowed is None else np.asarray(allowed, dtype=np.float64)

    def allowed(self) -> NDArray[np.bool_]:
        """Return the actions allowed in each listed state; empty if not known in advance."""
        if isinstance(self.source, Simulated):
            return (process_of(self.source.mdp)[1] > 0) & ~self.source.mdp.absorbing[:, None]
        return np.empty((0, len(self.actions)), dtype=bool)


def action_names(source: Simulated | Stepped) -> tuple[str, ...]:
    """Return the display names of the actions."""
    if isinstance(source, Simulated):
        return source.mdp.action_names or tuple(map(str, source.actions))
    return source.names.of_actions(source.actions) or tuple(map(str, source.actions))


def action_number(source: Simulated | Stepped, action: Any) -> int:
    """Return the index of an action given by its own or its display name."""
    for names in (tuple(source.actions), action_names(source)):
        if action in names:
            return names.index(action)
    raise InputError(f"there is no action {action!r}; the actions are {', '.join(action_names(source))}")


def process_of(mdp: MDP) -> tuple[Any, Floats]:
    """Return a process for the loops, and a 0/1 mask of the actions allowed in each state."""
    pair = np.full((mdp.n_states, len(mdp.actions)), -1, dtype=np.int64)
    pair[mdp.pair_state, mdp.pair_action] = np.arange(mdp.n_pairs)
    process = _loops.Process(
        pair, mdp.first, mdp.next_state, mdp.probability, mdp.reward, mdp.ends, mdp.start, mdp.absorbing
    )
    return process, (pair >= 0).astype(np.float64)


def _of_process(mdp: MDP, function: Callable[[Any], Any] | None) -> Observations:
    """Describe the states of a process by a function or by their numeric features."""
    if function is not None:
        rows = [np.asarray(function(state), dtype=np.float64).ravel() for state in mdp.states]
        names = tuple(f"feature {k + 1}" for k in range(len(rows[0])))
        table = np.array([checked(row, names) for row in rows])
    else:
        columns = {
            name: np.array(values, dtype=np.float64)
            for name, values in mdp.features.items()
            if all(isinstance(value, int | float | np.number) for value in values)
        }
        names = tuple(columns)
        table = np.column_stack(list(columns.values())) if columns else np.empty((mdp.n_states, 0))
    ends = table.min(axis=0), table.max(axis=0)
    return Observations(names, *ends, mdp.states, table, function, mdp.state_names)


def _of_environment(source: Stepped, function: Callable[[Any], Any] | None) -> Observations:
    env = source.env
    space = env.observation_space
    states = getattr(space, "states", None)
    if states is None and hasattr(space, "n") and np.ndim(space.n) == 0 and getattr(space, "shape", ()) == ():
        states = tuple(range(int(getattr(space, "start", 0)), int(getattr(space, "start", 0)) + int(space.n)))
    if states:
        nothing = np.empty((len(states), 0))
        if function is not None:
            nothing = np.array([np.asarray(function(state), dtype=np.float64).ravel() for state in states])
        names = tuple(f"feature {k + 1}" for k in range(nothing.shape[1]))
        ends, called = (nothing.min(axis=0), nothing.max(axis=0)), source.names.of_states(states)
        return Observations(names, *ends, tuple(states), nothing, function, called)
    if function is not None:
        first = np.asarray(function(env.reset(seed=0)[0]), dtype=np.float64).ravel()
        names = tuple(f"feature {k + 1}" for k in range(len(first)))
        none = np.full(len(first), np.inf)
        return Observations(names, -none, none, function=function)
    low, high = _bounds(space)
    names = source.names.of_numbers(len(low)) or tuple(f"x{k}" for k in range(len(low)))
    if unordered := [name for name, discrete in zip(names, _discrete(space), strict=True) if discrete]:
        note(
            f"the observations' discrete part{'s' * (len(unordered) > 1)} {listed(unordered)} "
            f"{'are' if len(unordered) > 1 else 'is'} treated as ordered; if the order means nothing, give a "
            "function with an indicator of each value as features"
        )
    return Observations(names, low, high)


def _discrete(space: Any) -> list[bool]:
    """Return, for each number in a space, whether it stands for one of several values without a given order."""
    if hasattr(space, "spaces"):
        within = space.spaces.values() if isinstance(space.spaces, Mapping) else space.spaces
        return [discrete for part in within for discrete in _discrete(part)]
    if hasattr(space, "nvec"):
        return [size > 2 for size in np.ravel(space.nvec).tolist()]
    if hasattr(space, "n") and np.ndim(space.n) == 0 and getattr(space, "shape", ()) == ():
        return [int(space.n) > 2]
    return [False] * len(_bounds(space)[0])


def _bounds(space: Any) -> tuple[Floats, Floats]:
    """Return the ranges of all numbers in a space."""
    if hasattr(space, "spaces"):
        within = space.spaces.values() if isinstance(space.spaces, Mapping) else space.spaces
        parts = [_bounds(part) for part in within]
        return np.concatenate([low for low, _ in parts]), np.concatenate([high for _, high in parts])
    if hasattr(space, "low") and hasattr(space, "high"):
        low, high = (np.asarray(end, dtype=np.float64).ravel() for end in (space.low, space.high))
        return low, high
    if hasattr(space, "nvec"):
        sizes = np.asarray(space.nvec, dtype=np.float64).ravel()
        return np.zeros(len(sizes)), sizes - 1
    if hasattr(space, "n"):
        n = int(np.prod(getattr(space, "shape", ()) or (1,)))
        return np.zeros(n), np.full(n, float(space.n) - 1 if np.ndim(space.n) == 0 and n == 1 else 1.0)
    raise InputError(
        "the observations cannot be listed in advance; use QLearning, which learns a table, or give a "
        "function from observations to numbers as features"
    )
