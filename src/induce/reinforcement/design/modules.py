"""Modules of a game learner: performance system, critic and experiment generator (Mitchell, figure 1.1).

The fourth module, the generalizer, has its own file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import one_of
from induce.core.ties import first_largest, first_smallest
from induce.environments.games.contestants import Contestant
from induce.environments.games.game import Game, Position, Positions, Turn
from induce.environments.games.matches import Record, throw
from induce.reinforcement.design.evaluation import Evaluation
from induce.reinforcement.design.generalizers import SCALE
from induce.reinforcement.design.values import Floats

CRITICS = ("successor", "strict", "outcome")
WARM_UP = 30
"""Maximum number of random moves before a practice game that starts from a random position."""
CANDIDATES = 8
"""Number of random positions from which the most balanced one is chosen."""


@dataclass(frozen=True)
class PerformanceSystem(Contestant):
    """Plays by an evaluation function, with occasional random moves.

    Parameters
    ----------
    player : Contestant
        Player that chooses the other moves.
    explore : float
        Probability of a random legal move.
    """

    player: Contestant
    explore: float = 0.0

    def chances(self, turn: Turn) -> Floats:
        """Return the probability of each move."""
        known = self.player.chances(turn)
        return (1.0 - self.explore) * known + self.explore / len(known)

    def choose(self, turn: Turn, random: np.random.Generator) -> int:
        """Return the chosen move."""
        if random.random() < self.explore:
            return int(random.integers(len(turn.moves)))
        return self.player.choose(turn, random)


@dataclass(frozen=True, eq=False)
class Practised:
    """A practice game for the experiment generator: its positions and the chosen moves."""

    positions: Positions
    choices: NDArray[np.int64]

    @classmethod
    def of(cls, record: Record) -> Practised:
        """Extract the positions and moves from a game record."""
        positions = np.array([turn.position for turn in record.turns], dtype=np.int8)
        return cls(positions, np.array(record.choices, dtype=np.int64))


# --- critics: from a game to training examples ------------------------------------------------------------------


def trace_of(record: Record, judge: Evaluation, seat: int) -> tuple[Floats, float]:
    """Return the features of the boards after each move of one player, ending with the final board, and the result.

    Parameters
    ----------
    record : Record
    judge : Evaluation
        Evaluation whose features are used.
    seat : int
        0 for the player who moved first, 1 for the other.
    """
    n, seats = len(record.turns), record.turns[0].game.players
    mine = [record.turns[k].after[record.choices[k]] for k in range(seat, n, seats)]
    size = record.final.shape
    rows = judge.features(np.array(mine, dtype=np.int8).reshape(-1, *size))
    if (n - 1) % seats != seat:  # the other player made the last move, so add the final board
        rows = np.concatenate([rows, judge.features(record.final[None], own_turn=True)])
    return rows, record.points if seat == 0 else -record.points


def training_values(estimates: Floats, won: float, critic: str = "successor") -> Floats:
    """Return the training value of each board of a trace.

    Parameters
    ----------
    estimates : array
        V of the boards; the last board is final.
    won : float
        Value of the final board.
    critic : {"successor", "strict", "outcome"}
        ``"successor"``: V of the next board (equation 1.1), and the result for the board before the final one.
        ``"strict"``: equation 1.1 literally, including V of the final board. ``"outcome"``: always the result.

    Examples
    --------
    >>> training_values(np.array([0.0, 5.0, 85.0, 60.0]), 100)
    array([  5.,  85., 100., 100.])
    >>> training_values(np.array([0.0, 5.0, 85.0, 60.0]), 100, "strict")
    array([  5.,  85.,  60., 100.])
    """
    one_of("critic", critic, CRITICS)
    if critic == "outcome":
        return np.full(len(estimates), won, dtype=np.float64)
    values = np.append(np.asarray(estimates, dtype=np.float64)[1:], won)
    if critic == "successor":
        values[-2:] = won
    return values


def from_course(record: Record, judge: Evaluation, seat: int, critic: str) -> tuple[Floats, Floats]:
    """Return training examples from the course and outcome of a game (indirect experience)."""
    rows, won = trace_of(record, judge, seat)
    estimates = judge.value.values(rows)
    # the value of the last board of an unfinished game is unknown
    return rows, training_values(estimates, won * SCALE if record.ended else float(estimates[-1]), critic)


def from_moves(record: Record, judge: Evaluation, seat: int, critic: str) -> tuple[Floats, Floats]:
    """Return training examples from correct moves (direct experience).

    The move made is worth 100, and the alternative that V rates highest is worth -100.
    """
    rows, known = [judge.features(record.final[None][:0])], []
    for k in range(seat, len(record.turns), record.turns[0].game.players):
        features, made = judge.features(record.turns[k].after), record.choices[k]
        values = judge.value.values(features)
        values[made] = -np.inf
        if len(values) > 1:
            rows.append(features[[made, first_largest(values, SCALE)]])
            known += [SCALE, -SCALE]
    return np.concatenate(rows), np.array(known)


# --- experiment generators: start of the next practice game (exercise 1.4)
# ---------------------------------------


class ExperimentGenerator(Protocol):
    """Chooses the starting position of the next practice game."""

    def __call__(
        self, game: Game, judge: Evaluation, last: Practised | None, random: np.random.Generator
    ) -> Position:
        """Choose a position.

        Parameters
        ----------
        game : Game
        judge : Evaluation
            Value function learned so far.
        last : Practised or None
            Previous game; None before the first.
        random : numpy.random.Generator
        """


def initial(game: Game, judge: Evaluation, last: Practised | None, random: np.random.Generator) -> Position:
    """Start every game from the initial position."""
    return game.start()


def random_position(
    game: Game, judge: Evaluation, last: Practised | None, random: np.random.Generator
) -> Position:
    """Start after a random number of random moves."""
    position = game.start()
    for _ in range(int(random.integers(WARM_UP + 1))):
        after = game.moves(position, throw(game, position, random))[1]
        following = after[int(random.integers(len(after)))]
        if game.result(following) is not None:
            break
        position = following
    return position


def alternative(
    game: Game, judge: Evaluation, last: Practised | None, random: np.random.Generator
) -> Position:
    """Start from a position of the last game, after a legal move that was not played."""
    if last is None:
        return game.start()
    for place in random.permutation(len(last.positions)).tolist():
        position = last.positions[place]
        roll = throw(game, position, random)
        after = game.moves(position, roll)[1]
        others = [
            each
            for k, each in enumerate(after)
            if (roll is not None or k != last.choices[place]) and game.result(each) is None
        ]
        if others:
            return np.asarray(others[int(random.integers(len(others)))], dtype=np.int8)
    return game.start()


def undecided(game: Game, judge: Evaluation, last: Practised | None, random: np.random.Generator) -> Position:
    """Start from the random position, out of several, whose value is nearest to a draw."""
    positions = np.array([random_position(game, judge, last, random) for _ in range(CANDIDATES)])
    return np.asarray(
        positions[first_smallest(np.abs(judge.values(positions, own_turn=True)), SCALE)], dtype=np.int8
    )


EXPERIMENTS: dict[str, ExperimentGenerator] = {
    "initial": initial,
    "random": random_position,
    "alternative": alternative,
    "undecided": undecided,
}
TARGETS: dict[str, Callable[[Record, Evaluation, int, str], tuple[Floats, Floats]]] = {
    "V": from_course,
    "ChooseMove": from_moves,
}
