"""Flat form of a network of nominal nodes: all tables in one array.

All counting, propagation and learning loops use this form.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Factors:
    """Tables over sets of variables whose product is a joint distribution.

    The table of factor `f` is ``tables[offsets[f]:offsets[f + 1]]``, in C order over the variables
    ``scopes[starts[f]:starts[f + 1]]``. In the factors of a network, factor `i` is the conditional of node
    `i`. Its scope is the node's parents, in the order of the network, followed by the node itself.

    Parameters
    ----------
    sizes : array of int64
        Number of values of each variable.
    starts, scopes : array of int64
        Start of each factor in `scopes`, and the variables of all factors, concatenated.
    offsets : array of int64
        Start of each factor in `tables`.
    tables : array of float64
        Entries of all tables, concatenated.

    Examples
    --------
    >>> factors = Factors.of([2, 3], [(0,), (0, 1)], [np.array([0.4, 0.6]), np.full((2, 3), 1 / 3)])
    >>> factors.scope(1), factors.table(1).shape
    ((0, 1), (2, 3))
    """

    sizes: Ints
    starts: Ints
    scopes: Ints
    offsets: Ints
    tables: Floats

    @classmethod
    def of(
        cls, sizes: Sequence[int] | Ints, scopes: Sequence[Sequence[int]], tables: Sequence[Floats]
    ) -> Factors:
        """Return the factors with the given scopes and tables."""
        flat = [np.ascontiguousarray(table, np.float64).reshape(-1) for table in tables]
        return cls(
            np.asarray(sizes, np.int64),
            ends(map(len, scopes)),
            np.array([each for scope in scopes for each in scope], np.int64),
            ends(map(len, flat)),
            np.concatenate(flat) if flat else np.empty(0),
        )

    def __len__(self) -> int:
        return len(self.starts) - 1

    def scope(self, factor: int) -> tuple[int, ...]:
        """Return the variables of a factor."""
        return tuple(self.scopes[self.starts[factor] : self.starts[factor + 1]].tolist())

    def shape(self, factor: int) -> tuple[int, ...]:
        """Return the number of values of each variable of a factor."""
        return tuple(self.sizes[list(self.scope(factor))].tolist())

    def table(self, factor: int) -> Floats:
        """Return the table of a factor, with one axis per variable."""
        return self.tables[self.offsets[factor] : self.offsets[factor + 1]].reshape(self.shape(factor))

    @cached_property
    def strides(self) -> Ints:
        """Stride of each entry of `scopes` in its table."""
        found = np.ones(len(self.scopes), np.int64)
        for factor in range(len(self)):
            for k in range(int(self.starts[factor + 1]) - 2, int(self.starts[factor]) - 1, -1):
                found[k] = found[k + 1] * self.sizes[self.scopes[k + 1]]
        return found

    def joined(self, scopes: Sequence[Sequence[int]], tables: Sequence[Floats]) -> Factors:
        """Return these factors extended by others over the same variables."""
        more = Factors.of(self.sizes, scopes, tables)
        return Factors(
            self.sizes,
            np.concatenate([self.starts, more.starts[1:] + self.starts[-1]]),
            np.concatenate([self.scopes, more.scopes]),
            np.concatenate([self.offsets, more.offsets[1:] + self.offsets[-1]]),
            np.concatenate([self.tables, more.tables]),
        )


def ends(lengths: Iterable[int]) -> Ints:
    """Return the start of each part, given the lengths, and the end of the last."""
    return np.concatenate([[0], np.cumsum(np.fromiter(lengths, np.int64))]).astype(np.int64)
