"""Joint counts of nominal columns: the contingency table of a family of columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.loops import repeated
from induce.core.shapes import check_numbers
from induce.counts.additive import LONG, Additive, Floats, sums, without_rounding

MOST_CELLS = 2**27
"""Maximum number of cells of a table: one gigabyte."""
STEP = 2**22
"""Number of rows counted per compiled step."""


@dataclass(frozen=True, eq=False)
class JointCounts(Additive):
    """Weight of the rows with each combination of values, such as attribute values and classes.

    Parameters
    ----------
    table : array of float64
        Table with one axis per column, as long as its domain.

    Examples
    --------
    >>> wind, play = np.array([0, 1, 0, -1]), np.array([1, 0, 1, 1])
    >>> counts = JointCounts.of([wind, play], [2, 2])
    >>> counts.table.tolist()
    [[0.0, 2.0], [1.0, 0.0]]
    >>> (counts - JointCounts.of([wind[:1], play[:1]], [2, 2])).table.tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """

    table: Floats

    def check(self) -> None:
        """Raise an `InputError` unless the table is an array of counts."""
        check_numbers("table", self.table, at_least=0)

    @classmethod
    def of(
        cls, columns: Sequence[NDArray[Any]], sizes: Sequence[int], weights: Floats | None = None
    ) -> JointCounts:
        """Count the rows of encoded columns; a row with a missing value (below 0) is not counted.

        Parameters
        ----------
        columns : sequence of arrays of int
            Indices into the domain of each column.
        sizes : sequence of int
            Number of values of each column.
        weights : array, optional
            Weight of each row.
        """
        shape = tuple(size + 1 for size in sizes)  # one extra index for rows with a missing value
        n_cells = math.prod(shape)
        if n_cells > MOST_CELLS:
            raise InputError(
                f"the columns have {n_cells:,} combinations of values, too many to be counted; take fewer columns"
            )
        if len(columns) == 2 and weights is None and len(columns[0]) >= LONG and int(columns[1].min()) >= 0:
            return cls(_counted_pairs(columns[0], columns[1], (shape[0], sizes[1]))[1:])
        place = np.zeros(len(columns[0]), np.int32)
        for codes, size in zip(columns, shape, strict=True):
            place *= np.int32(size)
            place += np.maximum(codes.astype(np.int32, copy=False), -1) + np.int32(1)
        counted = sums(place, weights, n_cells).reshape(shape)
        return cls(counted[(slice(1, None),) * len(shape)].copy())

    @classmethod
    def none(cls, *sizes: int) -> JointCounts:
        """Return the counts before any row is counted: all zero."""
        return cls(np.zeros(sizes))

    def __add__(self, other: JointCounts) -> JointCounts:
        return JointCounts(self.table + other.table)

    def __sub__(self, other: JointCounts) -> JointCounts:
        return JointCounts(without_rounding(self.table - other.table, self.table))

    def __mul__(self, weight: float) -> JointCounts:
        return JointCounts(self.table * weight)

    def margin(self, *axes: int) -> JointCounts:
        """Return the marginal counts of the given columns, in the order of the table.

        Examples
        --------
        >>> JointCounts(np.array([[0.0, 2.0], [1.0, 0.0]])).margin(1).table.tolist()
        [1.0, 2.0]
        """
        others = tuple(axis for axis in range(self.table.ndim) if axis not in axes)
        return JointCounts(self.table.sum(axis=others))

    def placed(self, places: Sequence[Sequence[int]], sizes: Sequence[int]) -> JointCounts:
        """Return the counts over larger domains: value `i` of a column becomes value `places[i]`.

        Examples
        --------
        >>> JointCounts(np.array([4.0, 7.0])).placed([[0, 2]], [3]).table.tolist()
        [4.0, 0.0, 7.0]
        """
        larger = np.zeros(tuple(sizes))
        larger[np.ix_(*(np.asarray(place, np.intp) for place in places))] = self.table
        return JointCounts(larger)


def _counted_pairs(codes: NDArray[Any], labels: NDArray[Any], shape: tuple[int, int]) -> Floats:
    """Count a long column by class, in compiled steps; the first row of the result is for missing values."""
    from induce.counts import _loops

    table = np.zeros(shape)
    codes, labels = codes.astype(np.int32, copy=False), labels.astype(np.int64, copy=False)
    for start in range(0, len(codes), STEP):
        rows = slice(start, start + STEP)
        repeated(_loops.pairs, STEP)(np.ascontiguousarray(codes[rows]), labels[rows], table)
    return table
