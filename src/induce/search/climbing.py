"""Plain search over opaque states: random draws, hill-climbing with restarts, simulated annealing."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.search.history import History, Row

S = TypeVar("S")
"""A state."""

Score = Callable[[S], float]
Draw = Callable[[np.random.Generator], S]
Neighbour = Callable[[S, np.random.Generator], S]

RECORDED = 200
"""Maximum number of rows of a history."""


@dataclass(frozen=True, eq=False)
class Searched(Generic[S]):
    """Result of a search.

    Parameters
    ----------
    best : object
        Best state tried.
    score : float
        Score of the best state; higher is better.
    history : History
        Course of the search.
    """

    best: S
    score: float
    history: History

    def __str__(self) -> str:
        return f"{self.history}\nbest: {self.best}"


class _Record(Generic[S]):
    """Best state so far, and the rows of a history; a score that is not finite counts as the worst."""

    def __init__(self, method: str, score: Score[S], evaluations: int) -> None:
        at_least("evaluations", evaluations, 1, whole=True)
        self.best: S | None = None
        self.top = -math.inf
        self._method = method
        self._score = score
        self._budget = evaluations
        self._every = max(1, evaluations // RECORDED)
        self._rows: list[Row] = []
        self._failed = 0
        self.n = 0

    @property
    def open(self) -> bool:
        return self.n < self._budget

    def of(self, state: S) -> float:
        """Return the score of a state and record it."""
        value = float(self._score(state))
        self.n += 1
        if not math.isfinite(value):
            self._failed += 1
            value = -math.inf
        if self.best is None or value > self.top:
            self.best, self.top = state, value
        return value

    def note(self, present: float) -> None:
        """Add a row at regular intervals."""
        if self.n % self._every == 0 or not self.open or not self._rows:
            self._rows.append(Row(self.n, self.top, present, present))

    def found(self) -> Searched[S]:
        if self.best is None or self.top == -math.inf:
            raise InputError("no state has a finite score; check the score function")
        problems = {"not a number": self._failed} if self._failed else {}
        return Searched(self.best, self.top, History(self._method, tuple(self._rows), problems))


def random_search(
    score: Score[S], draw: Draw[S], *, evaluations: int, random_state: RandomState = 0
) -> Searched[S]:
    """Draw random states and keep the best.

    Parameters
    ----------
    score : callable
        Function from a state to its score; higher is better.
    draw : callable
        Function from a random generator to a state.
    evaluations : int
        Number of states to draw.
    random_state : int, Generator or None
        Random seed.

    Examples
    --------
    >>> found = random_search(lambda x: -abs(x - 3), lambda rng: rng.integers(10), evaluations=50)
    >>> int(found.best)
    3
    """
    rng = generator(random_state)
    record = _Record("random search", score, evaluations)
    while record.open:
        record.note(record.of(draw(rng)))
    return record.found()


def hill_climb(
    score: Score[S],
    start: S,
    neighbour: Neighbour[S],
    *,
    evaluations: int,
    restart: Draw[S] | None = None,
    patience: int = 100,
    random_state: RandomState = 0,
) -> Searched[S]:
    """Search by hill-climbing: move to a random neighbour whenever it is no worse.

    Parameters
    ----------
    score : callable
        Function from a state to its score; higher is better.
    start : object
        Initial state.
    neighbour : callable
        Function from a state and a random generator to a neighbouring state.
    evaluations : int
        Total number of evaluations.
    restart : callable, optional
        Function that draws a new start, after `patience` consecutive neighbours without an improvement.
    patience : int
        Number of consecutive neighbours without an improvement before a restart.
    random_state : int, Generator or None
        Random seed.

    Examples
    --------
    >>> step = lambda x, rng: x + rng.choice([-1, 1])
    >>> int(hill_climb(lambda x: -abs(x - 30), 0, step, evaluations=200).best)
    30
    """
    at_least("patience", patience, 1, whole=True)
    rng = generator(random_state)
    record = _Record("hill-climbing", score, evaluations)
    state, waited = start, 0
    present = record.of(state)
    record.note(present)
    while record.open:
        if restart is not None and waited >= patience:
            state, waited = restart(rng), 0
            present = record.of(state)
        else:
            other = neighbour(state, rng)
            value = record.of(other)
            waited = 0 if value > present else waited + 1
            if value >= present:
                state, present = other, value
        record.note(present)
    return record.found()


def anneal(
    score: Score[S],
    start: S,
    neighbour: Neighbour[S],
    *,
    evaluations: int,
    temperature: float | None = None,
    cooled: float = 1e-3,
    random_state: RandomState = 0,
) -> Searched[S]:
    """Search by simulated annealing: accept worse neighbours with a probability that falls with temperature.

    A neighbour that is worse by d is accepted with probability exp(-d / T); T falls geometrically.

    Parameters
    ----------
    score : callable
        Function from a state to its score; higher is better.
    start : object
        Initial state.
    neighbour : callable
        Function from a state and a random generator to a neighbouring state.
    evaluations : int
        Total number of evaluations.
    temperature : float, optional
        Initial temperature; by default the mean difference between the scores of the first neighbours.
    cooled : float
        Final temperature, as a fraction of the initial one.
    random_state : int, Generator or None
        Random seed.

    Examples
    --------
    >>> step = lambda x, rng: x + rng.choice([-1, 1])
    >>> int(anneal(lambda x: -abs(x - 30), 0, step, evaluations=2000).best)
    30
    """
    at_least("cooled", cooled, 0.0)
    rng = generator(random_state)
    record = _Record("simulated annealing", score, evaluations)
    state = start
    present = record.of(state)
    record.note(present)
    trials: list[float] = []
    while record.open:
        other = neighbour(state, rng)
        value = record.of(other)
        if temperature is None and math.isfinite(value) and math.isfinite(present):
            trials.append(abs(value - present))
        first = temperature if temperature is not None else (sum(trials) / len(trials) if trials else 1.0)
        t = first * cooled ** (record.n / evaluations)
        if value >= present or (t > 0 and rng.random() < math.exp(min(0.0, (value - present) / t))):
            state, present = other, value
        record.note(present)
    return record.found()


def searches(
    score: Score[S],
    draw: Draw[S],
    neighbour: Neighbour[S],
    *,
    evaluations: int,
    random_state: RandomState = 0,
) -> dict[str, Searched[Any]]:
    """Return the results of random search, hill-climbing with restarts and simulated annealing.

    Parameters
    ----------
    score, draw, neighbour : callable
        Functions of a state, as for the single searches.
    evaluations : int
        Number of evaluations of each search.
    random_state : int, Generator or None
        Random seed.

    Examples
    --------
    >>> step = lambda x, rng: x + rng.choice([-1, 1])
    >>> found = searches(lambda x: -abs(x - 3), lambda rng: rng.integers(10), step, evaluations=50)
    >>> list(found)
    ['hill-climbing', 'simulated annealing', 'random search']
    """
    streams = generator(random_state).spawn(3)
    climbed = hill_climb(
        score, draw(streams[0]), neighbour, evaluations=evaluations, restart=draw, random_state=streams[0]
    )
    cooled = anneal(score, draw(streams[1]), neighbour, evaluations=evaluations, random_state=streams[1])
    drawn = random_search(score, draw, evaluations=evaluations, random_state=streams[2])
    return {"hill-climbing": climbed, "simulated annealing": cooled, "random search": drawn}
