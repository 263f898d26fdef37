"""Frames from encoded rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.data.schema import Schema
from induce.data.table import Table

if TYPE_CHECKING:
    import polars as pl


def decoded(table: Table) -> pl.DataFrame:
    """Return encoded rows as a frame; a value not seen in training becomes missing.

    Examples
    --------
    >>> from induce.data.schema import Column, Schema
    >>> schema = Schema((Column("size"), Column("colour", "nominal", ("red", "blue"))))
    >>> table = Table(schema, np.array([[1.5], [np.nan]]), np.array([[1], [-2]], dtype=np.int32))
    >>> decoded(table).rows()
    [(1.5, 'blue'), (None, None)]
    """
    import polars as pl

    cells = []
    for j, column in enumerate(table.schema):
        values = table.column(j)
        if column.kind == "nominal":
            cells.append(
                pl.Series(column.name, [column.domain[k] if k >= 0 else None for k in values.tolist()])
            )
        else:
            cells.append(pl.Series(column.name, np.ascontiguousarray(values), nan_to_null=True))
    return pl.DataFrame(cells)


def frame_of(schema: Schema, values: Sequence[NDArray[Any]]) -> pl.DataFrame:
    """Return a polars frame of rows; nominal columns with string values keep their domain.

    A code below 0 or a NaN becomes null.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> frame_of(Schema((Column("wind", "nominal", ("weak", "strong")),)), [np.array([1, -1])])["wind"].to_list()
    ['strong', None]
    """
    import polars as pl

    columns = []
    for column, cells in zip(schema, values, strict=True):
        if column.kind == "numeric":
            columns.append(pl.Series(column.name, np.asarray(cells, np.float64), nan_to_null=True))
            continue
        domain = [*column.domain, None]
        found = [domain[code] if code >= 0 else None for code in np.asarray(cells).tolist()]
        is_text = all(isinstance(value, str) for value in column.domain)
        dtype = pl.Enum(list(map(str, column.domain))) if is_text else None
        columns.append(pl.Series(column.name, found, dtype))
    return pl.DataFrame(columns)
