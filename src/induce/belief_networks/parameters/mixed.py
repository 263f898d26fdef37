"""EM for networks with numeric nodes, whose values or nominal parents may be missing.

Given the states of the nominal nodes, the numeric ones are jointly normal; the expected statistics of a
family follow from their means and covariances (Lauritzen 1995).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from induce.belief_networks.cases import Cases
from induce.belief_networks.conditionals.base import Floats
from induce.belief_networks.conditionals.gaussian import GaussianConditional
from induce.belief_networks.conditionals.table import ConditionalTable
from induce.belief_networks.factors import Ints
from induce.belief_networks.network import BeliefNetwork
from induce.belief_networks.parameters.compact import log_prior
from induce.belief_networks.parameters.families import GAUSSIAN, TABLE, Families
from induce.belief_networks.parameters.prior import Prior
from induce.core.errors import InputError
from induce.em.driver import Maximised, maximise

MOST_STATES = 10**5
"""Maximum number of joint states of the missing nominal nodes of a row."""
MOST_ITEMS = 2_000_000
"""Approximate number of values processed at a time."""


class Expected(NamedTuple):
    """Result of an E step: expected statistics of each family, and the log density of the observed values."""

    statistics: list[Floats]
    log: float


def mixed_em(
    families: Families,
    cases: Cases,
    prior: Prior,
    starts: list[BeliefNetwork],
    tolerance: float,
    max_iter: int,
) -> Maximised[BeliefNetwork]:
    """Estimate the parameters of a network with numeric nodes by EM, with missing cells."""
    groups = _patterns(cases)

    def expect(network: BeliefNetwork) -> Expected:
        found, log = _expected(network, families, groups)
        return Expected(found, log)

    def objective(network: BeliefNetwork, expected: Expected) -> float:
        return expected.log + _log_prior(network, families, prior)

    def best(expected: Expected, network: BeliefNetwork) -> BeliefNetwork:
        return families.network(expected.statistics, prior, name=network.name)

    return maximise(starts, expect, best, objective, tolerance=tolerance, max_iter=max_iter)


def expected_statistics(network: BeliefNetwork, families: Families, cases: Cases) -> list[Floats]:
    """Return the expected statistics of the cases under a network, for each family; see
    `Families.statistics`.
    """
    if cases.is_nominal:
        counts, _ = network.tree.expected_counts(cases.codes, cases.weights)
        flat = replace(network.factors, tables=counts)
        return [flat.table(node) for node in range(len(flat))]
    return _expected(network, families, _patterns(cases))[0]


def _patterns(cases: Cases) -> list[Cases]:
    """Return the cases grouped by pattern of missing cells."""
    key = np.ascontiguousarray(np.packbits(cases.known, axis=1))
    _, group = np.unique(key.view(f"V{key.shape[1]}").ravel(), return_inverse=True)
    order = np.argsort(group, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
    step = max(1, MOST_ITEMS // max(len(cases.schema) ** 2, 1))
    return [cases.rows(part[k : k + step]) for part in parts for k in range(0, len(part), step)]


def _expected(network: BeliefNetwork, families: Families, groups: list[Cases]) -> tuple[list[Floats], float]:
    found = [np.zeros_like(each) for each in families.statistics(groups[0])]
    log = 0.0
    for group in groups:
        log += float(group.weights @ _add(network, families, group, group.weights, found))
    return found, log


def _add(
    network: BeliefNetwork, families: Families, cases: Cases, weights: Floats, found: list[Floats]
) -> Floats:
    """Add the expected statistics of rows with the same missing cells to each family; return the rows' log
    densities.

    All states of the missing nominal nodes are enumerated; in each, the numeric nodes are jointly normal.
    """
    states = _states(families, np.flatnonzero(~cases.known[0]))
    items = _items(cases, states, len(families.parents))
    rows = np.repeat(np.arange(len(cases)), len(states.codes))
    means, covariances, logs = _numbers(network, families, items, cases.numbers[rows])
    for node, kind in enumerate(families.kinds):
        if kind != GAUSSIAN:
            above = [items[:, k] for k in families.parents[node]]
            logs += network.conditionals[node].log_probability(items[:, node], above)
    table = logs.reshape(len(cases), -1)
    totals = np.logaddexp.reduce(table, axis=1)
    possible = totals > -math.inf
    shares = (
        np.exp(table - np.where(possible, totals, 0.0)[:, None]) * np.where(possible, weights, 0.0)[:, None]
    )
    _spread(families, items, means, covariances, shares.reshape(-1), found)
    return np.asarray(totals, np.float64)


class _States(NamedTuple):
    """States of the missing nominal nodes, one row each."""

    nodes: list[int]
    codes: Ints


def _states(families: Families, opened: Ints) -> _States:
    nodes = [int(k) for k in opened if families.schema.columns[k].kind == "nominal"]
    sizes = [len(families.schema.columns[k].domain) for k in nodes]
    n = math.prod(sizes)
    if n > MOST_STATES:
        raise InputError(
            f"a row lacks {len(nodes)} nominal values with {n:,} joint states, more than "
            f"{MOST_STATES:,}; fill some in, or use method='counts'"
        )
    return _States(nodes, np.indices(sizes).reshape(len(sizes), n).T)


def _items(cases: Cases, states: _States, n_nodes: int) -> Ints:
    """Return the codes of each row in each state."""
    items = np.repeat(cases.codes.astype(np.int64), len(states.codes), axis=0)
    items[:, states.nodes] = np.tile(states.codes, (len(cases), 1))
    return items


def _numbers(
    network: BeliefNetwork, families: Families, items: Ints, numbers: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return means and covariances of all numeric nodes given the observed ones, and the log density of the
    latter.

    x = b + W x + noise, so the mean is (I - W)⁻¹ b and the covariance (I - W)⁻¹ V (I - W)⁻ᵀ. An observed
    value is its own mean and has variance 0.
    """
    nodes = [k for k, kind in enumerate(families.kinds) if kind == GAUSSIAN]
    place = {node: i for i, node in enumerate(nodes)}
    n, k = len(items), len(nodes)
    b, weights, noise = np.zeros((n, k)), np.zeros((n, k, k)), np.zeros((n, k))
    for node, i in place.items():
        line = network.conditionals[node]
        assert isinstance(line, GaussianConditional)
        state = tuple(items[:, parent] for parent in families.nominal(node))
        b[:, i], noise[:, i] = line.intercepts[state], line.variances[state]
        for j, parent in enumerate(families.numeric(node)):
            weights[:, i, place[parent]] = line.weights[state][..., j]
    through = np.linalg.inv(np.eye(k) - weights)
    means = np.einsum("nij,nj->ni", through, b)
    covariances = np.einsum("nij,nj,nkj->nik", through, noise, through)
    seen = ~np.isnan(numbers[0, nodes]) if n else np.zeros(k, np.bool_)
    if not seen.any():
        return means, covariances, np.zeros(n)
    inner = covariances[:, seen][:, :, seen]
    gaps = numbers[:, nodes][:, seen] - means[:, seen]
    gain = np.linalg.solve(inner, covariances[:, seen])
    squares = np.einsum("ni,ni->n", gaps, np.linalg.solve(inner, gaps[..., None])[..., 0])
    logs = -0.5 * (squares + np.linalg.slogdet(inner)[1] + seen.sum() * math.log(2 * math.pi))
    means = means + np.einsum("nji,nj->ni", gain, gaps)
    covariances = covariances - covariances[:, :, seen] @ gain
    means[:, seen] = numbers[:, nodes][:, seen]
    covariances[:, seen] = 0.0
    covariances[:, :, seen] = 0.0
    return means, covariances, logs


