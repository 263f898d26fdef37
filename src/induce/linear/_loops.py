"""The hot loop of single units: one update per example, for linear, threshold and sigmoid units alike."""

from __future__ import annotations

from typing import Any

from induce.core.loops import loop
from induce.statistics._logistic_loops import sigmoid_of

LINEAR, THRESHOLD, SIGMOID = 0, 1, 2


@loop
def unit_pass(
    x: Any,
    targets: Any,
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
) -> float:
    """Update the weights after each example: w += rate · factor · (t - o) · do/dnet · x, and momentum.

    `x` begins with the input of the bias. A threshold unit says `high` above 0 and `low` below; a net of 0 up to
    rounding says `high` if it `fires`. `total`, unless it is empty, sums up the weights after each example.
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
                lost += 1.0
        else:
            lost += 0.5 * factor * error * error
        step = rates[i] * factor * error * slope
        for j in range(n):
            memory[j] = step * x[row, j] + momentum * memory[j]
            w[j] += memory[j]
        for j in range(len(total)):
            total[j] += w[j]
    return lost
