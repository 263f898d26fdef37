"""Compiled loops of mixtures: expectations of the hidden classes, and one Gibbs sweep over them.

Nominal values are codes; value `code` of column q is at ``places[q] + code`` in every array over values.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from induce.core.loops import inner, loop

NEGLIGIBLE = -40.0
"""Difference of log densities beyond which a component's responsibility for a row is negligible."""


@loop
def full_step(
    numeric: Any,
    nominal: Any,
    places: Any,
    weights: Any,
    log_shares: Any,
    means: Any,
    white: Any,
    log_tables: Any,
    totals: Any,
    sums: Any,
    scatter: Any,
    counts: Any,
) -> float:
    """Add the statistics of complete rows to each component, weighted by p_ij, the posterior of component i.

    `white` holds the inverse Cholesky factors of the covariances. The added statistics are p_i, the sums of
    the deviations from the means and of their products (below the diagonal), and the expected counts of
    nominal values. Returns the log-likelihood.
    """
    n, d = numeric.shape
    k = len(log_shares)
    gap = np.empty((k, d))
    p = np.empty(k)
    total = 0.0
    for row in range(n):
        top = -math.inf
        for i in range(k):
            log_density = log_shares[i]
            for a in range(d):
                gap[i, a] = numeric[row, a] - means[i, a]
            # `white` is lower triangular: |white gap|^2 is the Mahalanobis distance; log_shares hold the
            # normalisers.
            for a in range(d):
                z = 0.0
                for b in range(a + 1):
                    z += white[i, a, b] * gap[i, b]
                log_density -= 0.5 * z * z
            for q in range(len(places)):
                if nominal[row, q] >= 0:
                    log_density += log_tables[i, places[q] + nominal[row, q]]
            p[i] = log_density
            if log_density > top:
                top = log_density
        total += weights[row] * _normalised(p, top, weights[row])
        for i in range(k):
            share = p[i]
            if share > 0.0:
                totals[i] += share
                for a in range(d):
                    part = share * gap[i, a]
                    # Deviations from the old means, not from 0, preserve the precision of similar numbers.
                    sums[i, a] += part
                    for b in range(a + 1):
                        scatter[i, a, b] += part * gap[i, b]
                for q in range(len(places)):
                    if nominal[row, q] >= 0:
                        counts[i, places[q] + nominal[row, q]] += share
    return total


@loop
def diagonal_step(
    numeric: Any,
    nominal: Any,
    places: Any,
    weights: Any,
    log_shares: Any,
    means: Any,
    precisions: Any,
    log_norms: Any,
    log_tables: Any,
    totals: Any,
    known: Any,
    sums: Any,
    squares: Any,
    counts: Any,
) -> float:
    """Add the statistics of rows to components with independent columns; missing values are ignored.

    The added statistics are p_i, the expected counts of nominal values and, for every numeric column, the
    weight of its known numbers and the sums of their deviations from the means and of the squares of these.
    Returns the log-likelihood.
    """
    n, d = numeric.shape
    k = len(log_shares)
    p = np.empty(k)
    total = 0.0
    for row in range(n):
        top = -math.inf
        for i in range(k):
            log_density = log_shares[i]
            for a in range(d):
                gap = numeric[row, a] - means[i, a]
                # Not NaN.
                if gap == gap:
                    log_density += log_norms[i, a] - 0.5 * gap * gap * precisions[i, a]
            for q in range(len(places)):
                if nominal[row, q] >= 0:
                    log_density += log_tables[i, places[q] + nominal[row, q]]
            p[i] = log_density
            if log_density > top:
                top = log_density
        total += weights[row] * _normalised(p, top, weights[row])
        for i in range(k):
            share = p[i]
            if share > 0.0:
                totals[i] += share
                for a in range(d):
                    gap = numeric[row, a] - means[i, a]
                    if gap == gap:
                        known[i, a] += share
                        sums[i, a] += share * gap
                        squares[i, a] += share * gap * gap
                for q in range(len(places)):
                    if nominal[row, q] >= 0:
                        counts[i, places[q] + nominal[row, q]] += share
    return total


@inner
def _normalised(p: Any, top: float, weight: float) -> float:
    """Turn log densities into fractions of a row's weight; return the log of their sum."""
    total = 0.0
    for i in range(len(p)):
        below = p[i] - top
        p[i] = math.exp(below) if below > NEGLIGIBLE else 0.0
        total += p[i]
    for i in range(len(p)):
        p[i] *= weight / total
    return top + math.log(total)


