"""Weights under penalties that make some of them 0, by scikit-learn's coordinate descent."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import enet_path

from induce.statistics.logistic import log1p_exp, sigmoid

Floats = NDArray[np.float64]

STEPS = 100
NEGLIGIBLE = 1e-10


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


def _solved(
    z: Floats, y: Floats, share: Floats, absolute: Floats, squared: Floats, start: Floats | None
) -> Floats:
    """Minimise ½ Σ share (y - z w)² + absolute Σ|w| + squared Σ w² for each strength."""
    root = np.sqrt(share * len(y))
    scaled = np.asfortranarray(z * root[:, np.newaxis])
    target = y * root
    found = np.zeros((len(absolute), z.shape[1]))
    coefficients = np.zeros(z.shape[1]) if start is None else start.copy()  # it is changed in place
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


def sparse_likelihood(
    z: Floats,
    y: Floats,
    weights: Floats,
    strength: float,
    l1_share: float,
    intercept: bool,
    start: tuple[float, Floats] | None = None,
) -> tuple[float, Floats]:
    """Return intercept and weights with the least mean logistic loss plus the penalty of `sparse_path`.

    Each step minimises the parabola that touches the loss, and goes as far along as the loss falls (Friedman, Hastie
    and Tibshirani 2010).

    Parameters
    ----------
    z : array of float, shape (rows, terms)
    y : array of float
        0 or 1.
    weights : array of float
    strength, l1_share : float
    intercept : bool
    start : tuple, optional
        Intercept and weights to start from.
    """
    share = weights / weights.sum()
    b, w = start if start is not None else (0.0, np.zeros(z.shape[1]))
    sign = np.where(y > 0, 1.0, -1.0)

    def cost(b: float, w: Floats, sums: Floats) -> float:
        penalty = l1_share * np.abs(w).sum() + (1.0 - l1_share) * np.square(w).sum()
        return float(share @ log1p_exp(-sign * sums)) + strength * float(penalty)

    sums = z @ w + b
    now = cost(b, w, sums)
    for _ in range(STEPS):
        p = sigmoid(sums)
        curve = np.maximum(p * (1.0 - p), 1e-6)
        response = sums + (y - p) / curve
        heavy = share * curve
        centre = (heavy @ z) / heavy.sum() if intercept else np.zeros(z.shape[1])
        middle = float(heavy @ response) / heavy.sum() if intercept else 0.0
        aim = _solved(
            z - centre,
            response - middle,
            heavy,
            np.array([strength * l1_share]),
            np.array([strength * (1.0 - l1_share)]),
            w,
        )[0]
        step_w, step_b = aim - w, (middle - float(centre @ aim) if intercept else 0.0) - b
        step_sums = z @ step_w + step_b
        size = 1.0
        while size > 1e-8 and not cost(b + size * step_b, w + size * step_w, sums + size * step_sums) <= now:
            size /= 2.0
        w, b, sums = (aim if size == 1.0 else w + size * step_w), b + size * step_b, sums + size * step_sums
        after = cost(b, w, sums)
        if now - after <= NEGLIGIBLE * 1e-4 and float(np.abs(size * step_w).max(initial=0.0)) <= 1e-8:
            break
        now = after
    return b, w
