"""Belief networks: a graph without cycles, and the distribution of each node given its parents (Mitchell 6.11)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.hypothesis import Density
from induce.core.randomness import RandomState, generator
from induce.core.values import Value
from induce.data.schema import Column, Schema
from induce.graphical.conditionals.base import Conditional, Values
from induce.graphical.conditionals.table import ConditionalTable
from induce.graphical.factors import Factors
from induce.graphical.graphs.dag import Dag
from induce.hypotheses.naming import plural

if TYPE_CHECKING:
    pass

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BeliefNetwork(Density):
    """A Bayesian belief network: P(y1, …, yn) is the product of P(yi | parents of yi) (Mitchell 6.11.2).

    Parameters
    ----------
    schema : Schema
        A column for each node, nominal with its domain or numeric.
    parents : tuple of tuples of int
        For each node the positions of its parents.
    conditionals : tuple of Conditional
        For each node its distribution given its parents.
    name : str

    Examples
    --------
    >>> network = BeliefNetwork.of(
    ...     {"Lightning": ["Storm"], "Thunder": ["Lightning"]},
    ...     {"Storm": 0.2, "Lightning": {True: 0.9, False: 0.05}, "Thunder": {True: 0.95, False: 0.1}},
    ... )
    >>> network.size()
    '3 nodes, 2 arcs, 5 parameters'
    """

    schema: Schema
    parents: tuple[tuple[int, ...], ...]
    conditionals: tuple[Conditional, ...]
    name: str = ""

    def __post_init__(self) -> None:
        self.check()

    def check(self) -> None:
        """Raise an `InputError` unless the parts make a network."""
        for column in self.schema:
            if column.kind == "text" or (column.kind == "nominal" and not column.domain):
                raise InputError(f"node {column.name!r} must be nominal with a domain, or numeric")
        if len(self.conditionals) != len(self.graph.nodes):
            raise InputError(f"there are {len(self.schema)} nodes, but {len(self.conditionals)} conditionals")
        for column, parents, conditional in zip(self.schema, self.parents, self.conditionals, strict=True):
            if not isinstance(conditional, Conditional):
                raise InputError(f"the distribution of {column.name!r} is {conditional!r}, not a conditional")
            conditional.verify(column, [self.schema.columns[k] for k in parents])

    @classmethod
    def of(
        cls,
        parents: Mapping[str, Iterable[str]],
        conditionals: Mapping[str, Any] | None = None,
        values: Mapping[str, Sequence[Value] | str] | None = None,
        name: str = "",
    ) -> BeliefNetwork:
        """Return the network with these parents and distributions.

        Parameters
        ----------
        parents : dict
            From each node to its parents; a node without any need not be a key.
        conditionals : dict, optional
            From each node to its distribution, or to a dict from the states of its parents (a value, or a tuple of
            values) to distributions. A distribution is the probability of True, a dict from values to probabilities,
            a list of them in the order of the values, or a `Normal`. An array with an axis for each parent, a
            `Conditional` and `noisy_or` will do too. What is not given is uniform.
        values : dict, optional
            From nodes to their values, or to ``"numeric"``; by default those that the distributions name, or False
            and True.
        name : str

        Examples
        --------
        >>> network = BeliefNetwork.of(
        ...     {"Grass": ["Weather"]},
        ...     {"Weather": {"rain": 0.3, "sun": 0.7}, "Grass": {"rain": 0.9, "sun": 0.1}},
        ... )
        >>> network.graph.parents_of("Grass")
        ('Weather',)
        """
        from induce.graphical.building import network_of

        return network_of(parents, conditionals, values, name)

    # --- structure

    @cached_property
    def graph(self) -> Dag:
        """The nodes and arcs, with what follows from them: d-separation, Markov blankets, equivalence class."""
        return Dag(self.schema.names(), self.parents)

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of the nodes."""
        return self.graph.nodes

    def column(self, node: str) -> Column:
        """Return what a node is: its kind and its values."""
        return self.schema.columns[self.graph.position(node)]

    def conditional(self, node: str) -> Conditional:
        """Return the distribution of a node given its parents."""
        return self.conditionals[self.graph.position(node)]

    def n_parameters(self) -> int:
        """Return the number of independent parameters."""
        return sum(conditional.n_parameters() for conditional in self.conditionals)

    def joint_size(self) -> int:
        """Return the number of independent probabilities that the full joint table would have.

        Examples
        --------
        >>> BeliefNetwork.of({"c": ["a", "b"]}).joint_size()
        7
        """
        return math.prod(len(column.domain) for column in self.schema if column.kind == "nominal") - 1

    @property
    def is_nominal(self) -> bool:
        """Whether all nodes are nominal."""
        return all(column.kind == "nominal" for column in self.schema)

    @cached_property
    def factors(self) -> Factors:
        """All tables in one array, for loops; only a network of nominal nodes has them."""
        for column in self.schema:
            if column.kind != "nominal":
                raise InputError(f"node {column.name!r} is numeric, so that the network is not one of tables")
        sizes = [len(column.domain) for column in self.schema]
        tables = [
            conditional.table([sizes[k] for k in parents])
            for conditional, parents in zip(self.conditionals, self.parents, strict=True)
        ]
        scopes = [(*parents, node) for node, parents in enumerate(self.parents)]
        return Factors.of(sizes, scopes, tables)

    def with_tables(self, tables: Floats) -> BeliefNetwork:
        """Return the network of nominal nodes whose flat tables are these; see `factors`."""
        flat = replace(self.factors, tables=np.asarray(tables, np.float64))
        return replace(self, conditionals=tuple(ConditionalTable(flat.table(k)) for k in range(len(flat))))

    # --- rows

    def sample(self, n: int = 1, random_state: RandomState = None) -> Any:
        """Return a polars frame of `n` rows drawn at random."""
        from induce.graphical.rows import frame_of

        return frame_of(self.schema, self.sample_values(n, generator(random_state)))

    def sample_values(self, n: int, rng: np.random.Generator) -> list[Values]:
        """Return `n` values of each node drawn at random: codes of nominal nodes, numbers of numeric ones."""
        values: list[Values] = [np.empty(0)] * len(self.nodes)
        for node in self.graph.order:
            values[node] = self.conditionals[node].sample([values[k] for k in self.parents[node]], n, rng)
        return values

    def size(self) -> str:
        """Return how many nodes, arcs and parameters there are."""
        arcs = sum(map(len, self.parents))
        return f"{plural(len(self.nodes), 'node')}, {plural(arcs, 'arc')}, {plural(self.n_parameters(), 'parameter')}"
