"""Export of network classifiers as an expression and as Python source without dependencies."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks.conditionals.base import Floats
from induce.belief_networks.conditionals.gaussian import GaussianConditional
from induce.core.errors import InputError
from induce.hypotheses.expressions.nodes import (
    Case,
    Cell,
    Comparison,
    Constant,
    Expression,
    Function,
    Largest,
    Let,
    LookUp,
    Maximum,
    Membership,
    Missing,
    Number,
    Or,
    Product,
    Sum,
    Unseen,
    Variable,
    Vector,
    WeightedSum,
)
from induce.hypotheses.expressions.shapes import all_of
from induce.hypotheses.writers.python import python_literal, python_module

if TYPE_CHECKING:
    from induce.belief_networks.classifier import NetworkClassifier
    from induce.belief_networks.network import BeliefNetwork

MOST_ROWS = 20_000
IMPOSSIBLE = -1e305

BODY = """\

    def known(column):
        value = row.get(column)
        if column in domains:
            value = text(value) if column in texts else value
            return value if value in domains[column] else None
        return None if missing(value) else days(value) if column in dates else float(value)

    def density(state):  # the log density of the numbers that are known, one after the other
        logs, means, spreads = 0.0, {}, {}
        for (*parents, name), numbers, table in lines:
            if name not in used:
                continue
            mean, weights, variance = table[tuple(state[parent] for parent in parents)]
            links = list(zip(weights, numbers))
            mean += sum(weight * means[other] for weight, other in links)
            shared = {other: sum(weight * spreads[other, above] for weight, above in links) for other in means}
            variance += sum(weight * shared[above] for weight, above in links)
            if name in state:
                gap = state[name] - mean
                logs -= 0.5 * (gap / variance * gap + math.log(2 * math.pi * variance))
                for other in means:
                    means[other] += shared[other] / variance * gap
                    for third in means:
                        spreads[other, third] -= shared[other] / variance * shared[third]
                mean, variance, shared = state[name], 0.0, dict.fromkeys(means, 0.0)
            for other in means:
                spreads[name, other] = spreads[other, name] = shared[other]
            means[name], spreads[name, name] = mean, variance
        return logs

    def total(open_nodes, state):  # the log probability of what is known; all else is summed out
        if not open_nodes:
            shares = [table[tuple(state[name] for name in names)] for names, table in tables if names[-1] in used]
            if not all(shares):
                return -math.inf
            return sum(map(math.log, shares)) + density(state)
        first, rest = open_nodes[0], open_nodes[1:]
        parts = [total(rest, {**state, first: value}) for value in domains[first]]
        top = max(parts)
        return top + math.log(sum(math.exp(part - top) for part in parts)) if top > -math.inf else top

    families = {names[-1]: names[:-1] for names, _ in tables}
    families.update({names[-1]: names[:-1] + numbers for names, numbers, _ in lines})
    state = {column: known(column) for column in families if column != target and known(column) is not None}
    used = set(families)
    while True:  # a node that is not known and has no children left bears on nothing
        needed = {parent for node in used for parent in families[node]}
        barren = {node for node in used if node not in state and node != target and node not in needed}
        if not barren:
            break
        used -= barren
    nodes = [names[-1] for names, _ in tables if names[-1] in used - set(state) - {target}]
    logs = [total(nodes, {**state, target: value}) for value in domains[target]]
    if max(logs) == -math.inf:
        logs = prior
    return domains[target][logs.index(max(logs))]
"""


def expression_of(model: NetworkClassifier) -> Expression:
    """Return the value that maximises the sum of its log probabilities.

    If a parent, a child or a co-parent is missing, there is no prediction.
    """
    network = model.network
    _check_kinds(model)
    place = network.graph.position(model.target)
    nodes = [place, *network.graph.children[place]]
    _check_size(model, sum(_table(network, node).size for node in nodes))
    scores = Variable("score", len(model.classes))
    blanket = dict.fromkeys(k for node in nodes for k in (*network.parents[node], node) if k != place)
    unknown: list[Expression] = []
    for k in blanket:
        cell = Cell(network.schema.columns[k])
        unknown += [Missing(cell), *([Unseen(cell)] if cell.column.kind == "nominal" else [])]
    never = Comparison(Maximum(scores), "<", Constant(IMPOSSIBLE))
    most = Constant(model.classes[int(model._prior.argmax())])
    branches: list[tuple[Expression, Expression]] = [(Or(tuple(unknown)), Constant(None))] if unknown else []
    chosen = Case(
        (*branches, (never, most)),
        Largest(scores, tuple(map(Constant, model.classes)), model.ties_by_rounding),
    )
    return Let("score", Sum(tuple(_term(network, node, place) for node in nodes)), chosen)


def _term(network: BeliefNetwork, node: int, target: int) -> Expression:
    """Return the log probabilities given by a node's conditional, one per value of the target."""
    line = network.conditionals[node]
    if isinstance(line, GaussianConditional):
        states, numbers = _split(network, node)
        scope, shape = states, line.intercepts.shape
        found = [_log_density(network, line, state, node, numbers) for state in np.ndindex(shape)]
    else:
        table = _table(network, node)
        scope, shape = [*network.parents[node], node], table.shape
        found = [Constant(_log(float(chance))) for chance in table.reshape(-1)]
    terms: NDArray[Any] = np.empty(len(found), object)
    terms[:] = found
    terms = np.moveaxis(terms.reshape(shape), scope.index(target), -1)
    n_values = terms.shape[-1]
    others = [network.schema.columns[k] for k in scope if k != target]
    states_of_others = list(np.ndindex(terms.shape[:-1]))
    vectors = [_vector(list(terms[state])) for state in states_of_others]
    if not others:
        return vectors[0]
    constants = [vector for vector in vectors if isinstance(vector, Constant)]
    if len(others) == 1 and len(constants) == len(vectors):
        nothing = Constant((0.0,) * n_values)
        return LookUp(Cell(others[0]), tuple(constants), nothing, nothing)
    tests = [
        all_of([Membership(Cell(each), (value,)) for each, value in zip(others, values, strict=True)])
        for values in product(*(each.domain for each in others))
    ]
    return Case(tuple(zip(tests, vectors, strict=True)), Constant((0.0,) * n_values))


