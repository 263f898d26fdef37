"""Case-based reasoning on function graphs, after CADET (Mitchell §8.5).

Graphs are matched by the optional package networkx.
"""

from induce.instances.cases.case import Case, Match
from induce.instances.cases.design import Design
from induce.instances.cases.elaboration import elaborations
from induce.instances.cases.files import read_cases, read_specification
from induce.instances.cases.graphs import Edge, FunctionGraph, function_graph
from induce.instances.cases.library import CaseLibrary, Verdict
from induce.instances.cases.matching import Shared, largest_shared, monomorphisms, shared_subgraphs

__all__ = [
    "Case",
    "CaseLibrary",
    "Design",
    "Edge",
    "FunctionGraph",
    "Match",
    "Shared",
    "Verdict",
    "elaborations",
    "function_graph",
    "largest_shared",
    "monomorphisms",
    "read_cases",
    "read_specification",
    "shared_subgraphs",
]
