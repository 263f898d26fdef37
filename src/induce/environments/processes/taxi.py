"""The taxi of Dietterich (2000): pick up a passenger and drop them off at their destination."""

from __future__ import annotations

from typing import Any

from induce.core.errors import InputError
from induce.environments.mdp import MDP

CITY = """
|R: | : :G|
| : | : : |
| : : : : |
| | : | : |
|Y| : |B: |
"""
"""Squares and stops; between two squares, a colon is open and a bar is a wall."""
MOVES = {"south": (1, 0), "north": (-1, 0), "east": (0, 1), "west": (0, -1)}
ABOARD = "taxi"


def taxi(
    city: str = CITY,
    *,
    step: float = -1.0,
    delivered: float = 20.0,
    refused: float = -10.0,
    slip: float = 0.0,
) -> MDP:
    """Return the taxi as a decision process; by default equal to gymnasium's Taxi (v3 and v4).

    Parameters
    ----------
    city : str
        Lines of squares with separators: ``:`` open, ``|`` a wall. A letter names a stop.
    step : float
        Reward per step.
    delivered : float
        Reward for dropping the passenger off at the destination, which ends the episode.
    refused : float
        Reward for an illegal pickup or dropoff.
    slip : float
        Probability that a move goes sideways instead.

    Returns
    -------
    MDP
        The process. A state is the row and the column of the taxi, the passenger's stop ('taxi' if on board) and the
        destination; these are also its features. Episodes start with a passenger waiting at a stop other than the
        destination.

    Examples
    --------
    >>> print(taxi())
    MDP: 500 states, 6 actions, 3,000 pairs, 3,000 transitions, no absorbing state
    """
    if not 0 <= slip < 1:
        raise InputError(f"slip is {slip!r}; it must be a number of at least 0 and below 1")
    open_between, stops, height, width = _read(city)
    at = {place: name for name, place in stops.items()}

    def moved(row: int, column: int, move: str) -> tuple[int, int]:
        down, right = MOVES[move]
        after = (row + down, column + right)
        return after if ((row, column), after) in open_between else (row, column)

    model: dict[Any, dict[str, Any]] = {}
    for row in range(height):
        for column in range(width):
            for passenger in (*stops, ABOARD):
                for destination in stops:
                    state = (row, column, passenger, destination)
                    here = at.get((row, column))
                    actions: dict[str, Any] = {}
                    for move in MOVES:
                        chances = _slipped(move, slip)
                        actions[move] = [
                            ((*moved(row, column, way), passenger, destination), chance, step)
                            for way, chance in chances
                        ]
                    boards = here is not None and passenger == here
                    inside = (row, column, ABOARD, destination)
                    actions["pick up"] = [(inside, 1.0, step) if boards else (state, 1.0, refused)]
                    actions["set down"] = [_set_down(state, here, step, delivered, refused)]
                    model[state] = actions
    states = list(model)
    features = {
        name: [state[k] for state in states]
        for k, name in enumerate(("row", "column", "passenger", "destination"))
    }
    first = [state for state in states if state[2] not in (ABOARD, state[3])]
    return MDP.of(model, start={state: 1 / len(first) for state in first}, features=features)


def _set_down(state: Any, here: str | None, step: float, delivered: float, refused: float) -> tuple[Any, ...]:
    row, column, passenger, destination = state
    if passenger != ABOARD or here is None:
        return (state, 1.0, refused)
    if here == destination:
        return ((row, column, here, destination), 1.0, delivered, True)
    return ((row, column, here, destination), 1.0, step)


def _slipped(move: str, slip: float) -> list[tuple[str, float]]:
    """Return the possible directions of a move with their probabilities."""
    if not slip:
        return [(move, 1.0)]
    sides = ("east", "west") if move in ("south", "north") else ("south", "north")
    return [(move, 1.0 - slip), *((side, slip / 2) for side in sides)]


def _read(city: str) -> tuple[set[Any], dict[str, tuple[int, int]], int, int]:
    """Return the pairs of connected neighbours, the stops, the height and the width."""
    lines = [line.strip() for line in city.strip().splitlines()]
    width = len(lines[0]) // 2 if lines and lines[0] else 0
    if not width or any(len(line) != 2 * width + 1 or set(line[::2]) - set("|:") for line in lines):
        raise InputError(
            "city must be lines of equal length, such as |R: |G|, with squares between colons or bars"
        )
    stops: dict[str, tuple[int, int]] = {}
    open_between: set[Any] = set()
    for row, line in enumerate(lines):
        for column in range(width):
            letter = line[2 * column + 1]
            if letter in stops:
                raise InputError(f"city has two stops {letter!r}; give each its own letter")
            if letter != " ":
                stops[letter] = (row, column)
            if column + 1 < width and line[2 * column + 2] == ":":
                open_between |= {((row, column), (row, column + 1)), ((row, column + 1), (row, column))}
            if row + 1 < len(lines):
                open_between |= {((row, column), (row + 1, column)), ((row + 1, column), (row, column))}
    if len(stops) < 2:
        raise InputError("city has fewer than two stops; mark them with letters")
    return open_between, stops, len(lines), width
