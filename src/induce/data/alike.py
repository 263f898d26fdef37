"""Kinds of cells in the parts of a table: each column must hold one kind, and learners must support it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from induce.core.errors import InputError
from induce.data.schema_overrides import Told


class Kinds:
    """Kinds of cells of each column, with the first part that holds each kind.

    Examples
    --------
    >>> kinds = Kinds()
    >>> kinds.add("a.parquet", pl.Schema({"x": pl.Int8()}))
    >>> kinds.add("b.parquet", pl.Schema({"x": pl.String()}))
    >>> kinds.check(["x"], Told(["x"], target=None, nominal=(), numeric=(), ignore=(), schema=None))
    Traceback (most recent call last):
    induce.core.errors.InputError: column 'x' holds numbers in a.parquet, but strings in b.parquet; make them alike, \
or declare it nominal
    """

    def __init__(self) -> None:
        self._parts: dict[str, dict[str, str]] = {}
        self._unusable: dict[str, Any] = {}

    def add(self, label: str, schema: Mapping[str, Any]) -> None:
        """Add the columns of a part; a column of nulls matches every kind."""
        for name, dtype in schema.items():
            kind = _kind(dtype)
            if kind is None:
                self._unusable.setdefault(name, dtype)
            elif kind:
                self._parts.setdefault(name, {}).setdefault(kind, label)

    def check(self, names: Iterable[str], told: Told) -> None:
        """Raise an `InputError` for a column of an unsupported type, or with several kinds of cells."""
        for name in names:
            if name in self._unusable:
                raise InputError(
                    f"column {name!r} holds {self._unusable[name]} cells, which no learner can use; ignore it or "
                    "turn it into plain columns"
                )
            kinds = list(self._parts.get(name, {}).items())
            if len(kinds) > 1 and told.kind(name) is None:
                (first, here), (second, there) = kinds[:2]
                raise InputError(
                    f"column {name!r} holds {first} in {here}, but {second} in {there}; make them alike, or declare "
                    "it nominal"
                )


def _kind(dtype: Any) -> str | None:
    """Return the kind of cells of a type: empty for nulls, None if no learner supports it."""
    if dtype == pl.Null:
        return ""
    if dtype.is_numeric():
        return "numbers"
    if dtype in (pl.String, pl.Categorical, pl.Enum):
        return "strings"
    if dtype == pl.Boolean:
        return "truth values"
    if dtype in (pl.Date, pl.Datetime):
        return "dates"
    if dtype == pl.Duration:
        return "durations"
    return "objects" if dtype == pl.Object else None
