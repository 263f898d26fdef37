"""Mitchell, section 8.5: case-based reasoning on function graphs."""

from __future__ import annotations

from dataclasses import replace

from induce.core.errors import InputError
from induce.instances.cases import (
    elaborations,
    function_graph,
    largest_shared,
    monomorphisms,
    read_cases,
    read_specification,
)
from induce.textbook.result import Outcome, Result


def _junction() -> Outcome:
    junction, faucet = read_cases("devices")["T-junction"].function, read_specification("faucet")
    less = faucet.only(edge for edge in faucet.edges if (edge.tail[0], edge.head) != ("Q", "T_m"))
    try:
        ways, less_ways = monomorphisms(junction, faucet), monomorphisms(junction, less)
    except InputError as error:  # networkx is an optional dependency
        return Outcome("not run", False, str(error))
    induced, less_induced = (monomorphisms(junction, graph, induced=True) for graph in (faucet, less))
    n_shared = len(largest_shared(junction, faucet)[0].edges)
    together = sum(way.keeps_places for way in ways)
    counts = (n_shared, len(ways), together, len(induced), len(less_ways), len(less_induced))
    return Outcome(
        "{} shared edges; {} monomorphisms, {} of them keep streams together, {} induced; {} and {} without flows to "
        "T_m".format(*counts),
        counts == (4, 4, 2, 0, 4, 4),
        "for a reconstruction of the faucet's graph: the text gives neither the signs of the controls "
        "nor the edges from the flows to T_m",
    )


def _rewriting() -> Outcome:
    library, graph = read_cases("devices"), function_graph("C_f -> + Q_m")
    junction = replace(library, cases=(library["T-junction"],))
    try:
        before, (after,) = junction.retrieve(graph), junction.retrieve(graph, elaborate=1)
    except InputError as error:
        return Outcome("not run", False, str(error))
    rewritten = [str(each) for each in elaborations(graph)]
    kind = after.specification.type_of["x1"]
    return Outcome(
        f"{'; '.join(rewritten)}; of the T-junction, {after.shared.edges[0][0]} matches {after.covered[0]}, where x1 "
        f"is a {dict(library.types)[kind]}",
        (before, kind, rewritten) == ((), "Q", ["C_f -> + x1, x1 -> + Q_m", "C_f -> - x1, x1 -> - Q_m"]),
        "the second rewriting is not in the book; it follows from the product of the signs",
    )


RESULTS = (
    Result(
        "mitchell-8.5-t-junction",
        "Mitchell, figure 8.3",
        "the function graph of a T-junction matches a subgraph of a water faucet's",
        "[4 shared edges; 4 monomorphisms, 2 of them keep streams together, 0 induced; 4 and 4 without flows to T_m]",
        _junction,
    ),
    Result(
        "mitchell-8.5-rewriting",
        "Mitchell, section 8.5",
        "A -> + B rewritten through a variable x that matching binds",
        "A -> + x -> + B",
        _rewriting,
    ),
)
