"""Lifetime learning, inherited (Lamarck) or not (Baldwin) (Mitchell §9.6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from induce.core.checks import at_least
from induce.evolution.genomes.kind import Genome

Search = Callable[
    [Any, Callable[[Any], float], Callable[..., Any], np.random.Generator], tuple[Any, float, int]
]
"""Local search: takes a start, score, neighbour and generator; returns the best state, its score and evaluations."""


@dataclass(frozen=True)
class Climb:
    """Hill-climbing by mutations, accepting neighbours that are at least as good.

    Parameters
    ----------
    trials : int
        Number of neighbours tried.
    """

    trials: int = 20

    def __call__(
        self,
        start: Any,
        score: Callable[[Any], float],
        neighbour: Callable[[Any, np.random.Generator], Any],
        rng: np.random.Generator,
    ) -> tuple[Any, float, int]:
        """Return the state reached, its score and the number of evaluations."""
        from induce.search.climbing import hill_climb

        at_least("trials", self.trials, 0, whole=True)
        found = hill_climb(score, start, neighbour, evaluations=self.trials + 1, random_state=rng)
        return found.best, found.score, found.history.evaluations


@dataclass(frozen=True)
class Lifetime:
    """Individuals are scored after a local search that starts from their genome.

    Parameters
    ----------
    search : callable
        Search that takes a start, a score, a neighbour function (of a state and a generator) and a generator, and
        returns the best state, its score and the number of evaluations; for example `Climb`.
    """

    inherits: ClassVar[bool] = False
    search: Any = Climb()

    def live(
        self, individual: Any, score: Callable[[Any], float], genome: Genome, rng: np.random.Generator
    ) -> tuple[Any, float, int]:
        """Return the individual after learning, its score and the number of evaluations."""
        found: tuple[Any, float, int] = self.search(individual, score, genome.mutate, rng)
        return found


@dataclass(frozen=True)
class Lamarck(Lifetime):
    """Lamarckian evolution: the result of learning is written back into the genome (§9.6.1).

    Parameters
    ----------
    search : callable, default=Climb()
        Local search, as for `Lifetime`.
    """

    inherits: ClassVar[bool] = True


@dataclass(frozen=True)
class Baldwin(Lifetime):
    """Baldwin effect: learning affects fitness but is not inherited (§9.6.2).

    Parameters
    ----------
    search : callable, default=Climb()
        Local search, as for `Lifetime`.
    """
