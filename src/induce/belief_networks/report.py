"""Text reports of networks: each conditional with value names."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Any

import numpy as np

from induce.belief_networks.conditionals.base import nominal, sizes_of
from induce.belief_networks.conditionals.gaussian import GaussianConditional
from induce.belief_networks.conditionals.logistic import LogisticConditional
from induce.belief_networks.conditionals.noisy_or import NoisyOrConditional
from induce.belief_networks.conditionals.tree import TreeConditional
from induce.belief_networks.representation import Representation
from induce.core.reports import text_table
from induce.data.schema import Column
from induce.hypotheses.naming import chance_text, number_in, value_text

MOST_CELLS = 20_000
"""Maximum number of table cells in a network's view."""
MOST_TABLES, MOST_NODES, MOST_ROWS, MOST_VALUES = 20, 200, 24, 12


def report(network: Representation, arcs: str = "") -> str:
    """Return a network as text: its arcs, then the tables of its nodes in topological order.

    Networks of more than twenty nodes are printed without tables. `arcs` describes the arcs beyond the
    parents of each node.
    """
    parts = [f"{network.name}: {network.size()}" if network.name else network.size()]
    order = network.graph.order
    if len(order) > MOST_TABLES:
        some = value_text(network.schema.columns[order[-1]].name)
        parts += [arcs or _parents_text(network, order), f"describe({some!r}) gives the table of a node."]
    else:
        parts += [arcs] * bool(arcs)
        parts += [conditional_text(network, node) for node in order]
    return "\n\n".join(parts)


def _parents_text(network: Representation, order: Sequence[int]) -> str:
    """Return one line per node: its parents."""
    names = [value_text(column.name) for column in network.schema.columns]
    lines = []
    for node in order[:MOST_NODES]:
        above = ", ".join(names[parent] for parent in network.parents[node])
        lines.append(f"{names[node]} given {above}" if above else names[node])
    more = [f"… {len(order) - MOST_NODES:,} more nodes"] if len(order) > MOST_NODES else []
    return "\n".join([*lines, *more])


def conditional_text(network: Representation, node: int) -> str:
    """Return the distribution of a node given its parents as text.

    Examples
    --------
    >>> from induce.belief_networks.library import textbook_network
    >>> sprinkler = textbook_network("sprinkler")
    >>> print(conditional_text(sprinkler, sprinkler.graph.position("WetGrass")))
    WetGrass given Sprinkler, Rain
    Sprinkler  Rain   False  True
    False      False      1     0
    False      True     0.1   0.9
    True       False    0.1   0.9
    True       True    0.01  0.99
    """
    column, conditional = network.schema.columns[node], network.conditionals[node]
    parents = [network.schema.columns[k] for k in network.parents[node]]
    given = f" given {', '.join(value_text(parent.name) for parent in parents)}" if parents else ""
    kind = ""
    if isinstance(conditional, NoisyOrConditional):
        kind, body = " (noisy-OR)", _noisy_or(conditional, parents)
    elif isinstance(conditional, GaussianConditional):
        body = _gaussian(conditional, column, parents)
    elif isinstance(conditional, TreeConditional):
        kind, body = " (tree)", _tree(conditional, column, parents)
    elif isinstance(conditional, LogisticConditional):
        kind, body = " (logistic)", _logistic(conditional, column, parents)
    else:
        body = _table(conditional.table(sizes_of(parents)), column, parents)
    unit = f" in {column.unit}" if column.unit else ""
    return f"{value_text(column.name)}{unit}{given}{kind}\n{body}"


def _table(table: np.ndarray, column: Column, parents: Sequence[Column]) -> str:
    values = [*map(value_text, column.domain[:MOST_VALUES])]
    more = ["…"] if len(column.domain) > MOST_VALUES else []
    lines = [[*(value_text(parent.name) for parent in parents), *values, *more]]
    for codes, state in islice(_states(parents), MOST_ROWS):
        lines.append([*state, *map(chance_text, table[codes][:MOST_VALUES].tolist()), *more])
    return text_table(lines, left=range(len(parents))) + _rest(parents)


def _noisy_or(conditional: NoisyOrConditional, parents: Sequence[Column]) -> str:
    lines = [("cause", "fails")]
    for parent, row in zip(parents, conditional.fails, strict=True):
        for value, chance in zip(parent.domain, row, strict=True):
            if chance < 1:
                lines.append((f"{value_text(parent.name)} = {value_text(value)}", chance_text(chance)))
    return text_table([*lines, ("no cause (leak)", f"{1 - conditional.leak:.4g}")])


