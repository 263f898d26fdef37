"""Common parts of function graphs: typed, signed monomorphisms and the largest shared subgraphs (Mitchell §8.5)."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from itertools import islice
from typing import Any, NamedTuple

from induce.core.errors import not_installed
from induce.core.notes import note
from induce.instances.cases.graphs import ANY, Edge, FunctionGraph, place

MOST_STEPS = 100_000
"""Maximum number of pairs of variables tried to match one graph with another."""
MOST_WAYS = 2_000
"""Maximum number of matches considered."""


class Shared(NamedTuple):
    """A subgraph that a case shares with a specification.

    Parameters
    ----------
    variables : tuple of (str, str)
        Variables of the case, each with the matched variable of the specification.
    edges : tuple of (Edge, Edge)
        Edges of the case with the matched edges of the specification.
    """

    variables: tuple[tuple[str, str], ...]
    edges: tuple[tuple[Edge, Edge], ...]

    @property
    def keeps_places(self) -> bool:
        """Whether variables that belong together, such as the flow and the temperature of a stream, stay
        together.
        """
        places = {(place(one), place(other)) for one, other in self.variables if place(one) and place(other)}
        return len(places) == len({one for one, _ in places}) == len({other for _, other in places})


def monomorphisms(case: FunctionGraph, specification: FunctionGraph, induced: bool = False) -> list[Shared]:
    """Return all matches of a whole case in a specification, with equal types and signs.

    Parameters
    ----------
    case, specification : FunctionGraph
    induced : bool
        Whether the matched variables may have no other edges among them in the specification.

    Examples
    --------
    >>> from induce.instances.cases.graphs import function_graph
    >>> pipe, graph = function_graph("Q1 -> + Q2"), function_graph("Q_a -> + Q_m, Q_b -> + Q_m")
    >>> [str(found.edges[0][1]) for found in monomorphisms(pipe, graph)]
    ['Q_a -> + Q_m', 'Q_b -> + Q_m']
    """
    matcher = _matcher(_networkx(), case, specification)
    ways = matcher.subgraph_isomorphisms_iter() if induced else matcher.subgraph_monomorphisms_iter()
    found = [_shared_by(case, specification, mapping) for mapping in islice(ways, MOST_WAYS)]
    if len(found) == MOST_WAYS or matcher.steps > MOST_STEPS:
        note(f"the search for matches of a case with {len(case.edges)} edges was cut off; there are too many")
    return _in_order(found, case, specification)


def shared_subgraphs(case: FunctionGraph, specification: FunctionGraph) -> list[Shared]:
    """Return the maximal subgraphs that a case shares with a specification.

    Matchable pairs of edges are the nodes of a compatibility graph, in which compatible pairs are connected.
    Its maximal cliques are the shared subgraphs.

    Returns
    -------
    list of Shared
        Shared subgraphs, largest first; ties go to those that keep places together.

    Examples
    --------
    >>> from induce.instances.cases.graphs import function_graph
    >>> valve, graph = function_graph("C1 -> + Q1, Q1 -> + P1"), function_graph("C_f -> + Q_c, C_f -> - Q_h")
    >>> [str(found.edges[0][1]) for found in shared_subgraphs(valve, graph)]
    ['C_f -> + Q_c']
    """
    networkx = _networkx()
    pairs = [
        (one, other)
        for one in case.edges
        for other in specification.edges
        if one.sign == other.sign
        and _fits(case.type_of[one.tail], specification.type_of[other.tail])
        and _fits(case.type_of[one.head], specification.type_of[other.head])
    ]
    association = networkx.Graph()
    association.add_nodes_from(pairs)
    association.add_edges_from(
        (first, second) for at, first in enumerate(pairs) for second in pairs[:at] if _together(first, second)
    )
    found = []
    for clique in islice(networkx.find_cliques(association), MOST_WAYS):
        ends = (zip(one[:2], other[:2], strict=True) for one, other in clique)
        mapping = {other: one for pair in ends for one, other in pair}
        found.append(_shared_by(case, specification, mapping))
    if len(found) == MOST_WAYS:
        note(f"the search for parts of a case with {len(case.edges)} edges was cut off; there are too many")
    return _in_order(found, case, specification)


def largest_shared(case: FunctionGraph, specification: FunctionGraph) -> list[Shared]:
    """Return the largest subgraphs that a case shares with a specification: the whole case wherever it is found.

    Examples
    --------
    >>> from induce.instances.cases.graphs import function_graph
    >>> junction, graph = function_graph("Q1 -> + Q3, Q2 -> + Q3"), function_graph("Q_a -> + Q_b -> + Q_c")
    >>> len(largest_shared(junction, graph)[0].edges)
    1
    """
    fits = len(case.edges) <= len(specification.edges)
    found = (monomorphisms(case, specification) if fits else []) or shared_subgraphs(case, specification)
    return [each for each in found if len(each.edges) == len(found[0].edges)]


def _networkx() -> Any:
    try:
        return import_module("networkx")
    except ImportError:
        raise not_installed("matching function graphs", "networkx") from None


def _matcher(networkx: Any, case: FunctionGraph, specification: FunctionGraph) -> Any:
    """Return networkx's matcher (VF2), which gives up after a number of steps."""

    class Matcher(networkx.algorithms.isomorphism.DiGraphMatcher):
        steps = 0

        def syntactic_feasibility(self, one: Any, other: Any) -> bool:
            self.steps += 1
            return self.steps <= MOST_STEPS and bool(super().syntactic_feasibility(one, other))

    def types(one: dict[str, str], other: dict[str, str]) -> bool:
        return _fits(other["type"], one["type"])

    def signs(one: dict[str, int], other: dict[str, int]) -> bool:
        return one["sign"] == other["sign"]

    graphs = (_as_networkx(networkx.DiGraph, graph) for graph in (specification, case))
    return Matcher(*graphs, node_match=types, edge_match=signs)


