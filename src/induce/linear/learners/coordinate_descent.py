"""Weights under penalties that make some of them 0, by scikit-learn's coordinate descent."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import enet_path

from induce.linear.likelihood import ClassFit
from induce.linear.standard import cross_products
from induce.statistics.logistic import log1p_exp, log_softmax, sigmoid, softmax

Floats = NDArray[np.float64]

STEPS = 100
NEGLIGIBLE = 1e-10
MANY = 4
"""So many times more rows than terms are replaced by as many rows as there are terms."""


def sparse_path(
    z: Floats, y: Floats, weights: Floats, strengths: Floats, l1_share: float, intercept: bool
) -> Floats:
    """Return the weights with the least mean squared error plus strength · (l1_share Σ|w| + (1 - l1_share) Σw²).

    Parameters
    ----------
    z : array of float, shape (rows, terms)
    y, weights : array of float
    strengths : array of float
        A row of weights is returned for each.
    l1_share : float
        Share of the penalty on absolute weights; above 0.
    intercept : bool
    """
    share = weights / weights.sum()
    mean = float(share @ y) if intercept else 0.0
    # half the mean squared error is what scikit-learn minimises
    return _solved(z, y - mean, share, 0.5 * strengths * l1_share, 0.5 * strengths * (1.0 - l1_share), None)


def sparse_from_products(square: Floats, along: Floats, strength: float, l1_share: float) -> Floats:
    """Return the weights of `sparse_path` from the mean products of terms with each other and with the target."""
    penalty = np.array([0.5 * strength * l1_share]), np.array([0.5 * strength * (1.0 - l1_share)])
    return np.asarray(_descended(*_rows_of(square, along), *penalty, np.zeros(len(along)))[0])


def _solved(
    z: Floats, y: Floats, share: Floats, absolute: Floats, squared: Floats, start: Floats | None
) -> Floats:
    """Minimise ½ Σ share (y - z w)² + absolute Σ|w| + squared Σ w² for each strength."""
    rows, target = _few_rows(z, y, share)
    return _descended(rows, target, absolute, squared, np.zeros(z.shape[1]) if start is None else start)


def _few_rows(z: Floats, y: Floats, share: Floats) -> tuple[Floats, Floats]:
    """Return rows with the same sum of squared errors up to a constant; where rows are many, one for each term."""
    if len(z) <= MANY * z.shape[1]:
        root = np.sqrt(share)
        return z * root[:, np.newaxis], y * root
    return _rows_of(cross_products(z, share), z.T @ (share * y))


def _rows_of(square: Floats, along: Floats) -> tuple[Floats, Floats]:
    """Return rows R and targets t with RᵀR = square and Rᵀt = along."""
    values, vectors = np.linalg.eigh(square)
    root = np.sqrt(np.maximum(values, NEGLIGIBLE**1.4 * max(float(values.max(initial=0.0)), 1e-300)))
    return root[:, np.newaxis] * vectors.T, (vectors.T @ along) / root


def _descended(rows: Floats, target: Floats, absolute: Floats, squared: Floats, start: Floats) -> Floats:
    """Minimise ½ |target - rows w|² + absolute Σ|w| + squared Σ w² for each strength."""
    n = len(target)
    scaled, target = np.asfortranarray(rows) * np.sqrt(n), target * np.sqrt(n)
    found = np.zeros((len(absolute), rows.shape[1]))
    coefficients = start.copy()  # it is changed in place
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for place, (a, s) in enumerate(zip(absolute.tolist(), squared.tolist(), strict=True)):
            alpha = a + 2.0 * s
            _, path, _ = enet_path(
                scaled,
                target,
                l1_ratio=a / alpha,
                alphas=[alpha],
                coef_init=coefficients,
                max_iter=20_000,
                tol=1e-9,
            )
            found[place] = path[:, 0]
            coefficients = path[:, 0].copy()
    return found


class _SparseClasses:
    """Mean loss of logistic units, one for two classes and else one for each, plus a penalty with corners."""

    def __init__(
        self,
        z: Floats,
        codes: NDArray[np.int64],
        n_classes: int,
        weights: Floats,
        strength: float,
        l1_share: float,
        intercept: bool,
    ) -> None:
        self.z, self.codes, self.share = z, codes, weights / weights.sum()
        self.absolute, self.squared = strength * l1_share, strength * (1.0 - l1_share)
        self.intercept = intercept
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
        """Return weights with the least penalty among those that say the same: of a term all may be shifted alike."""
        n = len(w)
        candidates = w
        if self.squared:
            above = np.arange(n + 1)[:, np.newaxis]
            stationary = w.mean(axis=0) + self.absolute * (2 * above - n) / (2.0 * self.squared * n)
            candidates = np.concatenate([w, stationary])
        shifted = w - candidates[:, np.newaxis]
        costs = (self.absolute * np.abs(shifted) + self.squared * np.square(shifted)).sum(axis=1)
        return w - np.take_along_axis(candidates, costs.argmin(axis=0)[np.newaxis], axis=0)

    def aim(self, k: int, w: Floats, sums: Floats) -> tuple[float, Floats]:
        """Return intercept and weights of an output that minimise the parabola which touches the cost."""
        p = self.chances(sums)[:, k]
        curve = np.maximum(p * (1.0 - p), 1e-6)
        response = sums[:, k] + (self.hot[:, k] - p) / curve
        heavy = self.share * curve
        penalty = np.array([self.absolute]), np.array([self.squared])
        if not self.intercept:
            return 0.0, _solved(self.z, response, heavy, *penalty, w[k])[0]
        total = float(heavy.sum())
        centre, middle = (heavy @ self.z) / total, float(heavy @ response) / total
        if len(self.z) > MANY * self.z.shape[1]:  # centred products, without centred rows
            square = cross_products(self.z, heavy) - total * np.outer(centre, centre)
            along = self.z.T @ (heavy * (response - middle))
            found = _descended(*_rows_of(square, along), *penalty, w[k])[0]
        else:
            found = _solved(self.z - centre, response - middle, heavy, *penalty, w[k])[0]
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
) -> ClassFit:
    """Return intercepts and weights with the least mean logistic loss plus the penalty of `sparse_path`.

    Each step minimises, for one output after the other, the parabola that touches the cost, and goes as far along as
    the cost falls (Friedman, Hastie and Tibshirani 2010).

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
        Intercepts and weights to start from.
    """
    task = _SparseClasses(z, codes, n_classes, weights, strength, l1_share, intercept)
    b, w = np.zeros(task.outputs), np.zeros((task.outputs, z.shape[1]))
    if start is not None:
        b, w = start.intercepts.copy(), start.weights.copy()
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
        if before - now <= NEGLIGIBLE * 1e-4 and moved <= 1e-8:
            break
    return ClassFit(b, w, task.loss(sums), None, float(np.abs(sums).max(initial=0.0)))
