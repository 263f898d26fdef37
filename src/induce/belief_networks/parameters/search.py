"""Parameter learning with missing cells or hidden nodes: EM, gradient ascent, L-BFGS.

All three maximise the log posterior of the parameters, and need only expected counts (Mitchell 6.11.5 and
6.12; AIMA 20.3; Russell et al. 1995).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from induce.belief_networks.cases import Cases
from induce.belief_networks.conditionals.base import Conditional
from induce.belief_networks.conditionals.table import ConditionalTable
from induce.belief_networks.factors import Floats, Ints
from induce.belief_networks.network import BeliefNetwork
from induce.belief_networks.parameters.approximate import LOOPY, Approximation, State
from induce.belief_networks.parameters.approximate import METHODS as APPROXIMATE
from induce.belief_networks.parameters.compact import log_prior
from induce.belief_networks.parameters.expectation import Expectation
from induce.belief_networks.parameters.families import TABLE, Families
from induce.belief_networks.parameters.prior import Prior
from induce.core.interrupts import interruptible
from induce.core.notes import note
from induce.core.progress import report
from induce.core.ties import first_largest
from induce.core.trace import active, emit
from induce.em.driver import Maximised, maximise

HALVINGS = 30
"""Maximum number of times the step size of gradient ascent is halved."""


class Point(NamedTuple):
    """Parameters during a search: all tables in one array, and the distributions of nodes that have no table.

    An approximate E step has a state of its own, from which the next one continues.
    """

    tables: Floats
    compact: dict[int, Conditional]
    state: State | None = None


class Expected(NamedTuple):
    """Result of an E step: expected counts, the log probability of the observed values, and the state."""

    counts: Floats
    log: float
    state: State | None = None


@dataclass(frozen=True, eq=False)
class Hill:
    """The log posterior of the parameters given the cases.

    Parameters
    ----------
    families : Families
        Families; all nodes are nominal.
    expectation : Expectation or Approximation
    prior : Prior
    """

    families: Families
    expectation: Expectation | Approximation
    prior: Prior

    @classmethod
    def of(cls, families: Families, cases: Cases, prior: Prior, method: str = "em") -> Hill:
        """Build the objective for the given cases; approximate if the method is one of approximate E steps."""
        if method in APPROXIMATE:
            return cls(families, Approximation.of(cases, families.parents, method), prior)
        return cls(families, Expectation.of(cases, families.parents), prior)

    @cached_property
    def alpha(self) -> Floats:
        """Pseudo-count of each cell; 0 if a node has no table."""
        parts = [
            self.prior.table(self.families.schema, node, above).reshape(-1)
            if self.families.kinds[node] == TABLE
            else np.zeros(self.cells(node).stop - self.cells(node).start)
            for node, above in enumerate(self.families.parents)
        ]
        return np.concatenate(parts)

    @cached_property
    def row(self) -> Ints:
        """Row index of each cell; the cells of a row sum to 1."""
        lengths = [self.expectation.factors.sizes[node] for node in range(len(self.families.parents))]
        rows = np.diff(self.expectation.factors.offsets) // lengths
        return np.repeat(np.arange(rows.sum()), np.repeat(lengths, rows))

    def cells(self, node: int) -> slice:
        """Return the slice of a node's table."""
        offsets = self.expectation.factors.offsets
        return slice(int(offsets[node]), int(offsets[node + 1]))

    def expected(self, point: Point) -> Expected:
        """E step: compute the expected counts of each family's states."""
        return Expected(*self.expectation.count(point.tables, point.state))

    def statistics(self, expected: Expected) -> list[Floats]:
        """Return the expected counts as one table per node."""
        shapes = map(self.expectation.factors.shape, range(len(self.families.parents)))
        return [expected.counts[self.cells(node)].reshape(shape) for node, shape in enumerate(shapes)]

    def best(self, expected: Expected, point: Point) -> Point:
        """M step: return the parameters that maximise the posterior of the expected counts.

        Table rows without expected counts stay unchanged.
        """
        tables = self.normalised(expected.counts + self.alpha, point.tables)
        compact = dict(point.compact)
        for node in compact:
            counts = expected.counts[self.cells(node)].reshape(self.expectation.factors.shape(node))
            compact[node] = self.families.conditional(node, counts, self.prior)
            tables[self.cells(node)] = compact[node].table(counts.shape[:-1]).reshape(-1)
        return Point(tables, compact, expected.state)

    def objective(self, point: Point, expected: Expected) -> float:
        """Return the log posterior of the parameters, up to a constant."""
        seen = self.alpha > 0
        log = expected.log + float(self.alpha[seen] @ np.log(np.maximum(point.tables[seen], 1e-300)))
        for node, conditional in point.compact.items():
            log += log_prior(conditional, self.prior.strength(self.families.schema, node, 1))
        return log

    def slope(self, point: Point, expected: Expected) -> Floats:
        """Return the partial derivative with respect to each cell (Mitchell, equation 6.25)."""
        total = expected.counts + self.alpha
        return np.where(point.tables > 0, total / np.where(point.tables > 0, point.tables, 1.0), 0.0)

    def normalised(self, counts: Floats, before: Floats | float = 0.0) -> Floats:
        """Normalise counts per table row; empty rows keep their previous values."""
        sums = np.bincount(self.row, counts)[self.row]
        return np.where(sums > 0, counts / np.where(sums > 0, sums, 1.0), before)

    # --- starts

    def at(self, network: BeliefNetwork) -> Point:
        """Return the parameters of a network with the same nodes and arcs."""
        tables = np.concatenate(
            [
                network.conditionals[node].table(shape[:-1]).reshape(-1)
                for node, shape in enumerate(map(self.expectation.factors.shape, range(len(network.parents))))
            ]
        )
        compact = {k: network.conditionals[k] for k in self.compact_nodes}
        return Point(tables, compact)

    def guess(self) -> Point:
        """Return the estimate from complete families, with one extra pseudo-count per cell."""
        tables = self.normalised(self.expectation.known + np.maximum(self.alpha, 1.0))
        return self._fitted(tables)

    def chance(self, rng: np.random.Generator, hidden: Sequence[int] = ()) -> Point:
        """Return random tables; with hidden nodes, only their families are random and the others are
        estimated.
        """
        drawn = self.normalised(rng.standard_exponential(len(self.row)) + 1e-9)
        if hidden:
            guess = self.guess().tables
            for node, above in enumerate(self.families.parents):
                if not {node, *above} & set(hidden):
                    drawn[self.cells(node)] = guess[self.cells(node)]
        return self._fitted(drawn)

    def _fitted(self, tables: Floats) -> Point:
        """Return parameters near the given tables; nodes without a table get the best-fitting distribution of
        their kind.
        """
        compact = {}
        for node in self.compact_nodes:
            shape = self.expectation.factors.shape(node)
            counts = 10.0 * tables[self.cells(node)].reshape(shape)
            compact[node] = self.families.conditional(node, counts, self.prior)
            tables[self.cells(node)] = compact[node].table(shape[:-1]).reshape(-1)
        return Point(tables, compact)

    @cached_property
    def compact_nodes(self) -> list[int]:
        """Nodes without a table."""
        return [node for node, kind in enumerate(self.families.kinds) if kind != TABLE]

    def network(self, point: Point, name: str = "") -> BeliefNetwork:
        """Return the network with the given parameters."""
        shapes = map(self.expectation.factors.shape, range(len(self.families.parents)))
        conditionals = [
            point.compact.get(node) or ConditionalTable(point.tables[self.cells(node)].reshape(shape))
            for node, shape in enumerate(shapes)
        ]
        return BeliefNetwork(self.families.schema, self.families.parents, tuple(conditionals), name)


