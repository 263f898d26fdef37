"""Games: one small protocol for one or two players, with or without dice (Mitchell 1.2, 13.1)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError

Position = NDArray[np.int8]
Positions = NDArray[np.int8]
Floats = NDArray[np.float64]

SHIPPED = {
    "backgammon": ("induce.environments.games.backgammon", "Backgammon"),
    "checkers": ("induce.environments.games.checkers", "Checkers"),
    "tic-tac-toe": ("induce.environments.games.tic_tac_toe", "TicTacToe"),
}
_own: dict[str, Game] = {}


class Game(ABC):
    """A game of one or two players who take turns.

    A position is a small array of int8, seen by the player who is to move: his men count up, those of the other down.
    In a game of two, the board is turned after every move, so that one value function serves both players.

    A game of your own is a subclass with `name`, `feature_names` and the abstract methods; `register_game` makes it
    known to the command line and to players that are loaded from files.
    """

    name: ClassVar[str]
    players: ClassVar[int] = 2
    stakes: ClassVar[tuple[int, ...]] = (1,)
    feature_names: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def start(self) -> Position:
        """Return the first position."""

    def rolls(self, position: Position | None = None) -> tuple[tuple[Any, float], ...]:
        """Return the outcomes of the dice with their probabilities; nothing in a game without dice.

        Parameters
        ----------
        position : array, optional
            Random generator of the dice, for games that need it.
        """
        return ()

    @abstractmethod
    def moves(self, position: Position, roll: Any = None) -> tuple[Sequence[Any], Positions]:
        """Return the legal moves, and a matrix with the position after each, seen by who moves next.

        A game that goes on allows at least one: a forced pass is a move.
        """

    @abstractmethod
    def result(self, position: Position) -> float | None:
        """Return the points of the player who would be to move, 0 for a draw; None while the game goes on."""

    @abstractmethod
    def features(self, positions: Positions) -> Floats:
        """Return a matrix with a row for each position, for a value function; the columns are `feature_names`."""

    @abstractmethod
    def text(self, position: Position) -> str:
        """Return the board as lines of text."""

    def state_name(self, position: Position) -> Any:
        """Return a name for a position, as decision processes use it."""
        return tuple(position.tolist())

    def move_text(self, move: Any) -> str:
        """Return a move as people write it."""
        return str(move)

    def other_move_text(self, move: Any) -> str:
        """Return a move of the other player as the one writes it who waits."""
        return self.move_text(move)

    def roll_text(self, roll: Any) -> str:
        """Return a roll of the dice as people write it."""
        return "" if roll is None else str(roll)

    def parse_move(self, text: str, position: Position, roll: Any = None) -> int:
        """Return which of the legal moves a text means.

        Raises
        ------
        InputError
            In one sentence, when it means none.
        """
        moves, _ = self.moves(position, roll)
        written = [self.move_text(move) for move in moves]
        if text.strip().lower() in written:
            return written.index(text.strip().lower())
        raise self.no_move(text, written)

    def no_move(self, text: str, written: Sequence[str]) -> InputError:
        """Return the error for a text that means no legal move."""
        shown = ", ".join(written[:12]) + (f" and {len(written) - 12} more" if len(written) > 12 else "")
        return InputError(f"{text.strip()!r} is not a legal move here; the moves are {shown}")


@dataclass(frozen=True, eq=False)
class Turn:
    """View of the player to move.

    Parameters
    ----------
    game : Game
    position : array of int8
    roll : object
        Roll of the dice; None in a game without dice.
    moves : sequence
        The legal moves.
    after : matrix of int8
        The position after each move, seen by who moves next.
    """

    game: Game
    position: Position
    roll: Any
    moves: Sequence[Any]
    after: Positions

    @classmethod
    def of(cls, game: Game, position: Position, roll: Any = None) -> Turn:
        """Return the turn in a position, with its legal moves.

        Examples
        --------
        >>> from induce.environments import TicTacToe
        >>> len(Turn.of(TicTacToe(), TicTacToe().start()).moves)
        9
        """
        return cls(game, position, roll, *game.moves(position, roll))


def as_position(game: Game, X: Any) -> Position:
    """Return what somebody gives as a position, checked.

    Examples
    --------
    >>> as_position(find_game("tic-tac-toe"), [0, 0])
    Traceback (most recent call last):
    induce.core.errors.InputError: a position of tic-tac-toe is an array of 9 whole numbers, not [0, 0]
    """
    position = np.asarray(X)
    if position.shape != game.start().shape or position.dtype.kind not in "iu":
        raise InputError(
            f"a position of {game.name} is an array of {len(game.start())} whole numbers, not {X!r:.60}"
        )
    return position.astype(np.int8)


def register_game(game: Game) -> None:
    """Make a game of your own known under its name.

    Examples
    --------
    >>> from induce.environments import TicTacToe
    >>> register_game(TicTacToe())
    """
    if not isinstance(game, Game):
        raise InputError(f"{game!r} is not a game; make a subclass of induce.environments.Game")
    _own[game.name] = game


def find_game(name: Any) -> Game:
    """Return the game with a name; a game is its own.

    Examples
    --------
    >>> find_game("tic-tac-toe").name
    'tic-tac-toe'
    """
    if isinstance(name, Game):
        return name
    if isinstance(name, str) and name in _own:
        return _own[name]
    if isinstance(name, str) and name in SHIPPED:
        home, cls = SHIPPED[name]
        found = getattr(import_module(home), cls)()
        assert isinstance(found, Game)
        return found
    known = ", ".join(game_names())
    raise InputError(
        f"there is no game {name!r}; the games are {known}, and `register_game` makes one of your own known"
    )


def is_game(candidate: Any) -> bool:
    """Say whether something is a game, or the name of one.

    Examples
    --------
    >>> is_game("checkers"), is_game("taxi")
    (True, False)
    """
    return isinstance(candidate, Game) or (isinstance(candidate, str) and candidate in game_names())


def game_names() -> tuple[str, ...]:
    """Return the names of all games that are known.

    Examples
    --------
    >>> "tic-tac-toe" in game_names()
    True
    """
    return tuple(sorted({*SHIPPED, *_own}))
