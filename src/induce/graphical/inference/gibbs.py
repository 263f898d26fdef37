"""Gibbs sampling: draw one node after the other, given all others (AIMA 14.5.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from induce.core.errors import InputError
from induce.core.loops import sized
from induce.core.notes import note
from induce.graphical.factors import Factors, Floats, Ints
from induce.graphical.inference._gibbs_loops import sweeps
from induce.graphical.inference.answers import Answer
from induce.graphical.inference.evidence import Evidence
from induce.graphical.inference.sampling import BATCH, MOST_IN_VAIN, weighted_samples
from induce.graphical.representation import Representation

CHAINS = 4
SWEEPS = 1000
"""Sweeps of a chain between two looks at the precision; the first are not counted."""
MOST_SWEEPS = 250_000
BATCHES = 20
CONVERGED = 1.05
"""The chains agree if the scale reduction R-hat is no greater."""


def gibbs_ask(
    network: Representation,
    factors: Factors,
    evidence: Evidence,
    targets: Sequence[int],
    precision: float,
    rng: np.random.Generator,
) -> Answer:
    """Return the probabilities of nominal targets, from chains that run until they are precise enough.

    Parameters
    ----------
    network : BeliefNetwork
    factors : Factors
        Those of the network and of virtual evidence.
    evidence : Evidence
    targets : sequence of int
    precision : float
        Sampling ends when no standard error, by the means of batches, is greater and the chains agree.
    rng : Generator
    """
    if not network.is_nominal:
        raise InputError("Gibbs sampling needs nominal nodes; ask with method='likelihood-weighting'")
    columns = tuple(network.schema.columns[k] for k in targets)
    shape = tuple(len(column.domain) for column in columns)
    chains = [_Chain(factors, state, evidence, targets) for state in _starts(network, evidence, rng)]
    for chain in chains:
        chain.run(SWEEPS, rng)
    seen: list[list[Ints]] = [[] for _ in chains]
    while True:
        for chain, own in zip(chains, seen, strict=True):
            own.append(chain.run(SWEEPS, rng))
        states = np.array([np.concatenate(own) for own in seen])
        shares, errors, r_hat = _judged(states, int(np.prod(shape)))
        if errors.max() <= precision and r_hat <= CONVERGED:
            break
        if states.shape[1] >= MOST_SWEEPS:
            note(
                f"after {states.size:,} sweeps the standard error is {errors.max():.2g} and R-hat {r_hat:.3g}; "
                "chains that cannot reach each other's states mislead"
            )
            break
    spread = np.maximum(shares * (1 - shares), 1e-12)
    effective = float(min((spread / errors**2).min(), states.size))
    return Answer(
        columns, shares.reshape(shape), "gibbs", errors.reshape(shape), states.size, effective, r_hat
    )


class _Chain:
    """A state of all variables that changes sweep by sweep."""

    def __init__(self, factors: Factors, state: Ints, evidence: Evidence, targets: Sequence[int]) -> None:
        self._factors, self._state = factors, state
        self._hidden = np.flatnonzero(evidence.codes < 0)
        owners = np.repeat(np.arange(len(factors)), np.diff(factors.starts))
        order = np.argsort(factors.scopes, kind="stable")
        counts = np.bincount(factors.scopes, minlength=len(factors.sizes))
        self._starts = np.concatenate([[0], np.cumsum(counts)])
        self._in, self._strides = owners[order], factors.strides[order]
        self._at = factors.offsets[:-1] + np.bincount(
            owners, factors.strides * state[factors.scopes], len(factors)
        ).astype(np.int64)
        self._weights = np.zeros(len(state), np.int64)
        self._weights[list(targets)] = np.cumprod([1, *factors.sizes[list(targets)][:0:-1]])[::-1]

    def run(self, n: int, rng: np.random.Generator) -> Ints:
        """Return the state of the targets after each of `n` sweeps."""
        seen = np.zeros(n, np.int64)
        loop = sized(sweeps, 8 * n * len(self._in))
        loop(
            self._factors.sizes,
            self._factors.tables,
            self._hidden,
            self._starts,
            self._in,
            self._strides,
            self._state,
            self._at,
            rng.random((n, len(self._hidden))),
            self._weights,
            seen,
        )
        return seen


def _starts(network: Representation, evidence: Evidence, rng: np.random.Generator) -> list[Ints]:
    """Return a possible state for each chain to start from."""
    found: list[Ints] = []
    everything = range(len(network.nodes))
    for _ in range(MOST_IN_VAIN // BATCH):
        values, logs = weighted_samples(network, evidence, everything, BATCH, rng)
        table = np.column_stack(values)
        found += [table[k].astype(np.int64) for k in np.flatnonzero(logs > -np.inf)[: CHAINS - len(found)]]
        if len(found) == CHAINS:
            return found
    raise InputError(
        "no state was found that agrees with the evidence; it is impossible, or too rare to start from"
    )


def _judged(states: Ints, n_states: int) -> tuple[Floats, Floats, float]:
    """Return the shares of the states, their standard errors by the means of batches, and the greatest R-hat."""
    length = states.shape[1] // BATCHES
    batches = states[:, : length * BATCHES].reshape(-1, length)
    counts = np.array([np.bincount(batch, minlength=n_states) for batch in batches]) / length
    errors = counts.std(axis=0, ddof=1) / np.sqrt(len(counts))
    chains = counts.reshape(CHAINS, BATCHES, n_states).mean(axis=1)
    shares = chains.mean(axis=0)
    within = (chains * (1 - chains)).mean(axis=0)
    between = chains.var(axis=0, ddof=1)
    moving = within > 0
    r_hat = float(np.sqrt(1 + between[moving] / within[moving]).max()) if moving.any() else 1.0
    if not moving.all() and between[~moving].any():
        r_hat = np.inf
    return shares, np.maximum(errors, 1 / (states.size + 2)), r_hat
