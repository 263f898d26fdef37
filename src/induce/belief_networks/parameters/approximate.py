"""Approximate E steps for networks whose junction tree is too large: mean field and loopy propagation (AIMA 20.3).

All cases are processed together, one node after the other: an array for a node has one row per case. The state of an
approximation, the beliefs of mean field or the messages of loopy propagation, is kept; the next E step continues from
it, so that few sweeps suffice and the bound of mean field never falls.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from induce.belief_networks.cases import Cases
from induce.belief_networks.factors import Factors, Floats, Ints
from induce.core.notes import note

MEAN_FIELD, LOOPY = "mean-field", "loopy"
METHODS = (MEAN_FIELD, LOOPY)
SWEEPS = 100
"""Maximum number of sweeps over the nodes in one E step."""
PRECISION = 1e-7
"""Largest change in a probability at which the sweeps end."""
KEPT = 0.3
"""Damping of loopy propagation: weight of the old message."""
LEAST = 1e-300
"""Stands for probability 0 in the logarithms of mean field."""

State = list[Floats]
"""State passed from one E step to the next: one array per node, or one per message."""


@dataclass(frozen=True, eq=False)
class Approximation:
    """Approximately expected counts of the states of families, for one set of tables after another.

    Parameters
    ----------
    factors : Factors
        Families of a network; factor `i` is the conditional of node `i`.
    known : array of float64
        Counts of the families of which a case knows all values, in the form of the factors' tables.
    codes : array of int32, shape (cases, nodes)
        Distinct cases with a missing value; a missing value is below 0.
    weights : array of float64
        Weight of each of these cases.
    method : {"mean-field", "loopy"}

    Examples
    --------
    >>> from induce.data.schema import Column, Schema
    >>> nodes = Schema((Column("bag", "nominal", (1, 2)), Column("taste", "nominal", ("lime", "cherry"))))
    >>> cases = Cases.of(nodes, np.array([[-1, 0], [-1, 1], [0, 1]], np.int32))
    >>> found = Approximation.of(cases, [(), (0,)], "loopy")
    >>> counts, log, _ = found.count(np.array([0.5, 0.5, 0.5, 0.5, 0.2, 0.8]))
    >>> counts.round(4).tolist()  # exact, because each case lacks a single value
    [2.0989, 0.9011, 0.7143, 1.3846, 0.2857, 0.6154]
    """

    factors: Factors
    known: Floats
    codes: Ints
    weights: Floats
    method: str

    @classmethod
    def of(cls, cases: Cases, parents: Sequence[Sequence[int]], method: str) -> Approximation:
        """Return the E step for the given cases and the families of a graph."""
        scopes = [(*above, node) for node, above in enumerate(parents)]
        factors = Factors.of(cases.sizes, scopes, cases.counts(scopes))
        opened = (cases.codes < 0).any(axis=1)
        codes = np.maximum(cases.codes[opened], -1).astype(np.int64)
        codes, place = np.unique(codes, axis=0, return_inverse=True)
        weights = np.bincount(place.reshape(-1), cases.weights[opened], len(codes))
        return cls(factors, factors.tables, codes, np.asarray(weights, np.float64), method)

    @cached_property
    def opened(self) -> list[Ints]:
        """Cases in which each node is missing."""
        return [np.flatnonzero(column < 0) for column in self.codes.T]

    @cached_property
    def incomplete(self) -> list[Ints]:
        """Cases in which a value of each family is missing."""
        scopes = map(self.factors.scope, range(len(self.factors)))
        return [np.flatnonzero((self.codes[:, list(scope)] < 0).any(axis=1)) for scope in scopes]

    @cached_property
    def families_of(self) -> list[list[tuple[int, int]]]:
        """Families that each node is in, with its axis in their tables."""
        found: list[list[tuple[int, int]]] = [[] for _ in range(len(self.factors))]
        for f in range(len(self.factors)):
            for axis, node in enumerate(self.factors.scope(f)):
                found[node].append((f, axis))
        return found

    @cached_property
    def evidence(self) -> list[Floats]:
        """For each node and case, 1 for the values that the case allows."""
        return [
            np.where(column[:, None] < 0, 1.0, column[:, None] == np.arange(size)).astype(np.float64)
            for column, size in zip(self.codes.T, self.factors.sizes.tolist(), strict=True)
        ]

    def count(self, tables: Floats, state: State | None = None) -> tuple[Floats, float, State]:
        """Return the expected counts under the given tables, and the approximate log probability of the
        cases.

        Parameters
        ----------
        tables : array of float64
            Tables of all nodes.
        state : list of arrays, optional
            State of the previous E step, from which the sweeps start.

        Returns
        -------
        counts : array of float64
        log : float
            Lower bound of mean field, or the Bethe approximation of loopy propagation.
        state : list of arrays
        """
        given = [
            tables[self.factors.offsets[f] : self.factors.offsets[f + 1]].reshape(self.factors.shape(f))
            for f in range(len(self.factors))
        ]
        counts = self.known.copy()
        seen = self.known > 0
        with np.errstate(divide="ignore"):
            log = float(self.known[seen] @ np.log(tables[seen]))
        if len(self.codes):
            run = self._mean_field if self.method == MEAN_FIELD else self._loopy
            found, logs, state = run(given, state)
            log += logs
            counts += np.concatenate([each.reshape(-1) for each in found])
        return counts, log if not math.isnan(log) else -math.inf, state or []

    def _mean_field(self, tables: list[Floats], state: State | None) -> tuple[list[Floats], float, State]:
        """Update the beliefs of one node after the other, each given the expected logarithms of its families.

        Missing values of a case are taken as independent; each update maximises the lower bound given all others.
        """
        logs = [np.log(np.maximum(table, LEAST)) for table in tables]
        q = [_normalised(each) for each in self.evidence] if state is None else list(map(np.copy, state))
        for _ in range(SWEEPS):
            change = 0.0
            for node, rows in enumerate(self.opened):
                if len(rows):
                    score = sum(
                        _summed(logs[f], [q[other][rows] for other in self.factors.scope(f)], axis)
                        for f, axis in self.families_of[node]
                    )
                    new = np.exp(score - np.max(score, axis=1, keepdims=True))
                    new /= new.sum(axis=1, keepdims=True)
                    change = max(change, float(np.abs(new - q[node][rows]).max()))
                    q[node][rows] = new
            if change <= PRECISION:
                break
        counts, bound = [], sum(float(self.weights @ _entropy(each)) for each in q)
        for f, rows in enumerate(self.incomplete):
            beliefs = [q[node][rows] for node in self.factors.scope(f)]
            counts.append(_total(beliefs, self.weights[rows]))
            bound += float((counts[-1] * logs[f]).sum())
        return counts, bound, q

    def _loopy(self, tables: list[Floats], state: State | None) -> tuple[list[Floats], float, State]:
        """Send messages from families to nodes until they no longer change; exact if missing values form trees."""
        first = np.cumsum([0, *(len(self.factors.scope(f)) for f in range(len(tables)))]).tolist()
        scopes = [self.factors.scope(f) for f in range(len(tables))]
        if state is None:
            uniform = (_normalised(np.ones_like(self.evidence[node])) for scope in scopes for node in scope)
            state = list(uniform)
        messages = list(map(np.copy, state))

        def inward(f: int, rows: Ints) -> list[Floats]:
            """Return what the evidence and all other families say of each node of a family."""
            said = []
            for node in scopes[f]:
                belief = self.evidence[node][rows]
                for other, axis in self.families_of[node]:
                    if other != f:
                        belief = belief * messages[first[other] + axis][rows]
                said.append(_normalised(belief))
            return said

        for _ in range(SWEEPS):
            change = 0.0
            for f, rows in enumerate(self.incomplete):
                if len(rows):
                    said = inward(f, rows)
                    for axis in range(len(scopes[f])):
                        message = messages[first[f] + axis]
                        new = _normalised(_summed(tables[f], said, axis))
                        change = max(change, float(np.abs(new - message[rows]).max()))
                        message[rows] = KEPT * message[rows] + (1 - KEPT) * new
            if change <= PRECISION:
                break
        else:
            note(f"loopy propagation did not converge in {SWEEPS} sweeps; the estimates may be far off")
        counts, log = [], 0.0
        for f, rows in enumerate(self.incomplete):
            belief = tables[f] * _outer(inward(f, rows))
            total = belief.reshape(len(rows), -1).sum(axis=1)
            belief /= np.maximum(total, LEAST).reshape(-1, *[1] * tables[f].ndim)
            weighted = belief * self.weights[rows].reshape(-1, *[1] * tables[f].ndim)
            counts.append(weighted.sum(axis=0))
            with np.errstate(divide="ignore", invalid="ignore"):
                gain = np.where(belief > 0, weighted * (np.log(tables[f]) - np.log(belief)), 0.0)
            log += float(gain.sum()) if (total > 0).all() else -math.inf
        for node, rows in enumerate(self.opened):
            belief = self.evidence[node][rows]
            for f, axis in self.families_of[node]:
                belief = belief * messages[first[f] + axis][rows]
            entropies = _entropy(_normalised(belief))
            log -= (len(self.families_of[node]) - 1) * float(self.weights[rows] @ entropies)
        return counts, log, messages


def _summed(table: Floats, beliefs: Sequence[Floats], axis: int) -> Floats:
    """Return a table times the beliefs of all its nodes but one, summed over these, for each case."""
    found = np.moveaxis(table, axis, -1)
    others = [belief for k, belief in enumerate(beliefs) if k != axis]
    if not others:
        return np.broadcast_to(found, (len(beliefs[0]), len(found)))
    rows = others[0] @ found.reshape(len(found), -1)
    for belief in others[1:]:
        rows = np.einsum("zd,zdr->zr", belief, rows.reshape(len(belief), belief.shape[1], -1))
    return np.asarray(rows)


def _outer(beliefs: Sequence[Floats]) -> Floats:
    """Return the outer product of beliefs, for each case."""
    found = beliefs[0]
    for belief in beliefs[1:]:
        found = found[..., None] * belief.reshape(len(belief), *[1] * (found.ndim - 1), -1)
    return found


def _total(beliefs: Sequence[Floats], weights: Floats) -> Floats:
    """Return the weighted sum of the outer products of beliefs."""
    *first, last = beliefs
    rows = _outer(first).reshape(len(last), -1) if first else np.ones((len(last), 1))
    shape = [belief.shape[1] for belief in beliefs]
    return np.asarray(((rows * weights[:, None]).T @ last).reshape(shape))


def _normalised(belief: Floats) -> Floats:
    """Scale each row to sum 1; an impossible one becomes uniform."""
    total = belief.sum(axis=1, keepdims=True)
    return np.asarray(np.where(total > 0, belief / np.where(total > 0, total, 1.0), 1.0 / belief.shape[1]))


def _entropy(belief: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return -np.asarray(np.where(belief > 0, belief * np.log(belief), 0.0).sum(axis=1))
