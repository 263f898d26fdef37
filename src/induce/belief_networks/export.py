"""Export of networks to networkx and Graphviz."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from induce.belief_networks.representation import Representation
from induce.core.errors import not_installed


def to_networkx(network: Representation) -> Any:
    """Return a networkx ``DiGraph``.

    Examples
    --------
    >>> from induce.belief_networks.library import textbook_network
    >>> sorted(to_networkx(textbook_network("sprinkler")).predecessors("WetGrass"))
    ['Rain', 'Sprinkler']
    """
    try:
        networkx = import_module("networkx")
    except ImportError:
        raise not_installed("a networkx graph", "networkx") from None
    graph = networkx.DiGraph(name=network.name)
    for column, conditional in zip(network.schema, network.conditionals, strict=True):
        graph.add_node(column.name, domain=column.domain, conditional=conditional)
    graph.add_edges_from(network.graph.arcs)
    return graph


def to_dot(network: Representation) -> str:
    """Return the graph in Graphviz format.

    Examples
    --------
    >>> from induce.belief_networks import BeliefNetwork
    >>> print(to_dot(BeliefNetwork.of({"wet": ["rain"]})))
    digraph {
      "rain";
      "wet";
      "rain" -> "wet";
    }
    """
    lines = [f"  {_quoted(node)};" for node in network.nodes]
    lines += [f"  {_quoted(parent)} -> {_quoted(child)};" for parent, child in network.graph.arcs]
    return "\n".join(["digraph {", *lines, "}"])


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
