"""A user-defined function of two rows as a distance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.data.schema import Schema
from induce.data.table import Table
from induce.distances.base import Distance
from induce.distances.rows import Floats, Rows


@dataclass(frozen=True, eq=False)
class FunctionDistance(Distance):
    """A distance given by a function. It cannot be stored in a model file.

    Parameters
    ----------
    schema : Schema
        Input columns.
    function : callable
        Function of two rows, given as arrays of float64 with one number per column: the number itself, or the
        index of a nominal value in its domain; NaN if missing, -2 if not seen in training.
    power : float, default=1
        Power of the distance.
    name : str
        Name of the distance.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> steps = FunctionDistance(Schema((Column("x"),)), lambda a, b: abs(round(a[0]) - round(b[0])))
    >>> steps.between([[0.2], [2.7]], [[1.1]])
    array([[1.],
           [2.]])
    """

    schema: Schema
    function: Callable[[Any, Any], float]
    power: float = 1.0
    name: str = "a function"
    additive: ClassVar[bool] = False

    def paired(self, a: Rows, b: Rows) -> Floats:
        """Return the distances of pairs of rows."""
        width = a.numbers.shape[-1]
        shape = np.broadcast_shapes(a.codes.shape[:-1], b.codes.shape[:-1])
        left, right = (np.broadcast_to(rows.numbers, (*shape, width)).reshape(-1, width) for rows in (a, b))
        found = np.array([self.function(x, y) for x, y in zip(left, right, strict=True)], dtype=np.float64)
        if np.isnan(found).any() or (found < 0).any():
            raise InputError("metric returned a negative number or NaN; distances must be at least 0")
        return found.reshape(shape)

    def shares(self, a: Rows, b: Rows) -> Floats:
        """Return NaN for every column: the contributions of a function are unknown."""
        shape = np.broadcast_shapes(a.codes.shape[:-1], b.codes.shape[:-1])
        return np.full((*shape, len(self.schema)), np.nan)

    def __str__(self) -> str:
        return self.name

    def _on_axes(self, table: Table) -> Rows:
        columns = [table.column(j).astype(np.float64) for j in range(len(self.schema))]
        for values, position in zip(columns, table.positions, strict=True):
            if position < 0:
                values[values == -1] = np.nan
        numbers = np.stack(columns, axis=1) if columns else np.empty((len(table), 0))
        return Rows(numbers, np.empty((len(table), 0), dtype=np.int32))
