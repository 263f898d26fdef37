"""Environment wrappers: hidden state, history windows and extended actions (Mitchell 13.8)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least, probability
from induce.core.errors import InputError
from induce.environments.control import Choices, Ranges
from induce.environments.sources import MOST_STEPS, Simulated, open_source


@dataclass(frozen=True)
class Named:
    """A space of named observations, listed if known in advance."""

    states: tuple[Any, ...] = ()


class Wrapper:
    """An environment wrapper with the gymnasium interface.

    Actions are numbered from 0; `action_names` are those of the wrapped environment. Observations of a decision
    process are the names of its states.

    Parameters
    ----------
    source : MDP, environment of gymnasium, or str
    """

    def __init__(self, source: Any) -> None:
        self.inner = open_source(source)
        env = getattr(self.inner, "env", None)
        self.action_names: tuple[Any, ...] = tuple(getattr(env, "action_names", self.inner.actions))
        self.action_space = Choices(len(self.action_names))
        self.observation_space: Any = (
            Named(self.inner.mdp.states)
            if isinstance(self.inner, Simulated)
            else self.inner.env.observation_space
        )
        self._steps = 0

    @property
    def countable(self) -> bool:
        """Whether observations are discrete states."""
        return isinstance(self.inner, Simulated) or self.inner.countable

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; return the first observation and the action mask."""
        self._steps = 0
        observation, allowed = self.inner.reset(seed)
        return observation, self._info(allowed)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Act; return the observation, reward, whether the episode ended or was cut off, and the action mask."""
        taken: Any = self.inner.actions[action] if isinstance(self.inner, Simulated) else action
        observation, reward, ended, cut, allowed = self.inner.step(taken)
        self._steps += 1
        return observation, reward, ended, cut or self._steps >= self.inner.limit, self._info(allowed)

    def _info(self, allowed: Any) -> dict[str, Any]:
        if allowed is None:
            return {}
        if isinstance(self.inner, Simulated):
            allowed = [action in allowed for action in self.inner.actions]
        return {"action_mask": np.asarray(allowed, dtype=bool)}


class Hidden(Wrapper):
    """A decision process whose states are only partially observed (Mitchell 13.1).

    Parameters
    ----------
    source : MDP or str
        Process to wrap.
    observe : dict, str or function
        Observation of a state: a mapping from state to observation (states not in the dict are observed
        unchanged), the name of a feature, or a function of the state.

    Examples
    --------
    >>> from induce.environments import MDP
    >>> doors = MDP.of({"L": {"go": "left door"}, "R": {"go": "right door"}})
    >>> Hidden(doors, {"L": "hall", "R": "hall"}).reset(seed=0)[0]
    'hall'
    """

    def __init__(self, source: Any, observe: Mapping[Any, Any] | str | Callable[[Any], Any]) -> None:
        super().__init__(source)
        if not isinstance(self.inner, Simulated):
            raise InputError(
                "Hidden takes a decision process; hide parts of other environments with a gymnasium wrapper"
            )
        mdp = self.inner.mdp
        if isinstance(observe, str):
            if observe not in mdp.features:
                raise InputError(
                    f"observe is {observe!r}; the features of the states are {', '.join(mdp.features) or 'none'}"
                )
            seen = dict(zip(mdp.states, mdp.features[observe], strict=True))
        elif callable(observe):
            seen = {state: observe(state) for state in mdp.states}
        else:
            seen = {state: observe.get(state, state) for state in mdp.states}
        self._seen = seen
        self.observation_space = Named(tuple(dict.fromkeys(seen.values())))

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; return the observation of the first state."""
        state, info = super().reset(seed=seed)
        return self._seen[state], info

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Act; return the observation of the next state, and the rest."""
        state, reward, ended, cut, info = super().step(action)
        return self._seen[state], reward, ended, cut, info


class HistoryWindow(Wrapper):
    """An environment whose observations are windows of the last observations, which reveal hidden state.

    Discrete observations are joined with the actions between them: a window of three is the tuple (observation,
    action, observation, action, observation), shorter at the beginning of an episode; a window of one is the
    observation. Real numbers are joined without actions; at the beginning the first observation is
    repeated.

    Parameters
    ----------
    source : MDP, environment of gymnasium, or str
        Process or environment to wrap.
    n : int
        Number of observations per window.

    Examples
    --------
    >>> from induce.environments import MDP
    >>> corridor = HistoryWindow(MDP.of({"a": {"go": "b"}, "b": {"go": "c"}}, start="a"), 2)
    >>> corridor.reset(seed=0)[0]
    ('a',)
    >>> corridor.step(0)[0]
    ('a', 'go', 'b')
    """

    def __init__(self, source: Any, n: int) -> None:
        at_least("n", n, 1, whole=True)
        super().__init__(source)
        self.n = n
        self._env: Any = self.inner.env if hasattr(self.inner, "env") else None
        self._past: deque[Any] = deque(maxlen=2 * n - 1)
        if not self.countable:
            space = self.observation_space
            low, high = (
                np.tile(np.ravel(np.asarray(end, dtype=np.float64)), n) for end in (space.low, space.high)
            )
            self.observation_space = Ranges(low, high)
            names = getattr(self._env, "names", None)
            if names is not None:
                self.names = tuple(
                    f"{name} {n - 1 - k} ago" if k < n - 1 else name for k in range(n) for name in names
                )
        elif n > 1:
            self.observation_space = Named()

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode with an empty history."""
        observation, info = super().reset(seed=seed)
        self._past.clear()
        return self._window(observation), info

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Act; return the window with the new observation, and the rest."""
        self._past.append(self.action_names[action])
        observation, reward, ended, cut, info = super().step(action)
        return self._window(observation), reward, ended, cut, info

    def _window(self, observation: Any) -> Any:
        if self.countable:
            if not isinstance(self.inner, Simulated):
                observation = self.inner.name(observation)
            self._past.append(observation)
            if self.n == 1:
                return observation
            seen = tuple(self._past)
            return seen if len(seen) % 2 else seen[1:]
        numbers = np.ravel(np.asarray(observation, dtype=np.float64))
        if not self._past:
            self._past.extend([numbers, None] * (self.n - 1))
        self._past.append(numbers)
        return np.concatenate([part for part in self._past if isinstance(part, np.ndarray)])


class UntilBlocked:
    """An action repeated until it is not allowed or has no effect.

    Parameters
    ----------
    action : object
        Name of the action.
    """

    def __init__(self, action: Any) -> None:
        self.action = action


class ExtendedActions(Wrapper):
    """An environment with additional actions that last several steps (Singh 1993; Mitchell 13.8).

    The reward of such an action is the discounted sum of its rewards; ``info["duration"]`` is the number of
    steps, by which learners discount the next value.

    Parameters
    ----------
    source : MDP, environment of gymnasium, or str
        Process or environment to wrap.
    extended : dict
        Mapping from the name of an action to its definition: a list of actions run in sequence, `UntilBlocked`, or a
        function from an observation to the next action, or None to stop. It stops if an action is not allowed.
    discount : float
        Discount factor of the learner.

    Examples
    --------
    >>> from induce.environments import grid_world
    >>> corridor = grid_world("S.G", {"G": 100})
    >>> longer = ExtendedActions(corridor, {"to the end": UntilBlocked("right")}, discount=0.9)
    >>> state, info = longer.reset(seed=0)
    >>> state, reward, ended, _, info = longer.step(longer.action_names.index("to the end"))
    >>> state, round(reward, 6), ended, info["duration"]
    ((0, 2), 90.0, True, 2)
    """

    def __init__(self, source: Any, extended: Mapping[Any, Any], discount: float) -> None:
        super().__init__(source)
        probability("discount", discount)
        self.discount = float(discount)
        self._single = self.action_names
        for name, what in extended.items():
            if name in self._single:
                raise InputError(f"the action {name!r} already exists; give the extended action another name")
            parts = [what.action] if isinstance(what, UntilBlocked) else what
            for part in parts if isinstance(parts, Sequence) and not isinstance(parts, str) else ():
                self._number(part)
            if isinstance(parts, str) or not (isinstance(parts, Sequence) or callable(parts)):
                raise InputError(
                    f"extended action {name!r} is {what!r}; give a list, UntilBlocked or a function"
                )
        self._extended = dict(extended)
        self.action_names = (*self._single, *extended)
        self.action_space = Choices(len(self.action_names))
        self._observation: Any = None
        self._mask: NDArray[np.bool_] = np.ones(len(self._single), dtype=bool)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode."""
        observation, info = super().reset(seed=seed)
        return observation, self._kept(observation, info)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Perform one action, or an extended action to its end."""
        if action < len(self._single):
            observation, reward, ended, cut, info = super().step(action)
            return observation, reward, ended, cut, {**self._kept(observation, info), "duration": 1}
        what = self._extended[self.action_names[action]]
        total, ended, cut, duration = 0.0, False, False, 0
        while not ended and not cut and duration < MOST_STEPS:
            single = self._next(what, duration)
            if single is None or not self._mask[single]:
                break
            before = self._observation
            observation, reward, ended, cut, info = super().step(single)
            self._kept(observation, info)
            total += self.discount**duration * reward
            duration += 1
            if isinstance(what, UntilBlocked) and _same(before, observation):
                break
        return self._observation, total, ended, cut, {"action_mask": self._allowed(), "duration": duration}

    def _next(self, what: Any, k: int) -> int | None:
        if isinstance(what, UntilBlocked):
            return self._number(what.action)
        if callable(what):
            chosen = what(self._observation)
            return None if chosen is None else self._number(chosen)
        return self._number(what[k]) if k < len(what) else None

    def _number(self, action: Any) -> int:
        if action not in self._single:
            raise InputError(
                f"there is no action {action!r}; the actions are {', '.join(map(repr, self._single))}"
            )
        return self._single.index(action)

    def _kept(self, observation: Any, info: dict[str, Any]) -> dict[str, Any]:
        self._observation = observation
        self._mask = info.get("action_mask", np.ones(len(self._single), dtype=bool))
        return {"action_mask": self._allowed()}

    def _allowed(self) -> NDArray[np.bool_]:
        """Return a mask of allowed actions; an extended one is allowed if its first step is."""
        firsts = [self._next(what, 0) for what in self._extended.values()]
        starts = [first is not None and bool(self._mask[first]) for first in firsts]
        return np.concatenate([self._mask, np.array(starts, dtype=bool)])


def _same(one: Any, other: Any) -> bool:
    return bool(np.array_equal(one, other)) if isinstance(one, np.ndarray) else bool(one == other)
