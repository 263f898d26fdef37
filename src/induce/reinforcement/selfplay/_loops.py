"""Compiled loops of a value network: one hidden layer of sigmoid units, trained by TD(λ).

`into` holds the weights from inputs to hidden units, one row per input and one for the constant; `out` has one row
per output, the constant last. An output is the probability that the player to move scores more than a given level.

The network does not use `induce.neural`: each output has its own trace, which is mirrored after a move. Moves
are chosen among hundreds of positions inside compiled games, with weights in the layout of saved players.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import inner, loop
from induce.statistics._logistic_loops import sigmoid_of


@loop
def judge(
    x: NDArray[np.float64],
    into: NDArray[np.float64],
    out: NDArray[np.float64],
    hidden: NDArray[np.float64],
    output: NDArray[np.float64],
) -> None:
    """Write the activations of the hidden units and the outputs for one row of inputs."""
    n_inputs, n_hidden = into.shape
    n_inputs -= 1
    for j in range(n_hidden):
        hidden[j] = into[n_inputs, j]
    for i in range(n_inputs):
        value = x[i]
        if value != 0.0:  # most raw inputs of a board are 0
            for j in range(n_hidden):
                hidden[j] += value * into[i, j]
    for j in range(n_hidden):
        hidden[j] = sigmoid_of(hidden[j])
    for k in range(len(output)):
        total = out[k, n_hidden]
        for j in range(n_hidden):
            total += hidden[j] * out[k, j]
        output[k] = sigmoid_of(total)


@loop
def judge_all(
    rows: NDArray[np.float64],
    into: NDArray[np.float64],
    out: NDArray[np.float64],
    outputs: NDArray[np.float64],
) -> None:
    """Write the outputs for each row of inputs."""
    hidden = np.empty(into.shape[1])
    for k in range(len(rows)):
        judge(rows[k], into, out, hidden, outputs[k])


@loop
def td_step(
    x: NDArray[np.float64],
    hidden: NDArray[np.float64],
    output: NDArray[np.float64],
    target: NDArray[np.float64],
    into: NDArray[np.float64],
    out: NDArray[np.float64],
    rate: float,
    change: NDArray[np.float64],
) -> float:
    """Update a row's outputs towards their targets by TD(0); return the squared error (`change` is workspace)."""
    n_inputs, n_hidden = len(x), len(hidden)
    error = 0.0
    for j in range(n_hidden):
        change[j] = 0.0
    for k in range(len(output)):
        wrong = target[k] - output[k]
        error += wrong * wrong
        step = rate * wrong * output[k] * (1.0 - output[k])
        for j in range(n_hidden):
            # Back-propagation before the weight changes, so that the error passes through the weights that made
            # the output.
            change[j] += step * out[k, j]
            out[k, j] += step * hidden[j]
        out[k, n_hidden] += step
    for j in range(n_hidden):
        change[j] *= hidden[j] * (1.0 - hidden[j])
        into[n_inputs, j] += change[j]
    for i in range(n_inputs):
        value = x[i]
        if value != 0.0:
            for j in range(n_hidden):
                into[i, j] += value * change[j]
    return error


@loop
def trace_step(
    x: NDArray[np.float64],
    hidden: NDArray[np.float64],
    output: NDArray[np.float64],
    target: NDArray[np.float64],
    into: NDArray[np.float64],
    out: NDArray[np.float64],
    rate: float,
    decay: float,
    turns: bool,
    traces: NDArray[np.float64],
) -> float:
    """Update by TD(λ): `traces` holds for each output its earlier gradients, decayed by λ at every move.

    The gradients of `into` come first, then those of the rows of `out`. If the point of view changes after each move,
    output k of one view is one minus the opposite output of the other, and the gradients change sign.
    """
    n_outputs, n_inputs, n_hidden = len(output), len(x), len(hidden)
    beyond = (n_inputs + 1) * n_hidden
    # Both views of a position describe one probability: p_k of one is 1 - p_(n-1-k) of the other. In the next
    # view a gradient therefore belongs to the opposite output, with its sign changed; pairs are exchanged in
    # place.
    factor = -decay if turns else decay
    for k in range(n_outputs):
        opposite = n_outputs - 1 - k if turns else k
        if opposite < k:
            continue
        for at in range(traces.shape[1]):
            kept = traces[k, at]
            traces[k, at] = factor * traces[opposite, at]
            if opposite > k:
                traces[opposite, at] = factor * kept
    error = 0.0
    for k in range(n_outputs):
        slope = output[k] * (1.0 - output[k])
        row = beyond + k * (n_hidden + 1)
        for j in range(n_hidden):
            # d output_k / d net_j; `traces` adds the gradients of this position to the decayed earlier ones.
            gradient = slope * out[k, j] * hidden[j] * (1.0 - hidden[j])
            traces[k, row + j] += slope * hidden[j]
            traces[k, n_inputs * n_hidden + j] += gradient
            for i in range(n_inputs):
                if x[i] != 0.0:
                    traces[k, i * n_hidden + j] += gradient * x[i]
        traces[k, row + n_hidden] += slope
    for k in range(n_outputs):
        wrong = target[k] - output[k]
        error += wrong * wrong
        for i in range(n_inputs + 1):
            for j in range(n_hidden):
                into[i, j] += rate * wrong * traces[k, i * n_hidden + j]
        for other in range(n_outputs):
            for j in range(n_hidden + 1):
                out[other, j] += rate * wrong * traces[k, beyond + other * (n_hidden + 1) + j]
    return error


@inner
def final_target(points: float, levels: NDArray[np.float64], target: NDArray[np.float64]) -> None:
    """Write the final targets of the outputs: 1 if the points exceed a level, 0.5 if they equal it."""
    for k in range(len(levels)):
        target[k] = 1.0 if points > levels[k] else 0.5 if points == levels[k] else 0.0


@inner
def next_target(following: NDArray[np.float64], turns: bool, target: NDArray[np.float64]) -> None:
    """Write the targets of a position's outputs from the outputs of the next position."""
    n = len(following)
    for k in range(n):
        target[k] = 1.0 - following[n - 1 - k] if turns else following[k]
