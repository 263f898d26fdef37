"""Locality-sensitive hashing: near rows fall into the same buckets (Russell and Norvig, section 18.8.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least, share
from induce.core.errors import InputError
from induce.distances.metrics import distance as settled
from induce.distances.metrics import encoded
from induce.instances.search.index import Index

Floats = NDArray[np.float64]

if TYPE_CHECKING:
    from induce.instances.search.buckets import Buckets

WIDTHS = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)
"""Candidate widths of the bins, in multiples of r."""
MOST_TABLES, MOST_SAMPLED = 100, 60


def bit_collision(n_bits: int, differ: int, sampled: int) -> float:
    """Return the probability that two bit strings agree on bits sampled without replacement.

    Parameters
    ----------
    n_bits : int
        Length of the strings.
    differ : int
        Number of differing bits.
    sampled : int
        Number of sampled bits.

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
        Ratio of the width of a bin to the distance between the points.

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

    Parameters
    ----------
    collision : float
        Probability that the rows share a bucket of one table.
    n_tables : int
        Number of tables.

    Examples
    --------
    >>> round(any_table(bit_collision(64, 8, 16), 50), 5)
    0.98838
    """
    return -math.expm1(n_tables * math.log1p(-collision)) if collision < 1 else 1.0


@dataclass(frozen=True)
class LSH:
    """Approximate search: if a row lies within `r` of the query, it is found with probability 1 - `failure`.

    Rows beyond `c` times r should fall into other buckets. Nominal rows are keyed by a random subset of their
    columns (bits, if all are Boolean), with Hamming distance; numeric rows by the bins of random projections,
    with Euclidean distance. The number of tables, and of bits or projections per table, is derived from the
    parameters.

    Parameters
    ----------
    r : float
        Distance at which rows count as near.
    c : float
        Factor above 1: rows at distance c·r or more count as far.
    failure : float
        Probability that a near row is missed.
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
            raise InputError(f"r is {self.r!r} and c is {self.c!r}; give r above 0 and c above 1")

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
        """Return the cheapest layout of the tables that keeps the guarantee.

        Parameters
        ----------
        n_rows : int
        n_columns : int, optional
            Length of the strings, for bits.
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
        """Return the tables of the given rows: a frame or an array.

        `metric` is ``"euclidean"`` or ``"hamming"``; by default it is determined by the columns.
        """
        from induce.instances.search.buckets import Buckets

        table = encoded(X)
        name = metric or ("hamming" if not table.numeric.shape[1] else "euclidean")
        measure = settled(name, table)
        return Buckets(self, measure, measure.rows(table))


class Plan(NamedTuple):
    """Number of columns or projections in the key of a table, number of tables, and width of the bins."""

    n_sampled: int
    n_tables: float
    width: float


def tables_for(collision: float, failure: float) -> float:
    """Return the smallest number of tables in which two near rows share no bucket with probability at most
    `failure`.

    Examples
    --------
    >>> tables_for(bit_collision(64, 8, 16), 0.05)
    34
    """
    if collision <= 0:
        return math.inf
    return 1 if collision >= 1 else max(1, math.ceil(math.log(failure) / math.log1p(-collision)))
