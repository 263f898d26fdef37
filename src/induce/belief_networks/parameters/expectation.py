"""E step of EM for networks of nominal nodes: expected counts of family states (AIMA 20.3).

The observed part of a row is counted once. The unobserved part splits into components, each of which depends
only on its neighbours; rows that share a component and its neighbours are processed once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks.cases import Cases
from induce.belief_networks.factors import Factors, Floats, Ints
from induce.belief_networks.inference.junction_tree import Codes, JunctionTree, PlannedCounts


@dataclass(frozen=True, eq=False)
class Expectation:
    """Expected counts of family states for a sequence of tables.

    Parameters
    ----------
    factors : Factors
        Factors of the families; factor `i` is the conditional of node `i`.
    known : array of float64
        Counts of families from cases that observe all their nodes, laid out like the factors' tables.
    parts : PlannedCounts
        Unobserved components, counted by the junction tree.

    Examples
    --------
    >>> from induce.data.schema import Column, Schema
    >>> nodes = Schema((Column("bag", "nominal", (1, 2)), Column("taste", "nominal", ("lime", "cherry"))))
    >>> cases = Cases.of(nodes, np.array([[-1, 0], [-1, 1], [0, 1]], np.int32))
    >>> found = Expectation.of(cases, [(), (0,)])
    >>> counts, log = found.count(np.array([0.5, 0.5, 0.5, 0.5, 0.2, 0.8]))
    >>> counts.round(4).tolist()
    [2.0989, 0.9011, 0.7143, 1.3846, 0.2857, 0.6154]
    """

    factors: Factors
    known: Floats
    parts: PlannedCounts

    @classmethod
    def of(cls, cases: Cases, parents: Sequence[Sequence[int]]) -> Expectation:
        """Return the E step for the given cases and the families of a graph."""
        scopes = [(*above, node) for node, above in enumerate(parents)]
        tables = cases.counts(scopes)
        factors = Factors.of(cases.sizes, scopes, tables)
        codes, weights = _parts(cases, factors)
        tree = JunctionTree(factors, _order(parents))
        return cls(factors, factors.tables, tree.planned(codes, weights))

    def count(self, tables: Floats, state: object = None) -> tuple[Floats, float]:
        """Return the expected counts under the given tables, and the log probability of the cases.

        An exact E step has no state; the parameter is that of `Approximation.count`.
        """
        counts = self.known.copy()
        log = self.parts.count(tables, counts)
        seen = self.known > 0
        with np.errstate(divide="ignore"):
            log += float(self.known[seen] @ np.log(tables[seen]))
        return counts, log if not math.isnan(log) else -math.inf


def _order(parents: Sequence[Sequence[int]]) -> tuple[int, ...]:
    from induce.belief_networks.graphs.dag import Dag

    return Dag(tuple(map(str, range(len(parents)))), tuple(map(tuple, parents))).order


def _parts(cases: Cases, factors: Factors) -> tuple[Codes, Floats]:
    """Return the distinct unobserved components of the rows with their observed neighbours, and their
    weights.

    Variables outside the component and its neighbours get code 0.
    """
    n = len(cases.sizes)
    beside = np.eye(n, dtype=np.bool_)
    for f in range(len(factors)):
        scope = list(factors.scope(f))
        beside[np.ix_(scope, scope)] = True
    opened = cases.codes < 0
    some = np.flatnonzero(opened.any(axis=1))
    key = np.ascontiguousarray(np.packbits(opened[some], axis=1))
    patterns, pattern = np.unique(key.view(f"V{key.shape[1]}").ravel(), return_inverse=True)
    first = np.zeros(len(patterns), np.int64)
    first[pattern[::-1]] = some[::-1]
    by_pattern = np.argsort(pattern, kind="stable")
    bounds = np.searchsorted(pattern[by_pattern], np.arange(len(patterns) + 1))
    rows: list[Ints] = []
    masks: list[NDArray[np.bool_]] = []
    for k, row in enumerate(first):
        mine = some[by_pattern[bounds[k] : bounds[k + 1]]]
        for part in _components(np.flatnonzero(opened[row]), beside):
            mask = np.zeros(n, np.bool_)
            mask[part] = True
            rows.append(mine)
            masks.append(mask)
    if not rows:
        return np.empty((0, n), np.int32), np.empty(0)
    lengths = [len(each) for each in rows]
    index = np.concatenate(rows)
    inside = np.repeat(np.array(masks), lengths, axis=0)
    near = np.repeat(np.array(masks) @ beside, lengths, axis=0)
    codes = np.where(inside, -1, np.where(near, cases.codes[index], 0)).astype(np.int32)
    codes = np.ascontiguousarray(codes)
    _, at, place = np.unique(
        codes.view(f"V{codes.shape[1] * 4}").ravel(), return_index=True, return_inverse=True
    )
    return codes[at], np.asarray(np.bincount(place, cases.weights[index], len(at)), np.float64)


def _components(opened: Ints, beside: NDArray[np.bool_]) -> list[list[int]]:
    """Return the connected components of the opened variables."""
    waiting, parts = set(opened.tolist()), []
    while waiting:
        part = [waiting.pop()]
        for variable in part:
            near = [other for other in waiting if beside[variable, other]]
            waiting.difference_update(near)
            part += near
        parts.append(sorted(part))
    return parts
