"""Display names of the states, actions and features of an environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.values import Value, plain

NEUTRAL = ("TimeLimit", "OrderEnforcing", "PassiveEnvChecker", "RecordEpisodeStatistics")
"""Gymnasium wrappers that do not change an environment's behaviour, apart from the declared step limit."""
SQUARE = "square"
"""Feature that describes a grid square: start, goal, hole, cliff."""

State = Value | tuple[Any, ...]
"""A state or action in the environment's naming; several parts form a tuple."""
Described = Mapping[Any, Any] | Sequence[Any] | Callable[[Any], Any]
"""A description of each state: by state, by index, or as a function of it."""


@dataclass(frozen=True, eq=False)
class Names:
    """Display names of the parts of an environment.

    Parameters
    ----------
    actions : sequence or dict, optional
        Names of the actions, in the environment's order or by the environment's own action.
    states : dict, sequence or function, optional
        Names of the states; by default built from the features.
    features : sequence or dict, optional
        Names of the parts of an observation; or a mapping from a feature's name to its value in every state: a
        function of the state, a dict, or a sequence in the order of the states.
    strict : bool
        Whether invalid names are an error; otherwise they are ignored.

    Examples
    --------
    >>> names = Names(actions=["stick", "hit"], features=["player", "dealer"])
    >>> names.of_actions((0, 1)), names.of_states([(14, 10)])
    (('stick', 'hit'), ('player 14, dealer 10',))
    """

    actions: Sequence[Any] | Mapping[Any, Any] | None = None
    states: Described | None = None
    features: Sequence[str] | Mapping[str, Described] | None = None
    strict: bool = True

    def over(self, others: Names) -> Names:
        """Return these names, completed by others where missing."""
        return Names(
            others.actions if self.actions is None else self.actions,
            others.states if self.states is None else self.states,
            others.features if self.features is None else self.features,
            self.strict,
        )

    def of_actions(self, actions: Sequence[Any]) -> tuple[str, ...]:
        """Return the names of the actions; empty if none were given."""
        if self.actions is None:
            return ()
        if not isinstance(self.actions, Mapping) and len(self.actions) != len(actions):
            if not self.strict:
                return ()
            raise InputError(
                f"actions has {len(self.actions)} names, but the environment has {len(actions)} "
                "actions; give one name per action"
            )
        found = _of_each(self.actions, actions, "actions")
        if len(set(found)) < len(found):
            raise InputError("actions gives two actions the same name; give each its own name")
        return tuple(map(str, found))

    def of_features(self, states: Sequence[Any]) -> dict[str, tuple[Value, ...]]:
        """Return the value of each feature in every state."""
        if self.features is None:
            return {}
        if isinstance(self.features, Mapping):
            return {
                str(name): tuple(map(plain, _of_each(values, states, f"feature {name!r}")))
                for name, values in self.features.items()
            }
        parts = [state if isinstance(state, tuple) else (state,) for state in states]
        if any(len(part) != len(self.features) for part in parts):
            if not self.strict:
                return {}
            raise InputError(
                f"features has {len(self.features)} names, but a state such as {states[0]!r} has "
                f"{len(parts[0])} parts; give one name per part"
            )
        return {str(name): tuple(plain(part[k]) for part in parts) for k, name in enumerate(self.features)}

    def of_states(self, states: Sequence[Any]) -> tuple[str, ...]:
        """Return the names of the states, as given or from their features; empty if there are none."""
        if self.states is not None:
            return tuple(map(str, _of_each(self.states, states, "states")))
        told = {name: values for name, values in self.of_features(states).items() if name != SQUARE}
        return tuple(
            ", ".join(f"{name} {value}" for name, value in zip(told, row, strict=True))
            for row in zip(*told.values(), strict=True)
        )

    def of_numbers(self, n: int) -> tuple[str, ...]:
        """Return the names of the numbers of an observation; empty if none were given."""
        if self.features is None or isinstance(self.features, Mapping):
            return ()
        if len(self.features) != n:
            if not self.strict:
                return ()
            raise InputError(
                f"features has {len(self.features)} names, but an observation has {n} numbers; give "
                "one name per number"
            )
        return tuple(map(str, self.features))


@dataclass(frozen=True, eq=False)
class NamedSource:
    """A source of experience with user-defined names."""

    source: Any
    names: Names


def named(
    source: Any,
    actions: Sequence[Any] | Mapping[Any, Any] | None = None,
    states: Described | None = None,
    features: Sequence[str] | Mapping[str, Described] | None = None,
) -> Any:
    """Return a source with names for its actions, states and features; the source itself if none are given."""
    given = (actions, states, features)
    return source if all(each is None for each in given) else NamedSource(source, Names(*given))