def em(hill: Hill, starts: Sequence[Point], tolerance: float, max_iter: int) -> Maximised[Point]:
    """Run EM: alternate expected counts and their normalisation (AIMA 20.3)."""
    monotone = not (isinstance(hill.expectation, Approximation) and hill.expectation.method == LOOPY)
    return maximise(
        starts,
        hill.expected,
        hill.best,
        hill.objective,
        tolerance=tolerance,
        max_iter=max_iter,
        monotone=monotone,
    )


def gradient_ascent(
    hill: Hill, starts: Sequence[Point], rate: float, tolerance: float, max_iter: int
) -> Maximised[Point]:
    """Run gradient ascent, normalising each row after every step (Mitchell 6.11.5).

    A step that lowers the objective is retried at half the step size, which is then kept.
    """
    runs: list[tuple[Point, list[float], bool]] = []
    done: list[float] = []
    with interruptible(done, "iterations"):
        for number, point in enumerate(starts):
            expected = hill.expected(point)
            course, step, converged = [hill.objective(point, expected)], rate, False
            runs.append((point, course, False))
            for iteration in range(max_iter):
                for _ in range(HALVINGS):
                    tables = hill.normalised(point.tables + step * hill.slope(point, expected), point.tables)
                    trial = Point(tables, point.compact)
                    found = hill.expected(trial)
                    value = hill.objective(trial, found)
                    if value >= course[-1]:
                        break
                    step /= 2
                else:
                    converged = True
                    break
                converged = value - course[-1] <= tolerance * max(1.0, abs(value))
                point, expected = trial, found
                course.append(value)
                done.append(value)
                runs[-1] = point, course, converged
                if active("gradient"):
                    emit("gradient", start=number, iteration=iteration + 1, objective=value, rate=step)
                report((number + iteration / max_iter) / len(starts))
                if converged:
                    break
            runs[-1] = point, course, converged
            if step < rate:
                note(f"learning_rate {rate:g} was too large and was halved to {step:g}")
    finals = tuple(course[-1] for _, course, _ in runs)
    best = first_largest(finals)
    point, course, converged = runs[best]
    return Maximised(point, tuple(course), converged, best, finals)