def _spread(
    families: Families, items: Ints, means: Floats, covariances: Floats, shares: Floats, found: list[Floats]
) -> None:
    """Add the weighted statistics of rows and states to each family."""
    nodes = [k for k, kind in enumerate(families.kinds) if kind == GAUSSIAN]
    for node, kind in enumerate(families.kinds):
        if kind != GAUSSIAN:
            np.add.at(found[node], tuple(items[:, k] for k in (*families.parents[node], node)), shares)
            continue
        own = [*families.numeric(node), node]
        at = [nodes.index(k) for k in own]
        units = families.scales[own]
        z = np.concatenate([np.ones((len(items), 1)), families.units(means[:, at], own)], axis=1)
        products = z[:, :, None] * z[:, None, :]
        products[:, 1:, 1:] += covariances[:, at][:, :, at] / np.outer(units, units)
        products *= shares[:, None, None]
        state = tuple(items[:, k] for k in families.nominal(node))
        if state:
            np.add.at(found[node], state, products)
        else:
            found[node] += products.sum(axis=0)


def _log_prior(network: BeliefNetwork, families: Families, prior: Prior) -> float:
    """Return the log prior density of the parameters, up to a constant."""
    log = 0.0
    for node, conditional in enumerate(network.conditionals):
        if isinstance(conditional, GaussianConditional):
            states = conditional.intercepts.size
            strength = prior.strength(families.schema, node, states)
            log += strength * _pseudo_cases(conditional, families, node) if strength else 0.0
        elif families.kinds[node] == TABLE and isinstance(conditional, ConditionalTable):
            alpha = prior.table(families.schema, node, families.parents[node])
            seen = alpha > 0
            log += float(alpha[seen] @ np.log(np.maximum(conditional.probabilities[seen], 1e-300)))
        else:
            log += log_prior(conditional, prior.strength(families.schema, node, 1))
    return log


def _pseudo_cases(line: GaussianConditional, families: Families, node: int) -> float:
    """Return the log density of one pseudo-case in each state of the nominal parents."""
    own, above = families.scales[node], families.numeric(node)
    slopes = line.weights * (families.scales[above] / own)
    middle = (line.intercepts + line.weights @ families.centers[above] - families.centers[node]) / own
    gap = np.concatenate([-middle[..., None], -slopes, np.ones((*middle.shape, 1))], axis=-1)
    squares = np.einsum("...i,ij,...j", gap, families.averages[node], gap)
    variances = line.variances / (own * own)
    return float(-0.5 * (np.log(2 * math.pi * variances * own * own) + squares / variances).sum())
