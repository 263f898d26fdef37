"""Belief networks from partitioned tables: one pass determines the nodes, others count pairs and families."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks.cases import Cases
from induce.belief_networks.classifier import NetworkClassifier
from induce.belief_networks.learners.base import free_name, tell_coded, two_whole
from induce.belief_networks.network import BeliefNetwork
from induce.belief_networks.parameters.families import Families
from induce.belief_networks.structure.mixed import quartiles
from induce.belief_networks.structure.trees import information_of
from induce.core.engines import total
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.pass_results import pass_result
from induce.counts.moments import Moments
from induce.counts.steps import Steps
from induce.data.numeric_view import FAR
from induce.data.partitions import Partition
from induce.data.scanning import Scan
from induce.data.schema import Column, Schema
from induce.discretise.intervals import codes as interval_codes
from induce.estimators.scale import OFFERED, class_weights, sampled_numbers

Floats = NDArray[np.float64]

MOST_CELLS = 2**22
"""Number of cells of pair tables counted per pass."""


class CasesOfPartitions:
    """The cases of a partitioned table: its nodes, and sums over its rows.

    Parameters
    ----------
    learner : NetworkLearner
        Learner, which is informed of ignored columns.
    source : Scan
    network : BeliefNetwork, optional
        Network whose nodes define the values.
    """

    def __init__(self, learner: Any, source: Scan, network: BeliefNetwork | None = None) -> None:
        looked = total(_looked_at, source.partitions())
        inputs = source.schema.inputs()
        seen = {column.name: (looked.moments[k], looked.steps[k]) for k, column in enumerate(inputs)}
        columns, coded = [], []
        for column in source.schema:
            if column.role == "input":
                moments, steps = seen[column.name]
                if not (column.domain if moments is None else float(moments.count[0])):
                    note(f"column {column.name!r} has no values and is ignored")
                    column = replace(column, role="ignore")
                elif steps is not None and not column.temporal and two_whole(steps.numbers.tolist()):
                    coded.append(repr(column.name))
                    domain = tuple(int(value) for value in steps.numbers.tolist())
                    column = replace(column, kind="nominal", domain=domain)
            columns.append(column)
        tell_coded(coded)
        if network is not None:
            columns = [_as_node(column, network) for column in columns]
        learner._ignored = tuple(k for k, column in enumerate(columns) if column.role != "input")
        schema = Schema(tuple(columns))
        if not len(schema.inputs()):
            raise InputError("no column is left to learn from: all are empty, identifiers, text or ignored")
        self.source = source.with_schema(schema)
        self.target = free_name(source.target, schema) if source.target else None
        own = [] if self.target is None else [Column(self.target, "nominal", source.classes)]
        self.schema = Schema((*own, *(replace(column, role="input") for column in schema.inputs())))
        self.of_class: Floats | None = None
        if self.target is not None:
            weight = getattr(learner, "class_weight", None)
            self.of_class = class_weights(weight, source.classes, source.layout.class_counts)
        self.centers, self.scales = np.zeros(len(self.schema)), np.ones(len(self.schema))
        for node, column in enumerate(self.schema):
            if column.kind == "numeric":
                moments = seen[column.name][0]
                middle, spread = float(moments.mean[0]), float(np.sqrt(moments.variance[0]))
                unit = max(abs(seen[column.name][1].low), abs(seen[column.name][1].high), 1e-300)
                self.centers[node] = middle
                self.scales[node] = spread if spread > 1e-12 * unit else max(abs(middle), 1.0)

    def cases(self, partition: Partition) -> Cases:
        """Return the cases of one partition, target first."""
        table, labels = partition.table()
        shape, first = (len(labels), len(self.schema)), int(self.target is not None)
        codes, numbers = np.full(shape, -1, np.int32), np.full(shape, np.nan)
        if first:
            codes[:, 0] = labels
        for k, column in enumerate(table.schema):
            (numbers if column.kind == "numeric" else codes)[:, k + first] = table.column(k)
        weights = None if self.of_class is None else self.of_class[labels]
        return Cases.of(self.schema, codes, numbers, weights, self.target)

    def information(self) -> Floats:
        """Return the pairwise mutual information of the columns in nats; numeric columns are cut into quartiles."""
        numeric = [column.name for column in self.schema if column.kind == "numeric"]
        cuts: dict[str, Floats] = {}
        if numeric:
            columns, labels = sampled_numbers(self.source, numeric)
            weights = np.ones(len(labels)) if self.of_class is None else self.of_class[labels]
            cuts = {name: quartiles(each, weights) for name, each in zip(numeric, columns, strict=True)}
        sizes = [
            len(cuts[column.name]) + 1 if column.name in cuts else len(column.domain)
            for column in self.schema
        ]
        found = np.zeros((len(sizes), len(sizes)))
        pairs = list(combinations(range(len(sizes)), 2))
        while pairs:
            held = np.cumsum([sizes[a] * sizes[b] for a, b in pairs])
            n = max(1, int(np.searchsorted(held, MOST_CELLS, "right")))
            count = partial(_paired, given=self._asked(), cuts=cuts, pairs=pairs[:n])
            tables = total(count, self.source.partitions(), _plus)
            for (a, b), table in zip(pairs[:n], tables, strict=True):
                found[a, b] = found[b, a] = information_of(table)
            pairs = pairs[n:]
        return found

    def counted(
        self, parents: Sequence[Sequence[int]], kinds: Mapping[str, str] | None
    ) -> tuple[Families, list[Floats]]:
        """Return the families of a graph, and their counts."""
        families = Families.in_units(self.schema, parents, kinds, self.centers, self.scales)
        if not families.is_additive:
            raise InputError(
                "a nominal node with a numeric parent is learned from whole rows; turn the arc round, or learn from "
                f"a sample: fit(*source.sample({OFFERED:_}))"
            )
        count = partial(_counted, given=self._asked(), families=families)
        found = total(count, self.source.partitions(), _plus)
        return families.averaged(found), found

    def _asked(self) -> CasesOfPartitions:
        """Return a copy for workers, without the partitions."""
        asked = object.__new__(CasesOfPartitions)
        asked.schema, asked.target, asked.of_class = self.schema, self.target, self.of_class
        return asked

    def hypothesis(self, network: BeliefNetwork) -> BeliefNetwork | NetworkClassifier:
        """Return the network or, with a target, the classifier."""
        return network if self.target is None else NetworkClassifier(network, self.target)


@pass_result
@dataclass(eq=False)
class _Looked:
    """Moments and different numbers of the numeric columns; None of the others."""

    moments: list[Any]
    steps: list[Any]

    def __add__(self, later: _Looked) -> _Looked:
        return _Looked(_plus_known(self.moments, later.moments), _plus_known(self.steps, later.steps))


def _plus_known(earlier: list[Any], later: list[Any]) -> list[Any]:
    return [None if a is None else a + b for a, b in zip(earlier, later, strict=True)]


def _looked_at(partition: Partition) -> _Looked:
    values, labels = partition.columns()
    nobody = np.zeros(len(labels), np.int64)
    found = _Looked([], [])
    for column, cells in zip(partition.layout.schema.inputs(), values, strict=True):
        numbers = None if column.kind == "nominal" else np.ascontiguousarray(cells)
        found.moments.append(None if numbers is None else Moments.of(np.clip(numbers, -FAR, FAR), nobody, 1))
        found.steps.append(None if numbers is None else Steps.of(numbers))
    return found


def _paired(
    partition: Partition,
    given: CasesOfPartitions,
    cuts: Mapping[str, Floats],
    pairs: Sequence[tuple[int, int]],
) -> list[Floats]:
    cases = given.cases(partition)
    columns = list(cases.schema)
    for node, column in enumerate(columns):
        if column.name in cuts and column.kind == "numeric":
            cases.codes[:, node] = interval_codes(cases.numbers[:, node], cuts[column.name])
            columns[node] = Column(column.name, "nominal", tuple(range(len(cuts[column.name]) + 1)))
    return replace(cases, schema=Schema(tuple(columns))).counts(pairs)


def _counted(partition: Partition, given: CasesOfPartitions, families: Families) -> list[Floats]:
    return families.statistics(given.cases(partition))


def _plus(earlier: list[Floats], later: list[Floats]) -> list[Floats]:
    return [a + b for a, b in zip(earlier, later, strict=True)]


def _as_node(column: Column, network: BeliefNetwork) -> Column:
    """Return a column with the values of the network's node, in its order."""
    if column.role != "input" or column.name not in network.nodes:
        return column
    wanted = network.column(column.name)
    if wanted.kind == "numeric" and column.kind == "nominal":
        raise InputError(f"column {column.name!r} holds {column.domain[0]!r}, but the node is numeric")
    return replace(column, kind=wanted.kind, domain=wanted.domain)
