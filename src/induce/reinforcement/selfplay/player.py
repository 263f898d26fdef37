"""A player with a value network, learned by self-play (Mitchell 13.1, 13.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.explained import Explained
from induce.core.forms import Parts
from induce.core.reports import text_table
from induce.core.shapes import check_numbers
from induce.core.ties import first_largest, largest_first
from induce.environments.games.game import (
    Floats,
    Game,
    Position,
    Positions,
    Turn,
    as_position,
    find_game,
)
from induce.hypotheses.kinds.game_player import GamePlayer
from induce.statistics.logistic import sigmoid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OBJECTIVES = ("points", "wins")
SHOWN = 8
"""Maximum number of moves in a printed explanation."""


def outcome_levels(game: Game, objective: str) -> tuple[Floats, Floats]:
    """Return the levels of a network's outputs, and the points each adds, with the base last.

    Output k is the probability that the player to move gets more than level k. A draw counts half at level 0.

    Examples
    --------
    >>> from induce.environments import Backgammon
    >>> levels, gaps = outcome_levels(Backgammon(), "points")
    >>> levels.tolist(), gaps.tolist()
    ([-2.5, -1.5, 0.0, 1.5, 2.5], [1.0, 1.0, 2.0, 1.0, 1.0, -3.0])
    """
    stakes = np.array(sorted(game.stakes if objective == "points" else (1,)), dtype=np.float64)
    above = (stakes[1:] + stakes[:-1]) / 2
    levels = np.concatenate([-above[::-1], [0.0], above])
    gaps = np.concatenate([np.diff(stakes)[::-1], [2 * stakes[0]], np.diff(stakes), [-stakes[-1]]])
    return levels, gaps


@dataclass(frozen=True)
class MoveValue:
    """One move: its expected points and the probability of each outcome."""

    move: str
    points: float
    chances: tuple[float, ...]


@dataclass(frozen=True)
class PlayerReasons(Explained):
    """Legal moves, best first, with the expected outcomes of each.

    Parameters
    ----------
    names : tuple of str
        Names of the outcomes.
    moves : tuple of MoveValue
    """

    names: tuple[str, ...]
    moves: tuple[MoveValue, ...]

    def __str__(self) -> str:
        best = self.moves[0]
        rows = [("  move", "points", *self.names)]
        rows += [
            (f"  {move.move}", f"{move.points:+.3f}", *(f"{chance:.1%}" for chance in move.chances))
            for move in self.moves[:SHOWN]
        ]
        left = len(self.moves) - SHOWN
        more = f"\n  … and {left} more" if left > 0 else ""
        return f"{best.move}, worth {best.points:+.3f} points\n{text_table(rows)}{more}"


@dataclass(frozen=True, eq=False, repr=False)
class Player(GamePlayer):
    """A one-hidden-layer value network that plays the move with the highest expected points.

    Parameters
    ----------
    game : str
        Name of the game.
    into : matrix of float64
        Weights from the features to the hidden units, one row per feature; the last row is the constant.
    out : matrix of float64
        Weights from the hidden units to the outputs, one row per output, the constant last.
    objective : {"points", "wins"}
        Whether wins are distinguished by size.
    games : int
        Number of training games.
    curve : matrix of float64
        Learning curve: number of games, fraction won against random play, and points per game. In a one-player
        game, the player's own games.

    Examples
    --------
    >>> from induce.environments import TicTacToe
    >>> from induce.reinforcement import TDGammon
    >>> player = TDGammon(n_hidden=10, games=200, random_state=0).learn(TicTacToe()).hypothesis_
    >>> print(player)
    tic-tac-toe: 6 inputs, 10 hidden units, 1 output; 200 games of self-play
    """

    game: str
    into: Floats
    out: Floats
    objective: str = "points"
    games: int = 0
    curve: Floats = field(default_factory=lambda: np.empty((0, 3)))

    def check(self) -> None:
        """Raise an `InputError` unless the shapes of the weights match."""
        if self.into.ndim != 2 or self.out.ndim != 2 or self.out.shape[1] != self.into.shape[1] + 1:
            raise InputError("the weight matrices of the player's network have inconsistent shapes")
        n_inputs, n_outputs = len(self._game.feature_names), len(self._gaps) - 1
        if (len(self.into) - 1, len(self.out)) != (n_inputs, n_outputs) or not self.into.shape[1]:
            raise InputError(
                f"the player's network needs {n_inputs} inputs, {n_outputs} outputs and a hidden unit"
            )
        if self.curve.size and (self.curve.ndim != 2 or self.curve.shape[1] != 3):
            raise InputError(f"curve has the shape {self.curve.shape}; it needs three columns")
        for name in ("into", "out", "curve"):
            check_numbers(name, getattr(self, name))

    @cached_property
    def _game(self) -> Game:
        return find_game(self.game)

    @cached_property
    def _gaps(self) -> Floats:
        return outcome_levels(self._game, self.objective)[1]

    def outputs(self, positions: Positions) -> Floats:
        """Return, for each position, the probability that the player to move scores above each level."""
        hidden = sigmoid(self._game.features(positions) @ self.into[:-1] + self.into[-1])
        found = sigmoid(hidden @ self.out[:, :-1].T + self.out[:, -1])
        for k, position in enumerate(positions):
            result = self._game.result(position)
            if result is not None:
                levels = outcome_levels(self._game, self.objective)[0]
                found[k] = (np.sign(result - levels) + 1) / 2
        return found

    def values(self, positions: Positions) -> Floats:
        """Return the expected points of the player to move in each position."""
        return np.asarray(self.outputs(positions) @ self._gaps[:-1] + self._gaps[-1], dtype=np.float64)

    def value(self, position: Any) -> float:
        """Return the expected points of the player to move in a position."""
        return float(self.values(as_position(self._game, position)[None])[0])

    def worth(self, turn: Turn) -> Floats:
        """Return the expected points of the player to move after each move."""
        if turn.game.name != self.game:
            raise InputError(f"this player plays {self.game}, not {turn.game.name}")
        values = self.values(turn.after)
        return np.asarray(-values if turn.game.players == 2 else values)

    def choose(self, turn: Turn, random: np.random.Generator) -> int:
        """Return the best move (the first in a tie)."""
        return first_largest(self.worth(turn))

    def chances(self, turn: Turn) -> Floats:
        """Return probability 1 for the best move and 0 for the others."""
        best = first_largest(self.worth(turn))
        return np.array([float(k == best) for k in range(len(turn.moves))])

    def explain(self, X: Any, roll: Any = None) -> PlayerReasons:
        """Return the expected points of every move in a position, and the probabilities of its outcomes.

        Parameters
        ----------
        X : array of int8, or Turn
            Position, seen by the player to move.
        roll : object
            Roll of the dice, in a game with dice.
        """
        turn = X if isinstance(X, Turn) else Turn.of(self._game, as_position(self._game, X), roll)
        if len(turn.moves) == 0:
            raise InputError("the game is over in this position; there is no move to explain")
        values = self.worth(turn)
        above = self.outputs(turn.after)
        if turn.game.players == 2:
            above = 1 - above[:, ::-1]
        middle = above.shape[1] // 2
        chances = np.column_stack([above[:, middle:], 1 - above[:, :middle][:, ::-1]])
        stakes = sorted(turn.game.stakes)[1:] if self.objective == "points" else []
        names = ("win", *(f"win {stake}" for stake in stakes), *(f"lose {stake}" for stake in stakes))
        moves = [
            MoveValue(turn.game.move_text(turn.moves[k]), float(values[k]), tuple(chances[k].tolist()))
            for k in largest_first(values).tolist()
        ]
        return PlayerReasons(names, tuple(moves))

    def predict(self, X: Sequence[Position]) -> Floats:
        """Return the expected points of the player to move for each position in a list."""
        return self.values(np.array([as_position(self._game, each) for each in X]))

    def parts(self) -> Parts:
        """Return no parts: single network weights are not interpretable."""
        return Parts(None, "single weights of a network are not interpretable")

    def size(self) -> str:
        """Return the size of the hypothesis as text."""
        outputs = f"{len(self.out)} output{'s' if len(self.out) > 1 else ''}"
        return f"{len(self.into) - 1} inputs, {self.into.shape[1]} hidden units, {outputs}"

    def __str__(self) -> str:
        text = f"{self.game}: {self.size()}; {self.games:,} games of self-play"
        if len(self.curve):
            games, won, points = self.curve[-1]
            text += f"\nafter {games:,.0f} games: {won:.1%} won against random play, {points:+.2f} points per game"
        return text

    __repr__ = __str__

    def draw(self) -> Figure:
        """Plot the learning curve and the weights of the hidden units."""
        from induce.reinforcement.selfplay.pictures import draw_player

        return draw_player(self)
