"""Permutations: orders of things, such as operations to be scheduled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.loops import sized
from induce.evolution.crossover import as_crossover
from induce.evolution.genomes import _loops
from induce.evolution.genomes.kind import GENERATIONS, Places
from induce.evolution.genomes.vectors import Rows, VectorGenome


@dataclass(frozen=True)
class Permutations(VectorGenome):
    """Orders of `n` things, numbered from 0.

    Crossover keeps precedence: the mask says from which parent the next thing is taken, the first of those that are
    left. So every pair of things that both parents have in one order stays in that order. Mutation moves one thing to
    another place.

    Parameters
    ----------
    n : int
        The number of things.
    names : tuple of str
        Names of the things.
    by : str or Crossover
        How masks are drawn.

    Examples
    --------
    >>> kind = Permutations(6)
    >>> first, second = np.arange(6), np.arange(6)[::-1].copy()
    >>> [child.tolist() for child in kind.crossover(first, second, np.random.default_rng(1))]
    [[0, 1, 2, 5, 4, 3], [5, 4, 3, 0, 1, 2]]
    """

    def populate(self, n: int, rng: np.random.Generator) -> Rows:
        return rng.permuted(np.tile(np.arange(self.n), (n, 1)), axis=1)

    def mate(self, population: Rows, first: Places, second: Places, rng: np.random.Generator) -> Rows:
        masks = as_crossover(self.by).masks(len(first), self.n, rng)
        mix = sized(_loops.keep_precedence, GENERATIONS * masks.size, 1 / GENERATIONS)
        return mix(population, first, second, masks)

    def mutated(self, population: Rows, which: Places, rng: np.random.Generator) -> Rows:
        changed = population.copy()
        for k in which:
            source, target = rng.integers(0, self.n, 2)
            changed[k] = np.insert(np.delete(population[k], source), target, population[k, source])
        return changed

    def legal(self, individual: Any) -> bool:
        return super().legal(individual) and bool((np.sort(individual) == np.arange(self.n)).all())

    def show(self, individual: Rows) -> str:
        if self.names:
            return ", ".join(self.names[k] for k in individual)
        return self.line([str(k) for k in individual])
