"""Compact distributions fitted by gradient ascent: noisy-OR (AIMA, exercise 20.7) and logistic."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from induce.belief_networks.cases import Cases
from induce.belief_networks.conditionals.base import Conditional, Floats
from induce.belief_networks.conditionals.logistic import LogisticConditional
from induce.belief_networks.conditionals.noisy_or import NoisyOrConditional
from induce.linear.likelihood import likelihood_of_counts

LEAST = -40.0
"""Minimum logarithm of a failure probability."""
RIDGE = 1e-6
"""Regularisation that keeps weights finite for separable data."""


def noisy_or_of_counts(counts: Floats, strength: float, present: int = 1) -> NoisyOrConditional:
    """Return the MAP estimate of a noisy-OR, given the counts of the joint states of parents and effect.

    The first value of each parent is not a cause. The problem is concave in the logarithms of the failure
    probabilities; each has a Beta prior worth `strength` cases of either outcome.

    Examples
    --------
    >>> counts = np.zeros((2, 2, 2))
    >>> counts[1, 0], counts[0, 1] = [600, 400], [200, 800]
    >>> counts[0, 0], counts[1, 1] = [1000, 0], [120, 880]
    >>> [round(row[1], 3) for row in noisy_or_of_counts(counts, 0.0).fails]
    [0.6, 0.2]
    """
    shape = counts.shape[:-1]
    absent, there = counts[..., 1 - present].reshape(-1), counts[..., present].reshape(-1)
    codes = np.indices(shape).reshape(len(shape), math.prod(shape))
    places = [(parent, value) for parent, size in enumerate(shape) for value in range(1, size)]
    active = np.column_stack(
        [np.ones(len(absent)), *((codes[parent] == value) * 1.0 for parent, value in places)]
    )

    def loss(u: Floats) -> tuple[float, Floats]:
        logs = np.minimum(active @ u, -1e-12)
        happens = np.log(-np.expm1(logs))
        prior = strength * (u + np.log(-np.expm1(u))).sum() if strength else 0.0
        slope = absent - there * np.exp(logs - happens)
        pull = strength * (1 - np.exp(u) / -np.expm1(u)) if strength else 0.0
        return -float(absent @ logs + there @ happens + prior), -(slope @ active + pull)

    start = np.full(active.shape[1], math.log(0.5))
    found = np.exp(_least(loss, start, [(LEAST, -1e-12)] * len(start)))
    found = np.where(found > 1 - 1e-9, 1.0, found)
    rows = [[1.0] * size for size in shape]
    for (parent, value), q in zip(places, found[1:].tolist(), strict=True):
        rows[parent][value] = q
    return NoisyOrConditional(tuple(map(tuple, rows)), float(1 - found[0]), present)


def logistic_of_counts(counts: Floats, strength: float) -> LogisticConditional:
    """Return the MAP estimate of a logistic distribution, given the counts of the joint states of parents and
    node.
    """
    shape, size = counts.shape[:-1], counts.shape[-1]
    codes = np.indices(shape).reshape(len(shape), math.prod(shape))
    blocks = [np.eye(n)[code] for n, code in zip(shape, codes, strict=True)]
    design = np.column_stack([np.ones(math.prod(shape)), *blocks])
    weights = _logistic(design, counts.reshape(-1, size), strength)
    return LogisticConditional(weights[0], weights[1:], tuple(shape))


def logistic_of_rows(cases: Cases, node: int, parents: Sequence[int], strength: float) -> LogisticConditional:
    """Return the MAP estimate of a logistic distribution, given the rows in which node and parents are
    observed.
    """
    whole = cases.known[:, [*parents, node]].all(axis=1)
    n, size = int(whole.sum()), len(cases.schema.columns[node].domain)
    blocks, inputs, units = [np.ones((n, 1))], [], [np.array([[0.0, 1.0]])]
    for parent in parents:
        values = cases.values(parent)[whole]
        if values.dtype.kind == "f":
            unit = max(float(np.abs(values).max(initial=0.0)), 1e-300)
            middle, spread = float((values / unit).mean()) * unit if n else 0.0, 1.0
            spread = max(float((values / unit).std()) * unit, 1e-12 * unit) if n else 1.0
            blocks.append(((values - middle) / spread)[:, None])
            units.append(np.array([[middle, spread]]))
            inputs.append(1)
        else:
            length = len(cases.schema.columns[parent].domain)
            blocks.append(np.eye(length)[values])
            units.append(np.tile([0.0, 1.0], (length, 1)))
            inputs.append(length)
    seen = np.eye(size)[cases.codes[whole, node]] * cases.weights[whole][:, None]
    weights = _logistic(np.column_stack(blocks), seen, strength)
    middles, spreads = np.concatenate(units).T
    weights = weights / spreads[:, None]
    weights[0] -= middles @ weights
    return LogisticConditional(weights[0], weights[1:], tuple(inputs))


def _logistic(design: Floats, counts: Floats, strength: float) -> Floats:
    """Return the maximum-likelihood weights of each input (rows) for each value (columns)."""
    ridge = np.full(design.shape[1], strength + RIDGE)
    ridge[0] = RIDGE
    return likelihood_of_counts(design, counts, 0.5 * ridge).T


def _least(
    loss: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    bounds: list[tuple[float, float]] | None = None,
) -> Floats:
    from scipy.optimize import minimize

    found = minimize(
        loss,
        start,
        jac=True,
        bounds=bounds,
        method="L-BFGS-B",
        options={"ftol": 1e-15, "gtol": 1e-8, "maxiter": 1000},
    )
    return np.asarray(found.x, np.float64)


def log_prior(conditional: Conditional, strength: float) -> float:
    """Return the log prior density used by this module's estimates, up to a constant."""
    if isinstance(conditional, NoisyOrConditional):
        if not strength:
            return 0.0
        q = np.array([1 - conditional.leak, *(each for row in conditional.fails for each in row[1:])])
        return float(strength * (np.log(q) + np.log(np.maximum(1 - q, 1e-300))).sum())
    assert isinstance(conditional, LogisticConditional)
    own, weights = conditional.intercepts, conditional.weights
    return float(-0.5 * (RIDGE * (own**2).sum() + (strength + RIDGE) * (weights**2).sum()))
