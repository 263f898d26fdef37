"""What is known of the arcs of a network before data are seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks.graphs.dag import Dag
from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.data.names import unknown
from induce.data.schema import Schema
from induce.hypotheses.naming import value_text

Bools = NDArray[np.bool_]

CONDITIONALS = ("table", "noisy-or", "logistic")


@dataclass(frozen=True)
class Knowledge:
    """What is known of a network: an order of its nodes, arcs that it has or cannot have, and how many parents.

    Nodes that are not named are free.

    Parameters
    ----------
    order : sequence of str
        A node has parents only among those before it.
    tiers : sequence of sequences of str
        A node has parents only in its own tier and those before it.
    required : sequence of (str, str)
        Arcs that the network has, each as parent and child.
    forbidden : sequence of (str, str)
        Arcs that it does not have.
    max_parents : int, optional
        The most parents of a node.
    conditionals : dict
        From nominal nodes to the kind of their conditionals: ``"table"`` (otherwise taken), ``"noisy-or"`` or
        ``"logistic"``, whose parameters grow with the number of parents, not of their states (AIMA 20.2).

    Examples
    --------
    >>> known = Knowledge(order=["Storm", "Lightning"], forbidden=[("Storm", "Thunder")], max_parents=2)
    >>> print(known)
    order: Storm, Lightning
    forbidden: Storm → Thunder
    at most 2 parents
    """

    order: tuple[str, ...] = ()
    tiers: tuple[tuple[str, ...], ...] = ()
    required: tuple[tuple[str, str], ...] = ()
    forbidden: tuple[tuple[str, str], ...] = ()
    max_parents: int | None = None
    conditionals: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "order", _names("order", self.order))
        put(self, "tiers", tuple(_names("tiers", tier) for tier in _listed("tiers", self.tiers)))
        put(self, "required", _arcs("required", self.required))
        put(self, "forbidden", _arcs("forbidden", self.forbidden))
        if self.max_parents is not None:
            at_least("max_parents", self.max_parents, 0, whole=True)
        if not isinstance(self.conditionals, Mapping):
            raise InputError(
                f"conditionals is {self.conditionals!r}; give a dict from nodes to kinds of conditional"
            )
        for node, kind in self.conditionals.items():
            if kind not in CONDITIONALS:
                raise InputError(
                    f"the conditional of {node!r} is {kind!r}; it can be {', '.join(map(repr, CONDITIONALS))}"
                )

    def __hash__(self) -> int:
        return hash((self.order, self.tiers, self.required, self.forbidden, self.max_parents))

    @classmethod
    def of(cls, value: Any) -> Knowledge:
        """Return the knowledge that a `knowledge` parameter stands for: None, a dict of its parts, or itself."""
        if value is None:
            return cls()
        if isinstance(value, Knowledge):
            return value
        if not isinstance(value, Mapping):
            raise InputError(f"knowledge is {value!r}; give a Knowledge, or a dict of its parts")
        parts = [each.name for each in fields(cls)]
        for name in value:
            if name not in parts:
                raise unknown("part of knowledge", str(name), parts)
        return cls(**value)

    def __str__(self) -> str:
        lines = []
        if self.order:
            lines.append(f"order: {', '.join(map(value_text, self.order))}")
        if self.tiers:
            lines.append("tiers: " + " | ".join(", ".join(map(value_text, tier)) for tier in self.tiers))
        for word, arcs in (("required", self.required), ("forbidden", self.forbidden)):
            if arcs:
                lines.append(f"{word}: " + ", ".join(" → ".join(map(value_text, arc)) for arc in arcs))
        if self.max_parents is not None:
            lines.append(f"at most {self.max_parents} parents")
        lines += [f"{value_text(node)}: {kind}" for node, kind in self.conditionals.items()]
        return "\n".join(lines) if lines else "nothing is known"

    def constraints(self, schema: Schema) -> Constraints:
        """Return what it says of the columns of a table; an `InputError` where it contradicts itself.

        A numeric node has a normal distribution around a line, a nominal one a table: so a numeric node is no parent
        of a nominal one, unless that is logistic.
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
        for name, kind in self.conditionals.items():
            kinds[position(name)] = kind
        for child, column in enumerate(schema):
            if column.kind == "numeric" and kinds[child] != "table":
                raise InputError(f"{column.name!r} is numeric, so that it cannot be {kinds[child]}")
            for parent, other in enumerate(schema):
                if column.kind == "nominal" and other.kind == "numeric" and kinds[child] != "logistic":
                    allowed[parent, child] = False
        before = list(map(position, self.order))
        for k, node in enumerate(before):
            allowed[before[k + 1 :], node] = False
        tiers = [list(map(position, tier)) for tier in self.tiers]
        for k, tier in enumerate(tiers):
            for later in tiers[k + 1 :]:
                allowed[np.ix_(later, tier)] = False
        for above, below in self.forbidden:
            allowed[position(above), position(below)] = False
        for above, below in self.required:
            arc = position(above), position(below)
            _check_required(self, schema, above, below, bool(allowed[arc]))
            required[arc] = True
            allowed[arc[::-1]] = False
        self._check_numbers(nodes, required)
        return Constraints(
            nodes, allowed, required, self.max_parents if self.max_parents is not None else n, tuple(kinds)
        )

    def _check_numbers(self, nodes: tuple[str, ...], required: Bools) -> None:
        Dag(nodes, tuple(tuple(map(int, np.flatnonzero(column))) for column in required.T))
        most = required.sum(axis=0)
        if self.max_parents is not None and most.max(initial=0) > self.max_parents:
            child = int(most.argmax())
            raise InputError(
                f"{most[child]} parents of {nodes[child]!r} are required, but max_parents is {self.max_parents}"
            )


