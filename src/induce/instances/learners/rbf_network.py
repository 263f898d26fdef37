"""What the learners of radial basis function networks share: placing kernels and fitting outputs (Mitchell §8.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.parameter_kinds import Number, OneOrSeveral
from induce.core.parameters import Declared, Parameter, choice, number, whole
from induce.core.randomness import RandomState
from induce.data.numeric_view import SCALES, Floats, NumericView
from induce.data.schema import Schema
from induce.estimators import Reading
from induce.instances.choice import LeaveOneOutChoice, several_of
from induce.instances.rbf.centres import STRATEGIES, place
from induce.instances.rbf.fitting import INTERCEPTS, activations, output_weights

FACTORS = (0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6)
"""What the widths of the centres are multiplied by to have widths to choose from."""
MOST_CENTRES = 5000


class RBFNetworkLearner:
    """What both learners do: place the kernels, then fit the outputs."""

    parameters: ClassVar[Declared] = {
        "centers": choice("Placing of the centres.", *STRATEGIES),
        "n_centers": whole("Number of centres.", at_least=1),
        "width": Parameter(
            "Width of the kernels; None and several choose by leaving out.",
            OneOrSeveral(Number(above=0, finite=True)),
            none=True,
            otherwise="it must be a number above 0",
        ),
        "intercept": choice("Constant term of an output.", *INTERCEPTS),
        "ridge": number("Ridge penalty; larger values smooth more.", at_least=0),
        "scale": choice("Unit of numeric columns.", *filter(None, SCALES), none=True),
    }

    def __init__(
        self,
        *,
        centers: str = "em",
        n_centers: int = 10,
        width: float | Sequence[float] | None = None,
        intercept: str = "free",
        ridge: float = 1e-4,
        scale: str | None = "standard",
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.centers = centers
        self.n_centers = n_centers
        self.width = width
        self.intercept = intercept
        self.ridge = ridge
        self.scale = scale
        self.schema = schema
        self.random_state = random_state

    def _parts(self, reading: Reading, targets: Floats) -> dict[str, Any]:
        """Return the parts of the network that is learned: two stages, and the targets are for the second."""
        weights = reading.weight()
        counted = np.flatnonzero(weights)
        view = NumericView.of(reading.table, self.scale, reading.weights)
        points, targets, weights = view.matrix(reading.table)[counted], targets[counted], weights[counted]
        centres, base = place(self.centers, points, weights, int(self.n_centers), self.random_state)
        if len(centres) > MOST_CENTRES:
            raise InputError(
                f"centers='all' makes {len(centres):,} kernels, and weights for so many take too long to fit; take "
                "'em', 'random' or 'grid'"
            )
        trials = self._widths(base, len(points))
        fits, losses = [], []
        for widths in trials.values():
            kernels = activations(points, centres, widths)
            w0, w, left_out = output_weights(kernels, targets, weights, self.intercept, float(self.ridge))
            fits.append({"widths": widths, "bias": w0, "weights": w})
            with np.errstate(over="ignore"):
                losses.append(float(weights @ np.square(left_out).sum(axis=1) / weights.sum()))
        choice, best = None, list(trials).index(1.0) if self.width is None else 0
        if len(trials) > 1 and np.isfinite(losses).any():
            varies = "width factor" if self.width is None else "width"
            choice = LeaveOneOutChoice.over({varies: list(trials)}, losses, "squared error")
            best = choice.chosen
        return {"schema": reading.schema, "view": view, "centres": centres, "choice": choice, **fits[best]}

    def _widths(self, base: Floats, n: int) -> dict[float, Floats]:
        """Return the widths to choose from, by what is said of them."""
        if self.width is None:
            factors = (1.0,) if len(base) >= n else FACTORS
            return {factor: base * factor for factor in factors}
        several = several_of("width", self.width)
        return {float(width): np.full(len(base), float(width)) for width in several}
