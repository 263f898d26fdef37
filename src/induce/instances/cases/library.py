"""A library of cases: retrieved by similarity to a specification, refined by feedback (Mitchell §8.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from induce.core.errors import InputError
from induce.core.files import Path
from induce.core.notes import note
from induce.data.names import listed, unknown
from induce.instances.cases.case import Case, Match
from induce.instances.cases.elaboration import MOST_ELABORATIONS, check_depth, elaborations
from induce.instances.cases.graphs import ANY, FunctionGraph
from induce.instances.cases.matching import Shared, largest_shared

if TYPE_CHECKING:
    from induce.instances.cases.design import Design


@dataclass(frozen=True)
class Verdict:
    """Feedback on whether a retrieved case was useful for a specification."""

    specification: FunctionGraph
    case: str
    useful: bool


@dataclass(frozen=True)
class CaseLibrary:
    """Cases with their function graphs, and feedback on their usefulness (CADET, Mitchell §8.5).

    Like nearest neighbours, it is lazy: nothing is learned before a specification is given. Similarity is the
    number of edges of the largest subgraph that a case shares with the specification.

    Parameters
    ----------
    name : str
        Name of the library.
    types : tuple of (str, str)
        Types of variables, each with a description.
    cases : tuple of Case
        Cases; their names are unique.
    verdicts : tuple of Verdict
        Feedback so far, oldest first.

    Examples
    --------
    >>> from induce.instances.cases import function_graph, read_cases
    >>> library = read_cases("devices")
    >>> faucet = function_graph("Q_c -> + Q_m, Q_h -> + Q_m, T_c -> + T_m, T_h -> + T_m, C_f -> + Q_c")
    >>> best = library.retrieve(faucet)[0]
    >>> print(best)
    T-junction: 4 of 5 edges, the whole case
    >>> refined = library.feedback(faucet, "T-junction", useful=False)
    >>> print(refined.retrieve(faucet)[0])
    pipe: 2 of 5 edges, the whole case
    """

    name: str
    types: tuple[tuple[str, str], ...]
    cases: tuple[Case, ...]
    verdicts: tuple[Verdict, ...] = ()

    def __post_init__(self) -> None:
        names: set[str] = set()
        for case in self.cases:
            if case.name in names:
                raise InputError(
                    f"two cases of {self.name!r} are called {case.name!r}; give every case its own name"
                )
            names.add(case.name)
            self.check_types(case.function, f"case {case.name!r}")
        for verdict in self.verdicts:
            self[verdict.case]
            self.check_types(verdict.specification, f"the feedback on case {verdict.case!r}")

    def __getitem__(self, name: str) -> Case:
        for case in self.cases:
            if case.name == name:
                return case
        raise unknown("case", name, [case.name for case in self.cases])

    def __str__(self) -> str:
        kinds = ", ".join(f"{symbol} {meaning}" for symbol, meaning in self.types)
        return f"{self.name}: {len(self.cases)} cases; variables: {kinds}"

    def check_types(self, graph: FunctionGraph, where: str) -> None:
        """Raise an error for a graph with a variable of unknown type."""
        known = dict(self.types)
        for name, kind in graph.types:
            if kind not in known and kind != ANY:
                raise InputError(
                    f"variable {name!r} of {where} has the unknown type {kind!r}; the types of {self.name!r} are "
                    f"{listed(list(known))}"
                )

    def retrieve(self, specification: FunctionGraph, elaborate: int = 0) -> tuple[Match, ...]:
        """Return the cases that share a subgraph with a specification, most similar first.

        Exact matches are returned alone. Otherwise, cases that share a subgraph are returned. If no case
        does, one edge of the specification is rewritten, then two, until some case matches.

        Parameters
        ----------
        specification : FunctionGraph
        elaborate : int
            Maximum number of edges to rewrite.

        Returns
        -------
        tuple of Match
            One match per case; ties go to the case with the fewest other edges.
        """
        check_depth(elaborate)
        self.check_types(specification, "the specification")
        trust = self.trust(specification)
        for graphs in _levels(specification, elaborate):
            found: dict[str, Match] = {}
            for graph in graphs:
                for case in self.cases:
                    ways = largest_shared(case.function, graph) if trust[case.name] > 0 else []
                    if ways:
                        match = matched(case, graph, ways[0], trust[case.name], len(ways))
                        best = found.get(case.name)
                        if best is None or match.similarity > best.similarity:
                            found[case.name] = match
            if found:
                exact = tuple(match for match in found.values() if match.exact)
                ranked = sorted(found.values(), key=lambda match: (-match.similarity, len(match.unused)))
                return exact or tuple(ranked)
        return ()

    def combine(self, specification: FunctionGraph, elaborate: int = 0) -> Design:
        """Combine cases that provide different parts of a specification; see `design.combine`."""
        from induce.instances.cases.design import combine

        return combine(self, specification, elaborate)

    def feedback(self, query: FunctionGraph, case: str, useful: bool) -> CaseLibrary:
        """Return a library with added feedback: whether a case retrieved for a query was useful.

        A useless case is not retrieved again for the same query, and ranks lower for later queries the more
        they have in common. A useful case ranks higher.

        Parameters
        ----------
        query : FunctionGraph
        case : str
            Name of the case.
        useful : bool
        """
        return replace(self, verdicts=(*self.verdicts, Verdict(query, case, useful)))

    def trust(self, specification: FunctionGraph) -> dict[str, float]:
        """Return the similarity factor of each case, by the verdict on the most similar earlier query.

        With s the fraction of all edges that both queries have in common, the factor is 1 - s for a useless
        case and 1 + s for a useful one. Among equally similar queries, the latest verdict counts.
        """
        factors = {case.name: 1.0 for case in self.cases}
        nearest = dict.fromkeys(factors, 0.0)
        alike: dict[FunctionGraph, float] = {}
        for verdict in self.verdicts:
            query = verdict.specification
            if query not in alike:
                ways = largest_shared(query, specification)
                n = len(ways[0].edges) if ways else 0
                alike[query] = n / (len(query.edges) + len(specification.edges) - n)
            if alike[query] >= nearest[verdict.case]:
                nearest[verdict.case] = alike[query]
                factors[verdict.case] = 1 + alike[query] * (1 if verdict.useful else -1)
        return factors

    def write(self, path: Path) -> None:
        """Write the library with its feedback as a JSON file, atomically."""
        from induce.instances.cases.files import write_cases

        write_cases(self, path)


def matched(case: Case, specification: FunctionGraph, shared: Shared, trust: float, ways: int) -> Match:
    """Return a match with the type variables of the specification bound."""
    bound = {other: case.function.type_of[one] for one, other in shared.variables}
    return Match(case, specification.bind(bound), shared, ways, trust * len(shared.edges))


def _levels(specification: FunctionGraph, elaborate: int) -> Iterator[list[FunctionGraph]]:
    """Yield the specification, then the graphs with one edge rewritten, with two, and so on."""
    level = [specification]
    yield level
    for _ in range(elaborate):
        following = (graph for each in level for graph in elaborations(each))
        level = list(islice(following, MOST_ELABORATIONS + 1))
        if len(level) > MOST_ELABORATIONS:
            note(f"only the first {MOST_ELABORATIONS} elaborations of the specification are tried")
            del level[MOST_ELABORATIONS:]
        yield level
