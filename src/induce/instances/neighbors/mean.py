"""Regression by the mean of the nearest examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.shapes import check_numbers
from induce.data.table import Table
from induce.distances.rows import Floats, Rows
from induce.hypotheses.kinds.regressor import Regressor
from induce.instances.nearby import Nearby, Places
from induce.instances.neighbors.stored import Neighbors
from induce.instances.units import shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.instances.neighbors.explanation import MeanExplanation

AVERAGES = ("mean", "median")


@dataclass(frozen=True, eq=False)
class NeighborMean(Neighbors, Regressor):
    """The mean of the nearest examples (Mitchell, equations 8.1 and 8.4).

    Parameters
    ----------
    schema, target, numeric, nominal, weights, distance, n_neighbors, kernel, algorithm, choice
        Fields of `Neighbors`.
    equidistant : {"share", "first"}
        Treatment of examples at the same distance as the last neighbour; see `Neighbors`.
    numbers : array of float64
        Target of each example.
    average : {"mean", "median"}
    """

    numbers: Floats
    average: str = "mean"

    def _numbers(self, table: Table) -> Floats:
        return self.decide(self.queries(table))

    def decide(self, queries: Rows, own: Places | None = None) -> Floats:
        """Return the prediction for each query."""
        found = [
            self.said_by(self.near(queries[part], None if own is None else own[part]))
            for part in self.blocks(len(queries))
        ]
        return np.concatenate(found) if found else np.zeros(0)

    def said_by(self, near: Nearby) -> Floats:
        """Return the average of the examples near each query."""
        weights, numbers = self.kernel.among(near.distance, near.weights), self.numbers[near.index]
        if self.average == "median":
            return _medians(numbers, weights)
        return np.asarray((weights * numbers).sum(axis=1) / weights.sum(axis=1))

    def to_python(self, name: str = "predict") -> str:
        """Return the source of a Python function from a dict, such as a row, to a number; it contains all
        examples.
        """
        from induce.instances.neighbors.python_source import mean_source

        if self.average != "mean":
            raise InputError("cannot export medians of neighbours to Python; use average='mean'")
        return mean_source(self, self.numbers.tolist(), name)

    def explain(self, X: Any) -> tuple[MeanExplanation, ...]:
        """Return, for each row, the examples whose targets were averaged."""
        from induce.instances.neighbors.explanation import explained_means

        return explained_means(self, X)

    def draw(self, columns: tuple[str, ...] | None = None) -> Figure:
        """Return a figure of the predictions: a curve over one column, or a map over two.

        By default the columns are the first two numeric ones, or else the first two. The others are fixed at their
        median or most frequent value.
        """
        from induce.instances.neighbors.pictures import draw_numbers

        return draw_numbers(self, columns)

    def __str__(self) -> str:
        span = f"{shown(float(self.numbers.min()))} to {shown(float(self.numbers.max()))}"
        return "\n".join([f"{self.average} of {self._voters()}", f"  {self.target}: {span}", *self._chosen()])

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        super().check()
        if self.numbers.shape != self.weights.shape:
            raise InputError("the targets of the stored examples are inconsistent; fit the hypothesis again")
        check_numbers("numbers", self.numbers)


def _medians(numbers: Floats, weights: Floats) -> Floats:
    """Return the weighted median of each row; the mean of the two middle values if there are two.

    Examples
    --------
    >>> _medians(np.array([[3.0, 1.0, 2.0, 9.0]]), np.array([[1.0, 1.0, 1.0, 1.0]]))
    array([2.5])
    """
    order = np.argsort(numbers, axis=1, kind="stable")
    values, before = np.take_along_axis(numbers, order, axis=1), np.take_along_axis(weights, order, axis=1)
    before = np.cumsum(before, axis=1) / before.sum(axis=1, keepdims=True)
    low, high = (before >= 0.5 * (1 - 1e-12)).argmax(axis=1), (before > 0.5 * (1 + 1e-12)).argmax(axis=1)
    rows = np.arange(len(numbers))
    return np.asarray((values[rows, low] + values[rows, high]) / 2)
