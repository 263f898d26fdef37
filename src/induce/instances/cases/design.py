"""Combination of cases, with backtracking if they are incompatible (Mitchell §8.5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from induce.core.notes import note
from induce.instances.cases.case import Match
from induce.instances.cases.elaboration import MOST_ELABORATIONS, check_depth, elaborations
from induce.instances.cases.graphs import Edge, FunctionGraph
from induce.instances.cases.library import CaseLibrary, matched
from induce.instances.cases.matching import shared_subgraphs

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_STEPS = 2_000
"""Number of cases tried for each place in a design."""


@dataclass(frozen=True)
class Design:
    """Cases that together fulfil a specification, or as much of it as possible.

    Parameters
    ----------
    specification : FunctionGraph
        Specification, after any elaboration.
    matches : tuple of Match
        Cases with the parts of the specification that they provide; no edge is provided twice.
    missing : tuple of Edge
        Edges that no case provides.
    clashes : tuple of str
        Pairs of incompatible cases, for which the search backtracked.
    """

    specification: FunctionGraph
    matches: tuple[Match, ...]
    missing: tuple[Edge, ...]
    clashes: tuple[str, ...]

    def __str__(self) -> str:
        cases = ", ".join(match.case.name for match in self.matches) or "no case"
        n = len(self.specification.edges)
        return f"{cases}: {n - len(self.missing)} of {n} edges"

    def explain(self) -> str:
        """Return the part that each case provides as text."""
        lines = [str(self)]
        lines += [f"  rewritten: {step}" for step in self.specification.rewritten]
        for match in self.matches:
            lines.append(f"  {match.case.name}: {match.case.structure}")
            lines += [f"    {one}  is  {other}" for one, other in match.shared.edges]
            lines += [f"    {edge}  is not in the specification" for edge in match.unused]
        return "\n".join(
            [
                *lines,
                *(f"  missing: {edge}" for edge in self.missing),
                *(f"  taken back: {clash}" for clash in self.clashes),
            ]
        )

    def draw(self, ax: Any = None) -> Figure:
        """Draw the specification with each case's part in its own colour."""
        from induce.instances.cases.pictures import draw

        return draw(self.specification, self.matches, ax)


def combine(library: CaseLibrary, specification: FunctionGraph, elaborate: int = 0) -> Design:
    """Combine cases that provide different parts of a specification.

    Edges are provided one at a time. Cases that share a variable but differ in a property are incompatible,
    and a variable that was bound to a type keeps it. If nothing is compatible, the search backtracks. The
    result is the design with the fewest missing edges; ties go to the fewest cases and unused edges. Missing
    edges are elaborated.

    Parameters
    ----------
    library : CaseLibrary
    specification : FunctionGraph
    elaborate : int
        Maximum number of edges to rewrite.

    Examples
    --------
    >>> from induce.instances.cases import function_graph, read_cases
    >>> lift = function_graph("C_1 -> + Q_1 -> + X_1")
    >>> print(combine(read_cases("devices"), lift))
    oil valve, hydraulic cylinder: 2 of 2 edges
    """
    check_depth(elaborate)
    library.check_types(specification, "the specification")
    trust = library.trust(specification)
    best = _Search(library, specification, trust).run()
    level, tried = [(specification, best)], 0
    for _ in range(elaborate):
        following: list[tuple[FunctionGraph, Design]] = []
        for before, design in level:
            for graph in elaborations(before, design.missing):
                if not best.missing or tried == MOST_ELABORATIONS:
                    break
                tried += 1
                found = _Search(library, graph, trust).run()
                following.append((graph, found))
                if len(found.missing) < len(best.missing):
                    best = found
        level = following
    if tried == MOST_ELABORATIONS:
        note(f"only the first {MOST_ELABORATIONS} elaborations of the specification are tried")
    return best


class _Search:
    """The search for the best design of one graph."""

    def __init__(self, library: CaseLibrary, graph: FunctionGraph, trust: dict[str, float]) -> None:
        self.cases = [case for case in library.cases if trust[case.name] > 0]
        self.trust = trust
        self.graph = graph
        self.steps = 0
        self.clashes: dict[str, None] = {}
        self.known: dict[FunctionGraph, list[Match]] = {}
        self.cost: tuple[int, int] | None = None
        self.best = Design(graph, (), graph.edges, ())

    def run(self) -> Design:
        self._cover(self.graph, (), ())
        if self.steps > MOST_STEPS:
            note("the search for designs was cut off; there are too many")
        graph = self.graph
        for match in self.best.matches:
            graph = graph.bind(match.specification.type_of)
        matches = tuple(replace(match, specification=graph) for match in self.best.matches)
        return replace(self.best, specification=graph, matches=matches)

    def _cover(self, rest: FunctionGraph, chosen: tuple[Match, ...], missing: tuple[Edge, ...]) -> None:
        """Provide the remaining edges in every way that may improve on the best design so far."""
        cost = len(missing), sum(1 + len(match.unused) for match in chosen)
        if self.cost is not None and (cost >= self.cost or self.steps > MOST_STEPS):
            return
        if not rest.edges:
            self.cost = cost
            self.best = Design(self.graph, chosen, missing, tuple(self.clashes))
            return
        for match in self._candidates(rest):
            self.steps += 1
            clash = next(filter(None, (_clash(match, other) for other in chosen)), None)
            if clash is not None:
                self.clashes[clash] = None
            else:
                left = (edge for edge in rest.edges if edge not in match.covered)
                self._cover(match.specification.only(left), (*chosen, match), missing)
        first, *others = rest.edges
        self._cover(rest.only(others), chosen, (*missing, first))

    def _candidates(self, rest: FunctionGraph) -> list[Match]:
        """Return the matches of cases with the first remaining edge, most similar first."""
        if rest not in self.known:
            found: dict[object, Match] = {}
            for case in self.cases:
                for shared in shared_subgraphs(case.function, rest):
                    match = matched(case, rest, shared, self.trust[case.name], 1)
                    if rest.edges[0] in match.covered:
                        # other matches that provide the same edges lead to the same designs
                        found.setdefault((case, frozenset(match.covered), match.specification), match)
            self.known[rest] = sorted(
                found.values(), key=lambda match: (-match.similarity, len(match.unused))
            )
        return self.known[rest]


def _clash(one: Match, other: Match) -> str | None:
    """Return the property in which two cases with a common variable differ."""
    meet = {name for _, name in one.shared.variables} & {name for _, name in other.shared.variables}
    own = dict(one.case.properties)
    for name, value in other.case.properties if meet else ():
        if own.get(name, value) != value:
            return f"{other.case.name} ({name} {value}) does not fit {one.case.name} ({name} {own[name]})"
    return None