def _tree(conditional: TreeConditional, column: Column, parents: Sequence[Column]) -> str:
    """Return the tree as indented lines, with the distribution of each leaf."""
    values, more = map(value_text, column.domain[:MOST_VALUES]), ["…"] * (len(column.domain) > MOST_VALUES)
    lines = [["", *values, *more]]
    if len(conditional.tested) == 1:
        lines.append(["any", *map(chance_text, conditional.probabilities[0][:MOST_VALUES].tolist()), *more])
    for depth, test, value, place in conditional.branches(sizes_of(parents)):
        words = (
            f"{'|   ' * depth}{value_text(parents[test].name)} = {value_text(parents[test].domain[value])}"
        )
        chances = conditional.probabilities[place][:MOST_VALUES].tolist()
        leaf = conditional.tested[place] < 0
        lines.append([words, *(map(chance_text, chances) if leaf else [""] * len(chances)), *more])
    return text_table(lines)


def _gaussian(conditional: GaussianConditional, column: Column, parents: Sequence[Column]) -> str:
    states = nominal(parents)
    numbers = [parent for parent in parents if parent.kind == "numeric"]
    heads = ["intercept" if numbers else "mean", *map(_per, numbers), f"sd{_of_dates(column)}"]
    # a line over dates starts at the origin of the date's unit
    heads[0] += " on 1970-01-01" if any(parent.temporal for parent in numbers) else ""
    lines = [[*(value_text(parent.name) for parent in states), *heads]]
    for codes, state in islice(_states(states), MOST_ROWS):
        slopes = [*conditional.weights[codes].tolist(), math.sqrt(float(conditional.variances[codes]))]
        mean = number_in(float(conditional.intercepts[codes]), column.temporal)
        lines.append([*state, mean, *(f"{number:.4g}" for number in slopes)])
    return text_table(lines, left=range(len(states))) + _rest(states)


def _per(parent: Column) -> str:
    """Return the unit of a regression weight; dates count in days."""
    name = value_text(parent.name)
    return f"per {parent.temporal.removesuffix('s')} of {name}" if parent.temporal else f"per {name}"


def _of_dates(column: Column) -> str:
    return f" in {column.temporal}" if column.temporal else ""


def _logistic(conditional: LogisticConditional, column: Column, parents: Sequence[Column]) -> str:
    names = ["score"]
    for parent in parents:
        name = value_text(parent.name)
        names += [f"{name} = {value_text(value)}" for value in parent.domain] or [_per(parent)]
    rows = np.vstack([conditional.intercepts, conditional.weights]).tolist()
    lines = [["", *map(value_text, column.domain)]]
    lines += [[name, *(f"{weight:+.4g}" for weight in row)] for name, row in zip(names, rows, strict=True)]
    return text_table(lines)


def _states(parents: Sequence[Column]) -> Iterator[tuple[tuple[int, ...], list[str]]]:
    """Yield the states of nominal parents as codes and as text."""
    for codes in product(*map(range, sizes_of(parents))):
        yield codes, [value_text(each.domain[k]) for each, k in zip(parents, codes, strict=True)]


def _rest(parents: Sequence[Column]) -> str:
    left = math.prod(sizes_of(parents)) - MOST_ROWS
    return f"\n… {left:,} more rows" if left > 0 else ""


def network_view(network: Representation) -> dict[str, Any]:
    """Return the nodes of a network as plain data: values, parents, layer, prior, and the table given the parents.

    Tables are given if all nodes are nominal and the tables have few cells; then all queries can be answered
    from the view alone.
    """
    from induce.belief_networks.inference.questions import marginals

    columns = network.schema.columns
    layers = [0] * len(columns)
    for node in network.graph.order:
        layers[node] = max((layers[parent] + 1 for parent in network.parents[node]), default=0)
    sizes = [len(column.domain) for column in columns]
    cells = sum(math.prod(sizes[k] for k in (*parents, node)) for node, parents in enumerate(network.parents))
    whole = network.is_nominal and cells <= MOST_CELLS
    prior = marginals(network, None)
    nodes = []
    for place, column in enumerate(columns):
        parents = network.parents[place]
        told: dict[str, Any] = {"name": column.name, "parents": parents, "layer": layers[place]}
        answer: Any = prior[column.name]
        if column.kind == "nominal":
            told |= {"values": list(map(value_text, column.domain))}
            told |= {"prior": [float(answer[value]) for value in column.domain]}
        else:
            told |= {"text": str(answer).splitlines()[-1]}
        if whole:
            table = network.conditionals[place].table([sizes[k] for k in parents])
            told["table"] = table.reshape(-1).tolist()
        nodes.append(told)
    return {"nodes": nodes, "asks": whole}
