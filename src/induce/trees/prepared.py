"""A table prepared once for many trees: only the weights of its rows change from tree to tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.hashing import sampled_rows
from induce.counts.steps import Steps
from induce.data.table import Table
from induce.discretise import codes, midpoints, quantile_edges, thresholds

Floats = NDArray[np.float64]
Ranks = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Prepared:
    """A table whose columns are sorted or binned once, when first needed.

    Examples
    --------
    >>> from induce.data.schema import Column, Schema
    >>> table = Table(Schema((Column("x"),)), np.array([[3.0], [1], [np.nan], [1]]), np.empty((4, 0), np.int32))
    >>> rows, ranks = Prepared(table).sorted[0]
    >>> rows.tolist(), ranks.tolist()
    ([2, 1, 3, 0], [-1, 0, 0, 1])
    """

    table: Table
    _bins: dict[int, BinnedTable] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def sorted(self) -> tuple[tuple[Ranks, Ranks], ...]:
        """For each column, the rows in ascending order (missing values first) and their dense ranks.

        The rank of a nominal value is its code, and -1 if the value is missing.
        """
        return tuple(
            sorted_codes(self.table.column(f))
            if column.kind == "nominal"
            else _sorted_numbers(np.ascontiguousarray(self.table.column(f)))
            for f, column in enumerate(self.table.schema)
        )

    def binned(self, n_bins: int) -> BinnedTable:
        """Return the table with at most `n_bins` intervals per numeric column, about equally full."""
        if n_bins not in self._bins:
            self._bins[n_bins] = bin_table(self.table, n_bins)
        return self._bins[n_bins]


@dataclass(frozen=True, eq=False)
class BinnedTable:
    """A table of small codes: bins of numbers, or nominal codes unchanged.

    Parameters
    ----------
    codes : array of uint8 or uint16, shape (rows, columns)
        The codes; a missing value has the code after the last of its column.
    n_codes : array of int64
        The number of codes per column, not counting that of missing values.
    edges : tuple of pairs of arrays
        The highest number below and the lowest number above each cut of a column; empty for nominal columns.
    any_missing : bool
        Whether any value is missing.
    """

    codes: NDArray[Any]
    n_codes: NDArray[np.int64]
    edges: tuple[tuple[Floats, Floats], ...]
    any_missing: bool


def bin_table(table: Table, n_bins: int) -> BinnedTable:
    """Return the table with at most `n_bins` intervals per numeric column, about equally full.

    Examples
    --------
    >>> import numpy as np
    >>> from induce.data.schema import Column, Schema
    >>> schema = Schema((Column("x"),))
    >>> table = Table(schema, np.array([[3.0], [1], [np.nan], [4], [2]]), np.empty((5, 0), np.int32))
    >>> bin_table(table, 2).codes[:, 0].tolist()
    [1, 0, 2, 1, 0]
    """
    most = max(
        (len(column.domain) if column.kind == "nominal" else n_bins for column in table.schema), default=0
    )
    small = np.empty((len(table), len(table.schema)), np.uint8 if most < 256 else np.uint16)
    rows = sampled_rows(len(table))
    n_codes, edges, any_missing = [], [], False
    for f, column in enumerate(table.schema):
        if column.kind == "nominal":
            found, highest, lowest = table.column(f).copy(), np.empty(0), np.empty(0)
            n_codes.append(len(column.domain))
        else:
            values = np.ascontiguousarray(table.column(f))
            highest, lowest = _edges(values, rows, n_bins)
            found = codes(values, midpoints(highest, lowest))
            n_codes.append(len(highest) + 1)
        missing = np.flatnonzero(found < 0)
        found[missing] = n_codes[f]
        any_missing |= len(missing) > 0
        small[:, f] = found
        edges.append((highest, lowest))
    return BinnedTable(small, np.array(n_codes, np.int64), tuple(edges), any_missing)


def _edges(values: Floats, rows: NDArray[np.int64], n_bins: int) -> tuple[Floats, Floats]:
    """Return the edges of the bins of a column; for a large table they come from a sample of rows."""
    if len(rows) == len(values):
        return quantile_edges(values, n_bins)
    return settled_edges(values[rows], Steps.of(values), n_bins)


def settled_edges(sample: Floats, steps: Steps, n_bins: int) -> tuple[Floats, Floats]:
    """Return the edges of a column's bins from a sample of its rows, or from all its numbers if few.

    Numbers outside the sample may lie between the edges, so the cuts are final: both edges of a cut equal the
    cut.

    Examples
    --------
    >>> settled_edges(np.array([1.0, 3.0]), Steps.of(np.array([1.0, 2.0, 3.0])), 4)
    (array([1., 2.]), array([2., 3.]))
    >>> settled_edges(np.array([1.0, 2.0, 3.0, 4.0]), Steps.of(np.arange(9.0)), 2)
    (array([2.5]), array([2.5]))
    """
    if not steps.too_many and len(steps.numbers) <= n_bins:
        return steps.numbers[:-1], steps.numbers[1:]
    cuts = thresholds(*quantile_edges(sample, n_bins))
    return cuts, cuts


def times_of(weights: Floats | None, whole: bool) -> tuple[NDArray[np.int64] | None, bool]:
    """Return the number of copies of each row (None if always one), and whether rows also need their weights.

    Rows of weight zero are dropped. If `whole` allows it and all weights are integers, a row is repeated
    according to its weight.

    Examples
    --------
    >>> times_of(np.array([2.0, 0.0, 1.0]), whole=True)
    (array([2, 0, 1]), False)
    >>> times_of(np.array([0.5, 0.0, 1.5]), whole=True)
    (array([1, 0, 1]), True)
    """
    if weights is None:
        return None, False
    times = weights.astype(np.int64)
    if whole and (times == weights).all() and times.sum() <= 2 * len(weights):
        return times, False
    return None if weights.all() else (weights > 0).astype(np.int64), True


def kept(rows: Ranks, times: NDArray[np.int64] | None) -> NDArray[np.intp] | slice:
    """Return the used entries of a sorted column, repeated according to their counts."""
    return slice(None) if times is None else np.repeat(np.arange(len(rows)), times[rows])


def sorted_codes(values: Ranks) -> tuple[Ranks, Ranks]:
    """Return rows in the order of their codes, and the codes."""
    order = np.argsort(values, kind="stable")
    return order.astype(np.int32), values[order]


def _sorted_numbers(values: Floats) -> tuple[Ranks, Ranks]:
    n = len(values)
    order = np.argsort(values)
    ordered = values[order]
    n_known = n - int(np.isnan(ordered).sum())  # NaN is sorted last
    ranks = np.full(n, -1, np.int32)
    if n_known:
        known = ranks[n - n_known :]
        known[0] = 0
        np.cumsum(ordered[1:n_known] != ordered[: n_known - 1], out=known[1:])
    return np.roll(order, n - n_known).astype(np.int32), ranks
