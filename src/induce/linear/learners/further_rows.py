"""Incremental learning of classifiers: rows are encoded by the first schema and added to a likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from induce.core.blas import one_thread
from induce.core.errors import InputError
from induce.core.hypothesis import Hypothesis
from induce.core.values import plain
from induce.data.table import as_table
from induce.data.training import training_frame
from induce.estimators import ClassReading
from induce.linear.learners.base import LinearLearner, Terms, terms_of
from induce.linear.likelihood import MOST_SQUARE
from induce.linear.model import Knowledge, LinearClassifier
from induce.linear.parabola import Parabola, Updated, updated
from induce.linear.standard import FLAT, TINY, Standard

Floats = NDArray[np.float64]


def places_of(own: Sequence[Any], known: Sequence[Any], where: str = "y") -> NDArray[np.int64]:
    """Return the indices of classes among the known ones; raise an `InputError` for an unknown class."""
    listed = [plain(value) for value in known]
    for value in own:
        if plain(value) not in listed:
            raise InputError(
                f"{where} has the class {plain(value)!r}, for which there is no unit; give all classes to the first "
                "partial_fit, or train again with fit"
            )
    return np.array([listed.index(plain(value)) for value in own], np.int64)


def further_reading(
    learner: Any, known: LinearClassifier | None, X: Any, y: Any, sample_weight: Any, classes: Any
) -> ClassReading:
    """Return rows with their classes: the classes of a model if there is one, otherwise all announced
    `classes`.
    """
    if known is None:
        reading: ClassReading = learner._read(X, y, sample_weight)
        if classes is None:
            return reading
        announced = tuple(plain(value) for value in np.unique(np.asarray(classes)).tolist())
        labels = places_of(reading.classes, announced)[reading.labels]
        learner.classes_ = np.unique(np.asarray(announced))
        return replace(reading, classes=announced, labels=labels)
    learner._check_parameters()
    learner._fitted(X)
    _, own, codes = learner._target(y)
    weights = learner._weights(sample_weight, learner.class_weight, own, codes)
    learner.classes_ = np.unique(np.asarray(known.classes))
    table = as_table(X, known.schema)
    if len(table) != len(codes):
        raise InputError(f"X has {len(table)} rows, y has {len(codes)}; give one class per row")
    labels = places_of(own, known.classes)[codes]
    reading = ClassReading(training_frame(X), known.schema, weights, known.target, known.classes, labels)
    reading.__dict__["table"] = table  # encoded by the schema of the first rows
    return reading


class FurtherRows(LinearLearner):
    """`partial_fit` of a maximum-likelihood learner: a quadratic approximation summarises the earlier rows."""

    loss: str
    link: str
    class_weight: Any
    _parabola: Parabola | None = None

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None, classes: Any = None) -> Self:
        """Learn from further rows without storing any.

        Earlier rows are summarised by a quadratic approximation of their likelihood at the weights of that
        time. The resulting weights are close to those of a fit to all rows. The first rows determine the
        schema, the categories and scales, the replacement of a missing number and, with `classes`, the
        classes.

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
        self._check_parameters()
        self._check_further()
        known: LinearClassifier | None = self.__dict__.get("hypothesis_")
        before = self._parabola
        if known is not None and before is None:
            before = self._recovered(known)
        reading = further_reading(self, known, X, y, sample_weight, classes)
        if len(reading.classes) < 2:
            raise InputError(
                f"y has only the class {plain(reading.classes[0])!r}; give all classes to the first "
                "partial_fit"
            )
        if known is None:
            terms = terms_of(reading, self.terms, self.penalty is None)
        else:
            weights = reading.weight()
            rows = np.flatnonzero(weights > 0)
            terms = Terms(known.design, known.design.matrix(reading.table)[rows], weights[rows], rows)
        with one_thread():
            self.hypothesis_ = self._added(reading, terms, before, known)
        return self

    def _check_further(self) -> None:
        """Raise an `InputError` unless rows can be added to the likelihood."""
        odd = [name for name in ("monotone", "bootstrap") if getattr(self, name)]
        odd += ["loss='squared'"] * (self.loss != "likelihood")
        odd += ["fit_intercept=False"] * (not self.fit_intercept)
        odd += [f"penalty={self.penalty!r}"] * (self.penalty not in (None, "l2"))
        if odd:
            raise InputError(f"partial_fit does not support {odd[0]}; leave it out, or use fit with all rows")
        if self.penalty is not None and self.strength is None:
            raise InputError(f"penalty is {self.penalty!r}; give a strength for partial_fit")

    def _recovered(self, model: LinearClassifier) -> Parabola:
        """Return the parabola of the rows of `fit`, whose likelihood is highest at its weights."""
        known, covariance = model.known, model.known.covariance
        if covariance is None or not np.isfinite(covariance).all() or self.penalty is not None:
            raise InputError(
                "the likelihood of the rows of fit cannot be recovered, as its weights have no standard errors; "
                "call partial_fit from the start"
            )
        spread = known.deviations
        scale = np.where(spread > np.maximum(FLAT * np.abs(known.means), TINY), spread, 1.0)
        outputs = len(covariance) // (len(scale) + 1)
        change = np.eye(len(scale) + 1)
        change[1:, 1:] = np.diag(1.0 / scale)
        change[0, 1:] = -known.means / scale
        every = np.kron(np.eye(outputs), change)
        square = every.T @ np.linalg.inv(covariance) @ every
        standard = Standard(np.zeros((0, len(scale))), known.means, scale, np.zeros(0))
        w = _in_standard_units(model, standard, outputs)
        counts = np.full(len(model.classes), known.n_rows / len(model.classes))
        return Parabola(known.means, scale, counts, square, square @ w.ravel(), known.loss * known.n_rows)

    def _added(
        self, reading: ClassReading, terms: Terms, before: Parabola | None, known: LinearClassifier | None
    ) -> LinearClassifier:
        strength = float(self.strength or 0.0) if self.penalty else 0.0
        n_classes = len(reading.classes)
        outputs = 1 if n_classes == 2 else n_classes if strength else n_classes - 1
        if outputs * (len(terms.design.terms) + 1) > MOST_SQUARE:
            raise InputError(
                f"the columns and classes have {outputs * (len(terms.design.terms) + 1):,} weights, "
                f"but partial_fit supports at most {MOST_SQUARE:,}; use fit with all rows, or leave "
                "out columns"
            )
        if before is None:
            standard = terms.standard(True, self.standardise or self.penalty is None)
            before = Parabola.empty(standard, n_classes, outputs)
        else:
            z = (terms.x - before.centre) / before.scale
            standard = Standard(z, before.centre, before.scale, terms.weights)
        start = np.zeros((outputs, len(before.centre) + 1))
        if known is not None:
            start = _in_standard_units(known, standard, outputs)
        codes = reading.labels[terms.rows]
        found = updated(before, standard.z, codes, terms.weights, start, strength, self.link)
        self._parabola = found.parabola
        return self._further_model(reading, terms, standard, found, strength)

    def _further_model(
        self, reading: ClassReading, terms: Terms, standard: Standard, found: Updated, strength: float
    ) -> LinearClassifier:
        own = [standard.own_units(float(w[0]), w[1:]) for w in found.w]
        intercepts = np.array([intercept for intercept, _ in own])
        weights = np.array([weights for _, weights in own])
        if 2 < len(reading.classes) > len(own):
            intercepts = np.append(0.0, intercepts)
            weights = np.vstack([np.zeros(weights.shape[1]), weights])
        covariance, without = None, ""
        if found.covariance is not None:
            covariance = standard.own_covariance(found.covariance, len(own))
        elif strength:
            without = "a penalty shrinks the weights on purpose"
        else:
            without = (
                "the rows so far have no finite maximum likelihood weights, so a normal prior "
                "of variance 1 is added"
            )
        method = "maximum likelihood, rows added"
        if strength:
            method = f"maximum likelihood with L2 penalty {strength:.4g}, rows added"
        total = found.parabola.total
        known = Knowledge(
            method,
            total,
            standard.centre,
            standard.scale,
            covariance=covariance,
            without=without,
            loss=found.parabola.loss / total,
        )
        return LinearClassifier(
            reading.schema,
            reading.target,
            terms.design,
            intercepts,
            weights,
            known,
            classes=reading.classes,
            link=self.link,
        )

    def _forget(self) -> None:
        self._parabola = None
        super()._forget()  # type: ignore[misc]

    def _resumable_state(self) -> dict[str, Any]:
        kept: dict[str, Any] = super()._resumable_state()  # type: ignore[misc]
        return kept if self._parabola is None else {**kept, "parabola": vars(self._parabola)}

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        super()._restore(hypothesis, state)  # type: ignore[misc]
        kept = state.get("parabola")
        self._parabola = None if kept is None else Parabola(**kept)


def _in_standard_units(model: LinearClassifier, standard: Standard, outputs: int) -> Floats:
    """Return intercept and weights of each output; the reference class has none."""
    weights, intercepts = model.weights[-outputs:], model.intercepts[-outputs:]
    return np.column_stack([intercepts + weights @ standard.centre, weights * standard.scale])