def own_names(env: Any) -> Names:
    """Return the names defined by an environment, or those of a well-known gymnasium environment."""
    inner = getattr(env, "unwrapped", env)
    known = KNOWN.get(type(inner).__name__) if plainly_wrapped(env) else None
    numbers = getattr(inner, "names", None)
    own = Names(
        actions=getattr(inner, "action_names", None),
        features=tuple(numbers) if isinstance(numbers, tuple | list) else None,
        strict=False,
    )
    return own if known is None else own.over(known(inner))


def plainly_wrapped(env: Any) -> bool:
    """Return whether no wrapper changes an environment's behaviour."""
    inner = getattr(env, "unwrapped", env)
    while env is not inner:
        if type(env).__name__ not in NEUTRAL:
            return False
        env = env.env
    return True


def state_of(observation: Any) -> Any:
    """Return an observation as a state name: arrays, lists and dicts of numbers become tuples.

    Examples
    --------
    >>> state_of(np.array([3, 1])), state_of(np.int64(7)), state_of({"a": np.int64(1), "b": 2})
    ((3, 1), 7, (1, 2))
    """
    if isinstance(observation, np.ndarray | np.generic):
        observation = observation.tolist()
    if isinstance(observation, Mapping):
        observation = tuple(observation.values())
    if isinstance(observation, list | tuple):
        return tuple(map(state_of, observation))
    return observation


def _of_each(described: Described, things: Sequence[Any], what: str) -> list[Any]:
    if callable(described):
        return [described(thing) for thing in things]
    if isinstance(described, Mapping):
        missing = next((thing for thing in things if thing not in described), None)
        if missing is not None:
            raise InputError(f"{what} has no value for {missing!r}; give one for each")
        return [described[thing] for thing in things]
    if len(described) != len(things):
        raise InputError(
            f"{what} has {len(described)} values, but {len(things)} are needed; give one for each"
        )
    return list(described)


# --- the well-known environments of gymnasium ---------------------------------------------------------------------


def _on_grid(width: int, letters: Mapping[int, str]) -> dict[str, Described]:
    """Return the features of squares numbered row by row; `letters` describes some of them."""
    return {
        "row": lambda state: state // width,
        "column": lambda state: state % width,
        SQUARE: lambda state: letters.get(state, "free"),
    }


def _frozen_lake(env: Any) -> Names:
    called = {b"S": "start", b"H": "hole", b"G": "goal"}
    letters = {k: called[letter] for k, letter in enumerate(env.desc.ravel().tolist()) if letter in called}
    return Names(("left", "down", "right", "up"), None, _on_grid(env.desc.shape[1], letters))


def _cliff(env: Any) -> Names:
    height, width = env.shape
    last = (height - 1) * width
    letters = {last: "start", last + width - 1: "goal"}
    letters |= {last + k: "cliff" for k in range(1, width - 1)}
    return Names(("up", "right", "down", "left"), None, _on_grid(width, letters))


def _taxi(env: Any) -> Names:
    stands = ("red", "green", "yellow", "blue", "in taxi")

    def part(k: int, state: int) -> int:
        return int(list(env.decode(state))[k])

    return Names(
        ("south", "north", "east", "west", "pick up", "drop off"),
        None,
        {
            "row": partial(part, 0),
            "column": partial(part, 1),
            "passenger": lambda state: stands[part(2, state)],
            "destination": lambda state: stands[part(3, state)],
        },
    )


def _blackjack(env: Any) -> Names:
    return Names(
        ("stick", "hit"),
        None,
        {
            "player": lambda state: state[0],
            "dealer": lambda state: state[1],
            "usable ace": lambda state: "yes" if state[2] else "no",
        },
    )


def _numbers(actions: tuple[str, ...] | None, *names: str) -> Callable[[Any], Names]:
    return lambda env: Names(actions, None, names)


KNOWN: dict[str, Callable[[Any], Names]] = {
    "FrozenLakeEnv": _frozen_lake,
    "CliffWalkingEnv": _cliff,
    "TaxiEnv": _taxi,
    "BlackjackEnv": _blackjack,
    "CartPoleEnv": _numbers(("left", "right"), "position", "velocity", "angle", "angular velocity"),
    "MountainCarEnv": _numbers(("left", "coast", "right"), "position", "velocity"),
    "Continuous_MountainCarEnv": _numbers(None, "position", "velocity"),
    "AcrobotEnv": _numbers(
        ("torque -1", "no torque", "torque 1"),
        *("cos angle 1", "sin angle 1", "cos angle 2", "sin angle 2", "velocity 1", "velocity 2"),
    ),
    "PendulumEnv": _numbers(None, "cos angle", "sin angle", "angular velocity"),
    "LunarLander": _numbers(
        ("nothing", "left engine", "main engine", "right engine"),
        *("x", "y", "velocity x", "velocity y", "angle", "angular velocity", "left leg", "right leg"),
    ),
}
"""Names of known environments, by class."""
