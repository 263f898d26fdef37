"""Base of neighbour hypotheses: the stored examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.shapes import check_numbers, check_places, check_shapes
from induce.data.schema import Schema
from induce.data.table import Codes, Table
from induce.distances.base import Distance
from induce.distances.rows import Floats, Rows
from induce.hypotheses.kinds.predictor import Predictor
from induce.hypotheses.naming import plural
from induce.instances.choice import LeaveOneOutChoice
from induce.instances.kernels import DistanceKernel
from induce.instances.nearby import Nearby, Places, rows_for, without_own
from induce.instances.search.buckets import Buckets
from induce.instances.search.found import Found
from induce.instances.search.hashing import LSH
from induce.instances.search.index import ENGINES, Index

CELLS = 4_000_000
"""Number of neighbours processed at a time."""
SAMPLE = 50
"""Number of examples used to estimate the number of ties."""
SHARE, FIRST = "share", "first"
EQUIDISTANT = (SHARE, FIRST)


@dataclass(frozen=True)
class WeightFunction:
    """An arbitrary function of distances as a kernel; it cannot be stored in a model file.

    Parameters
    ----------
    function : callable
        Function from an array of distances to one finite nonnegative weight each.
    """

    function: Callable[[Any], Any]

    def among(self, distance: Floats, weights: Floats) -> Floats:
        """Return weights times K(d); only the nearest count if K is 0 for all."""
        found = np.asarray(self.function(distance), dtype=np.float64)
        if found.shape != distance.shape or not np.isfinite(found).all() or (found < 0).any():
            raise InputError(
                "weights must return one finite non-negative weight per distance; correct the function"
            )
        there = weights > 0
        nearest = np.where(there, distance, np.inf).min(axis=-1, keepdims=True)
        lost = ~(found * there).any(axis=-1, keepdims=True)
        return np.where(lost, distance == nearest, found) * weights

    def __str__(self) -> str:
        return "a function"


@dataclass(frozen=True, eq=False)
class Neighbors(Predictor):
    """Stored examples; those near a query determine its prediction.

    Parameters
    ----------
    schema : Schema
        The columns of the table.
    target : str
    numeric : array of float64, shape (examples, numeric columns)
    nominal : array of int32, shape (examples, nominal columns)
        The examples, encoded by the schema.
    weights : array of float64
        Weight of each example.
    distance : Distance
    n_neighbors : int
        Number of nearest examples used; 0 for all.
    kernel : DistanceKernel or WeightFunction
        Kernel that weights an example by its distance.
    algorithm : str or LSH
        Search algorithm.
    choice : LeaveOneOutChoice or None
        Choice of the number of neighbours and the kernel.
    equidistant : {"share", "first"}
        Treatment of examples at the same distance as the last neighbour: all share its vote, or those stored first
        count.
    """

    schema: Schema
    target: str
    numeric: Floats
    nominal: Codes
    weights: Floats
    distance: Distance
    n_neighbors: int
    kernel: DistanceKernel | WeightFunction
    algorithm: str | LSH
    choice: LeaveOneOutChoice | None
    equidistant: str

    @cached_property
    def rows(self) -> Rows:
        """The examples on the axes of the distance."""
        return self.distance.rows(self.table)

    @property
    def table(self) -> Table:
        """The examples as an encoded table."""
        return Table(self.schema.inputs(), self.numeric, self.nominal)

    @cached_property
    def index(self) -> Index | Buckets:
        """Search index of the examples."""
        if isinstance(self.algorithm, LSH):
            return Buckets(self.algorithm, self.distance, self.rows)
        return Index(self.distance, self.rows, self.algorithm)

    def kneighbors(self, X: Any, n_neighbors: int | None = None) -> tuple[Floats, Places]:
        """Return distances and positions of the nearest examples of each row of `X`, nearest first.

        Ties go to the first stored. A single neighbour is the example whose Voronoi cell contains the row
        (Mitchell, figure 8.1).
        """
        k = n_neighbors or self.n_neighbors or len(self.weights)
        found = self.index.nearest(self.queries(X), min(k, len(self.weights)))
        return self.distance.root(found.powers), found.places

    def row_of(self, place: int) -> int:
        """Return the row number of an example in the training table."""
        return place

    def queries(self, X: Any) -> Rows:
        """Return the rows of a frame, an array or an encoded table on the axes of the distance."""
        return self.distance.rows(self.encoded(X))

    def near(self, queries: Rows, own: Places | None = None) -> Nearby:
        """Return the examples that count for each query, not yet weighted by the kernel.

        `own` gives the index of each query's own example, which is left out once.
        """
        k = self.n_neighbors or float(self.weights.sum())
        expected = self._width if len(queries) > SAMPLE else 0
        found = self._found(queries, k + (own is not None), expected)
        weights = without_own(self.weights[found.places], found.places, own)
        return self.counting(Nearby(self.distance.root(found.powers), weights, found.places), k)

    def counting(self, near: Nearby, k: float) -> Nearby:
        """Return the examples used by each query, up to a weight of `k`."""
        return near.shared(k) if self.equidistant == SHARE else near.first(k)

    def _found(self, queries: Rows, k: float, expected: int = 0) -> Found:
        """Return the nearest examples with a total weight of `k`, including ties with the last of them.

        If the `expected` number is known, a single search is sufficient.
        """
        wanted = rows_for(self.weights, k)
        if self.equidistant != SHARE or isinstance(self.index, Buckets):
            return self.index.nearest(queries, wanted)
        found = self.index.nearest(queries, min(max(wanted + 1, expected), len(self.weights)))
        while found.powers.shape[1] < len(self.weights):
            cut = np.flatnonzero(found.powers[:, -1] <= found.powers[:, wanted - 1])
            if not len(cut):
                break
            more = self.index.nearest(queries[cut], min(2 * found.powers.shape[1], len(self.weights)))
            found = found.widened(cut, more)
        return found

    @cached_property
    def _width(self) -> int:
        """Number of examples as near as those that count, estimated from some stored ones."""
        some = np.linspace(0, len(self.weights) - 1, min(SAMPLE, len(self.weights))).astype(np.int64)
        return int(
            self._found(self.rows[some], self.n_neighbors or float(self.weights.sum())).places.shape[1]
        )

    def blocks(self, n: int) -> Iterator[slice]:
        """Yield queries in batches that fit into memory."""
        size = SAMPLE if n <= SAMPLE else max(1, CELLS // (2 * self._width + self.n_outputs))
        yield from (slice(start, start + size) for start in range(0, n, size))

    @property
    def n_outputs(self) -> int:
        """Number of outputs per query."""
        return 1

    def said_by(self, near: Nearby) -> NDArray[Any]:
        """Return the joint prediction of the examples near each query."""
        raise NotImplementedError

    def without_each(self, X: Any) -> tuple[NDArray[Any], Places, NDArray[Any]]:
        """Return the predictions, the neighbours of each row, and the predictions without each of these.

        Leaving out any other example has no effect. A few more neighbours therefore suffice to compute the
        prediction without any one example (Russell and Norvig, section 18.8.4).
        """
        queries, most = self.queries(X), float(self.weights.max())
        k = self.n_neighbors or float(self.weights.sum())
        found = self._found(queries, k + most)
        weights = self.weights[found.places]
        near = Nearby(self.distance.root(found.powers), weights, found.places)
        n_used = int((self.counting(near, k).weights > 0).any(axis=0).sum())
        without = []
        for place in range(n_used):
            left = weights.copy()
            left[:, place] = 0.0
            without.append(self.said_by(self.counting(replace(near, weights=left), k)))
        return self.said_by(self.counting(near, k)), found.places[:, :n_used], np.stack(without, axis=1)

    def parts(self) -> Parts:
        """Return a note that only the examples can be read."""
        return Parts(None, "it keeps its examples, and the nearest decide")

    def size(self) -> str:
        """Return the number of stored examples."""
        return f"{plural(len(self.weights), 'example')} of {plural(len(self.schema.inputs()), 'column')}"

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        inputs = self.schema.inputs()
        n_nominal = sum(column.kind == "nominal" for column in inputs)
        n = len(self.weights)
        fits = (
            self.numeric.shape == (n, len(inputs) - n_nominal)
            and self.nominal.shape == (n, n_nominal)
            and self.distance.schema == inputs
            and n > 0
        )
        if not fits:
            raise InputError("the stored examples do not match their columns; fit the hypothesis again")
        if not isinstance(self.algorithm, LSH):
            one_of("algorithm", self.algorithm, ("auto", *ENGINES))
        check_shapes(self, {"weights": "examples"})
        check_numbers("weights", self.weights, at_least=0)
        check_numbers("numeric", self.numeric[~np.isnan(self.numeric)])
        if not self.weights.sum() > 0 or self.n_neighbors < 0:
            raise InputError("no stored example has positive weight; fit the hypothesis again")
        domains = [len(column.domain) for column in inputs if column.kind == "nominal"]
        for codes, size in zip(self.nominal.T, domains, strict=True):
            check_places("nominal", codes, size, least=-1)

    def _voters(self) -> str:
        """Return which examples decide, and their weights, as text."""
        whole = float(self.weights.sum())
        k = self.n_neighbors
        nearest = "the nearest" if k == 1 else f"the {k} nearest"
        which = f"all {whole:g}" if not k or k >= whole else f"{nearest} of {whole:g}"
        uniform = isinstance(self.kernel, DistanceKernel) and self.kernel.name == "uniform"
        weighted = "" if uniform else f", weighted by {self.kernel}"
        return f"{which} examples by {self.distance}{weighted}"

    def _chosen(self) -> list[str]:
        return [] if self.choice is None else [self.choice.said()]