def _as_networkx(make: Callable[[], Any], graph: FunctionGraph) -> Any:
    made = make()
    for name, kind in graph.types:
        made.add_node(name, type=kind)
    for edge in graph.edges:
        made.add_edge(edge.tail, edge.head, sign=edge.sign)
    return made


def _fits(one: str, other: str) -> bool:
    return one == other or ANY in (one, other)


def _together(first: tuple[Edge, Edge], second: tuple[Edge, Edge]) -> bool:
    """Return whether two pairs of edges agree on the variables."""
    return all(
        (first[0][i] == second[0][j]) == (first[1][i] == second[1][j]) for i in range(2) for j in range(2)
    )


def _shared_by(case: FunctionGraph, specification: FunctionGraph, mapping: dict[str, str]) -> Shared:
    """Return the subgraph that a case shares with the specification.

    `mapping` maps variables of the specification to variables of the case.
    """
    inverse = {one: other for other, one in mapping.items()}
    known = set(specification.edges)
    images = (
        (edge, Edge(inverse[edge.tail], inverse[edge.head], edge.sign))
        for edge in case.edges
        if edge.tail in inverse and edge.head in inverse
    )
    edges = tuple(pair for pair in images if pair[1] in known)
    return Shared(tuple((name, inverse[name]) for name in case.variables if name in inverse), edges)


def _in_order(found: list[Shared], case: FunctionGraph, specification: FunctionGraph) -> list[Shared]:
    """Sort by size, then by whether places are kept, then by the order of edges and variables."""
    edges = {edge: number for number, edge in enumerate(case.edges)}
    variables = {name: number for number, name in enumerate(specification.variables)}

    def key(each: Shared) -> tuple[int, bool, list[int], list[int]]:
        first = [edges[one] for one, _ in each.edges]
        return -len(each.edges), not each.keeps_places, first, [variables[name] for _, name in each.variables]

    return sorted(found, key=key)
