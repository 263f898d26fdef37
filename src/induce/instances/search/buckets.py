"""Locality-sensitive hashing: near rows fall into the same buckets (Russell and Norvig, section 18.8.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.loops import sized
from induce.core.parameters import at_least, share
from induce.core.randomness import generator
from induce.distances.base import Distance
from induce.distances.metrics import distance as settled
from induce.distances.rows import Rows
from induce.instances.search import _loops as loops
from induce.instances.search.found import Engine, Found
from induce.instances.search.index import Index

Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]

WIDTHS = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)
"""Widths of the bins that are considered, in multiples of r."""
STEP = 50_000
MOST_TABLES, MOST_SAMPLED = 100, 60


def bit_collision(n_bits: int, differ: int, sampled: int) -> float:
    """Return the probability that two bit strings agree on bits sampled without replacement.

    Parameters
    ----------
    n_bits : int
        The length of the strings.
    differ : int
        How many bits differ.
    sampled : int
        How many are sampled.

    Examples
    --------
    >>> round(bit_collision(64, 8, 16), 5)
    0.08525
    """
    return math.comb(n_bits - differ, sampled) / math.comb(n_bits, sampled)


def projection_collision(ratio: float) -> float:
    """Return the probability that two points fall into the same bin of a random projection.

    Parameters
    ----------
    ratio : float
        The width of a bin over the distance of the points.

    Examples
    --------
    >>> round(projection_collision(4.0), 4)
    0.8005
    """
    if ratio <= 0:
        return 0.0
    tail = math.erfc(ratio / math.sqrt(2)) / 2
    return 1 - 2 * tail - 2 / (math.sqrt(2 * math.pi) * ratio) * -math.expm1(-ratio * ratio / 2)


def any_table(collision: float, n_tables: int) -> float:
    """Return the probability that two rows share a bucket of at least one table.

    Examples
    --------
    >>> round(any_table(bit_collision(64, 8, 16), 50), 5)
    0.98838
    """
    return -math.expm1(n_tables * math.log1p(-collision)) if collision < 1 else 1.0


@dataclass(frozen=True)
class LSH:
    """Approximate search: if a row lies within `r` of the query, it is found with probability 1 - `failure`.

    Rows beyond `c` times r should fall into other buckets. Nominal rows are keyed by a random subset of their columns
    (bits, where all are Boolean), with Hamming distance; rows of numbers by the bins of random projections, with
    Euclidean distance. How many bits or projections a table has, and how many tables there are, follows.

    Parameters
    ----------
    r : float
        A distance at which rows count as near.
    c : float
        Above 1: from c·r on rows count as far.
    failure : float
        The probability that a near row is missed.
    random_state : int
        Random seed.

    Examples
    --------
    >>> import numpy as np
    >>> centres = np.random.default_rng(0).normal(size=(50, 16)) * 10
    >>> X = np.repeat(centres, 20, axis=0) + np.random.default_rng(1).normal(size=(1000, 16))
    >>> index = LSH(r=6, c=3, failure=0.05).index(X)
    >>> index.recall(X[:100], k=5) >= 0.95
    True
    >>> index.looked_at(X[:100]) < 0.1
    True
    """

    r: float
    c: float = 2.0
    failure: float = 0.1
    random_state: int = 0

    def __post_init__(self) -> None:
        at_least("r", self.r, 0)
        at_least("c", self.c, 1)
        share("failure", self.failure)
        if self.r == 0 or self.c == 1:
            raise InputError(f"r is {self.r!r} and c {self.c!r}; r must be above 0, c above 1")

    @classmethod
    def around(cls, X: Any, k: int = 5, metric: str = "euclidean", **settings: Any) -> LSH:
        """Return settings for the k nearest neighbours: nearly all of them lie within r.

        Parameters
        ----------
        X : frame or array
        k : int
        metric : {"euclidean", "hamming"}
        **settings
            `c`, `failure` and `random_state`.
        """
        measure = settled(metric, X)
        rows = measure.rows(X)
        sample = rows[np.linspace(0, len(rows) - 1, min(200, len(rows))).astype(np.int64)]
        found = Index(measure, rows).nearest(sample, k + 1)
        r = float(np.quantile(measure.root(found.powers[:, -1]), 0.95))
        return cls(r=r or 1.0, **settings)

    def plan(self, n_rows: int, n_columns: int | None = None) -> Plan:
        """Return how the tables are made: of all ways that keep the promise, the one with least expected work.

        Parameters
        ----------
        n_rows : int
        n_columns : int, optional
            For bits: the length of the strings.
        """
        if n_columns is None:
            chances = [
                (projection_collision(w) ** m, projection_collision(w / self.c) ** m, m, w * self.r)
                for w in WIDTHS
                for m in range(1, MOST_SAMPLED + 1)
            ]
        else:
            near, far = (min(n_columns, math.floor(d)) for d in (self.r, self.c * self.r))
            chances = [
                (bit_collision(n_columns, near, m), bit_collision(n_columns, far, m), m, 0.0)
                for m in range(1, min(n_columns, MOST_SAMPLED) + 1)
            ]
        plans = []
        for near_chance, far_chance, sampled, width in chances:
            n_tables = tables_for(near_chance, self.failure)
            work = n_tables * (sampled + n_rows * far_chance)
            plans.append((n_tables > MOST_TABLES, work, Plan(sampled, n_tables, width)))
        too_many, _, chosen = min(plans)
        if too_many:
            raise InputError(
                f"r = {self.r:g} and failure = {self.failure:g} would need {chosen.n_tables:,} tables; give a "
                "smaller r or a larger failure"
            )
        return chosen

    def index(self, X: Any, metric: str | None = None) -> Buckets:
        """Return the tables of some rows: a frame or an array.

        `metric` is ``"euclidean"`` or ``"hamming"``; by default whichever fits the columns.
        """
        from induce.distances.metrics import encoded

        table = encoded(X)
        name = metric or ("hamming" if not table.numeric.shape[1] else "euclidean")
        measure = settled(name, table)
        return Buckets(self, measure, measure.rows(table))


class Plan(NamedTuple):
    """How many columns or projections make the key of a table, how many tables there are, how wide the bins are."""

    n_sampled: int
    n_tables: float
    width: float


def tables_for(collision: float, failure: float) -> float:
    """Return the least number of tables with which two rows share no bucket with probability `failure` at most.

    Examples
    --------
    >>> tables_for(bit_collision(64, 8, 16), 0.05)
    34
    """
    if collision <= 0:
        return math.inf
    return 1 if collision >= 1 else max(1, math.ceil(math.log(failure) / math.log1p(-collision)))


def check_hashable(distance: Distance, rows: Rows) -> None:
    """Raise an `InputError` unless rows that are compared by this distance can be hashed."""
    if distance.name != "hamming" and not (distance.power == 2 and distance.additive and rows.known()):
        raise InputError(
            "LSH hashes nominal columns by 'hamming', or numbers without holes by a Euclidean metric; these rows are "
            f"compared by {distance.name!r}"
        )


class Buckets(Engine):
    """The hash tables of some rows.

    Parameters
    ----------
    settings : LSH
    distance : Distance
        Hamming's over nominal columns, or a Euclidean one over numbers.
    rows : Rows
    """

    def __init__(self, settings: LSH, distance: Distance, rows: Rows) -> None:
        check_hashable(distance, rows)
        bits = distance.name == "hamming"
        self.settings, self._distance, self._rows, self._bits = settings, distance, rows, bits
        self._points = np.ascontiguousarray(rows.codes if bits else rows.numbers, dtype=np.float64)
        width = self._points.shape[1]
        self.n_sampled, n_tables, self.bin = settings.plan(len(rows), width if bits else None)
        self.n_tables = int(n_tables)
        random = generator(settings.random_state)
        shape = self.n_tables, self.n_sampled
        if bits:
            self._columns = np.array(
                [random.permutation(width)[: self.n_sampled] for _ in range(self.n_tables)]
            )
        else:
            self._directions = random.normal(size=(width, self.n_tables * self.n_sampled)) / self.bin
            self._offsets = random.random(self.n_tables * self.n_sampled)
        self._mixing = random.integers(0, 2**63, shape, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
        keys = self._keys(self._points)
        self._members = np.argsort(keys, axis=1, kind="stable").astype(np.int32)
        self._sorted = np.take_along_axis(keys, self._members.astype(np.int64), axis=1)

    def neighbors(self, X: Any, k: int = 1) -> tuple[Floats, NDArray[np.int64]]:
        """Return distances and places of the k nearest rows among those in the buckets of each row of `X`.

        Where the buckets hold fewer, the distance is infinite and the place -1.
        """
        found, _ = self._search(self._distance.rows(X), k)
        return self._distance.root(found.powers), np.where(np.isinf(found.powers), -1, found.places)

    def nearest(self, queries: Rows, k: int) -> Found:
        """Return the k nearest rows of each query; all rows are looked at where the buckets hold too few."""
        found, _ = self._search(queries, k)
        few = np.flatnonzero(np.isinf(found.powers[:, -1]))
        if len(few):
            exact = Index(self._distance, self._rows).nearest(queries[few], k)
            found.powers[few], found.places[few] = exact
        return found

    def looked_at(self, X: Any) -> float:
        """Return the share of the rows that the buckets of the rows of `X` hold, on average."""
        _, looked = self._search(self._distance.rows(X), 1)
        return looked / max(1, len(X)) / len(self._rows)

    def recall(self, X: Any, k: int = 1) -> float:
        """Return the measured share of the true k nearest neighbours that is found."""
        queries = self._distance.rows(X)
        found, _ = self._search(queries, k)
        exact = Index(self._distance, self._rows).nearest(queries, k)
        # equally near rows are as good
        return float(np.mean(found.powers[:, : exact.powers.shape[1]] <= exact.powers[:, -1:]))

    def __str__(self) -> str:
        what = "columns" if self._bits else f"projections in bins of {self.bin:.4g}"
        return f"{self.n_tables} tables of {self.n_sampled} {what}, {len(self._rows)} rows"

    def _search(self, queries: Rows, k: int) -> tuple[Found, int]:
        points = np.ascontiguousarray(queries.codes if self._bits else queries.numbers, dtype=np.float64)
        best = np.full((len(points), k), np.inf)
        places = np.full((len(points), k), len(self._rows), dtype=np.int64)
        looked = 0
        for start in range(0, len(points), STEP):
            part = slice(start, start + STEP)
            keys = self._keys(points[part])
            first, last = (
                np.array([np.searchsorted(mine, keys[t], side) for t, mine in enumerate(self._sorted)])
                for side in ("left", "right")
            )
            work = int((last - first).sum()) * points.shape[1]
            search = sized(loops.search_buckets, work)
            seen = np.full(len(self._rows), -1, dtype=np.int64)
            looked += search(
                *(self._points, self._members, first, last, points[part], self._bits),
                *(best[part], places[part], seen),
            )
        return Found(best, places), looked

    def _keys(self, points: Floats) -> Keys:
        """Return the bucket of each point in each table."""
        found = np.zeros((self.n_tables, len(points)), dtype=np.uint64)
        if not self._bits:
            bins = np.floor(points @ self._directions + self._offsets).astype(np.int64).view(np.uint64)
        for table in range(self.n_tables):
            for i in range(self.n_sampled):
                if self._bits:
                    cell = points[:, self._columns[table, i]].astype(np.int64).view(np.uint64)
                else:
                    cell = bins[:, table * self.n_sampled + i]
                found[table] = (found[table] ^ cell) * self._mixing[table, i]
                found[table] ^= found[table] >> np.uint64(29)
        return found
