"""A case, and its match with a specification."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from induce.instances.cases.graphs import Edge, FunctionGraph
from induce.instances.cases.matching import Shared

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Case:
    """A device or a part of one: its structure and its function.

    Parameters
    ----------
    name : str
    structure : str
        Structure in free text.
    function : FunctionGraph
    properties : tuple of (str, str)
        Properties such as ``("medium", "water")``. Cases that share a variable must agree on common properties.
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
        Matched variables and edges.
    ways : int
        Number of equally large matches of the case.
    similarity : float
        Number of shared edges, adjusted by feedback.
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
        """The edges of the case that are not in the specification."""
        used = {one for one, _ in self.shared.edges}
        return tuple(edge for edge in self.case.function.edges if edge not in used)

    @property
    def exact(self) -> bool:
        """Whether the case provides exactly the specified function."""
        return not self.unused and len(self.covered) == len(self.specification.edges)

    def __str__(self) -> str:
        n, n_case = len(self.covered), len(self.case.function.edges)
        refined = f", similarity {self.similarity:.2g} by feedback" if self.similarity != n else ""
        if self.exact:
            return f"{self.case.name}: exact match{refined}"
        part = f"{n} of the {n_case} of the case" if self.unused else "the whole case"
        return f"{self.case.name}: {n} of {len(self.specification.edges)} edges, {part}{refined}"

    def explain(self) -> str:
        """Return the matched variables and edges as text."""
        ways = f"; one of {self.ways} equivalent matches" if self.ways > 1 else ""
        lines = [f"{self}{ways}", f"  structure: {self.case.structure}"]
        lines += [f"  rewritten: {step}" for step in self.specification.rewritten]
        lines.append(
            "  variables: " + ", ".join(f"{one} is {other}" for one, other in sorted(self.shared.variables))
        )
        width = max(len(str(one)) for one, _ in self.shared.edges)
        lines += [f"  {one!s:<{width}}  is  {other}" for one, other in self.shared.edges]
        lines += [f"  {edge!s:<{width}}  is not in the specification" for edge in self.unused]
        return "\n".join(lines)

    def draw(self, ax: Any = None) -> Figure:
        """Draw the specification with the matched subgraph highlighted."""
        from induce.instances.cases.pictures import draw

        return draw(self.specification, (self,), ax)
