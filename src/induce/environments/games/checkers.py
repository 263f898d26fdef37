"""Checkers, as English draughts are played (Mitchell 1.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.loops import repeated
from induce.environments.games._checkers_loops import (
    KING,
    LAST_ROW,
    LONGEST,
    MAN,
    SQUARES,
    count_features,
    legal_moves,
)
from induce.environments.games.contestants import Contestant
from induce.environments.games.game import Floats, Game, Position, Positions, Turn

DRAWN = 80
"""Number of moves, of both sides together, without a man's move or a capture that make a draw."""
ROOM = 64
"""Initial capacity for moves; few positions have more."""
WORK = 50
"""Number of elementary steps to find the moves of a position, or to count its features."""
SIGNS = {MAN: "x", KING: "X", -MAN: "o", -KING: "O", 0: "."}


@dataclass(frozen=True)
class Checkers(Game):
    """Checkers on an 8 x 8 board: captures are forced and must be completed; kings move both ways.

    A man that reaches the last row is crowned, and its move ends. A player without a move loses; 40 moves per side
    without a man's move or a capture are a draw.

    Each player numbers the dark squares 1 to 32 from its own side, from right to left: men start on 1 to 12 and move
    up. A position has 1 for an own man, 2 for an own king, negative numbers for the opponent's, and last the count of
    moves since a man moved or a piece was captured. The features are the six of Mitchell 1.2.3; a piece is threatened
    if the opponent could capture it on its move.

    Examples
    --------
    >>> game = Checkers()
    >>> moves, after = game.moves(game.start())
    >>> ", ".join(map(game.move_text, moves))
    '9-13, 9-14, 10-14, 10-15, 11-15, 11-16, 12-16'
    >>> game.features(after[:1])
    array([[12., 12.,  0.,  0.,  0.,  0.]])
    """

    name: ClassVar[str] = "checkers"
    feature_names: ClassVar[tuple[str, ...]] = (
        *("own pieces", "other pieces", "own kings", "other kings"),
        *("own threatened", "other threatened"),
    )

    def start(self) -> Position:
        """Return the initial position, with twelve men on either side."""
        return self.position(men=range(1, 13), other_men=range(21, 33))

    def position(
        self,
        men: Sequence[int] = (),
        kings: Sequence[int] = (),
        other_men: Sequence[int] = (),
        other_kings: Sequence[int] = (),
    ) -> Position:
        """Return the position with pieces on the given squares, numbered by the player to move.

        Examples
        --------
        >>> game = Checkers()
        >>> [game.move_text(move) for move in game.moves(game.position(men=[1], other_men=[6, 15]))[0]]
        ['1x10x19']
        """
        found = np.zeros(SQUARES + 1, dtype=np.int8)
        pieces = ((men, MAN), (kings, KING), (other_men, -MAN), (other_kings, -KING))
        for squares, piece in pieces:
            for square in squares:
                if not 1 <= square <= SQUARES:
                    raise InputError(f"there is no square {square!r}; the squares are 1 to {SQUARES}")
                if found[square - 1]:
                    raise InputError(f"there are two pieces on square {square}; a square holds one")
                if (piece == MAN and square > LAST_ROW) or (piece == -MAN and square <= SQUARES - LAST_ROW):
                    raise InputError(f"there is a man on square {square}; in the last row it would be a king")
                found[square - 1] = piece
        return found

    def moves(self, position: Position, roll: Any = None) -> tuple[tuple[Any, ...], Positions]:
        """Return the legal moves as paths of squares, and the board after each move, as seen by the opponent."""
        board = np.array(position, dtype=np.int8)
        room = ROOM
        while True:
            paths = np.empty((room, LONGEST), dtype=np.int8)
            after = np.empty((room, SQUARES + 1), dtype=np.int8)
            n = repeated(legal_moves, WORK)(board, paths, after)
            if n <= room:
                break
            room = n
        return tuple(tuple(path[: path.index(-1)]) for path in paths[:n].tolist()), after[:n]

    def result(self, position: Position) -> float | None:
        """Return -1 if there is no move, 0 for a draw by the move limit."""
        board = np.array(position, dtype=np.int8)
        nowhere = np.empty((0, LONGEST), dtype=np.int8)
        if repeated(legal_moves, WORK)(board, nowhere, nowhere) == 0:
            return -1.0
        return 0.0 if position[SQUARES] >= DRAWN else None

    def features(self, positions: Positions) -> Floats:
        """Return the numbers of pieces, kings and threatened pieces, own and opponent's alternating."""
        boards = np.array(positions, dtype=np.int8)
        found = np.empty((len(boards), len(self.feature_names)))
        repeated(count_features, WORK * len(boards))(boards, found)
        return found

    def text(self, position: Position) -> str:
        """Return the board with the player to move below: x a man, X a king, o and O the opponent's."""
        lines = []
        for row in reversed(range(8)):
            squares = [4 * row + k for k in reversed(range(4))]
            cells = [f"{SIGNS[int(position[square])]}{square + 1:<2}" for square in squares]
            lines.append((" " * 4 * (row % 2 == 1) + (" " * 5).join(cells)).rstrip())
        return "\n".join(lines)

    def state_name(self, position: Position) -> str:
        """Return the squares, and the number of moves since a man moved or a piece was captured."""
        return "".join(SIGNS[piece] for piece in position[:SQUARES].tolist()) + f" {position[SQUARES]}"

    def move_text(self, move: Any) -> str:
        """Return the squares of a move, joined by x for captures.

        Examples
        --------
        >>> Checkers().move_text((0, 9, 18)), Checkers().move_text((8, 12))
        ('1x10x19', '9-13')
        """
        step = len(move) == 2 and abs(move[1] // 4 - move[0] // 4) == 1
        return ("-" if step else "x").join(str(square + 1) for square in move)

    def other_move_text(self, move: Any) -> str:
        """Return an opponent's move, with the squares numbered from the own side.

        Examples
        --------
        >>> Checkers().other_move_text((8, 12))
        '24-20'
        """
        return self.move_text(tuple(SQUARES - 1 - square for square in move))

    def parse_move(self, text: str, position: Position, roll: Any = None) -> int:
        """Return the index of the legal move given by a text: all its squares, or the first and last of one path."""
        moves, _ = self.moves(position, roll)
        squares = re.split(r"[\s,x-]+", text.strip().lower())
        wanted = tuple(int(each) - 1 if each.isdecimal() else -1 for each in squares)
        whole = [k for k, move in enumerate(moves) if wanted == move]
        fitting = whole or [k for k, move in enumerate(moves) if wanted == (move[0], move[-1])]
        if len(fitting) == 1:
            return fitting[0]
        raise self.no_move(text, [self.move_text(moves[k]) for k in (fitting or range(len(moves)))])


@dataclass(frozen=True)
class MaterialPlayer(Contestant):
    """Checkers player that maximises its material advantage after the move (man 1, king 2), ties broken at random."""

    def chances(self, turn: Turn) -> Floats:
        """Return move probabilities, uniform over the moves with the best material."""
        if turn.game.name != Checkers.name:
            raise InputError(f"the material player plays checkers, not {turn.game.name}")
        left = -turn.after[:, :SQUARES].astype(np.int64).sum(axis=1)
        best = left == left.max()
        return np.asarray(best / best.sum(), dtype=np.float64)
