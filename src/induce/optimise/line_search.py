"""Line searches: exact, or until a sufficient decrease of the loss (Mitchell §4.8.2)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from induce.optimise.objective import Objective, Rows

Floats = NDArray[np.float64]

SUFFICIENT = 1e-4
"""Armijo condition: minimum fraction of the decrease predicted by the slope."""
CURVATURE = 0.9
"""Wolfe condition: maximum fraction of the initial slope."""
MOST_HALVINGS = 60
MOST_DOUBLINGS = 60


def exact(objective: Objective, w: Floats, d: Floats, loss: float, g: Floats, rows: Rows | None) -> float:
    """Return the step to the first point along `d` at which the slope is zero.

    The zero of the slope is found instead of the minimum of the loss, because it can be located to twice as
    many digits.
    """

    def slope(distance: float) -> float:
        return float(objective.gradient(w + distance * d, rows)[1] @ d)

    near, at_near = 0.0, float(g @ d)
    far = _first_step(d)
    at_far = slope(far)
    for _ in range(MOST_DOUBLINGS):
        if not math.isfinite(at_far):
            far = near + (far - near) / 4.0
        elif at_far < 0.0:
            near, at_near, far = far, at_far, 2.0 * far
        else:
            break
        at_far = slope(far)
    if not (math.isfinite(at_far) and at_far >= 0.0):
        return backtracking(objective, w, d, loss, g, rows)
    return _zero(slope, near, far, at_near, at_far)


def _zero(slope: object, near: float, far: float, at_near: float, at_far: float) -> float:
    if at_far == 0.0:
        return far
    from scipy.optimize import brentq

    # if the loss is a parabola, the slope is linear, and the first chord finds its zero
    return float(brentq(slope, near, far, xtol=1e-15 * max(1.0, far), rtol=1e-14, maxiter=200))


def backtracking(
    objective: Objective,
    w: Floats,
    d: Floats,
    loss: float,
    g: Floats,
    rows: Rows | None,
    first: float = 1.0,
) -> float:
    """Return the first of the steps 1, ½, ¼ … that lowers the loss sufficiently; 0 if none does."""
    slope = float(g @ d)
    distance = first
    for _ in range(MOST_HALVINGS):
        after = objective.loss(w + distance * d, rows)
        if after <= loss + SUFFICIENT * distance * slope:
            return distance
        distance /= 2.0
    return 0.0


def wolfe(objective: Objective, w: Floats, d: Floats, loss: float, g: Floats, rows: Rows | None) -> float:
    """Return a step that satisfies the Wolfe conditions, as L-BFGS needs; 0 if there is none.

    Bisection between a step that is too long and one that is too short (Nocedal and Wright, chapter 3).
    """
    slope = float(g @ d)
    short, long, distance = 0.0, math.inf, 1.0
    for _ in range(MOST_HALVINGS):
        after, g_after = objective.gradient(w + distance * d, rows)
        if not after <= loss + SUFFICIENT * distance * slope:
            long = distance
        elif float(g_after @ d) < CURVATURE * slope:
            short = distance
        else:
            return distance
        distance = 2.0 * distance if math.isinf(long) else 0.5 * (short + long)
    return short


def _first_step(d: Floats) -> float:
    """Return a step of length 1, or the whole direction if that is shorter."""
    size = float(np.abs(d).max(initial=0.0))
    return 1.0 if size <= 1.0 else 1.0 / size


SEARCHES = {"exact": exact, "backtracking": backtracking, "wolfe": wolfe}
