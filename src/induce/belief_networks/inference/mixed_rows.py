"""Batch inference for networks with numeric nodes, grouped by pattern of observed nodes.

The numeric values of a component become an extra node with one value per row. Its probability in a state of
the nominal parents is the density of the row's values. Each row observes its own value, so one junction tree
of tables answers for all rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from induce.belief_networks.conditionals.gaussian import GaussianConditional
from induce.belief_networks.factors import Factors, Floats, Ints
from induce.belief_networks.inference.evidence import Evidence
from induce.belief_networks.inference.junction_tree import Codes, JunctionTree
from induce.belief_networks.inference.mixed import (
    Component,
    System,
    components,
    conditional_normals,
    log_densities,
    system,
)
from induce.belief_networks.representation import Representation

MOST_STATES = 256
"""Maximum number of nominal parent states of a component for batch inference."""
MOST_CELLS = 2**20
"""Maximum number of densities held at a time."""


def mixed_posteriors(
    network: Representation, codes: Codes, numbers: Floats, places: Sequence[int]
) -> list[Floats] | None:
    """Return the posteriors of the given nodes in each row, or None if rows must be processed one by one.

    A nominal node gets probabilities, a numeric one mean and standard deviation; NaN in an impossible row.
    Nominal nodes with numeric parents are not supported.
    """
    columns = network.schema.columns
    for node, above in enumerate(network.parents):
        numeric = any(columns[k].kind == "numeric" for k in above)
        if numeric and not isinstance(network.conditionals[node], GaussianConditional):
            return None
    answers = [np.full((len(codes), len(columns[place].domain) or 2), np.nan) for place in places]
    for rows in _patterns(numbers):
        block = _Block.of(network, numbers[rows[0]])
        if block is None:
            return None
        step = max(1, MOST_CELLS // max(1, block.most_states))
        for start in range(0, len(rows), step):
            some = rows[start : start + step]
            for answer, found in zip(answers, block.answers(codes[some], numbers[some], places), strict=True):
                answer[some] = found
    return answers


def _patterns(numbers: Floats) -> Iterator[Ints]:
    """Yield the rows that observe the same numeric nodes."""
    _, group = np.unique(~np.isnan(numbers), axis=0, return_inverse=True)
    for number in range(int(group.max(initial=-1)) + 1):
        yield np.flatnonzero(group.reshape(-1) == number)


class _Block:
    """A network for rows that observe the same numeric nodes."""

    def __init__(self, network: Representation, parts: list[Component], systems: list[System]) -> None:
        self.network, self.parts, self.systems = network, parts, systems
        self.sizes = [len(column.domain) or 1 for column in network.schema]
        self.most_states = max((len(each.intercepts) for each in systems), default=1)

    @classmethod
    def of(cls, network: Representation, numbers: Floats) -> _Block | None:
        """Return the block for a pattern of observed numeric nodes, or None if its tables would be too large."""
        evidence = Evidence(np.full(len(numbers), -1, np.int32), numbers)
        parts = components(network, evidence, set(range(len(numbers))))
        for part in parts:
            if math.prod(len(network.schema.columns[k].domain) for k in part.states) > MOST_STATES:
                return None
        return cls(network, parts, [system(network, part, evidence) for part in parts])

    def answers(self, codes: Codes, numbers: Floats, places: Sequence[int]) -> Iterator[Floats]:
        """Yield the posterior of each node in each row."""
        n, rows = len(self.sizes), len(codes)
        sizes = list(self.sizes)
        scopes: list[tuple[int, ...]] = []
        tables: list[Floats] = []
        for node, column in enumerate(self.network.schema):
            numeric = column.kind == "numeric"
            above = () if numeric else self.network.parents[node]
            scopes.append((*above, node))
            shape = [self.sizes[k] for k in above]
            tables.append(np.ones(1) if numeric else self.network.conditionals[node].table(shape))
        for part, how in zip(self.parts, self.systems, strict=True):
            if not np.isnan(numbers[0, list(part.nodes)]).all():
                logs = log_densities(how, part, numbers)
                logs -= np.maximum(logs.max(axis=1, keepdims=True), -1e300)
                scopes.append((*part.states, len(sizes)))
                tables.append(np.exp(logs).T)
                sizes.append(rows)
        observed = np.repeat(np.arange(rows, dtype=np.int32)[:, np.newaxis], len(sizes) - n, axis=1)
        states, joint = self._joint_states(places, len(sizes))
        for part in states:
            values = math.prod(self.sizes[k] for k in part.states)
            scopes.append((*part.states, len(sizes)))
            tables.append(np.eye(values))
            sizes.append(values)
        opened = np.full((rows, len(states)), -1, np.int32)
        tree = JunctionTree(
            Factors.of(sizes, scopes, tables), (*self.network.graph.order, *range(n, len(sizes)))
        )
        wanted = np.isin(np.arange(len(sizes)), [*places, *joint.values()])
        found = tree.posteriors(np.hstack([codes, observed, opened]), wanted)
        for place in places:
            if self.network.schema.columns[place].kind == "nominal":
                yield found.of(place)
            else:
                number = self._part_of(place)
                weights = found.of(joint[number]) if number in joint else found.of(place)
                yield self._moments(number, numbers, place, weights)

    def _part_of(self, place: int) -> int:
        return next(number for number, part in enumerate(self.parts) if place in part.nodes)

    def _joint_states(self, places: Sequence[int], first: int) -> tuple[list[Component], dict[int, int]]:
        """Return the parts of the numeric components that have states, and the new node that holds the states
        of each.
        """
        numeric = [place for place in places if self.network.schema.columns[place].kind == "numeric"]
        numbers = dict.fromkeys(self._part_of(place) for place in numeric)
        open_ = [number for number in numbers if self.parts[number].states]
        return [self.parts[number] for number in open_], {number: first + k for k, number in enumerate(open_)}

    def _moments(self, part: int, numbers: Floats, place: int, weights: Floats) -> Floats:
        """Return mean and standard deviation of a numeric node, weighted by its state probabilities in each row."""
        if not np.isnan(numbers[0, place]):
            known = np.where(np.isnan(weights).any(axis=1), np.nan, numbers[:, place])
            return np.column_stack([known, known * 0.0])
        means, variances = conditional_normals(self.systems[part], self.parts[part], numbers, place)
        mean = (weights * means).sum(axis=1)
        spread = (weights * (variances + (means - mean[:, np.newaxis]) ** 2)).sum(axis=1)
        return np.column_stack([mean, np.sqrt(np.maximum(spread, 0.0))])
