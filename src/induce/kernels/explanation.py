"""Why a row got its prediction: which support vectors pulled it, which way and how hard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from induce.core.ties import first_largest_of_each, largest_first
from induce.core.values import Value
from induce.hypotheses.naming import value_text
from induce.kernels.inputs import Floats
from induce.kernels.separator import REST

if TYPE_CHECKING:
    from induce.kernels.machine import KernelMachine

MOST = 3
"""So many support vectors of each side are written."""


@dataclass(frozen=True)
class Pull:
    """What one support vector adds to the score of a row.

    Parameters
    ----------
    row : int
        Its number in the training table.
    label : str, int, float or bool
        Its class.
    alpha : float
    kernel : float
        K of it and the row.
    pull : float
        alpha K, positive towards the predicted class.
    """

    row: int
    label: Value
    alpha: float
    kernel: float
    pull: float

    def __str__(self) -> str:
        return f"row {self.row} ({value_text(self.label)}) {self.pull:+.3g}"


@dataclass(frozen=True)
class Pulled:
    """Why a machine predicted what it did.

    Parameters
    ----------
    prediction : str, int, float or bool
    against : str, int, float, bool or None
        The class that came next; None where the separator is from all others.
    score : float
        f of the separator of the two, positive towards the predicted class: 1 on the margin, 0 on the boundary.
    distance : float
        From the boundary in the space of features.
    to_margin : float
        How far the row is beyond the margin, in the same unit; negative inside.
    intercept : float
        What is added to the pulls.
    pulls : tuple of Pull
        Of all support vectors of the separator, the strongest first.
    """

    prediction: Value
    against: Value | None
    score: float
    distance: float
    to_margin: float
    intercept: float
    pulls: tuple[Pull, ...]

    def __str__(self) -> str:
        if not self.pulls:
            return f"{value_text(self.prediction)}: nothing pulls"
        rival = "the rest" if self.against is None else value_text(self.against)
        head = f"{value_text(self.prediction)} against {rival} by {self.score:.3g}"
        if np.isfinite(self.to_margin):
            side = "beyond" if self.to_margin >= 0 else "inside"
            head += f", {abs(self.to_margin):.3g} {side} the margin"
        ahead = [str(each) for each in self.pulls if each.pull > 0][:MOST]
        behind = [str(each) for each in self.pulls if each.pull < 0][:MOST]
        told = [f"for it {', '.join(ahead)}"] if ahead else []
        told += [f"against it {', '.join(behind)}"] if behind else []
        return f"{head}: {'; '.join(told)}" if told else head


def pulled(machine: KernelMachine, kernel: Floats, scores: Floats) -> list[Pulled]:
    """Explain the predictions of some rows.

    Parameters
    ----------
    machine : KernelMachine
    kernel : array of shape (rows, support vectors)
    scores : array of shape (rows, separators)
        f of each.
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
    pairs = zip(best.tolist(), rivals.tolist(), strict=True)
    return [
        _pulled(machine, row, f, winner, rival)
        for row, f, (winner, rival) in zip(kernel, scores, pairs, strict=True)
    ]


def _pulled(machine: KernelMachine, kernel: Floats, scores: Floats, best: int, rival: int) -> Pulled:
    """Explain why one class was predicted rather than another, by the separator of the two."""
    number = machine._between[best, rival]
    separator = machine.separators[number]
    side = 1.0 if separator.positive == best else -1.0
    pulls = side * separator.coefficients * kernel[separator.support]
    order = largest_first(np.abs(pulls))
    listed = tuple(
        Pull(
            int(machine.rows[separator.support[i]]),
            machine.classes[machine.labels[separator.support[i]]],
            float(abs(separator.coefficients[i])),
            float(kernel[separator.support[i]]),
            float(pulls[i]),
        )
        for i in order.tolist()
    )
    score = side * float(scores[number])
    norm = separator.norm if separator.norm > 0 and not len(separator.survival) else float("nan")
    return Pulled(
        prediction=machine.classes[best],
        against=None if rival == REST else machine.classes[rival],
        score=score,
        distance=score / norm,
        to_margin=(score - 1.0) / norm,
        intercept=side * separator.intercept,
        pulls=listed,
    )
