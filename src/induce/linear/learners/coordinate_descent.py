"""Linear models with sparse penalties, fitted by scikit-learn's coordinate descent."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import enet_path

from induce.linear.standard import cross_products

Floats = NDArray[np.float64]

NEGLIGIBLE = 1e-10
ROUNDING = 1e-12
"""Fraction of the largest weight up to which weights are 0."""
FINE = 1e-9
"""Tolerance of coordinate descent."""
COARSE = 1e-6
"""Tolerance for comparing strengths of a penalty: losses on held-out rows differ by far more."""
SWEEPS = 20_000
COARSE_SWEEPS = 300
"""Maximum number of sweeps of coordinate descent; for a parabola, the next one corrects the remaining error."""
MANY = 4
"""Ratio of rows to terms above which the rows are compressed to as many rows as there are terms."""


def sparse_path(
    z: Floats, y: Floats, weights: Floats, strengths: Floats, l1_share: float, intercept: bool
) -> Floats:
    """Return the weights that minimise the mean squared error plus strength · (l1_share Σ|w| + (1 - l1_share) Σw²).

    Parameters
    ----------
    z : array of float, shape (rows, terms)
    y, weights : array of float
    strengths : array of float
        Strengths; one row of weights is returned for each.
    l1_share : float
        Fraction of the penalty that is L1; above 0.
    intercept : bool
    """
    share = weights / weights.sum()
    mean = float(share @ y) if intercept else 0.0
    # scikit-learn minimises half the mean squared error
    return solved(z, y - mean, share, 0.5 * strengths * l1_share, 0.5 * strengths * (1.0 - l1_share), None)


def sparse_from_products(square: Floats, along: Floats, strength: float, l1_share: float) -> Floats:
    """Return the weights of `sparse_path` from the mean products of terms with each other and with the target."""
    penalty = np.array([0.5 * strength * l1_share]), np.array([0.5 * strength * (1.0 - l1_share)])
    return np.asarray(descended(*rows_of(square, along), *penalty, np.zeros(len(along)))[0])


def solved(
    z: Floats,
    y: Floats,
    share: Floats,
    absolute: Floats,
    squared: Floats,
    start: Floats | None,
    tol: float = FINE,
) -> Floats:
    """Minimise ½ Σ share (y - z w)² + absolute Σ|w| + squared Σ w² for each strength."""
    rows, target = _few_rows(z, y, share)
    return descended(rows, target, absolute, squared, np.zeros(z.shape[1]) if start is None else start, tol)


def _few_rows(z: Floats, y: Floats, share: Floats) -> tuple[Floats, Floats]:
    """Return rows with the same sum of squared errors up to a constant; one per term if there are many rows."""
    if len(z) <= MANY * z.shape[1]:
        root = np.sqrt(share)
        return z * root[:, np.newaxis], y * root
    return rows_of(cross_products(z, share), z.T @ (share * y))


def rows_of(square: Floats, along: Floats) -> tuple[Floats, Floats]:
    """Return rows R and targets t with RᵀR = square and Rᵀt = along."""
    values, vectors = np.linalg.eigh(square)
    root = np.sqrt(np.maximum(values, NEGLIGIBLE**1.4 * max(float(values.max(initial=0.0)), 1e-300)))
    return root[:, np.newaxis] * vectors.T, (vectors.T @ along) / root


def descended(
    rows: Floats, target: Floats, absolute: Floats, squared: Floats, start: Floats, tol: float = FINE
) -> Floats:
    """Minimise ½ |target - rows w|² + absolute Σ|w| + squared Σ w² for each strength."""
    n = len(target)
    scaled, target = np.asfortranarray(rows) * np.sqrt(n), target * np.sqrt(n)
    found = np.zeros((len(absolute), rows.shape[1]))
    coefficients = start.copy()  # it is changed in place
    # validation of parameters and arrays would take ten times as long as the descent
    with warnings.catch_warnings(), config_context(skip_parameter_validation=True):
        warnings.simplefilter("ignore", ConvergenceWarning)
        for place, (a, s) in enumerate(zip(absolute.tolist(), squared.tolist(), strict=True)):
            alpha = a + 2.0 * s
            _, path, _ = enet_path(
                scaled,
                target,
                l1_ratio=a / alpha,
                alphas=[alpha],
                coef_init=coefficients,
                max_iter=SWEEPS if tol < COARSE else COARSE_SWEEPS,
                tol=tol,
                precompute=False,
                check_input=False,
            )
            found[place] = path[:, 0]
            coefficients = path[:, 0].copy()
    # the sums of two mirrored terms are 0 up to rounding, which would give one of them a weight
    found[np.abs(found) <= ROUNDING * np.abs(found).max(axis=1, initial=0.0, keepdims=True)] = 0.0
    return found
