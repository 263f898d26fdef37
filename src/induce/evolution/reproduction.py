"""One generation of the prototypical genetic algorithm (Mitchell, table 9.1) as pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.ties import first_smallest, largest_first
from induce.evolution.genomes.kind import Floats, Genome, Places
from induce.evolution.selection import Selection

COPIED, CROSSED, MUTATED = 0, 1, 2
"""Origin of an individual; crossed and mutated individuals have the sum."""


_NOBODY = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Brood:
    """Next population, not yet scored.

    Parameters
    ----------
    population : population
    parents : array of int
        Indices of each individual's parents in the previous population; twice the same for a copy.
    how : array of int
        Origin of each individual.
    """

    population: Any
    parents: Places
    how: NDArray[np.uint8]

    def known(self, scores: Floats) -> Floats:
        """Return the scores of copies, given those of their parents; NaN for the others."""
        return np.where(self.how == COPIED, scores[self.parents[:, 0]], np.nan)


@dataclass(frozen=True)
class SimilarMates:
    """Restricted mating (§9.4): each parent mates with the most similar of several candidates.

    Parameters
    ----------
    candidates : int
        Number of candidate mates drawn by selection for each parent.
    """

    candidates: int = 5

    def mates(
        self, genome: Genome, population: Any, scores: Floats, selection: Selection, first: Places, rng: Any
    ) -> Places:
        """Return the second parent of each pair."""
        at_least("candidates", self.candidates, 1, whole=True)
        drawn = selection.draw(scores, len(first) * self.candidates, rng).reshape(len(first), -1)
        mates = np.empty(len(first), dtype=np.int64)
        for k, place in enumerate(first):
            others = drawn[k][drawn[k] != place]
            if len(others) == 0:
                mates[k] = place
                continue
            apart = genome.distances(
                genome.take(population, first[k : k + 1]), genome.take(population, others)
            )
            mates[k] = others[first_smallest(apart[0])]
        return mates


@dataclass(frozen=True)
class Sharing:
    """Fitness sharing (§9.4): fitness is divided among similar individuals.

    Parameters
    ----------
    radius : float
        Distance, from 0 to 1, beyond which two individuals do not share.
    alpha : float
        Exponent of the sharing function of the distance d: 1 - (d / radius) ** alpha.
    """

    radius: float = 0.1
    alpha: float = 1.0

    def shared(self, genome: Genome, population: Any, scores: Floats) -> Floats:
        """Return the fitness of each individual divided by its niche count."""
        if not self.radius > 0:
            raise InputError(f"radius is {self.radius!r}; it must be a number above 0")
        finite = np.isfinite(scores)
        if (scores[finite] < 0).any():
            raise InputError(f"the lowest fitness is {scores[finite].min():g}, but sharing needs at least 0")
        near = 1.0 - (genome.distances(population, population) / self.radius) ** self.alpha
        found: Floats = scores / np.maximum(near, 0.0).sum(axis=1)
        return found


def pairs_of(n: int, r: float) -> int:
    """Return the number of pairs to cross in order to replace a fraction r of n individuals.

    Examples
    --------
    >>> pairs_of(100, 0.6), pairs_of(5, 1.0)
    (30, 2)
    """
    return int(r * n / 2 + 1e-9)


def bred(
    genome: Genome,
    population: Any,
    scores: Floats,
    n: int,
    *,
    r: float,
    m: float,
    selection: Selection,
    rng: np.random.Generator,
    elite: int = 0,
    mating: SimilarMates | None = None,
    sharing: Sharing | None = None,
) -> Brood:
    """Return the next generation by table 9.1: selection, crossover, mutation.

    Of `n` individuals, (1 - r) n are selected and copied; the others are offspring of selected pairs. Each is
    mutated with probability m. The `elite` best are copied first and never mutated.
    """
    elite = min(elite, n)
    best = largest_first(scores)[:elite] if elite else _NOBODY
    n_pairs = pairs_of(n - elite, r)
    n_copies = n - elite - 2 * n_pairs
    weights = scores if sharing is None else sharing.shared(genome, population, scores)
    drawn = selection.draw(weights, n_copies + 2 * n_pairs, rng)
    copies, first, second = (
        drawn[:n_copies],
        drawn[n_copies : n_copies + n_pairs],
        drawn[n_copies + n_pairs :],
    )
    if mating is not None:
        second = mating.mates(genome, population, weights, selection, first, rng)
    kept = np.concatenate([best, copies]) if elite else copies
    parents = np.empty((n, 2), dtype=np.int64)
    parents[: len(kept)] = kept[:, None]
    how = np.zeros(n, dtype=np.uint8)
    parts = [genome.take(population, kept)]
    if n_pairs:
        parts.append(genome.mate(population, first, second, rng))
        parents[len(kept) :: 2, 0] = parents[len(kept) + 1 :: 2, 1] = first
        parents[len(kept) :: 2, 1] = parents[len(kept) + 1 :: 2, 0] = second
        how[len(kept) :] = CROSSED
    chosen = elite + np.flatnonzero(rng.random(n - elite) < m)
    how[chosen] += MUTATED
    joined = genome.join(parts) if n_pairs else parts[0]
    return Brood(genome.mutated(joined, chosen, rng) if len(chosen) else joined, parents, how)


def joined(genome: Genome, broods: Sequence[Brood], starts: Sequence[int]) -> Brood:
    """Concatenate the broods of several parts of a population."""
    return Brood(
        genome.join([brood.population for brood in broods]),
        np.concatenate([brood.parents + start for brood, start in zip(broods, starts, strict=True)]),
        np.concatenate([brood.how for brood in broods]),
    )
