"""What learners of single units share: their parameters, standard units, and descent."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.parameters import Declared, choice, number, whole
from induce.core.randomness import RandomState, generator
from induce.linear.learners.base import Terms, knowledge
from induce.linear.model import Knowledge
from induce.linear.standard import Standard
from induce.linear.unit import Unit
from induce.optimise.descent import ORDERS, Descent, descend
from induce.optimise.schedules import Constant, Decay, Schedule
from induce.optimise.stopping import Stop

Floats = NDArray[np.float64]

UNITS: Declared = {
    "learning_rate": number(
        "Learning rate; None takes 0.1, or less where rows are so long that it would diverge.",
        above=0,
        finite=True,
        none=True,
    ),
    "decay": number(
        "Decay c of the learning rate: it is multiplied by c / (c + t) after t updates; None keeps it.",
        above=0,
        finite=True,
        none=True,
    ),
    "momentum": number("Share of the last step that is added to each step.", at_least=0, below=1),
    "batch_size": whole("Number of rows per update; None takes all rows.", at_least=1, none=True),
    "order": choice("Order of the rows in an epoch.", *ORDERS),
    "init": choice("Initial weights: zero, or small random numbers.", "zero", "random"),
    "bias_input": choice("Input of the bias: 1, or -1 so that its weight is the threshold.", "1", "-1"),
    "max_epochs": whole("Maximum number of epochs.", at_least=1),
    "scale": choice(
        "Unit of the columns while learning; None leaves them as they are.", "standard", none=True
    ),
}


class UnitLearner:
    """A learner that trains single units by descent."""

    parameters: ClassVar[Declared] = UNITS
    learning_rate: float | None
    decay: float | None
    momentum: float
    batch_size: int | None
    order: str
    init: str
    bias_input: str
    max_epochs: int
    scale: str | None
    random_state: RandomState

    def _inputs(self, terms: Terms) -> tuple[Standard, Floats]:
        """Return the terms in the units of learning, and the inputs of a unit: the bias first."""
        if self.scale is None:
            flat = np.zeros(terms.x.shape[1])
            standard = Standard(terms.x, flat, flat + 1.0, terms.weights)
        else:
            standard = terms.standard(True)
        bias = np.full(len(standard.z), float(self.bias_input))
        return standard, np.column_stack([bias, standard.z])

    def _rate(self, x: Floats) -> Schedule:
        rate = self.learning_rate
        if rate is None:
            # an update by a row x multiplies its error by 1 - rate |x|²
            rate = min(0.1, 1.0 / max(float(np.square(x).sum(axis=1).max(initial=0.0)), 1e-300))
        return Constant(rate) if self.decay is None else Decay(rate, self.decay)

    def _descended(self, unit: Unit, rng: np.random.Generator, stop: Stop) -> Descent:
        w = np.zeros(unit.n_parameters)
        if self.init == "random":
            w[:] = rng.uniform(-0.05, 0.05, unit.n_parameters)
        return descend(
            unit,
            w,
            distance=self._rate(unit.x),
            momentum=self.momentum,
            batch_size=self.batch_size,
            order=self.order,
            stop=stop,
            random_state=rng,
        )

    def _generator(self) -> np.random.Generator:
        return generator(self.random_state)

    def _own_units(self, standard: Standard, w: Floats) -> tuple[float, Floats]:
        """Return the intercept and the weights of a unit in the columns' own units."""
        return standard.own_units(float(w[0]) * float(self.bias_input), w[1:])

    def _known(self, terms: Terms, method: str, loss: float) -> Knowledge:
        without = "descent stops near the minimum, not in it"
        return knowledge(terms, method, without=without, loss=loss)


def epochs_text(runs: list[Descent]) -> str:
    """Say how long the longest run took."""
    longest = max(run.epochs for run in runs)
    return f"{longest} epoch{'s' if longest != 1 else ''}"
