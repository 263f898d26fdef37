"""Base of radial basis function networks: placing kernels and fitting outputs (Mitchell §8.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.parameter_kinds import Number, OneOrSeveral
from induce.core.parameters import Declared, Parameter, choice, number, whole
from induce.core.randomness import RandomState, generator
from induce.core.ties import first_smallest
from induce.data.numeric_view import SCALES, Floats, NumericView
from induce.data.schema import Schema
from induce.estimators import Reading
from induce.instances.choice import LeaveOneOutChoice, several_of
from induce.instances.rbf.centres import STRATEGIES, apart, place
from induce.instances.rbf.fitting import activations, output_weights
from induce.statistics.least_squares import INTERCEPTS, LeastSquares

NUMBERS = (10, 20, 40, 80, 160, 320)
"""Candidate numbers of centres."""
MOST_OF_ROWS = 0.8
"""Maximum number of centres, as a fraction of the distinct examples."""
ENOUGH = 0.99
"""Factor of the smallest error so far below which a doubling of the centres counts as success."""
PATIENCE = 2
"""Number of doublings without success after which the search ends."""
RIDGES = (1e-5, 1e-4, 1e-3, 1e-2)
OWN_FACTORS = (0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6)
"""Candidate factors of EM's Gaussian widths."""
COMMON_FACTORS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Candidate factors of the distance between neighbouring centres, for a common width of all kernels."""
MOST_TRIED = 2000
"""Number of examples used to choose the settings."""
MOST_CENTRES = 5000


@dataclass(frozen=True, eq=False)
class _Trial:
    """A setting, its kernels and output units, and its leave-one-out error."""

    setting: dict[str, Any]
    layers: dict[str, Floats]
    loss: float


class RBFNetworkLearner:
    """Base of both learners: place the kernels, then fit the outputs."""

    parameters: ClassVar[Declared] = {
        "centers": choice("Placing of the centres.", *STRATEGIES),
        "n_centers": whole("Number of centres; None chooses by leave-one-out.", at_least=1, none=True),
        "width": Parameter(
            "Width of the kernels; None and several choose by leave-one-out.",
            OneOrSeveral(Number(above=0, finite=True)),
            none=True,
            otherwise="it must be a number above 0",
        ),
        "intercept": choice("Constant term of an output.", *INTERCEPTS),
        "ridge": number(
            "Ridge penalty; larger values smooth more; None chooses by leave-one-out.", at_least=0, none=True
        ),
        "scale": choice("Scaling of numeric columns.", *filter(None, SCALES), none=True),
    }

    def __init__(
        self,
        *,
        centers: str = "em",
        n_centers: int | None = None,
        width: float | Sequence[float] | None = None,
        intercept: str = "free",
        ridge: float | None = None,
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
        """Return the parts of the network after both training stages; only the second uses the targets."""
        weights = reading.weight()
        counted = np.flatnonzero(weights)
        view = NumericView.of(reading.table, self.scale, reading.weights)
        points, targets, weights = view.matrix(reading.table)[counted], targets[counted], weights[counted]
        tried = np.arange(len(points))
        if self.n_centers is None and self.centers != "all" and len(points) > MOST_TRIED:
            # this many suffice to choose the number of centres
            tried = np.sort(generator(self.random_state).choice(len(points), MOST_TRIED, replace=False))
        trials = self._trials(points[tried], targets[tried], weights[tried])
        losses = tuple(each.loss for each in trials)
        chosen = trials[first_smallest(losses)]
        layers = chosen.layers
        if len(tried) < len(points):
            layers = self._layers(points, targets, weights, chosen.setting)
        return {"schema": reading.schema, "view": view, "choice": _choice(trials, losses), **layers}

    def _trials(self, points: Floats, targets: Floats, weights: Floats) -> list[_Trial]:
        """Try every setting, from few centres to many."""
        trials: list[_Trial] = []
        least, failed = np.inf, 0
        for k in self._numbers(points):
            some = self._tried(points, targets, weights, k)
            trials += some
            found = min(each.loss for each in some)
            failed = 0 if found < ENOUGH * least else failed + 1
            least = min(least, found)
            if failed >= PATIENCE:
                break
        return trials

    def _numbers(self, points: Floats) -> list[int]:
        """Return the candidate numbers of centres."""
        if self.n_centers is not None:
            return [int(self.n_centers)]
        if self.centers == "all":
            return [len(points)]
        different = len(np.unique(points, axis=0))
        return [k for k in NUMBERS if k <= MOST_OF_ROWS * different] or [min(NUMBERS[0], different)]

    def _tried(self, points: Floats, targets: Floats, weights: Floats, k: int) -> list[_Trial]:
        """Try widths and ridges for one number of centres."""
        centres, own = self._placed(points, weights, k)
        trials = []
        ridges = RIDGES if self.ridge is None else (float(self.ridge),)
        for named, widths in self._widths(centres, own, points):
            kernels = activations(points, centres, widths)
            layer = LeastSquares(kernels, targets, weights, self.intercept, ridges == (0.0,))
            for ridge in ridges:
                w0, w, left_out = layer.fitted(ridge)
                with np.errstate(over="ignore"):
                    loss = float(weights @ np.square(left_out).sum(axis=1) / weights.sum())
                setting = {"kernels": k, **named, "ridge": ridge}
                layers = {"centres": centres, "widths": widths, "bias": w0, "weights": w}
                trials.append(_Trial(setting, layers, loss))
        return trials

    def _layers(
        self, points: Floats, targets: Floats, weights: Floats, setting: dict[str, Any]
    ) -> dict[str, Floats]:
        """Place the kernels and fit the output units by one setting."""
        centres, own = self._placed(points, weights, setting["kernels"])
        widths = next(
            widths for named, widths in self._widths(centres, own, points) if named.items() <= setting.items()
        )
        kernels = activations(points, centres, widths)
        w0, w, _ = output_weights(kernels, targets, weights, self.intercept, setting["ridge"])
        return {"centres": centres, "widths": widths, "bias": w0, "weights": w}

    def _placed(self, points: Floats, weights: Floats, k: int) -> tuple[Floats, Floats]:
        centres, own = place(self.centers, points, weights, k, self.random_state)
        if len(centres) > MOST_CENTRES:
            raise InputError(
                f"centers='all' gives {len(centres):,} kernels, too many to fit their weights; use "
                "'em', 'random' or 'grid'"
            )
        return centres, own

    def _widths(self, centres: Floats, own: Floats, points: Floats) -> list[tuple[dict[str, Any], Floats]]:
        """Return the candidate widths, each with its description."""
        even = np.ones(len(centres))
        if self.width is not None:
            return [({"width": float(width)}, width * even) for width in several_of("width", self.width)]
        if len(centres) >= len(np.unique(points, axis=0)):  # no rows are left over to evaluate a width
            return [({"widths": "common", "width factor": 1.0}, own)]
        between = apart(centres)
        found = [({"widths": "common", "width factor": f}, f * between * even) for f in COMMON_FACTORS]
        if self.centers == "em":
            found += [({"widths": "own", "width factor": f}, f * own) for f in OWN_FACTORS]
        return found


def _choice(trials: list[_Trial], losses: tuple[float, ...]) -> LeaveOneOutChoice | None:
    """Return the trials by the settings that vary; None if there was no choice."""
    varied = [name for name in trials[0].setting if len({each.setting[name] for each in trials}) > 1]
    if not varied or not np.isfinite(losses).any():
        return None
    settings = tuple({name: each.setting[name] for name in varied} for each in trials)
    return LeaveOneOutChoice(settings, losses, "squared error")
