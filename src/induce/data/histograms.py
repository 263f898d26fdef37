"""Histograms of columns by class, for a first inspection."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from induce.core.values import plain
from induce.data.dataset import Dataset
from induce.data.schema import Column

BINS = 20
MOST_VALUES = 20
"""Number of values shown for a nominal column, the most common first; the rest are counted together."""
MOST_CLASSES = 12
REST = "other values"


def column_histograms(data: Dataset, bins: int = BINS) -> dict[str, Any]:
    """Return the columns of a dataset with their kinds, missing values and histograms by class, as plain data.

    Bins of integers have integer widths and begin at half-integers, so that each bin covers equally many integers.
    Without classes there is one count per bin.

    Examples
    --------
    >>> from induce.data.catalogue import dataset
    >>> found = column_histograms(dataset("temperature"))
    >>> found["classes"], found["columns"][0]["bins"][0]
    (['Yes', 'No'], {'low': 40, 'high': 43, 'counts': [0, 1]})
    """
    classes, codes = _classes(data)
    return {
        "name": data.name,
        "rows": len(data),
        "target": data.target,
        "classes": classes,
        "columns": [
            _column(data.frame.get_column(column.name), column, codes, max(len(classes), 1), bins)
            for column in data.schema
        ],
    }


def _classes(data: Dataset) -> tuple[list[str], NDArray[np.int64]]:
    """Return the displayed classes, and the index of each row's class among them."""
    nothing = np.zeros(len(data), np.int64)
    if data.target is None or data.schema[data.target].kind != "nominal":
        return [], nothing
    names = [str(value) for value in data.schema[data.target].domain]
    kept = names[:MOST_CLASSES]
    place = {name: min(k, MOST_CLASSES) for k, name in enumerate(names)}
    codes = data.y.cast(pl.String).replace_strict(place, default=None, return_dtype=pl.Int64)
    last = len(kept) if len(names) > MOST_CLASSES or codes.null_count() else None
    shown = kept if last is None else [*kept, "other classes" if len(names) > MOST_CLASSES else "missing"]
    return shown, codes.fill_null(last or 0).to_numpy()


def _column(
    cells: pl.Series, column: Column, codes: NDArray[np.int64], n_classes: int, bins: int
) -> dict[str, Any]:
    known = cells.is_not_null().to_numpy()
    head: dict[str, Any] = {
        "name": column.name,
        "kind": "date" if column.temporal else column.kind,
        "role": column.role,
        "unit": column.unit,
        "missing": int((~known).sum()),
        "bins": [],
    }
    numeric = cells.dtype.is_numeric() or cells.dtype.is_temporal()
    if column.kind == "numeric" and numeric and known.any():
        return head | _numbers(cells, known, codes, n_classes, bins)
    if column.kind == "nominal" and not isinstance(cells.dtype, pl.List | pl.Struct | pl.Array | pl.Object):
        return head | _values(cells, codes, n_classes)
    return head | {"distinct": _distinct(cells)}


def _numbers(
    cells: pl.Series, known: NDArray[np.bool_], codes: NDArray[np.int64], n_classes: int, bins: int
) -> dict[str, Any]:
    whole = cells.dtype.is_integer() or cells.dtype.is_temporal()
    numbers = cells.drop_nulls().to_physical().cast(pl.Float64).to_numpy()
    finite = np.isfinite(numbers)
    numbers, labels = numbers[finite], codes[known][finite]
    if not len(numbers):
        return {"distinct": 0}
    low, high = float(numbers.min()), float(numbers.max())
    if whole or (high - low < 1e6 and bool((numbers == np.rint(numbers)).all())):
        width = float(math.ceil((high - low + 1) / bins))
        n = int((high - low) // width) + 1
    else:
        n = bins if high > low else 1
        width = (high - low) / n or 1.0
    place = np.minimum(((numbers - low) / width).astype(np.int64), n - 1)
    counts = np.bincount(labels * n + place, minlength=n * n_classes).reshape(n_classes, n).T
    ends = [low + k * width for k in range(n)] + [low + n * width]
    written = [_written(end, cells.dtype) for end in ends]
    return {
        "whole": bool(whole),
        "minimum": _written(low, cells.dtype),
        "maximum": _written(high, cells.dtype),
        "bins": [{"low": written[k], "high": written[k + 1], "counts": counts[k].tolist()} for k in range(n)],
    }


def _written(number: float, dtype: Any) -> Any:
    """Format a number like its column: as an integer, as a date, or with six digits."""
    if dtype.is_temporal():
        return str(pl.Series([int(number)]).cast(dtype)[0])
    return int(number) if float(number).is_integer() else float(f"{number:.6g}")


def _values(cells: pl.Series, codes: NDArray[np.int64], n_classes: int) -> dict[str, Any]:
    frame = pl.DataFrame({"value": cells.cast(pl.String), "class": codes}).drop_nulls("value")
    grouped = frame.group_by("value", "class").len()
    totals = grouped.group_by("value").agg(pl.col("len").sum()).sort("len", "value", descending=[True, False])
    kept = totals["value"].to_list()[:MOST_VALUES]
    counts = {value: [0] * n_classes for value in kept}
    rest = [0] * n_classes
    for value, code, rows in grouped.rows():
        counts.get(value, rest)[code] += rows
    bins = [{"value": plain(value), "counts": counts[value]} for value in kept]
    if totals.height > len(kept):
        bins.append({"value": f"{totals.height - len(kept):,} {REST}", "counts": rest})
    return {"distinct": totals.height, "bins": bins}


def _distinct(cells: pl.Series) -> int:
    if isinstance(cells.dtype, pl.List | pl.Struct | pl.Array | pl.Object):
        return 0
    return cells.drop_nulls().n_unique()
