"""Nodes without tables: numeric columns are scored by linear models or discretised."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np

from induce.belief_networks.cases import Cases
from induce.belief_networks.parameters.families import Families
from induce.belief_networks.parameters.prior import Prior
from induce.belief_networks.structure.knowledge import Constraints
from induce.belief_networks.structure.scores import CodedRows, FamilyScores, Floats
from induce.core.errors import InputError
from induce.core.hashing import sampled_rows
from induce.data.schema import Column, Schema
from induce.discretise.intervals import codes as interval_codes
from induce.discretise.intervals import midpoints

BINS = 4
"""Number of intervals of equal frequency into which a numeric column is cut."""

MOST = 1e100
"""Limit of log densities; larger ones are numerical artefacts."""


def interval_cases(cases: Cases) -> Cases:
    """Return cases whose nodes are all nominal: numeric columns are cut into intervals of equal frequency."""
    if cases.is_nominal:
        return cases
    codes = cases.codes.copy()
    columns = list(cases.schema.columns)
    for node, column in enumerate(columns):
        if column.kind == "numeric":
            some = sampled_rows(len(cases))
            cuts = quartiles(cases.numbers[some, node], cases.weights[some])
            codes[:, node] = interval_codes(cases.numbers[:, node], cuts)
            columns[node] = Column(column.name, "nominal", tuple(range(len(cuts) + 1)))
    return Cases.of(Schema(tuple(columns)), codes, None, cases.weights, cases.target)


def coded(cases: Cases) -> CodedRows:
    """Return cases as rows of codes; numeric columns are cut into intervals."""
    cases = interval_cases(cases)
    return CodedRows.of(cases.codes, cases.sizes.tolist(), cases.weights)


def quartiles(numbers: Floats, weights: Floats) -> Floats:
    """Return the cut points between intervals of equal weight."""
    known = np.isfinite(numbers)
    values, which = np.unique(numbers[known], return_inverse=True)
    below = np.cumsum(np.bincount(which, weights[known], len(values)))
    if len(values) < 2:
        return np.empty(0)
    wanted = below[-1] * np.arange(1, BINS) / BINS
    ends = np.unique(np.minimum(np.searchsorted(below, wanted - 1e-9 * below[-1]), len(values) - 2))
    return midpoints(values[ends], values[ends + 1])


def scores_of(
    cases: Cases, limits: Constraints, score: str, equivalent_sample_size: float = 1.0
) -> FamilyScores:
    """Return the family scores of cases.

    With ``"bic"`` and ``"mdl"``, numeric nodes are scored as linear-Gaussian; other scores discretise them.
    """
    rows = coded(cases)
    tables = cases.is_nominal and all(kind == "table" for kind in limits.kinds)
    if score in ("bic", "mdl") and not tables:
        return MixedScores(rows, cases, limits, score)
    if any(kind != "table" for kind in limits.kinds):
        name = next(name for name, kind in zip(limits.nodes, limits.kinds, strict=True) if kind != "table")
        raise InputError(
            f"{name!r} is not a table, and the score {score!r} supports only tables; use 'bic' or 'mdl'"
        )
    return FamilyScores(rows, score, equivalent_sample_size)


class MixedScores(FamilyScores):
    """Family scores if some nodes are not tables: numeric, noisy-OR, logistic or trees.

    The distribution of such a node is fitted for every family; the score is its log-likelihood minus the
    penalty for its own number of parameters (AIMA 20.2). Noisy-OR nodes can therefore have more parents than
    tables.
    """

    def __init__(self, rows: CodedRows, cases: Cases, limits: Constraints, score: str) -> None:
        super().__init__(rows, score)
        self.cases = cases
        kinds = {name: kind for name, kind in zip(limits.nodes, limits.kinds, strict=True) if kind != "table"}
        self._families = Families.of(cases, [()] * len(limits.nodes), kinds)

    def score(self, node: int, parents: Collection[int]) -> float:
        """Return the score of a node given its parents."""
        key = node, tuple(sorted(parents))
        if self._is_table(node):
            return super().score(*key)
        if key not in self._single:
            self._single[key] = self._fitted(*key)
        return self._single[key]

    def _gained(self, node: int, parents: tuple[int, ...], candidates: Sequence[int]) -> Floats:
        if self._is_table(node):
            numeric = np.array([self._is_numeric(k) for k in candidates], np.bool_)
            return np.where(numeric, -math.inf, super()._gained(node, parents, candidates))
        graph: list[Collection[int]] = [()] * len(self)
        graph[node] = parents
        found = [
            self.difference(graph, [*graph[:node], (*parents, k), *graph[node + 1 :]]) for k in candidates
        ]
        return np.array(found, np.float64)

    def _score_on(self, needed: Sequence[int], node: int, parents: tuple[int, ...]) -> float:
        if self._is_table(node):
            return super()._score_on(needed, node, parents)
        return self._fitted(node, parents, needed)

    def _is_table(self, node: int) -> bool:
        return self._families.kinds[node] == "table"

    def _is_numeric(self, node: int) -> bool:
        return self.cases.schema.columns[node].kind == "numeric"

    def _fitted(self, node: int, parents: tuple[int, ...], needed: Sequence[int] | None = None) -> float:
        """Return the score of a node whose distribution is fitted; minus infinity if it has too many parameters.

        It is fitted to the rows in which all needed columns are observed. Without such rows, it is fitted to
        the rows that observe the family, and the score is scaled up to all rows.
        """
        cases = self.cases
        states = self.rows.n_states([k for k in parents if not self._is_numeric(k)])
        if states * (1 + len(parents)) > max(len(cases), 64):
            return -math.inf
        columns = [*parents, node] if needed is None else list(needed)
        whole = np.asarray(cases.known[:, columns].all(axis=1))
        cases = cases if whole.all() else cases.rows(whole)
        known = float(cases.weights.sum())
        if not known:
            return 0.0
        families = self._families.with_parents(cases, node, parents)
        found = families.conditional(node, families.statistic(cases, node), Prior(), cases)
        values = [cases.values(k) for k in (*parents, node)]
        logs = found.log_probability(values[-1], values[:-1])
        total = float(np.sum(cases.weights * np.clip(logs, -MOST, MOST)))
        counted = self.rows.total if needed is None else known
        parameters = np.array([float(found.n_parameters())])
        price = self._penalties(parameters, np.array([len(parents)]), counted)
        return total * counted / known - float(price[0])
