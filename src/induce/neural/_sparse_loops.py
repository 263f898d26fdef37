"""Hot loops of networks with sparse inputs: the cost of an example is proportional to its nonzero inputs.

Weight decay multiplies all weights by the same factor. Weights of links from inputs are stored divided by a
common `scale`, to which the decay is applied; a weight is therefore touched only if its input is nonzero.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import inner, loop
from induce.neural._loops import activate, add_dense, blame_back, blame_outputs, move_dense

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SMALLEST, LARGEST = 1e-100, 1e100
"""Minimum scale; below it the weights are multiplied out and the scale is reset to 1."""


@inner
def say_sparse(
    groups: Ints,
    facts: Floats,
    links: Ints,
    w: Floats,
    scale: float,
    out: Floats,
    columns: Ints,
    values: Floats,
    n_inputs: int,
) -> None:
    """Run the network forward from the nonzero inputs."""
    for g in range(groups.shape[0]):
        start, size, unit, bias = groups[g, 0], groups[g, 1], groups[g, 2], groups[g, 3]
        if unit == 0:
            continue
        for j in range(size):
            out[start + j] = w[bias + j] if bias >= 0 else 0.0
        for k in range(groups[g, 4], groups[g, 5]):
            source, n_source, at = links[k, 0], links[k, 1], links[k, 4]
            if source >= n_inputs:
                add_dense(w, out, source, n_source, start, size, at)
                continue
            for c in range(columns.size):
                i = columns[c] - source
                if values[c] != 0.0 and 0 <= i < n_source:
                    x, row = scale * values[c], at + i * size
                    for j in range(size):
                        out[start + j] += x * w[row + j]
        activate(out, start, size, unit, facts[g, 0], facts[g, 1], facts[g, 2])


@inner
def shrink_inputs(groups: Ints, links: Ints, w: Floats, factor: float, n_inputs: int) -> None:
    """Multiply the weights of all links from inputs by a factor."""
    for g in range(groups.shape[0]):
        for k in range(groups[g, 4], groups[g, 5]):
            if links[k, 0] < n_inputs:
                for c in range(links[k, 4], links[k, 4] + links[k, 1] * groups[g, 1]):
                    w[c] *= factor


@inner
def shrink_others(groups: Ints, links: Ints, w: Floats, shrink: float, n_inputs: int) -> None:
    """Shrink the biases and the weights of all links from other units."""
    for g in range(groups.shape[0]):
        size, bias = groups[g, 1], groups[g, 3]
        if bias >= 0:
            for c in range(bias, bias + size):
                w[c] -= shrink * w[c]
        for k in range(groups[g, 4], groups[g, 5]):
            if links[k, 0] >= n_inputs:
                for c in range(links[k, 4], links[k, 4] + links[k, 1] * size):
                    w[c] -= shrink * w[c]


@inner
def move_sparse(
    groups: Ints,
    links: Ints,
    w: Floats,
    scale: float,
    out: Floats,
    delta: Floats,
    columns: Ints,
    values: Floats,
    rate: float,
    n_inputs: int,
) -> None:
    """Update the weights by delta times input, without momentum."""
    for g in range(groups.shape[0]):
        start, size, bias = groups[g, 0], groups[g, 1], groups[g, 3]
        if bias >= 0:
            for j in range(size):
                w[bias + j] += rate * delta[start + j]
        for k in range(groups[g, 4], groups[g, 5]):
            source, n_source, at = links[k, 0], links[k, 1], links[k, 4]
            if source >= n_inputs:
                move_dense(w, out, delta, source, n_source, start, size, at, rate)
                continue
            for c in range(columns.size):
                i = columns[c] - source
                if values[c] != 0.0 and 0 <= i < n_source:
                    push, row = rate * values[c] / scale, at + i * size
                    for j in range(size):
                        w[row + j] += push * delta[start + j]


@loop
def back_propagate_sparse(
    groups: Ints,
    facts: Floats,
    links: Ints,
    places: Ints,
    starts: Ints,
    columns: Ints,
    values: Floats,
    n_inputs: int,
    T: Floats,
    row_weights: Floats,
    order: Ints,
    w: Floats,
    rates: Floats,
    decay: float,
    loss: int,
) -> float:
    """Run `back_propagate` without momentum on rows given by their nonzero inputs.

    Row r has the entries of `columns` and `values` from `starts[r]` to `starts[r + 1]`. Each weight has one
    connection and is trained.

    Returns
    -------
    float
        Sum of the errors of the examples, each measured before its update.
    """
    n_units = 0
    for g in range(groups.shape[0]):
        n_units += groups[g, 1]
    out, delta, back = np.zeros(n_units), np.zeros(n_units), np.zeros(n_units)
    total, scale = 0.0, 1.0
    for n in range(order.size):
        row, rate = order[n], rates[n]
        own, x = columns[starts[row] : starts[row + 1]], values[starts[row] : starts[row + 1]]
        say_sparse(groups, facts, links, w, scale, out, own, x, n_inputs)
        for j in range(n_inputs, n_units):
            delta[j] = 0.0
        total += blame_outputs(groups, facts, out, delta, T, row, row_weights[row], loss)
        blame_back(groups, facts, links, places, w, out, delta, back, n_inputs)
        if decay > 0.0:
            shrink = 2.0 * decay * rate
            shrink_others(groups, links, w, shrink, n_inputs)
            scale *= 1.0 - shrink
            if not SMALLEST < abs(scale) < LARGEST:
                shrink_inputs(groups, links, w, scale, n_inputs)
                scale = 1.0
        move_sparse(groups, links, w, scale, out, delta, own, x, rate, n_inputs)
    if scale != 1.0:
        shrink_inputs(groups, links, w, scale, n_inputs)
    return total
