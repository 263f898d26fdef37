"""Class likelihoods with sparse penalties, maximised by quadratic approximation and coordinate descent."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, cholesky, solve_triangular

from induce.linear.class_losses import ManyClasses, TwoClasses
from induce.linear.learners.coordinate_descent import COARSE, FINE, MANY, descended, rows_of, solved
from induce.linear.likelihood import ENOUGH, MOST_SQUARE, ClassFit
from induce.linear.standard import cross_products
from induce.statistics.logistic import log1p_exp, log_softmax, sigmoid, softmax

Floats = NDArray[np.float64]

STEPS = 100
NEGLIGIBLE = 1e-14
"""Relative decrease of the cost below which the iteration ends."""
NEGLIGIBLE_WHEN_COARSE = 1e-6
DAMPING = 1e-9
"""Fraction of the mean second derivative that is added to each, as some are 0."""


class KeptParabola:
    """Hessian of the loss, reused as long as each step is much shorter than the last.

    Intercepts are not penalised and are eliminated, so that coordinate descent handles only the weights. One instance
    serves all strengths of a penalty.
    """

    def __init__(self) -> None:
        self.known = False
        self._last = np.inf

    def begin(self) -> None:
        """Start with a new strength."""
        self._last = np.inf

    def moved(self, size: float) -> None:
        """Report the length of a step: the Hessian is recomputed unless the step is much shorter than the
        last.
        """
        self.known = self.known and size <= ENOUGH * self._last
        self._last = size

    def forget(self) -> None:
        """Recompute the Hessian at the next step."""
        self.known = False

    def _form(self, objective: TwoClasses | ManyClasses, at: Floats) -> None:
        square = objective.curvature(at)
        square[np.diag_indices(len(square))] += DAMPING * max(float(np.diag(square).mean()), 1e-300)
        width = objective.n_terms + int(objective.intercept)
        places = np.arange(len(square)).reshape(-1, width)
        self._weights, self._intercepts = places[:, width - objective.n_terms :].ravel(), places[:, 0]
        self._square = square[np.ix_(self._weights, self._weights)]
        if objective.intercept:
            self._between = square[np.ix_(self._intercepts, self._weights)]
            self._inner = cho_factor(square[np.ix_(self._intercepts, self._intercepts)])
            self._square = self._square - self._between.T @ cho_solve(self._inner, self._between)
            self._square[np.diag_indices(len(self._square))] *= 1.0 + DAMPING
        self._root = np.asarray(cholesky(self._square))
        self.known = True

    def aim(
        self, objective: TwoClasses | ManyClasses, at: Floats, absolute: float, squared: float, tol: float
    ) -> Floats:
        """Return intercepts and weights that minimise the quadratic approximation of the loss plus the penalty."""
        if not self.known:
            self._form(objective, at)
        g = objective.gradient(at)[1]
        w, pull = at[self._weights], g[self._weights]
        if objective.intercept:
            pull = pull - self._between.T @ cho_solve(self._inner, g[self._intercepts])
        target = self._root @ w - solve_triangular(self._root, pull, trans="T")
        found = at.copy()
        to = descended(self._root, target, np.array([absolute]), np.array([squared]), w, tol)[0]
        found[self._weights] = to
        if objective.intercept:
            rest = g[self._intercepts] + self._between @ (to - w)
            found[self._intercepts] -= cho_solve(self._inner, rest)
        return found


class _SparseClasses:
    """Mean loss of logistic units, one for two classes and otherwise one per class, plus a nonsmooth penalty."""

    def __init__(
        self,
        z: Floats,
        codes: NDArray[np.int64],
        n_classes: int,
        weights: Floats,
        strength: float,
        l1_share: float,
        intercept: bool,
        tol: float,
    ) -> None:
        self.tol = tol
        self.z, self.codes, self.share = z, codes, weights / weights.sum()
        self.absolute, self.squared = strength * l1_share, strength * (1.0 - l1_share)
        self.intercept, self.n_classes, self.weights = intercept, n_classes, weights
        self.outputs = 1 if n_classes == 2 else n_classes
        classes = np.arange(n_classes)[1:] if n_classes == 2 else np.arange(n_classes)
        self.hot = (codes[:, np.newaxis] == classes).astype(np.float64)

    def chances(self, sums: Floats) -> Floats:
        """Return the probability of each output."""
        return sigmoid(sums) if self.outputs == 1 else softmax(sums)

    def loss(self, sums: Floats) -> float:
        """Return the mean loss."""
        if self.outputs == 1:
            return float(self.share @ log1p_exp(np.where(self.hot[:, 0] > 0, -1.0, 1.0) * sums[:, 0]))
        return -float(self.share @ log_softmax(sums)[np.arange(len(sums)), self.codes])

    def cost(self, w: Floats, sums: Floats) -> float:
        """Return the mean loss plus the penalty."""
        return self.loss(sums) + self.absolute * float(np.abs(w).sum()) + self.squared * float((w * w).sum())

    def levelled(self, w: Floats) -> Floats:
        """Return equivalent weights with the smallest penalty; all weights of a term may be shifted by a
        constant.
        """
        n = len(w)
        candidates = w
        if self.squared:
            above = np.arange(n + 1)[:, np.newaxis]
            stationary = w.mean(axis=0) + self.absolute * (2 * above - n) / (2.0 * self.squared * n)
            candidates = np.concatenate([w, stationary])
        shifted = w - candidates[:, np.newaxis]
        costs = (self.absolute * np.abs(shifted) + self.squared * np.square(shifted)).sum(axis=1)
        return w - np.take_along_axis(candidates, costs.argmin(axis=0)[np.newaxis], axis=0)

    def objective(self) -> TwoClasses | ManyClasses:
        """Return the mean loss, without the penalty."""
        if self.outputs == 1:
            return TwoClasses(self.z, self.hot[:, 0], self.weights, 0.0, "logistic", self.intercept)
        return ManyClasses(
            self.z, self.codes, self.n_classes, self.weights, 0.0, self.intercept, reference=False
        )

    def aim(self, k: int, w: Floats, sums: Floats) -> tuple[float, Floats]:
        """Return the intercept and weights of an output that minimise the quadratic approximation of the cost."""
        p = self.chances(sums)[:, k]
        curve = np.maximum(p * (1.0 - p), 1e-6)
        response = sums[:, k] + (self.hot[:, k] - p) / curve
        heavy = self.share * curve
        penalty = np.array([self.absolute]), np.array([self.squared])
        if not self.intercept:
            return 0.0, solved(self.z, response, heavy, *penalty, w[k], self.tol)[0]
        total = float(heavy.sum())
        centre, middle = (heavy @ self.z) / total, float(heavy @ response) / total
        if len(self.z) > MANY * self.z.shape[1]:  # centred products without centring the rows
            square = cross_products(self.z, heavy) - total * np.outer(centre, centre)
            along = self.z.T @ (heavy * (response - middle))
            found = descended(*rows_of(square, along), *penalty, w[k], self.tol)[0]
        else:
            found = solved(self.z - centre, response - middle, heavy, *penalty, w[k], self.tol)[0]
        return middle - float(centre @ found), found


def sparse_likelihood(
    z: Floats,
    codes: NDArray[np.int64],
    n_classes: int,
    weights: Floats,
    strength: float,
    l1_share: float,
    intercept: bool,
    start: ClassFit | None = None,
    kept: KeptParabola | None = None,
) -> ClassFit:
    """Return intercepts and weights that minimise the mean logistic loss plus the penalty of `sparse_path`.

    Each step minimises the quadratic approximation of the cost, with a line search. If there are too many
    weights for a Hessian, the outputs are updated in turn (Friedman, Hastie and Tibshirani 2010).

    Parameters
    ----------
    z : array of float, shape (rows, terms)
    codes : array of int
        Class of each row.
    n_classes : int
    weights : array of float
    strength, l1_share : float
    intercept : bool
    start : ClassFit, optional
        Initial intercepts and weights.
    kept : KeptParabola, optional
        Hessian to reuse if lower precision suffices, as for choosing a penalty.
    """
    tol = FINE if kept is None else COARSE
    task = _SparseClasses(z, codes, n_classes, weights, strength, l1_share, intercept, tol)
    b, w = np.zeros(task.outputs), np.zeros((task.outputs, z.shape[1]))
    if start is not None:
        b, w = start.intercepts.copy(), start.weights.copy()
    together = w.size <= MOST_SQUARE
    b, w, sums = _together(task, b, w, kept) if together else _in_turns(task, b, w, kept is not None)
    if task.outputs > 1:
        b = b - b.mean()  # all intercepts may be shifted by a constant: their mean is set to 0
    return ClassFit(b, w, task.loss(sums), None, float(np.abs(sums).max(initial=0.0)))


def _together(
    task: _SparseClasses, b: Floats, w: Floats, kept: KeptParabola | None
) -> tuple[Floats, Floats, Floats]:
    """Return the best intercepts and weights, and the sums of the rows, by joint steps of all outputs."""
    coarse = kept is not None
    parabola = kept or KeptParabola()
    parabola.begin()
    objective, first = task.objective(), int(task.intercept)
    at = (np.column_stack([b, w]) if first else w).ravel()
    now = task.cost(w, objective.sums(at))
    for _ in range(STEPS):
        fresh = not parabola.known
        to = parabola.aim(objective, at, task.absolute, task.squared, task.tol)
        before, size, moved = now, 1.0, 0.0
        while size > 1e-8:
            tried = to if size == 1.0 else at + size * (to - at)
            after = task.cost(objective.split(tried)[1], objective.sums(tried))
            if after <= now:
                moved = float(np.abs(tried - at).max(initial=0.0))
                at, now = tried.copy(), after
                break
            size /= 2.0
        parabola.moved(moved if size == 1.0 else np.inf)
        if task.outputs > 1:
            at.reshape(task.outputs, -1)[:, first:] = task.levelled(objective.split(at)[1])
            now = task.cost(objective.split(at)[1], objective.sums(at))
        if before - now <= (NEGLIGIBLE_WHEN_COARSE if coarse else NEGLIGIBLE) and (coarse or moved <= 1e-8):
            if fresh or coarse:
                break
            parabola.forget()
    intercepts, weights = objective.split(at)
    return intercepts.copy(), weights.copy(), objective.sums(at)


def _in_turns(task: _SparseClasses, b: Floats, w: Floats, coarse: bool) -> tuple[Floats, Floats, Floats]:
    """Return the same result by updating one output at a time."""
    z = task.z
    sums = z @ w.T + b
    now = task.cost(w, sums)
    for _ in range(STEPS if task.outputs == 1 else STEPS * task.outputs):
        before, moved = now, 0.0
        for k in range(task.outputs):
            to_b, to_w = task.aim(k, w, sums)
            step_b, step_w = to_b - b[k], to_w - w[k]
            along = z @ step_w + step_b
            size = 1.0
            while size > 1e-8:
                tried, there = w.copy(), sums.copy()
                tried[k] = to_w if size == 1.0 else w[k] + size * step_w
                there[:, k] += size * along
                after = task.cost(tried, there)
                if after <= now:
                    b[k] += size * step_b
                    w, sums, now = tried, there, after
                    moved = max(moved, float(np.abs(size * step_w).max(initial=0.0)))
                    break
                size /= 2.0
        if task.outputs > 1:
            w = task.levelled(w)
            sums = z @ w.T + b
            now = task.cost(w, sums)
        if before - now <= (NEGLIGIBLE_WHEN_COARSE if coarse else NEGLIGIBLE) and (coarse or moved <= 1e-8):
            break
    return b, w, sums
