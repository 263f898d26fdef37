"""Maximum likelihood for classes: logistic and probit units, and several classes (AIMA 18.6.4, 20.5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.interrupts import whole_fits
from induce.linear.class_losses import Codes, CountedClasses, Floats, ManyClasses, TwoClasses
from induce.optimise.descent import descend
from induce.optimise.directions import Memory, Newton, newton_solver
from induce.optimise.stopping import Stop

SAMPLE = 20_000
"""Sample size for the initial weights, if there are several times as many rows."""
MODERATE = 100.0
"""Largest sum of a sample for a useful start; beyond it the sample may be separable."""
STEPS = 60
FLAT = 1e-10
"""Tolerance below which derivatives of the mean loss are zero."""
NEARLY_FLAT = 1e-7
"""Looser tolerance for many weights or many fits."""
ENOUGH = 0.3
"""Maximum ratio of successive gradient norms for which the Hessian is reused."""
MOST_SQUARE = 1500
"""Maximum number of weights for computing a Hessian; with more, L-BFGS is used and there are no standard
errors.
"""
MOST_SQUARE_OF_CLASSES = 100
"""The same maximum for several classes if no standard errors are needed."""


@dataclass(frozen=True, eq=False)
class ClassFit:
    """Weights of the classes for standardised terms.

    Parameters
    ----------
    intercepts : array of float, shape (outputs,)
    weights : array of float, shape (outputs, terms)
    loss : float
        Mean loss without the penalty.
    covariance : array of float or None
    largest : float
        Largest absolute sum of a row.
    """

    intercepts: Floats
    weights: Floats
    loss: float
    covariance: Floats | None
    largest: float


def likelihood_of_counts(z: Floats, counts: Floats, ridge: Floats) -> Floats:
    """Return the maximum-likelihood weights of each class under a ridge penalty, shape (classes, terms).

    Parameters
    ----------
    z : array of float, shape (rows, terms)
        Terms, including a constant if there is an intercept.
    counts : array of float, shape (rows, classes)
        Number of examples of each class for each row.
    ridge : array of float
        Penalty on the square of each weight, relative to the sum of -log P; greater than 0.

    Examples
    --------
    >>> found = likelihood_of_counts(np.ones((1, 1)), np.array([[1.0, 3.0]]), np.array([1e-9]))
    >>> (found[1] - found[0]).round(6).tolist()
    [1.098612]
    """
    total = float(counts.sum())
    if not total > 0:
        return np.zeros((counts.shape[1], z.shape[1]))
    objective = CountedClasses(z, counts, np.asarray(ridge) / total, intercept=False)
    stop = Stop(max_epochs=STEPS, gradient_below=FLAT)
    with whole_fits():
        found = descend(objective, np.zeros(objective.n_parameters), direction="newton", stop=stop)
    return objective.split(found.w)[1]


class KeptNewton(Newton):
    """Newton's direction with a Hessian that is reused as long as each update makes the gradient much
    smaller.

    One instance serves all strengths of a penalty: the penalty's own part is always current.
    """

    def __init__(self) -> None:
        self._curvature: Floats | None = None
        self._ridge: Floats = np.zeros(0)
        self._solve: Callable[[Floats], Floats] = np.negative
        self._last = np.inf

    def start(self, n: int) -> Memory:
        """Keep the Hessian of the last run."""
        self._last = np.inf
        return {}

    def toward(self, objective: Any, w: Floats, g: Floats, memory: Memory) -> Floats:
        """Return the solution of H d = -g."""
        size = float(np.abs(g).max(initial=0.0))
        if self._curvature is None or size > ENOUGH * self._last:
            self._curvature, self._ridge = objective.curvature(w), np.zeros(0)
        if not np.array_equal(self._ridge, objective.ridge):
            self._ridge = objective.ridge.copy()
            self._solve = newton_solver(objective.ridged(self._curvature))
        self._last = size
        return self._solve(g)


def maximum_likelihood(
    z: Floats,
    codes: Codes,
    n_classes: int,
    weights: Floats,
    *,
    ridge: float | Floats = 0.0,
    link: str = "logistic",
    intercept: bool = True,
    signs: Floats | None = None,
    start: Floats | None = None,
    newton: KeptNewton | None = None,
    errors: bool = True,
) -> ClassFit:
    """Return the maximum-likelihood weights, or those that minimise the mean loss plus a ridge penalty.

    Parameters
    ----------
    z : array of float, shape (rows, terms)
        Linearly independent, standardised terms.
    codes : array of int
        Class of each row.
    n_classes : int
    weights : array of float
    ridge : float or array of float
        Strength of the penalty on squared weights, of all terms or of each.
    link : {"logistic", "probit"}
        Link function, for two classes.
    intercept : bool
    signs : array of float, optional
        Required signs of weights, for two classes; 0 means unconstrained.
    start : array of float, optional
        Initial weights.
    newton : KeptNewton, optional
        Hessian to reuse if lower precision suffices, as for choosing a penalty.
    errors : bool
        Whether to compute the covariance; with a ridge penalty on all terms there is none.
    """
    objective: TwoClasses | ManyClasses
    if n_classes == 2:
        objective = TwoClasses(z, codes.astype(np.float64), weights, ridge, link, intercept)
    else:
        objective = ManyClasses(z, codes, n_classes, weights, ridge, intercept)
    w = np.zeros(objective.n_parameters) if start is None else start
    if start is None and signs is None and len(z) > 5 * SAMPLE:
        step = len(z) // SAMPLE
        few = maximum_likelihood(
            np.asfortranarray(z[::step]),
            codes[::step],
            n_classes,
            weights[::step],
            ridge=ridge,
            link=link,
            intercept=intercept,
            errors=False,
        )
        if few.largest < MODERATE:
            w = (np.column_stack([few.intercepts, few.weights]) if intercept else few.weights).ravel()
    # for many classes, a Hessian costs as much as many steps without it
    most = MOST_SQUARE if errors or n_classes == 2 else MOST_SQUARE_OF_CLASSES
    small = objective.n_parameters <= most
    if signs is not None and signs.any():
        w = _bounded(objective, w, signs, intercept)
    else:
        flat = (FLAT if newton is None else NEARLY_FLAT) if small else NEARLY_FLAT
        with whole_fits():
            found = descend(
                objective,
                w,
                direction=(newton or "newton") if small else "lbfgs",
                stop=Stop(max_epochs=STEPS if small else 2000, gradient_below=flat),
            )
        w = found.w
    intercepts, rows = objective.split(w)
    covariance = None
    if errors and small and signs is None and not np.all(np.asarray(ridge) > 0):
        covariance = inverse_of(objective.hessian(w) * float(weights.sum()), intercept, len(intercepts))
    sums = objective.sums(w)
    return ClassFit(intercepts, rows, objective.loss(w), covariance, float(np.abs(sums).max(initial=0.0)))


def inverse_of(information: Floats, intercept: bool, outputs: int = 1) -> Floats | None:
    """Return the covariance of the weights; absent intercepts get a variance of 0."""
    try:
        found = np.linalg.inv(information)
    except np.linalg.LinAlgError:
        return None
    if (np.diag(found) < 0).any():
        return None
    if intercept:
        return np.asarray(found)
    width = len(found) // outputs + 1
    places = np.delete(np.arange(outputs * width), np.arange(outputs) * width)
    whole = np.zeros((outputs * width,) * 2)
    whole[np.ix_(places, places)] = found
    return whole


def _bounded(objective: Any, w: Floats, signs: Floats, intercept: bool) -> Floats:
    """Minimise with sign constraints on the weights."""
    from scipy.optimize import minimize

    limits: list[tuple[float | None, float | None]] = [(None, None)] * int(intercept)
    limits += [(0.0 if sign > 0 else None, 0.0 if sign < 0 else None) for sign in signs.tolist()]
    found = minimize(
        lambda at: objective.gradient(np.array(at)),
        w,
        jac=True,
        method="L-BFGS-B",
        bounds=limits,
        options={"maxiter": 5000, "ftol": 1e-15, "gtol": 1e-9},
    )
    return np.asarray(found.x)
