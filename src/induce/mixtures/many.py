"""EM and k-means over partitions: one part at a time, with sums over the parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from induce.core.engines import total
from induce.core.pass_results import pass_result
from induce.core.ties import first_largest_of_each
from induce.counts.moments import Moments
from induce.data.numeric_view import FAR, Floats
from induce.data.table import Table
from induce.mixtures.rows import Rows, Units, tell_constant

R = TypeVar("R")

STILL = 1e-4
"""Relative movement of the centres below which k-means ends."""
MOST_STEPS = 300


@dataclass(frozen=True, eq=False)
class Held:
    """Rows that are in memory, as a part."""

    rows: Table
    weights: Floats
    label: str = "the table"

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.weights)


def _opened(part: Any) -> tuple[Table, Floats]:
    """Return the encoded rows of a part, and their weights."""
    if isinstance(part, Held):
        return part.rows, part.weights
    table, goals = part.table()
    return table, np.ones(len(goals))


@dataclass(frozen=True, eq=False)
class ManyRows(Rows):
    """Rows of which only sums are known here; its own arrays are empty.

    Parameters
    ----------
    parts : list
        Partitions, or `Held`.
    units : Units
    """

    parts: Sequence[Any]
    units: Units

    @classmethod
    def settled(cls, parts: Sequence[Any], columns: Any, scale: str | None) -> ManyRows:
        """Compute scaling, variances and relative frequencies in one pass over the parts."""
        sizes = tuple(len(column.domain) for column in columns if column.kind == "nominal")
        looked = total(_looked_at, parts)
        count, mean, variance = looked.moments.count[0], looked.moments.mean[0], looked.moments.variance[0]
        names = [column.name for column in columns if column.kind != "nominal"]
        constant, never = looked.low == looked.high, looked.low > looked.high
        spread = np.where(variance > 0, np.sqrt(variance), 1.0)
        if not scale:
            spread = np.full_like(spread, np.max(spread, initial=0.0, where=looked.low < looked.high))
        tell_constant([name for name, single in zip(names, constant, strict=True) if single])
        units = Units(
            np.where(never, np.nan, np.where(constant, looked.low, mean)),
            np.where(constant | never, np.nan, spread),
        )
        found = cls(
            np.empty((0, len(names))), np.empty((0, len(sizes)), np.int32), np.empty(0), sizes, parts, units
        )
        within = np.where(constant | never, 0.0, variance / np.square(spread))
        shares = [
            (own + 1.0 / max(len(own), 1)) / (own.sum() + len(own) / max(len(own), 1))
            for own in looked.counts
        ]
        found.__dict__.update(
            total=looked.weight,
            known=np.where(constant | never, 0.0, count),
            variances=np.where(within > 0, within, 1.0),
            shares=np.concatenate([np.empty(0), *shares]),
        )
        return found

    def summed(self, function: Callable[[Rows], R], add: Callable[[R, R], R]) -> R:
        """Return the sum of a function over the parts."""
        read = partial(_read, function=function, units=self.units, sizes=self.sizes, shares=self.shares)
        return total(read, self.parts, add)


def _read(
    part: Any, function: Callable[[Rows], R], units: Units, sizes: tuple[int, ...], shares: Floats
) -> R:
    table, weights = _opened(part)
    rows = Rows(units.scaled(table.numeric), np.ascontiguousarray(table.nominal), weights, sizes)
    rows.__dict__["shares"] = shares
    return function(rows)


@pass_result
@dataclass(eq=False)
class _Looked:
    moments: Moments
    low: Floats
    high: Floats
    counts: list[Floats]
    weight: float

    def __add__(self, later: _Looked) -> _Looked:
        return _Looked(
            self.moments + later.moments,
            np.fmin(self.low, later.low),
            np.fmax(self.high, later.high),
            [mine + theirs for mine, theirs in zip(self.counts, later.counts, strict=True)],
            self.weight + later.weight,
        )


def _looked_at(part: Any) -> _Looked:
    table, weights = _opened(part)
    counted = np.flatnonzero(weights > 0)
    if len(counted) < len(weights):
        table, weights = table.rows(counted), weights[counted]
    sizes = [len(column.domain) for column in table.schema if column.kind == "nominal"]
    numbers = np.clip(table.numeric, -FAR, FAR)
    each = [
        Moments.of(np.ascontiguousarray(column), np.zeros(len(weights), np.int64), 1, weights)
        for column in numbers.T
    ]
    together = np.array([[m.count, m.mean, m.m2] for m in each]).reshape(len(each), 3, 1)
    return _Looked(
        Moments(*(together[:, k].T for k in range(3))),
        np.fmin.reduce(table.numeric, axis=0, initial=np.inf),
        np.fmax.reduce(table.numeric, axis=0, initial=-np.inf),
        [
            np.bincount(codes[codes >= 0], weights[codes >= 0], size).astype(np.float64)
            for codes, size in zip(table.nominal.T, sizes, strict=True)
        ],
        float(weights.sum()),
    )


@pass_result
class Grouped(NamedTuple):
    """The rows nearest to each centre: their weight, the sum of their distances from it, and squares of numbers."""

    sizes: Floats
    sums: Floats
    squares: Floats


def matrix_of(rows: Rows, spread: bool = True) -> Floats:
    """Return complete rows as one matrix: standardised numbers, and one indicator per nominal value."""
    unit = np.sqrt(rows.variances) if spread else 1.0
    parts = [np.nan_to_num(rows.numeric / unit)]
    for place, size, codes in zip(rows.places, rows.sizes, rows.nominal.T, strict=True):
        shares = rows.shares[place : place + size]
        parts.append(np.where(codes[:, np.newaxis] < 0, shares, codes[:, np.newaxis] == np.arange(size)))
    return np.concatenate(parts, axis=1)


def _grouped(rows: Rows, centres: Floats) -> Grouped:
    matrix = matrix_of(rows, spread=False)
    k, d = len(centres), rows.numeric.shape[1]
    nearness = matrix @ centres.T - 0.5 * np.square(centres).sum(axis=1)
    labels = first_largest_of_each(nearness)
    sizes, sums, squares = np.zeros(k), np.zeros(centres.shape), np.zeros(k)
    for code in range(k):
        mine = labels == code
        weights, apart = rows.weights[mine], matrix[mine] - centres[code]
        sizes[code], sums[code] = weights.sum(), weights @ apart
        squares[code] = weights @ np.square(apart[:, :d]).sum(axis=1)
    return Grouped(sizes, sums, squares)


def _plus(earlier: Grouped, later: Grouped) -> Grouped:
    return Grouped(*(mine + theirs for mine, theirs in zip(earlier, later, strict=True)))


def settled_centres(rows: ManyRows, centres: Floats) -> tuple[Floats, Floats, float]:
    """Move centres to the means of the rows nearest to them until they stay (Lloyd).

    Returns
    -------
    centres : array of float64
        The largest cluster first, without those that no row is nearest to.
    sizes : array of float64
    inside : float
        Sum of the squared distances of all numbers from their centre.
    """
    d = rows.numeric.shape[1]
    spread = np.concatenate([rows.variances, rows.shares * (1.0 - rows.shares)])
    still = STILL * float(spread.mean()) if len(spread) else 0.0
    for _ in range(MOST_STEPS):
        found = rows.summed(partial(_grouped, centres=centres), _plus)
        shift = found.sums / np.maximum(found.sizes, 1e-300)[:, np.newaxis]
        shift[found.sizes == 0] = 0.0
        centres = centres + shift
        if float(np.square(shift).sum()) <= still:
            break
    inside = float((found.squares - found.sizes * np.square(shift[:, :d]).sum(axis=1)).sum())
    order = np.argsort(-found.sizes, kind="stable")
    order = order[found.sizes[order] > 0]
    return centres[order], found.sizes[order], max(inside, 0.0)


def log_likelihood_of(part: Any, density: Any) -> float:
    """Return the log likelihood of the rows of a part."""
    table, weights = _opened(part)
    return float(weights @ density.score_samples(table))
