"""Elaboration of a specification: an edge rewritten as two, through a new variable (Mitchell §8.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from induce.core.errors import InputError
from induce.instances.cases.graphs import ANY, Edge, FunctionGraph

MOST_ELABORATIONS = 200
"""Maximum number of elaborations of a specification that are tried."""


def elaborations(graph: FunctionGraph, edges: Iterable[Edge] | None = None) -> Iterator[FunctionGraph]:
    """Yield the graphs in which one edge is rewritten.

    ``A -> + B`` becomes ``A -> + x -> + B`` or ``A -> - x -> - B``, and ``A -> - B`` becomes ``A -> + x -> -
    B`` or ``A -> - x -> + B``: the product of the signs is preserved. The new variable may have any type,
    which matching binds.

    Parameters
    ----------
    graph : FunctionGraph
    edges : iterable of Edge, optional
        Edges to rewrite; all by default.

    Examples
    --------
    >>> from induce.instances.cases.graphs import function_graph
    >>> for each in elaborations(function_graph("C_f -> + Q_m")):
    ...     print(each)
    C_f -> + x1, x1 -> + Q_m
    C_f -> - x1, x1 -> - Q_m
    """
    new = next(name for n in range(1, len(graph.types) + 2) if (name := f"x{n}") not in graph.type_of)
    for edge in graph.edges if edges is None else edges:
        for sign in (1, -1):
            halves = Edge(edge.tail, new, sign), Edge(new, edge.head, sign * edge.sign)
            at = graph.edges.index(edge)
            yield FunctionGraph(
                (*graph.edges[:at], *halves, *graph.edges[at + 1 :]),
                (*graph.types, (new, ANY)),
                (*graph.rewritten, f"{edge} as {halves[0]}, {halves[1]}"),
            )


def check_depth(elaborate: int) -> None:
    """Raise an `InputError` for an invalid number of elaborations."""
    if elaborate < 0:
        raise InputError(f"elaborate is {elaborate}; give a maximum number of edges to rewrite, 0 or more")
