"""Explanation of a sum of kernels: contributions of columns, or of the strongest support vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from induce.core.explained import Explained
from induce.core.row_numbers import row_number
from induce.core.ties import largest_first
from induce.hypotheses.naming import number_text, plural
from induce.kernels.contributions import Contribution, Contributions, contribution_lines
from induce.kernels.inputs import Rows

if TYPE_CHECKING:
    from induce.kernels.kernel_sum import KernelSum

MOST = 5
"""Maximum number of printed support vectors; the rest is summed."""


@dataclass(frozen=True)
class RowPart:
    """Contribution of one support vector: its training row, its target, K, and coefficient times K."""

    row: int
    value: float
    kernel: float
    adds: float


@dataclass(frozen=True)
class SumExplanation(Explained):
    """Explanation of a predicted number.

    Parameters
    ----------
    prediction : float
    intercept : float
        Constant added to the parts.
    parts : tuple of RowPart
        Contributions of all support vectors, largest first. With `intercept` they sum to the prediction.
    typical : float
        Prediction for a row with all columns at their means, for a linear kernel; NaN for other kernels.
    contributions : tuple of Contribution
        Contribution of each column to the difference from `typical`, largest first, for a linear kernel.
    """

    prediction: float
    intercept: float
    parts: tuple[RowPart, ...]
    typical: float = float("nan")
    contributions: tuple[Contribution, ...] = ()

    def __str__(self) -> str:
        head = _text(self.prediction)
        if self.contributions:
            return "\n".join([head, *contribution_lines(self.typical, self.contributions)])
        lines = [f"{_text(self.intercept):>10}  always"]
        lines += [
            f"{part.adds:>+10.3g}  by row {row_number(part.row)} (target {_text(part.value)}, K {part.kernel:.2g})"
            for part in self.parts[:MOST]
        ]
        rest = self.parts[MOST:]
        if rest:
            total = sum(part.adds for part in rest)
            lines.append(f"{total:>+10.3g}  by {plural(len(rest), 'further support vector')}")
        return "\n".join([head, *lines])


def explained(function: KernelSum, rows: Rows) -> tuple[SumExplanation, ...]:
    """Explain the predictions for the given rows."""
    found: list[SumExplanation] = []
    linear = Contributions(function.view, [function.weights()]) if function.is_linear() else None
    for kernel in function._kernel_values(rows):
        part = rows.take(np.arange(len(found), len(found) + len(kernel)))
        told = linear.of(part, [0] * len(part), [1.0] * len(part)) if linear else None
        numbers = (kernel @ function.coefficients + function.intercept).tolist()
        for i, values in enumerate(kernel):
            adds = function.coefficients * values
            listed = tuple(
                RowPart(int(function.rows[j]), float(function.values[j]), float(values[j]), float(adds[j]))
                for j in largest_first(np.abs(adds)).tolist()
            )
            typical, contributions = told[i] if told else (float("nan"), ())
            found.append(SumExplanation(numbers[i], function.intercept, listed, typical, contributions))
    return tuple(found)


def _text(number: float) -> str:
    return number_text(float(f"{number:.4g}"))
