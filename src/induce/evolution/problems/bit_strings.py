"""Problems on bit strings: OneMax and deceptive traps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from induce.core.checks import at_least
from induce.evolution.genomes.kind import Floats
from induce.evolution.genomes.vectors import Bits, Rows


@dataclass(frozen=True)
class OneMax:
    """Maximise the number of ones in a string.

    Parameters
    ----------
    n : int
        Number of bits.

    Examples
    --------
    >>> OneMax(4).scores(np.array([[1, 0, 1, 1]], dtype=np.uint8))
    array([3.])
    """

    n: int = 100
    minimise: bool = field(default=False, init=False)
    noisy: bool = field(default=False, init=False)

    @property
    def genome(self) -> Bits:
        """Bit strings."""
        return Bits(self.n)

    @property
    def optimum(self) -> float:
        """Fitness of all ones."""
        return float(self.n)

    def scores(self, population: Rows, rng: Any = None) -> Floats:
        """Return the fitness of each individual."""
        found: Floats = np.einsum("ij->i", population, dtype=np.int32).astype(np.float64)
        return found


@dataclass(frozen=True)
class Traps:
    """Deceptive traps: in each block, more zeros are better, but all ones are best (Goldberg).

    A block of k ones in `size` bits is worth size if k = size, and size - 1 - k otherwise. Every schema of fewer than
    `size` bits leads away from the optimum.

    Parameters
    ----------
    blocks : int
        Number of blocks.
    size : int
        Number of bits per block.

    Examples
    --------
    >>> rows = np.array([[1, 1, 1, 1], [0, 0, 0, 0], [0, 1, 1, 1]], dtype=np.uint8)
    >>> Traps(1, 4).scores(rows).tolist()
    [4.0, 3.0, 0.0]
    """

    blocks: int = 10
    size: int = 4
    minimise: bool = field(default=False, init=False)
    noisy: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        at_least("blocks", self.blocks, 1, whole=True)
        at_least("size", self.size, 2, whole=True)

    @property
    def genome(self) -> Bits:
        """Bit strings."""
        return Bits(self.blocks * self.size)

    @property
    def optimum(self) -> float:
        """Fitness of all ones."""
        return float(self.blocks * self.size)

    def scores(self, population: Rows, rng: Any = None) -> Floats:
        """Return the fitness of each individual."""
        ones = population.reshape(len(population), self.blocks, self.size).sum(axis=2, dtype=np.int64)
        worth = np.where(ones == self.size, self.size, self.size - 1 - ones)
        found: Floats = worth.sum(axis=1).astype(np.float64)
        return found
