"""Sampling from a hidden Markov chain."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.belief_networks.conditionals.base import Values, chosen
from induce.data.decoded_rows import frame_of
from induce.data.schema import Column, Schema
from induce.sequences.hypothesis import HiddenMarkovChain


def sampled(chain: HiddenMarkovChain, n: int, n_sequences: int, rng: np.random.Generator) -> Any:
    """Implement `HiddenMarkovChain.sample`."""
    import polars as pl

    parameters = chain.parameters
    states = np.empty((n_sequences, n), np.int64)
    for t in range(n):
        rows = (
            parameters.transitions[states[:, t - 1]]
            if t
            else np.broadcast_to(parameters.start, (n_sequences, len(parameters.start)))
        )
        states[:, t] = chosen(rows, rng)
    flat = states.ravel()
    components = chosen(parameters.weights[flat], rng)
    tables, number = iter(parameters.tables), 0
    values: list[Values] = []
    for column in chain.schema.inputs():
        if column.kind == "nominal":
            values.append(chosen(next(tables)[flat], rng))
            continue
        sd = np.sqrt(parameters.variances[flat, components, number])
        values.append(parameters.means[flat, components, number] + sd * rng.normal(size=len(flat)))
        number += 1
    name = "state"
    while name in chain.schema.names():
        name += "_"
    schema = Schema((*chain.schema.inputs(), Column(name, "nominal", chain.states)))
    frame = frame_of(schema, [*values, flat])
    if n_sequences == 1:
        return frame
    places = np.repeat(np.arange(1, n_sequences + 1), n)
    return frame.insert_column(0, pl.Series(chain.sequence or "sequence", places))
