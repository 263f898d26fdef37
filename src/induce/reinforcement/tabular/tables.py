"""Tables of a learner: values of pairs, memory of the update rule, and rows for newly met states."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.environments.mdp import MDP
from induce.reinforcement.tabular import _loops as rules
from induce.reinforcement.tabular._loops import Agent, Memory, World

MODEL = (rules.DYNA, rules.SWEEPING)
TRACING = (rules.ONLINE, rules.TRACES)
REMEMBERING = (rules.REVERSE, rules.EXPERIENCE, rules.RETURNS)
PARTS: dict[str, tuple[type, int, float, str, tuple[int, ...]]] = {
    "steps": (np.int64, 2, 0, "steps", REMEMBERING),
    "rewards": (np.float64, 1, 0, "steps", REMEMBERING),
    "updates": (np.int64, 1, 0, "pairs", REMEMBERING),
    "pairs": (np.int64, 5, -1, "pairs", (*TRACING, *MODEL)),
    "traces": (np.float64, 4, 0, "pairs", (*TRACING, *MODEL)),
    "outcomes": (np.int64, 5, -1, "outcomes", MODEL),
    "before": (np.int64, 1, -1, "states", MODEL),
}
"""Dtype, number of rows, initial value, size and update rules of each part of the memory."""


@dataclass(frozen=True, eq=False)
class TabularState:
    """State of a run.

    Parameters
    ----------
    source : str
        Source of the run, checked when the run is resumed.
    states : tuple
        Names of the states that have rows.
    offset, actions : array of int64
        Start of the pairs of each state, and the action of each pair.
    q : array of float64
    visits : array of int64
    memory : tuple of arrays
        Memory of the update rule, as in `Memory`.
    where, stream : array of int64
        Counters, and the random stream.
    extent : float
        Current rate of exploration.
    collected, lengths : arrays
        Sum of rewards and number of steps of each episode.
    starts : array of int64
        Number of episodes started in each state.
    randomness : dict or None
        State of the environment's random generator.
    """

    source: str
    states: tuple[Any, ...]
    offset: NDArray[np.int64]
    actions: NDArray[np.int64]
    q: NDArray[np.float64]
    visits: NDArray[np.int64]
    memory: tuple[NDArray[Any], ...]
    where: NDArray[np.int64]
    stream: NDArray[np.int64]
    extent: float
    collected: NDArray[np.float64]
    lengths: NDArray[np.int64]
    starts: NDArray[np.int64]
    randomness: dict[str, Any] | None


class Tables:
    """Growable arrays of a run in progress.

    Parameters
    ----------
    state : TabularState
        State of the run; it is not modified.
    rule : int
    initial : float
        Initial value of each pair.
    n_steps : int
        Number of steps stored.
    """

    def __init__(self, state: TabularState, rule: int, initial: float, n_steps: int) -> None:
        self.rule = rule
        self.initial = initial
        self.n_steps = n_steps
        self.names = list(state.states)
        self.places: dict[Hashable, int] = {name: k for k, name in enumerate(self.names)}
        self.where = state.where.copy()
        self.stream = state.stream.copy()
        self.offset = state.offset.copy()
        self.actions = state.actions.copy()
        self.q = state.q.copy()
        self.visits = state.visits.copy()
        self.starts = state.starts.copy()
        self.owner = np.repeat(np.arange(len(self.names)), np.diff(self.offset))
        self.memory = Memory(*(part.copy() for part in state.memory))
        self.n_pairs = len(self.q)

    def add(self, name: Hashable, allowed: NDArray[np.int64]) -> int:
        """Add a row for each action allowed in a state; return the state's index."""
        place = len(self.names)
        self.names.append(name)
        self.places[name] = place
        begin, end = self.n_pairs, self.n_pairs + len(allowed)
        if end > len(self.q) or place + 2 > len(self.offset):
            self.make_room(pairs=max(64, 2 * end), states=max(64, 2 * (place + 1)))
        self.offset[place + 1] = end
        self.actions[begin:end] = allowed
        self.owner[begin:end] = place
        self.n_pairs = end
        return place

    def make_room(self, pairs: int = 0, states: int = 0, outcomes: int = 0) -> None:
        """Grow the arrays to hold the given numbers of pairs, states and outcomes."""
        self.q = padded(self.q, pairs, self.initial)
        self.visits, self.actions, self.owner = (
            padded(array, pairs, 0) for array in (self.visits, self.actions, self.owner)
        )
        self.offset = padded(self.offset, states + 1, 0)
        self.starts = padded(self.starts, states, 0)
        sizes = {"pairs": pairs, "states": states, "outcomes": outcomes, "steps": self.n_steps}
        self.memory = remembering(self.memory, self.rule, sizes)

    def agent(self, knobs: NDArray[np.float64]) -> Agent:
        """Return the agent for the loops."""
        return Agent(self.offset, self.q, self.visits, self.owner, knobs, self.where, self.stream)

    def fields(self) -> dict[str, Any]:
        """Return the fields of a state, without spare capacity."""
        n, pairs = len(self.names), self.n_pairs
        outcomes = int(self.where[rules.OUTCOMES])
        sizes = {"pairs": pairs, "states": n, "outcomes": outcomes, "steps": self.n_steps}
        memory = tuple(
            array if self.rule not in PARTS[part][4] else array[..., : sizes[PARTS[part][3]]]
            for part, array in self.memory._asdict().items()
        )
        return {
            "states": tuple(self.names),
            "offset": self.offset[: n + 1],
            "actions": self.actions[:pairs],
            "q": self.q[:pairs],
            "visits": self.visits[:pairs],
            "memory": memory,
            "where": self.where,
            "stream": self.stream,
            "starts": self.starts[:n],
        }


def padded(array: NDArray[Any], size: int, value: float) -> NDArray[Any]:
    """Return an array whose rows are padded with a value to a minimum length.

    Examples
    --------
    >>> padded(np.array([5, 6]), 3, -1)
    array([ 5,  6, -1])
    """
    missing = size - array.shape[-1]
    if missing <= 0:
        return array
    return np.append(array, np.full((*array.shape[:-1], missing), value, dtype=array.dtype), axis=-1)


def remembering(memory: Memory | None, rule: int, sizes: dict[str, int]) -> Memory:
    """Return the memory of an update rule with the given capacities."""
    parts = {}
    for name, (kind, rows, value, size, needed) in PARTS.items():
        shape = (0,) if rows == 1 else (rows, 0)
        array = np.empty(shape, dtype=kind) if memory is None else getattr(memory, name)
        parts[name] = padded(array, sizes[size] if rule in needed else 0, value)
    return Memory(**parts)


def world_of(mdp: MDP) -> World:
    """Return the arrays needed to act in a process."""
    cumulative = np.cumsum(mdp.probability)
    before = np.append(0.0, cumulative)[mdp.first[:-1]]
    cumulative -= np.repeat(before, np.diff(mdp.first))
    starts = np.flatnonzero(mdp.start > 0)
    if mdp.absorbing[starts].any():
        raise InputError(
            f"episodes may start in {mdp.states[starts[mdp.absorbing[starts]][0]]!r}, which is "
            "terminal; give start other states"
        )
    return World(
        mdp.first,
        mdp.next_state.astype(np.int64),
        cumulative,
        mdp.reward,
        mdp.ends | mdp.absorbing[mdp.next_state],
        starts,
        np.cumsum(mdp.start[starts]),
    )
