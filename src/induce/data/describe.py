"""Summary of a table, column by column, with suspicious columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import polars as pl

from induce.core.reports import shortened
from induce.data import suspicions
from induce.data.dataset import Dataset
from induce.data.reading import read
from induce.data.schema import Column

MOST_COMMON = 5
WIDTH_OF_NAMES = 28
WIDTH_OF_VALUES = 40


@dataclass(frozen=True)
class ColumnSummary:
    """Summary of a column: minimum, mean and maximum of numbers, otherwise the most common values."""

    name: str
    kind: str
    role: str
    missing: int
    missing_share: float
    distinct: int
    minimum: Any = None
    mean: Any = None
    maximum: Any = None
    common: tuple[tuple[str, int], ...] = ()
    unit: str = ""

    def __str__(self) -> str:
        name = shortened(self.name, WIDTH_OF_NAMES)
        role = "" if self.role == "input" else f" ({self.role})"
        missing = f", {self.missing:,} missing ({self.missing_share:.0%})" if self.missing else ""
        if self.minimum is not None:
            values = f"{_short(self.minimum)} … {_short(self.maximum)}, mean {_short(self.mean)}"
        else:
            values = ", ".join(f"{value} {count:,}" for value, count in self.common)
            values += ", …" if self.distinct > len(self.common) > 0 else ""
        values = f": {values}" if values else ""
        unit = f" in {self.unit}" if self.unit else ""
        distinct = "many" if self.distinct < 0 else f"{self.distinct:,}"
        return f"{name}{role}: {self.kind}{unit}, {distinct} distinct{missing}{values}"


@dataclass(frozen=True)
class Description:
    """Result of `describe`."""

    name: str
    rows: int
    target: str | None
    columns: tuple[ColumnSummary, ...]
    classes: tuple[tuple[str, int], ...]
    duplicate_rows: int
    conflicting_rows: int
    suspicions: tuple[str, ...]
    remedies: tuple[Mapping[str, str], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return all fields as plain dicts, lists and scalars, suitable for JSON."""
        found = asdict(self)
        for column in found["columns"]:
            for key in ("minimum", "mean", "maximum"):
                if not isinstance(column[key], int | float | None):
                    column[key] = str(column[key])
        return found

    def __str__(self) -> str:
        lines = [f"{self.name or 'table'}: {self.rows:,} rows, {len(self.columns)} columns"]
        lines += [f"  {column}" for column in self.columns]
        if self.classes:
            balance = ", ".join(
                f"{value} {count:,} ({count / self.rows:.1%})" for value, count in self.classes
            )
            lines.append(f"classes of {self.target}: {balance}")
        if self.duplicate_rows:
            lines.append(f"duplicate rows: {self.duplicate_rows:,}")
        if self.conflicting_rows:
            lines.append(f"rows with the same inputs but different classes: {self.conflicting_rows:,}")
        if self.suspicions:
            lines += ["suspicious:", *(f"  {sentence}" for sentence in self.suspicions)]
        return "\n".join(lines)


def describe(source: Any, target: str | None = None) -> Description:
    """Describe a dataset, file or frame: kinds, missing values, class balance, suspicious columns.

    Parameters
    ----------
    source : Dataset, path or dataframe
        Source that `induce.data.reading.read` accepts, or a dataset.
    target : str, optional
        Column to predict; by default the target that the dataset declares.

    Examples
    --------
    >>> from induce.data.catalogue import dataset
    >>> print(describe(dataset("temperature")))
    temperature: 6 rows, 2 columns
      Temperature: numeric, 6 distinct: 40 … 90, mean 65
      PlayTennis (target): nominal, 2 distinct: Yes 3, No 3
    classes of PlayTennis: Yes 3 (50.0%), No 3 (50.0%)
    """
    data = source if isinstance(source, Dataset) else read(source, target)
    if target is not None and target != data.target:
        data = read(data.frame, target, name=data.name)
    columns = tuple(_summary(data.frame.get_column(column.name), column) for column in data.schema)
    duplicates, conflicts = _repetitions(data)
    found = suspicions.suspected(data)
    return Description(
        name=data.name,
        rows=len(data),
        target=data.target,
        columns=columns,
        classes=_classes(data),
        duplicate_rows=duplicates,
        conflicting_rows=conflicts,
        suspicions=tuple(map(str, found)),
        remedies=tuple(dict(each.remedy) for each in found),
    )


def _summary(cells: pl.Series, column: Column) -> ColumnSummary:
    known = cells.drop_nulls()
    figures: dict[str, Any] = {}
    if column.kind == "numeric" and len(known) and (cells.dtype.is_numeric() or cells.dtype.is_temporal()):
        figures = {"minimum": known.min(), "mean": _mean(known), "maximum": known.max()}
    elif column.kind != "text":
        figures = {"common": _common(known, MOST_COMMON)}
    return ColumnSummary(
        name=column.name,
        kind="date" if column.temporal else column.kind,
        role=column.role,
        missing=cells.null_count(),
        missing_share=cells.null_count() / max(len(cells), 1),
        distinct=known.n_unique(),
        unit=column.unit,
        **figures,
    )


def _mean(known: pl.Series) -> Any:
    """Return the mean, rounded to the day for dates and to the second for times."""
    found = known.mean()
    if known.dtype == pl.Date:
        return found.date() if isinstance(found, datetime) else found
    return found.replace(microsecond=0) if isinstance(found, datetime) else found


def _common(known: pl.Series, most: int | None) -> tuple[tuple[str, int], ...]:
    if isinstance(known.dtype, pl.List | pl.Struct | pl.Array | pl.Object):
        return ()
    counts = known.alias("value").value_counts(name="rows").sort("rows", "value", descending=[True, False])
    rows = counts.rows() if most is None else counts.head(most).rows()
    return tuple((_short(value), count) for value, count in rows)


def _classes(data: Dataset) -> tuple[tuple[str, int], ...]:
    if data.target is None or data.schema[data.target].kind != "nominal":
        return ()
    return _common(data.y, None)


def _repetitions(data: Dataset) -> tuple[int, int]:
    """Return the number of duplicate rows, and of rows with a duplicate of a different class."""
    inputs = [column.name for column in data.schema.inputs()]
    if not inputs:
        return 0, 0
    whole = inputs if data.target is None else [*inputs, data.target]
    duplicates = len(data) - data.frame.select(whole).n_unique()
    if data.target is None or not _classes(data):
        return duplicates, 0
    twins = data.frame.group_by(inputs).agg(pl.len(), pl.col(data.target).n_unique().alias("__classes__"))
    return duplicates, int(twins.filter(pl.col("__classes__") > 1)["len"].sum())


def _short(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:.6g}"
    text = " ".join(str(value).split())
    return shortened(text, WIDTH_OF_VALUES)
