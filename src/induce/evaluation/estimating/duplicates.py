"""Duplicate rows, which must not be split between training and testing."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

LEAST_SHARE = 0.01
"""Fraction of duplicate rows below which they are negligible."""
CHANCE = 10.0
"""Ratio of duplicates to the number expected by chance above which they are suspicious."""
FREQUENT_ROWS, FREQUENT_SHARE = 10, 0.02
"""Number and fraction of rows above which a value is frequent by itself, not by copies."""
ROWS_PER_VALUE = 20
"""Rows per value from which a column can show that it determines another."""
MOST_COMPARED = 30
"""Maximum number of columns that are compared with each other."""

Rows = NDArray[np.intp]
Codes = NDArray[np.int64]


class _Coded(NamedTuple):
    """A column as codes, and the chance that two independent rows agree in it, at least."""

    codes: Codes
    least: float


def copies(X: Any, actual: NDArray[Any]) -> Rows | None:
    """Return an identifier for each row, shared by duplicates; None if there are few duplicates.

    With few columns and few values, independent observations often coincide; such rows are not duplicates. The
    number expected by chance is estimated from pairs of rows that are not identical, within each class: copies raise
    the frequency of their values, but agree in one column only if they agree in all. Numbers that are far apart,
    compared with the distance of the nearest, coincide rarely.

    Parameters
    ----------
    X : frame or array
    actual : array
        Target value of each row.

    Examples
    --------
    >>> rows = np.arange(40.0).reshape(20, 2)
    >>> copies(np.vstack([rows, rows]), np.zeros(40))[:3]
    array([0, 1, 2])
    >>> copies(rows[:, :1] % 3, np.zeros(20)) is None
    True
    """
    frame = _frame(X)
    if frame is None or not frame.width:
        return None
    columns = [*frame.get_columns(), pl.Series("__target__", _plain(actual), strict=False)]
    try:
        codes = [_codes(column) for column in columns]
    except TypeError:  # unhashable cells
        return None
    groups = np.unique(np.column_stack(codes), axis=0, return_inverse=True)[1].reshape(-1)
    first = np.unique(groups, return_index=True)[1]
    if len(groups) - len(first) < LEAST_SHARE * len(groups):
        return None
    if _pairs(groups) <= CHANCE * _pairs_by_chance(columns, groups):
        return None
    # numbered by first appearance
    order = np.argsort(np.argsort(first))
    return np.asarray(order[groups])


def _codes(cells: pl.Series) -> Codes:
    """Return a number for each cell, the same for equal cells; polars' own functions hang in a forked process."""
    if cells.dtype.is_numeric():
        return np.unique(cells.to_numpy(), return_inverse=True)[1].astype(np.int64)
    number: dict[Any, int] = {}
    return np.array([number.setdefault(cell, len(number)) for cell in cells.to_list()], np.int64)


def _pairs(codes: Codes) -> float:
    """Return the number of pairs of equal codes."""
    sizes = np.bincount(codes).astype(np.float64)
    return float((sizes * (sizes - 1)).sum() / 2)


def _pairs_by_chance(columns: list[pl.Series], groups: Codes) -> float:
    """Return the expected number of pairs of equal rows if the columns are independent given the class.

    The last column is the class.
    """
    *inputs, target = map(_coded, columns)
    # numeric targets: each value is its own class
    if target.codes.max() + 1 > max(20, len(groups) // 10):
        inputs, labels = [*inputs, target], np.zeros(len(groups), np.int64)
    else:
        labels = target.codes
    inputs = _undetermined(inputs)
    halves = [_joined(inputs[start::2]) for start in (0, 1)] if len(inputs) > 1 else []
    total = 0.0
    for label in range(int(labels.max()) + 1):
        rows = labels == label
        size = float(rows.sum())
        pairs, equal = size * (size - 1) / 2, _pairs(groups[rows])
        if pairs > 0:
            alike = [_agreement(column, rows, pairs, equal) for column in inputs]
            in_halves = [_agreement(half, rows, pairs, equal) for half in halves] or [0.0]
            total += pairs * max(float(np.prod(alike)), float(np.prod(in_halves)))
    return total


def _agreement(column: _Coded, rows: NDArray[np.bool_], pairs: float, equal: float) -> float:
    """Return the chance that two rows of a class agree in a column, from pairs that are not identical."""
    apart = pairs - equal
    alike = (_pairs(column.codes[rows]) - equal) / apart if apart > 0 else 1.0
    return max(alike, column.least)


def _coded(cells: pl.Series) -> _Coded:
    """Return a column as codes; a missing value is a value."""
    codes = _codes(cells)
    counts = np.bincount(codes)
    often = counts[(counts > FREQUENT_ROWS) & (counts > FREQUENT_SHARE * len(codes))] / len(codes)
    rarely = 1 / _possible_values(cells) if cells.dtype.is_numeric() else 1 / len(counts)
    return _Coded(codes, float(np.square(often).sum() + (1 - often.sum()) ** 2 * rarely))


def _possible_values(numbers: pl.Series) -> float:
    """Return the number of values in the range of a column of numbers, as dense as its two nearest."""
    values = np.unique(numbers.to_numpy().astype(np.float64))
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return 1.0
    return float((values[-1] - values[0]) / np.diff(values).min()) + 1


def _undetermined(columns: list[_Coded]) -> list[_Coded]:
    """Return the columns that no other column with few values determines: they would be counted twice."""
    kept = list(columns)
    few = [column for column in columns if (column.codes.max() + 1) * ROWS_PER_VALUE <= len(column.codes)]
    for column in few[:MOST_COMPARED]:
        others = (other for other in few[:MOST_COMPARED] if other is not column and _holds(kept, other))
        if any(_determines(other.codes, column.codes) for other in others):
            kept = [other for other in kept if other is not column]
    return kept


def _holds(columns: list[_Coded], column: _Coded) -> bool:
    return any(other is column for other in columns)


def _determines(codes: Codes, others: Codes) -> bool:
    """Return whether rows with equal codes have equal other codes."""
    n_values = int(codes.max()) + 1
    return len(np.unique(codes * (int(others.max()) + 1) + others)) == n_values


def _joined(columns: list[_Coded]) -> _Coded:
    """Return several columns as one."""
    codes = columns[0].codes
    for column in columns[1:]:
        codes = np.unique(codes * (int(column.codes.max()) + 1) + column.codes, return_inverse=True)[1]
    return _Coded(codes.astype(np.int64), 0.0)


def _frame(X: Any) -> pl.DataFrame | None:
    """Return rows as a polars frame; None if that is not possible."""
    if isinstance(X, pl.DataFrame):
        return X
    if isinstance(X, np.ndarray):
        return pl.DataFrame(X) if X.ndim == 2 and X.dtype.kind in "biufU" else None
    if not hasattr(X, "columns"):
        return None
    try:
        import narwhals as nw

        return pl.DataFrame({str(name): list(nw.from_native(X)[name]) for name in nw.from_native(X).columns})
    except Exception:  # an unsupported type of frame: duplicates are not detected
        return None


def _plain(actual: NDArray[Any]) -> Any:
    return actual.tolist() if actual.dtype.kind in "OUS" else actual
