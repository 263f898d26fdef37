"""General solvers of the same problem: a quadratic programme for small sets, and gradient descent on the primal."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.core import trace
from induce.core.errors import InputError
from induce.kernels.gram import Gram
from induce.kernels.inputs import Floats
from induce.kernels.smo import Limits, Problem, Solution

MOST_QP = 300
MOST_PRIMAL = 3_000
WIDTHS = (1.0, 0.1, 0.01, 1e-3, 1e-4, 1e-5)
"""Smoothing width of the hinge loss, from the first round to the last."""


def quadratic_programme(gram: Gram, problem: Problem, limits: Limits) -> Solution[Problem]:
    """Solve the dual problem with a general-purpose solver, as the book suggests (AIMA Eq. 18.13).

    Examples
    --------
    >>> from induce.kernels.inputs import plain_inputs
    >>> from induce.kernels.vectors import Linear
    >>> gram = Gram(Linear(), plain_inputs([[1.0, 1.0], [0.0, 0.0]])[0], 1, False)
    >>> problem = Problem(np.arange(2), np.array([1.0, -1.0]), np.full(2, np.inf))
    >>> solution = quadratic_programme(gram, problem, Limits(1e-6))
    >>> solution.beta.round(4).tolist(), round(solution.intercept, 4)
    ([1.0, -1.0], -1.0)
    """
    from scipy.optimize import minimize

    n, sign = len(problem.index), problem.sign
    if n > MOST_QP:
        raise InputError(
            f"solver is 'qp' for {n:,} rows, but it supports at most {MOST_QP}; use solver='smo', "
            "which finds the same optimum"
        )
    kernel = np.asarray(gram.block(problem.index, problem.index), np.float64)
    unit = max(1.0, float(gram.own[problem.index].max()))
    found = minimize(
        lambda beta: (0.5 * beta @ kernel @ beta - sign @ beta) * unit,
        np.zeros(n),
        jac=lambda beta: (kernel @ beta - sign) * unit,
        bounds=list(zip(problem.low, problem.high, strict=True)),
        constraints={"type": "eq", "fun": np.sum, "jac": lambda beta: np.ones(n)},
        method="SLSQP",
        options={"maxiter": limits.max_iter or 1_000, "ftol": 1e-15},
    )
    limits.steps += int(found.nit)
    trace.emit(
        "optimised", iterations=int(found.nit), objective=-float(found.fun) / unit, message=found.message
    )
    return _solution(problem, kernel, found.x, int(found.nit))


def primal_gradient(gram: Gram, problem: Problem, limits: Limits) -> Solution[Problem]:
    """Minimise ½|w|² + C Σ max(0, 1 - y f(x)) by gradient descent on successively sharper smoothings of the loss.

    The slope of the smoothed loss at each row is its alpha (Chapelle 2007), so the result has the same form. It
    needs the features of the rows, which are computed from the kernel matrix.
    """
    from scipy.optimize import minimize

    n, sign, bound = len(problem.index), problem.sign, problem.bound
    if n > MOST_PRIMAL:
        raise InputError(
            f"solver is 'gradient' for {n:,} rows, but it supports at most {MOST_PRIMAL:,}; use "
            "solver='smo', which finds the same optimum"
        )
    if not np.isfinite(bound).all():
        raise InputError("solver is 'gradient' and C is infinite; give a finite C, or use solver='smo'")
    kernel = np.asarray(gram.block(problem.index, problem.index), np.float64)
    features = _features(kernel)
    weights = np.zeros(features.shape[1] + 1)
    steps = 0
    for width in WIDTHS:

        def loss(parameters: Floats, width: float = width) -> tuple[float, Floats]:
            w, b = parameters[:-1], parameters[-1]
            short = 1.0 - sign * (features @ w + b)
            alpha = bound * np.clip(short / width, 0.0, 1.0)
            rounded = np.where(short < width, 0.5 * np.maximum(short, 0.0) ** 2 / width, short - 0.5 * width)
            slope = sign * alpha
            gradient = np.append(w - features.T @ slope, -slope.sum())
            return float(0.5 * w @ w + bound @ rounded), gradient

        found = minimize(
            loss,
            weights,
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": 5_000, "ftol": 1e-14, "gtol": 1e-8},
        )
        weights = found.x
        steps += int(found.nit)
        trace.emit("optimised", width=width, iterations=int(found.nit), objective=float(found.fun))
    limits.steps += steps
    short = 1.0 - sign * (features @ weights[:-1] + weights[-1])
    return _solution(problem, kernel, sign * bound * np.clip(short / WIDTHS[-1], 0.0, 1.0), steps)


def _features(kernel: Floats) -> Floats:
    """Return vectors whose dot products are the kernel, without its negative part, if any."""
    eigenvalues, axes = np.linalg.eigh(kernel)
    kept = eigenvalues > 1e-10 * max(1e-300, float(eigenvalues[-1]))
    return np.asarray(axes[:, kept] * np.sqrt(eigenvalues[kept]))


def _solution(problem: Problem, kernel: Floats, beta: Any, steps: int) -> Solution[Problem]:
    """Round coefficients near a bound to it, and return the solution."""
    low, high = problem.low, problem.high
    near = 1e-6 * np.where(np.isfinite(problem.bound), problem.bound, max(1.0, float(np.abs(beta).max())))
    beta = np.clip(beta, low, high)
    beta = np.where(np.abs(beta) <= near, 0.0, beta)
    beta = np.where(np.abs(beta) >= problem.bound - near, problem.sign * problem.bound, beta)
    return Solution(problem, beta, problem.sign - kernel @ beta, steps)
