"""Errors of a predictor in subgroups defined by a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from induce.statistics.intervals import Interval, t_mean, wilson
from induce.statistics.verdicts import holm

Floats = NDArray[np.float64]

MOST_GROUPS = 12
FEWEST = 5
"""Minimum number of rows in a reported group."""


@dataclass(frozen=True)
class Group:
    """Rows with one nominal value or in one numeric interval: their number, and the mean loss with its interval."""

    name: str
    n: int
    loss: float
    interval: Interval


@dataclass(frozen=True)
class GroupErrors:
    """Errors in the groups defined by one column.

    Parameters
    ----------
    column : str
    groups : tuple of Group
    p_value : float
        P-value of the Kruskal-Wallis test that all groups have the same loss distribution; Holm-corrected for
        several columns.
    """

    column: str
    groups: tuple[Group, ...]
    p_value: float


def errors_by(frame: pl.DataFrame, losses: Floats, columns: Sequence[str] | None = None) -> list[GroupErrors]:
    """Return the errors by group for each column with at least two groups, in decreasing order of the differences.

    Numeric columns are split at their terciles.

    Parameters
    ----------
    frame : polars.DataFrame
    losses : array of float64
        Loss of each row; 0 or 1 for classification.
    columns : sequence of str, optional
        Columns to group by; all columns if not given.

    Examples
    --------
    >>> frame = pl.DataFrame({"sex": ["f", "m"] * 30})
    >>> found = errors_by(frame, np.array([0.0, 1.0] * 15 + [0.0, 0.0] * 15))
    >>> [(group.name, group.n, group.loss) for group in found[0].groups]
    [('f', 30, 0.0), ('m', 30, 0.5)]
    """
    from scipy.stats import kruskal

    found: list[tuple[str, tuple[Group, ...], float]] = []
    counted = bool(np.isin(losses, (0.0, 1.0)).all())
    for name in columns or frame.columns:
        groups = _groups(frame.get_column(name), asked=columns is not None)
        members = [(label, losses[rows]) for label, rows in groups if len(rows) >= FEWEST]
        if len(members) < 2:
            continue
        same = np.ptp(np.concatenate([each for _, each in members])) == 0
        p_value = 1.0 if same else float(kruskal(*(each for _, each in members)).pvalue)
        listed = tuple(
            Group(label, len(each), float(each.mean()), _interval(each, counted)) for label, each in members
        )
        found.append((name, listed, p_value))
    adjusted = holm([p_value for *_, p_value in found]).tolist() if found else []
    made = [GroupErrors(name, groups, p) for (name, groups, _), p in zip(found, adjusted, strict=True)]
    return sorted(made, key=lambda each: each.p_value)


def _interval(losses: Floats, counted: bool) -> Interval:
    return wilson(int(losses.sum()), len(losses), 0.95) if counted else t_mean(losses, 0.95)


def _groups(cells: pl.Series, asked: bool) -> list[tuple[str, NDArray[np.intp]]]:
    """Return the rows of each group by group name; missing values form their own group.

    Return the groups of a column; a column with many values is limited to the most common ones, if requested.
    """
    missing = cells.is_null().to_numpy()
    if (cells.dtype.is_numeric() or cells.dtype.is_temporal()) and cells.n_unique() > MOST_GROUPS:
        known = cells.drop_nulls().sort()
        low, high = known[len(known) // 3], known[2 * len(known) // 3]
        if low == high:
            return []
        parts = [
            (f"up to {_text(low)}", cells <= low),
            (f"to {_text(high)}", (cells > low) & (cells <= high)),
        ]
        parts.append((f"above {_text(high)}", cells > high))
    elif cells.dtype in (pl.List, pl.Struct, pl.Array, pl.Object) or not (asked or _few(cells)):
        return []
    else:
        counts = (
            cells.drop_nulls().alias("value").value_counts(name="rows").sort("rows", "value", descending=True)
        )
        values = counts["value"].head(MOST_GROUPS).sort().to_list()
        parts = [(_text(value), cells == value) for value in values]
    found = [(label, np.flatnonzero(mask.fill_null(False).to_numpy())) for label, mask in parts]
    return [*found, ("missing", np.flatnonzero(missing))] if missing.any() else found


def _few(cells: pl.Series) -> bool:
    return cells.n_unique() <= MOST_GROUPS + 1


def _text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
