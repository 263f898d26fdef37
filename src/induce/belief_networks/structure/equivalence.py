"""Arc directions of a graph that data and knowledge determine."""

from __future__ import annotations

import numpy as np

from induce.belief_networks.graphs.dag import Dag
from induce.belief_networks.graphs.partial import PartialGraph
from induce.belief_networks.structure.knowledge import Constraints


def told(graph: Dag, limits: Constraints) -> PartialGraph:
    """Return the equivalence class restricted by knowledge; its edges have no determined direction.

    Examples
    --------
    >>> from induce.data.schema import Column, Schema
    >>> from induce.belief_networks.structure.knowledge import constraints_of
    >>> from induce.hypotheses.knowledge import Knowledge
    >>> schema = Schema(tuple(Column(name, "nominal", (False, True)) for name in "abc"))
    >>> print(told(Dag.of({"b": ["a"], "c": ["b"]}), constraints_of(Knowledge(), schema)))
    a — b
    b — c
    >>> print(told(Dag.of({"b": ["a"], "c": ["b"]}), constraints_of(Knowledge(order=["a", "b"]), schema)))
    a → b
    b → c
    """
    found = graph.equivalence_class()
    known = {
        (parent, child)
        for child, above in enumerate(graph.parents)
        for parent in above
        if not limits.allowed[child, parent]
    }
    if not known:
        return found
    left = {edge for edge in found.edges if edge not in known and edge[::-1] not in known}
    return PartialGraph(graph.nodes, found.arcs | known, frozenset(left)).closed()


def arc_shares(graph: PartialGraph) -> np.ndarray:
    """Return an adjacency matrix: 1 from row to column for each arc, and 0.5 both ways for each edge."""
    shares = np.zeros((len(graph.nodes), len(graph.nodes)))
    for parent, child in graph.arcs:
        shares[parent, child] = 1.0
    for a, b in graph.edges:
        shares[a, b] = shares[b, a] = 0.5
    return shares
