"""Sources of experience: a simulated process, or an environment stepped directly."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.randomness import RandomState, generator
from induce.core.values import plain
from induce.environments.catalogue import ENVIRONMENTS, environment
from induce.environments.mdp import MDP
from induce.environments.names import NamedSource, Names, State, own_names, plainly_wrapped
from induce.environments.tables import EstimatedMDP

MOST_STEPS = 1000
"""Default maximum number of steps per episode."""
MANY_NUMBERS = 20
"""Number of numbers in a state above which few states occur twice."""
MOST_ACTIONS = 10_000
"""Maximum number of combinations of a multi-discrete action."""

Mask = NDArray[np.bool_] | None


class Simulated:
    """A decision process as its own simulator.

    Parameters
    ----------
    mdp : MDP
        Process to simulate.
    max_steps : int, optional
        Maximum number of steps per episode.

    Attributes
    ----------
    limit : int
        `max_steps`, or 1000 by default.

    Examples
    --------
    >>> corridor = Simulated(MDP.of({"a": {"go": ("b", 1)}, "b": {"go": ("c", 5), "back": "a"}}, start="a"))
    >>> corridor.reset(seed=0)
    ('a', ('go',))
    >>> corridor.step("go")
    ('b', 1.0, False, False, ('go', 'back'))
    >>> corridor.step("go")
    ('c', 5.0, True, False, ())
    """

    def __init__(self, mdp: MDP, max_steps: int | None = None) -> None:
        self.mdp = mdp
        self.max_steps = max_steps
        self.limit = MOST_STEPS if max_steps is None else max_steps
        self._place = -1
        self._steps = 0
        self._random = generator(None)

    @property
    def actions(self) -> tuple[State, ...]:
        """Names of all actions."""
        return self.mdp.actions

    @cached_property
    def _allowed(self) -> list[dict[State, int]]:
        """Mapping from allowed action to pair, for each state; empty for an absorbing state."""
        allowed: list[dict[State, int]] = [{} for _ in self.mdp.states]
        for pair, (state, action) in enumerate(self.mdp.pairs()):
            place = self.mdp.place(state)
            if not self.mdp.absorbing[place]:
                allowed[place][action] = pair
        return allowed

    def reset(self, seed: RandomState = None) -> tuple[State, tuple[State, ...]]:
        """Begin an episode; return its first state and the allowed actions."""
        if seed is not None:
            self._random = generator(seed)
        self._steps = 0
        self._place = int(self._random.choice(self.mdp.n_states, p=self.mdp.start))
        return self.mdp.states[self._place], tuple(self._allowed[self._place])

    def step(self, action: Any) -> tuple[State, float, bool, bool, tuple[State, ...]]:
        """Act; return the next state, reward, whether the episode ended or was cut off, and the allowed actions."""
        mdp = self.mdp
        pair = self._allowed[self._place].get(action) if self._place >= 0 else None
        if pair is None:
            mdp.action_number(action)
            where = repr(mdp.states[self._place]) if self._place >= 0 else "the beginning; call `reset` first"
            raise InputError(f"action {action!r} is not allowed in {where}")
        begin, end = int(mdp.first[pair]), int(mdp.first[pair + 1])
        k = begin + int(self._random.choice(end - begin, p=mdp.probability[begin:end]))
        self._place = int(mdp.next_state[k])
        self._steps += 1
        allowed = self._allowed[self._place]
        ended = bool(mdp.ends[k]) or not allowed
        state = mdp.states[self._place]
        return state, float(mdp.reward[k]), ended, not ended and self._steps >= self.limit, tuple(allowed)


class Stepped:
    """An environment that follows the gymnasium interface, stepped directly.

    Actions are numbered from 0; those of a multi-discrete space, and of a dictionary or tuple of discrete spaces,
    are all combinations. Discrete observations are
    states, named by `name`; `vector` returns the numbers of any observation. An ``action_mask`` in ``info`` restricts
    the allowed actions.

    Parameters
    ----------
    env : object
        Object with `reset`, `step`, `action_space` and `observation_space`.
    max_steps : int, optional
        Maximum number of steps per episode, in addition to the environment's own limit.
    names : Names, optional
        Display names; by default the environment's own or built-in ones.

    Attributes
    ----------
    actions : tuple
        Actions in the environment's naming.
    countable : bool
        Whether observations are discrete states, made up of integers or text.
    hashable : bool
        Whether observations are hashable themselves.
    own_limit : int or None
        Environment's own step limit, if declared.
    limit : int
        Step limit applied here: `max_steps`, or 1000 if no limit is set.
    """

    def __init__(self, env: Any, max_steps: int | None = None, names: Names | None = None) -> None:
        for part in ("reset", "step", "action_space", "observation_space"):
            if not hasattr(env, part):
                raise InputError(
                    f"{type(env).__name__} is not an environment to learn from: it has no {part}; give a decision "
                    "process, a name, or an environment of gymnasium"
                )
        self.env = env
        self.names = own_names(env) if names is None else names.over(own_names(env))
        self._keeps = False
        self.codes = _actions(env.action_space)
        self.actions: tuple[Any, ...] = tuple(map(_action_name, self.codes))
        self.name, self.countable = _namer(env.observation_space)
        self.hashable = self.name in (int, _ints)
        self.own_limit: int | None = _own_limit(env)
        self.max_steps = max_steps
        self.limit: int = MOST_STEPS if max_steps is None else max_steps
        if max_steps is None and self.own_limit is not None:
            self.limit = self.own_limit

    def reset(self, seed: int | None = None) -> tuple[Any, Mask]:
        """Begin an episode; return the first observation and a mask of allowed actions (None for all)."""
        observation, info = self.env.reset(seed=seed)
        return observation, mask_of(info)

    def begin(self, seed: int, episode: int) -> tuple[Any, Any]:
        """Begin an episode of a run; return the first observation and the environment's info.

        The first episode of a run seeds the environment. If its generator cannot be saved, every episode does,
        so that a run can be resumed.
        """
        if episode > 0 and self._keeps:
            observation, info = self.env.reset()
            return observation, info
        own = np.random.SeedSequence(seed, spawn_key=(1, episode)).generate_state(1)[0]
        observation, info = self.env.reset(seed=int(own))
        self._keeps = self.randomness() is not None
        return observation, info

    def step(self, action: int) -> tuple[Any, float, bool, bool, Mask]:
        """Act; return the observation, reward, whether the episode ended or was cut off, and the action mask.

        The step limit is not applied here but by the caller.
        """
        observation, reward, terminated, truncated, info = self.env.step(self.codes[action])
        return (
            observation,
            finite(reward, self.actions[action]),
            bool(terminated),
            bool(truncated),
            mask_of(info),
        )

    def vector(self, observation: Any) -> NDArray[np.float64]:
        """Return an observation as numbers."""
        if isinstance(observation, Mapping):
            parts: Any = observation.values()
        elif isinstance(observation, tuple):
            parts = observation
        else:
            return np.asarray(observation, dtype=np.float64).ravel()
        return np.concatenate([self.vector(part) for part in parts])

    def randomness(self) -> dict[str, Any] | None:
        """Return the state of the environment's random generator; None if it cannot be saved."""
        found = getattr(getattr(self.env, "unwrapped", self.env), "np_random", None)
        return dict(found.bit_generator.state) if isinstance(found, np.random.Generator) else None

    def restore(self, state: dict[str, Any]) -> None:
        """Restore the environment's random generator."""
        kept = getattr(np.random, state["bit_generator"])()
        kept.state = state
        getattr(self.env, "unwrapped", self.env).np_random = np.random.Generator(kept)
        self._keeps = True

    def check_countable(self) -> None:
        """Raise an `InputError` unless observations are discrete states."""
        if not self.countable:
            raise InputError(
                f"the observations of {type(getattr(self.env, 'unwrapped', self.env)).__name__} are "
                "continuous, so they do not fit into a table; use ApproximateQLearning, or a wrapper that "
                "discretises them"
            )
        n_numbers = _n_numbers(self.env.observation_space)
        if n_numbers > MANY_NUMBERS:
            note(
                f"a state is made up of {n_numbers:,} numbers, so few states occur twice and a table learns little; "
                "ApproximateQLearning generalises over states, and a wrapper can summarise them"
            )


