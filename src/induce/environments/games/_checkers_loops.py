"""Compiled loops of checkers: legal moves and board features.

A board is 33 small integers: the 32 dark squares seen by the player to move, row by row from its own side (1 a man,
2 a king, negative for the opponent), and the number of moves since a man moved or a piece was captured.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import inner, loop

SQUARES = 32
LAST_ROW = 28
MAN, KING = 1, 2
LONGEST = 14
"""Maximum number of squares of a path, plus one for its end: twelve pieces can be captured."""

Board = NDArray[np.int8]


def _neighbours() -> NDArray[np.int8]:
    """Return the next square in each direction, -1 beyond the edge; two forward directions, then two backward."""
    found = np.full((SQUARES, 4), -1, dtype=np.int8)
    for square in range(SQUARES):
        row, column = square // 4, 2 * (square % 4) + (square // 4 + 1) % 2
        for k, (up, right) in enumerate(((1, -1), (1, 1), (-1, -1), (-1, 1))):
            if 0 <= row + up < 8 and 0 <= column + right < 8:
                found[square, k] = 4 * (row + up) + (column + right) // 2
    return found


NEIGHBOURS = _neighbours()


@loop
def legal_moves(board: Board, paths: Board, after: Board) -> int:
    """Write the squares on each move's path and the board after it, seen by the opponent; return their number.

    Captures are forced and must be completed. Moves beyond the size of the array are only counted.
    """
    marks = np.zeros(SQUARES, dtype=np.int8)
    found = captures(board, paths, after, marks)
    if found == 0:
        found = steps(board, paths, after)
    return found


@loop
def steps(board: Board, paths: Board, after: Board) -> int:
    """Write the non-capturing moves."""
    path = np.empty(LONGEST, dtype=np.int8)
    found = 0
    for square in range(SQUARES):
        piece = board[square]
        if piece <= 0:
            continue
        path[0] = square
        for direction in range(4 if piece == KING else 2):
            to = NEIGHBOURS[square, direction]
            if to >= 0 and board[to] == 0:
                path[1] = to
                if found < len(paths):
                    board[square] = 0
                    write(board, piece, path, 2, paths[found], after[found])
                    board[square] = piece
                found += 1
    return found


@loop
def captures(board: Board, paths: Board, after: Board, marks: Board) -> int:
    """Write the captures found by depth-first search, and mark every square on which a piece can be captured."""
    path = np.empty(LONGEST, dtype=np.int8)
    over = np.empty(LONGEST, dtype=np.int8)
    taken = np.empty(LONGEST, dtype=np.int8)
    tried = np.empty(LONGEST, dtype=np.int64)
    goes_on = np.empty(LONGEST, dtype=np.int8)
    found = 0
    for square in range(SQUARES):
        piece = board[square]
        if piece <= 0:
            continue
        directions = 4 if piece == KING else 2
        # The piece is lifted, so that its own square can be passed again; pieces jumped are taken off at once and
        # put back on the way up.
        board[square] = 0
        path[0], tried[0], goes_on[0] = square, 0, 0
        depth = 0
        while depth >= 0:
            if tried[depth] < directions:
                direction = tried[depth]
                tried[depth] += 1
                jumped = NEIGHBOURS[path[depth], direction]
                if jumped < 0 or board[jumped] >= 0:
                    continue
                to = NEIGHBOURS[jumped, direction]
                if to < 0 or board[to] != 0:
                    continue
                goes_on[depth] = 1
                marks[jumped] = 1
                depth += 1
                path[depth], over[depth], taken[depth] = to, jumped, board[jumped]
                board[jumped] = 0
                # a man that is crowned captures no further
                tried[depth] = directions if piece == MAN and to >= LAST_ROW else 0
                goes_on[depth] = 0
                continue
            if depth > 0:
                # Captures must be completed: a path is a move only if no further jump is possible.
                if goes_on[depth] == 0:
                    if found < len(paths):
                        write(board, piece, path, depth + 1, paths[found], after[found])
                    found += 1
                board[over[depth]] = taken[depth]
            depth -= 1
        board[square] = piece
    return found


@inner
def write(board: Board, piece: int, path: Board, length: int, squares: Board, after: Board) -> None:
    """Write one move and the board after it, seen by the opponent; the moved piece is off the board."""
    for k in range(length):
        squares[k] = path[k]
    squares[length] = -1
    for square in range(SQUARES):
        after[SQUARES - 1 - square] = -board[square]
    to = path[length - 1]
    crowned = piece == MAN and to >= LAST_ROW
    after[SQUARES - 1 - to] = -KING if crowned else -piece
    # Only a king's move without a capture counts towards a draw.
    step = abs(path[1] // 4 - path[0] // 4) == 1
    after[SQUARES] = board[SQUARES] + 1 if piece == KING and step else 0


@loop
def count_features(boards: Board, features: NDArray[np.float64]) -> None:
    """Write the six features of each board: pieces, kings and threatened pieces, own and opponent's."""
    nowhere = np.empty((0, LONGEST), dtype=np.int8)
    turned = np.empty(SQUARES + 1, dtype=np.int8)
    for row in range(len(boards)):
        board = boards[row]
        for k in range(6):
            features[row, k] = 0.0
        for square in range(SQUARES):
            piece = board[square]
            turned[SQUARES - 1 - square] = -piece
            if piece > 0:
                features[row, 0] += 1.0
                features[row, 2] += piece == KING
            elif piece < 0:
                features[row, 1] += 1.0
                features[row, 3] += piece == -KING
        marks = np.zeros(SQUARES, dtype=np.int8)
        captures(turned, nowhere, nowhere, marks)
        features[row, 4] = marks.sum()
        marks[:] = 0
        captures(board, nowhere, nowhere, marks)
        features[row, 5] = marks.sum()
