"""A mixed table as one matrix of numbers, for distances, kernels and linear functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.core.shapes import check_numbers, check_shapes
from induce.data.schema import Schema
from induce.data.table import Table, as_table

Floats = NDArray[np.float64]

SCALES = (None, "range", "standard")
FAR = 1e50
"""Maximum absolute value of numbers, so that the squares of their squares can be added."""
BLOCK = 2**16
"""Number of cells scaled at a time; they fit into the cache."""


@dataclass(frozen=True, eq=False)
class NumericView:
    """Conversion of the columns of a table to columns of a matrix, fitted to training rows.

    A numeric column becomes one column, ``(value - offset) / scale``; a nominal one becomes one indicator per
    value of its domain. A missing number is replaced by the training mean, a missing or unseen category by
    the relative frequencies of the values in training.

    Parameters
    ----------
    schema : Schema
        The input columns of the table.
    offset, scale : array of float64, one for each numeric column
    mean : array of float64, one for each column of the matrix
        Replacement of missing values.

    Examples
    --------
    >>> from induce.data.table import encode
    >>> from induce.data.schema import Column
    >>> schema = Schema((Column("size"), Column("colour", "nominal", ("red", "blue"))))
    >>> table = encode([[1.0, "red"], [3.0, "blue"], [None, "red"]], schema)
    >>> view = NumericView.of(table, scale="range")
    >>> view.names
    ('size', 'colour = red', 'colour = blue')
    >>> view.matrix(table).round(2).tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.5, 1.0, 0.0]]
    """

    schema: Schema
    offset: Floats
    scale: Floats
    mean: Floats

    def check(self) -> None:
        """Raise an `InputError` unless the parameters match the columns."""
        nominal = [column for column in self.schema if column.kind == "nominal"]
        numeric = len(self.schema) - len(nominal)
        wide = numeric + sum(len(column.domain) for column in nominal)
        check_shapes(
            self, {"offset": "columns", "scale": "columns", "mean": "wide"}, columns=numeric, wide=wide
        )
        for field in ("offset", "scale", "mean"):
            check_numbers(field, getattr(self, field))

    @classmethod
    def of(cls, table: Table, scale: str | None = "standard", weights: Floats | None = None) -> NumericView:
        """Return the view fitted to training rows.

        Parameters
        ----------
        table : Table
        scale : {"standard", "range", None}
            Divisor: the standard deviation, the range, or none. A constant column is only shifted.
        weights : array, optional
            Weight of each row.
        """
        one_of("scale", scale, SCALES)
        weight = np.ones(len(table)) if weights is None else weights
        numbers = table.numeric[weight > 0]
        known = ~np.isnan(numbers)
        largest = np.abs(np.where(known, numbers, 0.0)).max(axis=0, initial=0.0)
        unit = np.where(largest > FAR, largest, 1.0)
        numbers = numbers / unit
        filled = np.where(known, numbers, 0.0)
        share = known * weight[weight > 0, np.newaxis]
        total = np.maximum(share.sum(axis=0), np.finfo(np.float64).tiny)
        mean = (share * filled).sum(axis=0) / total
        if scale == "range":
            offset = np.where(known, numbers, np.inf).min(axis=0, initial=np.inf)
            spread = np.where(known, numbers, -np.inf).max(axis=0, initial=-np.inf) - offset
            offset = np.where(np.isfinite(offset), offset, 0.0)
        elif scale == "standard":
            offset = mean
            spread = np.sqrt((share * (filled - mean) ** 2).sum(axis=0) / total)
        else:
            offset, spread = np.zeros_like(mean), 1.0 / unit
        offset, mean = offset * unit, mean * unit
        spread = np.where(np.isfinite(spread) & (spread > 0), spread, 1.0 / unit)
        spread = np.minimum(spread, np.finfo(np.float64).max / unit) * unit
        means: list[float] = []
        for column, position in zip(table.schema, table.positions, strict=True):
            if position >= 0:
                means.append(float((mean[position] - offset[position]) / spread[position]))
            else:
                codes = table.nominal[:, -1 - position]
                counts = np.bincount(codes[codes >= 0], weight[codes >= 0], len(column.domain))
                means.extend((counts / max(counts.sum(), 1e-300)).tolist())
        return cls(table.schema, offset, spread, np.array(means))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NumericView):
            return NotImplemented
        mine, others = ((view.offset, view.scale, view.mean) for view in (self, other))
        return self.schema == other.schema and all(map(np.array_equal, mine, others))

    def __hash__(self) -> int:
        return hash(self.schema)

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each column of the matrix."""
        return tuple(
            name
            for column in self.schema
            for name in (
                [f"{column.name} = {value}" for value in column.domain]
                if column.kind == "nominal"
                else [column.name]
            )
        )

    @property
    def quantities(self) -> tuple[str, ...]:
        """Name of each column of the matrix in formulas; dates are counted in days."""
        dates = {column.name: column.quantity for column in self.schema if column.temporal}
        return tuple(dates.get(name, name) for name in self.names)

    def matrix(self, X: Any) -> Floats:
        """Return the rows of a frame, an array or an encoded table as a matrix without missing values."""
        table = self._table(X)
        if (table.positions >= 0).all():
            return self._all_numbers(table.numeric)
        found = np.empty((len(table), len(self.mean)))
        place = 0
        for column, position in zip(self.schema, table.positions, strict=True):
            if position >= 0:
                found[:, place] = self._numbers(table, position, place)
                place += 1
            else:
                codes, end = table.nominal[:, -1 - position], place + len(column.domain)
                found[:, place:end] = np.where(
                    codes[:, np.newaxis] < 0,
                    self.mean[place:end],
                    codes[:, np.newaxis] == np.arange(len(column.domain)),
                )
                place = end
        return found

    def sparse_matrix(self, X: Any) -> Any:
        """Return the same matrix in sparse CSR form; an unknown category fills all cells of its column.

        Examples
        --------
        >>> from induce.data.table import encode
        >>> from induce.data.schema import Column
        >>> schema = Schema((Column("size"), Column("colour", "nominal", ("red", "blue"))))
        >>> table = encode([[1.0, "red"], [3.0, "blue"], [None, "red"]], schema)
        >>> view = NumericView.of(table)
        >>> (view.sparse_matrix(table).toarray() == view.matrix(table)).all()
        np.True_
        """
        from scipy.sparse import csr_array

        table = self._table(X)
        rows, columns, values = [], [], []
        every, place = np.arange(len(table)), 0
        for column, position in zip(self.schema, table.positions, strict=True):
            width = 1 if position >= 0 else len(column.domain)
            if position >= 0:
                rows.append(every)
                columns.append(np.full(len(table), place))
                values.append(self._numbers(table, position, place))
            else:
                codes = table.nominal[:, -1 - position]
                known, unknown = every[codes >= 0], every[codes < 0]
                rows += [known, np.repeat(unknown, width)]
                columns += [place + codes[known], np.tile(np.arange(place, place + width), len(unknown))]
                values += [np.ones(len(known)), np.tile(self.mean[place : place + width], len(unknown))]
            place += width
        joined = [np.concatenate([np.empty(0), *each]) for each in (values, rows, columns)]
        where = joined[1].astype(np.int64), joined[2].astype(np.int64)
        return csr_array((joined[0], where), shape=(len(table), len(self.mean)))

    def _table(self, X: Any) -> Table:
        table = as_table(X, self.schema)
        if [column.kind for column in table.schema] != [column.kind for column in self.schema]:
            raise InputError("the rows do not have the columns of the matrix")
        return table

    def _all_numbers(self, numeric: Floats) -> Floats:
        """Return a table without nominal columns in the scaling of the view, in blocks of rows."""
        found = np.empty(numeric.shape)
        n = max(1, BLOCK // max(1, numeric.shape[1]))
        for start in range(0, len(numeric), n):
            part = found[start : start + n]
            with np.errstate(over="ignore"):
                np.subtract(numeric[start : start + n], self.offset, out=part)
                np.divide(part, self.scale, out=part)
            np.clip(part, -FAR, FAR, out=part)
            holes = np.isnan(part)
            if holes.any():
                np.copyto(part, self.mean, where=holes)
        return found

    def _numbers(self, table: Table, position: int, place: int) -> Floats:
        """Return a numeric column in the scaling of the view."""
        with np.errstate(over="ignore"):
            numbers = (table.numeric[:, position] - self.offset[position]) / self.scale[position]
        numbers = np.clip(numbers, -FAR, FAR)
        return np.asarray(np.where(np.isnan(numbers), self.mean[place], numbers))
