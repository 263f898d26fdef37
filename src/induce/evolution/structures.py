"""Spatial populations (Mitchell §9.4, §9.7): demes with migration, or one individual per cell of a grid."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.checks import at_least, one_of
from induce.core.errors import InputError
from induce.core.ties import largest_first
from induce.evolution.genomes.kind import Floats, Places

if TYPE_CHECKING:
    from induce.evolution.generation import Generation
    from induce.evolution.reproduction import Brood

TOPOLOGIES = ("ring", "grid", "torus", "full")


@dataclass(frozen=True)
class Demes:
    """A population in demes that evolve separately, with rare migration (coarse-grained parallelism, §9.7).

    Parameters
    ----------
    n : int
        Number of demes among which the population is divided.
    interval : int
        Number of generations between two migrations.
    migrants : int
        Number of best individuals that migrate from a deme to each neighbour.
    topology : {"ring", "grid", "torus", "full"}
        Topology, which defines the neighbours of each deme.
    copy : bool
        Whether migrants also stay in their deme; their copies then replace the neighbour's worst.

    Examples
    --------
    >>> Demes(4).neighbours()
    [[1], [2], [3], [0]]
    >>> Demes(4, topology="full").neighbours()[0]
    [1, 2, 3]
    """

    n: int = 4
    interval: int = 10
    migrants: int = 1
    topology: str = "ring"
    copy: bool = True

    def check_size(self, size: int) -> None:
        """Raise an `InputError` if a population of this size cannot be divided into the demes."""
        one_of("topology", self.topology, TOPOLOGIES)
        at_least("the number of demes", self.n, 1, whole=True)
        at_least("interval", self.interval, 1, whole=True)
        at_least("migrants", self.migrants, 0, whole=True)
        most = max(map(len, self.neighbours())) * self.migrants
        if size < self.n * max(2, most + 1):
            raise InputError(
                f"population_size is {size}, too small for {self.n} demes with {most} migrants each; raise it to "
                f"{self.n * max(2, most + 1)}"
            )

    def starts(self, size: int) -> list[int]:
        """Return the start of each deme, followed by the population size."""
        return [round(k * size / self.n) for k in range(self.n + 1)]

    def neighbours(self) -> list[list[int]]:
        """Return the demes to which each deme sends migrants."""
        if self.n == 1:
            return [[]]
        if self.topology == "ring":
            return [[(k + 1) % self.n] for k in range(self.n)]
        if self.topology == "full":
            return [[j for j in range(self.n) if j != k] for k in range(self.n)]
        return grid_neighbours(*grid_shape(self.n), torus=self.topology == "torus")

    def migrated(self, scores: Floats) -> Places:
        """Return the individual at each index after a migration."""
        starts, places = self.starts(len(scores)), np.arange(len(scores))
        ranked = [a + largest_first(scores[a:b]) for a, b in pairwise(starts)]
        sent: list[list[Places]] = [[] for _ in range(self.n)]
        left: list[int] = []
        for deme, targets in enumerate(self.neighbours()):
            for turn, target in enumerate(targets):
                first = 0 if self.copy else turn * self.migrants
                sent[target].append(ranked[deme][first : first + self.migrants])
            left.append(len(targets) * self.migrants)
        for deme, groups in enumerate(sent):
            coming = np.concatenate(groups) if groups else places[:0]
            if len(coming):
                # copied migrants replace the worst individuals, best first; moved migrants take the slots of
                # those that left
                room = ranked[deme][::-1] if self.copy else ranked[deme][: left[deme]]
                places[room[: len(coming)]] = coming[: len(room)]
        return places

    def bred(self, state: Generation, pool: Callable[[Any, Floats, int], Brood]) -> Brood:
        """Return the next population: each deme reproduces separately, after a migration if one is due.

        Parameters
        ----------
        state : Generation
        pool : callable
            Function from the population of a deme, its scores and its number to its offspring.
        """
        from induce.evolution.reproduction import Brood, joined

        genome, population, scores = state.genome, state.population, state.scores
        places = np.arange(len(scores))
        if state.number and state.number % self.interval == 0 and self.n > 1:
            places = self.migrated(scores)
            population, scores = genome.take(population, places), scores[places]
        starts = self.starts(len(scores))
        broods = [
            pool(genome.take(population, np.arange(a, b)), scores[a:b], k)
            for k, (a, b) in enumerate(pairwise(starts))
        ]
        brood = joined(genome, broods, starts[:-1])
        return Brood(brood.population, places[brood.parents], brood.how)


@dataclass(frozen=True)
class Cells:
    """One individual per cell of a grid, mating with its neighbours (fine-grained parallelism, §9.7).

    Parameters
    ----------
    rows, columns : int
        Size of the grid, which the population fills.
    torus : bool
        Whether opposite edges are joined.
    """

    rows: int
    columns: int
    torus: bool = True

    def check_size(self, size: int) -> None:
        """Raise an `InputError` unless the population fills the grid."""
        at_least("rows", self.rows, 1, whole=True)
        at_least("columns", self.columns, 1, whole=True)
        if size != self.rows * self.columns:
            raise InputError(
                f"population_size is {size}, but the grid has {self.rows} x {self.columns} cells; set it to "
                f"{self.rows * self.columns}"
            )

    def around(self) -> list[Places]:
        """Return each cell with its neighbours."""
        near = grid_neighbours(self.rows, self.columns, self.torus)
        return [np.array([cell, *others]) for cell, others in enumerate(near)]


def grid_shape(n: int) -> tuple[int, int]:
    """Return the numbers of rows and columns of the most nearly square grid of n cells.

    Examples
    --------
    >>> grid_shape(12), grid_shape(7)
    ((3, 4), (1, 7))
    """
    rows = max(k for k in range(1, math.isqrt(n) + 1) if n % k == 0)
    return rows, n // rows


def grid_neighbours(rows: int, columns: int, torus: bool) -> list[list[int]]:
    """Return the horizontal and vertical neighbours of each cell of a grid.

    Examples
    --------
    >>> grid_neighbours(2, 2, torus=False)
    [[1, 2], [0, 3], [0, 3], [1, 2]]
    """
    found = []
    for cell in range(rows * columns):
        y, x = divmod(cell, columns)
        near = set()
        for dy, dx in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            v, u = y + dy, x + dx
            if torus:
                v, u = v % rows, u % columns
            if 0 <= v < rows and 0 <= u < columns and (v, u) != (y, x):
                near.add(v * columns + u)
        found.append(sorted(near))
    return found
