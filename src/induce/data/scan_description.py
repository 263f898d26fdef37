"""Summary of a table that is not read as a whole, column by column, in one pass over its partitions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import polars as pl

from induce.core.engines import total
from induce.core.pass_results import pass_result
from induce.data.describe import MOST_COMMON, ColumnSummary, Description
from induce.data.partitions import Partition
from induce.data.scanning import Scan
from induce.data.schema import Column

MOST_DISTINCT = 1024
"""Maximum number of distinct numbers of a column that are counted."""


@pass_result
@dataclass(eq=False)
class _Cells:
    """Running statistics of one column: sums of numbers, counts of other values."""

    known: int
    missing: int
    counts: dict[Any, int] | None
    low: float = math.inf
    high: float = -math.inf
    total: float = 0.0

    def __add__(self, later: _Cells) -> _Cells:
        counts = None
        if self.counts is not None and later.counts is not None:
            counts = dict(self.counts)
            for value, n in later.counts.items():
                counts[value] = counts.get(value, 0) + n
        return _Cells(
            self.known + later.known,
            self.missing + later.missing,
            counts if counts is None or len(counts) <= 10 * MOST_DISTINCT else None,
            min(self.low, later.low),
            max(self.high, later.high),
            self.total + later.total,
        )


@pass_result
@dataclass(eq=False)
class _Seen:
    """Running statistics of all columns of some partitions, the target last."""

    columns: list[_Cells]

    def __add__(self, later: _Seen) -> _Seen:
        return _Seen([mine + theirs for mine, theirs in zip(self.columns, later.columns, strict=True)])


def _seen(partition: Partition) -> _Seen:
    rows, goals = partition.rows()
    found = [_cells(rows[column.name], column) for column in partition.layout.schema]
    if partition.layout.target and not partition.layout.classes:
        found.append(_cells(pl.Series(goals), Column(partition.layout.target)))
    return _Seen(found)


def _cells(cells: pl.Series, column: Column) -> _Cells:
    if cells.dtype.is_float():
        cells = cells.fill_nan(None)
    known = cells.drop_nulls()
    seen = _Cells(len(known), len(cells) - len(known), None)
    is_number = column.kind == "numeric" and cells.dtype.is_numeric()
    if is_number and len(known):
        numbers = known.cast(pl.Float64)
        seen.low, seen.high = float(numbers.min()), float(numbers.max())  # type: ignore[arg-type]
        seen.total = float(numbers.sum())
    if column.kind == "text":
        return seen
    if not is_number or known.head(10 * MOST_DISTINCT).n_unique() <= MOST_DISTINCT:
        values, counts = known.alias("value").value_counts(name="rows").get_columns()
        if len(values) <= 10 * MOST_DISTINCT:
            seen.counts = dict(zip(values.to_list(), counts.to_list(), strict=True))
    return seen


def describe_scan(source: Scan) -> Description:
    """Describe a scanned table in one pass: kinds, missing values, ranges, most common values, class balance.

    Rows are not compared with each other, so duplicates are not counted. If a column has more than a few thousand
    distinct values, `distinct` is -1.

    Examples
    --------
    >>> import induce
    >>> print(describe_scan(induce.scan(induce.dataset("temperature").frame, "PlayTennis", rows=4)))
    frame: 6 rows, 2 columns
      Temperature: numeric, 6 distinct: 40 … 90, mean 65
      PlayTennis (target): nominal, 2 distinct: Yes 3, No 3
    classes of PlayTennis: Yes 3 (50.0%), No 3 (50.0%)
    """
    seen = total(_seen, source.partitions()).columns
    columns = [_summary(column, cells) for column, cells in zip(source.schema, seen, strict=False)]
    classes: tuple[tuple[str, int], ...] = ()
    n = len(source)
    if source.classes:
        counts = source.layout.class_counts.tolist()
        classes = tuple((str(value), rows) for value, rows in zip(source.classes, counts, strict=True))
        classes = tuple(sorted(classes, key=lambda pair: -pair[1]))
        goal = {"distinct": len(classes), "common": classes[:MOST_COMMON]}
        columns.append(ColumnSummary(source.target, "nominal", "target", 0, 0.0, **goal))  # type: ignore[arg-type]
    elif source.target:
        columns.append(_summary(Column(source.target, role="target"), seen[-1]))
    return Description(
        name=source.name,
        rows=n,
        target=source.target or None,
        columns=tuple(columns),
        classes=classes,
        duplicate_rows=0,
        conflicting_rows=0,
        suspicions=(),
    )


def _summary(column: Column, cells: _Cells) -> ColumnSummary:
    figures: dict[str, Any] = {}
    if cells.low <= cells.high:
        figures = {"minimum": cells.low, "mean": cells.total / cells.known, "maximum": cells.high}
    elif cells.counts is not None:
        common = sorted(cells.counts.items(), key=lambda pair: (-pair[1], str(pair[0])))[:MOST_COMMON]
        figures = {"common": tuple((str(value), n) for value, n in common)}
    return ColumnSummary(
        name=column.name,
        kind="date" if column.temporal else column.kind,
        role=column.role,
        missing=cells.missing,
        missing_share=cells.missing / max(cells.missing + cells.known, 1),
        distinct=-1 if cells.counts is None else len(cells.counts),
        unit=column.unit,
        **figures,
    )
