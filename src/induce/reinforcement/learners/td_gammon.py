"""Learning a game by self-play with temporal differences and a value network (Mitchell 13.1, 13.5, 13.6)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core._random_loops import below, uniform
from induce.core.errors import InputError
from induce.core.experience import ExperienceLearner
from induce.core.loops import sized
from induce.core.parameters import Declared, choice, number, whole
from induce.core.randomness import RandomState, seed_of, stream, streams
from induce.core.ties import first_largest, first_smallest
from induce.core.trace import active, emit
from induce.environments.games.backgammon import Backgammon
from induce.environments.games.contestants import RandomPlayer
from induce.environments.games.game import Floats, Game, Position, find_game, register_game
from induce.environments.games.matches import LIMIT, match, play
from induce.reinforcement.selfplay import _backgammon_loops as backgammon
from induce.reinforcement.selfplay import _loops as loops
from induce.reinforcement.selfplay.player import OBJECTIVES, Player, outcome_levels

BATCH = 10
"""Number of games per step of a run, for games without a compiled loop."""
COMPILED_BATCH = 100
"""Number of backgammon games per step of a run: some tenths of a second."""
MEASURED = 200
"""Number of evaluation games against random play."""
TURNS = 10
"""Approximate number of turns per game, and of moves per turn."""
SPREAD = 0.1
"""Bound on the absolute initial weights."""
EXPLORATION = 0.1


@dataclass(frozen=True, eq=False)
class SelfPlay:
    """State of self-play.

    Parameters
    ----------
    game : str
    seed : int
    chance : array of int64
        Random stream.
    into, out : matrix of float64
        Weights of the network.
    games, moves : int
        Number of games and number of moves played.
    curve : matrix of float64
        Learning curve, as in `Player`.
    """

    game: str
    seed: int
    chance: NDArray[np.int64]
    into: Floats
    out: Floats
    games: int
    moves: int
    curve: Floats


@dataclass(frozen=True, eq=False)
class Run:
    """Setting of a run: the game, the meaning of the outputs, and the exploration rate."""

    game: Game
    levels: Floats
    gaps: Floats
    exploration: float


class TDGammon(ExperienceLearner[SelfPlay]):
    """Learn to play a game by self-play, using TD(λ) with a one-hidden-layer network.

    As in Tesauro's TD-Gammon, the network evaluates positions, and the player makes the move with the best
    expected result. After every move, the evaluation of the previous position moves towards that of the
    position reached; at the end of a game, towards its result. One network plays both sides: positions are seen
    by the player to move. Its outputs are the probability of a win and, if games can count for more than one
    point, the probabilities of winning or losing that many points.

    Whole games of backgammon run in a compiled loop. Other games are played move by move.

    Parameters
    ----------
    n_hidden : int, default=40
        Number of hidden units.
    games : int, default=10000
        Number of games.
    learning_rate : float, default=0.5
        Learning rate in the first games: step of an evaluation towards its target.
    slow_down : int, default=5000
        Step-size decay: after g games the step is divided by sqrt(1 + g / slow_down); 0 disables it.
    lambda_ : float, default=0.0
        Trace decay: weight of earlier positions, from 0 (only the last one; by far the fastest) to 1.
    objective : {"points", "wins"}, default="points"
        Whether to maximise points, if games can count for more than one, or the probability of winning.
    exploration : float, optional
        Fraction of random moves, from which nothing is learned. By default 0 in games with dice, which supply enough
        randomness, and 0.1 in others.
    measure_every : int, default=1000
        Number of games between two evaluations against random play; 0 disables them.
    random_state : int, Generator or None, default=0
        Random seed; None draws a new one at each fit.

    Attributes
    ----------
    hypothesis_ : Player
    state_ : SelfPlay

    See Also
    --------
    GameLearner : Evaluation functions learned from games.
    ApproximateQLearning : Action values by linear models, networks or clusters.

    Notes
    -----
    There are no missing values and no unseen categories: a game has the same features in every position.

    References
    ----------
    G. Tesauro (1995). Temporal difference learning and TD-Gammon. Communications of the ACM 38(3), 58-68.

    Examples
    --------
    >>> from induce.environments import RandomPlayer, TicTacToe, match
    >>> learner = TDGammon(n_hidden=10, games=400, lambda_=0.7).learn(TicTacToe())
    >>> match("tic-tac-toe", learner.hypothesis_, RandomPlayer(), games=100, random_state=1).win_rate() > 0.8
    True
    """

    steps: ClassVar[str] = "games"
    hypothesis_: Player
    state_: SelfPlay

    parameters: ClassVar[Declared] = {
        "n_hidden": whole("Number of hidden units.", at_least=1),
        "games": whole("Number of games.", at_least=0),
        "learning_rate": number("Learning rate in the first games.", at_least=0, at_most=1),
        "slow_down": whole(
            "Step-size decay: after g games the step is divided by sqrt(1 + g / slow_down); 0 disables it.",
            at_least=0,
        ),
        "lambda_": number("Trace decay (lambda); 0 is by far the fastest.", at_least=0, at_most=1),
        "objective": choice("Objective: points or wins.", *OBJECTIVES),
        "exploration": number(
            "Fraction of random moves; None uses 0 in games with dice and 0.1 in others.",
            at_least=0,
            at_most=1,
            none=True,
        ),
        "measure_every": whole("Number of games between two evaluations; 0 disables them.", at_least=0),
    }

    def __init__(
        self,
        n_hidden: int = 40,
        games: int = 10_000,
        *,
        learning_rate: float = 0.5,
        slow_down: int = 5000,
        lambda_: float = 0.0,
        objective: str = "points",
        exploration: float | None = None,
        measure_every: int = 1000,
        random_state: RandomState = 0,
    ) -> None:
        self.n_hidden = n_hidden
        self.games = games
        self.learning_rate = learning_rate
        self.slow_down = slow_down
        self.lambda_ = lambda_
        self.objective = objective
        self.exploration = exploration
        self.measure_every = measure_every
        self.random_state = random_state

    @contextmanager
    def _opened(self, source: Any) -> Iterator[Run]:
        game = find_game(source)
        if isinstance(source, Game):
            register_game(game)  # the learned player looks up its game by name
        exploration = self.exploration
        if exploration is None:
            exploration = 0.0 if game.rolls(game.start()) else EXPLORATION
        yield Run(game, *outcome_levels(game, self.objective), float(exploration))

    def _begin(self, run: Run) -> SelfPlay:
        seed = seed_of(self.random_state)
        first = stream(seed, 0)
        n_inputs = len(run.game.feature_names)
        into = first.uniform(-SPREAD, SPREAD, (n_inputs + 1, self.n_hidden))
        out = first.uniform(-SPREAD, SPREAD, (len(run.levels), self.n_hidden + 1))
        chance = streams(seed, 1, n=1)[0]
        return SelfPlay(run.game.name, seed, chance, into, out, 0, 0, np.empty((0, 3)))

    def _check_same(self, run: Run, state: SelfPlay) -> None:
        if run.game.name != state.game:
            raise InputError(
                f"this learner has played {state.game}, not {run.game.name}; give it the same game"
            )
        expected = ((len(run.game.feature_names) + 1, self.n_hidden), (len(run.levels), self.n_hidden + 1))
        if (state.into.shape, state.out.shape) != expected:
            raise InputError(
                "n_hidden, objective or the game changed since the run began; call `learn` to start again"
            )

    def _share(self, state: SelfPlay) -> float:
        return min(1.0, state.games / self.games) if self.games else 1.0

    def _line(self, state: SelfPlay) -> str:
        won = f", {state.curve[-1, 1]:.0%} won against random play" if len(state.curve) else ""
        return f"{state.games:,} games{won}"

    def _step(self, run: Run, state: SelfPlay) -> SelfPlay:
        own_loop = type(run.game) is Backgammon and run.exploration == 0
        batch = COMPILED_BATCH if own_loop else BATCH
        # steps end at fixed game counts even after an interrupt, because the learning rate changes there
        games = min(batch - state.games % batch, self.games - state.games)
        rate = float(self.learning_rate)
        if self.slow_down:
            rate /= (1 + state.games // batch * batch / self.slow_down) ** 0.5
        if self.measure_every:
            games = min(games, self.measure_every - state.games % self.measure_every)
        chance, into, out = state.chance.copy(), state.into.copy(), state.out.copy()
        play_on = self._whole_games if own_loop else self._move_by_move
        moves, error = play_on(run, games, rate, chance, into, out)
        if not np.isfinite(into).all():
            raise InputError(
                f"the weights grew without bound; try a learning_rate below {self.learning_rate}"
            )
        state = replace(
            state, chance=chance, into=into, out=out, games=state.games + games, moves=state.moves + moves
        )
        if self.measure_every and state.games % self.measure_every == 0:
            state = replace(state, curve=np.vstack([state.curve, self._measured(run, state)]))
        if active():
            emit("self-play", games=state.games, moves=moves / games, error=error / max(moves, 1))
        return state

    def _conclude(self, run: Run, state: SelfPlay) -> Player:
        return Player(state.game, state.into, state.out, self.objective, state.games, state.curve)

    def _traces(self, into: Floats, out: Floats) -> Floats:
        return np.zeros((len(out) if self.lambda_ > 0 else 0, into.size + out.size))

    def _whole_games(
        self, run: Run, games: int, rate: float, chance: NDArray[np.int64], into: Floats, out: Floats
    ) -> tuple[int, float]:
        tally = np.zeros(3)
        sized(backgammon.self_play, games * 50_000 * self.n_hidden)(
            games,
            run.game.start(),
            into,
            out,
            run.levels,
            run.gaps,
            rate,
            float(self.lambda_),
            self._traces(into, out),
            chance,
            tally,
        )
        return int(tally[0]), float(tally[2])

    def _move_by_move(
        self, run: Run, games: int, rate: float, chance: NDArray[np.int64], into: Floats, out: Floats
    ) -> tuple[int, float]:
        work = self.games * TURNS * TURNS * into.size
        part = games / self.games
        judge, judge_all = sized(loops.judge, work, part), sized(loops.judge_all, work, part)
        td_step, trace_step = sized(loops.td_step, work, part), sized(loops.trace_step, work, part)
        game, turns = run.game, run.game.players == 2
        decay = float(self.lambda_)
        hidden, change = np.empty(self.n_hidden), np.empty(self.n_hidden)
        output, target = np.empty(len(out)), np.empty(len(out))
        moves, error = 0, 0.0
        for _ in range(games):
            position = game.start()
            x = game.features(position[None])[0]
            traces = self._traces(into, out)
            for _ in range(LIMIT):
                judge(x, into, out, hidden, output)
                after = game.moves(position, _throw(game, position, chance))[1]
                rows = np.ascontiguousarray(game.features(after))
                outputs = np.empty((len(after), len(out)))
                judge_all(rows, into, out, outputs)
                results = [game.result(each) for each in after]
                values = outputs @ run.gaps[:-1] + run.gaps[-1]
                values = np.where([r is not None for r in results], [r or 0.0 for r in results], values)
                # like a Player: the first among moves that are equal up to rounding
                best = first_smallest(values) if turns else first_largest(values)
                choice = best
                if run.exploration > 0 and uniform(chance) < run.exploration:
                    choice = below(chance, len(after))
                result = results[choice]
                moves += 1
                if choice != best:
                    traces[:] = 0.0  # a random move carries no information about earlier positions
                else:
                    if result is None:
                        loops.next_target(outputs[choice], turns, target)
                    else:
                        loops.final_target(-result if turns else result, run.levels, target)
                    if decay > 0:
                        error += trace_step(x, hidden, output, target, into, out, rate, decay, turns, traces)
                    else:
                        error += td_step(x, hidden, output, target, into, out, rate, change)
                if result is not None:
                    break
                position, x = after[choice], rows[choice]
        return moves, error

    def _measured(self, run: Run, state: SelfPlay) -> list[float]:
        player = self._conclude(run, state)
        if type(run.game) is Backgammon:
            points = np.empty(MEASURED)
            chance = streams(state.seed, 2, state.games, n=1)[0]
            sized(backgammon.against_chance, MEASURED * 50_000)(
                run.game.start(), state.into, state.out, run.gaps, chance, points
            )
        elif run.game.players == 2:
            seed = int(stream(state.seed, 2, state.games).integers(2**31))
            points = match(run.game, player, RandomPlayer(), MEASURED, seed).points
        else:
            dice = stream(state.seed, 2, state.games)
            points = np.array([play(run.game, (player,), dice).points for _ in range(MEASURED)])
        return [state.games, float(np.mean((np.sign(points) + 1) / 2)), float(points.mean())]


def _throw(game: Game, position: Position, chance: NDArray[np.int64]) -> Any:
    """Return the dice roll; None in a game without dice."""
    rolls = game.rolls(position)
    if not rolls:
        return None
    left = uniform(chance)
    for roll, share in rolls:
        left -= share
        if left < 0:
            return roll
    return rolls[-1][0]
