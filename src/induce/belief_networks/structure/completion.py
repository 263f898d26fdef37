"""Completion of incomplete rows: every completion, weighted by its probability (E step of structural EM)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks import _gibbs_loops
from induce.belief_networks.cases import Cases
from induce.belief_networks.conditionals.base import Floats
from induce.belief_networks.factors import Ints, ends
from induce.belief_networks.representation import Representation
from induce.core.loops import sized

MOST_WAYS = 256
"""Maximum number of completions of a row that are enumerated; other rows are sampled."""
MOST_ROWS = 1_000_000
DRAWS, SWEEPS = 8, 20
LEAST = 1e-12


def completions(network: Representation, cases: Cases, rng: np.random.Generator) -> tuple[Cases, Ints]:
    """Return completed rows in place of incomplete ones, and the original row of each.

    A row with few completions is replaced by all of them, weighted by their probabilities, so that the counts
    of every family are the expected ones. Other rows are completed by Gibbs sampling.

    Examples
    --------
    >>> from induce.belief_networks.library import textbook_network
    >>> sprinkler = textbook_network("sprinkler")
    >>> cases = Cases.of(sprinkler.schema, np.array([[-1, 0, 1, 1]], np.int32))
    >>> found, _ = completions(sprinkler, cases, np.random.default_rng(0))
    >>> found.codes[:, 0].tolist(), found.weights.round(4).tolist()
    ([0, 1], [0.122, 0.878])
    """
    open_cells = cases.codes < 0
    ways = np.where(open_cells, cases.sizes.astype(float), 1.0).prod(axis=1)
    most = min(MOST_WAYS, max(2, MOST_ROWS // max(len(cases), 1)))
    few = np.flatnonzero(ways <= most)
    codes, origin = _filled(cases.codes, cases.sizes, few, open_cells)
    logs = _log_joint(network, codes)
    # Probabilities of the completions of one row: exponentials relative to the most probable one cannot all
    # underflow.
    top = np.full(len(cases), -np.inf)
    np.maximum.at(top, origin, logs)
    shares = np.exp(logs - np.where(np.isfinite(top), top, 0.0)[origin])
    sums = np.bincount(origin, shares, len(cases))[origin]
    weights = cases.weights[origin] * np.divide(shares, sums, out=np.zeros_like(shares), where=sums > 0)
    many = np.flatnonzero(ways > most)
    if len(many):
        drawn = _drawn(network, cases, many, rng)
        codes = np.concatenate([codes, drawn])
        origin = np.concatenate([origin, np.tile(many, DRAWS)])
        weights = np.concatenate([weights, np.tile(cases.weights[many] / DRAWS, DRAWS)])
    kept = weights > 1e-9 * weights.max(initial=0.0)
    order = np.flatnonzero(kept)
    numbers = cases.numbers[origin[order]]
    return Cases.of(cases.schema, codes[order], numbers, weights[order], cases.target), origin[order]


def _filled(
    codes: NDArray[np.int32], sizes: Ints, rows: Ints, open_cells: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], Ints]:
    """Return all completions of the given rows, and the original row of each."""
    if not len(rows):
        return codes[:0], rows
    patterns, which = np.unique(open_cells[rows], axis=0, return_inverse=True)
    found, origin = [], []
    for number, pattern in enumerate(patterns):
        mine = rows[which.ravel() == number]
        cells = np.flatnonzero(pattern)
        n_ways = int(sizes[cells].prod())
        ways = np.indices(tuple(sizes[cells])).reshape(len(cells), n_ways).T
        full = np.repeat(codes[mine], len(ways), axis=0)
        if len(cells):
            full[:, cells] = np.tile(ways, (len(mine), 1))
        found.append(full)
        origin.append(np.repeat(mine, len(ways)))
    return np.concatenate(found), np.concatenate(origin)


def _log_joint(network: Representation, codes: NDArray[np.int32]) -> Floats:
    total = np.zeros(len(codes))
    for node, conditional in enumerate(network.conditionals):
        above = [codes[:, k] for k in network.parents[node]]
        total += np.maximum(conditional.log_probability(codes[:, node], above), -700.0)
    return total


def _drawn(network: Representation, cases: Cases, rows: Ints, rng: np.random.Generator) -> NDArray[np.int32]:
    """Return several random completions of the given rows, conditional on their observed values."""
    factors = network.factors
    codes = np.ascontiguousarray(np.tile(cases.codes[rows], (DRAWS, 1)))
    places, variables = np.nonzero(codes < 0)
    codes[places, variables] = (rng.random(len(places)) * factors.sizes[variables]).astype(np.int32)
    by_variable = np.argsort(factors.scopes, kind="stable")
    owners = np.repeat(np.arange(len(factors)), np.diff(factors.starts))[by_variable]
    begins = ends(np.bincount(factors.scopes, minlength=len(factors.sizes)))
    sweep = sized(_gibbs_loops.sweep, 100.0 * len(places) * SWEEPS)
    counts = np.zeros(len(factors.tables))
    for _ in range(SWEEPS):
        sweep(
            codes,
            places.astype(np.int64),
            variables.astype(np.int64),
            np.zeros(len(codes)),
            rng.random(len(places)),
            *(factors.sizes, factors.starts, factors.scopes, factors.strides, factors.offsets),
            *(begins, owners, factors.strides[by_variable]),
            np.maximum(factors.tables, LEAST),
            counts,
        )
    return codes
