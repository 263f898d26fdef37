"""Logistic regression on a table in partitions: each Newton step is one sum over the partitions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.engines import total
from induce.core.errors import InputError
from induce.core.interrupts import whole_fits
from induce.core.notes import note
from induce.core.pass_results import pass_result
from induce.counts.moments import Moments
from induce.data.partitions import Partition
from induce.data.scanning import Scan
from induce.estimators.scale import OFFERED, class_weights
from induce.linear.class_losses import ManyClasses, TwoClasses
from induce.linear.learners.base import Terms
from induce.linear.learners.sums import design_of, term_rows
from induce.linear.likelihood import FLAT, STEPS, ClassFit, inverse_of
from induce.linear.model import LinearClassifier
from induce.linear.separation import SUSPECT
from induce.linear.standard import Standard, cross_products, dependent_products, flat_terms
from induce.linear.terms import Design
from induce.optimise.descent import descend
from induce.optimise.stopping import Stop

if TYPE_CHECKING:
    from induce.linear.learners.logistic_regression import LogisticRegression

Floats = NDArray[np.float64]

MOST_PARAMETERS = 1_000
"""Maximum number of weights whose Hessian is summed over partitions."""


def weights_of_partitions(learner: LogisticRegression, source: Scan) -> LinearClassifier:
    """Learn the weights by maximum likelihood, optionally with an L2 penalty of a given strength."""
    _check(learner, source)
    weights = class_weights(learner.class_weight, source.classes, source.layout.class_counts)
    of_class = np.ones(len(source.classes)) if weights is None else weights
    design = design_of(source, of_class, learner.terms, reference=learner.penalty is None)
    outputs = 1 if len(source.classes) == 2 else len(source.classes) - (learner.penalty is None)
    n_parameters = outputs * (len(design.terms) + learner.fit_intercept)
    if n_parameters > MOST_PARAMETERS:
        raise InputError(
            f"the columns give {n_parameters:,} weights, but partitions support at most "
            f"{MOST_PARAMETERS:,}; leave out columns, or learn from a sample: "
            f"fit(*source.sample({OFFERED:_}))"
        )
    spread = total(partial(_spread, design=design, of_class=of_class), source.partitions())
    means, deviations = spread.moments.mean[0], np.sqrt(spread.moments.variance[0])
    centre = means if learner.fit_intercept else np.zeros(len(means))
    far = np.maximum(spread.high.max(axis=0) - centre, centre - spread.low.min(axis=0))
    around = deviations if learner.fit_intercept else np.sqrt(deviations**2 + means**2)
    flat = flat_terms(around, far, centre)
    scaled = learner.standardise or learner.penalty is None
    scale = np.where(flat, 1.0, around) if scaled else np.ones(len(flat))
    if learner.penalty is None:
        _refuse_separated(spread, design, flat)
    ridge = 0.0 if learner.penalty is None else float(learner.strength or 0.0)
    units = _Units(
        design,
        centre,
        scale,
        np.flatnonzero(~flat),
        of_class,
        learner.link,
        bool(learner.fit_intercept),
        reference=not ridge,
    )
    objective = _Summed(units, source, ridge)
    if learner.penalty is None:
        products = total(partial(_products, units=units), source.partitions())
        independent = ~dependent_products(products)
        if not independent.all():
            names = [design.names[k] for k in units.kept[~independent].tolist()]
            note(f"{', '.join(names[:4])}: linearly dependent on earlier terms, so the weight is 0")
            units = replace(units, kept=units.kept[independent])
            objective = _Summed(units, source, 0.0)
    with whole_fits():
        found = descend(
            objective,
            np.zeros(objective.n_parameters),
            direction="newton",
            stop=Stop(max_epochs=STEPS, gradient_below=FLAT),
        )
    at = objective.at(found.w)
    if at.largest > SUSPECT and learner.penalty is None:
        note("some sums are so large that the classes may be separable; give penalty='l2' and a strength")
    covariance = None
    if learner.penalty is None:
        covariance = inverse_of(objective.hessian(found.w) * at.weight, units.intercept, objective.outputs)
    intercepts, rows = objective.split(found.w)
    fit = ClassFit(intercepts, rows, at.loss / at.weight, covariance, at.largest)
    return learner._of_partitions(
        SimpleNamespace(schema=source.schema, target=source.target, classes=source.classes),
        _terms(design, means, deviations, at.weight),
        Standard(np.empty((0, len(scale))), centre, scale, np.empty(0)),
        fit,
        units.kept,
    )


def _check(learner: LogisticRegression, source: Scan) -> None:
    asked = {
        "loss": learner.loss == "likelihood",
        "penalty": learner.penalty is None or (learner.penalty == "l2" and learner.strength is not None),
        "monotone": not learner.monotone,
        "bootstrap": not learner.bootstrap,
    }
    for name, offered in asked.items():
        if not offered:
            raise InputError(
                f"{name} is {getattr(learner, name)!r}, which learning from partitions does not support; leave it "
                f"out, give penalty='l2' with a strength, or learn from a sample: fit(*source.sample({OFFERED:_}))"
            )
    learner._check_classes(len(source.classes))
    if len(source.classes) < 2:
        raise InputError(f"{source.name!r} has only one class; give rows of at least two classes")


@pass_result
@dataclass(eq=False)
class _Spread:
    """Spread of each term, and its range in each class."""

    moments: Moments
    low: Floats
    high: Floats

    def __add__(self, later: _Spread) -> _Spread:
        return _Spread(
            self.moments + later.moments, np.minimum(self.low, later.low), np.maximum(self.high, later.high)
        )


def _spread(partition: Partition, design: Design, of_class: Floats) -> _Spread:
    x, labels = term_rows(partition, design)
    moments = Moments.of(np.ascontiguousarray(x), np.zeros(len(labels), np.int64), 1, of_class[labels])
    low, high = np.full((len(of_class), x.shape[1]), np.inf), np.full((len(of_class), x.shape[1]), -np.inf)
    for code in range(len(of_class)):
        mine = x[labels == code]
        if len(mine) and of_class[code] > 0:
            low[code], high[code] = mine.min(axis=0), mine.max(axis=0)
    return _Spread(moments, low, high)


def _refuse_separated(spread: _Spread, design: Design, flat: NDArray[np.bool_]) -> None:
    """Raise an `InputError` if a single term decides the class of some rows, so that its weight would be
    infinite.
    """
    for code in range(len(spread.low)):
        others = np.arange(len(spread.low)) != code
        below = spread.high[code] <= spread.low[others].min(axis=0)
        above = spread.low[code] >= spread.high[others].max(axis=0)
        decided = np.flatnonzero((below | above) & ~flat)
        if len(decided):
            raise InputError(
                f"{design.names[decided[0]]} decides the class of some rows, so there are no finite "
                "maximum likelihood weights; give penalty='l2' and a strength, or leave out the "
                "column"
            )


@dataclass(frozen=True, eq=False)
class _Units:
    """Conversion of a partition to standardised terms; only the kept terms have weights."""

    design: Design
    centre: Floats
    scale: Floats
    kept: NDArray[np.intp]
    of_class: Floats
    link: str
    intercept: bool
    reference: bool

    def objective(self, partition: Partition) -> tuple[Any, float]:
        """Return the objective on a partition, and the weight of its rows."""
        x, labels = term_rows(partition, self.design)
        z = np.asfortranarray((x[:, self.kept] - self.centre[self.kept]) / self.scale[self.kept])
        weights = self.of_class[labels]
        counted = weights > 0
        if not counted.all():
            z, labels, weights = np.asfortranarray(z[counted]), labels[counted], weights[counted]
        if len(self.of_class) == 2:
            found: Any = TwoClasses(z, labels.astype(np.float64), weights, 0.0, self.link, self.intercept)
        else:
            found = ManyClasses(
                z, labels, len(self.of_class), weights, 0.0, self.intercept, reference=self.reference
            )
        return found, float(weights.sum())


@pass_result
@dataclass(eq=False)
class _At:
    """Loss, gradient and Hessian at the given weights, summed over rows."""

    loss: float
    gradient: Floats
    curvature: Floats
    weight: float
    largest: float

    def __add__(self, later: _At) -> _At:
        return _At(
            self.loss + later.loss,
            self.gradient + later.gradient,
            self.curvature + later.curvature,
            self.weight + later.weight,
            max(self.largest, later.largest),
        )


def _at(partition: Partition, units: _Units, w: Floats) -> _At:
    objective, weight = units.objective(partition)
    if not weight:
        return _At(0.0, np.zeros(len(w)), np.zeros((len(w), len(w))), 0.0, 0.0)
    loss, gradient = objective.gradient(w)
    largest = float(np.abs(objective.sums(w)).max(initial=0.0))
    return _At(loss * weight, gradient * weight, objective.curvature(w) * weight, weight, largest)


def _products(partition: Partition, units: _Units) -> Floats:
    objective, weight = units.objective(partition)
    if not weight:
        return np.zeros((len(units.kept), len(units.kept)))
    return np.asarray(cross_products(objective.z, objective.share * weight))


class _Summed:
    """Mean loss of all partitions with a ridge penalty; one pass computes everything that a step needs."""

    is_mean = True

    def __init__(self, units: _Units, source: Scan, ridge: float) -> None:
        self.units, self.partitions = units, source.partitions()
        self.outputs = 1 if len(units.of_class) == 2 else len(units.of_class) - int(units.reference)
        self.n_terms = len(units.kept)
        self.n_parameters = self.outputs * (self.n_terms + units.intercept)
        self.n_rows = len(source)
        each = np.append(np.zeros(int(units.intercept)), np.full(self.n_terms, ridge))
        self.ridge = np.tile(each, self.outputs)
        self._last: tuple[Floats, _At] | None = None
        self.n_passes = 0

    def at(self, w: Floats) -> _At:
        """Return the sums at the given weights."""
        if self._last is None or not np.array_equal(self._last[0], w):
            found = total(partial(_at, units=self.units, w=w.copy()), self.partitions)
            self._last = w.copy(), found
            self.n_passes += 1
        return self._last[1]

    def loss(self, w: Floats, rows: Any = None) -> float:
        """Return the mean loss with the penalty."""
        at = self.at(w)
        return at.loss / at.weight + float(self.ridge @ np.square(w))

    def gradient(self, w: Floats, rows: Any = None) -> tuple[float, Floats]:
        """Return the mean loss and its gradient."""
        at = self.at(w)
        return self.loss(w), at.gradient / at.weight + 2.0 * self.ridge * w

    def hessian(self, w: Floats) -> Floats:
        """Return the Hessian."""
        at = self.at(w)
        return at.curvature / at.weight + np.diag(2.0 * self.ridge)

    def split(self, w: Floats) -> tuple[Floats, Floats]:
        """Return the intercepts and the weights, one row per output."""
        rows = w.reshape(self.outputs, -1)
        return (rows[:, 0], rows[:, 1:]) if self.units.intercept else (np.zeros(self.outputs), rows)


def _terms(design: Design, means: Floats, deviations: Floats, weight: float) -> Terms:
    found = Terms(design, np.empty((0, len(means))), np.array([weight]), np.empty(0, np.intp))
    found.__dict__["known"] = means, deviations
    return found
