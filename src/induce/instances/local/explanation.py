"""Explanation of a local fit: its function, the examples near the query and their weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from induce.core.explained import Explained
from induce.core.row_numbers import row_number
from induce.core.ties import largest_first
from induce.data.numeric_view import Floats
from induce.hypotheses.naming import plural, value_text
from induce.instances.units import formula, offset_and_scale, point_text, shown

if TYPE_CHECKING:
    from induce.instances.local.hypothesis import LocalRegression

SHOWN = 5
"""Number of examples that are printed."""


@dataclass(frozen=True)
class NearExample:
    """A stored example used by a query.

    Parameters
    ----------
    row : int
        Index among the stored examples.
    distance : float
        Distance in the units of the view.
    weight : float
        Fraction of the total weight.
    target : float
    cells : str
        Example as text; only for the examples of largest weight.
    """

    row: int
    distance: float
    weight: float
    target: float
    cells: str


@dataclass(frozen=True)
class LocalExplanation(Explained):
    """A prediction with the function it comes from.

    Parameters
    ----------
    prediction : float
    constant : float
        Value of the function with all columns at 0, in the units of the table.
    coefficients : dict
        Coefficient of each term: a column, or a product of two.
    mean : float
        Weighted mean of the targets of the examples.
    examples : tuple of NearExample
        Examples used, by decreasing weight.
    criterion : {"E1", "E2", "E3"}
    line : str
        The function as text.
    """

    prediction: float
    constant: float
    coefficients: dict[str, float]
    mean: float
    examples: tuple[NearExample, ...]
    criterion: str
    line: str

    def __str__(self) -> str:
        n = len(self.examples)
        lines = [
            f"{shown(self.prediction)} because",
            f"  {self.line}",
            f"  fitted to {plural(n, 'example')} ({self.criterion}), weighted mean {shown(self.mean)}",
        ]
        for each in self.examples[:SHOWN]:
            where = f"row {row_number(each.row)} at distance {shown(each.distance, 3)}: {each.cells}"
            lines.append(f"  {each.weight:6.1%}  {shown(each.target)}  {where}")
        rest = sum(each.weight for each in self.examples[SHOWN:])
        if n > SHOWN:
            lines.append(f"  {rest:6.1%}  {plural(n - SHOWN, 'further example')}")
        return "\n".join(lines)


def explained(local: LocalRegression, queries: Floats) -> Iterator[LocalExplanation]:
    """Explain the predictions for the given points."""
    near = local.near(queries)
    found = local.functions(queries, near)
    weights = local.kernel.among(near.distance, near.weights)
    shares = weights / weights.sum(axis=1, keepdims=True)
    for number in range(len(queries)):
        constant, coefficients = _in_units(
            local, float(found.constant[number]), found.coefficients[number], found.centre[number]
        )
        order = largest_first(shares[number])
        examples = tuple(
            NearExample(
                int(row := near.index[number, place]),
                float(near.distance[number, place]),
                float(shares[number, place]),
                float(local.numbers[row]),
                point_text(local.view, local.points[row]) if rank < SHOWN else "",
            )
            for rank, place in enumerate(order[shares[number, order] > 0])
        )
        mean = sum(each.weight * each.target for each in examples)
        line = f"{value_text(local.target)} = {formula(constant, coefficients.items())}"
        yield LocalExplanation(
            float(found.value[number]), constant, coefficients, mean, examples, local.criterion, line
        )


def _in_units(
    local: LocalRegression, constant: float, coefficients: Floats, centre: Floats
) -> tuple[float, dict[str, float]]:
    """Return the function in the original units of the columns."""
    names = [value_text(name) for name in local.view.names]
    offset, scale = offset_and_scale(local.view)
    centre = offset + scale * centre
    n = len(names)
    slopes = coefficients[:n] / scale if len(coefficients) else np.zeros(n)
    i, j = np.triu_indices(n) if len(coefficients) > n else (np.zeros(0, int), np.zeros(0, int))
    curves = coefficients[n:] / (scale[i] * scale[j])
    # curve (x_i - c_i)(x_j - c_j) = curve x_i x_j - curve c_j x_i - curve c_i x_j + curve c_i c_j
    constant += float((curves * centre[i] * centre[j]).sum() - slopes @ centre)
    slopes = slopes.copy()
    np.subtract.at(slopes, i, curves * centre[j])
    np.subtract.at(slopes, j, curves * centre[i])
    if not len(coefficients):
        return constant, {}
    products = [f"{names[a]}²" if a == b else f"{names[a]}·{names[b]}" for a, b in zip(i, j, strict=True)]
    return constant, dict(zip([*names, *products], [*slopes.tolist(), *curves.tolist()], strict=True))
