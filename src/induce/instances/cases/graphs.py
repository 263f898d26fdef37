"""Qualitative function graphs: variables that increase or decrease with others (Mitchell §8.5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from induce.core.errors import InputError

ANY = "?"
"""The type of a variable that is bound during matching."""
SIGNS = {"+": 1, "-": -1, "\N{MINUS SIGN}": -1}
ARROW = re.compile(r"->|→")
STEP = re.compile(r"^\(?([^\w\s()]*)\)?\s*(\w+)$")
NAME = re.compile(r"^\w+$")
TYPED = re.compile(r"^([^\W\d_]+)_?(\w*)$")


class Edge(NamedTuple):
    """An edge: the head increases with the tail (sign 1) or decreases (sign -1).

    Examples
    --------
    >>> print(Edge("Q1", "Q3", 1))
    Q1 -> + Q3
    """

    tail: str
    head: str
    sign: int

    def __str__(self) -> str:
        return f"{self.tail} -> {'+' if self.sign > 0 else '-'} {self.head}"


@dataclass(frozen=True)
class FunctionGraph:
    """The function of a device, as signed edges between typed variables.

    Parameters
    ----------
    edges : tuple of Edge
    types : tuple of (str, str)
        Type of each variable. `function_graph` infers it from the name: ``Q_c`` is a ``Q``.
    rewritten : tuple of str
        Rewritings that led to this graph.

    Examples
    --------
    >>> graph = function_graph("C_f -> + Q_c, Q_c -> + Q_m")
    >>> graph.edges[1]
    Edge(tail='Q_c', head='Q_m', sign=1)
    >>> graph.type_of["C_f"]
    'C'
    """

    edges: tuple[Edge, ...]
    types: tuple[tuple[str, str], ...]
    rewritten: tuple[str, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return ", ".join(map(str, self.edges))

    @cached_property
    def type_of(self) -> dict[str, str]:
        """The type of each variable."""
        return dict(self.types)

    @property
    def variables(self) -> tuple[str, ...]:
        """Names of the variables, in order of first occurrence in the edges."""
        return tuple(name for name, _ in self.types)

    def only(self, edges: Iterable[Edge]) -> FunctionGraph:
        """Return the subgraph with the given edges."""
        kept = tuple(edges)
        names = {name for edge in kept for name in edge[:2]}
        return replace(self, edges=kept, types=tuple(pair for pair in self.types if pair[0] in names))

    def bind(self, types: Mapping[str, str]) -> FunctionGraph:
        """Return the graph with types for variables of unspecified type.

        Examples
        --------
        >>> graph = function_graph("C_f -> + x", {"x": ANY})
        >>> graph.bind({"x": "Q"}).types
        (('C_f', 'C'), ('x', 'Q'))
        """
        bound = ((name, types.get(name, kind) if kind == ANY else kind) for name, kind in self.types)
        return replace(self, types=tuple(bound))


def function_graph(text: str | Iterable[str], variables: Mapping[str, str] | None = None) -> FunctionGraph:
    """Read a function graph.

    Parameters
    ----------
    text : str or iterable of str
        Edges such as ``Q1 -> + Q3``, separated by commas or semicolons. They may be chained: ``C_f -> + Q_c -> +
        Q_m``.
    variables : dict, optional
        Types of variables; other types are inferred from the name, up to a digit or underscore.

    Returns
    -------
    FunctionGraph

    Raises
    ------
    InputError
        If an edge has a missing or unknown sign, is given twice, or leads from a variable to itself.

    Examples
    --------
    >>> print(function_graph("C_f -> + Q_c -> + Q_m; T1 ->(-) handle", {"handle": "C"}))
    C_f -> + Q_c, Q_c -> + Q_m, T1 -> - handle
    """
    chains = [text] if isinstance(text, str) else list(text)
    edges = [
        edge
        for chain in chains
        for part in re.split(r"[,;\n]", chain)
        if part.strip()
        for edge in _read(part)
    ]
    if not edges:
        raise InputError("the function graph has no edge; give one such as 'C_f -> + Q_m'")
    seen: set[tuple[str, str]] = set()
    for edge in edges:
        if edge.tail == edge.head:
            raise InputError(f"in {str(edge)!r} a variable influences itself; remove it")
        if edge[:2] in seen:
            raise InputError(
                f"there are two edges from {edge.tail!r} to {edge.head!r}; keep the dominant influence"
            )
        seen.add(edge[:2])
    given = variables or {}
    names = dict.fromkeys(name for edge in edges for name in edge[:2])
    unused = [name for name in given if name not in names]
    if unused:
        raise InputError(f"variable {unused[0]!r} is in no edge; add one, or remove the variable")
    return FunctionGraph(
        tuple(edges), tuple((name, given[name] if name in given else _typed(name)[0]) for name in names)
    )


def place(name: str) -> str:
    """Return the suffix after the type in a name: the stream, or the end of a part, to which the variable
    belongs.

    Examples
    --------
    >>> place("Q_c"), place("T12"), place("handle")
    ('c', '12', '')
    """
    return _typed(name)[1]


def _typed(name: str) -> tuple[str, str]:
    found = TYPED.match(name)
    return (found[1], found[2]) if found else (name, "")


def _read(chain: str) -> Iterable[Edge]:
    """Parse chains of edges into single edges."""
    first, *steps = ARROW.split(chain)
    tail = first.strip()
    if not steps or not NAME.match(tail):
        raise InputError(f"{chain.strip()!r} is not an edge; give one such as 'C_f -> + Q_m'")
    for step in steps:
        found = STEP.match(step.strip())
        if found is None:
            raise InputError(
                f"in {chain.strip()!r} no variable follows the arrow; give one such as 'C_f -> + Q_m'"
            )
        sign, head = found.groups()
        if sign not in SIGNS:
            what = f"has the unknown sign {sign!r}" if sign else "has no sign"
            raise InputError(
                f"the edge {chain.strip()!r} {what}; write + if the head increases with the tail, - if "
                "it decreases"
            )
        yield Edge(tail, head, SIGNS[sign])
        tail = head
