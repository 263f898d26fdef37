"""Well-posed learning problems and design choices (Mitchell 1.1, 1.2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.reports import text_table
from induce.environments.games.contestants import Contestant, RandomPlayer
from induce.environments.games.game import Game, find_game
from induce.environments.games.matches import Match, match
from induce.statistics.intervals import wilson

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CHOICES = {
    "training experience": ("games against experts", "games against itself", "table of correct moves"),
    "target function": ("ChooseMove: board → move", "V: board → number"),
    "representation": (
        *("table", "rules over features", "quadratic function", "linear function"),
        "artificial neural network",
    ),
    "learning algorithm": ("gradient descent (LMS)", "linear programming"),
}
"""Design choices of figure 1.2, in order, with the figure's options."""

COMPONENTS = (
    "condition-action rules",
    "properties of the world",
    "effects of actions",
    "utility",
    "values of actions",
    "goals",
)
"""Parts of an agent that can be learned (AIMA 18.1)."""
FEEDBACK = ("supervised", "semi-supervised", "unsupervised", "reinforcement")
"""Kinds of feedback (AIMA 18.1)."""
SOURCES = ("random examples", "teacher", "queries", "experiments")
"""Sources of examples: random, chosen by a teacher, queried, or designed by the learner."""


ONE_SIDED = 1.645
"""Upper 5 % quantile of the standard normal distribution."""


@dataclass(frozen=True)
class Design:
    """The four design choices of a learner (Mitchell, figure 1.2).

    Parameters
    ----------
    experience : str
        Training experience.
    target : str
        Target function.
    representation : str
        Representation of the target function.
    algorithm : str
        Learning algorithm.

    Examples
    --------
    >>> from induce.reinforcement.learners.game_learner import GameLearner
    >>> print(GameLearner().design())
    training experience  games against itself
    target function      V: board → number
    representation       linear function of the features
    learning algorithm   LMS(step=0.1, normalised=True, spread=0.0)
    """

    experience: str
    target: str
    representation: str
    algorithm: str

    def __str__(self) -> str:
        chosen = (self.experience, self.target, self.representation, self.algorithm)
        return text_table(list(zip(CHOICES, chosen, strict=True)), left=(0, 1))


@dataclass(frozen=True)
class WinRate:
    """A performance measure: the fraction of games won.

    Parameters
    ----------
    against : Contestant
        Opponent; a random player by default.
    games : int
        Number of games.
    random_state : int
        Random seed: all players face the same dice and the same random moves.
    """

    against: Contestant = field(default_factory=RandomPlayer)
    games: int = 200
    random_state: int = 0

    def __call__(self, game: Game | str, player: Contestant) -> Match:
        """Play the games and return the result."""
        return match(game, player, self.against, self.games, self.random_state)

    def __str__(self) -> str:
        return f"fraction of games won against {self.against!r}"


