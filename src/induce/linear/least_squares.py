"""Least squares: plain, with a ridge or power penalty, and with sign constraints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.statistics.least_squares import LeastSquares

Floats = NDArray[np.float64]

STEPS = 500
TANGENTS = 100
"""Maximum number of linear programs for a squared penalty."""


@dataclass(frozen=True, eq=False)
class Fit:
    """Weights of standardised terms.

    Parameters
    ----------
    intercept : float
    weights : array of float
    covariance : array of float or None
        Covariance of the intercept and the weights; None if unavailable.
    degrees : float
        Degrees of freedom of the residuals.
    sigma : float
        Standard deviation of the residuals.
    """

    intercept: float
    weights: Floats
    covariance: Floats | None = None
    degrees: float = np.inf
    sigma: float = np.nan


def least_squares(z: Floats, y: Floats, weights: Floats, left_out: NDArray[np.bool_], intercept: bool) -> Fit:
    """Return the least-squares weights, by QR, and their covariance (AIMA eq. 18.6).

    Parameters
    ----------
    z : array of float, shape (rows, terms)
        Terms, centred if there is an intercept.
    y, weights : array of float
    left_out : array of bool
        Linearly dependent terms; their weights are 0.
    intercept : bool
    """
    total = float(weights.sum())
    mean = float(weights @ y) / total if intercept else 0.0
    kept = np.flatnonzero(~left_out)
    root = np.sqrt(weights)
    q, r = np.linalg.qr(z[:, kept] * root[:, np.newaxis])
    found = np.zeros(z.shape[1])
    found[kept] = np.linalg.solve(r, q.T @ (root * (y - mean)))
    error = y - mean - z @ found
    degrees = total - len(kept) - (1 if intercept else 0)
    if degrees <= 0:
        return Fit(mean, found)
    variance = float(weights @ np.square(error)) / degrees
    inverse = np.linalg.inv(r)
    covariance = np.full((len(found) + 1,) * 2, np.nan)
    known = np.append([0], kept + 1)
    covariance[np.ix_(known, known)] = 0.0
    covariance[np.ix_(kept + 1, kept + 1)] = variance * (inverse @ inverse.T)
    covariance[0, 0] = variance / total if intercept else 0.0
    return Fit(mean, found, covariance, degrees, float(np.sqrt(variance)))


def ridge(z: Floats, y: Floats, weights: Floats, strength: float, intercept: bool) -> Fit:
    """Return the weights that minimise the mean squared error plus `strength` times the sum of their squares."""
    mean, share = _mean(y, weights, intercept)
    square = (z * share[:, np.newaxis]).T @ z + strength * np.eye(z.shape[1])
    return Fit(mean, np.asarray(np.linalg.solve(square, z.T @ (share * (y - mean))), np.float64))


def ridge_path(z: Floats, y: Floats, weights: Floats, strengths: Floats, intercept: bool) -> Floats:
    """Return the weights of `ridge` for several strengths, one row each, using one decomposition."""
    apart = LeastSquares(z, y[:, np.newaxis], weights, "mean" if intercept else "zero")
    return np.stack([apart.coefficients(float(strength))[1][:, 0] for strength in strengths])


def power_penalty(z: Floats, y: Floats, weights: Floats, strength: float, q: float, intercept: bool) -> Fit:
    """Return weights with a small mean squared error plus `strength` times the sum of \\|w\\|^q.

    The penalty is repeatedly replaced by a quadratic that is tangent to it at the current weights; a weight
    near 0 therefore stays there. With q below 1 this finds a local minimum.
    """
    mean, share = _mean(y, weights, intercept)
    square, along = (z * share[:, np.newaxis]).T @ z, z.T @ (share * (y - mean))
    found = np.asarray(np.linalg.solve(square + max(strength, 1e-9) * np.eye(z.shape[1]), along), np.float64)
    size = max(float(np.abs(found).max(initial=0.0)), 1e-300)
    for step in range(STEPS):
        floor = size * max(10.0 ** (-1 - step / 4), 1e-12)
        curve = strength * q / 2.0 * np.power(np.maximum(np.abs(found), floor), q - 2.0)
        after = np.asarray(np.linalg.solve(square + np.diag(np.minimum(curve, 1e14)), along), np.float64)
        done = float(np.abs(after - found).max(initial=0.0)) <= 1e-12 * size and floor <= 1e-11 * size
        found = after
        if done:
            break
    if q <= 1.0:
        found[np.abs(found) <= 1e-8 * size] = 0.0
    return Fit(mean, found)


def signed(z: Floats, y: Floats, weights: Floats, strength: float, signs: Floats, intercept: bool) -> Fit:
    """Return least squares with the given signs of weights (0 is unconstrained), and a ridge penalty if
    `strength` is above 0.
    """
    from scipy.optimize import lsq_linear

    mean, share = _mean(y, weights, intercept)
    root = np.sqrt(share)
    rows = np.vstack([z * root[:, np.newaxis], np.sqrt(strength) * np.eye(z.shape[1])])
    target = np.concatenate([root * (y - mean), np.zeros(z.shape[1])])
    low, high = np.where(signs > 0, 0.0, -np.inf), np.where(signs < 0, 0.0, np.inf)
    found = lsq_linear(rows, target, (low, high), method="bvls" if z.shape[1] <= 200 else "trf", tol=1e-14)
    return Fit(mean, np.where((found.x > low) & (found.x < high), found.x, np.clip(0.0, low, high)))


def by_linear_program(
    z: Floats,
    y: Floats,
    weights: Floats,
    loss: str,
    intercept: bool = True,
    strength: float = 0.0,
    l1_share: float = 1.0,
    signs: Floats | None = None,
) -> Fit:
    """Return the weights that minimise the sum of absolute errors, or the largest error.

    The cost is the mean absolute error, or the largest one, plus `strength` times Σ l1_share \\|w\\| + (1 - l1_share)
    w². A square is the maximum of its tangents: those at the current weights are added until they bound it closely.

    Examples
    --------
    >>> x, y = np.arange(5.0)[:, None], np.array([0.0, 1.0, 2.0, 3.0, 14.0])
    >>> by_linear_program(x, y, np.ones(5), "absolute").weights.round(9).tolist()
    [1.0]
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix, eye, hstack, vstack

    positive = weights > 0
    z, y, share = z[positive], y[positive], weights[positive] / weights.sum()
    n, p = z.shape
    signs = np.zeros(p) if signs is None else signs
    absolute, square = strength * l1_share, strength * (1.0 - l1_share)
    # variables: intercept, weights, bounds on the errors, and bounds on the absolute values and squares of
    # weights
    rows = csr_matrix(np.column_stack([np.full(n, 1.0 if intercept else 0.0), z]))
    errors = eye(n, format="csr") if loss == "absolute" else csr_matrix(np.ones((n, 1)))
    rest = csr_matrix((n, 2 * p))
    above = vstack([hstack([rows, -errors, rest]), hstack([-rows, -errors, rest])], format="csr")
    w, nothing, none = eye(p, format="csr"), csr_matrix((p, 1)), csr_matrix((p, errors.shape[1]))
    if absolute:
        sizes = [hstack([nothing, way * w, none, -w, csr_matrix((p, p))]) for way in (1.0, -1.0)]
        above = vstack([above, *sizes], format="csr")
    right = np.concatenate([y, -y, np.zeros(above.shape[0] - 2 * n)])
    cost = np.concatenate([[0.0], np.zeros(p), share if loss == "absolute" else [1.0]])
    cost = np.append(cost, np.repeat([absolute, square], p))
    limits: list[tuple[float | None, float | None]] = [(None, None)]
    limits += [(0.0 if sign > 0 else None, 0.0 if sign < 0 else None) for sign in signs.tolist()]
    limits += [(0.0, None)] * (errors.shape[1] + 2 * p)
    reach = (
        max(float(np.abs(ridge(z, y, share, square, intercept).weights).max(initial=0.0)), 1e-12)
        if square
        else 0.0
    )
    touching = [np.full(p, at) for at in (-reach, reach)] if square else []
    for _ in range(TANGENTS):
        for at in touching:
            cut = hstack([nothing, w.multiply(2.0 * at[:, np.newaxis]), none, csr_matrix((p, p)), -w])
            above, right = vstack([above, cut], format="csr"), np.append(right, np.square(at))
        found = linprog(cost, A_ub=above, b_ub=right, bounds=limits, method="highs")
        if found.x is None:
            raise InputError(f"no weights were found for loss {loss!r}: {found.message}")
        here = found.x[1 : p + 1]
        short = np.square(here) - found.x[len(found.x) - p :]
        if not square or float(short.sum()) <= 1e-10 * max(1.0, reach) ** 2:
            break
        touching = [here]
    return Fit(float(found.x[0]) if intercept else 0.0, np.asarray(here, np.float64))


def _mean(y: Floats, weights: Floats, intercept: bool) -> tuple[float, Floats]:
    share = weights / weights.sum()
    return (float(share @ y) if intercept else 0.0), share
