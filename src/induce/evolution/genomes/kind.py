"""Protocol of a kind of genome: five operators on single individuals, and the same for populations."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError

if TYPE_CHECKING:
    from induce.evolution.crossover import Crossover

GENERATIONS = 100
"""A run calls a loop for each of its generations: whether it is worth compiling depends on all of them together."""

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


class Genome:
    """A kind of genome, over which evolution and plain search work.

    Individuals are opaque values. A kind is a frozen dataclass that model files can hold; it has to say how to draw,
    cross, mutate, check and print an individual. The operators of populations follow from these; a kind whose
    individuals are rows of an array does them at once instead.
    """

    # --- single individuals ----------------------------------------------------------------------------------

    def random(self, rng: np.random.Generator) -> Any:
        """Return an individual drawn at random."""
        raise TypeError(f"{type(self).__name__} draws no individuals")

    def crossover(self, first: Any, second: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        """Return two offspring of two parents."""
        raise TypeError(f"{type(self).__name__} has no crossover; set r=0")

    def mutate(self, individual: Any, rng: np.random.Generator) -> Any:
        """Return the individual with a small random change."""
        raise TypeError(f"{type(self).__name__} has no mutation")

    def legal(self, individual: Any) -> bool:
        """Say whether an individual is one of this kind."""
        raise TypeError(f"{type(self).__name__} checks no individuals")

    def show(self, individual: Any) -> str:
        """Return an individual as text."""
        return str(self.value(individual))

    # --- what may be said better -----------------------------------------------------------------------------

    def value(self, individual: Any) -> Any:
        """Return what a fitness function is given for an individual."""
        return individual

    def key(self, individual: Any) -> Hashable:
        """Return what equal individuals have in common, and others have not."""
        found: Hashable = individual
        return found

    def crossed_by(self, by: Crossover) -> Self:
        """Return the kind with another crossover, where it is one by masks."""
        raise InputError(f"{type(self).__name__} has a crossover of its own; leave out crossover")

    def distance(self, first: Any, second: Any) -> float:
        """Return how different two individuals are, from 0 to 1."""
        return 0.0 if self.key(first) == self.key(second) else 1.0

    # --- populations -----------------------------------------------------------------------------------------

    def populate(self, n: int, rng: np.random.Generator) -> Any:
        """Return `n` individuals drawn at random."""
        return tuple(self.random(rng) for _ in range(n))

    def take(self, population: Any, which: Places) -> Any:
        """Return some individuals of a population, in the order of their places."""
        return tuple(population[k] for k in which)

    def join(self, populations: Sequence[Any]) -> Any:
        """Return several populations as one."""
        return tuple(individual for part in populations for individual in part)

    def mate(self, population: Any, first: Places, second: Places, rng: np.random.Generator) -> Any:
        """Return the offspring of pairs of parents, those of one pair side by side."""
        pairs = (
            self.crossover(population[a], population[b], rng) for a, b in zip(first, second, strict=True)
        )
        return tuple(child for pair in pairs for child in pair)

    def mutated(self, population: Any, which: Places, rng: np.random.Generator) -> Any:
        """Return a population in which those at some places are mutated."""
        changed = list(population)
        for k in which:
            changed[k] = self.mutate(changed[k], rng)
        return tuple(changed)

    def distances(self, mine: Any, others: Any) -> Floats:
        """Return how different each individual is from each of the others."""
        return np.array([[self.distance(a, b) for b in others] for a in mine]).reshape(len(mine), len(others))

    def diversity(self, population: Any) -> float:
        """Return the mean distance between the first and the second half of a population, one by one."""
        half = len(population) // 2
        apart = [self.distance(population[k], population[half + k]) for k in range(half)]
        return sum(apart) / half if half else 0.0
