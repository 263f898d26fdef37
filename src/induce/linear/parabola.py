"""Laplace approximation of the likelihood of earlier rows, for incremental fitting."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.interrupts import whole_fits
from induce.linear.class_losses import ManyClasses, TwoClasses
from induce.linear.likelihood import STEPS
from induce.linear.separation import SUSPECT
from induce.linear.standard import Standard, cross_products, triangle_of
from induce.optimise.descent import descend
from induce.optimise.stopping import Stop

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

PRIOR = 0.5
"""Penalty on a squared weight if the rows so far have no finite maximum likelihood weights: a normal prior of
variance 1.
"""
FLAT = 1e-9


@dataclass(frozen=True, eq=False)
class Parabola:
    """Summary of earlier rows: the sum of their losses near the best weights is ½ wᵀ square w - along w + constant.

    Parameters
    ----------
    centre, scale : array of float
        Offset and scale of the terms, from the first rows.
    counts : array of float
        Weight of the rows of each class.
    square, along : array of float
        Coefficients of the parabola of intercept and weights of each output, in these units.
    loss : float
        Sum of the losses of the rows, each at the weights after its update.
    """

    centre: Floats
    scale: Floats
    counts: Floats
    square: Floats
    along: Floats
    loss: float

    @classmethod
    def empty(cls, standard: Standard, n_classes: int, outputs: int) -> Parabola:
        """Return the parabola without rows."""
        n = outputs * (len(standard.centre) + 1)
        counts = np.zeros(n_classes)
        return cls(standard.centre, standard.scale, counts, np.zeros((n, n)), np.zeros(n), 0.0)

    @property
    def total(self) -> float:
        """Sum of the weights of the rows."""
        return float(self.counts.sum())


@dataclass(frozen=True, eq=False)
class Updated:
    """Weights of standardised terms after further rows.

    Parameters
    ----------
    parabola : Parabola
    w : array of float, shape (outputs, terms + 1)
        Weights, the intercept first.
    covariance : array of float or None
    settled : bool
        Whether the rows so far determine the weights without a prior.
    """

    parabola: Parabola
    w: Floats
    covariance: Floats | None
    settled: bool


class _WithParabola:
    """Mean loss of all rows: the current ones, and the earlier ones, summarised by a parabola."""

    is_mean = True

    def __init__(
        self, own: TwoClasses | ManyClasses, weight: float, before: Parabola, ridge: Floats, free: Any
    ) -> None:
        self.own, self.weight, self.before = own, weight, before
        self.ridge, self.free = ridge, free
        self.total = weight + before.total
        self.n_rows, self.n_parameters = own.n_rows, len(free)

    def whole(self, v: Floats) -> Floats:
        """Return all weights; fixed ones are 0."""
        w = np.zeros(self.own.n_parameters)
        w[self.free] = v
        return w

    def loss(self, v: Floats, rows: Any = None) -> float:
        """Return the mean loss, up to a constant."""
        w = self.whole(v)
        gone = 0.5 * w @ self.before.square @ w - self.before.along @ w + self.ridge @ np.square(w)
        return (self.weight * self.own.loss(w) + float(gone)) / self.total

    def gradient(self, v: Floats, rows: Any = None) -> tuple[float, Floats]:
        """Return the mean loss and its gradient."""
        w = self.whole(v)
        gone = self.before.square @ w - self.before.along + 2.0 * self.ridge * w
        return self.loss(v), ((self.weight * self.own.gradient(w)[1] + gone) / self.total)[self.free]

    def information(self, v: Floats) -> Floats:
        """Return the Hessian of the sum of all losses."""
        curved = self.weight * self.own.curvature(self.whole(v)) + self.before.square
        return np.asarray((curved + np.diag(2.0 * self.ridge))[np.ix_(self.free, self.free)])

    def hessian(self, v: Floats) -> Floats:
        """Return the Hessian of the mean loss."""
        return self.information(v) / self.total


def updated(
    before: Parabola, z: Floats, codes: Codes, weights: Floats, start: Floats, strength: float, link: str
) -> Updated:
    """Add the likelihood of further rows to that of earlier rows, and return the best weights.

    Parameters
    ----------
    before : Parabola
    z : array of float, shape (rows, terms)
        Terms in the units of the parabola.
    codes : array of int
        Class of each row.
    weights : array of float
    start : array of float, shape (outputs, terms + 1)
        Current weights.
    strength : float
        Strength of an L2 penalty.
    link : {"logistic", "probit"}
    """
    n_classes, weight = len(before.counts), float(weights.sum())
    objective: TwoClasses | ManyClasses
    if n_classes == 2:
        objective = TwoClasses(z, codes.astype(np.float64), weights, 0.0, link, True)
    else:
        objective = ManyClasses(z, codes, n_classes, weights, 0.0, True, reference=not strength)
    counts = before.counts + np.bincount(codes, weights, n_classes)
    outputs, width = start.shape
    free = np.arange(outputs * width) if strength else _free(before, z, weights, outputs)
    ridge = np.tile(np.append(0.0, np.full(width - 1, strength * counts.sum())), outputs)
    found = None
    if (counts > 0).all():
        found = _minimised(_WithParabola(objective, weight, before, ridge, free), start)
    settled = found is not None and float(np.abs(objective.sums(found)).max(initial=0.0)) <= SUSPECT
    if not settled:
        ridge = ridge + PRIOR
        found = _minimised(_WithParabola(objective, weight, before, ridge, free), np.zeros_like(start))
    assert found is not None
    covariance = None
    if settled and not strength:
        task = _WithParabola(objective, weight, before, ridge, free)
        covariance = np.full((len(found),) * 2, 0.0)
        covariance[np.ix_(free, free)] = np.linalg.inv(task.information(found[free]))
        rest = np.setdiff1d(np.arange(len(found)), free)
        covariance[rest, rest] = np.nan
    square = weight * objective.curvature(found)
    pull = weight * objective.gradient(found)[1]
    parabola = replace(
        before,
        counts=counts,
        square=before.square + square,
        along=before.along + square @ found - pull,
        loss=before.loss + weight * objective.loss(found),
    )
    return Updated(parabola, found.reshape(outputs, width), covariance, settled)


def _minimised(task: _WithParabola, start: Floats) -> Floats:
    stop = Stop(max_epochs=STEPS, gradient_below=FLAT)
    with whole_fits():
        return task.whole(descend(task, start.ravel()[task.free], direction="newton", stop=stop).w)


def _free(before: Parabola, z: Floats, weights: Floats, outputs: int) -> NDArray[np.intp]:
    """Return whether each weight is free: its term does not depend on earlier terms in the rows so far."""
    width = z.shape[1] + 1
    rows = np.column_stack([np.ones(len(z)), z])
    # the products of earlier rows enter each output with positive weights, so the dependences are the same
    square = cross_products(rows, weights) + before.square[-width:, -width:]
    there = np.diag(triangle_of(square)) > 1e-6 * np.sqrt(np.diag(square))
    there &= np.diag(square) > 0
    return np.flatnonzero(np.tile(there, outputs))
