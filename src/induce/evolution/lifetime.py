"""Learning within a lifetime (Mitchell §9.6): inherited (Lamarck) or not (Baldwin)."""

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
"""From a start, a score, a neighbour and a generator to the best state, its score and the evaluations."""


@dataclass(frozen=True)
class Climb:
    """Hill-climbing by mutations: a neighbour that is at least as good is taken.

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
        """Return the state that was reached, its score and the evaluations."""
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
        Takes a start, a score, a neighbour (of a state and a generator) and a generator; returns the best state, its
        score and the number of evaluations. `Climb` is one.
    """

    inherits: ClassVar[bool] = False
    search: Any = Climb()

    def live(
        self, individual: Any, score: Callable[[Any], float], genome: Genome, rng: np.random.Generator
    ) -> tuple[Any, float, int]:
        """Return what an individual becomes, its score and the evaluations."""
        found: tuple[Any, float, int] = self.search(individual, score, genome.mutate, rng)
        return found


@dataclass(frozen=True)
class Lamarck(Lifetime):
    """Lamarckian evolution: the result of learning is written back into the genome (§9.6.1)."""

    inherits: ClassVar[bool] = True


@dataclass(frozen=True)
class Baldwin(Lifetime):
    """Baldwin effect: learning counts for the fitness and is not inherited (§9.6.2)."""
