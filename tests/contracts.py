"""A contract for import-linter: only modules that match a pattern may reach some library, by whatever they import."""

from __future__ import annotations

import re

from grimp import ImportGraph, build_graph
from importlinter import Contract, ContractCheck, fields, output


class ReachedOnlyFromContract(Contract):
    """Every module does without `library`, even through others, unless it matches one of `allowed`.

    In a pattern `*` is one part of a path and `**` any number of parts.
    """

    type_name = "reached_only_from"

    library = fields.StringField()
    allowed = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Find the modules that reach the library and may not, each with the chain that leads there."""
        graph = build_graph(  # what is imported for the types alone is not there when the module runs
            "induce", include_external_packages=True, exclude_type_checking_imports=True
        )
        may = [pattern(expression) for expression in self.allowed]
        wrong = [
            module
            for module in sorted(graph.find_downstream_modules(self.library))
            if not any(each.fullmatch(module) for each in may)
        ]
        chains = [graph.find_shortest_chain(importer=module, imported=self.library) for module in wrong]
        return ContractCheck(kept=not wrong, metadata={"chains": chains})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print every chain."""
        for chain in check.metadata["chains"]:
            output.print_error(" -> ".join(chain))
        output.print(f"Only {', '.join(self.allowed)} may reach {self.library}.")


def pattern(expression: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern.

    Examples
    --------
    >>> bool(pattern("induce.*.learners.**").fullmatch("induce.online.learners.winnow"))
    True
    """
    parts = {r"\.\*\*": r"(\.\w+)*", r"\*\*\.": r"(\w+\.)*", r"\*": r"\w+"}
    found = re.escape(expression)
    for wild, meaning in parts.items():
        found = found.replace(wild, meaning)
    return re.compile(found)
