"""Hot loop of the dual problem of support vector machines; each call performs a bounded number of steps."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import loop

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

GOING_ON, DONE, MISSING = 0, 1, 2
CLOCK, STEPS, ROW, FIRST, SECOND = 0, 1, 2, 3, 4
"""Indices in `counts`: uses of kernel rows, steps, the missing row, and the pair of the last step."""
LARGEST, SMALLEST, SIZE = 0, 1, 2
"""Indices in `numbers`: the two ends of the gap, and the length of the last step."""

FLAT = 1e-12
"""Minimum curvature along a step: it is 0 for equal rows, and can be negative for an indefinite kernel."""
EVEN = 1e-6
"""Fraction of the tolerance within which values are tied: the first row is taken."""
MORE = 1.0 + 1e-9
"""Minimum ratio of two gains that is more than rounding."""
ENOUGH = 0.5
"""Minimum fraction of the best gain for which a pair of cached rows is preferred."""


@loop
def smo(
    value: Floats,
    beta: Floats,
    low: Floats,
    high: Floats,
    up: Any,
    down: Any,
    own: Floats,
    slot: Ints,
    rows: Any,
    used: Ints,
    counts: Ints,
    numbers: Floats,
    tolerance: float,
    epsilon: float,
    max_steps: int,
) -> int:
    """Optimise pairs of coefficients until the gap is closed, a kernel row is missing, or the step limit is reached.

    The coefficients ``beta = y alpha`` sum to 0 and lie between `low` and `high`; the gradient is ``value = y
    - K beta``. `up` is minus infinity where a coefficient may not increase and 0 elsewhere, `down` infinity
    where it may not decrease; adding them to the gradient leaves one rarely taken branch. Row t of the kernel
    is ``rows[slot[t]]``, and is cached unless `slot` is negative.

    In a regression every coefficient costs `epsilon` times its size, so the gradient has a jump at 0. A
    coefficient increases by ``value - epsilon`` at and above 0, and by ``value + epsilon`` below, which `up`
    and `down` contain. No step crosses 0. A coefficient of a separator is 0 at one of its bounds, so nothing
    changes there.

    The first of a pair has the largest value among those that may increase. The second has the largest gain
    of a quadratic model among those that may decrease (second-order working set selection of Fan, Chen and
    Lin). A pair of cached rows is taken if its gain is at least half as large.
    """
    n = len(value)
    even = EVEN * tolerance
    for step in range(max_steps + 1):
        # `near` is the best cached row. The best of all is at least as good, so one comparison with `near`
        # skips most rows.
        first, near = -1, -1
        largest, largest_near = -math.inf, -math.inf
        smallest, smallest_near = math.inf, math.inf
        for t in range(n):
            rising, falling = value[t] + up[t], value[t] + down[t]
            if rising > largest_near + even:
                if rising > largest + even:
                    largest, first = rising, t
                if slot[t] >= 0:
                    largest_near, near = rising, t
            if falling < smallest_near:
                smallest = min(smallest, falling)
                if slot[t] >= 0:
                    smallest_near = falling
        numbers[LARGEST], numbers[SMALLEST] = largest, smallest
        # The optimality conditions hold up to the tolerance if no coefficient that may increase has a larger
        # gradient than one that may decrease (Keerthi et al. 2001).
        gap, gap_near = largest - smallest, largest_near - smallest_near
        if not gap > tolerance:
            return DONE
        if step == max_steps:
            return GOING_ON
        if slot[first] < 0:
            if not (gap_near > tolerance and gap_near > ENOUGH * gap):
                counts[ROW] = first
                return MISSING
            first, largest = near, largest_near

        k_first = rows[slot[first]]
        second, near = -1, -1
        gain, curve = 0.0, 1.0
        gain_near, curve_near = 0.0, 1.0
        for t in range(n):
            # Along the pair the dual increases by at most distance^2 / (2 bend), if no bound is met.
            distance = max(0.0, largest - (value[t] + down[t]))
            bend = max(FLAT, own[first] + own[t] - 2.0 * float(k_first[t]))
            square = distance * distance
            if square * curve_near > MORE * gain_near * bend:  # gains are square / bend
                if square * curve > MORE * gain * bend:
                    gain, curve, second = square, bend, t
                if slot[t] >= 0:
                    gain_near, curve_near, near = square, bend, t
        if slot[second] < 0:
            if near < 0 or gain_near * curve < ENOUGH * gain * curve_near:
                counts[ROW] = second
                return MISSING
            second, curve = near, curve_near

        k_second = rows[slot[second]]
        counts[CLOCK] += 1
        used[slot[first]] = counts[CLOCK]
        used[slot[second]] = counts[CLOCK]
        # The optimum of two coefficients with a fixed sum, clipped to the box (Platt 1998). At a bound the
        # bound itself is stored, so that rounding cannot leave a coefficient slightly inside.
        top = 0.0 if beta[first] < 0.0 else high[first]
        bottom = 0.0 if beta[second] > 0.0 else low[second]
        room, fall = top - beta[first], beta[second] - bottom
        size = min((largest - (value[second] + down[second])) / curve, room, fall)
        beta[first] = top if size == room else beta[first] + size
        beta[second] = bottom if size == fall else beta[second] - size
        for t in (first, second):
            up[t] = -math.inf if beta[t] >= high[t] else epsilon if beta[t] < 0.0 else -epsilon
            down[t] = math.inf if beta[t] <= low[t] else -epsilon if beta[t] > 0.0 else epsilon
        for t in range(n):
            value[t] -= size * (float(k_first[t]) - float(k_second[t]))
        counts[STEPS] += 1
        counts[FIRST], counts[SECOND] = first, second
        numbers[SIZE] = size
    return GOING_ON
