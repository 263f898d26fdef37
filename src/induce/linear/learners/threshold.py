"""What learners of thresholded units share: one unit for two classes, one for each of more."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.estimators import ClassReading, UnweightedClassifier
from induce.linear.learners.base import Terms, terms_of
from induce.linear.learners.units import UnitLearner
from induce.linear.model import LinearClassifier
from induce.optimise.descent import Descent, History

Floats = NDArray[np.float64]


class ThresholdLearner(UnitLearner, UnweightedClassifier):
    """A learner of classes by units whose sum is compared with 0."""

    hypothesis_: LinearClassifier
    histories_: tuple[History, ...]
    fires_at_zero = False

    def decision_function(self, X: Any) -> Floats:
        """Return the sum of each row, above 0 for the second of two `classes_`; of more classes one for each."""
        model = self._fitted(X)
        assert isinstance(model, LinearClassifier)
        scores = model.decision_function(X)
        order = [model.classes.index(value) for value in self.classes_.tolist()]
        if order == sorted(order):
            return scores
        return -scores if scores.ndim == 1 else scores[:, order]

    def _learn(self, reading: ClassReading) -> LinearClassifier:
        terms = terms_of(reading, "", reference=False)
        codes, n = reading.labels, len(reading.classes)
        standard, x = self._inputs(terms)
        rng = self._generator()
        sides = [codes == code for code in ([1] if n == 2 else range(n) if n > 2 else [])]
        found = [self._trained(x, side, rng) for side in sides]
        self.histories_ = tuple(run.history for _, run in found)
        self.n_iter_ = max((run.epochs for _, run in found), default=1)
        own = [self._own_units(standard, w) for w, _ in found]
        width = len(terms.design.terms)
        sums = np.array([x @ w for w, _ in found])
        return LinearClassifier(
            reading.schema,
            reading.target,
            terms.design,
            np.array([intercept for intercept, _ in own]),
            np.array([weights for _, weights in own]).reshape(len(own), width),
            self._known(
                terms, self._method([run for _, run in found]), self._loss(terms, [r for _, r in found])
            ),
            classes=reading.classes,
            link="threshold",
            fires_at_zero=self.fires_at_zero,
            unit=float(np.abs(sums).mean()) or 1.0 if sums.size else 1.0,
        )

    def _trained(
        self, x: Floats, side: NDArray[np.bool_], rng: np.random.Generator
    ) -> tuple[Floats, Descent]:
        """Return the weights of a unit that says whether a row is on one side, and how it was trained."""
        raise NotImplementedError

    def _method(self, runs: list[Descent]) -> str:
        raise NotImplementedError

    def _loss(self, terms: Terms, runs: list[Descent]) -> float:
        return sum(float(run.history.loss[-1]) for run in runs) / len(terms.x)
