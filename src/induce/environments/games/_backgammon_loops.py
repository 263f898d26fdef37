"""Compiled loops of backgammon: legal moves, the result, and Tesauro's raw inputs.

A position has 28 numbers, seen by the player to move, whose men move from 24 down to 1: at 1 to 24 the men on the
points (the opponent's negative), at 25 the player's men on the bar, at 0 the opponent's on the bar (negative), at
26 the player's men borne off, at 27 the opponent's (negative).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import inner, loop

BAR = 25
SIZE = 28
MEN = 15
MOST = 3060
"""Maximum number of positions after one roll: the ways to divide four steps of a double among fifteen men."""
INPUTS = 198


@inner
def reach(board: NDArray[np.int8], source: int, die: int) -> int:
    """Return the destination of a man for a die: a point, 0 if borne off, or -1 if the move is illegal."""
    if board[source] <= 0 or (board[BAR] > 0 and source != BAR):
        return -1
    to = source - die
    if to > 0:
        return to if board[to] >= -1 else -1
    for point in range(7, 25):
        if board[point] > 0:
            return -1
    if to < 0:  # a die larger than needed bears off only the rearmost man
        for point in range(source + 1, 7):
            if board[point] > 0:
                return -1
    return 0


@inner
def advance(board: NDArray[np.int8], source: int, to: int) -> bool:
    """Move a man and return whether it hit an opponent's man."""
    board[source] -= 1
    if to == 0:
        board[26] += 1
        return False
    if board[to] == -1:
        board[to] = 1
        board[0] -= 1
        return True
    board[to] += 1
    return False


@inner
def take_back(board: NDArray[np.int8], source: int, to: int, hit: bool) -> None:
    """Undo a move."""
    board[source] += 1
    if to == 0:
        board[26] -= 1
    elif hit:
        board[to] = -1
        board[0] += 1
    else:
        board[to] -= 1


@inner
def copy(position: NDArray[np.int8], board: NDArray[np.int8]) -> None:
    """Copy a position into another."""
    for place in range(SIZE):
        board[place] = position[place]


@inner
def turn(board: NDArray[np.int8], turned: NDArray[np.int8]) -> None:
    """Write the board from the other player's point of view."""
    for place in range(26):
        turned[place] = -board[25 - place]
    turned[26] = -board[27]
    turned[27] = -board[26]


@inner
def is_among(board: NDArray[np.int8], after: NDArray[np.int8], count: int) -> bool:
    """Return whether a board, turned, is among the positions found."""
    for row in range(count - 1, -1, -1):
        place = 0
        while place < 26 and after[row, place] == -board[25 - place]:
            place += 1
        if place == 26:
            return True
    return False


@loop
def legal_moves(
    position: NDArray[np.int8], first: int, second: int, after: NDArray[np.int8], paths: NDArray[np.int8]
) -> int:
    """Write the distinct positions after a roll, turned, with the steps that lead there; return their number.

    As many dice as possible are used; if either can be used but not both, the larger. Without a legal step the only
    move is a pass. `after` and `paths` have `MOST` rows; a path is up to four pairs of source and destination.

    Depth first: the larger die is used first, then the smaller first. The steps of a double go from back to
    front, which finds every position exactly once.
    """
    board = np.empty(SIZE, dtype=np.int8)
    copy(position, board)
    path = np.empty(8, dtype=np.int8)
    hits = np.empty(4, dtype=np.bool_)
    double = first == second
    large, small = max(first, second), min(first, second)
    count = longest = 0
    with_larger = -1  # number of dice that can be used if the larger comes first
    for order in range(1 if double else 2):
        depth = 0
        source = BAR
        is_whole = True  # no further step is possible
        while True:
            to = -1
            if depth < (4 if double else 2):
                die = large if depth == order else small
                while source > 0:
                    to = reach(board, source, die)
                    if to >= 0:
                        break
                    source -= 1
            if to >= 0:
                hits[depth] = advance(board, source, to)
                path[2 * depth] = source
                path[2 * depth + 1] = to
                depth += 1
                is_whole = True
                if not double:
                    source = BAR
                continue
            # Only the longest sequences count. With the smaller die first a single step is not a move if the larger
            # can be used instead: a sequence as short as `with_larger` counts only if both dice are used.
            if is_whole and (depth > longest or (depth == longest and (depth > with_larger or depth == 2))):
                if depth > longest:
                    longest = depth
                    count = 0
                if double or not is_among(board, after, count):
                    turn(board, after[count])
                    for step in range(8):
                        paths[count, step] = path[step] if step < 2 * depth else -1
                    count += 1
            if depth == 0:
                break
            depth -= 1
            source = int(path[2 * depth])
            take_back(board, source, int(path[2 * depth + 1]), hits[depth])
            # Continue with the next man in front. A double continues from there, so that permutations of the
            # same steps do not occur.
            source -= 1
            is_whole = False
        with_larger = longest
    return count


@inner
def points(position: NDArray[np.int8]) -> int:
    """Return the points of the player to move: -1, -2 or -3 if the opponent has borne off all men, otherwise 0."""
    if position[27] > -MEN:
        return 0
    if position[26] > 0:
        return -1
    for place in range(19, BAR + 1):
        if position[place] > 0:
            return -3
    return -2


@inner
def inputs(position: NDArray[np.int8], row: NDArray[np.float64]) -> None:
    """Write Tesauro's 198 raw inputs of a position.

    Four for each point and player: at least one, two, three men, and half of those beyond three; then for each player
    the men on the bar / 2, those borne off / 15, and whether he is to move.
    """
    for k in range(INPUTS):
        row[k] = 0.0
    for point in range(1, 25):
        men = int(position[point])
        at = 4 * (point - 1)
        if men < 0:
            men = -men
            at += 96
        if men >= 1:
            row[at] = 1.0
        if men >= 2:
            row[at + 1] = 1.0
        if men >= 3:
            row[at + 2] = 1.0
        if men > 3:
            row[at + 3] = (men - 3) / 2.0
    row[192] = position[BAR] / 2.0
    row[193] = -position[0] / 2.0
    row[194] = position[26] / MEN
    row[195] = -position[27] / MEN
    row[196] = 1.0


@loop
def all_inputs(positions: NDArray[np.int8], rows: NDArray[np.float64]) -> None:
    """Write the inputs of every position."""
    for k in range(len(positions)):
        inputs(positions[k], rows[k])