@dataclass(frozen=True)
class LearningProblem:
    """A learning problem: a task, a performance measure and training experience (Mitchell 1.1).

    A program learns if its performance at the task improves with experience; `improvement` measures that for games.

    Parameters
    ----------
    task : str or Game
        Task T, in words or as a game.
    performance : str or WinRate
        Performance measure P.
    experience : str
        Training experience E, in words.
    component : str, optional
        Part of an agent that is learned; one of `COMPONENTS` (AIMA 18.1).
    feedback : str, optional
        Kind of feedback; one of `FEEDBACK`.
    source : str, optional
        Source of the examples; one of `SOURCES`.
    knowledge : str, optional
        Prior knowledge, in words.
    representation : str, optional
        Representation of examples and hypotheses, in words.

    Examples
    --------
    >>> print(PROBLEMS["checkers"])
    T  play checkers
    P  fraction of games won against RandomPlayer()
    E  practice games against itself
    >>> mail = LearningProblem("sort mail", "share sorted right", "mail that people sorted", feedback="supervised")
    >>> print(mail)
    T         sort mail
    P         share sorted right
    E         mail that people sorted
    feedback  supervised
    """

    task: str | Game
    performance: str | WinRate
    experience: str
    component: str | None = None
    feedback: str | None = None
    source: str | None = None
    knowledge: str | None = None
    representation: str | None = None

    def __post_init__(self) -> None:
        for name, known in (("component", COMPONENTS), ("feedback", FEEDBACK), ("source", SOURCES)):
            value = getattr(self, name)
            if value is not None and value not in known:
                raise InputError(f"{name} is {value!r}; give one of {', '.join(known)}")

    def improvement(self, learner: Any, amounts: Iterable[int] = (0, 25, 50, 100, 200)) -> Improvement:
        """Measure the performance after several amounts of experience within one run of a learner.

        Parameters
        ----------
        learner : GameLearner or another learner from games
            Learner whose parameter `games` sets the amount of practice.
        amounts : iterable of int
            Numbers of practice games.
        """
        from sklearn.base import clone

        if not isinstance(self.task, Game) or not isinstance(self.performance, WinRate):
            raise InputError(
                "improvement can be measured only if the task is a game and the performance is a WinRate"
            )
        wanted = sorted(set(amounts))
        if not wanted:
            raise InputError("amounts is empty; give numbers of games")
        pupil = clone(learner)
        matches = []
        for k, games in enumerate(wanted):
            pupil.set_params(games=games)
            pupil = pupil.learn(self.task) if k == 0 else pupil.resume(self.task)
            matches.append(self.performance(self.task, pupil.hypothesis_))
        return Improvement(str(self.performance), tuple(wanted), tuple(matches))

    def __str__(self) -> str:
        task = f"play {self.task.name}" if isinstance(self.task, Game) else self.task
        given = ("component", "feedback", "source", "knowledge", "representation")
        rows = [("T", task), ("P", str(self.performance)), ("E", self.experience)]
        rows += [(name, value) for name in given if (value := getattr(self, name)) is not None]
        return text_table(rows, left=(0, 1))


@dataclass(frozen=True)
class Improvement:
    """Performance as a function of the amount of experience.

    Parameters
    ----------
    measure : str
        Name of the measure.
    amounts : tuple of int
        Numbers of practice games.
    matches : tuple of Match
        Result after each amount.
    """

    measure: str
    amounts: tuple[int, ...]
    matches: tuple[Match, ...]

    @property
    def won(self) -> tuple[float, ...]:
        """Fraction of games won after each amount of experience."""
        return tuple(each.won / len(each.points) for each in self.matches)

    @property
    def learned(self) -> bool:
        """Whether the final performance is better than the initial one at the 5 % level."""
        first, last = self.matches[0].points, self.matches[-1].points
        deviation = np.sqrt(first.var() / len(first) + last.var() / len(last))
        return bool(last.mean() > first.mean() + ONE_SIDED * deviation)

    def bands(self) -> list[tuple[float, float]]:
        """Return an approximate 95 % Wilson interval for each fraction of games won."""
        found = [wilson(each.won, len(each.points)) for each in self.matches]
        return [(each.low, each.high) for each in found]

    def __str__(self) -> str:
        rows = [("games", "won", "95% interval", "drawn", "lost")]
        for games, each, band in zip(self.amounts, self.matches, self.bands(), strict=True):
            n = len(each.points)
            shares = (f"{each.won / n:.1%}", f"[{band[0]:.3f}, {band[1]:.3f}]")
            rows.append((f"{games:,}", *shares, f"{each.drawn / n:.1%}", f"{each.lost / n:.1%}"))
        verdict = "it has learned" if self.learned else "no significant improvement"
        return f"{self.measure}\n{text_table(rows, left=())}\n{verdict}"

    def draw(self) -> Figure:
        """Plot the learning curve with its confidence band."""
        from induce.reinforcement.design.pictures import draw_improvement

        return draw_improvement(self)


PROBLEMS = {
    "checkers": LearningProblem(find_game("checkers"), WinRate(), "practice games against itself"),
    "handwriting": LearningProblem(
        "recognise and classify handwritten words within images",
        "percentage of words correctly classified",
        "a database of handwritten words with given classifications",
    ),
    "robot driving": LearningProblem(
        "drive on public four-lane highways using vision sensors",
        "average distance travelled before an error, as judged by a human overseer",
        "images and steering commands recorded while observing a human driver",
    ),
    "database": LearningProblem(
        "answer the queries of users", "fraction of queries answered correctly", "entries that users update"
    ),
}
"""Learning problems of section 1.1; the last one satisfies the definition only formally."""
