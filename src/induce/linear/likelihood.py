"""Maximum likelihood for classes: logistic and probit units, and several classes (AIMA 18.6.4, 20.5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.interrupts import whole_fits
from induce.linear.standard import BLOCK, cross_products
from induce.optimise.descent import descend
from induce.optimise.directions import Memory, Newton, newton_step
from induce.optimise.stopping import Stop
from induce.statistics.logistic import log1p_exp, log_softmax, sigmoid

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

MOST_SQUARE_OF_CLASSES = 100
"""The same for several classes where no errors are wanted."""
SAMPLE = 20_000
"""Rows from which the first weights come, where there are several times as many."""
MODERATE = 100.0
"""Sums of a sample beyond this are no good start: it may be separable."""
STEPS = 60
FLAT = 1e-10
"""A derivative of the mean loss below this is zero."""
NEARLY_FLAT = 1e-7
"""So is this, where many weights or many fits are wanted."""
ENOUGH = 0.3
"""Share of the last gradient down to which an update must lead for second derivatives to be kept."""
MOST_SQUARE = 1500
"""Most weights for which second derivatives are formed; with more, L-BFGS is used and there are no errors."""


@dataclass(frozen=True, eq=False)
class ClassFit:
    """Weights of classes in standard units.

    Parameters
    ----------
    intercepts : array of float, shape (outputs,)
    weights : array of float, shape (outputs, terms)
    loss : float
        Mean loss without the penalty.
    covariance : array of float or None
    largest : float
        Size of the largest sum of a row.
    """

    intercepts: Floats
    weights: Floats
    loss: float
    covariance: Floats | None
    largest: float


class _Sums:
    """What the objectives share: the weighted sums, kept for the weights they were made for."""

    def __init__(
        self, z: Floats, weights: Floats, ridge: float | Floats, intercept: bool, outputs: int
    ) -> None:
        self.z, self.share = z, weights / weights.sum()
        self.ridge = np.broadcast_to(np.asarray(ridge, np.float64), z.shape[1:])
        self.intercept, self.outputs = intercept, outputs
        self.n_rows, self.n_terms = z.shape
        self.n_parameters = outputs * (self.n_terms + intercept)
        self._at: Floats | None = None
        self._sums: Floats = np.zeros(0)
        self._made: dict[str, Any] = {}
        """What was made of these sums: a step asks for loss, gradient and second derivatives at the same weights."""

    def split(self, w: Floats) -> tuple[Floats, Floats]:
        """Return the intercepts and the weights, a row for each output."""
        rows = w.reshape(self.outputs, -1)
        if self.intercept:
            return rows[:, 0], rows[:, 1:]
        return np.zeros(self.outputs), rows

    def sums(self, w: Floats) -> Floats:
        """Return the weighted sums, shape (rows, outputs)."""
        if self._at is None or not np.array_equal(self._at, w):
            intercepts, weights = self.split(w)
            self._sums = self.z @ weights.T + intercepts
            self._at, self._made = w.copy(), {}
        return self._sums

    def _of_sums(self, name: str, w: Floats, make: Callable[[Floats], Any]) -> Any:
        """Return something made of the sums, kept for the weights they were made for."""
        sums = self.sums(w)
        if name not in self._made:
            self._made[name] = make(sums)
        return self._made[name]

    def _penalty(self, w: Floats) -> float:
        return float((np.square(self.split(w)[1]) @ self.ridge).sum())

    def _joined(self, pull: Floats, w: Floats) -> Floats:
        """Return the gradient from the derivatives by the sums, shape (rows, outputs)."""
        found = (self.z.T @ pull).T + 2.0 * self.ridge * self.split(w)[1]
        return (np.column_stack([pull.sum(axis=0), found]) if self.intercept else found).ravel()

    def _products(self, curve: Floats) -> Floats:
        """Return Σ curve · x xᵀ over the rows, where x begins with 1 if there is an intercept."""
        first = int(self.intercept)
        found = np.zeros((self.n_terms + first,) * 2)
        for start in range(0, self.n_rows, BLOCK):
            part = slice(start, start + BLOCK)
            times = self.z[part] * curve[part, np.newaxis]
            found[first:, first:] += times.T @ self.z[part]
            if first:
                found[0, 1:] += times.sum(axis=0)
                found[0, 0] += float(curve[part].sum())
        found[1:, 0] = found[0, 1:]
        return found

    def curvature(self, w: Floats) -> Floats:
        """Return the second derivatives of the mean loss without the penalty."""
        raise NotImplementedError

    def hessian(self, w: Floats) -> Floats:
        """Return the second derivatives of the mean loss."""
        return self.ridged(self.curvature(w))

    def ridged(self, square: Floats) -> Floats:
        """Add the second derivatives of the penalty."""
        each = np.append(np.zeros(int(self.intercept)), 2.0 * self.ridge)
        return square + np.diag(np.tile(each, self.outputs))


class TwoClasses(_Sums):
    """Mean loss -log P(class) of a logistic or probit unit, plus `ridge` times the sum of squared weights."""

    is_mean = True

    def __init__(
        self,
        z: Floats,
        y: Floats,
        weights: Floats,
        ridge: float | Floats,
        link: str,
        intercept: bool,
    ) -> None:
        super().__init__(z, weights, ridge, intercept, 1)
        self.sign = np.where(y > 0, 1.0, -1.0)
        self.probit = link == "probit"

    def loss(self, w: Floats, rows: Any = None) -> float:
        """Return the mean loss."""
        return float(self._of_sums("loss", w, self._mean_loss)) + self._penalty(w)

    def _mean_loss(self, sums: Floats) -> float:
        margin = self.sign * sums[:, 0]
        if self.probit:
            from scipy.special import log_ndtr

            return float(-(self.share @ log_ndtr(margin)))
        return float(self.share @ log1p_exp(-margin))

    def _chances(self, w: Floats) -> Floats:
        return np.asarray(self._of_sums("chances", w, lambda sums: sigmoid(sums[:, 0])))

    def gradient(self, w: Floats, rows: Any = None) -> tuple[float, Floats]:
        """Return the mean loss and its gradient."""
        if self.probit:
            pull = -self.share * self.sign * self._mills(self.sign * self.sums(w)[:, 0])
        else:
            pull = self.share * (self._chances(w) - 0.5 * (self.sign + 1.0))
        return self.loss(w), self._joined(pull[:, np.newaxis], w)

    def curvature(self, w: Floats) -> Floats:
        """Return the second derivatives of the mean loss without the penalty."""
        sums = self.sums(w)[:, 0]
        if self.probit:
            slope = self._mills(self.sign * sums)
            curve = slope * (slope + self.sign * sums)
        else:
            p = self._chances(w)
            curve = p * (1.0 - p)
        weights = self.share * curve
        first = int(self.intercept)
        found = np.zeros((self.n_terms + first,) * 2)
        found[first:, first:] = cross_products(self.z, weights)
        if first:
            found[0, 0] = weights.sum()
            found[0, 1:] = found[1:, 0] = weights @ self.z
        return found

    @staticmethod
    def _mills(margin: Floats) -> Floats:
        """Return φ(margin) / Φ(margin), finite in the tails."""
        from scipy.special import log_ndtr

        return np.asarray(np.exp(-0.5 * np.square(margin) - 0.5 * np.log(2 * np.pi) - log_ndtr(margin)))


class ManyClasses(_Sums):
    """Mean loss -log P(class) of a softmax over classes, plus `ridge` times the sum of squared weights.

    Unless all terms have a ridge, the first class has no weights of its own: the others are compared with it.
    """

    is_mean = True

    def __init__(
        self,
        z: Floats,
        codes: Codes,
        n_classes: int,
        weights: Floats,
        ridge: float | Floats,
        intercept: bool,
    ) -> None:
        self.first = 0 if np.all(np.asarray(ridge) > 0) else 1
        super().__init__(z, weights, ridge, intercept, n_classes - self.first)
        self.codes = codes

    def _log_chances(self, w: Floats) -> Floats:
        """Return log P of each class for each row."""

        def made(sums: Floats) -> Floats:
            return log_softmax(np.column_stack([np.zeros(self.n_rows), sums]) if self.first else sums)

        return np.asarray(self._of_sums("logs", w, made))

    def loss(self, w: Floats, rows: Any = None) -> float:
        """Return the mean loss."""
        chances = self._log_chances(w)[np.arange(self.n_rows), self.codes]
        return float(-(self.share @ chances)) + self._penalty(w)

    def gradient(self, w: Floats, rows: Any = None) -> tuple[float, Floats]:
        """Return the mean loss and its gradient."""
        pull = np.exp(self._log_chances(w))
        pull[np.arange(self.n_rows), self.codes] -= 1.0
        return self.loss(w), self._joined((pull * self.share[:, np.newaxis])[:, self.first :], w)

    def curvature(self, w: Floats) -> Floats:
        """Return the second derivatives of the mean loss without the penalty."""
        p = np.exp(self._log_chances(w))[:, self.first :]
        width = self.n_terms + int(self.intercept)
        found = np.zeros((self.outputs * width,) * 2)
        for a in range(self.outputs):
            for b in range(a, self.outputs):
                block = self._products(self.share * p[:, a] * ((a == b) - p[:, b]))
                rows, columns = slice(a * width, (a + 1) * width), slice(b * width, (b + 1) * width)
                found[rows, columns] = block
                found[columns, rows] = block.T
        if not self.first:  # adding the same number to all intercepts changes nothing
            found[::width, ::width] += 1e-8 * np.eye(self.outputs)
        return found


class CountedClasses(ManyClasses):
    """The same where each row says how often each class was seen with it; counts may be fractions.

    Parameters
    ----------
    z : array of float, shape (rows, terms)
    counts : array of float, shape (rows, classes)
    ridge : float or array of float
    intercept : bool
    """

    def __init__(self, z: Floats, counts: Floats, ridge: float | Floats, intercept: bool) -> None:
        totals = counts.sum(axis=1)
        super().__init__(z, np.zeros(len(z), np.int64), counts.shape[1], totals, ridge, intercept)
        self.counts = counts / totals.sum()

    def loss(self, w: Floats, rows: Any = None) -> float:
        """Return the mean loss."""
        return -float((self.counts * self._log_chances(w)).sum()) + self._penalty(w)

    def gradient(self, w: Floats, rows: Any = None) -> tuple[float, Floats]:
        """Return the mean loss and its gradient."""
        pull = np.exp(self._log_chances(w)) * self.share[:, np.newaxis] - self.counts
        return self.loss(w), self._joined(pull[:, self.first :], w)


def likelihood_of_counts(z: Floats, counts: Floats, ridge: Floats) -> Floats:
    """Return the weights of each class, shape (classes, terms), that make counts most likely under a ridge.

    Parameters
    ----------
    z : array of float, shape (rows, terms)
        Terms, a constant among them if there is to be an intercept.
    counts : array of float, shape (rows, classes)
        How often each class was seen with each row.
    ridge : array of float
        What the square of each weight costs beside the sum of -log P; above 0.

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
    """Newton's direction by second derivatives that are kept while each update makes the gradient much smaller.

    Along penalties of several strengths one instance serves all: the penalty's own part is always that of the
    strength in hand.
    """

    def __init__(self) -> None:
        self._curvature: Floats | None = None
        self._last = np.inf

    def start(self, n: int) -> Memory:
        """Keep the second derivatives of the last run."""
        self._last = np.inf
        return {}

    def toward(self, objective: Any, w: Floats, g: Floats, memory: Memory) -> Floats:
        """Return the solution of H d = -g."""
        size = float(np.abs(g).max(initial=0.0))
        if self._curvature is None or size > ENOUGH * self._last:
            self._curvature = objective.curvature(w)
        self._last = size
        return newton_step(objective.ridged(self._curvature), g)


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
    """Return the weights with the largest likelihood, or with the least mean loss plus a ridge.

    Parameters
    ----------
    z : array of float, shape (rows, terms)
        Independent terms in standard units.
    codes : array of int
        Class of each row.
    n_classes : int
    weights : array of float
    ridge : float or array of float
        Strength of the penalty on squared weights, of all terms or of each.
    link : {"logistic", "probit"}
        For two classes.
    intercept : bool
    signs : array of float, optional
        Signs that weights must have, of two classes; 0 is free.
    start : array of float, optional
        Weights to start from.
    newton : KeptNewton, optional
        Second derivatives to go on with, where a choice among penalties needs fewer digits.
    errors : bool
        Whether the covariance is wanted; with a ridge on all terms there is none.
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
    # the second derivatives of many classes cost as much as many steps without them
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
        covariance = _inverse(objective.hessian(w) * float(weights.sum()), intercept)
    sums = objective.sums(w)
    return ClassFit(intercepts, rows, objective.loss(w), covariance, float(np.abs(sums).max(initial=0.0)))


def _inverse(information: Floats, intercept: bool) -> Floats | None:
    """Return the covariance of the weights; an intercept that is not there gets a variance of 0."""
    try:
        found = np.linalg.inv(information)
    except np.linalg.LinAlgError:
        return None
    if (np.diag(found) < 0).any():
        return None
    if intercept:
        return np.asarray(found)
    whole = np.zeros((len(found) + 1,) * 2)
    whole[1:, 1:] = found
    return whole


def _bounded(objective: Any, w: Floats, signs: Floats, intercept: bool) -> Floats:
    """Minimise with signs of weights fixed."""
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
