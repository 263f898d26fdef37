"""Representation of belief networks: an acyclic graph and a distribution for each node (Mitchell 6.11.2)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks.conditionals.base import Conditional, Values
from induce.belief_networks.conditionals.table import ConditionalTable
from induce.belief_networks.factors import Factors
from induce.belief_networks.graphs.dag import Dag
from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.data.schema import Column, Schema
from induce.hypotheses.kinds.density import Density
from induce.hypotheses.naming import plural

if TYPE_CHECKING:
    from induce.belief_networks.inference.junction_tree import JunctionTree

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Representation(Density):
    """A graph and the distribution of each node given its parents, the basis of all queries.

    Parameters
    ----------
    schema : Schema
        One column per node, nominal with its domain or numeric.
    parents : tuple of tuples of int
        Indices of the parents of each node.
    conditionals : tuple of Conditional
        Distribution of each node given its parents.
    name : str
    """

    schema: Schema
    parents: tuple[tuple[int, ...], ...]
    conditionals: tuple[Conditional, ...]
    name: str = ""

    def __post_init__(self) -> None:
        self.check()

    def check(self) -> None:
        """Raise an `InputError` unless the parts form a valid network."""
        for column in self.schema:
            if column.kind == "text" or (column.kind == "nominal" and not column.domain):
                raise InputError(f"node {column.name!r} must be nominal with a domain, or numeric")
        if len(self.conditionals) != len(self.graph.nodes):
            raise InputError(
                f"there are {len(self.schema)} nodes, but {len(self.conditionals)} "
                "conditionals; give one per node"
            )
        for column, parents, conditional in zip(self.schema, self.parents, self.conditionals, strict=True):
            if not isinstance(conditional, Conditional):
                raise InputError(
                    f"the distribution of {column.name!r} is {conditional!r}; give a Conditional"
                )
            conditional.verify(column, [self.schema.columns[k] for k in parents])

    @cached_property
    def graph(self) -> Dag:
        """The graph, which answers queries about d-separation, Markov blankets and equivalence classes."""
        return Dag(self.schema.names(), self.parents)

    @property
    def nodes(self) -> tuple[str, ...]:
        """Names of the nodes."""
        return self.graph.nodes

    def column(self, node: str) -> Column:
        """Return the column of a node: its kind and its values."""
        return self.schema.columns[self.graph.position(node)]

    def conditional(self, node: str) -> Conditional:
        """Return the distribution of a node given its parents."""
        return self.conditionals[self.graph.position(node)]

    def n_parameters(self) -> int:
        """Return the number of independent parameters."""
        return sum(conditional.n_parameters() for conditional in self.conditionals)

    def joint_size(self) -> int:
        """Return the number of independent probabilities of the full joint table.

        Examples
        --------
        >>> from induce.belief_networks import BeliefNetwork
        >>> BeliefNetwork.of({"c": ["a", "b"]}).joint_size()
        7
        """
        return math.prod(len(column.domain) for column in self.schema if column.kind == "nominal") - 1

    @property
    def is_nominal(self) -> bool:
        """Whether all nodes are nominal."""
        return all(column.kind == "nominal" for column in self.schema)

    @cached_property
    def tree(self) -> JunctionTree:
        """Exact inference engine, which caches queries; only for networks of nominal nodes."""
        from induce.belief_networks.inference.junction_tree import JunctionTree

        return JunctionTree(self.factors, self.graph.order)

    @cached_property
    def factors(self) -> Factors:
        """All tables in one array, for the loops; only for networks of nominal nodes."""
        for column in self.schema:
            if column.kind != "nominal":
                raise InputError(
                    f"node {column.name!r} is numeric, but only a network of nominal nodes consists of tables"
                )
        sizes = [len(column.domain) for column in self.schema]
        tables = [
            conditional.table([sizes[k] for k in parents])
            for conditional, parents in zip(self.conditionals, self.parents, strict=True)
        ]
        scopes = [(*parents, node) for node, parents in enumerate(self.parents)]
        return Factors.of(sizes, scopes, tables)

    def with_tables(self, tables: Floats) -> Self:
        """Return the network of nominal nodes with the given flat tables; see `factors`."""
        flat = replace(self.factors, tables=np.asarray(tables, np.float64))
        return replace(self, conditionals=tuple(ConditionalTable(flat.table(k)) for k in range(len(flat))))

    def sample_values(self, n: int, rng: np.random.Generator) -> list[Values]:
        """Return `n` random values of each node: codes of nominal nodes, numbers of numeric ones."""
        values: list[Values] = [np.empty(0)] * len(self.nodes)
        for node in self.graph.order:
            values[node] = self.conditionals[node].sample([values[k] for k in self.parents[node]], n, rng)
        return values

    def parts(self) -> Parts:
        """Return the number of arcs and parameters."""
        return Parts(sum(map(len, self.parents)) + self.n_parameters(), "arcs and parameters")

    def size(self) -> str:
        """Return the numbers of nodes, arcs and parameters as text."""
        arcs = sum(map(len, self.parents))
        return f"{plural(len(self.nodes), 'node')}, {plural(arcs, 'arc')}, {plural(self.n_parameters(), 'parameter')}"
