"""Single games, matches of many games, and a game against an opponent as a decision process."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.progress import report
from induce.core.randomness import RandomState, seed_of, stream
from induce.environments.games.contestants import Contestant, contestant
from induce.environments.games.game import Floats, Game, Position, Turn, find_game
from induce.environments.mdp import MDP
from induce.statistics.interval import Interval
from induce.statistics.intervals import t_mean, wilson

LIMIT = 10_000
"""Maximum number of moves of a game; a longer one is a draw."""
STATES = 1_000_000
"""Maximum number of states of a game as a decision process."""


@dataclass(frozen=True, eq=False)
class Record:
    """Record of a game.

    Parameters
    ----------
    turns : tuple of Turn
        Turns of the players, alternating.
    choices : tuple of int
        Index of the move made at each turn.
    final : array of int8
        Last position, seen by the player to move.
    points : float
        Result of the first player; negative for a loss.
    ended : bool
        Whether the game ended before the move limit.
    """

    turns: tuple[Turn, ...]
    choices: tuple[int, ...]
    final: Position
    points: float
    ended: bool

    def __str__(self) -> str:
        game = self.turns[0].game
        made = [
            f"{game.roll_text(turn.roll)} {game.move_text(turn.moves[choice])}".strip()
            for turn, choice in zip(self.turns, self.choices, strict=True)
        ]
        return "; ".join(made)


def throw(game: Game, position: Position, dice: np.random.Generator) -> Any:
    """Return the dice roll; None in a game without dice."""
    rolls = game.rolls(position)
    if not rolls:
        return None
    return rolls[int(dice.choice(len(rolls), p=[chance for _, chance in rolls]))][0]


def play(
    game: Game,
    players: Sequence[Contestant],
    dice: np.random.Generator,
    start: Position | None = None,
    limit: int = LIMIT,
) -> Record:
    """Play a game; the first player moves first.

    Parameters
    ----------
    game : Game
        Game to play.
    players : sequence of Contestant
        One or two players.
    dice : numpy.random.Generator
        Random generator of dice and choices.
    start : array of int8, optional
        Starting position; by default the start of the game.
    limit : int
        Maximum number of moves; a longer game is a draw.

    Examples
    --------
    >>> from induce.environments import RandomPlayer, TicTacToe
    >>> record = play(TicTacToe(), (RandomPlayer(), RandomPlayer()), np.random.default_rng(1))
    >>> print(record, record.points)
    5; 6; 2; 3; 8 1.0
    """
    position = game.start() if start is None else start
    chance, choosing = dice.spawn(2)  # the dice do not depend on the players' random numbers
    turns: list[Turn] = []
    choices: list[int] = []
    result = game.result(position)
    while result is None and len(turns) < limit:
        turn = Turn.of(game, position, throw(game, position, chance))
        choice = players[len(turns) % len(players)].choose(turn, choosing)
        turns.append(turn)
        choices.append(choice)
        position = turn.after[choice]
        result = game.result(position)
    first = game.players == 1 or len(turns) % 2 == 0
    points = 0.0 if result is None else result if first else -result
    return Record(tuple(turns), tuple(choices), position, points + 0.0, result is not None)


@dataclass(frozen=True)
class Match:
    """Result of one player against another.

    Parameters
    ----------
    points : array of float64
        Result of the first player in each game; negative for a loss.

    Examples
    --------
    >>> print(Match(np.array([1.0, 1.0, -1.0, 0.0])))
    4 games: 2 won, 1 drawn, 1 lost; 0.25 points per game, 95% interval [-1.273, 1.773]
    """

    points: NDArray[np.float64]

    @property
    def won(self) -> int:
        """Number of games won."""
        return int((self.points > 0).sum())

    @property
    def drawn(self) -> int:
        """Number of games drawn."""
        return int((self.points == 0).sum())

    @property
    def lost(self) -> int:
        """Number of games lost."""
        return int((self.points < 0).sum())

    def win_rate(self) -> float:
        """Return the fraction of games won, counting draws as half."""
        return float((self.won + self.drawn / 2) / len(self.points))

    def interval(self, confidence: float = 0.95) -> Interval:
        """Return a confidence interval for the points per game (Student's t)."""
        return t_mean(self.points, confidence)

    def win_interval(self, confidence: float = 0.95) -> Interval:
        """Return a confidence interval for the win rate: Wilson's, or Student's t if there are draws."""
        return rate_interval((np.sign(self.points) + 1) / 2, confidence)

    def __str__(self) -> str:
        counts = f"{len(self.points):,} games: {self.won:,} won, {self.drawn:,} drawn, {self.lost:,} lost"
        if len(self.points) < 2:
            return counts
        found = self.interval()
        return (
            f"{counts}; {self.points.mean():.4g} points per game, 95% interval [{found.low:.4g}, "
            f"{found.high:.4g}]"
        )


def rate_interval(shares: NDArray[np.float64], confidence: float = 0.95) -> Interval:
    """Return a confidence interval for the mean of results 1, 1/2 or 0: Wilson's, or Student's t if there are draws.

    Examples
    --------
    >>> print(rate_interval(np.array([1.0, 1.0, 0.0, 1.0])))
    approximate 95% interval [0.30, 0.95] (Wilson)
    """
    n = len(shares)
    if n == 1 or np.isin(shares, (0, 1)).all():
        return wilson(round(float(shares.sum())), n, confidence)
    found = t_mean(shares, confidence)
    return replace(found, low=max(0.0, found.low), high=min(1.0, found.high))


def match(
    game: Game | str,
    first: Contestant | str,
    second: Contestant | str,
    games: int = 1000,
    random_state: RandomState = None,
) -> Match:
    """Play many games between two players, who alternate in moving first and get the same dice.

    Parameters
    ----------
    game : Game or str
        A two-player game.
    first, second : Contestant or str
        Players, or their names: ``"random"``, ``"material"`` or ``"perfect"``.
    games : int, default=1000
        Number of games.
    random_state : int, Generator or None
        Random seed of dice and choices; None draws a new one.

    Examples
    --------
    >>> from induce.environments import PerfectPlayer, RandomPlayer, TicTacToe
    >>> print(match("tic-tac-toe", PerfectPlayer(TicTacToe()), RandomPlayer(), games=20, random_state=0))
    20 games: 18 won, 2 drawn, 0 lost; 0.9 points per game, 95% interval [0.7559, 1.044]
    """
    game = find_game(game)
    if game.players != 2:
        raise InputError(f"{game.name} is a one-player game; a match needs a two-player game")
    at_least("games", games, 1, whole=True)
    one, other = contestant(first, game), contestant(second, game)
    seed = seed_of(random_state)
    points = np.empty(games)
    for k in range(games):
        dice = stream(seed, k // 2)  # each pair of games has the same dice, with seats swapped
        swapped = k % 2 == 1
        won = play(game, (other, one) if swapped else (one, other), dice).points
        points[k] = -won + 0.0 if swapped else won
        report((k + 1) / games)
    return Match(points)


def against(game: Game, opponent: Contestant, first: bool = True) -> MDP:
    """Return a small game against a known opponent as a decision process (exercise 13.3).

    The states are the positions in which the player is to move, with the roll in games with dice, and one state per
    result; an action is a move in its notation. The reward is given at the end: the points.

    Parameters
    ----------
    game : Game
        Game to convert.
    opponent : Contestant
        Opponent whose `chances` define its moves; ignored in a one-player game.
    first : bool
        Whether the player moves first.

    Examples
    --------
    >>> from induce.environments import RandomPlayer, TicTacToe
    >>> against(TicTacToe(), RandomPlayer())
    MDP: 2,426 states, 9 actions, 8,631 pairs, 24,258 transitions, 3 absorbing states
    """
    model: dict[Any, dict[Any, list[tuple[Any, float, float, bool]]]] = {}
    waiting: deque[tuple[Any, Turn]] = deque()
    replies: dict[bytes, list[tuple[Any, float, float, bool]]] = {}

    def state(position: Position, roll: Any) -> Any:
        name = game.state_name(position)
        if roll is not None:
            name = (name, game.roll_text(roll))
        if name not in model:
            if len(model) >= STATES:
                raise InputError(f"{game.name} has more than {STATES:,} states; learn by playing it instead")
            model[name] = {}
            waiting.append((name, Turn.of(game, position, roll)))
        return name

    def mine(position: Position, chance: float) -> list[tuple[Any, float, float, bool]]:
        result = game.result(position)
        if result is not None:
            return [(_outcome(result), chance, result, True)]
        return [
            (state(position, roll), chance * share, 0.0, False)
            for roll, share in game.rolls(position) or ((None, 1.0),)
        ]

    def theirs(position: Position) -> list[tuple[Any, float, float, bool]]:
        if game.players == 1:
            return mine(position, 1.0)
        key = position.tobytes()  # several moves may lead to the same position
        if key not in replies:
            replies[key] = replied(position)
        return replies[key]

    def replied(position: Position) -> list[tuple[Any, float, float, bool]]:
        result = game.result(position)
        if result is not None:
            return [(_outcome(-result), 1.0, -result + 0.0, True)]
        found = []
        for roll, share in game.rolls(position) or ((None, 1.0),):
            turn = Turn.of(game, position, roll)
            for after, likely in zip(turn.after, _likely(opponent, turn), strict=True):
                if likely > 0:
                    found += mine(after, share * likely)
        return found

    begin = mine(game.start(), 1.0) if first else theirs(game.start())
    while waiting:
        name, turn = waiting.popleft()
        for move, after in zip(turn.moves, turn.after, strict=True):
            model[name][game.move_text(move)] = theirs(after)
    start: dict[Any, float] = {}
    for name, chance, _, _ in begin:
        start[name] = start.get(name, 0.0) + chance
    return MDP.of(model, start=start)


def _likely(opponent: Contestant, turn: Turn) -> Floats:
    return np.asarray(opponent.chances(turn), dtype=np.float64)


def _outcome(points: float) -> str:
    if points == 0:
        return "drawn"
    name = "won" if points > 0 else "lost"
    return name if abs(points) == 1 else f"{name} {abs(points):g}"


def count_sequences(game: Game, depth: int) -> list[int]:
    """Return the number of sequences of 1, 2, … moves from the start, a test of move generators (perft).

    Parameters
    ----------
    game : Game
        Game whose moves are counted.
    depth : int
        Maximum number of moves.

    Examples
    --------
    >>> from induce.environments import TicTacToe
    >>> count_sequences(TicTacToe(), 5)
    [9, 72, 504, 3024, 15120]
    """
    counts = [0] * depth
    level: dict[bytes, tuple[Position, int]] = {game.start().tobytes(): (game.start(), 1)}
    for k in range(depth):
        following: dict[bytes, tuple[Position, int]] = {}
        for position, ways in level.values():
            if game.result(position) is not None:
                continue
            for roll, _ in game.rolls(position) or ((None, 1.0),):
                for after in game.moves(position, roll)[1]:
                    counts[k] += ways
                    found = following.get(after.tobytes(), (after, 0))
                    following[after.tobytes()] = (after, found[1] + ways)
        level = following
    return counts
