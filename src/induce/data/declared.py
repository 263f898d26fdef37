"""Tables without rows, from declared columns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.data.schema_overrides import SchemaLike, Told

if TYPE_CHECKING:
    from induce.data.dataset import Dataset


TYPED = (".arff", ".parquet")
"""File formats that declare their column types."""


def declared_dataset(
    source: str | Path,
    target: str | None,
    *,
    nominal: Sequence[str] = (),
    numeric: Sequence[str] = (),
    ignore: Sequence[str] = (),
    schema: SchemaLike = None,
) -> Dataset:
    """Return the table of a file with a header but no rows; the schema or the file must declare its columns.

    Parameters
    ----------
    source : path
    target : str, optional
    nominal, numeric, ignore, schema
        As in `induce.data.reading.read`.
    """
    from induce.data.dataset import Dataset
    from induce.data.reading import read_frame

    frame, typed = read_frame(source), Path(source).suffix.lower() in TYPED
    told = Told(frame.columns, target=target, nominal=nominal, numeric=numeric, ignore=ignore, schema=schema)
    columns = [told.apply(_typed(cells)) for cells in frame.get_columns()]
    for column in columns:
        known = typed or told.kind(column.name) is not None
        if column.role in ("input", "target") and (
            not known or (column.kind == "nominal" and not column.domain)
        ):
            needs = "values (domain)" if column.role == "target" or known else "kind"
            raise InputError(
                f"{str(source)!r} has a header but no rows; to learn from rules alone, declare the {needs} of column "
                f"{column.name!r} in a schema file, --schema"
            )
    return Dataset(
        frame=pl.DataFrame([pl.Series(column.name, [], _dtype(column)) for column in columns]),
        target=told.target,
        schema=Schema(tuple(columns)),
        name=Path(source).stem,
        aside=tuple(column.name for column in columns if told.left_out(column.name)),
    )


def _typed(cells: pl.Series) -> Column:
    """Return the declaration implied by a column's type."""
    if isinstance(cells.dtype, pl.Enum):
        return Column(cells.name, "nominal", tuple(cells.dtype.categories.to_list()))
    return Column(cells.name, "numeric")


def _dtype(column: Column) -> pl.DataType | type[pl.DataType]:
    if column.kind == "nominal":
        return pl.Enum([str(value) for value in column.domain])
    return pl.Float64 if column.kind == "numeric" else pl.String