def polished(hill: Hill, found: Maximised[Point], max_iter: int) -> Maximised[Point]:
    """Return the optimum that EM approaches, found by L-BFGS on the log probabilities of the cells.

    EM slows down near the optimum if much is missing; L-BFGS needs few steps there.
    """
    from scipy.optimize import minimize

    start = found.hypothesis
    fixed = np.zeros(len(start.tables), np.bool_)
    for node in start.compact:
        fixed[hill.cells(node)] = True
    course: list[float] = list(found.objective)

    def point_at(z: Floats) -> Point:
        tables = hill.normalised(np.exp(np.clip(z, -700.0, 700.0)), start.tables)
        return Point(np.where(fixed, start.tables, tables), start.compact)

    def loss(z: Floats) -> tuple[float, Floats]:
        point = point_at(z)
        expected = hill.expected(point)
        total = expected.counts + hill.alpha
        slope = total - np.bincount(hill.row, total)[hill.row] * point.tables
        value = hill.objective(point, expected)
        if math.isfinite(value):
            course.append(max(value, course[-1]))
        return -value, np.where(fixed, 0.0, -slope)

    with np.errstate(divide="ignore"):
        z = np.maximum(np.log(start.tables), -700.0)
    options = {"maxiter": max_iter, "ftol": 1e-15, "gtol": 1e-9}
    result = minimize(loss, z, jac=True, method="L-BFGS-B", options=options)
    if not -result.fun >= found.objective[-1]:
        return found
    finals = tuple(-float(result.fun) if k == found.start else final for k, final in enumerate(found.finals))
    return replace(
        found, hypothesis=point_at(result.x), objective=tuple(course), converged=True, finals=finals
    )
