"""Pixels as columns, named by their position in the image."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.data.schema import Column, Schema

PIXEL = re.compile(r"r(\d+)c(\d+)")
Pixels = NDArray[Any]
"""Images as an array of three axes."""


@dataclass(frozen=True)
class Grid:
    """Rows and columns of images whose pixels are table columns, row by row: ``r0c0``, ``r0c1`` and so on.

    The names suffice, so a schema, a model file or a frame needs no separate field for the grid.

    Examples
    --------
    >>> Grid(2, 3).names()
    ('r0c0', 'r0c1', 'r0c2', 'r1c0', 'r1c1', 'r1c2')
    >>> Grid.of(Grid(2, 3).names())
    Grid(rows=2, columns=3)
    >>> Grid.of(["age", "height"]) is None
    True
    """

    rows: int
    columns: int

    def __post_init__(self) -> None:
        if min(self.rows, self.columns) < 1:
            raise InputError(
                f"an image of {self.rows} by {self.columns} pixels is empty; give at least one row and column"
            )

    @property
    def size(self) -> int:
        """Number of pixels."""
        return self.rows * self.columns

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, as in arrays."""
        return self.rows, self.columns

    @classmethod
    def of(cls, columns: Schema | Sequence[str]) -> Grid | None:
        """Return the grid of columns or their names, or None if they are not pixels."""
        names = columns.names() if isinstance(columns, Schema) else tuple(columns)
        last = PIXEL.fullmatch(names[-1]) if len(names) > 1 else None
        if last is None:
            return None
        rows, wide = int(last[1]) + 1, int(last[2]) + 1
        if rows * wide != len(names):
            return None
        found = cls(rows, wide)
        return found if found.names() == names else None

    def names(self) -> tuple[str, ...]:
        """Return the names of the columns, row by row."""
        return tuple(f"r{row}c{column}" for row in range(self.rows) for column in range(self.columns))

    def schema(self) -> Schema:
        """Return the schema of the pixels."""
        return Schema(tuple(Column(name) for name in self.names()))

    def images(self, rows: Any) -> Pixels:
        """Return rows of pixels as images: a three-dimensional array with the dtype of the rows."""
        if hasattr(rows, "columns"):
            rows = rows.to_numpy()
        pixels = np.asarray(rows)
        if pixels.ndim != 2 or pixels.shape[1] != self.size:
            raise InputError(
                f"images have {self.size} pixels ({self}), but rows have {pixels.shape[-1]}; give images of that size"
            )
        return pixels.reshape(len(pixels), *self.shape)

    def frame(self, images: Pixels) -> Any:
        """Return images as a polars frame with one column per pixel, with the dtype of the images."""
        import polars as pl

        flat = np.ascontiguousarray(np.asarray(images).reshape(len(images), self.size).T)
        return pl.DataFrame([pl.Series(name, flat[k]) for k, name in enumerate(self.names())])

    def __str__(self) -> str:
        return f"{self.rows} x {self.columns}"
