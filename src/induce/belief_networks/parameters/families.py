"""Families of nodes: sufficient statistics of cases, and the resulting distributions.

Statistics are additive: statistics of further cases, or expected statistics of incomplete cases, are simply
added.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from induce.belief_networks.cases import Cases
from induce.belief_networks.conditionals.base import Conditional, Floats, check_table_size
from induce.belief_networks.conditionals.gaussian import GaussianConditional
from induce.belief_networks.conditionals.table import ConditionalTable
from induce.belief_networks.conditionals.tree import tree_of_counts
from induce.belief_networks.graphs.dag import Dag
from induce.belief_networks.network import BeliefNetwork
from induce.belief_networks.parameters.compact import logistic_of_counts, logistic_of_rows, noisy_or_of_counts
from induce.belief_networks.parameters.prior import Prior
from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.data.names import unknown
from induce.data.schema import Schema

TABLE, NOISY_OR, LOGISTIC, TREE, GAUSSIAN = "table", "noisy-or", "logistic", "tree", "gaussian"
KINDS = (TABLE, NOISY_OR, LOGISTIC, TREE)
LEAST_VARIANCE = 1e-9
"""Minimum noise variance, as a fraction of the node's variance."""
MOST_VARIANCE = 1e300
RIDGE = 1e-12
"""Ridge penalty that bounds the weights of collinear numeric parents."""


