"""Platt scaling: probabilities from scores, by a sigmoid fitted to held-out rows (Platt 1999).

It is a logistic regression on one column with targets between 0 and 1 and a slope of fixed sign. Kernel
machines and calibration use it, because `induce.linear` is in a higher layer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.statistics.logistic import sigmoid

Floats = NDArray[np.float64]

STEPS = 100
TOLERANCE = 1e-10


def fitted_sigmoid(scores: Floats, positive: NDArray[np.bool_], weights: Floats) -> tuple[float, float]:
    """Return the maximum-likelihood A and B of 1 / (1 + exp(A f + B)), by Newton's method.

    The targets are smoothed away from 0 and 1, as if one more row of each class had been observed. A is at
    most 0, so that a higher score never means a lower probability.

    Parameters
    ----------
    scores : array of float
    positive : array of bool
        Rows of the positive class.
    weights : array of float

    Examples
    --------
    >>> slope, shift = fitted_sigmoid(np.array([-2.0, -1.0, 1.0, 2.0]), np.array([0, 0, 1, 1], bool), np.ones(4))
    >>> round(slope, 3), abs(round(shift, 3))
    (-0.674, 0.0)
    """
    ahead, behind = float(weights[positive].sum()), float(weights[~positive].sum())
    target = np.where(positive, (ahead + 1.0) / (ahead + 2.0), 1.0 / (behind + 2.0))
    unit = float(np.abs(scores).max(initial=0.0)) or 1.0
    design = np.column_stack([scores / unit, np.ones(len(scores))])
    found = np.array([0.0, np.log((ahead + 1.0) / (behind + 1.0))])

    def loss(parameters: Floats) -> float:
        z = design @ parameters
        return float(weights @ (np.logaddexp(0.0, z) - target * z))

    now = loss(found)
    for _ in range(STEPS):
        p = sigmoid(design @ found)
        gradient = design.T @ (weights * (p - target))
        curve = design.T @ (design * (weights * p * (1.0 - p))[:, np.newaxis]) + 1e-12 * np.eye(2)
        step = np.linalg.solve(curve, gradient)
        size = 1.0
        while size > TOLERANCE and not loss(found - size * step) <= now:
            size /= 2
        after = loss(found - size * step)
        if size <= TOLERANCE or now - after <= TOLERANCE * max(1.0, abs(now)):
            break
        found, now = found - size * step, after
    if found[0] <= 0:  # the scores carry no information on held-out rows
        return 0.0, -float(np.log((ahead + 1.0) / (behind + 1.0)))
    return -float(found[0]) / unit, -float(found[1])