def open_source(source: Any, max_steps: int | None = None) -> Simulated | Stepped:
    """Open a learner's source of experience.

    Parameters
    ----------
    source : MDP, EstimatedMDP, environment of gymnasium, or str
        Process, environment, name of a built-in process, or gymnasium id. An environment with a model is simulated
        from it, keeping its step limit; any other is stepped.
    max_steps : int, optional
        Maximum number of steps per episode; by default the environment's limit, or 1000.

    Returns
    -------
    Simulated or Stepped

    Examples
    --------
    >>> open_source("mitchell-13.2").mdp
    MDP: 6 states, 5 actions, 13 pairs, 13 transitions, 1 absorbing state
    """
    if max_steps is not None:
        at_least("max_steps", max_steps, 1, whole=True)
    if isinstance(source, NamedSource):
        return _with_names(open_source(source.source, max_steps), source.names)
    if isinstance(source, Simulated | Stepped):
        return source if max_steps is None else open_source(_inner(source), max_steps)
    if isinstance(source, str):
        source = _named(source)
    if isinstance(source, EstimatedMDP):
        source = source.mdp
    if isinstance(source, MDP):
        return Simulated(source, max_steps)
    if _has_model(source):
        return Simulated(MDP.from_env(source), max_steps if max_steps is not None else _own_limit(source))
    return Stepped(source, max_steps)