@loop
def sweep(
    numeric: Any,
    nominal: Any,
    places: Any,
    prior_counts: Any,
    prior_total: float,
    prior_numbers: Any,
    log_gammas: Any,
    log_new: Any,
    uniforms: Any,
    labels: Any,
    sizes: Any,
    counts: Any,
    seen: Any,
    known: Any,
    sums: Any,
    squares: Any,
) -> int:
    """Redraw the class of every row given all others; return the number of non-empty classes.

    The Dirichlet prior of a nominal column has the pseudo-counts `prior_counts`, which sum to `prior_total`.
    `prior_numbers` holds the strength of the prior on a mean, in rows, then the shape and rate of the gamma
    prior on the precision. ``log_gammas[m]`` is ln Γ(shape + m/2 + 1/2) - ln Γ(shape + m/2). ``log_new[t]``
    is the log weight of a new class given t occupied ones; an occupied class has the weight of its rows plus
    one.
    """
    most = len(sizes)
    logs = np.empty(most)
    occupied = 0
    for i in range(most):
        if sizes[i] > 0.0:
            occupied += 1
    for row in range(len(labels)):
        # Gibbs sampling with the parameters integrated out (Neal 2000, algorithm 3): the row is removed from its
        # class, and each class is weighted by its size and the predictive density of the row, one empty class for all
        # new ones.
        old = labels[row]
        _count(numeric, nominal, places, row, -1.0, old, sizes, counts, seen, known, sums, squares)
        if sizes[old] == 0.0:
            occupied -= 1
        top, fresh = -math.inf, -1
        for i in range(most):
            logs[i] = -math.inf
            if sizes[i] > 0.0 or fresh < 0:
                if sizes[i] > 0.0:
                    logs[i] = math.log(sizes[i] + 1.0)
                else:
                    fresh = i
                    logs[i] = log_new[occupied]
                for q in range(len(places)):
                    value = nominal[row, q]
                    if value >= 0:
                        place = places[q] + value
                        logs[i] += math.log(counts[i, place] + prior_counts[place])
                        logs[i] -= math.log(seen[i, q] + prior_total)
                for a in range(numeric.shape[1]):
                    x = numeric[row, a]
                    if x == x:
                        # Normal-gamma posterior: the predictive density of a number is Student's t with 2 ·
                        # shape degrees of freedom.
                        kappa = prior_numbers[0] + known[i, a]
                        mean = sums[i, a] / kappa
                        shape = prior_numbers[1] + 0.5 * known[i, a]
                        rate = prior_numbers[2] + 0.5 * max(0.0, squares[i, a] - kappa * mean * mean)
                        spread = 2.0 * rate * (kappa + 1.0) / kappa
                        logs[i] += log_gammas[int(known[i, a] + 0.5)] - 0.5 * math.log(math.pi * spread)
                        logs[i] -= (shape + 0.5) * math.log1p((x - mean) * (x - mean) / spread)
                if logs[i] > top:
                    top = logs[i]
        total = 0.0
        for i in range(most):
            logs[i] = math.exp(logs[i] - top)
            total += logs[i]
        left = uniforms[row] * total
        new = 0
        while new < most - 1 and left >= logs[new]:
            left -= logs[new]
            new += 1
        # Rounding may exceed the last possible class.
        while logs[new] == 0.0:
            new -= 1
        if sizes[new] == 0.0:
            occupied += 1
        labels[row] = new
        _count(numeric, nominal, places, row, 1.0, new, sizes, counts, seen, known, sums, squares)
    return occupied


@loop
def _count(
    numeric: Any,
    nominal: Any,
    places: Any,
    row: int,
    sign: float,
    i: int,
    sizes: Any,
    counts: Any,
    seen: Any,
    known: Any,
    sums: Any,
    squares: Any,
) -> None:
    """Add a row to a class, or remove it."""
    sizes[i] += sign
    for q in range(len(places)):
        if nominal[row, q] >= 0:
            counts[i, places[q] + nominal[row, q]] += sign
            seen[i, q] += sign
    for a in range(numeric.shape[1]):
        x = numeric[row, a]
        if x == x:
            known[i, a] += sign
            sums[i, a] += sign * x
            squares[i, a] += sign * x * x
    if sizes[i] == 0.0:  # removes rounding errors
        sums[i] = 0.0
        squares[i] = 0.0
