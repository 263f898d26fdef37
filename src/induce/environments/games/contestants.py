"""Players: anything that chooses among legal moves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.ties import largest_first
from induce.environments.games.game import Floats, Game, Turn

MOST_POSITIONS = 200_000
"""Maximum number of positions of a game that is searched exhaustively."""

NAMED = ("random", "material", "perfect")
"""Built-in players."""


class Contestant(ABC):
    """A player, defined by the probability of each legal move.

    A player without explicit probabilities overrides only `choose`.
    """

    @abstractmethod
    def chances(self, turn: Turn) -> Floats:
        """Return the probability of each move of a turn."""

    def choose(self, turn: Turn, random: np.random.Generator) -> int:
        """Return the index of the chosen move of a turn."""
        if len(turn.moves) == 1:
            return 0
        return int(random.choice(len(turn.moves), p=self.chances(turn)))

    def reasons(self, turn: Turn) -> str:
        """Return a text with the moves it would make and their probabilities."""
        chances = self.chances(turn)
        best = largest_first(chances).tolist()
        texts = [
            f"{turn.game.move_text(turn.moves[k])} ({chances[k]:.0%})" for k in best[:5] if chances[k] > 0
        ]
        return f"it would play {', '.join(texts)}" + (
            " or another" if len(best) > 5 and chances[best[5]] else ""
        )


@dataclass(frozen=True)
class RandomPlayer(Contestant):
    """Player that makes uniformly random legal moves."""

    def chances(self, turn: Turn) -> Floats:
        """Return uniform move probabilities."""
        return np.full(len(turn.moves), 1 / len(turn.moves))


class PerfectPlayer(Contestant):
    """Player that makes the best move of a small game without dice, by exhaustive search (Mitchell 1.2.2).

    Equally good moves are equally likely. A game with dice, with more than 200,000 positions, or in which
    positions recur is refused.

    Parameters
    ----------
    game : Game
        Game to play.

    Examples
    --------
    >>> from induce.environments import TicTacToe
    >>> perfect = PerfectPlayer(TicTacToe())
    >>> perfect.value(TicTacToe().start())
    0.0
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._values: dict[bytes, float] = {}
        if game.rolls(game.start()):
            raise self._refused("has dice")

    def value(self, position: np.ndarray) -> float:
        """Return the points of the player to move under perfect play."""
        waiting, begun = [position], set[bytes]()
        while waiting:
            key = waiting[-1].tobytes()
            if key in self._values:
                waiting.pop()
                continue
            result = self.game.result(waiting[-1])
            after = [] if result is not None else list(self.game.moves(waiting[-1])[1])
            open_ones = [one for one in after if one.tobytes() not in self._values]
            if not open_ones:
                self._values[key] = max(self._signed(after)) if result is None else result
                begun.discard(key)
                continue
            if any(one.tobytes() in begun for one in open_ones):
                raise self._refused("can return to an earlier position")
            begun.add(key)
            waiting += open_ones
            if len(self._values) + len(waiting) > MOST_POSITIONS:
                raise self._refused(f"has more than {MOST_POSITIONS:,} positions")
        return self._values[position.tobytes()]

    def _refused(self, reason: str) -> InputError:
        learner = "GameLearner or TDGammon" if self.game.players == 2 else "QLearning"
        return InputError(
            f"{self.game.name} {reason}, so there is no perfect player; learn one with {learner}"
        )

    def chances(self, turn: Turn) -> Floats:
        """Return move probabilities, uniform over the best moves."""
        values = np.array(self._after(turn.position))
        best = values == values.max()
        return np.asarray(best / best.sum(), dtype=np.float64)

    def reasons(self, turn: Turn) -> str:
        """Return the best moves, and the outcomes of all moves under perfect play."""
        values = self._after(turn.position)
        groups: dict[float, list[str]] = {}
        for move, value in sorted(zip(turn.moves, values, strict=True), key=lambda pair: -pair[1]):
            groups.setdefault(value, []).append(turn.game.move_text(move))
        (value, best), *others = groups.items()
        all_alike = "all moves are equally good; " if not others and len(best) > 1 else ""
        lines = [f"best: {' or '.join(best)} ({all_alike}{_outcome(value)})"]
        lines += [f"worse: {', '.join(moves)} ({_outcome(points)})" for points, moves in others]
        return "\n".join(lines)

    def _after(self, position: np.ndarray) -> list[float]:
        after = list(self.game.moves(position)[1])
        for one in after:
            self.value(one)
        return self._signed(after)

    def _signed(self, after: Sequence[np.ndarray]) -> list[float]:
        """Return the points of the player to move after each move, whose values are known."""
        sign = -1 if self.game.players == 2 else 1
        return [sign * self._values[one.tobytes()] + 0.0 for one in after]


def _outcome(points: float) -> str:
    """Describe points from the view of the player to move."""
    if points == 0:
        return "a draw under perfect play"
    return f"{'wins' if points > 0 else 'loses'} under perfect play"


def contestant(player: Any, game: Game) -> Contestant:
    """Return a player of a game, given as a player or by name.

    Examples
    --------
    >>> from induce.environments import Checkers
    >>> contestant("random", Checkers())
    RandomPlayer()
    """
    from induce.environments.games.checkers import Checkers, MaterialPlayer

    if isinstance(player, Contestant):
        own = getattr(player, "game", game)
        if str(getattr(own, "name", own)) != game.name:
            raise InputError(f"the player plays {getattr(own, 'name', own)}, not {game.name}")
        return player
    if not isinstance(player, str) or player not in NAMED:
        raise InputError(f"{player!r} is not a player; give a player, or {', '.join(map(repr, NAMED))}")
    if player == "random":
        return RandomPlayer()
    if player == "material":
        if not isinstance(game, Checkers):
            raise InputError(f"the material player plays checkers, not {game.name}")
        return MaterialPlayer()
    return PerfectPlayer(game)