def _with_names(source: Simulated | Stepped, names: Names) -> Simulated | Stepped:
    if isinstance(source, Simulated):
        return Simulated(source.mdp.named(names), source.max_steps)
    return Stepped(source.env, source.max_steps, names)


def mask_of(info: Any) -> Mask:
    """Return the mask of allowed actions from an environment's info."""
    mask = info.get("action_mask") if isinstance(info, Mapping) else None
    return None if mask is None else np.asarray(mask).ravel().astype(bool)


def finite(reward: Any, action: Any) -> float:
    """Return a reward as a number, or raise an `InputError`."""
    try:
        number = float(reward)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(
            f"the environment gave the reward {reward!r} for action {action!r}; give finite numbers"
        )
    return number


def _inner(source: Simulated | Stepped) -> Any:
    return source.mdp if isinstance(source, Simulated) else source.env


def _named(name: str) -> Any:
    if name in ENVIRONMENTS:
        return environment(name)
    shipped = ", ".join(map(repr, ENVIRONMENTS))
    try:
        import gymnasium
    except ImportError:
        raise InputError(
            f"there is no process {name!r}; the built-in ones are {shipped}; environments of gymnasium need the "
            "package gymnasium; install it with: pip install gymnasium"
        ) from None
    try:
        return gymnasium.make(name)
    except gymnasium.error.UnregisteredEnv:
        raise InputError(
            f"there is no process {name!r}; the built-in ones are {shipped}, and gymnasium has none of "
            "that name"
        ) from None
    except gymnasium.error.Error as problem:
        reason = " ".join(str(problem).split())
        raise InputError(f"gymnasium cannot make {name!r}: {reason}") from None


def _own_limit(env: Any) -> int | None:
    limit = getattr(getattr(env, "spec", None), "max_episode_steps", None)
    return None if limit is None else int(limit)


def _has_model(env: Any) -> bool:
    """Return whether an environment has a model that no wrapper or option invalidates."""
    inner = getattr(env, "unwrapped", env)
    if not isinstance(getattr(inner, "P", None), Mapping) or not plainly_wrapped(env):
        return False
    return not getattr(inner, "fickle_passenger", False)  # not reflected in the model of gymnasium's taxi


