"""Compiled loops of structure learning: counting and scoring of families."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from induce.core.loops import inner, loop


@inner
def count_four(
    base: Any, width: int, codes: Any, sizes: Any, four: Any, weights: Any, counts: Any, lost: Any
) -> None:
    """Count four candidates together with the base of each row, in one pass for instruction-level
    parallelism.

    The candidates' tables follow one another; the cell of a row is the candidate's value times `width`, plus
    the base. Rows with a missing value (below 0) are not counted; `lost` is their weight per candidate.
    """
    first, second, third, fourth = codes[four[0]], codes[four[1]], codes[four[2]], codes[four[3]]
    at_second = width * sizes[four[0]]
    at_third = at_second + width * sizes[four[1]]
    at_fourth = at_third + width * sizes[four[2]]
    for cell in range(at_fourth + width * sizes[four[3]]):
        counts[cell] = 0.0
    for k in range(4):
        lost[k] = 0.0
    for row in range(len(base)):
        cell, weight = base[row], weights[row]
        if cell < 0:
            for k in range(4):
                lost[k] += weight
            continue
        if first[row] >= 0:
            counts[first[row] * width + cell] += weight
        else:
            lost[0] += weight
        if second[row] >= 0:
            counts[at_second + second[row] * width + cell] += weight
        else:
            lost[1] += weight
        if third[row] >= 0:
            counts[at_third + third[row] * width + cell] += weight
        else:
            lost[2] += weight
        if fourth[row] >= 0:
            counts[at_fourth + fourth[row] * width + cell] += weight
        else:
            lost[3] += weight


@loop
def log_likelihood(counts: Any, values: int, scale: float) -> float:
    """Return the maximum log-likelihood of the values in each state, multiplied by `scale`."""
    total = 0.0
    for begin in range(0, len(counts), values):
        state = 0.0
        for k in range(begin, begin + values):
            if counts[k] > 0.0:
                state += counts[k]
                total += counts[k] * math.log(counts[k])
        if state > 0.0:
            total -= state * math.log(state)
    return total * scale


@inner
def log_marginal(counts: Any, values: int, scale: float, prior: float) -> float:
    """Return the log marginal likelihood of the values in each state, under Dirichlet priors of `prior` per
    cell.

    With prior p, r values, N rows in a state and N_k with the k-th value, it is the product of Γ(rp) / Γ(N +
    rp) Π Γ(N_k + p) / Γ(p) over all states (Cooper and Herskovits 1992).
    """
    total = 0.0
    of_prior = math.lgamma(prior)
    of_state = math.lgamma(values * prior)
    for begin in range(0, len(counts), values):
        state = 0.0
        for k in range(begin, begin + values):
            if counts[k] > 0.0:
                state += counts[k]
                total += math.lgamma(counts[k] * scale + prior) - of_prior
        if state > 0.0:
            total += of_state - math.lgamma(state * scale + values * prior)
    return total


@inner
def log_score(counts: Any, values: int, scale: float, prior: float) -> float:
    """Return the score of a table of counts: its log-likelihood, or its log marginal likelihood with a prior."""
    if prior > 0.0:
        return log_marginal(counts, values, scale, prior)
    return log_likelihood(counts, values, scale)


@loop
def score_families(
    base: Any,
    n_states: int,
    codes: Any,
    sizes: Any,
    node: int,
    candidates: Any,
    weights: Any,
    scale_to: float,
    prior: float,
    priors: Any,
    scores: Any,
    without: Any,
    lost: Any,
) -> None:
    """Score a node given its parents and each candidate as an additional parent.

    Parameters
    ----------
    base : array of int64
        For each row, the state of the parents times the node's number of values, plus the node's value;
        negative if one is missing.
    n_states : int
    codes : array of int32, shape (columns, rows)
        Codes of the columns; the last column has a single value.
    sizes : array of int64
        Number of values of each column.
    node : int
    candidates : array of int64
    weights : array of float64
    scale_to : float
        Weight to which counts are scaled up if values are missing; 0 leaves them unscaled.
    prior : float
        Pseudo-count of a cell without a candidate; 0 for the log-likelihood.
    priors : array of float64
        Pseudo-count of a cell for each candidate.
    scores : array of float64
        Output: score of each candidate.
    without : array of float64
        Output: score without the candidate on the rows in which it is observed; NaN if these are all rows.
    lost : array of float64
        Output: weight of the rows in which the candidate, the node or a parent is missing.
    """
    values = sizes[node]
    width = n_states * values
    widest = 1
    for candidate in candidates:
        widest = max(widest, sizes[candidate])
    total = 0.0
    lost_before = 0.0
    for row in range(len(base)):
        total += weights[row]
        if base[row] < 0:
            lost_before += weights[row]
    counts = np.empty(4 * widest * width)
    summed = np.empty(width)
    four = np.empty(4, np.int64)
    lost_four = np.empty(4)
    for begin in range(0, len(candidates), 4):
        for k in range(4):
            # The last column, which has a single value, pads groups of fewer than four.
            four[k] = candidates[begin + k] if begin + k < len(candidates) else len(sizes) - 1
        count_four(base, width, codes, sizes, four, weights, counts, lost_four)
        start = 0
        for k in range(min(4, len(candidates) - begin)):
            end = start + width * sizes[four[k]]
            known = total - lost_four[k]
            # Rows with a missing value are left out of a family; scaling makes scores on different rows
            # comparable.
            scale = 1.0
            if scale_to > 0.0:
                scale = scale_to / known if known > 0.0 else 0.0
            lost[begin + k] = lost_four[k]
            scores[begin + k] = log_score(counts[start:end], values, scale, priors[begin + k])
            without[begin + k] = math.nan
            # The candidate's gain must be measured on the same rows with and without it.
            if lost_four[k] > lost_before:
                # the same rows with the candidate's values summed out
                for cell in range(width):
                    summed[cell] = counts[start + cell]
                for value in range(1, sizes[four[k]]):
                    for cell in range(width):
                        summed[cell] += counts[start + value * width + cell]
                without[begin + k] = log_score(summed, values, scale, prior)
            start = end


@loop
def independence(
    states: Any, n_states: int, x: Any, n_x: int, y: Any, n_y: int, weights: Any, counts: Any
) -> Any:
    """Return χ², G and the degrees of freedom of the conditional independence of two columns given others.

    Empty rows and columns of a state's table reduce the degrees of freedom.
    """
    cells = n_x * n_y
    for row in range(len(states)):
        state, a, b = states[row], x[row], y[row]
        if state >= 0 and a >= 0 and b >= 0:
            counts[state * cells + a * n_y + b] += weights[row]
    chi = 0.0
    g = 0.0
    freedom = 0
    across = np.empty(n_y)
    for state in range(n_states):
        begin = state * cells
        total = 0.0
        across[:] = 0.0
        rows = 0
        for a in range(n_x):
            down = 0.0
            for b in range(n_y):
                count = counts[begin + a * n_y + b]
                down += count
                across[b] += count
            # An empty row or column of a state's table adds no degrees of freedom.
            if down > 0.0:
                rows += 1
                total += down
        if total <= 0.0:
            continue
        columns = 0
        for b in range(n_y):
            if across[b] > 0.0:
                columns += 1
        freedom += (rows - 1) * (columns - 1)
        for a in range(n_x):
            down = 0.0
            for b in range(n_y):
                down += counts[begin + a * n_y + b]
            if down <= 0.0:
                continue
            for b in range(n_y):
                if across[b] > 0.0:
                    expected = down * across[b] / total
                    count = counts[begin + a * n_y + b]
                    chi += (count - expected) * (count - expected) / expected
                    if count > 0.0:
                        g += 2.0 * count * math.log(count / expected)
    return chi, g, freedom
