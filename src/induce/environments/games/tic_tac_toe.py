"""Tic-tac-toe (Mitchell, exercises 1.5 and 13.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from induce.environments.games.contestants import Contestant
from induce.environments.games.game import Floats, Game, Position, Positions, Turn

ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
LINES = np.array(ROWS, dtype=np.int64)


@dataclass(frozen=True)
class TicTacToe(Game):
    """Three in a row on nine squares, numbered 1 to 9 row by row.

    A position has 1 for a mark of the player to move, -1 for the opponent's and 0 for an empty square. The features
    are the numbers of open lines with one, two and three own marks and none of the opponent's, and vice versa.

    Examples
    --------
    >>> game = TicTacToe()
    >>> moves, after = game.moves(game.start())
    >>> print(game.text(after[game.parse_move("5", game.start())]))
    1 2 3
    4 X 6
    7 8 9
    >>> game.features(after[:1])
    array([[0., 3., 0., 0., 0., 0.]])
    """

    name: ClassVar[str] = "tic-tac-toe"
    feature_names: ClassVar[tuple[str, ...]] = ("own 1", "other 1", "own 2", "other 2", "own 3", "other 3")

    def start(self) -> Position:
        """Return the empty board."""
        return np.zeros(9, dtype=np.int8)

    def moves(self, position: Position, roll: Any = None) -> tuple[tuple[Any, ...], Positions]:
        """Return the empty squares, and the board with a mark on each, turned."""
        empty = np.flatnonzero(position == 0)
        after = np.tile(-position, (len(empty), 1))
        after[np.arange(len(empty)), empty] = -1
        return tuple(empty.tolist()), after

    def result(self, position: Position) -> float | None:
        """Return -1 if the last move made three in a row, 0 if the board is full."""
        marks = position.tolist()
        for a, b, c in ROWS:
            if marks[a] == marks[b] == marks[c] != 0:
                return float(marks[a])
        return None if 0 in marks else 0.0

    def features(self, positions: Positions) -> Floats:
        """Return the numbers of open lines with one, two and three marks, own and opponent's alternating."""
        lines = positions[:, LINES]
        own, other = (lines == 1).sum(axis=2), (lines == -1).sum(axis=2)
        counted = [
            ((mine == count) & (theirs == 0)).sum(axis=1)
            for count in (1, 2, 3)
            for mine, theirs in ((own, other), (other, own))
        ]
        return np.column_stack(counted).astype(np.float64)

    def text(self, position: Position) -> str:
        """Return the board; X is the player who moved first."""
        marks = self._marks(position)
        cells = [str(k + 1) if mark == "." else mark for k, mark in enumerate(marks)]
        return "\n".join(" ".join(cells[k : k + 3]) for k in (0, 3, 6))

    def state_name(self, position: Position) -> str:
        """Return the nine squares as X, O and dots."""
        return self._marks(position)

    def move_text(self, move: Any) -> str:
        """Return the number of the square."""
        return str(move + 1)

    def _marks(self, position: Position) -> str:
        mine, other = "XO" if position.sum() == 0 else "OX"
        return "".join({1: mine, -1: other, 0: "."}[mark] for mark in position.tolist())


@dataclass(frozen=True)
class ForcedMoves(Contestant):
    """A tic-tac-toe opponent that makes forced moves and otherwise random ones (Mitchell, exercise 13.3).

    Parameters
    ----------
    win : bool
        Whether it first completes its own rows.
    block : bool
        Whether it blocks the opponent's rows.
    """

    win: bool = True
    block: bool = True

    def chances(self, turn: Turn) -> Floats:
        """Return the probability of each move."""
        sums = turn.position[LINES].sum(axis=1)
        squares = np.array(turn.moves)
        for wanted, wished in ((2, self.win), (-2, self.block)):
            forced = np.isin(squares, LINES[sums == wanted].ravel())
            if wished and forced.any():
                return np.asarray(forced / forced.sum(), dtype=np.float64)
        return np.full(len(squares), 1 / len(squares))
