"""A case, and how it matches a specification."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from induce.instances.cases.graphs import Edge, FunctionGraph
from induce.instances.cases.matching import Shared

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Case:
    """A device or a part of one: what it is, and what it does.

    Parameters
    ----------
    name : str
    structure : str
        What it is made of, in any words.
    function : FunctionGraph
    properties : tuple of (str, str)
        Such as ``("medium", "water")``. Cases that meet in a variable must not differ in a property of both.
    """

    name: str
    structure: str
    function: FunctionGraph
    properties: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Match:
    """A case, or a part of it, found in a specification.

    Parameters
    ----------
    case : Case
    specification : FunctionGraph
    shared : Shared
        Which variables and edges are matched to which.
    ways : int
        In how many ways as much of the case can be matched.
    similarity : float
        The number of shared edges, refined by feedback.
    """

    case: Case
    specification: FunctionGraph
    shared: Shared
    ways: int
    similarity: float

    @property
    def covered(self) -> tuple[Edge, ...]:
        """The edges of the specification that the case provides."""
        return tuple(other for _, other in self.shared.edges)

    @property
    def unused(self) -> tuple[Edge, ...]:
        """The edges of the case that nobody asked for."""
        used = {one for one, _ in self.shared.edges}
        return tuple(edge for edge in self.case.function.edges if edge not in used)

    @property
    def exact(self) -> bool:
        """Whether the case does what is specified, no more and no less."""
        return not self.unused and len(self.covered) == len(self.specification.edges)

    def __str__(self) -> str:
        n, n_case = len(self.covered), len(self.case.function.edges)
        refined = f", similarity {self.similarity:.2g} by feedback" if self.similarity != n else ""
        if self.exact:
            return f"{self.case.name}: exact match{refined}"
        part = f"{n} of the {n_case} of the case" if self.unused else "the whole case"
        return f"{self.case.name}: {n} of {len(self.specification.edges)} edges, {part}{refined}"

    def explain(self) -> str:
        """Say which variables and edges are matched to which."""
        ways = f"; {self.ways} ways to match, of which this is one" if self.ways > 1 else ""
        lines = [f"{self}{ways}", f"  structure: {self.case.structure}"]
        lines += [f"  rewritten: {step}" for step in self.specification.rewritten]
        lines.append(
            "  variables: " + ", ".join(f"{one} is {other}" for one, other in sorted(self.shared.variables))
        )
        width = max(len(str(one)) for one, _ in self.shared.edges)
        lines += [f"  {one!s:<{width}}  is  {other}" for one, other in self.shared.edges]
        lines += [f"  {edge!s:<{width}}  is not asked for" for edge in self.unused]
        return "\n".join(lines)

    def draw(self, ax: Any = None) -> Figure:
        """Draw the specification with the matched subgraph highlighted."""
        from induce.instances.cases.pictures import draw

        return draw(self.specification, (self,), ax)
