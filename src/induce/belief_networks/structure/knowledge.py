"""Background knowledge about arcs, as constraints on the nodes of a table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks.graphs.dag import Dag
from induce.core.errors import InputError
from induce.data.names import unknown
from induce.data.schema import Schema
from induce.hypotheses.knowledge import Knowledge
from induce.hypotheses.naming import value_text

Bools = NDArray[np.bool_]


def constraints_of(known: Knowledge, schema: Schema) -> Constraints:
    """Return the knowledge about the columns of a table; raise an `InputError` if it contradicts itself.

    A numeric node has a linear-Gaussian distribution, a nominal one a table. Therefore a numeric node cannot
    be a parent of a nominal one, unless that is logistic.
    """
    nodes = schema.names()
    place = {name: k for k, name in enumerate(nodes)}
    n = len(nodes)
    allowed = ~np.eye(n, dtype=bool)
    required = np.zeros((n, n), bool)

    def position(name: str) -> int:
        if name not in place:
            raise unknown("column", name, nodes)
        return place[name]

    kinds = ["table"] * n
    for name, kind in known.conditionals.items():
        kinds[position(name)] = kind
    for child, column in enumerate(schema):
        if column.kind == "numeric" and kinds[child] != "table":
            raise InputError(f"{column.name!r} is numeric and cannot be {kinds[child]}; omit its kind")
        for parent, other in enumerate(schema):
            if column.kind == "nominal" and other.kind == "numeric" and kinds[child] != "logistic":
                allowed[parent, child] = False
    before = list(map(position, known.order))
    for k, node in enumerate(before):
        allowed[before[k + 1 :], node] = False
    tiers = [list(map(position, tier)) for tier in known.tiers]
    for k, tier in enumerate(tiers):
        for later in tiers[k + 1 :]:
            allowed[np.ix_(later, tier)] = False
    for above, below in known.forbidden:
        allowed[position(above), position(below)] = False
    for above, below in known.required:
        arc = position(above), position(below)
        _check_required(known, schema, above, below, bool(allowed[arc]))
        required[arc] = True
        allowed[arc[::-1]] = False
    _check_numbers(known, nodes, required)
    return Constraints(
        nodes, allowed, required, known.max_parents if known.max_parents is not None else n, tuple(kinds)
    )


def _check_numbers(known: Knowledge, nodes: tuple[str, ...], required: Bools) -> None:
    Dag(nodes, tuple(tuple(map(int, np.flatnonzero(column))) for column in required.T))
    most = required.sum(axis=0)
    if known.max_parents is not None and most.max(initial=0) > known.max_parents:
        child = int(most.argmax())
        raise InputError(
            f"{most[child]} parents of {nodes[child]!r} are required, but max_parents is "
            f"{known.max_parents}; increase max_parents"
        )


@dataclass(frozen=True, eq=False)
class Constraints:
    """Knowledge about the nodes of one table, by position.

    Parameters
    ----------
    nodes : tuple of str
    allowed, required : arrays of bool
        Whether the arc from the first node to the second is allowed or required.
    max_parents : int
    kinds : tuple of str
        Kind of each nominal node's conditional.
    """

    nodes: tuple[str, ...]
    allowed: Bools
    required: Bools
    max_parents: int
    kinds: tuple[str, ...]

    def order(self) -> tuple[int, ...]:
        """Return the nodes in a consistent order: one before another if only that arc is allowed.

        Otherwise the order of columns is kept.
        """
        first = self.allowed & ~self.allowed.T
        left = list(range(len(self.nodes)))
        found: list[int] = []
        while left:
            free = [node for node in left if not first[left, node].any()]
            if not free:
                names = ", ".join(self.nodes[node] for node in left)
                raise InputError(f"no order of {names} satisfies the knowledge; remove an arc or an order")
            found.append(free[0])
            left.remove(free[0])
        return tuple(found)

    def required_parents(self) -> list[set[int]]:
        """Return the required parents of each node."""
        return [set(map(int, np.flatnonzero(column))) for column in self.required.T]


def _check_required(known: Knowledge, schema: Schema, parent: str, child: str, allowed: bool) -> None:
    arc = f"{value_text(parent)} → {value_text(child)}"
    if parent == child:
        raise InputError(f"the arc {arc} is required, but a node cannot be its own parent; remove it")
    if (parent, child) in known.forbidden:
        raise InputError(f"the arc {arc} is both required and forbidden; remove one of the two")
    if not allowed:
        kinds = {column.name: column.kind for column in schema}
        if kinds[parent] == "numeric" and kinds[child] == "nominal":
            raise InputError(
                f"the arc {arc} is required, but a numeric node cannot be a parent of a nominal one; "
                f"make {child!r} logistic, or discretise the numeric column"
            )
        raise InputError(
            f"the arc {arc} is required, but order, tiers or another required arc forbid it; remove "
            "one of them"
        )
