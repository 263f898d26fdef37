"""Rows of tables as networks see them: codes of nominal nodes, numbers of numeric ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from induce.data.schema import Schema
from induce.graphical.conditionals.base import Values


def frame_of(schema: Schema, values: Sequence[Values]) -> Any:
    """Return a polars frame of rows; nominal columns with values of text have their domain.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> frame_of(Schema((Column("wind", "nominal", ("weak", "strong")),)), [np.array([1, 0])])["wind"].to_list()
    ['strong', 'weak']
    """
    import polars as pl

    columns = []
    for column, cells in zip(schema, values, strict=True):
        if column.kind == "numeric":
            columns.append(pl.Series(column.name, np.asarray(cells, np.float64)))
        elif all(isinstance(value, str) for value in column.domain):
            texts = pl.Series(column.name, np.array(column.domain, object)[cells].tolist(), pl.String)
            columns.append(texts.cast(pl.Enum(list(map(str, column.domain)))))
        else:
            columns.append(pl.Series(column.name, [column.domain[k] for k in np.asarray(cells).tolist()]))
    return pl.DataFrame(columns)
