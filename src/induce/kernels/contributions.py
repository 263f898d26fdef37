"""Contribution of each column to a weighted sum, relative to a typical row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from induce.core.reports import shortened
from induce.core.ties import largest_first
from induce.core.values import Value
from induce.data.numeric_view import NumericView
from induce.hypotheses.naming import number_text, plural, value_text
from induce.kernels.inputs import Rows, inputs_of
from induce.kernels.weights import LinearWeights

MOST = 8
"""Maximum number of printed columns; the rest is summed."""
LETTERS = 60


@dataclass(frozen=True)
class Contribution:
    """Contribution of one column to the score of a row.

    Parameters
    ----------
    column : str
    value : str, int, float, bool or None
        Value in the row; None if it is missing or was not seen in training.
    adds : float
        Weight of the column times its difference from the training mean; for a nominal column, the weight of the
        value minus the mean weight. A missing value contributes nothing.
    """

    column: str
    value: Value | None
    adds: float

    def __str__(self) -> str:
        name = value_text(self.column)
        if self.value is None:
            return f"{name} is missing"
        number = isinstance(self.value, float)
        return f"{name} = {number_text(float(f'{self.value:.4g}')) if number else value_text(self.value)}"


class Contributions:
    """Contributions of columns to weighted sums.

    Parameters
    ----------
    view : NumericView
    weights : sequence of LinearWeights
    """

    def __init__(self, view: NumericView, weights: Sequence[LinearWeights]) -> None:
        self.view = view
        self.scaled = [each.scaled for each in weights]
        self.typical = [float(each.weights @ each.typical) + each.intercept for each in weights]
        widths = [len(column.domain) if column.kind == "nominal" else 1 for column in view.schema]
        self.owner = np.repeat(np.arange(len(widths)), widths)

    def of(
        self, rows: Rows, numbers: Sequence[int], sides: Sequence[float]
    ) -> list[tuple[float, tuple[Contribution, ...]]]:
        """Return, for each row, the sum for a typical row and the contributions of its columns, largest first.

        Parameters
        ----------
        rows : Rows
        numbers : sequence of int
            Index of the sum for each row.
        sides : sequence of float
            Sign of each sum; -1 reverses it.
        """
        vectors = inputs_of(rows, self.view).vectors
        columns = list(self.view.schema)
        found = []
        for i, (number, side) in enumerate(zip(numbers, sides, strict=True)):
            x = vectors[i] if isinstance(vectors, np.ndarray) else vectors[[i]].toarray()[0]
            parts = side * self.scaled[number] * (x - self.view.mean)
            adds = np.bincount(self.owner, parts, len(columns))
            listed = tuple(
                Contribution(columns[j].name, self._value(rows, i, j), float(adds[j]))
                for j in largest_first(np.abs(adds)).tolist()
            )
            found.append((side * self.typical[number], listed))
        return found

    def _value(self, rows: Rows, i: int, j: int) -> Value | None:
        cell, column = rows.table.column(j)[i], self.view.schema.columns[j]
        if column.kind == "nominal":
            return column.domain[cell] if cell >= 0 else None
        return None if np.isnan(cell) else float(cell)


def contribution_lines(typical: float, contributions: Sequence[Contribution]) -> list[str]:
    """Return the contributions as text, one per line; the last line summarises the smallest ones.

    Examples
    --------
    >>> print("\\n".join(contribution_lines(1.0, [Contribution("size", 3.0, 0.5), Contribution("kind", "x", -0.2)])))
             1  a typical row
          +0.5  size = 3
          -0.2  kind = x
    """
    lines = [f"{_signed(typical).removeprefix('+'):>10}  a typical row"]
    kept = list(contributions[:MOST])
    rest = list(contributions[MOST:])
    lines += [f"{_signed(each.adds):>10}  {shortened(str(each), LETTERS)}" for each in kept]
    if rest:
        lines.append(
            f"{_signed(sum(each.adds for each in rest)):>10}  by {plural(len(rest), 'further column')}"
        )
    return lines


def _signed(number: float) -> str:
    return "0" if abs(number) < 1e-12 else f"{number:+.3g}"
