"""Points of one attribute: a line for each interval or value, for unseen values, and for missing ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from induce.data.schema import Column
from induce.ensembles.arrays import OfArrays, is_floats
from induce.ensembles.steps import Steps
from induce.hypotheses.conditions import interval
from induce.hypotheses.naming import value_text

Floats = NDArray[np.float64]

MISSING, UNSEEN = "missing", "not seen in training"


@dataclass(frozen=True, eq=False)
class Points(OfArrays):
    """Contribution of an attribute to the score of a row.

    Parameters
    ----------
    column : Column
        The column of the schema.
    ends : array of float64
        Upper end of each interval of a numeric attribute, except the last.
    points : array of float64, shape (lines, scores)
        Points of each interval, or of each value of a nominal attribute; then of categories not seen in
        training, and of missing values. With two classes there is one score, for the second class.
    shares : array of float64
        Fraction of the rows on each line; empty if unknown.

    Examples
    --------
    >>> age = Points(Column("age"), np.array([30.0]), np.array([[-1.0], [2.0], [0.5], [0.5]]), np.empty(0))
    >>> age.of(np.array([20.0, 31.0, np.nan]))[:, 0].tolist()
    [-1.0, 2.0, 0.5]
    >>> [text for text, _ in age.lines()]
    ['age <= 30', 'age > 30', 'missing']
    """

    column: Column
    ends: Floats
    points: Floats
    shares: Floats

    def of(self, values: NDArray[np.generic]) -> Floats:
        """Return the points of encoded values of the column, one column per score."""
        return self.points[self.places(values)]

    def places(self, values: NDArray[np.generic]) -> NDArray[np.intp]:
        """Return the index of the line for each encoded value."""
        lines = tuple(range(len(self.points)))
        return Steps(self.column, tuple(self.ends.tolist()), lines[:-2], lines[-1], lines[-2]).of(values)

    def lines(self) -> Iterator[tuple[str, int]]:
        """Yield the label and the index of each line; numeric values are never unseen."""
        numeric = self.column.kind != "nominal"
        ends = [-inf, *self.ends.tolist(), inf]
        for k in range(len(self.points) - 2):
            if not numeric:
                yield value_text(self.column.domain[k]), k
            elif len(ends) == 2:
                yield "any", k
            else:
                yield str(interval(self.column.name, ends[k], ends[k + 1], self.column.counted)), k
        yield MISSING, len(self.points) - 1
        if not numeric:
            yield UNSEEN, len(self.points) - 2

    def weights(self) -> Floats:
        """Return the weight of each line: its fraction of the rows, or uniform over all intervals and values."""
        if len(self.shares):
            return self.shares
        even = np.zeros(len(self.points))
        even[:-2] = 1 / (len(self.points) - 2)
        return even

    def mean(self) -> Floats:
        """Return the weighted mean of the points."""
        return np.asarray(self.weights() @ self.points)

    def strength(self) -> float:
        """Return the mean absolute deviation of the points."""
        return float((self.weights() @ np.abs(self.points - self.mean())).max())

    def times(self, factor: float) -> Points:
        """Return integer points: those of the card times a factor, rounded."""
        return replace(self, points=np.rint(self.points * factor) + 0.0).joined()

    def joined(self) -> Points:
        """Return the points with adjacent intervals of equal points merged."""
        if self.column.kind == "nominal" or not len(self.ends):
            return self
        inner = self.points[:-2]
        starts = np.append(True, (inner[1:] != inner[:-1]).any(axis=1))
        kept = np.append(starts, [True, True])
        shares = self.shares
        if len(shares):
            shares = np.add.reduceat(shares, np.flatnonzero(kept))
        return replace(self, ends=self.ends[starts[1:]], points=self.points[kept], shares=shares)

    def fits(self, n_scores: int) -> bool:
        """Return whether the parts are consistent."""
        n_lines = len(self.column.domain) if self.column.kind == "nominal" else np.size(self.ends) + 1
        return (
            is_floats(self.points, n_lines + 2, n_scores)
            and is_floats(self.ends, n_lines - 1 if self.column.kind != "nominal" else 0)
            and bool((np.diff(self.ends) > 0).all())
            and (is_floats(self.shares, 0) or is_floats(self.shares, n_lines + 2))
        )
