"""Hot loop of single units: one update per example, for linear, threshold and sigmoid units."""

from __future__ import annotations

from typing import Any

from induce.core.loops import inner, loop
from induce.statistics._logistic_loops import sigmoid_of

LINEAR, THRESHOLD, SIGMOID = 0, 1, 2


@inner
def mistakes(x: Any, targets: Any, weights: Any, w: Any, low: float, high: float, fires: bool) -> float:
    """Return the total weight of the rows that a threshold unit misclassifies."""
    wrong = 0.0
    for row in range(len(targets)):
        net = 0.0
        size = 0.0
        for j in range(len(w)):
            part = w[j] * x[row, j]
            net += part
            size += abs(part)
        clear = abs(net) > 1e-12 * size
        said = high if (net > 0.0 if clear else fires) else low
        if said != targets[row]:
            wrong += weights[row]
    return wrong


@loop
def unit_pass(
    x: Any,
    targets: Any,
    weights: Any,
    w: Any,
    memory: Any,
    order: Any,
    rates: Any,
    momentum: float,
    kind: int,
    factor: float,
    low: float,
    high: float,
    fires: bool,
    total: Any,
    pocket: Any,
    tally: Any,
) -> float:
    """Update the weights after each example: w += rate · weight · factor · (t - o) · do/dnet · x, and momentum.

    The first column of `x` is the input of the bias. The output of a threshold unit is `high` above 0 and
    `low` below; at a net input of 0 up to rounding it is `high` if it `fires`. `total`, unless it is empty,
    sums the weights after each example.

    `pocket`, unless it is empty, holds the weights of a threshold unit with the fewest mistakes so far.
    `tally` holds the current run of correct answers, the longest run of the pocket weights, their number of
    mistakes, and whether the current weights are new (0), counted (1) or in the pocket (2). Weights are
    counted once they have a longer run (Gallant's ratchet).
    """
    lost = 0.0
    n = len(w)
    for i in range(len(order)):
        row = order[i]
        net = 0.0
        size = 0.0
        for j in range(n):
            part = w[j] * x[row, j]
            net += part
            size += abs(part)
        slope = 1.0
        if kind == 0:
            said = net
        elif kind == 1:
            clear = abs(net) > 1e-12 * size
            said = high if (net > 0.0 if clear else fires) else low
        else:
            said = sigmoid_of(net)
            slope = said * (1.0 - said)
        error = targets[row] - said
        if kind == 1:
            if error != 0.0:
                lost += weights[row]
        else:
            lost += 0.5 * factor * weights[row] * error * error
        if len(pocket) > 0:
            if error != 0.0:
                tally[0] = 0.0
                tally[3] = 0.0
            else:
                tally[0] += 1.0
                if tally[3] == 0.0 and tally[0] > tally[1]:
                    wrong = mistakes(x, targets, weights, w, low, high, fires)
                    tally[3] = 1.0
                    if wrong < tally[2]:
                        tally[2] = wrong
                        tally[3] = 2.0
                        for j in range(n):
                            pocket[j] = w[j]
                if tally[3] == 2.0:
                    tally[1] = tally[0]
        step = rates[i] * factor * weights[row] * error * slope
        for j in range(n):
            memory[j] = step * x[row, j] + momentum * memory[j]
            w[j] += memory[j]
        for j in range(len(total)):
            total[j] += w[j]
    return lost
