"""Hot loop of TD(λ): gradients of a network's output, accumulated in eligibility traces (Sutton 1988)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import inner, loop
from induce.neural._loops import blame_back, gather, say, slope

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@inner
def output_gradient(
    groups: Ints,
    facts: Floats,
    links: Ints,
    places: Ints,
    w: Floats,
    out: Floats,
    delta: Floats,
    back: Floats,
    n_inputs: int,
    falls: Floats,
) -> None:
    """Write the derivative of the single output with respect to each weight, after `say` was run."""
    for j in range(n_inputs, out.size):
        delta[j] = 0.0
    for g in range(groups.shape[0]):
        if groups[g, 6] >= 0:
            at = groups[g, 0]
            delta[at] = slope(groups[g, 2], out[at], facts[g, 0])
    blame_back(groups, facts, links, places, w, out, delta, back, n_inputs)
    gather(groups, links, places, out, delta, falls)


@loop
def follow(
    groups: Ints,
    facts: Floats,
    links: Ints,
    places: Ints,
    factor: Floats,
    X: Floats,
    rewards: Floats,
    starts: Ints,
    order: Ints,
    w: Floats,
    rate: float,
    fade: float,
    discount: float,
    at_once: bool,
) -> float:
    """Process episodes in a given order and update the weights by TD(λ).

    Rows `starts[e]` to `starts[e + 1]` are the states of episode e. `fade` is discount times λ. The weights
    are updated after each step if `at_once`, otherwise after each episode by the sum of its changes.

    Returns
    -------
    float
        Sum of the squared temporal differences.
    """
    n_inputs, n_units, output = X.shape[1], 0, 0
    for g in range(groups.shape[0]):
        n_units += groups[g, 1]
        if groups[g, 6] >= 0:
            output = groups[g, 0]
    out, delta, back = np.zeros(n_units), np.zeros(n_units), np.zeros(n_units)
    falls, trace, change = np.zeros(w.size), np.zeros(w.size), np.zeros(w.size)
    total = 0.0
    for n in range(order.size):
        first, end = starts[order[n]], starts[order[n] + 1]
        trace[:] = 0.0
        for row in range(first, end):
            for i in range(n_inputs):
                out[i] = X[row, i]
            say(groups, facts, links, places, w, out)
            value, following = out[output], 0.0
            output_gradient(groups, facts, links, places, w, out, delta, back, n_inputs, falls)
            # Both values of a difference use the same weights; the value after the last state is 0.
            if row + 1 < end:
                for i in range(n_inputs):
                    out[i] = X[row + 1, i]
                say(groups, facts, links, places, w, out)
                following = out[output]
            difference = rewards[row] + discount * following - value
            total += difference * difference
            for k in range(w.size):
                trace[k] = fade * trace[k] + factor[k] * falls[k]
                step = rate * difference * trace[k]
                if at_once:
                    w[k] += step
                else:
                    change[k] += step
        if not at_once:
            for k in range(w.size):
                w[k] += change[k]
                change[k] = 0.0
    return total
