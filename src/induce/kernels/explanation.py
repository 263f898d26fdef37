"""Explanation of a prediction: contributions of columns, or the pull of support vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from induce.core.explained import Explained
from induce.core.row_numbers import row_number
from induce.core.ties import first_largest_of_each, largest_first
from induce.core.values import Value
from induce.hypotheses.naming import value_text
from induce.kernels.contributions import Contribution, Contributions, contribution_lines
from induce.kernels.inputs import Floats, Rows
from induce.kernels.separator import REST, Ints, Separator
from induce.kernels.weights import is_linear

if TYPE_CHECKING:
    from induce.kernels.machine import KernelMachine

MOST = 3
"""Maximum number of printed support vectors per side."""


@dataclass(frozen=True)
class Pull:
    """Contribution of one support vector to the score of a row.

    Parameters
    ----------
    row : int
        Row number in the training table.
    label : str, int, float or bool
        Class of the support vector.
    alpha : float
        Coefficient. In a vote of perceptrons: the mistakes on it, each weighted by the fraction of the votes cast
        after it.
    kernel : float
        Kernel value of the support vector and the row.
    pull : float
        alpha K, positive towards the predicted class.
    """

    row: int
    label: Value
    alpha: float
    kernel: float
    pull: float

    def __str__(self) -> str:
        return f"row {row_number(self.row)} ({value_text(self.label)}) {self.pull:+.3g}"


@dataclass(frozen=True)
class Pulled(Explained):
    """Explanation of a machine's prediction.

    Parameters
    ----------
    prediction : str, int, float or bool
    against : str, int, float, bool or None
        Runner-up class; None if the separator is one-against-rest.
    score : float
        f of the separator of the two classes, positive towards the predicted class: 1 on the margin, 0 on the
        boundary.
    distance : float
        Distance from the boundary in feature space.
    to_margin : float
        Distance beyond the margin, in the same unit; negative inside.
    intercept : float
        Constant added to the pulls.
    pulls : tuple of Pull
        Pulls of all support vectors of the separator, strongest first. With `intercept` they sum to the
        score; for voting perceptrons, to the average of the perceptrons.
    typical : float
        Score of a row with all columns at their means, for a linear kernel; NaN for other kernels.
    contributions : tuple of Contribution
        Contribution of each column to the difference from `typical`, largest first, for a linear kernel.
    """

    prediction: Value
    against: Value | None
    score: float
    distance: float
    to_margin: float
    intercept: float
    pulls: tuple[Pull, ...]
    typical: float = float("nan")
    contributions: tuple[Contribution, ...] = ()

    def __str__(self) -> str:
        if not self.pulls:
            return f"{value_text(self.prediction)}: nothing pulls"
        rival = "the rest" if self.against is None else value_text(self.against)
        head = f"{value_text(self.prediction)} against {rival} by {self.score:.3g}"
        if np.isfinite(self.to_margin):
            side = "beyond" if self.to_margin >= 0 else "inside"
            head += f", {abs(self.to_margin):.3g} {side} the margin"
        if self.contributions:
            return "\n".join([head, *contribution_lines(self.typical, self.contributions)])
        ahead = [str(each) for each in self.pulls if each.pull > 0][:MOST]
        behind = [str(each) for each in self.pulls if each.pull < 0][:MOST]
        told = [f"for it {', '.join(ahead)}"] if ahead else []
        told += [f"against it {', '.join(behind)}"] if behind else []
        return f"{head}: {'; '.join(told)}" if told else head


def pulled(machine: KernelMachine, rows: Rows, kernel: Floats, scores: Floats) -> list[Pulled]:
    """Explain the predictions for the given rows.

    Parameters
    ----------
    machine : KernelMachine
    rows : Rows
    kernel : array of shape (rows, support vectors)
    scores : array of shape (rows, separators)
        f of each separator.
    """
    best = machine._decided(scores)
    if not machine.separators:
        return [Pulled(machine.classes[code], None, 0.0, 0.0, 0.0, 0.0, ()) for code in best.tolist()]
    rivals = np.full(len(best), REST)
    if machine.separators[0].negative != REST:
        there = sorted({side for each in machine.separators for side in (each.negative, each.positive)})
        others = np.full((len(best), len(machine.classes)), -np.inf)
        others[:, there] = machine._totals(scores)[:, there]
        others[np.arange(len(best)), best] = -np.inf
        rivals = first_largest_of_each(others)
    pairs = list(zip(best.tolist(), rivals.tolist(), strict=True))
    numbers = [machine._between[pair] for pair in pairs]
    sides = [
        1.0 if machine.separators[m].positive == winner else -1.0
        for m, (winner, _) in zip(numbers, pairs, strict=True)
    ]
    if is_linear(machine):
        parts = Contributions(machine.view, machine.weights()).of(rows, numbers, sides)
    else:
        parts = [(float("nan"), ())] * len(best)
    return [
        _pulled(machine, kernel[i], float(scores[i, numbers[i]]), numbers[i], sides[i], pairs[i], parts[i])
        for i in range(len(best))
    ]


def _pulled(
    machine: KernelMachine,
    kernel: Floats,
    score: float,
    number: int,
    side: float,
    pair: tuple[int, int],
    parts: tuple[float, Sequence[Contribution]],
) -> Pulled:
    """Explain why one class was predicted rather than another, by the separator between them."""
    separator = machine.separators[number]
    best, rival = pair
    support, coefficients = _merged(separator)
    pulls = side * coefficients * kernel[support]
    listed = tuple(
        Pull(
            int(machine.rows[support[i]]),
            machine.classes[machine.labels[support[i]]],
            float(abs(coefficients[i])),
            float(kernel[support[i]]),
            float(pulls[i]),
        )
        for i in largest_first(np.abs(pulls)).tolist()
    )
    norm = separator.norm if separator.norm > 0 and not len(separator.survival) else float("nan")
    typical, contributions = parts
    return Pulled(
        prediction=machine.classes[best],
        against=None if rival == REST else machine.classes[rival],
        score=side * score,
        distance=side * score / norm,
        to_margin=(side * score - 1.0) / norm,
        intercept=side * separator.intercept,
        pulls=listed,
        typical=typical,
        contributions=tuple(contributions),
    )


def _merged(separator: Separator) -> tuple[Ints, Floats]:
    """Return each support vector once, with its coefficient in f or in the average of voting perceptrons."""
    coefficients = separator.coefficients
    if len(separator.survival):
        # A mistake is part of all later perceptrons, so it counts by their fraction of the votes.
        after = np.cumsum(separator.survival[::-1])[::-1]
        coefficients = coefficients * after / separator.survival.sum()
    support, place = np.unique(separator.support, return_inverse=True)
    return support, np.asarray(np.bincount(place, coefficients, len(support)), np.float64)
