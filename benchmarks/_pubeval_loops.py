"""Hot loops of Tesauro's public linear player of backgammon, and games of a value network against it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core._random_loops import below
from induce.core.loops import inner, loop
from induce.environments.games._backgammon_loops import INPUTS, MOST, SIZE, copy, legal_moves, points
from induce.reinforcement.selfplay._backgammon_loops import best_move


@inner
def is_race(position: NDArray[np.int8]) -> bool:
    """Say whether the men have passed each other."""
    own, other = 0, 25
    for place in range(26):
        if position[place] > 0:
            own = place
        if position[25 - place] < 0:
            other = 25 - place
    return own < other


@inner
def score(after: NDArray[np.int8], weights: NDArray[np.float64]) -> float:
    """Return how good a position is for the player who moved; it is seen by the other."""
    if after[27] == -15:
        return np.inf
    total = 0.0
    for j in range(24):
        men = -after[j + 1]
        at = 5 * j
        if men == -1:
            total += weights[at]
        elif men == 1:
            total += weights[at + 1]
        elif men >= 2:
            total += weights[at + 2]
            if men == 3:
                total += weights[at + 3]
            if men >= 4:
                total += weights[at + 4] * (men - 3) / 2.0
    return total + weights[120] * after[25] / 2.0 - weights[121] * after[27] / 15.0


@inner
def public_move(
    position: NDArray[np.int8], after: NDArray[np.int8], count: int, weights: NDArray[np.float64]
) -> int:
    """Return the move that the public player makes; `weights` has a row for races and one for contact."""
    row = weights[0] if is_race(position) else weights[1]
    best, most = 0, -np.inf
    for k in range(count):
        value = score(after[k], row)
        if value > most:
            best, most = k, value
    return best


@loop
def against_public(
    start: NDArray[np.int8],
    into: NDArray[np.float64],
    out: NDArray[np.float64],
    gaps: NDArray[np.float64],
    weights: NDArray[np.float64],
    stream: NDArray[np.int64],
    won: NDArray[np.float64],
) -> None:
    """Write what the network wins in games against the public player; they begin in turn."""
    after = np.empty((MOST, SIZE), dtype=np.int8)
    paths = np.empty((MOST, 8), dtype=np.int8)
    row, hidden = np.empty(INPUTS), np.empty(into.shape[1])
    output, chosen = np.empty(len(gaps) - 1), np.empty(len(gaps) - 1)
    position = np.empty(SIZE, dtype=np.int8)
    for game in range(len(won)):
        copy(start, position)
        first, second = below(stream, 6) + 1, below(stream, 6) + 1
        while first == second:
            first, second = below(stream, 6) + 1, below(stream, 6) + 1
        mine = game % 2 == 0
        end = 0
        while end == 0:
            count = legal_moves(position, first, second, after, paths)
            if mine:
                choice = best_move(after, count, into, out, gaps, row, hidden, output, chosen)
            else:
                choice = public_move(position, after, count, weights)
            copy(after[choice], position)
            end = points(position)
            mine = not mine
            first, second = below(stream, 6) + 1, below(stream, 6) + 1
        won[game] = float(end) if mine else float(-end)


@loop
def random_games(start: NDArray[np.int8], games: int, stream: NDArray[np.int64]) -> int:
    """Play games with any legal moves, and return the number of turns."""
    after = np.empty((MOST, SIZE), dtype=np.int8)
    paths = np.empty((MOST, 8), dtype=np.int8)
    position = np.empty(SIZE, dtype=np.int8)
    turns = 0
    for _ in range(games):
        copy(start, position)
        while points(position) == 0:
            count = legal_moves(position, below(stream, 6) + 1, below(stream, 6) + 1, after, paths)
            copy(after[below(stream, count)], position)
            turns += 1
    return turns
