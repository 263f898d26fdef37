"""A table with a schema, a target and a name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any

import polars as pl

from induce.data.schema import Column, Schema

ROWS_SHOWN = 8


@dataclass(frozen=True, eq=False)
class Dataset:
    """A typed table with a target; unpacks into ``X, y``.

    Parameters
    ----------
    frame : polars.DataFrame
        All columns. Nominal columns are of type ``Enum`` (or ``Boolean``), which stores their domain.
    target : str or None
        Name of the target column.
    schema : Schema
        Schema of all columns, including the target.
    name, description : str
        Name and description of the table.
    aside : tuple of str
        Columns that the user or the table excludes from learning; they are in `frame`, but not in `X`.

    Attributes
    ----------
    X : polars.DataFrame
        Input columns: all columns except the target and those set aside.
    y : polars.Series or None
        The target column.

    Examples
    --------
    >>> from induce.data.catalogue import dataset
    >>> tennis = dataset("play-tennis")
    >>> X, y = tennis
    >>> X.columns
    ['Outlook', 'Temperature', 'Humidity', 'Wind']
    >>> y.to_list()[:3]
    ['No', 'No', 'Yes']
    """

    frame: pl.DataFrame
    target: str | None
    schema: Schema
    name: str = ""
    description: str = ""
    aside: tuple[str, ...] = ()
    X: pl.DataFrame = field(init=False, repr=False)
    y: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        target = None if self.target is None else self.frame.get_column(self.target)
        object.__setattr__(self, "X", self.frame.select(self.input_schema.names()))
        object.__setattr__(self, "y", target)

    @property
    def input_schema(self) -> Schema:
        """Schema of the columns of `X`, for the `schema` of a learner."""
        out = {self.target, *self.aside}
        return Schema(tuple(column for column in self.schema if column.name not in out))

    @property
    def grid(self) -> Any:
        """The `Grid` of the images in the rows of `X`, or None if they are not images."""
        from induce.data.images.grid import Grid

        return Grid.of(self.X.columns)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.X, self.y))

    def __len__(self) -> int:
        return self.frame.height

    def __repr__(self) -> str:
        grid, pixels = self.grid, ""
        others = self.schema.columns
        if grid is not None:
            others = tuple(column for column in others if column.name not in self.X.columns)
            pixels = f"  {self.X.columns[0]} … {self.X.columns[-1]}: numeric"
        lines = [self._title(), *filter(None, [pixels]), *(f"  {_line(column)}" for column in others)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        about = f"<p>{escape(self.description)}</p>" if self.description else ""
        shown = self.frame if self.grid is None else self.frame.drop(self.X.columns)
        table = shown.head(ROWS_SHOWN)._repr_html_()
        return f"<p><b>{escape(self._title())}</b></p>{about}{table}"

    def _title(self) -> str:
        aim = f", target {self.target!r}" if self.target is not None else ", no target"
        grid = self.grid
        if grid is not None:
            return f"{self.name or 'Dataset'}: {len(self):,} images of {grid} pixels{aim}"
        return f"{self.name or 'Dataset'}: {len(self):,} rows, {len(self.schema)} columns{aim}"


def _line(column: Column) -> str:
    if column.kind == "nominal":
        values = [str(value) for value in column.domain[:8]] + (["…"] if len(column.domain) > 8 else [])
        kind = f"nominal {{{', '.join(values)}}}" if values else "nominal"
        kind = f"ordered {kind}" if column.ordered else kind
    else:
        kind = "date" if column.temporal else column.kind
        kind = f"{kind} in {column.unit}" if column.unit else kind
    role = "" if column.role == "input" else f" ({column.role})"
    return f"{column.name}: {kind}{role}"
