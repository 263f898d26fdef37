"""Markov decision processes: states, actions, transition probabilities and rewards (Mitchell 13.2, 13.4)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.shapes import check_places, check_shapes
from induce.core.values import Value
from induce.environments.names import Names, State, own_names

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SUM = 1e-6
"""Tolerance for the sum of the probabilities of a state and an action; they are normalised to 1."""


@dataclass(frozen=True, eq=False, repr=False)
class MDP:
    """A finite Markov decision process.

    The outcome of an action depends on the state alone: `probability` of each next state, and the `reward` on
    the way. The allowed actions differ from state to state. A state is absorbing if it allows no action, or
    only those that stay without reward. A transition may also end the episode by itself, as `ends` declares.

    Construct one with `of`, `from_arrays`, `from_table` or `from_env`.

    Parameters
    ----------
    states, actions : tuple
        Names of the states and of the actions.
    pair_state, pair_action : array of int32
        Allowed pairs of a state and an action, ordered by state.
    first : array of int64
        Start of each pair's transitions, and end of the last.
    next_state : array of int32
        Next state of each transition.
    probability, reward : array of float64
        Probability and reward of each transition.
    ends : array of bool
        Whether the transition ends the episode.
    start : array of float64
        Probability that an episode starts in each state.
    features : dict
        Mapping from a feature's name to its value in every state.
    state_names, action_names : tuple of str
        Display names; empty if the states already have names.

    Examples
    --------
    >>> machine = MDP.of({
    ...     "good": {"use": [("good", 0.9, 100), ("bad", 0.1, 100)]},
    ...     "bad": {"use": [("bad", 1, 20)], "repair": [("good", 1, -50)]},
    ... })
    >>> print(machine)
    MDP: 2 states, 2 actions, 3 pairs, 4 transitions, no absorbing state
    """

    states: tuple[State, ...]
    actions: tuple[State, ...]
    pair_state: NDArray[np.int32]
    pair_action: NDArray[np.int32]
    first: Ints
    next_state: NDArray[np.int32]
    probability: Floats
    reward: Floats
    ends: NDArray[np.bool_]
    start: Floats
    features: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    state_names: tuple[str, ...] = ()
    action_names: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        model: Mapping[Any, Mapping[Any, Any]],
        start: Any = None,
        features: Mapping[str, Sequence[Any]] | None = None,
        actions: Sequence[Any] = (),
    ) -> MDP:
        """Build a process from nested dicts.

        Parameters
        ----------
        model : dict
            Mapping from state to action to outcomes: a list of ``(next, probability, reward)``, with an optional
            fourth member that is true if the episode ends; or, for deterministic actions, ``(next, reward)``, or the
            next state if its name is not a tuple.
        start : state or dict, optional
            Start state of an episode, or the probability of each; by default uniform over non-absorbing states.
        features : dict, optional
            Mapping from a feature's name to its value in every state, in the order of the states.
        actions : sequence, optional
            Order of the actions; by default the order of first appearance.

        Examples
        --------
        >>> MDP.of({"a": {"go": "b", "stay": ("a", 1)}, "b": {}}).pairs()
        [('a', 'go'), ('a', 'stay')]
        """
        states = _in_order([*model, *_named_later(model)])
        actions = _in_order([*actions, *(action for allowed in model.values() for action in allowed)])
        place = {state: k for k, state in enumerate(states)}
        number = {action: k for k, action in enumerate(actions)}
        rows = [
            (place[state], number[action], place[after], chance, reward, ends)
            for state, allowed in model.items()
            for action, outcomes in allowed.items()
            for after, chance, reward, ends in _outcomes(state, action, outcomes)
        ]
        if not rows:
            raise InputError("the process has no transition; give at least one state with an action")
        return assembled(states, actions, list(zip(*rows, strict=True)), start, features)

    @classmethod
    def from_arrays(
        cls,
        transitions: Any,
        rewards: Any,
        states: Sequence[Any] | None = None,
        actions: Sequence[Any] | None = None,
        start: Any = None,
    ) -> MDP:
        """Build a process from matrices, in the format of MDP toolboxes.

        Parameters
        ----------
        transitions : array of shape (actions, states, states), or one SciPy sparse matrix for each action
            Probability of the next state. A row of zeros means that the state does not allow the action.
        rewards : array of shape (states,), (states, actions), (actions, states, states), or sparse matrices
            Reward of a state, a pair or a transition.

        Examples
        --------
        >>> MDP.from_arrays([[[0, 1], [0, 1]]], [1, 0])
        MDP: 2 states, 1 action, 2 pairs, 2 transitions, 1 absorbing state
        """
        from induce.environments.matrices import from_matrices

        return from_matrices(transitions, rewards, states, actions, start)

    @classmethod
    def from_table(cls, table: Any, start: Any = None, features: Any = None) -> MDP:
        """Build a process from a table with one row per transition.

        Parameters
        ----------
        table : frame
            Columns ``state``, ``action``, ``next`` and ``reward``; optionally ``probability`` (1 by default) and
            ``ends`` (whether the episode ends there).
        start : state or dict, optional
        features : frame, optional
            A column ``state``, and one column per feature.

        Examples
        --------
        >>> import polars as pl
        >>> frame = pl.DataFrame({"state": ["a"], "action": ["go"], "next": ["b"], "reward": [1.0]})
        >>> MDP.from_table(frame)
        MDP: 2 states, 1 action, 1 pair, 1 transition, 1 absorbing state
        """
        from induce.environments.tables import from_table

        return from_table(table, start, features)

    @classmethod
    def from_env(cls, env: Any, actions: Any = None, states: Any = None, features: Any = None) -> MDP:
        """Build a process from a gymnasium environment that has a model, such as the toy-text ones.

        States and actions are the environment's numbers. Well-known environments have built-in display names.

        Parameters
        ----------
        env : environment
        actions : sequence or dict, optional
            Names of the actions.
        states : dict, sequence or function, optional
            Names of the states; by default built from the features.
        features : dict or sequence, optional
            Value of each feature in every state: a function of the state, a dict or a sequence.

        Examples
        --------
        >>> class Toy:
        ...     P = {0: {0: [(1.0, 1, 5.0, True)]}, 1: {0: [(1.0, 1, 0.0, True)]}}
        >>> MDP.from_env(Toy())
        MDP: 2 states, 1 action, 2 pairs, 2 transitions, 1 absorbing state
        """
        inner = getattr(env, "unwrapped", env)
        model = getattr(inner, "P", None)
        if not isinstance(model, Mapping):
            raise InputError(
                f"{type(inner).__name__} carries no model (an attribute P); learn from its steps instead"
            )
        rows = [
            (state, action, after, chance, reward, ends)
            for state, allowed in model.items()
            for action, outcomes in allowed.items()
            for chance, after, reward, ends in outcomes
        ]
        columns = list(zip(*rows, strict=True))
        start = getattr(inner, "initial_state_distrib", None)
        names = tuple(range(max(*columns[0], *columns[2]) + 1))
        process = assembled(names, tuple(range(max(columns[1]) + 1)), columns, start, None)
        return process.named(Names(actions, states, features).over(own_names(env)))

    def named(self, names: Names) -> MDP:
        """Return the process with different display names for its states, actions and features."""
        features = names.of_features(self.states)
        return replace(
            self,
            features=features or self.features,
            state_names=names.of_states(self.states) or self.state_names,
            action_names=names.of_actions(self.actions) or self.action_names,
        )

    def __post_init__(self) -> None:
        for name, kind in _DTYPES.items():
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), dtype=kind))

    @property
    def n_states(self) -> int:
        """Number of states."""
        return len(self.states)

    @property
    def n_pairs(self) -> int:
        """Number of allowed pairs of a state and an action."""
        return len(self.pair_state)

    def pairs(self) -> list[tuple[State, State]]:
        """Return the allowed pairs of a state and an action, by name."""
        return [
            (self.states[s], self.actions[a])
            for s, a in zip(self.pair_state.tolist(), self.pair_action.tolist(), strict=True)
        ]

    @cached_property
    def offset(self) -> Ints:
        """Start of each state's pairs, and end of the last."""
        return np.searchsorted(self.pair_state, np.arange(self.n_states + 1)).astype(np.int64)

    @cached_property
    def expected_reward(self) -> Floats:
        """Expected reward of each pair."""
        return np.add.reduceat(self.probability * self.reward, self.first[:-1])

    @cached_property
    def going_on(self) -> Floats:
        """Probability of each transition, or 0 if it ends the episode."""
        return np.where(self.ends, 0.0, self.probability)

    @cached_property
    def absorbing(self) -> NDArray[np.bool_]:
        """Whether each state ends an episode: it allows no action, or only actions that stay without reward."""
        source = np.repeat(self.pair_state, np.diff(self.first))
        moves = (self.next_state != source) & (self.probability > 0)
        pays = (self.reward != 0) & (self.probability > 0)
        leaves = np.zeros(self.n_states, dtype=bool)
        leaves[source[moves | pays]] = True
        return ~leaves

    def place(self, state: Any) -> int:
        """Return the index of a state.

        Examples
        --------
        >>> MDP.of({"a": {"go": "b"}}).place("c")
        Traceback (most recent call last):
        induce.core.errors.InputError: there is no state 'c'; the states are 'a', 'b'
        """
        return _place(state, self._places, "state")

    def action_number(self, action: Any) -> int:
        """Return the index of an action."""
        return _place(action, self._action_places, "action")

    @cached_property
    def _places(self) -> dict[State, int]:
        return {state: k for k, state in enumerate(self.states)}

    @cached_property
    def _action_places(self) -> dict[State, int]:
        return {action: k for k, action in enumerate(self.actions)}

    def outcomes(self, pair: int) -> list[tuple[State, float, float, bool]]:
        """Return the next state, probability, reward and end of each transition of a pair."""
        span = slice(self.first[pair], self.first[pair + 1])
        return [
            (self.states[after], chance, reward, ends)
            for after, chance, reward, ends in zip(
                self.next_state[span].tolist(),
                self.probability[span].tolist(),
                self.reward[span].tolist(),
                self.ends[span].tolist(),
                strict=True,
            )
        ]

    def __str__(self) -> str:
        parts = [
            _counted(self.n_states, "state"),
            _counted(len(self.actions), "action"),
            _counted(self.n_pairs, "pair"),
            _counted(len(self.next_state), "transition"),
            _counted(int(self.absorbing.sum()), "absorbing state"),
        ]
        return "MDP: " + ", ".join(parts)

    __repr__ = __str__

    def check(self) -> None:
        """Raise an `InputError` if the process is invalid."""
        if self.n_pairs == 0:
            raise InputError("the process has no transition; give at least one state with an action")
        self._check_places()
        for name in ("probability", "reward"):
            odd = np.flatnonzero(~np.isfinite(getattr(self, name)))
            if len(odd):
                raise InputError(f"{self._where(int(odd[0]))} has a {name} that is not a finite number")
        negative = np.flatnonzero(self.probability < 0)
        if len(negative):
            raise InputError(f"{self._where(int(negative[0]))} has a negative probability")
        sums = np.add.reduceat(self.probability, self.first[:-1])
        off = np.flatnonzero(np.abs(sums - 1) > SUM)
        if len(off):
            pair = int(off[0])
            raise InputError(
                f"the probabilities of state {self.states[self.pair_state[pair]]!r} and action "
                f"{self.actions[self.pair_action[pair]]!r} sum to {sums[pair]:.6g}; make them sum to 1"
            )
        for noun, called, n in (
            ("state", self.state_names, self.n_states),
            ("action", self.action_names, len(self.actions)),
        ):
            if called and len(called) != n:
                raise InputError(f"{n} {noun}s have {len(called)} names; give one name per {noun}, or none")
        for name, values in self.features.items():
            if len(values) != self.n_states:
                raise InputError(
                    f"feature {name!r} has {len(values)} values for {self.n_states} states; give one "
                    "value per state"
                )

    def _check_places(self) -> None:
        """Raise an `InputError` unless all indices refer to existing states, actions and transitions."""
        check_shapes(
            self,
            {
                "pair_state": "pairs",
                "pair_action": "pairs",
                "first": "starts",
                **dict.fromkeys(("next_state", "probability", "reward", "ends"), "transitions"),
                "start": "states",
            },
            states=self.n_states,
            starts=len(self.pair_state) + 1,
        )
        check_places("pair_state", self.pair_state, self.n_states)
        check_places("pair_action", self.pair_action, len(self.actions))
        check_places("next_state", self.next_state, self.n_states)
        if (np.diff(self.pair_state) < 0).any() or (np.diff(self.first) < 1).any():
            raise InputError("the pairs and transitions are not ordered by state")
        if (int(self.first[0]), int(self.first[-1])) != (0, len(self.next_state)):
            raise InputError("some transitions belong to no pair of a state and an action")

    def _where(self, transition: int) -> str:
        pair = int(np.searchsorted(self.first, transition, side="right")) - 1
        return (
            f"the transition of state {self.states[self.pair_state[pair]]!r} and action "
            f"{self.actions[self.pair_action[pair]]!r} to {self.states[self.next_state[transition]]!r}"
        )


