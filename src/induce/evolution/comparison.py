"""Comparison of evolution with plain search: same genome, same fitness, same number of evaluations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.evolution.fitness import Evaluator, evaluator
from induce.search.climbing import searches
from induce.search.history import History, draw_histories, side_by_side

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Comparison:
    """Results of evolution and plain search with the same number of evaluations.

    Parameters
    ----------
    histories : dict
        History of each search, by name.
    """

    histories: Mapping[str, History]

    def __str__(self) -> str:
        return side_by_side(self.histories)

    def draw(self) -> Figure:
        """Plot the best fitness against the number of evaluations."""
        return draw_histories(self.histories)


def beside_search(learner: Any, source: Any, random_state: int = 0) -> Comparison:
    """Compare an evolved result with hill-climbing, simulated annealing and random search.

    Neighbours are mutants. Hill-climbing restarts after 100 neighbours without an improvement.

    Parameters
    ----------
    learner : GeneticAlgorithm or another evolutionary learner
        A fitted learner.
    source : callable or Problem
        Fitness function or problem to search.
    random_state : int
        Random seed.

    Examples
    --------
    >>> from induce.evolution import GeneticAlgorithm, OneMax
    >>> learner = GeneticAlgorithm(m=0.2, selection="tournament", generations=20).learn(OneMax(30))
    >>> print(beside_search(learner, OneMax(30)))
    search               evaluations  best
    ...
    """
    history = learner.history_
    genome = learner.state_.genome
    with evaluator(source, genome, minimise=history.minimise, cache=False) as run:
        count = iter(range(history.evaluations * 10))
        found = searches(
            lambda individual: _score(run, individual, random_state, next(count)),
            genome.random,
            genome.mutate,
            evaluations=max(1, history.evaluations),
            random_state=random_state,
        )
    sign = -1.0 if history.minimise else 1.0
    plain = {name: _signed(each.history, sign) for name, each in found.items()}
    return Comparison({type(learner).__name__: history, **plain})


def _score(run: Evaluator, individual: Any, seed: int, number: int) -> float:
    one = individual[None] if isinstance(individual, np.ndarray) else (individual,)
    return float(run.scored(one, np.array([np.nan]), seed, number, {}).scores[0])


def _signed(history: History, sign: float) -> History:
    """Convert a history of scores to fitness."""
    from dataclasses import replace

    rows = tuple(
        replace(row, best=sign * row.best, top=sign * row.top, mean=sign * row.mean) for row in history.rows
    )
    return replace(history, rows=rows, minimise=sign < 0)
