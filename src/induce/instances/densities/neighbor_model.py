"""Nearest-neighbour density: the number of rows divided by their volume (AIMA 20.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.randomness import RandomState, generator
from induce.data.numeric_view import Floats
from induce.data.patterns import patterns
from induce.data.table import Codes
from induce.hypotheses.naming import count_text
from induce.instances.densities.explanation import DensityExplanation, contributions
from induce.instances.densities.stored import Places, StoredDensity
from induce.instances.nearby import Points
from induce.instances.units import shown

if TYPE_CHECKING:
    from polars import DataFrame

REGIONS = {"ball": 2.0, "box": np.inf}
PAIRS = 2_000_000
"""Number of pairs of rows processed at a time."""


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """The neighbourhoods of queries with the same observed numeric columns.

    Parameters
    ----------
    rows : array of int64
        Positions of the queries.
    queries : array of float64
        Values of the queries in these columns.
    columns : array of int64
    stored : array of int64
        Stored rows that have values in these columns.
    radius, mass : array of float64
        Radius of the neighbourhoods, and the weight of the rows within.
    total : array of float64
        Weight of all rows that have values in these columns.
    own : array of int64 or None
        Index of each query among the stored rows, to be left out once.
    """

    rows: Places
    queries: Floats
    columns: Places
    stored: Places
    radius: Floats
    mass: Floats
    total: Floats
    own: Places | None


@dataclass(frozen=True, eq=False)
class NeighborDensityModel(StoredDensity):
    """Density as the fraction of the nearest rows divided by the volume up to the farthest of them.

    Numeric columns determine the nearest rows. A category has its Laplace-smoothed relative frequency among
    them, independently for every column. Missing values of a query are ignored; stored rows with a missing
    value in one of the query's numeric columns are not counted for it.

    Parameters
    ----------
    n_neighbors : int
    region : {"ball", "box"}
        Shape of the volume.

    See Also
    --------
    StoredDensity : the parameters that describe the stored rows.
    """

    n_neighbors: int
    region: str

    @cached_property
    def _indices(self) -> dict[bytes, Points]:
        """Cache of search indexes by columns."""
        return {}

    def log_density(self, numeric: Floats, nominal: Codes, own: Places | None = None) -> Floats:
        """Return the log density of rows in the units of the stored rows."""
        return np.asarray(self.log_densities(numeric, nominal, own, (self.n_neighbors,))[0])

    def log_densities(self, numeric: Floats, nominal: Codes, own: Places | None, ks: Sequence[int]) -> Floats:
        """Return the log densities of rows for several numbers of neighbours, with a single search."""
        found = np.zeros((len(ks), len(numeric)))
        for number, place in self.neighbourhoods(numeric, own, ks):
            logs = np.log(place.mass) - np.log(place.total) - self._log_volume(place)
            logs -= np.log(self.scale[place.columns]).sum()
            found[number, place.rows] = logs + self._log_categories(nominal[place.rows], place)
        return found

    def neighbourhoods(
        self, numeric: Floats, own: Places | None, ks: Sequence[int]
    ) -> Iterator[tuple[int, Neighbourhood]]:
        """Yield the neighbourhoods of queries, grouped by observed numeric columns, for each number k."""
        for known, rows in patterns(~np.isnan(numeric)):
            columns = np.flatnonzero(known)
            stored = np.flatnonzero(~np.isnan(self.numeric[:, known]).any(axis=1))
            if not len(columns) or not len(stored):
                columns, stored = columns[:0], np.arange(len(self.weights))
            size = max(1, PAIRS // (max(ks) if len(columns) else len(stored)))
            for start in range(0, len(rows), size):
                some = rows[start : start + size]
                mine = None if own is None else own[some]
                gone = np.zeros(len(some)) if mine is None else np.minimum(self.weights[mine], 1.0)
                total = float(self.weights[stored].sum()) - gone
                queries = numeric[some][:, columns]
                reaches = self._reaches(queries, columns, stored, mine, ks)
                for number, (radius, mass) in enumerate(
                    reaches if len(columns) else [(total, total)] * len(ks)
                ):
                    yield number, Neighbourhood(some, queries, columns, stored, radius, mass, total, mine)

    def _reaches(
        self, queries: Floats, columns: Places, stored: Places, own: Places | None, ks: Sequence[int]
    ) -> Iterator[tuple[Floats, Floats]]:
        """Yield, for each k, the distance of each query to its k-th nearest row and the weight within it."""
        p, weights = REGIONS[self.region], self.weights[stored]
        place = (
            None if own is None else np.searchsorted(stored, own)
        )  # a query has the same observed columns as its own row
        found = self._searched(columns, stored).nearest(weights, queries, max(ks), place)
        for near in map(found.first, ks):
            radius = np.where(near.weights > 0, near.distance, 0.0).max(axis=1)
            mass = near.weights.sum(axis=1)
            for row in np.flatnonzero(
                radius == 0
            ):  # at least k equal rows: the radius extends to the next different row
                away = np.linalg.norm(self.numeric[stored][:, columns] - queries[row], ord=p, axis=1)
                apart = away[away > 0]
                radius[row] = apart.min() if len(apart) else 1.0
                mass[row] = weights[away <= radius[row]].sum()
                mass[row] -= 0.0 if own is None else min(1.0, self.weights[own[row]])
            yield radius, mass

    def _searched(self, columns: Places, stored: Places) -> Points:
        """Return the stored rows, in some of their columns, as a search index."""
        key = columns.tobytes()
        if key not in self._indices:
            self._indices[key] = Points(self.numeric[stored][:, columns], REGIONS[self.region])
        return self._indices[key]

    def within(self, place: Neighbourhood) -> tuple[Places, Places, Floats]:
        """Return the pairs of a query and a stored row in its neighbourhood, and the weight of each."""
        from scipy.spatial import cKDTree

        if len(place.columns):
            reach, p = place.radius * (1 + 1e-12), REGIONS[self.region]
            tree = cKDTree(self.numeric[place.stored][:, place.columns])
            found = tree.query_ball_point(place.queries, reach, p=p, return_sorted=True)
            query = np.repeat(np.arange(len(found)), [len(rows) for rows in found])
            index = place.stored[np.concatenate([np.zeros(0, np.int64), *found]).astype(np.int64)]
        else:
            n = len(place.stored)
            query, index = np.repeat(np.arange(len(place.rows)), n), np.tile(place.stored, len(place.rows))
        weights = self.weights[index]
        if place.own is not None:
            weights = np.where(index == place.own[query], np.maximum(weights - 1.0, 0.0), weights)
        return query, index, weights

    def _log_volume(self, place: Neighbourhood) -> Floats:
        from scipy.special import gammaln

        n = len(place.columns)
        unit = n * np.log(2.0) if self.region == "box" else n / 2 * np.log(np.pi) - gammaln(n / 2 + 1)
        return np.asarray(unit + n * np.log(place.radius))

    def _log_categories(self, nominal: Codes, place: Neighbourhood) -> Floats:
        """Return the log of the Laplace-smoothed frequencies of the categories in the neighbourhood."""
        found = np.zeros(len(nominal))
        for codes, counts in zip(nominal.T, self._counts(place), strict=True):
            like = np.append(counts, np.zeros((len(counts), 1)), axis=1)[np.arange(len(codes)), codes]
            share = (np.where(codes < 0, 0.0, like) + 1.0) / (counts.sum(axis=1) + max(1, counts.shape[1]))
            found += np.where(codes == -1, 0.0, np.log(share))
        return found

    def _counts(self, place: Neighbourhood) -> Iterator[Floats]:
        """Yield, for every nominal column, the count of each category in the neighbourhood of each query."""
        if not self.values:
            return
        query, index, weights = self.within(place)
        for stored, column in zip(self.nominal.T, self.values, strict=True):
            codes, n = stored[index], len(column.domain)
            known = codes >= 0
            places = query[known] * n + codes[known]
            counts = np.bincount(places, weights[known], len(place.rows) * n)
            yield counts.astype(np.float64).reshape(len(place.rows), n)

    def sample(self, n: int = 1, random_state: RandomState = None) -> DataFrame:
        """Return a polars frame of `n` random rows, each from the neighbourhood of a stored row.

        The density itself cannot be sampled, because its integral is infinite: it decreases too slowly far
        from all rows.
        """
        random = generator(random_state)
        rows = random.choice(len(self.weights), n, p=self.weights / self.total)
        numeric = self.numeric[rows]
        nominal = np.full((n, len(self.values)), -1, dtype=np.int32)
        for _, place in self.neighbourhoods(numeric, None, (self.n_neighbors,)):
            shape = (len(place.rows), len(place.columns))
            step = self._within(shape, random) * place.radius[:, np.newaxis]
            numeric[place.rows[:, np.newaxis], place.columns] += step
            self._draw_categories(nominal, place, random)
        for column in range(numeric.shape[1]):
            holes, known = np.isnan(numeric[:, column]), ~np.isnan(self.numeric[:, column])
            if known.any():
                numeric[holes, column] = random.choice(self.numeric[known, column], int(holes.sum()))
        return self.frame(numeric, nominal)

    def _within(self, shape: tuple[int, int], random: np.random.Generator) -> Floats:
        """Return random points in a ball or a box of radius 1."""
        if self.region == "box":
            return random.uniform(-1.0, 1.0, shape)
        way = random.normal(size=shape)
        length = np.linalg.norm(way, axis=1, keepdims=True)
        return np.asarray(
            way / np.where(length > 0, length, 1.0) * random.random((shape[0], 1)) ** (1 / max(1, shape[1]))
        )

    def _draw_categories(self, nominal: Codes, place: Neighbourhood, random: np.random.Generator) -> None:
        """Draw categories by their Laplace-smoothed frequencies in the neighbourhood."""
        for number, counts in enumerate(self._counts(place)):
            if counts.shape[1]:
                bounds = np.cumsum(counts + 1.0, axis=1)
                drawn = random.random((len(counts), 1)) * bounds[:, -1:]
                nominal[place.rows, number] = (drawn >= bounds).sum(axis=1)

    def explain(self, X: Any) -> tuple[DensityExplanation, ...]:
        """Return, for each row, its neighbourhood and the nearest rows."""
        table = self.encoded(X)
        numeric = self.scaled(table.numeric)
        values = self.log_density(numeric, table.nominal)
        told: dict[int, DensityExplanation] = {}
        for _, place in self.neighbourhoods(numeric, None, (self.n_neighbors,)):
            query, index, weights = self.within(place)
            for number, row in enumerate(place.rows.tolist()):
                why = f"{count_text(place.mass[number])} of {count_text(place.total[number])} rows"
                if len(place.columns):
                    why += f" in a {self.region} of radius {shown(place.radius[number])}"
                shares = weights[query == number]
                rows = contributions(self, shares / shares.sum(), index[query == number])
                told[row] = DensityExplanation(float(values[row]), why, rows)
        return tuple(told[row] for row in range(len(table)))

    def __str__(self) -> str:
        columns = self.schema.inputs()
        lines = [
            f"density of {len(columns)} columns: the {self.n_neighbors} nearest rows divided by their "
            f"volume, {self.size()}"
        ]
        return "\n".join([*lines, *([f"  {self.choice.said()}"] if self.choice else [])])