_DTYPES: dict[str, Any] = {
    "pair_state": np.int32,
    "pair_action": np.int32,
    "first": np.int64,
    "next_state": np.int32,
    "probability": np.float64,
    "reward": np.float64,
    "ends": np.bool_,
    "start": np.float64,
}


def assembled(
    states: Sequence[Any],
    actions: Sequence[Any],
    columns: Sequence[Any],
    start: Any,
    features: Mapping[str, Sequence[Any]] | None,
) -> MDP:
    """Build a validated process from transitions in any order.

    Their columns are the indices of state, action and next state, the probability, the reward, and whether the
    episode ends.
    """
    state, action, after, probability, reward, ends = columns
    source = np.asarray(state, dtype=np.int64)
    chosen = np.asarray(action, dtype=np.int64)
    step = np.diff(source)
    sorted_already = bool(((step > 0) | ((step == 0) & (np.diff(chosen) >= 0))).all())
    order: Any = slice(None) if sorted_already else np.lexsort((chosen, source))
    source, chosen = source[order], chosen[order]
    new = np.ones(len(source), dtype=bool)
    new[1:] = (np.diff(source) != 0) | (np.diff(chosen) != 0)
    begins = np.flatnonzero(new)
    try:
        chances = np.array(probability, dtype=np.float64)[order]  # a copy, which is scaled below
        rewards = np.asarray(reward, dtype=np.float64)[order]
    except (TypeError, ValueError):
        raise InputError("a probability or a reward is not a number; give numbers") from None
    process = MDP(
        states=tuple(states),
        actions=tuple(actions),
        pair_state=source[begins].astype(np.int32),
        pair_action=chosen[begins].astype(np.int32),
        first=np.append(begins, len(source)),
        next_state=np.asarray(after, dtype=np.int32)[order],
        probability=chances,
        reward=rewards,
        ends=np.asarray(ends, dtype=bool)[order],
        start=np.zeros(len(states)),
        features={name: tuple(values) for name, values in (features or {}).items()},
    )
    process.check()
    sums = np.add.reduceat(process.probability, process.first[:-1])
    process.probability[:] /= np.repeat(sums, np.diff(process.first))
    process.start[:] = _start(process, start)
    return process


