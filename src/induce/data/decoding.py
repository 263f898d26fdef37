"""Encoded rows as a frame again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from induce.data.table import Table

if TYPE_CHECKING:
    import polars as pl


def decoded(table: Table) -> pl.DataFrame:
    """Return encoded rows as a frame; a value that was not seen in training is missing in it.

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