@dataclass(frozen=True, eq=False)
class Constraints:
    """What knowledge says of the nodes of one table, by position.

    Parameters
    ----------
    nodes : tuple of str
    allowed, required : arrays of bool
        Whether the arc from the first node to the second may be, or must be.
    max_parents : int
    kinds : tuple of str
        The kind of each nominal node's conditional.
    """

    nodes: tuple[str, ...]
    allowed: Bools
    required: Bools
    max_parents: int
    kinds: tuple[str, ...]

    def order(self) -> tuple[int, ...]:
        """Return the nodes in an order that fits: one before another where only that arc is allowed.

        Otherwise they come in the order of columns.
        """
        first = self.allowed & ~self.allowed.T
        left = list(range(len(self.nodes)))
        found: list[int] = []
        while left:
            free = [node for node in left if not first[left, node].any()]
            if not free:
                names = ", ".join(self.nodes[node] for node in left)
                raise InputError(f"no order of {names} fits what is known; take back an arc or an order")
            found.append(free[0])
            left.remove(free[0])
        return tuple(found)

    def required_parents(self) -> list[set[int]]:
        """Return for each node the parents that it must have."""
        return [set(map(int, np.flatnonzero(column))) for column in self.required.T]


def _check_required(known: Knowledge, schema: Schema, parent: str, child: str, allowed: bool) -> None:
    arc = f"{value_text(parent)} → {value_text(child)}"
    if parent == child:
        raise InputError(f"the arc {arc} is required, but a node is no parent of itself")
    if (parent, child) in known.forbidden:
        raise InputError(f"the arc {arc} is both required and forbidden; take one of them back")
    if not allowed:
        kinds = {column.name: column.kind for column in schema}
        if kinds[parent] == "numeric" and kinds[child] == "nominal":
            raise InputError(
                f"the arc {arc} is required, but a numeric node is no parent of a nominal one; make {child!r} "
                "logistic, or cut the numbers into intervals"
            )
        raise InputError(
            f"the arc {arc} is required, but order or tiers or another required arc forbid it; take one of them back"
        )


def _listed(what: str, values: Any) -> tuple[Any, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"{what} is {values!r}; give a list")
    return tuple(values)


def _names(what: str, values: Any) -> tuple[str, ...]:
    names = _listed(what, values)
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"{what} holds {name!r}; give the names of nodes")
    if len(set(names)) < len(names):
        raise InputError(f"{what} names {next(name for name in names if names.count(name) > 1)!r} twice")
    return names


def _arcs(what: str, values: Any) -> tuple[tuple[str, str], ...]:
    arcs = []
    for arc in _listed(what, values):
        pair = tuple(arc) if isinstance(arc, list | tuple) else ()
        if len(pair) != 2 or not all(isinstance(name, str) for name in pair):
            raise InputError(f"{what} holds {arc!r}; give arcs as (parent, child)")
        arcs.append((pair[0], pair[1]))
    return tuple(arcs)
