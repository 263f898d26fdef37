"""Compiled loops of backgammon with a value network: self-play, and games against a random player."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core._random_loops import below
from induce.core.loops import inner, loop
from induce.environments.games._backgammon_loops import INPUTS, MOST, SIZE, copy, inputs, legal_moves, points
from induce.reinforcement.selfplay._loops import final_target, judge, next_target, td_step, trace_step


@inner
def best_move(
    after: NDArray[np.int8],
    count: int,
    into: NDArray[np.float64],
    out: NDArray[np.float64],
    gaps: NDArray[np.float64],
    row: NDArray[np.float64],
    hidden: NDArray[np.float64],
    output: NDArray[np.float64],
    chosen: NDArray[np.float64],
) -> int:
    """Return the move that minimises the opponent's expected points (the first in a tie); write its outputs."""
    best = 0
    least = np.inf
    for k in range(count):
        end = points(after[k])
        if end:
            value = float(end)
        else:
            inputs(after[k], row)
            judge(row, into, out, hidden, output)
            # The expected points: the lowest level plus the sum over levels of P(points above the level) times
            # the gap between levels.
            value = 0.0
            for level in range(len(gaps) - 1):
                value += gaps[level] * output[level]
            value += gaps[len(gaps) - 1]
        if value < least:
            least = value
            best = k
            for level in range(len(output)):
                chosen[level] = output[level]
    return best


@loop
def self_play(
    games: int,
    start: NDArray[np.int8],
    into: NDArray[np.float64],
    out: NDArray[np.float64],
    levels: NDArray[np.float64],
    gaps: NDArray[np.float64],
    rate: float,
    decay: float,
    traces: NDArray[np.float64],
    stream: NDArray[np.int64],
    tally: NDArray[np.float64],
) -> None:
    """Play games of the network against itself, learning after every move.

    `tally` accumulates the numbers of moves and of evaluated positions, and the squared errors.
    """
    n_outputs, n_hidden = len(levels), into.shape[1]
    after = np.empty((MOST, SIZE), dtype=np.int8)
    paths = np.empty((MOST, 8), dtype=np.int8)
    x, row = np.empty(INPUTS), np.empty(INPUTS)
    hidden, other = np.empty(n_hidden), np.empty(n_hidden)
    output, scratch = np.empty(n_outputs), np.empty(n_outputs)
    chosen, target = np.empty(n_outputs), np.empty(n_outputs)
    change = np.empty(n_hidden)
    position = np.empty(SIZE, dtype=np.int8)
    for _ in range(games):
        copy(start, position)
        for k in range(len(traces)):
            for at in range(traces.shape[1]):
                traces[k, at] = 0.0
        first, second = below(stream, 6) + 1, below(stream, 6) + 1
        while first == second:  # the opening roll is not a double
            first, second = below(stream, 6) + 1, below(stream, 6) + 1
        end = 0
        while end == 0:
            inputs(position, x)
            judge(x, into, out, hidden, output)
            count = legal_moves(position, first, second, after, paths)
            best = best_move(after, count, into, out, gaps, row, other, scratch, chosen)
            copy(after[best], position)
            end = points(position)
            if end:
                final_target(float(-end), levels, target)
            else:
                # The outputs of the next position before the update: it was already evaluated as a candidate.
                next_target(chosen, True, target)
            if decay > 0.0:
                tally[2] += trace_step(x, hidden, output, target, into, out, rate, decay, True, traces)
            else:
                tally[2] += td_step(x, hidden, output, target, into, out, rate, change)
            tally[0] += 1.0
            tally[1] += count + 1.0
            first, second = below(stream, 6) + 1, below(stream, 6) + 1


@loop
def against_chance(
    start: NDArray[np.int8],
    into: NDArray[np.float64],
    out: NDArray[np.float64],
    gaps: NDArray[np.float64],
    stream: NDArray[np.int64],
    won: NDArray[np.float64],
) -> None:
    """Write the network's points in games against a random player; the players alternate in moving first."""
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
                choice = below(stream, count)
            copy(after[choice], position)
            end = points(position)
            mine = not mine
            first, second = below(stream, 6) + 1, below(stream, 6) + 1
        won[game] = float(end) if mine else float(-end)
