"""Protocol of genomes: five operators on individuals, and their versions for populations."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError

if TYPE_CHECKING:
    from induce.evolution.crossover import Crossover

GENERATIONS = 100
"""Assumed number of generations: whether a loop is worth compiling depends on all its calls."""

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


class Genome:
    """A kind of genome, used by evolution and plain search.

    Individuals are opaque values. A genome is a frozen dataclass that can be stored in model files; it defines how to
    sample, cross, mutate, check and print an individual. Population operators are derived from these; genomes whose
    individuals are array rows override them with vectorised versions.
    """

    # --- single individuals ----------------------------------------------------------------------------------

    def random(self, rng: np.random.Generator) -> Any:
        """Return a random individual."""
        raise TypeError(f"{type(self).__name__} draws no individuals")

    def crossover(self, first: Any, second: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        """Return two offspring of two parents."""
        raise TypeError(f"{type(self).__name__} has no crossover; set r=0")

    def mutate(self, individual: Any, rng: np.random.Generator) -> Any:
        """Return the individual with a small random change."""
        raise TypeError(f"{type(self).__name__} has no mutation")

    def legal(self, individual: Any) -> bool:
        """Return whether an individual is valid for this genome."""
        raise TypeError(f"{type(self).__name__} checks no individuals")

    def show(self, individual: Any) -> str:
        """Return an individual as text."""
        return str(self.value(individual))

    # --- optional overrides ----------------------------------------------------------------------------------

    def value(self, individual: Any) -> Any:
        """Return the argument of the fitness function for an individual."""
        return individual

    def key(self, individual: Any) -> Hashable:
        """Return a hashable key that identifies equal individuals."""
        found: Hashable = individual
        return found

    def crossed_by(self, by: Crossover) -> Self:
        """Return the genome with a different crossover, if it uses masks."""
        raise InputError(f"{type(self).__name__} has its own crossover; omit the parameter crossover")

    def distance(self, first: Any, second: Any) -> float:
        """Return the distance between two individuals, from 0 to 1."""
        return 0.0 if self.key(first) == self.key(second) else 1.0

    # --- populations -----------------------------------------------------------------------------------------

    def populate(self, n: int, rng: np.random.Generator) -> Any:
        """Return `n` random individuals."""
        return tuple(self.random(rng) for _ in range(n))

    def take(self, population: Any, which: Places) -> Any:
        """Return the individuals at the given indices of a population."""
        return tuple(population[k] for k in which)

    def join(self, populations: Sequence[Any]) -> Any:
        """Concatenate several populations."""
        return tuple(individual for part in populations for individual in part)

    def mate(self, population: Any, first: Places, second: Places, rng: np.random.Generator) -> Any:
        """Return the offspring of pairs of parents; the offspring of a pair are adjacent."""
        pairs = (
            self.crossover(population[a], population[b], rng) for a, b in zip(first, second, strict=True)
        )
        return tuple(child for pair in pairs for child in pair)

    def mutated(self, population: Any, which: Places, rng: np.random.Generator) -> Any:
        """Return a population with the individuals at the given indices mutated."""
        changed = list(population)
        for k in which:
            changed[k] = self.mutate(changed[k], rng)
        return tuple(changed)

    def distances(self, mine: Any, others: Any) -> Floats:
        """Return the pairwise distances between two groups of individuals."""
        return np.array([[self.distance(a, b) for b in others] for a in mine]).reshape(len(mine), len(others))

    def diversity(self, population: Any) -> float:
        """Return the mean distance between paired individuals of the two halves of a population."""
        half = len(population) // 2
        apart = [self.distance(population[k], population[half + k]) for k in range(half)]
        return sum(apart) / half if half else 0.0
