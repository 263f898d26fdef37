"""Hypothesis of a game learner: an evaluation function that plays and explains moves (Mitchell 1.2.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.explained import Explained
from induce.core.forms import Parts
from induce.core.reports import text_table
from induce.core.shapes import check_numbers
from induce.core.ties import largest_first, largest_of_each
from induce.environments.games.game import Game, Position, Positions, Turn, as_position, find_game
from induce.hypotheses.kinds.game_player import GamePlayer
from induce.reinforcement.design.values import (
    Floats,
    LinearValue,
    ValueFunction,
    expanded,
    expanded_names,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIN = 100.0
"""Magnitude of the values of won and lost boards."""
SHOWN = 5
"""Maximum number of moves in a printed explanation."""


def own_columns(game: Game, seen_by_other: bool) -> list[int]:
    """Return the feature columns from one player's point of view, whoever is to move.

    Features whose names begin with ``own`` and ``other`` come in pairs, which are swapped.
    """
    names = list(game.feature_names)
    if game.players == 1 or not seen_by_other:
        return list(range(len(names)))
    swapped = {"own": "other", "other": "own"}
    partners = [
        f"{swapped[first]} {rest}" if (first := name.partition(" ")[0]) in swapped else name
        for name, rest in ((name, name.partition(" ")[2]) for name in names)
    ]
    return [names.index(partner) if partner in names else k for k, partner in enumerate(partners)]


@dataclass(frozen=True)
class Reason:
    """One move: its value and the contribution of each term (empty if the value is not a sum)."""

    move: str
    value: float
    terms: tuple[float, ...]


@dataclass(frozen=True)
class MoveReasons(Explained):
    """Legal moves, best first, with the contribution of each term of the evaluation function.

    Parameters
    ----------
    names : tuple of str
        Names of the terms, the constant first.
    moves : tuple of Reason
    """

    names: tuple[str, ...]
    moves: tuple[Reason, ...]

    def __str__(self) -> str:
        best = self.moves[0]
        used = [k for k in range(len(best.terms)) if any(move.terms[k] != 0 for move in self.moves[:SHOWN])]
        rows = [("  move", "V", *(self.names[k] for k in used))]
        rows += [
            (
                f"  {move.move}",
                f"{move.value:.4g}",
                *(f"{move.terms[k]:+.4g}" if move.terms[k] else "0" for k in used),
            )
            for move in self.moves[:SHOWN]
        ]
        left = len(self.moves) - SHOWN
        more = f"\n  … and {left} more" if left > 0 else ""
        return f"{best.move}, worth {best.value:.4g}\n{text_table(rows)}{more}"


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(GamePlayer):
    """An evaluation function V of boards, which plays the move that leads to the board of highest value.

    A board is evaluated right after a move, from the point of view of the player who made it: V is near 100 if that
    player wins and near -100 if it loses.

    Parameters
    ----------
    game : str
        Name of the game.
    value : ValueFunction
        Value function over the features.
    representation : {"linear", "quadratic"}
        Whether products of features are included as terms.
    points : array of float64
        Result of the learner in each practice game.
    errors : array of float64
        Mean difference between the training values and V in each game.
    weights : matrix of float64
        Weights before the first game and after each game; empty if the terms have no weights.

    Examples
    --------
    >>> player = Evaluation("tic-tac-toe", LinearValue(np.array([0, 1, -1, 10, -20, 100, -100.0])))
    >>> print(player)
    V = 0 + 1·own 1 - 1·other 1 + 10·own 2 - 20·other 2 + 100·own 3 - 100·other 3
    >>> print(player.explain(np.array([1, 1, 0, -1, -1, 0, 0, 0, 0], dtype=np.int8)))
    3, worth 81
      move    V  own 1  other 1  own 2  other 2  own 3
      3      81     +1        0      0      -20   +100
      6      10     +1       -1    +10        0      0
      7      -9     +1        0    +10      -20      0
      9      -9     +2       -1    +10      -20      0
      8     -10     +1       -1    +10      -20      0
    """

    game: str
    value: ValueFunction
    representation: str = "linear"
    points: Floats = field(default_factory=lambda: np.empty(0))
    errors: Floats = field(default_factory=lambda: np.empty(0))
    weights: Floats = field(default_factory=lambda: np.empty((0, 0)))

    def check(self) -> None:
        """Raise an `InputError` unless the weights suit the features of the game."""
        n = len(self.names) + 1
        if isinstance(self.value, LinearValue) and len(self.value.weights) != n:
            raise InputError(f"there are {len(self.value.weights)} weights; {self.game} needs {n}")
        if self.points.ndim != 1 or self.points.shape != self.errors.shape:
            raise InputError("points and errors need one number for each game")
        if self.weights.size and self.weights.shape != (len(self.points) + 1, n):
            raise InputError(
                f"weights has the shape {self.weights.shape}; it must be {(len(self.points) + 1, n)}"
            )
        check_numbers("weights", self.weights)

    @cached_property
    def _game(self) -> Game:
        return find_game(self.game)

    @cached_property
    def _columns(self) -> dict[bool, list[int]]:
        return {other: own_columns(self._game, other) for other in (False, True)}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the terms, without the constant."""
        return expanded_names(self._game.feature_names, self.representation)

    def features(self, positions: Positions, own_turn: bool = False) -> Floats:
        """Return the features seen by the player who has just moved, or by the player to move."""
        columns = self._columns[not own_turn]
        return expanded(self._game.features(positions)[:, columns], self.representation)

    def values(self, positions: Positions, own_turn: bool = False) -> Floats:
        """Return V for the player who has just moved, or for the player to move."""
        return self.value.values(self.features(positions, own_turn))

    def chances(self, turn: Turn) -> Floats:
        """Return move probabilities, uniform over the best moves."""
        best = self._best(turn)
        return np.asarray(best / best.sum(), dtype=np.float64)

    def choose(self, turn: Turn, random: np.random.Generator) -> int:
        """Return one of the best moves, chosen at random."""
        best = np.flatnonzero(self._best(turn))
        return int(best[0] if len(best) == 1 else best[int(random.integers(len(best)))])

    def _best(self, turn: Turn) -> NDArray[np.bool_]:
        if turn.game.name != self.game:
            raise InputError(f"this player plays {self.game}, not {turn.game.name}")
        return np.asarray(largest_of_each(self.values(turn.after)[np.newaxis], WIN)[0])

    def explain(self, X: Any, roll: Any = None) -> MoveReasons:
        """Return the value of every move in a position and the contribution of each term.

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
        rows = self.features(turn.after)
        values, terms = self.value.values(rows), self.value.contributions(rows)
        reasons = [
            Reason(
                turn.game.move_text(turn.moves[k]),
                float(values[k]),
                () if terms is None else tuple(terms[k].tolist()),
            )
            for k in largest_first(values, WIN).tolist()
        ]
        return MoveReasons(("constant", *self.names), tuple(reasons))

    def predict(self, X: Sequence[Position]) -> Floats:
        """Return V of each position in a list, for the player to move."""
        return self.values(np.array([as_position(self._game, each) for each in X]), own_turn=True)

    def after_games(self, n: int) -> Evaluation:
        """Return the evaluation function after `n` practice games."""
        at_least("n", n, 0, whole=True)
        if n >= len(self.weights):
            raise InputError(
                f"the weights are known after 0 to {len(self.weights) - 1} games, not {n}"
                if len(self.weights)
                else "only linear functions store their weights after each game"
            )
        return replace(
            self,
            value=LinearValue(self.weights[n]),
            points=self.points[:n],
            errors=self.errors[:n],
            weights=self.weights[: n + 1],
        )

    def parts(self) -> Parts:
        """Return the number of weights, or why none is interpretable."""
        return self.value.parts()

    def size(self) -> str:
        """Return the size of the hypothesis as text."""
        return f"{self.value.size()}, {len(self.points):,} games"

    def __str__(self) -> str:
        return self.value.formula(self.names)

    __repr__ = __str__

    def draw(self) -> Figure:
        """Plot the weights and the training error after each game."""
        from induce.reinforcement.design.pictures import draw_practice

        return draw_practice(self)