def _vector(parts: list[Expression]) -> Expression:
    numbers: list[Any] = [part.value for part in parts if isinstance(part, Constant)]
    return Constant(tuple(numbers)) if len(numbers) == len(parts) else Vector(tuple(parts))


def _log_density(
    network: BeliefNetwork, line: GaussianConditional, state: tuple[int, ...], node: int, numbers: list[int]
) -> Expression:
    """Return the log density of a numeric node in one state of its nominal parents."""
    x, *parents = (Number(Cell(network.schema.columns[k]), 0.0) for k in (node, *numbers))
    mean = WeightedSum(float(line.intercepts[state]), tuple(line.weights[state].tolist()), tuple(parents))
    variance = float(line.variances[state])
    gap = Function("difference", (x, mean))
    quotient = Function("quotient", (gap, Constant(2 * variance)))
    constant = Constant(-0.5 * math.log(2 * math.pi * variance))
    return Function("difference", (constant, Product((quotient, gap))))


def to_python(model: NetworkClassifier, name: str = "predict") -> str:
    """Return the source of a function that maps a dict, such as a row, to a value of the target.

    Unknown nodes are summed out state by state, so it suits only small networks.
    """
    network = model.network
    _check_kinds(model)
    _check_size(model, sum(_table(network, node).size for node in range(len(network.nodes))))
    lines = ["domains = {"]
    lines += [
        f"    {python_literal(each.name)}: {python_literal(each.domain)},"
        for each in network.schema
        if each.kind == "nominal"
    ]
    lines += ["}", f"target = {python_literal(model.target)}", "tables = [", *_tables(network), "]"]
    lines += ["lines = [", *_lines(network), "]", f"prior = {python_literal(tuple(model._prior.tolist()))}"]
    return python_module(lines, BODY, name, model.target, model.schema)


def _tables(network: BeliefNetwork) -> Iterator[str]:
    """Yield the table of each nominal node: the names in its family, and a probability per state."""
    for node, parents in enumerate(network.parents):
        if network.schema.columns[node].kind == "numeric":
            continue
        domains = [network.schema.columns[k].domain for k in (*parents, node)]
        entries = zip(product(*domains), _table(network, node).reshape(-1).tolist(), strict=True)
        yield f"    ({python_literal(tuple(network.nodes[k] for k in (*parents, node)))}, {{"
        for state, chance in entries:
            yield f"        {python_literal(state)}: {python_literal(chance)},"
        yield "    }),"


def _lines(network: BeliefNetwork) -> Iterator[str]:
    """Yield the linear model of each numeric node, parents first: the names of its nominal parents and the
    node, the names of its numeric parents, and intercept, weights and variance per state.
    """
    for node in network.graph.order:
        line = network.conditionals[node]
        if not isinstance(line, GaussianConditional):
            continue
        states, numbers = _split(network, node)
        names = [tuple(network.nodes[k] for k in several) for several in ((*states, node), numbers)]
        yield f"    ({', '.join(map(python_literal, names))}, {{"
        for state in np.ndindex(line.intercepts.shape):
            values = tuple(network.schema.columns[k].domain[c] for k, c in zip(states, state, strict=True))
            numbers_of = (line.intercepts[state], tuple(line.weights[state].tolist()), line.variances[state])
            yield f"        {python_literal(values)}: {python_literal(numbers_of)},"
        yield "    }),"


def _split(network: BeliefNetwork, node: int) -> tuple[list[int], list[int]]:
    """Return the nominal parents and the numeric parents of a node."""
    numbers = [k for k in network.parents[node] if network.schema.columns[k].kind == "numeric"]
    return [k for k in network.parents[node] if k not in numbers], numbers


def _table(network: BeliefNetwork, node: int) -> Floats:
    """Return the table of a nominal node, or the intercepts of a numeric one."""
    conditional = network.conditionals[node]
    if isinstance(conditional, GaussianConditional):
        return conditional.intercepts
    return conditional.table([len(network.schema.columns[k].domain) for k in network.parents[node]])


def _check_kinds(model: NetworkClassifier) -> None:
    """Raise an `InputError` for nominal nodes with numeric parents, which have no exact posterior if one is
    missing.
    """
    network = model.network
    for node, column in enumerate(network.schema):
        numbers = _split(network, node)[1]
        if column.kind == "nominal" and numbers:
            raise InputError(
                f"node {column.name!r} depends on the numeric node {network.nodes[numbers[0]]!r}, "
                "which cannot be exported; save the network as a model file"
            )


def _log(chance: float) -> float:
    return math.log(chance) if chance > 0 else -math.inf


def _check_size(model: NetworkClassifier, entries: int) -> None:
    if entries > MOST_ROWS:
        raise InputError(
            f"the tables that {model.target!r} depends on have {entries:,} entries, too many to write "
            f"out (at most {MOST_ROWS:,}); save the network as a model file"
        )
