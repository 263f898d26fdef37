"""Multiplexers: address bits select one of the data bits."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.evolution.genomes.kind import Floats
from induce.evolution.genomes.weights import Weights


def multiplexer(address: int = 2) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return all inputs of a multiplexer, address bits first, and its outputs.

    Parameters
    ----------
    address : int
        Number of address bits: 2 for the 6-bit multiplexer, 3 for the 11-bit one.

    Examples
    --------
    >>> X, y = multiplexer(2)
    >>> X.shape, X[0b010100].tolist(), int(y[0b010100])
    ((64, 6), [0, 1, 0, 1, 0, 0], 1)
    """
    if address not in (1, 2, 3, 4):
        raise InputError(f"address is {address!r}; a multiplexer has 1 to 4 address bits here")
    n = address + 2**address
    X = (np.arange(2**n)[:, None] >> np.arange(n - 1, -1, -1) & 1).astype(np.uint8)
    place = X[:, :address] @ (2 ** np.arange(address - 1, -1, -1))
    return X, X[np.arange(len(X)), address + place]


@dataclass(frozen=True)
class Multiplexer:
    """Evolve the weights of a network that computes a multiplexer; fitness is the number of correct outputs.

    Parameters
    ----------
    address : int
        Number of address bits.
    hidden : int
        Number of hidden units.
    """

    address: int = 2
    hidden: int = 8
    minimise: bool = field(default=False, init=False)
    noisy: bool = field(default=False, init=False)

    @property
    def genome(self) -> Weights:
        """Weights of the network."""
        n = self.address + 2**self.address
        return Weights((n, self.hidden, 1))

    @property
    def optimum(self) -> float:
        """Number of inputs."""
        return float(2 ** (self.address + 2**self.address))

    @cached_property
    def _table(self) -> tuple[Floats, NDArray[np.bool_]]:
        X, y = multiplexer(self.address)
        return X.astype(np.float64), y > 0

    def scores(self, population: Any, rng: Any = None) -> Floats:
        """Return the fitness of each individual."""
        X, y = self._table
        kind = self.genome
        return np.array([float(((kind.outputs(row, X)[:, 0] > 0.5) == y).sum()) for row in population])
