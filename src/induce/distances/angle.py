"""Cosine distance: the angle between rows, regardless of their lengths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from induce.core.errors import InputError
from induce.data.schema import Schema
from induce.data.table import Table
from induce.distances.base import Distance
from induce.distances.rows import Floats, Rows


@dataclass(frozen=True, eq=False)
class CosineDistance(Distance):
    """Cosine distance 1 - cos(x, z), half the squared Euclidean distance of normalised rows.

    A missing number counts as 0. A row of zeros has no direction and stays at the origin.

    Parameters
    ----------
    schema : Schema
        Input columns, all numeric.
    power : float, default=2
        Power that is summed over the axes.
    name : str, default="cosine"
        Name of the distance.
    """

    schema: Schema
    power: float = 2.0
    name: str = "cosine"

    def root(self, powers: Floats) -> Floats:
        """Return the distances, which on these axes equal their powers."""
        return powers

    def shares(self, a: Rows, b: Rows) -> Floats:
        """Return the contribution of each column to the distance, for pairs of rows."""
        return np.square(a.numbers - b.numbers)

    def unknown_powers(self) -> Floats:
        """Return zeros: no coordinate is missing."""
        return np.zeros(len(self.schema))

    def __str__(self) -> str:
        return self.name

    def _on_axes(self, table: Table) -> Rows:
        numbers = np.nan_to_num(self._bounded(table.numeric), nan=0.0)
        # divide by the largest number first: squares of large numbers would overflow
        numbers = numbers / np.maximum(np.abs(numbers).max(axis=1, keepdims=True, initial=0.0), 1e-300)
        lengths = np.sqrt(np.square(numbers).sum(axis=1, keepdims=True))
        return Rows(numbers / np.where(lengths > 0, np.sqrt(2.0) * lengths, 1.0), table.nominal)


def cosine(table: Table) -> CosineDistance:
    """Return the cosine distance between numeric rows.

    Parameters
    ----------
    table : Table
        Training rows; all columns are numeric.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> from induce.data.table import encode
    >>> table = encode([[1.0, 0.0], [3.0, 3.0], [0.0, 2.0]], Schema((Column("a"), Column("b"))))
    >>> cosine(table).between(table, table)[0].round(4).tolist()
    [0.0, 0.2929, 1.0]
    """
    for column in table.schema:
        if column.kind == "nominal":
            raise InputError(
                f"cosine distance needs numbers, but column {column.name!r} is nominal; use 'heom' or 'hvdm'"
            )
    return CosineDistance(table.schema)
