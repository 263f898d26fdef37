"""Base of threshold learners: one unit for two classes, one per class for more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from induce.core.blas import one_thread
from induce.data.table import Table
from induce.data.training import must_be_as_begun, validation_table
from induce.estimators import ClassReading, TableClassifier
from induce.linear.learners.base import Terms, terms_of
from induce.linear.learners.further_rows import further_reading, places_of
from induce.linear.learners.units import GoingOn, UnitLearner
from induce.linear.model import LinearClassifier
from induce.linear.unit import Unit
from induce.optimise.descent import Descent, History

Floats = NDArray[np.float64]
Measure = Callable[[Floats], float]


class ThresholdLearner(UnitLearner, TableClassifier):
    """A classifier of units that threshold their sum at 0."""

    hypothesis_: LinearClassifier
    histories_: tuple[History, ...]
    fires_at_zero = False
    class_weight: Any

    def decision_function(self, X: Any) -> Floats:
        """Return the weighted sum of each row, positive for the second of two `classes_`; with more classes,
        one sum per class.
        """
        model = self._fitted(X)
        assert isinstance(model, LinearClassifier)
        scores = model.decision_function(X)
        order = [model.classes.index(value) for value in self.classes_.tolist()]
        if order == sorted(order):
            return scores
        return -scores if scores.ndim == 1 else scores[:, order]

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None, classes: Any = None) -> Self:
        """Train for one epoch on these rows.

        The first rows determine the schema, the scales, and, together with `classes`, the classes.

        Parameters
        ----------
        X : frame or array
        y : series, array or list
            Class of each row.
        sample_weight : array, optional
            Weight of each row.
        classes : list, optional
            All classes, if some are missing from the first rows.
        """
        known = self.__dict__.get("hypothesis_")
        reading = further_reading(self, known, X, y, sample_weight, classes)
        with one_thread():
            self.hypothesis_ = self._trained_units(reading, known, one_epoch=True)
        return self

    def _learn(self, reading: ClassReading) -> LinearClassifier:
        before = self._before
        if before is not None:
            must_be_as_begun(before.schema, reading.schema, before.classes, reading.classes)
        return self._trained_units(reading, before, one_epoch=False)

    def _trained_units(
        self, reading: ClassReading, known: LinearClassifier | None, one_epoch: bool
    ) -> LinearClassifier:
        if known is None:
            terms, self._states = terms_of(reading, "", reference=False), []
        else:
            terms = self._known_terms(known, reading.table, reading.weight())
        self._other_rows = one_epoch
        codes, n = reading.labels[terms.rows], len(reading.classes)
        standard = self._units(terms, known)
        held = None
        if not one_epoch:
            held = self._held_out(terms, codes, lambda X, y: self._given(X, y, reading))
        rows = np.arange(len(codes)) if held is None else held.training
        x, weights = self._inputs(standard.z), terms.weights
        rng = self._generator()
        found: list[tuple[Floats, Descent]] = []
        for place, code in enumerate([1] if n == 2 else range(n) if n > 2 else []):
            unit = self._unit(x[rows], codes[rows] == code, weights[rows])
            measure = None
            if held is not None:
                inputs = self._inputs((held.x - standard.centre) / standard.scale)
                measure = self._unit(inputs, held.targets == code, np.full(len(inputs), 1 / len(inputs))).loss
            going_on = self._going_on(known, standard, place, one_epoch)
            found.append(self._trained(unit, rng, measure, going_on, 1 if one_epoch else self.max_epochs))
        self._states = self._ended(run for _, run in found)
        self.histories_ = tuple(run.history for _, run in found)
        self.n_iter_ = max((run.epochs for _, run in found), default=1)
        own = [self._own_units(standard, w) for w, _ in found]
        width = len(terms.design.terms)
        sums = np.array([x @ w for w, _ in found])
        method = self._method([run for _, run in found])
        return LinearClassifier(
            reading.schema,
            reading.target,
            terms.design,
            np.array([intercept for intercept, _ in own]),
            np.array([weights for _, weights in own]).reshape(len(own), width),
            self._known(terms, method, self._loss(terms, [run for _, run in found]), known, self.histories_),
            classes=reading.classes,
            link="threshold",
            fires_at_zero=self.fires_at_zero,
            unit=float(np.abs(sums).mean()) or 1.0 if sums.size else 1.0,
        )

    def _given(self, X: Any, y: Any, reading: ClassReading) -> tuple[Table, Floats]:
        """Return the user's own validation rows, with the indices of their classes."""
        _, own, codes = type(self)()._target(y)
        places = places_of(own, reading.classes, "validation")[codes]
        return validation_table(X, reading.schema), places.astype(np.float64)

    def _unit(self, x: Floats, side: NDArray[np.bool_], weights: Floats) -> Unit:
        """Return the unit that separates one class from the others."""
        raise NotImplementedError

    def _trained(
        self,
        unit: Unit,
        rng: np.random.Generator,
        measure: Measure | None,
        going_on: GoingOn | None,
        epochs: int,
    ) -> tuple[Floats, Descent]:
        """Return the weights of a unit, and its training run."""
        raise NotImplementedError

    def _method(self, runs: list[Descent]) -> str:
        raise NotImplementedError

    def _loss(self, terms: Terms, runs: list[Descent]) -> float:
        return sum(float(run.history.loss[-1]) for run in runs) / len(terms.x)
