"""Games: a small protocol for one or two players, with or without dice (Mitchell 1.2, 13.1)."""

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
    """A turn-based game for one or two players.

    A position is a small int8 array, seen by the player to move: own men are positive, the opponent's negative. In a
    two-player game, the board is turned after every move, so that one value function serves both players.

    A user-defined game is a subclass with `name`, `feature_names` and the abstract methods; `register_game` makes it
    available to the command line and to players loaded from files.
    """

    name: ClassVar[str]
    players: ClassVar[int] = 2
    stakes: ClassVar[tuple[int, ...]] = (1,)
    feature_names: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def start(self) -> Position:
        """Return the initial position."""

    def rolls(self, position: Position | None = None) -> tuple[tuple[Any, float], ...]:
        """Return the dice outcomes with their probabilities; empty in a game without dice.

        Parameters
        ----------
        position : array, optional
            Position, for games whose dice depend on it.
        """
        return ()

    @abstractmethod
    def moves(self, position: Position, roll: Any = None) -> tuple[Sequence[Any], Positions]:
        """Return the legal moves, and a matrix of the positions after each, seen by the next player.

        An unfinished game allows at least one move: a forced pass is a move.
        """

    @abstractmethod
    def result(self, position: Position) -> float | None:
        """Return the points of the player to move, 0 for a draw; None while the game continues."""

    @abstractmethod
    def features(self, positions: Positions) -> Floats:
        """Return the features of a value function, one row per position; the columns are `feature_names`."""

    @abstractmethod
    def text(self, position: Position) -> str:
        """Return the board as lines of text."""

    def state_name(self, position: Position) -> Any:
        """Return the name of a position as a state of a decision process."""
        return tuple(position.tolist())

    def move_text(self, move: Any) -> str:
        """Return a move in conventional notation."""
        return str(move)

    def other_move_text(self, move: Any) -> str:
        """Return an opponent's move in the waiting player's notation."""
        return self.move_text(move)

    def roll_text(self, roll: Any) -> str:
        """Return a roll of the dice as text."""
        return "" if roll is None else str(roll)

    def parse_move(self, text: str, position: Position, roll: Any = None) -> int:
        """Return the index of the legal move given by a text.

        Raises
        ------
        InputError
            If the text is not a legal move.
        """
        moves, _ = self.moves(position, roll)
        written = [self.move_text(move) for move in moves]
        if text.strip().lower() in written:
            return written.index(text.strip().lower())
        raise self.no_move(text, written)

    def no_move(self, text: str, written: Sequence[str]) -> InputError:
        """Return the error for a text that is not a legal move."""
        shown = ", ".join(written[:12]) + (f" and {len(written) - 12} more" if len(written) > 12 else "")
        return InputError(f"{text.strip()!r} is not a legal move here; the moves are {shown}")


@dataclass(frozen=True, eq=False)
class Turn:
    """Situation of the player to move.

    Parameters
    ----------
    game : Game
        Game being played.
    position : array of int8
        Position, seen by the player to move.
    roll : object
        Roll of the dice; None in a game without dice.
    moves : sequence
        Legal moves.
    after : matrix of int8
        Position after each move, seen by the next player.
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
    """Validate user input as a position.

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
    """Register a user-defined game under its name.

    Parameters
    ----------
    game : Game
        Game to register.

    Examples
    --------
    >>> from induce.environments import TicTacToe
    >>> register_game(TicTacToe())
    """
    if not isinstance(game, Game):
        raise InputError(f"{game!r} is not a game; make a subclass of induce.environments.Game")
    _own[game.name] = game


def find_game(name: Any) -> Game:
    """Return the game with the given name; a game is returned unchanged.

    Parameters
    ----------
    name : str or Game
        Name of the game, or the game itself.

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
        f"there is no game {name!r}; the games are {known}; register your own with `register_game`"
    )


def is_game(candidate: Any) -> bool:
    """Return whether an object is a game or the name of one.

    Examples
    --------
    >>> is_game("checkers"), is_game("taxi")
    (True, False)
    """
    return isinstance(candidate, Game) or (isinstance(candidate, str) and candidate in game_names())


def game_names() -> tuple[str, ...]:
    """Return the names of all known games.

    Examples
    --------
    >>> "tic-tac-toe" in game_names()
    True
    """
    return tuple(sorted({*SHIPPED, *_own}))