@dataclass(frozen=True, eq=False)
class Families:
    """The nodes of a graph with their parents and the kinds of their distributions.

    Parameters
    ----------
    schema : Schema
    parents : tuple of tuples of int
    kinds : tuple of str
        Kind of each node: ``"table"``, ``"noisy-or"``, ``"logistic"``, ``"tree"`` or ``"gaussian"``.
    centers, scales : array of float64
        Offset and scale of each numeric node, which keep sums of squares accurate.
    averages : tuple of arrays
        Mean statistics of each numeric node over all cases, used as a pseudo-case.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> nodes = Schema((Column("rain", "nominal", ("no", "yes")), Column("wet", "nominal", ("no", "yes"))))
    >>> cases = Cases.of(nodes, np.array([[0, 0], [1, 1], [1, 0]], np.int32))
    >>> families = Families.of(cases, [(), (0,)])
    >>> network = families.network(families.statistics(cases), Prior(alpha=0.0))
    >>> network.query("wet", {"rain": "yes"})["yes"]
    0.5
    """

    schema: Schema
    parents: tuple[tuple[int, ...], ...]
    kinds: tuple[str, ...]
    centers: Floats
    scales: Floats
    averages: tuple[Floats, ...] = ()

    @classmethod
    def of(
        cls, cases: Cases, parents: Sequence[Sequence[int]], kinds: Mapping[str, str] | None = None
    ) -> Families:
        """Return the families, with units and pseudo-cases derived from the cases.

        Parameters
        ----------
        cases : Cases
        parents : sequence of sequences of int
            Indices of the parents of each node.
        kinds : dict, optional
            Mapping from names of nominal nodes to ``"table"``, ``"noisy-or"``, ``"logistic"`` or ``"tree"``. By
            default a node with a numeric parent is logistic, any other a table.
        """
        made = cls.in_units(cases.schema, parents, kinds, *_units(cases))
        return replace(made, averages=tuple(made._average(cases, node) for node in range(len(parents))))

    @classmethod
    def in_units(
        cls,
        schema: Schema,
        parents: Sequence[Sequence[int]],
        kinds: Mapping[str, str] | None,
        centers: Floats,
        scales: Floats,
    ) -> Families:
        """Return families for cases not yet seen; `averaged` defines their pseudo-cases."""
        for name in kinds or {}:
            if name not in schema.names():
                raise unknown("node", str(name), schema.names())
        found = [_kind(schema, node, above, kinds or {}) for node, above in enumerate(parents)]
        for node, above in enumerate(parents):
            check_table_size(
                schema.columns[node], [c for c in (schema.columns[k] for k in above) if c.kind == "nominal"]
            )
        return cls(schema, tuple(map(tuple, parents)), tuple(found), centers, scales)

    def averaged(self, statistics: Sequence[Floats]) -> Families:
        """Return the families with pseudo-cases derived from the statistics of all cases."""
        kinds = enumerate(self.kinds)
        found = (_pooled(statistics[node]) if kind == GAUSSIAN else np.empty(0) for node, kind in kinds)
        return replace(self, averages=tuple(found))

    def with_parents(self, cases: Cases, node: int, parents: Sequence[int]) -> Families:
        """Return the families with other parents of one node, of the same kind."""
        above = tuple(tuple(parents) if k == node else own for k, own in enumerate(self.parents))
        changed = replace(self, parents=above)
        own_average = changed._average(cases, node)
        return replace(changed, averages=(*self.averages[:node], own_average, *self.averages[node + 1 :]))

    @cached_property
    def graph(self) -> Dag:
        """The graph of nodes and arcs."""
        return Dag(self.schema.names(), self.parents)

    @property
    def is_additive(self) -> bool:
        """Whether the statistics are additive; False if a nominal node has a numeric parent."""
        return not any(kind == LOGISTIC and self.numeric(k) for k, kind in enumerate(self.kinds))

    def nominal(self, node: int) -> list[int]:
        """Return the nominal parents of a node."""
        return [k for k in self.parents[node] if self.schema.columns[k].kind == "nominal"]

    def numeric(self, node: int) -> list[int]:
        """Return the numeric parents of a node."""
        return [k for k in self.parents[node] if self.schema.columns[k].kind == "numeric"]

    # --- counting

    def statistics(self, cases: Cases) -> list[Floats]:
        """Return the sufficient statistics of each node; a case with a missing value in a family is not
        counted for it.

        For a nominal node: the count of each state of the family. For a numeric node: per state of its
        nominal parents, the sums of products of all pairs of 1, the numeric parents and the node, in scaled
        units.
        """
        tables = [node for node in range(len(self.parents)) if not self._has_numbers(node)]
        counts = iter(cases.counts([(*self.parents[node], node) for node in tables]))
        chosen = set(tables)
        return [
            next(counts) if node in chosen else self._moments(cases, node)
            for node in range(len(self.parents))
        ]

    def statistic(self, cases: Cases, node: int) -> Floats:
        """Return the sufficient statistics of one node; see `statistics`."""
        if self._has_numbers(node):
            return self._moments(cases, node)
        return cases.counts([(*self.parents[node], node)])[0]

    def _has_numbers(self, node: int) -> bool:
        return self.kinds[node] == GAUSSIAN or bool(self.numeric(node))

    def _moments(self, cases: Cases, node: int) -> Floats:
        if self.kinds[node] != GAUSSIAN:
            return np.empty(0)
        states, numbers = self.nominal(node), [*self.numeric(node), node]
        shape = tuple(len(self.schema.columns[k].domain) for k in states)
        whole = cases.known[:, [*states, *numbers]].all(axis=1)
        rows = np.column_stack(
            [np.ones(int(whole.sum())), self.units(cases.numbers[whole][:, numbers], numbers)]
        )
        place = np.ravel_multi_index(tuple(cases.codes[whole][:, states].T), shape) if states else 0
        sums = np.zeros((math.prod(shape), rows.shape[1], rows.shape[1]))
        products = rows[:, :, None] * (rows * cases.weights[whole][:, None])[:, None, :]
        np.add.at(sums, np.broadcast_to(place, len(rows)), products)
        return sums.reshape(*shape, *sums.shape[1:])

    def _average(self, cases: Cases, node: int) -> Floats:
        if self.kinds[node] != GAUSSIAN:
            return np.empty(0)
        return _pooled(self._moments(cases, node))

    def units(self, numbers: Floats, nodes: Sequence[int]) -> Floats:
        """Return the values of the given nodes in their scaled units."""
        with np.errstate(over="ignore"):
            return np.clip((numbers - self.centers[list(nodes)]) / self.scales[list(nodes)], -1e100, 1e100)

    # --- estimating

    def network(
        self, statistics: Sequence[Floats], prior: Prior, cases: Cases | None = None, name: str = ""
    ) -> BeliefNetwork:
        """Return the network estimated from the statistics.

        Parameters
        ----------
        statistics : sequence of arrays
            See `statistics`.
        prior : Prior
        cases : Cases, optional
            Cases; needed if a nominal node has a numeric parent, because the statistics are then not
            sufficient.
        name : str
        """
        conditionals = [self.conditional(node, found, prior, cases) for node, found in enumerate(statistics)]
        return BeliefNetwork(self.schema, self.parents, tuple(conditionals), name)

    def conditional(
        self, node: int, statistic: Floats, prior: Prior, cases: Cases | None = None
    ) -> Conditional:
        """Return the distribution of a node estimated from its family's statistics."""
        kind = self.kinds[node]
        if kind == TABLE:
            return ConditionalTable(shares(statistic + prior.table(self.schema, node, self.parents[node])))
        if kind == GAUSSIAN:
            return self._gaussian(node, statistic, prior)
        if kind == TREE:
            return tree_of_counts(statistic, prior.table(self.schema, node, self.parents[node]))
        strength = prior.strength(self.schema, node, 1)
        if kind == NOISY_OR:
            return noisy_or_of_counts(statistic, strength, _present(self.schema, node))
        if not self.numeric(node):
            return logistic_of_counts(statistic, strength)
        if cases is None:
            raise InputError(
                f"{self.schema.columns[node].name!r} has a numeric parent and needs complete rows; use "
                "method='counts'"
            )
        return logistic_of_rows(cases, node, self.parents[node], strength)

    def _gaussian(self, node: int, sums: Floats, prior: Prior) -> GaussianConditional:
        """Fit least squares per state of the nominal parents, with a pseudo-case of the overall means in each
        state.
        """
        k = sums.shape[-1] - 1
        average = self.averages[node]
        strength = prior.strength(self.schema, node, sums.size // average.size)
        weight = np.where(
            sums[..., :1, :1] > 0, strength, max(strength, 1.0)
        )  # a state without cases gets the overall mean
        total = sums + weight * average
        inputs = total[..., :k, :k] + RIDGE * total[..., :1, :1] * np.diag([0.0, *[1.0] * (k - 1)])
        weights = np.linalg.solve(inputs, total[..., :k, k:])[..., 0]
        squares = total[..., k, k] - np.einsum("...i,...i", weights, total[..., :k, k])
        variances = np.maximum(squares / total[..., 0, 0], LEAST_VARIANCE)
        own, above = self.scales[node], self.numeric(node)
        with np.errstate(over="ignore"):
            slopes = weights[..., 1:] * (own / self.scales[above])
            middle = self.centers[node] + own * weights[..., 0] - slopes @ self.centers[above]
            return GaussianConditional(
                np.asarray(np.nan_to_num(middle)),
                np.nan_to_num(slopes),
                np.asarray(np.minimum(variances * own * own, MOST_VARIANCE)),
            )


def shares(counts: Floats) -> Floats:
    """Normalise counts along the last axis; uniform if there are none.

    Examples
    --------
    >>> shares(np.array([[3.0, 1.0], [0.0, 0.0]])).tolist()
    [[0.75, 0.25], [0.5, 0.5]]
    """
    totals = counts.sum(axis=-1, keepdims=True)
    return np.where(totals > 0, counts / np.where(totals > 0, totals, 1.0), 1.0 / counts.shape[-1])


def by_counts(
    cases: Cases,
    parents: Sequence[Sequence[int]],
    prior: Prior | None = None,
    kinds: Mapping[str, str] | None = None,
    name: str = "",
) -> BeliefNetwork:
    """Return the network with the given parents and parameters counted from the cases.

    Parameters
    ----------
    cases : Cases
        A case with a missing value in a family is not counted for it.
    parents : sequence of sequences of int
        Indices of the parents of each node.
    prior : Prior, optional
        Prior; by default a pseudo-count of 1 per cell.
    kinds : dict, optional
        Mapping from names of nominal nodes to ``"table"``, ``"noisy-or"``, ``"logistic"`` or ``"tree"``.
    name : str
    """
    families = Families.of(cases, parents, kinds)
    found = Prior() if prior is None else prior
    found.check(cases.schema)
    return families.network(families.statistics(cases), found, cases, name)


def _kind(schema: Schema, node: int, parents: Sequence[int], kinds: Mapping[str, str]) -> str:
    column = schema.columns[node]
    if column.name in kinds:
        one_of(f"the kind of {column.name!r}", kinds[column.name], KINDS)
    numbers = [schema.columns[k].name for k in parents if schema.columns[k].kind == "numeric"]
    if column.kind == "numeric":
        if column.name in kinds:
            raise InputError(f"{column.name!r} is numeric and always linear-Gaussian; omit its kind")
        return GAUSSIAN
    kind = kinds.get(column.name, LOGISTIC if numbers else TABLE)
    if numbers and kind != LOGISTIC:
        raise InputError(
            f"{column.name!r} has the numeric parent {numbers[0]!r} and cannot be {kind!r}; make it logistic"
        )
    if kind == NOISY_OR and len(column.domain) != 2:
        raise InputError(
            f"{column.name!r} has {len(column.domain)} values; a noisy-OR needs two: absent and present"
        )
    return kind


def _pooled(moments: Floats) -> Floats:
    """Return the mean statistics per case of a numeric node."""
    k = moments.shape[-1]
    pooled = moments.reshape(-1, k, k).sum(axis=0)
    return pooled / pooled[0, 0] if pooled[0, 0] > 0 else np.diag([1.0, *[0.0] * (k - 2), 1.0])


def _present(schema: Schema, node: int) -> int:
    """Return the index of the value that means that an effect is present: the second."""
    domain = schema.columns[node].domain
    return domain.index(True) if True in domain else 1


def _units(cases: Cases) -> tuple[Floats, Floats]:
    """Return the mean and the standard deviation of every numeric node."""
    n = len(cases.schema)
    centers, scales = np.zeros(n), np.ones(n)
    for node, column in enumerate(cases.schema):
        numbers = cases.numbers[:, node][cases.known[:, node]] if column.kind == "numeric" else np.empty(0)
        if len(numbers):
            unit = max(float(np.abs(numbers).max()), 1e-300)
            inside = numbers / unit
            middle, spread = float(inside.mean()), float(inside.std())
            centers[node] = middle * unit
            scales[node] = spread * unit if spread > 1e-12 else max(abs(centers[node]), 1.0)
    return centers, scales
