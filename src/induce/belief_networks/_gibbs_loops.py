"""Compiled loop of Gibbs sampling: draw each missing cell given its Markov blanket."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import loop

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Codes = NDArray[np.int32]


@loop
def sweep(
    codes: Codes,
    rows: Ints,
    variables: Ints,
    weights: Floats,
    uniforms: Floats,
    sizes: Ints,
    starts: Ints,
    scopes: Ints,
    strides: Ints,
    offsets: Ints,
    begins: Ints,
    owners: Ints,
    along: Ints,
    tables: Floats,
    counts: Floats,
) -> None:
    """Redraw each missing cell and update the family counts.

    The families that contain variable `v` are ``owners[begins[v]:begins[v + 1]]``; `along` holds the
    variable's stride in each of their tables.
    """
    shares = np.empty(sizes.max())
    base = np.empty(len(owners), np.int64)
    for cell in range(len(rows)):
        row, v = codes[rows[cell]], variables[cell]
        first, last = begins[v], begins[v + 1]
        # The Markov blanket: the variable's own family and those of its children. The cell is taken out of their
        # counts, and `base` is where it would be with the value 0.
        for k in range(first, last):
            at = offsets[owners[k]]
            for i in range(starts[owners[k]], starts[owners[k] + 1]):
                at += strides[i] * row[scopes[i]]
            counts[at] -= weights[rows[cell]]
            base[k] = at - along[k] * row[v]
        total = 0.0
        for value in range(sizes[v]):
            share = 1.0
            for k in range(first, last):
                share *= tables[base[k] + along[k] * value]
            shares[value] = share
            total += share
        drawn, value = uniforms[cell] * total, 0
        while value < sizes[v] - 1 and drawn >= shares[value]:
            drawn -= shares[value]
            value += 1
        row[v] = value
        for k in range(first, last):
            counts[base[k] + along[k] * value] += weights[rows[cell]]
