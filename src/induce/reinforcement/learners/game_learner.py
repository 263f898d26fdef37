"""A modular learner of games (Mitchell 1.2)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.experience import ExperienceLearner
from induce.core.parameter_kinds import Function, OneOf, Such
from induce.core.parameters import Declared, choice, either, number, such, whole
from induce.core.randomness import RandomState, seed_of, stream
from induce.core.trace import active, emit
from induce.environments.games.contestants import Contestant
from induce.environments.games.game import Game, find_game
from induce.environments.games.matches import Record, play
from induce.reinforcement.design.evaluation import Evaluation
from induce.reinforcement.design.generalizers import LMS, SCALE, Fitted, Generalizer
from induce.reinforcement.design.modules import (
    CRITICS,
    EXPERIMENTS,
    TARGETS,
    ExperimentGenerator,
    PerformanceSystem,
    Practised,
)
from induce.reinforcement.design.problem import Design
from induce.reinforcement.design.values import (
    REPRESENTATIONS,
    Floats,
    LinearValue,
    expanded_names,
)

SELF_PLAY = "self-play"


@dataclass(frozen=True, eq=False)
class Practice:
    """State of a game learner's run.

    Parameters
    ----------
    game : str
    seed : int
    fitted : Fitted
        Value function, and the examples kept by the generalizer.
    last : Practised or None
        Previous game.
    points, errors, weights : array
        Learning history of the `Evaluation`.
    """

    game: str
    seed: int
    fitted: Fitted
    last: Practised | None
    points: Floats
    errors: Floats
    weights: Floats


class GameLearner(ExperienceLearner[Practice]):
    """Learn an evaluation function for a game by playing: the design of Mitchell's chapter 1 and its choices.

    Four modules work in turn: the experiment generator chooses the start of the next game, the performance
    system plays it, the critic derives training examples from it, and the generalizer fits a value function to
    these. There is no table, so there are no missing values or unseen categories.

    Parameters
    ----------
    games : int, default=200
        Number of games.
    experience : "self-play" or Contestant, default="self-play"
        Opponent in practice games; for the target ``"ChooseMove"`` the expert whose moves are correct.
    target : {"V", "ChooseMove"}, default="V"
        Target function: the value of boards, learned from games; or the correct move, learned from the moves of
        an expert.
    representation : {"linear", "quadratic"}, default="linear"
        Whether products of features are included as terms.
    generalizer : Generalizer, optional
        Learning algorithm: `LMS` by default; `LeastSquares`, `LinearProgramming`, `ValueNetwork`,
        `NearestBoards`, `EvolvedWeights`, or a user-defined one.
    experiment : {"initial", "random", "alternative", "undecided"} or callable, default="initial"
        Start of practice games: the initial position, a position after random moves, a position after a move not
        played in the last game, or the random position whose value is nearest to a draw.
    critic : {"successor", "strict", "outcome"}, default="successor"
        Training value of a board: V of its successor, with the result for the last board; V of its successor
        without that exception; or the result, for all boards.
    explore : float, default=0.1
        Probability of a random legal move in practice games.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : Evaluation

    See Also
    --------
    TDGammon : Self-play with a network.

    References
    ----------
    A. L. Samuel (1959). Some studies in machine learning using the game of checkers. IBM Journal of Research
    and Development 3, 210-229.

    Examples
    --------
    >>> from induce.environments import MaterialPlayer, RandomPlayer, match
    >>> learner = GameLearner(games=8, random_state=0).learn("checkers")
    >>> print(learner.hypothesis_)
    V = ...·own pieces - ...·other pieces + ...·own kings - ...
    >>> match("checkers", learner.hypothesis_, RandomPlayer(), games=6, random_state=1).won > 4
    True
    """

    steps: ClassVar[str] = "games"
    hypothesis_: Evaluation

    parameters: ClassVar[Declared] = {
        "games": whole("Number of games.", at_least=0),
        "experience": either(
            "Source of games: self-play, or an opponent.",
            OneOf((SELF_PLAY,)),
            Such("an opponent to play against", lambda value: isinstance(value, Contestant)),
            otherwise="give 'self-play' or a player as the opponent",
        ),
        "target": choice("Target function.", *TARGETS),
        "representation": choice("Representation of the target function.", *REPRESENTATIONS),
        "generalizer": such(
            "Learning algorithm; None uses LMS.",
            "a Generalizer",
            lambda value: isinstance(value, Generalizer),
            none=True,
            otherwise="give one such as LMS()",
        ),
        "experiment": either("Starting positions of practice games.", OneOf(tuple(EXPERIMENTS)), Function()),
        "critic": choice("Critic that derives training values.", *CRITICS),
        "explore": number("Probability of a random move.", at_least=0, at_most=1),
    }

    def __init__(
        self,
        games: int = 200,
        *,
        experience: str | Contestant = SELF_PLAY,
        target: str = "V",
        representation: str = "linear",
        generalizer: Generalizer | None = None,
        experiment: str | ExperimentGenerator = "initial",
        critic: str = "successor",
        explore: float = 0.1,
        random_state: RandomState = 0,
    ) -> None:
        self.games = games
        self.experience = experience
        self.target = target
        self.representation = representation
        self.generalizer = generalizer
        self.experiment = experiment
        self.critic = critic
        self.explore = explore
        self.random_state = random_state

    def design(self) -> Design:
        """Return this learner's four design choices of figure 1.2."""
        self._check_parameters()
        return Design(
            "games against itself"
            if self.experience == SELF_PLAY
            else f"{'games against' if self.target == 'V' else 'correct moves of'} {self.experience!r}",
            "V: board → number" if self.target == "V" else "ChooseMove: board → move",
            f"{self.representation} function of the features",
            repr(self._generalizer()),
        )

    def _generalizer(self) -> Generalizer:
        return LMS() if self.generalizer is None else self.generalizer

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.target == "ChooseMove" and self.experience == SELF_PLAY:
            raise InputError(
                "target='ChooseMove' needs an expert: give the player with the correct moves as experience"
            )

    @contextmanager
    def _opened(self, source: Any) -> Iterator[Game]:
        yield find_game(source)

    def _begin(self, run: Game) -> Practice:
        seed = seed_of(self.random_state)
        n = len(expanded_names(run.feature_names, self.representation))
        fitted = self._generalizer().begin(n, seed)
        weights = _weights(fitted)
        return Practice(run.name, seed, fitted, None, np.empty(0), np.empty(0), weights)

    def _step(self, run: Game, state: Practice) -> Practice:
        number = len(state.points)
        random = stream(state.seed, number + 1)
        judge = self._judge(state)
        generator = self.experiment if callable(self.experiment) else EXPERIMENTS[self.experiment]
        start = generator(run, judge, state.last, random)
        record, seats = self._played(run, judge, start, number, random)
        examples = [TARGETS[self.target](record, judge, seat, self.critic) for seat in seats]
        rows = np.concatenate([each for each, _ in examples])
        wanted = np.concatenate([each for _, each in examples])
        estimates = judge.value.values(rows)
        fitted = self._generalizer().learn(state.fitted, rows, wanted, int(random.integers(2**31)))
        points = -record.points if seats[0] == 1 else record.points
        if active():
            emit("game", number=number, moves=str(record), points=points, seats=seats)
            emit("examples", number=number, features=rows, estimates=estimates, wanted=wanted)
            emit("hypothesis", number=number, value=fitted.value)
        return Practice(
            state.game,
            state.seed,
            fitted,
            Practised.of(record),
            np.append(state.points, points + 0.0),
            np.append(state.errors, np.abs(wanted - estimates).mean() if len(wanted) else 0.0),
            np.concatenate([state.weights, _weights(fitted)]) if len(state.weights) else state.weights,
        )

    def _played(
        self, run: Game, judge: Evaluation, start: Any, number: int, random: np.random.Generator
    ) -> tuple[Record, tuple[int, ...]]:
        """Return a game, and the seats to learn from."""
        if run.result(start) is not None:
            raise InputError("experiment gives a position in which the game is over; give another generator")
        mine = PerformanceSystem(judge, float(self.explore))
        both = tuple(range(run.players))
        if isinstance(self.experience, Contestant) and run.players == 2:
            if self.target == "ChooseMove":
                return play(run, (self.experience, self.experience), random, start), both
            seat = number % 2
            players = (mine, self.experience) if seat == 0 else (self.experience, mine)
            return play(run, players, random, start), (seat,)
        return play(run, (mine,) * run.players, random, start), both

    def _judge(self, state: Practice) -> Evaluation:
        return Evaluation(state.game, state.fitted.value, self.representation)

    def _share(self, state: Practice) -> float:
        return 1.0 if self.games <= len(state.points) else len(state.points) / self.games

    def _conclude(self, run: Game, state: Practice) -> Evaluation:
        return Evaluation(
            state.game, state.fitted.value, self.representation, state.points, state.errors, state.weights
        )

    def _line(self, state: Practice) -> str:
        recent = state.errors[-10:].mean() if len(state.errors) else 0.0
        return f"{len(state.points):,} games, training error {recent:.3g} of {SCALE:g}"

    def _check_same(self, run: Game, state: Practice) -> None:
        if run.name != state.game:
            raise InputError(f"this run learns {state.game}, not {run.name}; call `learn` to start again")


def _weights(fitted: Fitted) -> Floats:
    """Return the weights as a row; empty if the function is not linear."""
    if isinstance(fitted.value, LinearValue):
        return fitted.value.weights[None].copy()
    return np.empty((0, 0))
