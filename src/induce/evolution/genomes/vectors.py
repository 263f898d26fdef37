"""Genomes whose individuals are array rows: bits, integers, real numbers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.evolution.crossover import Crossover, SinglePoint, as_crossover, crossed
from induce.evolution.genomes.kind import Floats, Genome, Places

Rows = NDArray[Any]
LINE = 100
"""Maximum line length for printing unnamed genes."""


@dataclass(frozen=True)
class VectorGenome(Genome):
    """A genome with a fixed number of genes, crossed by masks; a population is an array with one row each."""

    n: int
    names: tuple[str, ...] = field(default=(), kw_only=True)
    by: Crossover | str = field(default=SinglePoint(), kw_only=True)

    def __post_init__(self) -> None:
        at_least("the number of genes", self.n, 1, whole=True)
        if self.names and len(self.names) != self.n:
            raise InputError(f"there are {self.n} genes and {len(self.names)} names; give one name per gene")
        if len(set(self.names)) < len(self.names):
            raise InputError("two genes have the same name; give each its own")
        as_crossover(self.by)

    # --- operators defined by each vector genome -------------------------------------------------------------

    def populate(self, n: int, rng: np.random.Generator) -> Rows:
        raise TypeError(f"{type(self).__name__} draws no individuals")

    def redrawn(self, rows: Rows, genes: Places, rng: np.random.Generator) -> Rows:
        """Return the mutated value of one gene of each row."""
        raise TypeError(f"{type(self).__name__} has no mutation")

    def units(self) -> Places:
        """Return the unit of each gene; crossover never separates the genes of a unit."""
        return np.arange(self.n)

    def apart(self, mine: Rows, others: Rows) -> Floats:
        """Return the gene-wise differences between rows, from 0 to 1."""
        found: Floats = (mine != others).astype(np.float64)
        return found

    def crossed_by(self, by: Crossover) -> Self:
        return replace(self, by=by)

    # --- the operators ---------------------------------------------------------------------------------------

    def random(self, rng: np.random.Generator) -> Rows:
        """Return a random individual."""
        row: Rows = self.populate(1, rng)[0]
        return row

    def crossover(self, first: Rows, second: Rows, rng: np.random.Generator) -> tuple[Rows, Rows]:
        """Return two offspring of two parents."""
        made = self.mate(np.array([first, second]), np.array([0]), np.array([1]), rng)
        return made[0], made[1]

    def mutate(self, individual: Rows, rng: np.random.Generator) -> Rows:
        """Return the individual with one gene changed."""
        row: Rows = self.mutated(individual[None], np.array([0]), rng)[0]
        return row

    def legal(self, individual: Any) -> bool:
        """Return whether an individual is valid for this genome."""
        numbers = isinstance(individual, np.ndarray) and individual.dtype.kind in "biuf"
        return numbers and individual.shape == (self.n,)

    def key(self, individual: Rows) -> Hashable:
        return individual.tobytes()

    def distance(self, first: Rows, second: Rows) -> float:
        return float(self.apart(first, second).mean())

    def show(self, individual: Rows) -> str:
        cells = [self.cell(value) for value in individual]
        if self.names:
            width = max(map(len, self.names))
            return "\n".join(
                f"{name.ljust(width)} = {cell}" for name, cell in zip(self.names, cells, strict=True)
            )
        return self.line(cells)

    def cell(self, value: Any) -> str:
        """Return the value of one gene as text."""
        return f"{value:g}"

    def line(self, cells: Sequence[str]) -> str:
        """Return unnamed genes as one line."""
        text = " ".join(cells)
        return text if len(text) <= LINE else f"{text[:LINE]}… ({len(cells)} genes)"

    def take(self, population: Rows, which: Places) -> Rows:
        found: Rows = population[which]
        return found

    def join(self, populations: Sequence[Rows]) -> Rows:
        return np.concatenate(populations)

    def mate(self, population: Rows, first: Places, second: Places, rng: np.random.Generator) -> Rows:
        units = self.units()
        masks = as_crossover(self.by).masks(len(first), int(units[-1]) + 1, rng)
        if masks.shape[1] != self.n:
            masks = masks[:, units]
        return crossed(population[first], population[second], masks)

    def mutated(self, population: Rows, which: Places, rng: np.random.Generator) -> Rows:
        changed = population.copy()
        if len(which):
            genes = (rng.random(len(which)) * self.n).astype(np.int64)
            changed[which, genes] = self.redrawn(population[which], genes, rng)
        return changed

    def distances(self, mine: Rows, others: Rows) -> Floats:
        from scipy.spatial.distance import cdist

        found: Floats = cdist(mine, others, "hamming")
        return found

    def diversity(self, population: Rows) -> float:
        half = len(population) // 2
        return float(self.apart(population[:half], population[half : 2 * half]).mean()) if half else 0.0


@dataclass(frozen=True)
class Bits(VectorGenome):
    """Bit strings (Mitchell §9.2.1). Mutation flips one bit.

    Parameters
    ----------
    n : int
        Number of bits.
    names : tuple of str
        Names of the bits, for printing.
    by : str or Crossover
        Crossover: ``"single-point"``, ``"two-point"``, ``"uniform"`` or a `Crossover`.

    Examples
    --------
    >>> kind = Bits(8)
    >>> rng = np.random.default_rng(0)
    >>> kind.show(kind.random(rng))
    '01111101'
    """

    def populate(self, n: int, rng: np.random.Generator) -> Rows:
        return rng.integers(0, 2, (n, self.n), dtype=np.uint8)

    def mutated(self, population: Rows, which: Places, rng: np.random.Generator) -> Rows:
        changed = population.copy()
        if len(which):
            changed[which, (rng.random(len(which)) * self.n).astype(np.int64)] ^= 1
        return changed

    def legal(self, individual: Any) -> bool:
        return super().legal(individual) and bool((individual <= 1).all())

    def diversity(self, population: Rows) -> float:
        half = len(population) // 2
        differing = np.count_nonzero(population[:half] != population[half : 2 * half])
        return differing / (half * self.n) if half else 0.0

    def line(self, cells: Sequence[str]) -> str:
        return "".join(cells)


@dataclass(frozen=True)
class Wholes(VectorGenome):
    """Integers from `low` to `high`. Mutation redraws the value of one gene.

    Parameters
    ----------
    n : int
        Number of genes.
    low, high : int
        Smallest and largest value.
    weights : tuple of float
        Initial frequencies of the values; uniform if not given.
    names : tuple of str
        Names of the genes.
    by : str or Crossover
        Crossover.

    Examples
    --------
    >>> kind = Wholes(5, 1, 6)
    >>> kind.show(kind.random(np.random.default_rng(0)))
    '6 4 4 2 2'
    """

    low: int = 0
    high: int = 9
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.high <= self.low:
            raise InputError(f"low is {self.low} and high is {self.high}; raise high")
        if self.weights and (len(self.weights) != self.high - self.low + 1 or min(self.weights) < 0):
            raise InputError(f"give {self.high - self.low + 1} weights of at least 0, one per value")

    def populate(self, n: int, rng: np.random.Generator) -> Rows:
        if self.weights:
            shares = np.asarray(self.weights) / sum(self.weights)
            return self.low + rng.choice(len(shares), (n, self.n), p=shares)
        return rng.integers(self.low, self.high + 1, (n, self.n))

    def redrawn(self, rows: Rows, genes: Places, rng: np.random.Generator) -> Rows:
        span = self.high - self.low + 1
        old = rows[np.arange(len(rows)), genes] - self.low
        found: Rows = self.low + (old + rng.integers(1, span, len(rows))) % span
        return found

    def legal(self, individual: Any) -> bool:
        inside = super().legal(individual) and individual.dtype.kind in "iu"
        return inside and bool(((individual >= self.low) & (individual <= self.high)).all())


@dataclass(frozen=True)
class Reals(VectorGenome):
    """Real numbers from `low` to `high`. Mutation adds a normal step to one gene.

    Parameters
    ----------
    n : int
        Number of genes.
    low, high : float
        Bounds of every gene.
    step : float
        Standard deviation of a mutation, as a fraction of the range.
    names : tuple of str
        Names of the genes.
    by : str or Crossover
        Crossover.

    Examples
    --------
    >>> kind = Reals(2, -1, 1, names=("width", "height"))
    >>> print(kind.show(kind.random(np.random.default_rng(0))))
    width  = 0.273923
    height = -0.460427
    """

    low: float = 0.0
    high: float = 1.0
    step: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (np.isfinite(self.low) and np.isfinite(self.high) and self.low < self.high):
            raise InputError(f"low is {self.low} and high is {self.high}; raise high")
        at_least("step", self.step, 0.0)

    def populate(self, n: int, rng: np.random.Generator) -> Rows:
        return rng.uniform(self.low, self.high, (n, self.n))

    def redrawn(self, rows: Rows, genes: Places, rng: np.random.Generator) -> Rows:
        moved = rows[np.arange(len(rows)), genes] + rng.normal(
            0.0, self.step * (self.high - self.low), len(rows)
        )
        return np.clip(moved, self.low, self.high)

    def legal(self, individual: Any) -> bool:
        inside = super().legal(individual) and individual.dtype.kind == "f"
        return inside and bool(((individual >= self.low) & (individual <= self.high)).all())

    def apart(self, mine: Rows, others: Rows) -> Floats:
        found: Floats = np.abs(mine - others) / (self.high - self.low)
        return found

    def distances(self, mine: Rows, others: Rows) -> Floats:
        from scipy.spatial.distance import cdist

        found: Floats = cdist(mine, others, "cityblock") / (self.n * (self.high - self.low))
        return found
