"""Filtering, smoothing and best paths of encoded sequences, as pure array functions (AIMA 15.2, 15.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import repeated, sized
from induce.sequences import _loops
from induce.sequences.parameters import Floats, MarkovParameters
from induce.sequences.sequences import Steps

Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Filtered:
    """Filtering: the distribution at each step given the observations so far.

    Parameters
    ----------
    chances : array of float64, shape (steps, states)
        P(observation | state), up to a factor per step; 0 if the sequence cannot be in the state.
    states : array of float64, shape (steps, states)
        P(state | observations so far).
    scales : array of float64
        P(observation | previous ones), up to the same factor.
    logs : array of float64
        Log probability (log density with numeric columns) of each observation given the previous ones.
    impossible : int
        Index of the first impossible step, or -1.
    """

    chances: Floats
    states: Floats
    scales: Floats
    logs: Floats
    impossible: int


@dataclass(frozen=True, eq=False)
class Smoothed:
    """Expected sufficient statistics given all observations.

    Parameters
    ----------
    states : array of float64, shape (steps, states)
        P(state | all observations of its sequence).
    pairs : array of float64, shape (states, states)
        Expected number of transitions over all sequences.
    """

    states: Floats
    pairs: Floats


class Room(NamedTuple):
    """Reusable output arrays of a pass over the steps.

    Output arrays; the first four and the last have shape (steps, states).
    """

    logs: Floats
    chances: Floats
    filtered: Floats
    smoothed: Floats
    scales: Floats
    shifts: Floats
    ahead: Floats

    @classmethod
    def of(cls, steps: Steps, n_states: int) -> Room:
        """Allocate the arrays."""
        each, one = (len(steps), n_states), len(steps)
        return cls(*(np.empty(shape) for shape in (each, each, each, each, one, one, each)))


def work(parameters: MarkovParameters, steps: Steps) -> float:
    """Return the approximate number of elementary steps per pass."""
    n_states, n_components, n_numbers = parameters.means.shape
    shown = len(parameters.tables) + 3 * n_components * n_numbers
    return float(len(steps) * n_states * (n_states + shown))


def _looped(loop: Any, parameters: MarkovParameters, steps: Steps, passes: int) -> Any:
    """Return a loop for one of several passes over all steps."""
    return sized(loop, work(parameters, steps) * passes, 1 / passes)


def emission_logs(parameters: MarkovParameters, steps: Steps, passes: int, logs: Floats) -> None:
    """Write log P(observation | state) of each step, shape (steps, states)."""
    _looped(_loops.emission_logs, parameters, steps, passes)(
        steps.codes, *parameters.flat, steps.numbers, *parameters.densities, steps.labels, logs
    )


def filtered(
    parameters: MarkovParameters, steps: Steps, passes: int = 1, room: Room | None = None
) -> Filtered:
    """Return P(state | observations so far) for each step.

    `passes` is the number of passes, which decides whether the loops are compiled.
    """
    room = Room.of(steps, len(parameters.start)) if room is None else room
    emission_logs(parameters, steps, passes, room.logs)
    _looped(_loops.scale, parameters, steps, passes)(room.logs, room.shifts, room.chances)
    powers = room.filtered.reshape(-1)  # reusable until the next loop
    _looped(_loops.exponentials, parameters, steps, passes)(
        room.chances.reshape(-1), powers, powers.view(np.int64)
    )
    impossible = _looped(_loops.forward, parameters, steps, passes)(
        steps.offsets,
        parameters.start,
        parameters.transitions,
        room.logs,
        room.chances,
        room.filtered,
        room.scales,
        room.shifts,
    )
    with np.errstate(divide="ignore"):
        logs = np.log(room.scales) + room.shifts
    return Filtered(room.chances, room.filtered, room.scales, logs, int(impossible))


def smoothed(
    parameters: MarkovParameters,
    steps: Steps,
    found: Filtered,
    passes: int = 1,
    room: Room | None = None,
) -> Smoothed:
    """Return P(state | all observations) for each step, and the expected transitions."""
    room = Room.of(steps, len(parameters.start)) if room is None else room
    _looped(_loops.backward, parameters, steps, passes)(
        steps.offsets,
        parameters.transitions,
        found.chances,
        found.states,
        found.scales,
        room.smoothed,
        room.ahead,
    )
    return Smoothed(room.smoothed, parameters.transitions * (found.states[:-1].T @ room.ahead[1:]))


def best_paths(parameters: MarkovParameters, steps: Steps, k: int = 1) -> tuple[Codes, Floats]:
    """Return the `k` most probable paths, shape (k, steps), and their log probabilities, shape (sequences, k)."""
    n_states = len(parameters.start)
    log_chances = np.empty((len(steps), n_states))
    repeated(_loops.emission_logs, work(parameters, steps))(
        steps.codes, *parameters.flat, steps.numbers, *parameters.densities, steps.labels, log_chances
    )
    with np.errstate(divide="ignore"):
        logs = np.log(parameters.start), np.log(parameters.transitions)
    if k == 1:
        path, best = np.zeros(len(steps), np.int32), np.empty(len(steps.offsets) - 1)
        into = np.ascontiguousarray(logs[1].T)
        repeated(_loops.best_path, work(parameters, steps))(
            steps.offsets, logs[0], into, log_chances, path, best
        )
        return path[np.newaxis], best[:, np.newaxis]
    paths = np.zeros((k, len(steps)), np.int32)
    totals = np.full((len(steps.offsets) - 1, k), -math.inf)
    back = np.empty((len(steps), n_states, k), np.int32)
    sized(_loops.best_paths, work(parameters, steps) * k)(
        steps.offsets, *logs, log_chances, back, paths, totals
    )
    return paths, totals
