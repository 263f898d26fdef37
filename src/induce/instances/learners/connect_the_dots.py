"""Piecewise linear interpolation between examples."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from induce.core.notes import note
from induce.core.parameters import Declared, choice, text
from induce.core.ties import first_smallest
from induce.data.names import unknown
from induce.data.numeric_view import Floats, NumericView
from induce.data.schema import Schema
from induce.estimators import NumberReading, TableRegressor
from induce.instances.dots import BEYOND, Dots
from induce.instances.targets import LARGEST, refuse_too_large


class ConnectTheDots(TableRegressor):
    """Piecewise linear interpolation between neighbouring examples of one column (AIMA 18.8.4).

    Examples with the same value form one dot at the mean of their targets. With several columns, the one with
    the smallest leave-one-out error is used, with a note; each category counts as a separate 0/1 column. A
    missing number is replaced by the mean of its column, a missing or unseen category by the relative
    frequency of each category.

    Parameters
    ----------
    column : str, optional
        Column to use; None chooses it by leave-one-out.
    extrapolation : {"constant", "line"}, default="constant"
        Extrapolation beyond the outermost dots: constant, or along the outermost lines.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.

    Attributes
    ----------
    hypothesis_ : Dots

    See Also
    --------
    KNeighborsRegressor : The mean of the nearest examples.
    LocallyWeightedRegressor : Regression around each query.

    References
    ----------
    S. Russell and P. Norvig (2010). Artificial Intelligence: A Modern Approach, third edition. Prentice Hall,
    section 18.8.4.

    Examples
    --------
    >>> dots = ConnectTheDots().fit([[0.0], [3.0], [5.0]], [1.0, 3.5, 4.0])
    >>> dots.predict([[4.0], [9.0]]).tolist()
    [3.75, 4.0]
    >>> print(dots.explain([[4.0]])[0])
    3.75 because x0 4 lies between 3.5 at 3 and 4 at 5
    """

    hypothesis_: Dots

    parameters: ClassVar[Declared] = {
        "column": text("Column to use; None chooses it by leave-one-out.", "the name of a column", none=True),
        "extrapolation": choice(
            "Extrapolation beyond the last dots: constant, or along the last line.", *BEYOND
        ),
    }

    def __init__(
        self,
        *,
        column: str | None = None,
        extrapolation: str = "constant",
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.column = column
        self.extrapolation = extrapolation
        self.schema = schema

    def _learn(self, reading: NumberReading) -> Dots:
        refuse_too_large(reading.numbers)
        view = NumericView.of(reading.table, None, reading.weights)
        matrix, weights = view.matrix(reading.table), reading.weight()
        counted = np.flatnonzero(weights)
        matrix, numbers, weights = matrix[counted], reading.numbers[counted], weights[counted]
        if self.column is None:
            tried = [self._left_out_error(x, numbers, weights) for x in matrix.T]
            column = first_smallest(tried)
            if len(tried) > 1:
                note(f"only the column {view.names[column]!r} is used; the others are ignored")
        elif self.column in view.names:
            column = view.names.index(self.column)
        else:
            raise unknown("column", self.column, list(view.names))
        x, y, _, _ = _dots(matrix[:, column], numbers, weights)
        return Dots(reading.schema, reading.target, view, column, x, y, self.extrapolation)

    def _left_out_error(self, values: Floats, numbers: Floats, weights: Floats) -> float:
        """Return the leave-one-out mean squared error of the dots."""
        x, y, total, which = _dots(values, numbers, weights)
        n = len(x)
        # prediction without one dot: from its neighbours, or from the two nearest ones at an end
        places = np.arange(n)
        left, right = np.where(places > 0, places - 1, 1), np.where(places < n - 1, places + 1, n - 2)
        if self.extrapolation == "line" and n > 2:
            left[0], right[0], left[-1], right[-1] = 1, 2, n - 3, n - 2
        if n > 1:
            gap = x[right] - x[left]
            share = np.divide(x - x[left], gap, out=np.zeros(n), where=gap != 0)
            said = (1 - share) * y[left] + share * y[right]
        else:
            said = np.full(n, np.inf)
        rest = total[which] - 1.0
        others = np.divide(total[which] * y[which] - numbers, rest, out=said[which], where=rest > 1e-9)
        with np.errstate(over="ignore"):
            return float(np.average(np.square(np.clip(others, -LARGEST, LARGEST) - numbers), weights=weights))


def _dots(values: Floats, numbers: Floats, weights: Floats) -> tuple[Floats, Floats, Floats, Any]:
    """Return the dots from left to right, their weights, and the index of each example's dot."""
    x, which = np.unique(values, return_inverse=True)
    total = np.bincount(which, weights).astype(np.float64)
    return x, np.bincount(which, weights * numbers) / total, total, which