def _actions(space: Any) -> list[Any]:
    """Return the actions in the environment's naming."""
    if hasattr(space, "spaces"):
        keyed = isinstance(space.spaces, Mapping)
        parts = [_actions(part) for part in (space.spaces.values() if keyed else space.spaces)]
        _check_combinations(float(np.prod([float(len(part)) for part in parts])))
        combined = itertools.product(*parts)
        return [dict(zip(space.spaces, codes, strict=True)) for codes in combined] if keyed else [*combined]
    if hasattr(space, "nvec"):
        sizes = np.asarray(space.nvec, dtype=np.int64).ravel()
    elif hasattr(space, "n") and np.ndim(space.n) == 0 and getattr(space, "shape", ()) == ():
        start = int(getattr(space, "start", 0))
        return list(range(start, start + int(space.n)))
    elif hasattr(space, "n"):
        sizes = np.full(int(np.prod(space.shape)), 2)
    else:
        remedy = (
            "discretise them with a wrapper such as gymnasium's DiscretizeAction"
            if hasattr(space, "low")
            else "give a wrapper whose actions are numbered"
        )
        raise InputError(f"the actions are {_described(space)}; {remedy}")
    _check_combinations(float(np.prod(sizes.astype(float))))
    least = np.asarray(getattr(space, "start", 0))
    shape = getattr(space, "shape", sizes.shape)
    return [np.array(each).reshape(shape) + least for each in itertools.product(*map(range, sizes.tolist()))]


def _check_combinations(n: float) -> None:
    if n > MOST_ACTIONS:
        raise InputError(
            f"the actions have {n:,.0f} combinations, but the limit is {MOST_ACTIONS:,}; reduce them with a wrapper"
        )


def _action_name(code: Any) -> Any:
    """Return the name of an action: an integer, or a tuple of the integers of its parts."""
    if isinstance(code, np.ndarray):
        return tuple(map(int, code.ravel()))
    if isinstance(code, Mapping):
        code = tuple(code.values())
    if not isinstance(code, tuple):
        return int(code)
    parts = map(_action_name, code)
    return tuple(
        itertools.chain.from_iterable(part if isinstance(part, tuple) else (part,) for part in parts)
    )


def _n_numbers(space: Any) -> int:
    """Return how many numbers make up an observation."""
    if hasattr(space, "spaces"):
        return sum(
            map(_n_numbers, space.spaces.values() if isinstance(space.spaces, Mapping) else space.spaces)
        )
    return int(np.prod(getattr(space, "shape", None) or (1,)))


def _described(space: Any) -> str:
    return "continuous" if hasattr(space, "low") else f"of the kind {type(space).__name__}"


def _namer(space: Any) -> tuple[Callable[[Any], Hashable], bool]:
    """Return the function from observations to state names, and whether the space is discrete."""
    if hasattr(space, "nvec") or hasattr(space, "low"):
        whole = np.issubdtype(getattr(space, "dtype", np.int64), np.integer)
        return (_whole_numbers if whole else _numbers), whole
    if hasattr(space, "spaces"):
        within = space.spaces
        keyed = isinstance(within, Mapping)
        parts = [_namer(part) for part in (within.values() if keyed else within)]
        countable = all(part[1] for part in parts)
        if keyed:
            return (
                lambda seen: tuple(part[0](seen[key]) for key, part in zip(within, parts, strict=True))
            ), countable
        if all(part[0] is int for part in parts):
            return _ints, countable
        return (lambda seen: tuple(part[0](each) for each, part in zip(seen, parts, strict=True))), countable
    if hasattr(space, "n"):
        return (int if getattr(space, "shape", ()) == () else _whole_numbers), True
    return plain, True


def _ints(seen: Any) -> tuple[int, ...]:
    return tuple(map(int, seen))


def _whole_numbers(seen: Any) -> tuple[int, ...]:
    return tuple(np.asarray(seen).ravel().astype(np.int64).tolist())


def _numbers(seen: Any) -> tuple[float, ...]:
    return tuple(np.asarray(seen, dtype=np.float64).ravel().tolist())
