"""A table as every system gets it: the same rows, kinds, declared values and classes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars as pl

from benchmarks.weka import write_arff

CLASS = "class of the row"
"""No column is called so, and every system needs a name for what is predicted."""


@dataclass(frozen=True, eq=False)
class Given:
    """Rows as numbers: values of nominal columns by their place in `domains`, NaN for what is missing.

    Parameters
    ----------
    names : tuple of str
    domains : tuple
        The declared values of each nominal column, None for a numeric one.
    classes : tuple of str
    X : array of float
    y : array of int
        The place of each row's class in `classes`, -1 where it is to be predicted.
    """

    names: tuple[str, ...]
    domains: tuple[tuple[str, ...] | None, ...]
    classes: tuple[str, ...]
    X: Any
    y: Any

    @classmethod
    def of(cls, frame: Any, schema: Any, classes: Sequence[Any], y: Sequence[Any] | None = None) -> Self:
        """Encode a polars frame as its schema says; only the columns to learn from are kept."""
        inputs = [column for column in schema.inputs() if column.kind in ("nominal", "numeric")]
        columns = [_encoded(frame.get_column(column.name), column) for column in inputs]
        places = {value: place for place, value in enumerate(classes)}
        return cls(
            tuple(column.name for column in inputs),
            tuple(tuple(map(str, c.domain)) if c.kind == "nominal" else None for c in inputs),
            tuple(map(str, classes)),
            np.column_stack(columns),
            np.full(frame.height, -1) if y is None else np.array([places[value] for value in y]),
        )

    @classmethod
    def dataset(cls, data: Any) -> Self:
        """Encode a whole data set with its classes."""
        return cls.of(data.X, data.input_schema, classes_of(data.y), data.y.to_list())

    def to_npz(self, path: Path) -> None:
        """Write the numbers, and their meaning as JSON beside them."""
        about = {"names": self.names, "domains": self.domains, "classes": self.classes}
        np.savez(path, X=self.X, y=self.y, about=np.array(json.dumps(about)))

    def to_arff(self, path: Path) -> None:
        """Write the values, the class last."""
        domains: dict[str, Sequence[str]] = {
            name: domain for name, domain in zip(self.names, self.domains, strict=True) if domain
        }
        columns = [
            pl.Series(name, self.X[:, i] if domain is None else _decoded(self.X[:, i], domain))
            for i, (name, domain) in enumerate(zip(self.names, self.domains, strict=True))
        ]
        said = pl.Series(CLASS, _decoded(np.where(self.y < 0, np.nan, self.y), self.classes))
        write_arff(path, pl.DataFrame([*columns, said]).fill_nan(None), domains | {CLASS: self.classes})


def classes_of(y: Any) -> list[Any]:
    """The classes of a polars series: those declared, or those that occur, in order."""
    if isinstance(y.dtype, pl.Enum):
        return list(y.dtype.categories.to_list())
    return list(y.unique().sort().to_list())


def _encoded(values: Any, column: Any) -> Any:
    if column.kind == "numeric":
        return values.cast(pl.Float64).fill_null(np.nan).to_numpy()
    places = {value: float(place) for place, value in enumerate(column.domain)}
    return np.array([places.get(value, np.nan) for value in values.to_list()])


def _decoded(codes: Any, domain: Sequence[str]) -> list[str | None]:
    return [None if np.isnan(code) else domain[int(code)] for code in codes]
