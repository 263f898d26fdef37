"""Locally weighted regression as a hypothesis of stored examples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.shapes import check_numbers, check_shapes
from induce.data.numeric_view import Floats, NumericView
from induce.data.schema import Schema
from induce.data.table import Table
from induce.hypotheses.kinds.regressor import Regressor
from induce.hypotheses.naming import count_text, plural, value_text
from induce.instances.choice import LeaveOneOutChoice
from induce.instances.kernels import DistanceKernel
from induce.instances.local.fitting import MODELS, LocalFunctions, Surroundings, fit_in, n_terms
from induce.instances.nearby import Nearby, Places, Points, all_points

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.instances.local.explanation import LocalExplanation

CELLS = 2_000_000
"""Number of cells processed at a time."""


@dataclass(frozen=True, eq=False)
class LocalRegression(Regressor):
    """Stored examples; each query gets its own function, fitted to those near it (Mitchell §8.3).

    Parameters
    ----------
    schema : Schema
        The columns of the table.
    target : str
        Name of the target.
    view : NumericView
        Conversion of rows to points.
    points : array of float64, shape (examples, columns of the view)
        Stored examples in the units of the view.
    numbers : array of float64
        The target of each example.
    weights : array of float64
        Weight of each example.
    model : {"constant", "linear", "quadratic"}
        Kind of local function.
    kernel : DistanceKernel
        Kernel that weights examples by their distance.
    n_neighbors : int
        Number of nearest examples used; 0 for all.
    ridge : float
        Ridge penalty on the coefficients.
    choice : LeaveOneOutChoice or None
        Choice of the width and the number of neighbours.
    """

    schema: Schema
    target: str
    view: NumericView
    points: Floats
    numbers: Floats
    weights: Floats
    model: str
    kernel: DistanceKernel
    n_neighbors: int
    ridge: float
    choice: LeaveOneOutChoice | None = None

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        shapes = {"points": "n columns", "numbers": "n", "weights": "n"}
        check_shapes(self, shapes, columns=len(self.view.mean))
        for field in shapes:
            check_numbers(field, getattr(self, field))

    def __post_init__(self) -> None:
        n = len(self.numbers)
        if self.points.shape != (n, len(self.view.mean)) or len(self.weights) != n or not n:
            raise InputError("the examples of the local regression do not fit together; fit it again")
        if self.model not in MODELS:
            raise InputError(
                f"the model of the local regression is {self.model!r}, which does not exist; fit it again"
            )

    @property
    def criterion(self) -> str:
        """Error criterion minimised at a query, in Mitchell's numbering."""
        if not self.n_neighbors:
            return "E2"
        return "E1" if self.kernel.name == "uniform" else "E3"

    @cached_property
    def _axes(self) -> Floats:
        """The points with contiguous columns."""
        return np.ascontiguousarray(self.points.T)

    @cached_property
    def _searched(self) -> Points:
        return Points(self.points)

    def rows(self, X: Any) -> Floats:
        """Return the rows of a frame, an array or an encoded table as points."""
        return self.view.matrix(self.encoded(X))

    def near(self, queries: Floats, own: Places | None = None) -> Nearby:
        """Return the examples used by each query, not yet weighted by the kernel."""
        if not self.n_neighbors:
            return all_points(self.points, self.weights, queries, own)
        return self._searched.nearest(self.weights, queries, self.n_neighbors, own)

    def functions(
        self,
        queries: Floats,
        near: Nearby,
        kernel: DistanceKernel | None = None,
        around: Surroundings | None = None,
    ) -> LocalFunctions:
        """Return the function of each query; `around` reuses gathered examples."""
        weights = (kernel or self.kernel).among(near.distance, near.weights)
        return fit_in(around or self.around(near), queries, weights, self.model, self.ridge)

    def around(self, near: Nearby) -> Surroundings:
        """Return the examples near each query, without copying if all are used for every query."""
        if near.index.strides[0] == 0:
            n = len(near.index)
            whole = Surroundings.of(self._axes, self.numbers)
            return Surroundings(*(np.broadcast_to(part, (n, *part.shape)) for part in whole))
        axes = np.moveaxis(self._axes[:, near.index], 0, 1)
        return Surroundings.of(axes, self.numbers[near.index])

    def blocks(self, n: int) -> Iterator[slice]:
        """Yield queries in batches that fit into memory."""
        k = self.n_neighbors or len(self.points)
        columns = self.points.shape[1] + n_terms(self.model, self.points.shape[1])
        size = max(1, CELLS // (min(k, len(self.points)) * (1 + columns)))
        yield from (slice(start, start + size) for start in range(0, n, size))

    def _numbers(self, table: Table) -> Floats:
        queries = self.view.matrix(table)
        found = [
            self.functions(queries[part], self.near(queries[part])).value
            for part in self.blocks(len(queries))
        ]
        return np.concatenate(found) if found else np.zeros(0)

    def explain(self, X: Any) -> tuple[LocalExplanation, ...]:
        """Return, for each row, its local function and the examples it was fitted to."""
        from induce.instances.local.explanation import explained

        queries = self.rows(X)
        return tuple(each for part in self.blocks(len(queries)) for each in explained(self, queries[part]))

    def parts(self) -> Parts:
        """Return a note that only the examples can be read."""
        return Parts(None, "it keeps its examples; each row gets its own function")

    def size(self) -> str:
        """Return the number of stored examples."""
        total = count_text(float(self.weights.sum()))
        return f"{total} stored example{'s' if total != '1' else ''}"

    def __str__(self) -> str:
        which = f"the {self.n_neighbors} nearest" if self.n_neighbors else "all examples"
        lines = [
            f"{value_text(self.target)}: a {self.model} function of "
            f"{plural(self.points.shape[1], 'column')} for each query",
            f"  fitted to {which} ({self.criterion}), kernel {self.kernel}; {self.size()}",
        ]
        return "\n".join([*lines, *([f"  {self.choice.said()}"] if self.choice else [])])

    def draw(self) -> Figure:
        """Return a figure of the fit: a curve, a map of two columns, or a curve along each column."""
        from induce.instances.local.pictures import draw

        return draw(self)

    def draw_fit(self, X: Any) -> Figure:
        """Return a figure of the function of the first row of `X`, with examples sized by their weights."""
        from induce.instances.local.pictures import draw_fit

        return draw_fit(self, self.rows(X)[0], self.explain(X)[0])
