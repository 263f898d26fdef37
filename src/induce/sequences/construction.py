"""Hidden Markov chains from dictionaries, and as belief networks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.belief_networks.conditionals.base import Conditional
from induce.belief_networks.conditionals.gaussian import GaussianConditional
from induce.belief_networks.conditionals.table import ConditionalTable
from induce.belief_networks.construction import Normal
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.values import Value
from induce.data.names import listed
from induce.data.schema import Column, Schema
from induce.sequences.hypothesis import HiddenMarkovChain
from induce.sequences.parameters import Floats, MarkovParameters, numeric_columns

if TYPE_CHECKING:
    from induce.belief_networks.network import BeliefNetwork


def chain_of(
    start: Mapping[Value, float],
    transitions: Mapping[Value, Mapping[Value, float]],
    emissions: Mapping[str, Mapping[Value, Any]],
) -> HiddenMarkovChain:
    """Implement `HiddenMarkovChain.of`."""
    states = tuple(dict.fromkeys([*start, *transitions]))
    columns, tables, normals = [], [], []
    for name, shown in emissions.items():
        rows = [_of_state(shown, state, f"the emissions of {name!r}") for state in states]
        if all(isinstance(row, Normal) for row in rows):
            columns.append(Column(name))
            normals.append([(row.mean, row.sd**2) for row in rows])
        elif all(isinstance(row, Mapping) for row in rows):
            domain = tuple(dict.fromkeys(value for row in rows for value in row))
            columns.append(Column(name, "nominal", domain))
            tables.append(_matrix(rows, domain, f"value of {name!r}"))
        else:
            raise InputError(
                f"the emissions of {name!r} are invalid; give each state a dict from values to "
                "probabilities, or give each a Normal"
            )
    moments = np.array(normals, np.float64).reshape(len(normals), len(states), 2)
    parameters = MarkovParameters(
        _matrix([start], states, "state")[0],
        _matrix([_of_state(transitions, state, "the transitions") for state in states], states, "state"),
        tuple(tables),
        np.ones((len(states), 1)),
        np.ascontiguousarray(moments[:, :, 0].T[:, np.newaxis]),
        np.ascontiguousarray(moments[:, :, 1].T[:, np.newaxis]),
    )
    return HiddenMarkovChain(states, Schema(tuple(columns)), parameters, parameters.n_free())


def _of_state(rows: Mapping[Value, Any], state: Value, what: str) -> Any:
    if state not in rows:
        raise InputError(f"{what} lack state {state!r}; give it a distribution")
    return rows[state]


def _matrix(rows: list[Any], names: tuple[Value, ...], what: str) -> Floats:
    for row in rows:
        for name in row:
            if name not in names:
                raise InputError(f"there is no {what} {name!r}; give one of {', '.join(map(str, names))}")
    return np.array([[float(row.get(name, 0.0)) for name in names] for row in rows])


def unrolled(chain: HiddenMarkovChain, n: int) -> BeliefNetwork:
    """Implement `HiddenMarkovChain.to_network`."""
    from induce.belief_networks.network import BeliefNetwork

    parameters, columns = chain.parameters, chain.schema.inputs()
    n_components = parameters.weights.shape[1]
    numbers = numeric_columns(chain.schema)
    constant = [
        column.name
        for column, is_constant in zip(numbers, parameters.is_constant, strict=True)
        if is_constant
    ]
    if constant:
        note(f"constant columns have no density and are left out of the network: {listed(constant)}")
    nodes: list[Column] = []
    parents: list[tuple[int, ...]] = []
    conditionals: list[Conditional] = []

    def add(column: Column, above: tuple[int, ...], conditional: Conditional) -> int:
        nodes.append(column)
        parents.append(above)
        conditionals.append(conditional)
        return len(nodes) - 1

    before = -1
    for t in range(1, n + 1):
        chances = parameters.transitions if before >= 0 else parameters.start
        state = add(
            Column(f"state {t}", "nominal", chain.states),
            (before,) if before >= 0 else (),
            ConditionalTable(chances),
        )
        above: tuple[int, ...] = (state,)
        if n_components > 1 and parameters.means.shape[2]:
            domain = tuple(f"component {m}" for m in range(1, n_components + 1))
            component = add(
                Column(f"component {t}", "nominal", domain), (state,), ConditionalTable(parameters.weights)
            )
            above = (state, component)
        tables, number = iter(parameters.tables), 0
        for column in columns:
            if column.kind == "nominal":
                add(
                    Column(f"{column.name} {t}", "nominal", column.domain),
                    (state,),
                    ConditionalTable(next(tables)),
                )
                continue
            means, variances = parameters.means[..., number], parameters.variances[..., number]
            number += 1
            if parameters.is_constant[number - 1]:
                continue  # without information, and without a density
            if len(above) == 1:
                means, variances = means[:, 0], variances[:, 0]
            add(
                Column(f"{column.name} {t}"),
                above,
                GaussianConditional(means, np.empty((*means.shape, 0)), variances),
            )
        before = state
    return BeliefNetwork(Schema(tuple(nodes)), tuple(parents), tuple(conditionals))