def _start(process: MDP, start: Any) -> Floats:
    """Return the probability that an episode starts in each state."""
    if start is None:
        chances = np.where(process.absorbing, 0.0, 1.0)
        return chances / chances.sum() if chances.any() else np.full(process.n_states, 1 / process.n_states)
    if isinstance(start, np.ndarray) and start.shape == (process.n_states,):
        chances = np.asarray(start, dtype=np.float64)
    else:
        given = start if isinstance(start, Mapping) else {start: 1.0}
        chances = np.zeros(process.n_states)
        for state, chance in given.items():
            chances[process.place(state)] = chance
    if not np.isfinite(chances).all() or (chances < 0).any() or abs(chances.sum() - 1) > SUM:
        raise InputError(f"the probabilities of start sum to {chances.sum():.6g}; make them sum to 1")
    return np.asarray(chances / chances.sum())


def _outcomes(state: Any, action: Any, outcomes: Any) -> list[tuple[Any, float, float, bool]]:
    if isinstance(outcomes, list):
        found = []
        for outcome in outcomes:
            if not isinstance(outcome, tuple) or len(outcome) not in (3, 4):
                raise InputError(
                    f"an outcome of state {state!r} and action {action!r} is {outcome!r}; give (next, probability, "
                    "reward), with a fourth member that is true where the episode ends"
                )
            found.append((*outcome[:3], bool(outcome[3]) if len(outcome) == 4 else False))
        return found
    after, reward = outcomes if isinstance(outcomes, tuple) and len(outcomes) == 2 else (outcomes, 0.0)
    return [(after, 1.0, reward, False)]


def _named_later(model: Mapping[Any, Mapping[Any, Any]]) -> list[Any]:
    """Return the next states; absorbing ones need no entry of their own."""
    return [
        after
        for state, allowed in model.items()
        for action, outcomes in allowed.items()
        for after, *_ in _outcomes(state, action, outcomes)
    ]


def _in_order(names: Sequence[Hashable]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(names))


def _place(name: Any, places: Mapping[State, int], noun: str) -> int:
    try:
        return places[name]
    except (KeyError, TypeError):
        shown = ", ".join(map(repr, list(places)[:8])) + (", …" if len(places) > 8 else "")
        raise InputError(f"there is no {noun} {name!r}; the {noun}s are {shown}") from None


def _counted(n: int, noun: str) -> str:
    return f"{n or 'no'} {noun}{'' if n in (0, 1) else 's'}" if n < 1000 else f"{n:,} {noun}s"
