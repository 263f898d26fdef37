"""Duplicate rows, which must not be split between training and testing."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

LEAST_SHARE = 0.01
"""Fraction of duplicate rows below which they are negligible."""
CHANCE = 10.0
"""Ratio of duplicates to the number expected by chance above which they are suspicious."""

Rows = NDArray[np.intp]


def copies(X: Any, actual: NDArray[Any]) -> Rows | None:
    """Return an identifier for each row, shared by duplicates; None if there are few duplicates.

    With few columns and few values, independent observations often coincide; such rows are not duplicates.
    The number expected by chance follows from the relative frequencies of the values in each column within
    each class.

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
    sizes = np.bincount(groups).astype(np.float64)
    pairs = float((sizes * (sizes - 1)).sum() / 2)
    if pairs <= CHANCE * _pairs_by_chance(codes):
        return None
    # numbered by first appearance
    order = np.argsort(np.argsort(first))
    return np.asarray(order[groups])


def _codes(cells: pl.Series) -> Rows:
    """Return a number for each cell, the same for equal cells."""
    if cells.dtype.is_numeric():
        return np.unique(cells.to_numpy(), return_inverse=True)[1].astype(np.intp)
    number: dict[Any, int] = {}
    return np.array([number.setdefault(cell, len(number)) for cell in cells.to_list()], np.intp)


def _pairs_by_chance(codes: list[Rows]) -> float:
    """Return the expected number of pairs of equal rows if the columns are independent given the class.

    The last column is the class.
    """
    found = 0.0
    labels = codes[-1]
    n_labels = int(labels.max()) + 1
    many = n_labels > max(20, len(labels) // 10)  # numeric targets: each value is its own class
    parts = [np.ones(len(labels), np.bool_)] if many else [labels == label for label in range(n_labels)]
    for part in parts:
        n = float(part.sum())
        alike = 1.0
        for column in codes:
            alike *= float(np.square(np.bincount(column[part]) / n).sum())
        found += n * (n - 1) / 2 * alike
    return found


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
