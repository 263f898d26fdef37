"""Maximum likelihood: the general method, and its best-known results (AIMA 20.2; Mitchell 6.4, 6.12.1)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.bayes.distributions.credible import finite, positive
from induce.core.errors import InputError

Floats = NDArray[np.float64]

_STEP = 1e-4


@dataclass(frozen=True, eq=False)
class MaximumLikelihood:
    """Maximum likelihood estimates of parameters.

    Parameters
    ----------
    parameters : array
        Maximum likelihood estimates.
    log_likelihood : float
        Log-likelihood at the estimates.
    standard_errors : array
        Standard errors from the curvature at the maximum; NaN if it is flat or at a bound.
    """

    parameters: Floats
    log_likelihood: float
    standard_errors: Floats

    def __str__(self) -> str:
        pairs = zip(self.parameters.tolist(), self.standard_errors.tolist(), strict=True)
        estimates = ", ".join(f"{value:.4g} ± {error:.2g}" for value, error in pairs)
        return f"{estimates}; log likelihood {self.log_likelihood:.4f}"


def maximise_likelihood(
    log_likelihood: Callable[[Floats], float],
    start: ArrayLike,
    bounds: Sequence[tuple[float | None, float | None]] | None = None,
) -> MaximumLikelihood:
    """Return the maximum likelihood parameters of any model (AIMA 20.2).

    A local maximum is found numerically from `start`.

    Parameters
    ----------
    log_likelihood : callable
        Log-likelihood of the data as a function of the parameters.
    start : array
        Initial values of the parameters.
    bounds : sequence of pairs, optional
        Lower and upper bound of each parameter; None if unbounded.

    Examples
    --------
    Six cherries and two limes:

    >>> print(maximise_likelihood(lambda p: 6 * math.log(p[0]) + 2 * math.log(1 - p[0]), [0.5], [(1e-9, 1 - 1e-9)]))
    0.75 ± 0.15; log likelihood -4.4987
    """
    from scipy.optimize import minimize

    begin = finite("start", start)
    if not math.isfinite(log_likelihood(begin)):
        raise InputError(
            "the log-likelihood is not finite at start; give parameters under which the data are possible"
        )
    method = "L-BFGS-B" if bounds is not None else "BFGS"
    rough = minimize(lambda p: -log_likelihood(p), begin, method="Nelder-Mead", bounds=bounds)
    found = minimize(lambda p: -log_likelihood(p), rough.x, method=method, bounds=bounds)
    best = found if found.fun <= rough.fun else rough
    errors = _standard_errors(log_likelihood, best.x, bounds)
    return MaximumLikelihood(np.asarray(best.x, np.float64), -float(best.fun), errors)


def _standard_errors(log_likelihood: Callable[[Floats], float], at: Floats, bounds: Any) -> Floats:
    """Return standard errors from the inverse Hessian, estimated by finite differences."""
    k = len(at)
    steps = _STEP * np.maximum(1.0, np.abs(at))
    inside = [
        (low is None or value - step > low) and (high is None or value + step < high)
        for value, step, (low, high) in zip(at, steps, bounds or [(None, None)] * k, strict=True)
    ]
    free = np.flatnonzero(inside)
    moves = np.diag(steps)[free]
    curve = np.array(
        [
            [
                sum(
                    sign * other * log_likelihood(at + sign * one + other * two)
                    for sign in (1, -1)
                    for other in (1, -1)
                )
                for two in moves / 2
            ]
            for one in moves / 2
        ]
    ).reshape(len(free), len(free)) / np.outer(steps[free], steps[free])
    errors = np.full(k, np.nan)
    if len(free) and np.linalg.cond(curve) < 1 / np.finfo(float).eps:
        variances = np.diag(np.linalg.inv(-curve))
        errors[free] = np.sqrt(np.where(variances > 0, variances, np.nan))
    return errors


def fit_normal(observations: ArrayLike) -> tuple[Any, Any, float]:
    """Return the maximum likelihood mean and standard deviation, and the log-likelihood (AIMA 20.4).

    For vectors, one per row, the second is the covariance. The divisor is n, not n - 1.

    Parameters
    ----------
    observations : array
        Numbers, or vectors, one per row.

    Examples
    --------
    >>> fit_normal([2, 4, 4, 4, 5, 5, 7, 9])
    (5.0, 2.0, -16.89668...)
    """
    x = np.asarray(observations, dtype=np.float64)
    rows = finite("observations", x[:, None] if x.ndim == 1 else x, 2)
    if not len(rows):
        raise InputError("observations is empty; give at least one")
    n, d = rows.shape
    mean = rows.mean(axis=0)
    covariance = (rows - mean).T @ (rows - mean) / n
    sign, log_determinant = np.linalg.slogdet(covariance)
    if sign <= 0 or log_determinant < d * math.log(np.finfo(float).tiny):
        raise InputError(
            "the observations have no variance in some direction, so the likelihood has no maximum; "
            "give more of them, or a prior"
        )
    log_likelihood = -n / 2 * (d * math.log(2 * math.pi) + float(log_determinant) + d)
    if x.ndim == 1:
        return float(mean[0]), math.sqrt(float(covariance[0, 0])), log_likelihood
    return mean, covariance, log_likelihood


def empirical_density(sample: ArrayLike, at: float, width: float) -> float:
    """Return the fraction of a sample between `at` and `at` + `width`, divided by the width (Mitchell 6.4).

    As the sample grows and the width shrinks, it approaches the probability density.

    Parameters
    ----------
    sample : array
        Observed numbers.
    at : float
        Lower end of the interval.
    width : float
        Width of the interval.

    Examples
    --------
    >>> empirical_density([0.1, 0.2, 0.3, 0.9], at=0, width=0.5)
    1.5
    """
    x = finite("sample", sample)
    positive(width=width)
    if not x.size:
        raise InputError("sample is empty; give at least one number")
    return float(((x >= at) & (x < at + width)).mean() / width)
