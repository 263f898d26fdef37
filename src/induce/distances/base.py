"""Base of distances: map rows to axes, compare them, and split a distance into attribute contributions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.data.table import Table, as_table
from induce.distances.rows import Floats, Rows

if TYPE_CHECKING:
    from induce.data.schema import Schema

LARGEST = 1e300
BLOCK = 2_000_000
"""Number of cells of a distance matrix computed at once."""

SCAN, TILES, KD_TREE, BLOCKS = "scan", "tiles", "kd_tree", "blocks"


class Distance:
    """A distance between rows: an immutable value, fitted to training rows, that can be saved.

    Distances are compared as their `power`-th powers, which are summed over the axes (for the Chebyshev
    distance, whose power is infinite, the maximum is taken). `root` turns them into distances.
    """

    schema: Schema
    power: float
    name: str
    additive: ClassVar[bool] = True
    """Whether it is a sum over axes, for which indexes can compute lower bounds."""

    def rows(self, X: Any) -> Rows:
        """Return the rows of a frame, an array or an encoded table on the axes of the distance."""
        return self._on_axes(as_table(X, self.schema))

    def between(self, A: Any, B: Any) -> Floats:
        """Return the distance of each row of `A` from each row of `B`: frames, arrays or encoded tables."""
        return self.root(self.powers(self.rows(A), self.rows(B)))

    def powers(self, a: Rows, b: Rows) -> Floats:
        """Return the power of the distance from each row of `a` to each of `b`."""
        found = np.empty((len(a), len(b)))
        step = max(1, BLOCK // max(1, len(b)))
        for start in range(0, len(a), step):
            some = a[start : start + step]
            column = Rows(some.numbers[:, np.newaxis], some.codes[:, np.newaxis])
            found[start : start + step] = self.paired(column, b)
        return found

    def paired(self, a: Rows, b: Rows) -> Floats:
        """Return the power of the distance for pairs of rows; axes are added in a fixed order."""
        total = np.zeros(np.broadcast_shapes(a.codes.shape[:-1], b.codes.shape[:-1]))
        for term in self._terms(a, b):
            if math.isinf(self.power):
                np.maximum(total, term, out=total)
            else:
                total += term
        return total

    def root(self, powers: Floats) -> Floats:
        """Return the distances whose powers are given."""
        if self.power == 2:
            return np.sqrt(powers)
        return powers if self.power == 1 or math.isinf(self.power) else powers ** (1 / self.power)

    def shares(self, a: Rows, b: Rows) -> Floats:
        """Return the contribution of each column of the table to the power of the distance, for pairs of rows."""
        raise NotImplementedError

    def engines(self, rows: Rows) -> tuple[str, ...]:
        """Return the search methods that support this distance on these rows, the simplest first."""
        if not self.additive:
            return (SCAN,)
        found = [SCAN]
        if rows.known() and rows.numbers.shape[1]:
            found += [KD_TREE, BLOCKS] if self.power == 2 else [KD_TREE]
        if self.power in (1, 2) or math.isinf(self.power):  # other powers round differently
            found.append(TILES)
        return tuple(found)

    def unknown_powers(self) -> Floats:
        """Return, for each numeric axis, the contribution of a missing number to the power of a distance."""
        raise NotImplementedError

    def costs(self, column: int, codes: NDArray[Any]) -> Floats:
        """Return the contributions of nominal values: for each code, against missing and every declared value."""
        raise NotImplementedError

    def overlaps(self, column: int) -> bool:
        """Return whether two values of a nominal column only count as equal or different."""
        return False

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = vars(self)
        return all(_same(value, getattr(other, name)) for name, value in names.items())

    def __hash__(self) -> int:
        return hash((type(self), self.name, self.schema))

    def _on_axes(self, table: Table) -> Rows:
        raise NotImplementedError

    def _terms(self, a: Rows, b: Rows) -> Iterator[Floats]:
        """Yield the contribution of each axis, numbers first."""
        unknown = self.unknown_powers()
        known = bool(np.isfinite(a.numbers).all() and np.isfinite(b.numbers).all())
        for axis in range(a.numbers.shape[-1]):
            gap = a.numbers[..., axis] - b.numbers[..., axis]
            term = gap * gap if self.power == 2 else self._raised(np.abs(gap))
            yield term if known else np.where(np.isnan(term), unknown[axis], term)
        for column in range(a.codes.shape[-1]):
            asked, place = np.unique(a.codes[..., column], return_inverse=True)
            yield self.costs(column, asked)[place, np.maximum(b.codes[..., column], -1) + 1]

    def _raised(self, gaps: Floats) -> Floats:
        if self.power == 2:
            return gaps * gaps
        return gaps if self.power == 1 or math.isinf(self.power) else gaps**self.power

    def _bounded(self, numbers: Floats) -> Floats:
        """Clip numbers so that the power of a distance is finite."""
        power = 1.0 if math.isinf(self.power) else self.power
        most = (LARGEST / max(1, len(self.schema))) ** (1 / power) / 2
        return np.clip(numbers, -most, most)


def _same(mine: Any, other: Any) -> bool:
    if isinstance(mine, tuple) and isinstance(other, tuple):
        return len(mine) == len(other) and all(map(_same, mine, other))
    if isinstance(mine, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(mine, other, equal_nan=True)
    return bool(mine == other)
