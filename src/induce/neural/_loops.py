"""Hot loops of networks: back-propagation with an update after each example, over the flat arrays of
`induce.neural.plan`.

The weights of a link are stored by source: the weights from one source to all targets are contiguous. Net
inputs are therefore summed in a fixed order on every processor, and an input of 0 costs nothing.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import inner, loop
from induce.statistics._logistic_loops import sigmoid_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

WIDE = 32
"""Number of sources above which a group is processed four units at a time."""


@inner
def activate(
    out: Floats, start: int, size: int, unit: int, steepness: float, off: float, at_zero: float
) -> None:
    """Replace net inputs by the outputs of the units, in place."""
    if unit == 3:
        for j in range(start, start + size):
            out[j] = sigmoid_of(steepness * out[j])
    elif unit == 4:
        for j in range(start, start + size):
            out[j] = math.tanh(steepness * out[j])
    elif unit == 5:
        top = out[start]
        for j in range(start + 1, start + size):
            top = max(top, out[j])
        total = 0.0
        for j in range(start, start + size):
            out[j] = math.exp(out[j] - top)
            total += out[j]
        for j in range(start, start + size):
            out[j] /= total
    elif unit == 6:
        for j in range(start, start + size):
            out[j] = max(out[j], 0.0)
    elif unit == 1:
        for j in range(start, start + size):
            fires = out[j] > 0.0 or (out[j] == 0.0 and at_zero > 0.0)
            out[j] = 1.0 if fires else off


@inner
def add_dense(w: Floats, out: Floats, source: int, n_source: int, start: int, size: int, at: int) -> None:
    """Add the contribution of a link to the net inputs of a group, four units at a time."""
    for j in range(0, size, 4):
        n = min(4, size - j)
        first = out[start + j]
        second = out[start + j + 1] if n > 1 else 0.0
        third = out[start + j + 2] if n > 2 else 0.0
        fourth = out[start + j + 3] if n > 3 else 0.0
        row = at + j
        for i in range(source, source + n_source):
            x = out[i]
            if x != 0.0:
                first += x * w[row]
                if n > 1:
                    second += x * w[row + 1]
                if n > 2:
                    third += x * w[row + 2]
                if n > 3:
                    fourth += x * w[row + 3]
            row += size
        out[start + j] = first
        if n > 1:
            out[start + j + 1] = second
        if n > 2:
            out[start + j + 2] = third
        if n > 3:
            out[start + j + 3] = fourth


@inner
def say(groups: Ints, facts: Floats, links: Ints, places: Ints, w: Floats, out: Floats) -> None:
    """Run the network forward; `out` already contains the inputs."""
    for g in range(groups.shape[0]):
        unit = groups[g, 2]
        if unit == 0:
            continue
        start, size, bias, cells = groups[g, 0], groups[g, 1], groups[g, 3], groups[g, 8]
        if bias < 0:
            for j in range(size):
                out[start + j] = 0.0
        elif cells == 1:
            for j in range(size):
                out[start + j] = w[bias + j]
        else:
            for j in range(size):
                out[start + j] = w[bias + j // cells]
        for k in range(groups[g, 4], groups[g, 5]):
            source, n_source, at, where = links[k, 0], links[k, 1], links[k, 4], links[k, 5]
            if where < 0 and n_source > WIDE:
                add_dense(w, out, source, n_source, start, size, at)
                continue
            for i in range(n_source):
                x = out[source + i]
                if x == 0.0:
                    continue
                if where < 0:
                    row = at + i * size
                    for j in range(size):
                        out[start + j] += x * w[row + j]
                    continue
                pairs = where + n_source + 1
                for c in range(pairs + 2 * places[where + i], pairs + 2 * places[where + i + 1], 2):
                    out[start + places[c]] += x * w[at + places[c + 1]]
        activate(out, start, size, unit, facts[g, 0], facts[g, 1], facts[g, 2])


@inner
def blame_outputs(
    groups: Ints, facts: Floats, out: Floats, delta: Floats, T: Floats, row: int, weight: float, loss: int
) -> float:
    """Set -dE/dnet of the output units, weighted; return the error of the example."""
    error = 0.0
    for g in range(groups.shape[0]):
        at = groups[g, 6]
        if at < 0:
            continue
        start, size, unit, steepness = groups[g, 0], groups[g, 1], groups[g, 2], facts[g, 0]
        if loss == 1:
            for j in range(size):
                o, t = out[start + j], T[row, at + j]
                delta[start + j] = weight * steepness * (t - o)
                if t != 0.0:
                    error -= t * math.log(max(o, 1e-300))
                if unit == 3 and t != 1.0:
                    error -= (1.0 - t) * math.log(max(1.0 - o, 1e-300))
            continue
        mean = 0.0
        for j in range(size):
            miss = T[row, at + j] - out[start + j]
            error += 0.5 * miss * miss
            mean += miss * out[start + j]
        for j in range(size):
            o = out[start + j]
            miss = weight * (T[row, at + j] - o)
            delta[start + j] = miss * slope(unit, o, steepness)
            if unit == 5:
                delta[start + j] = o * (miss - weight * mean)
    return weight * error


@inner
def slope(unit: int, o: float, steepness: float) -> float:
    """Return do/dnet of a unit from its output; softmax units are handled elsewhere."""
    if unit == 3:
        return steepness * o * (1.0 - o)
    if unit == 4:
        return steepness * (1.0 - o * o)
    if unit == 6:
        return 1.0 if o > 0.0 else 0.0
    if unit == 1:
        return 0.0
    return 1.0


@inner
def blame_back(
    groups: Ints,
    facts: Floats,
    links: Ints,
    places: Ints,
    w: Floats,
    out: Floats,
    delta: Floats,
    back: Floats,
    n_inputs: int,
) -> None:
    """Propagate -dE/dnet back to every unit, using the weights before the update.

    `back` accumulates -dE/dout from the units downstream; output units add their own error to it.
    """
    for j in range(n_inputs, out.size):
        back[j] = 0.0
    last = groups.shape[0] - 1
    for step in range(groups.shape[0]):
        g = last - step
        start, size, unit = groups[g, 0], groups[g, 1], groups[g, 2]
        if unit == 0:
            continue
        if groups[g, 7]:
            mean = 0.0
            if unit == 5:
                for j in range(start, start + size):
                    mean += back[j] * out[j]
            for j in range(start, start + size):
                if unit == 5:
                    delta[j] += out[j] * (back[j] - mean)
                else:
                    delta[j] += back[j] * slope(unit, out[j], facts[g, 0])
        for k in range(groups[g, 4], groups[g, 5]):
            source, n_source, at, where = links[k, 0], links[k, 1], links[k, 4], links[k, 5]
            if source < n_inputs:
                continue
            for i in range(n_source):
                total = 0.0
                if where < 0:
                    row = at + i * size
                    for j in range(size):
                        total += w[row + j] * delta[start + j]
                else:
                    pairs = where + n_source + 1
                    for c in range(pairs + 2 * places[where + i], pairs + 2 * places[where + i + 1], 2):
                        total += w[at + places[c + 1]] * delta[start + places[c]]
                back[source + i] += total


@inner
def move_dense(
    w: Floats,
    out: Floats,
    delta: Floats,
    source: int,
    n_source: int,
    start: int,
    size: int,
    at: int,
    rate: float,
) -> None:
    """Update the weights of a link without momentum, four units at a time; inputs of 0 are skipped."""
    for j in range(0, size, 4):
        n = min(4, size - j)
        first = delta[start + j]
        second = delta[start + j + 1] if n > 1 else 0.0
        third = delta[start + j + 2] if n > 2 else 0.0
        fourth = delta[start + j + 3] if n > 3 else 0.0
        row = at + j
        for i in range(source, source + n_source):
            if out[i] != 0.0:
                push = rate * out[i]
                w[row] += push * first
                if n > 1:
                    w[row + 1] += push * second
                if n > 2:
                    w[row + 2] += push * third
                if n > 3:
                    w[row + 3] += push * fourth
            row += size


@inner
def move(
    groups: Ints,
    links: Ints,
    w: Floats,
    memory: Floats,
    out: Floats,
    delta: Floats,
    rate: float,
    momentum: float,
) -> None:
    """Update every weight, with momentum, in a network without shared or frozen weights."""
    still = momentum == 0.0
    for g in range(groups.shape[0]):
        if groups[g, 2] == 0:
            continue
        start, size, bias = groups[g, 0], groups[g, 1], groups[g, 3]
        if bias >= 0:
            for j in range(size):
                step = rate * delta[start + j]
                if not still:
                    step += momentum * memory[bias + j]
                    memory[bias + j] = step
                w[bias + j] += step
        for k in range(groups[g, 4], groups[g, 5]):
            source, n_source, at = links[k, 0], links[k, 1], links[k, 4]
            if still and n_source > WIDE:
                move_dense(w, out, delta, source, n_source, start, size, at, rate)
                continue
            for i in range(n_source):
                row = at + i * size
                push = rate * out[source + i]
                if still:
                    if push != 0.0:
                        for j in range(size):
                            w[row + j] += push * delta[start + j]
                    continue
                for j in range(size):
                    step = push * delta[start + j] + momentum * memory[row + j]
                    memory[row + j] = step
                    w[row + j] += step


@inner
def gather(groups: Ints, links: Ints, places: Ints, out: Floats, delta: Floats, falls: Floats) -> None:
    """Sum delta times input for each weight, over all its copies."""
    falls[:] = 0.0
    for g in range(groups.shape[0]):
        if groups[g, 2] == 0:
            continue
        start, size, bias, cells = groups[g, 0], groups[g, 1], groups[g, 3], groups[g, 8]
        if bias >= 0:
            for j in range(size):
                falls[bias + j // cells] += delta[start + j]
        for k in range(groups[g, 4], groups[g, 5]):
            source, n_source, at, where = links[k, 0], links[k, 1], links[k, 4], links[k, 5]
            for i in range(n_source):
                x = out[source + i]
                if x == 0.0:
                    continue
                if where < 0:
                    row = at + i * size
                    for j in range(size):
                        falls[row + j] += x * delta[start + j]
                else:
                    pairs = where + n_source + 1
                    for c in range(pairs + 2 * places[where + i], pairs + 2 * places[where + i + 1], 2):
                        falls[at + places[c + 1]] += x * delta[start + places[c]]


@loop
def back_propagate(
    groups: Ints,
    facts: Floats,
    links: Ints,
    places: Ints,
    factor: Floats,
    X: Floats,
    T: Floats,
    row_weights: Floats,
    order: Ints,
    w: Floats,
    memory: Floats,
    rates: Floats,
    momentum: float,
    decay: float,
    loss: int,
    direct: bool,
) -> float:
    """Update the weights after each example, in a given order of rows (BACKPROPAGATION, Table 4.2).

    Each example has its own learning rate. The weights are first multiplied by 1 - 2 * decay * rate. `factor`
    is 0 for frozen weights.

    Returns
    -------
    float
        Sum of the errors of the examples, each measured before its update.
    """
    n_inputs, n_units = X.shape[1], 0
    for g in range(groups.shape[0]):
        n_units += groups[g, 1]
    out, delta, back = np.zeros(n_units), np.zeros(n_units), np.zeros(n_units)
    falls = np.zeros(w.size)
    total = 0.0
    for n in range(order.size):
        row, rate = order[n], rates[n]
        for i in range(n_inputs):
            out[i] = X[row, i]
        say(groups, facts, links, places, w, out)
        for j in range(n_inputs, n_units):
            delta[j] = 0.0
        total += blame_outputs(groups, facts, out, delta, T, row, row_weights[row], loss)
        blame_back(groups, facts, links, places, w, out, delta, back, n_inputs)
        if decay > 0.0:
            shrink = 2.0 * decay * rate
            for k in range(w.size):
                w[k] -= shrink * factor[k] * w[k]
        if direct:
            move(groups, links, w, memory, out, delta, rate, momentum)
        else:
            gather(groups, links, places, out, delta, falls)
            for k in range(w.size):
                step = rate * factor[k] * falls[k] + momentum * memory[k]
                memory[k] = step
                w[k] += step
    return total
