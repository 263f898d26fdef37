"""Gibbs sampling: draw one node at a time given all others (AIMA 14.5.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from induce.belief_networks.conditionals.base import chosen
from induce.belief_networks.factors import Factors, Floats, Ints
from induce.belief_networks.inference.answers import Answer
from induce.belief_networks.inference.evidence import Evidence
from induce.belief_networks.inference.sampling import BATCH, MOST_IN_VAIN, weighted_samples
from induce.belief_networks.representation import Representation
from induce.core.errors import InputError
from induce.core.notes import note

CHAINS = 200
"""Number of parallel chains; the spread of their means estimates the precision of the answer."""
SWEEPS = 50
"""Number of sweeps between two convergence checks; the first ones are burn-in."""
MOST_SWEEPS = 5000
CONVERGED = 1.05
"""Convergence limit of R-hat (potential scale reduction) of the chains."""


def gibbs_ask(
    network: Representation,
    factors: Factors,
    evidence: Evidence,
    targets: Sequence[int],
    precision: float,
    rng: np.random.Generator,
) -> Answer:
    """Estimate the probabilities of nominal targets by Gibbs sampling until precise enough.

    Parameters
    ----------
    network : Representation
    factors : Factors
        Factors of the network and of virtual evidence.
    evidence : Evidence
    targets : sequence of int
    precision : float
        Maximum standard error at which sampling ends, if the chains have converged.
    rng : Generator
    """
    if not network.is_nominal:
        raise InputError("Gibbs sampling needs nominal nodes; use method='likelihood-weighting'")
    columns = tuple(network.schema.columns[k] for k in targets)
    shape = tuple(len(column.domain) for column in columns)
    chains = _Chains(factors, _starts(network, evidence, rng), np.flatnonzero(evidence.codes < 0))
    seen = np.zeros((CHAINS, int(np.prod(shape))))
    own, n = np.arange(CHAINS), -SWEEPS
    while True:
        for _ in range(SWEEPS):
            chains.sweep(rng)
            if n >= 0:
                seen[own, np.ravel_multi_index(tuple(chains.states[:, list(targets)].T), shape)] += 1
        n += SWEEPS
        if n == 0:
            continue
        shares, errors, r_hat = _judged(seen / n)
        if errors.max() <= precision and r_hat <= CONVERGED:
            break
        if n >= MOST_SWEEPS:
            note(
                f"after {n:,} sweeps of {CHAINS} chains the standard error is {errors.max():.2g} and "
                f"R-hat {r_hat:.3g}; chains that do not mix give misleading answers"
            )
            break
    effective = float(min((np.maximum(shares * (1 - shares), 1e-12) / errors**2).min(), n * CHAINS))
    return Answer(
        columns, shares.reshape(shape), "gibbs", errors.reshape(shape), n * CHAINS, effective, r_hat
    )


class _Chains:
    """Chains with the states of all variables, updated sweep by sweep.

    `_at` holds the index of each factor's entry for the current state, one column per factor.
    """

    def __init__(self, factors: Factors, states: Ints, hidden: Ints) -> None:
        self.states, self._factors = states, factors
        owners = np.repeat(np.arange(len(factors)), np.diff(factors.starts))
        self._at = np.tile(factors.offsets[:-1], (len(states), 1))
        for owner, variable, stride in zip(owners, factors.scopes, factors.strides, strict=True):
            self._at[:, owner] += stride * states[:, variable]
        self._around = [
            (int(v), owners[factors.scopes == v], factors.strides[factors.scopes == v]) for v in hidden
        ]

    def sweep(self, rng: np.random.Generator) -> None:
        """Draw each hidden variable given its Markov blanket."""
        for variable, owners, strides in self._around:
            base = self._at[:, owners] - strides * self.states[:, variable, None]
            values = np.arange(self._factors.sizes[variable])
            chances = self._factors.tables[base[:, :, None] + strides[:, None] * values].prod(axis=1)
            self.states[:, variable] = chosen(chances, rng)
            self._at[:, owners] = base + strides * self.states[:, variable, None]


def _starts(network: Representation, evidence: Evidence, rng: np.random.Generator) -> Ints:
    """Draw a possible initial state for each chain by likelihood weighting."""
    everything = range(len(network.nodes))
    for _ in range(MOST_IN_VAIN // BATCH):
        values, logs = weighted_samples(network, evidence, everything, BATCH, rng)
        if logs.max() > -np.inf:
            weights = np.exp(logs - logs.max())
            rows = rng.choice(BATCH, CHAINS, p=weights / weights.sum())
            return np.column_stack([each[rows] for each in values]).astype(np.int64)
    raise InputError(
        "no state consistent with the evidence was found; it is impossible, or too rare for an initial state"
    )


def _judged(means: Floats) -> tuple[Floats, Floats, float]:
    """Return the state probabilities from the chain means, their standard errors and the largest R-hat."""
    shares = means.mean(axis=0)
    between = means.var(axis=0, ddof=1)
    within = (means * (1 - means)).mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        r_hat = np.sqrt(np.where(between > 0, 1 + between / within, 1.0))
    errors = np.sqrt(between / len(means))
    return shares, np.maximum(errors, 1 / (len(means) ** 2 + 2)), float(r_hat.max())
