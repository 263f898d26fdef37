"""Construction of networks from Python: parents by name, probabilities by value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from induce.belief_networks.conditionals.base import Conditional, check_table_size, code_of, nominal, sizes_of
from induce.belief_networks.conditionals.gaussian import GaussianConditional
from induce.belief_networks.conditionals.table import ConditionalTable, state_text
from induce.belief_networks.graphs.dag import Dag
from induce.belief_networks.network import BeliefNetwork
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.values import Value
from induce.data.names import listed, unknown
from induce.data.schema import Column, Schema

TRUTH = (False, True)
NUMERIC = "numeric"


class Normal(NamedTuple):
    """A linear-Gaussian distribution for `BeliefNetwork.of`.

    Parameters
    ----------
    mean : float
        Mean when all numeric parents are 0.
    sd : float
        Standard deviation of the noise.
    weights : dict
        Regression weight of each numeric parent.

    Examples
    --------
    >>> Normal(3.0, 0.5, {"rain": 0.4}).weights["rain"]
    0.4
    """

    mean: float
    sd: float
    weights: Mapping[str, float] = {}


def network_of(
    parents: Mapping[str, Iterable[str]],
    conditionals: Mapping[str, Any] | None,
    values: Mapping[str, Sequence[Value] | str] | None,
    name: str,
) -> BeliefNetwork:
    """Build the network for `BeliefNetwork.of`."""
    given, domains = dict(conditionals or {}), dict(values or {})
    graph = Dag.of(parents, [*domains, *given] if not parents else ())
    if any(node not in graph.nodes for node in (*domains, *given)):
        graph = Dag.of(parents, list(dict.fromkeys([*graph.nodes, *domains, *given])))
    columns = [
        _column(node, domains.get(node), given.get(node), bool(graph.parents_of(node)))
        for node in graph.nodes
    ]
    built, unsaid = [], []
    for column, above in zip(columns, graph.parents, strict=True):
        upper = [columns[k] for k in above]
        if column.name not in given:
            unsaid.append(column.name)
        built.append(_conditional(column, upper, given.get(column.name)))
    if given and unsaid:
        note(f"no probabilities are given for {listed(unsaid)}; the distribution is uniform")
    return BeliefNetwork(Schema(tuple(columns)), graph.parents, tuple(built), name)


def _column(node: str, domain: Sequence[Value] | str | None, said: Any, has_parents: bool) -> Column:
    if isinstance(domain, str):
        if domain != NUMERIC:
            raise InputError(f"the values of {node!r} are {domain!r}; give a list of values, or {NUMERIC!r}")
        return Column(node)
    if domain is not None:
        return Column(node, "nominal", tuple(domain))
    example = said
    if has_parents and isinstance(said, Mapping):
        example = next(iter(said.values()), None)
    if isinstance(example, Normal) or isinstance(said, GaussianConditional):
        return Column(node)
    if isinstance(example, Mapping):
        return Column(node, "nominal", tuple(example))
    return Column(node, "nominal", TRUTH)


def _conditional(node: Column, parents: list[Column], said: Any) -> Conditional:
    if isinstance(said, Conditional):
        return said
    if callable(said):
        made: Conditional = said(node, parents)
        return made
    if node.kind == "numeric":
        return _gaussian(node, parents, said)
    if said is None:
        return ConditionalTable.uniform(node, parents)
    check_table_size(node, parents)
    if isinstance(said, Mapping) and parents:
        rows = _by_state(node, parents, said)
        table = [_row(node, parents, state, row) for state, row in rows.items()]
        return ConditionalTable(np.array(table).reshape(*sizes_of(parents), len(node.domain)))
    if not parents:
        return ConditionalTable(np.array(_row(node, (), (), said)))
    return ConditionalTable(_array(node, said))


def _array(node: Column, said: Any) -> Any:
    try:
        return np.array(said, np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"the table of {node.name!r} is {said!r}; give a dict from the states of its parents to probabilities"
        ) from None


def _gaussian(node: Column, parents: list[Column], said: Any) -> Conditional:
    if said is None:
        return GaussianConditional.standard(node, parents)
    states = nominal(parents)
    numbers = [parent.name for parent in parents if parent.kind == "numeric"]
    rows = _by_state(node, states, said) if states else {(): said}
    for state, row in rows.items():
        if not isinstance(row, Normal):
            raise InputError(
                f"{node.name!r} is numeric, but has {row!r} for {state_text(states, state) or 'its distribution'}; "
                "give a Normal(mean, sd)"
            )
        for parent in row.weights:
            if parent not in numbers:
                raise unknown(f"numeric parent of {node.name!r}", parent, numbers)
    shape = sizes_of(states)
    weights = [[float(row.weights.get(parent, 0.0)) for parent in numbers] for row in rows.values()]
    return GaussianConditional(
        np.array([float(row.mean) for row in rows.values()]).reshape(shape),
        np.array(weights, np.float64).reshape(*shape, len(numbers)),
        np.array([float(row.sd) ** 2 for row in rows.values()]).reshape(shape),
    )


def _by_state(node: Column, parents: list[Column], said: Any) -> dict[tuple[int, ...], Any]:
    """Return the specification for each state of the parents, in order."""
    if not isinstance(said, Mapping):
        raise InputError(f"{node.name!r} has parents; give a dict from their states to distributions")
    rows: dict[tuple[int, ...], Any] = {}
    for key, row in said.items():
        state = (key,) if len(parents) == 1 else key
        if not isinstance(state, tuple) or len(state) != len(parents):
            raise InputError(
                f"the state {key!r} of the parents of {node.name!r} does not match them; give "
                f"{len(parents)} values: {', '.join(parent.name for parent in parents)}"
            )
        rows[tuple(code_of(parent, value) for parent, value in zip(parents, state, strict=True))] = row
    everything = list(product(*map(range, sizes_of(parents))))
    for codes in everything:
        if codes not in rows:
            raise InputError(
                f"{node.name!r} has no probabilities for {state_text(parents, codes)}; give them"
            )
    return {codes: rows[codes] for codes in everything}


def _row(node: Column, parents: Sequence[Column], state: tuple[int, ...], said: Any) -> list[float]:
    """Return the probabilities of a node's values in one state of its parents."""
    if isinstance(said, int | float) and not isinstance(said, bool):
        if set(node.domain) != set(TRUTH):
            raise InputError(f"{node.name!r} is not Boolean; give a dict from its values to probabilities")
        return [float(said) if value else 1 - float(said) for value in node.domain]
    if isinstance(said, Mapping):
        codes = {code_of(node, value): float(chance) for value, chance in said.items()}
        return [codes.get(code, 0.0) for code in range(len(node.domain))]
    found = np.asarray(_array(node, said))
    if found.shape != (len(node.domain),):
        where = f" for {state_text(parents, state)}" if state else ""
        raise InputError(
            f"{node.name!r} has {len(node.domain)} values, but {said!r}{where}; give one probability "
            "per value"
        )
    return [float(chance) for chance in found]
