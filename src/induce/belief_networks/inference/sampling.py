"""Rejection sampling and likelihood weighting, until precise enough (AIMA 14.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from induce.belief_networks.conditionals.base import Values
from induce.belief_networks.factors import Floats
from induce.belief_networks.inference.answers import Answer, NumberAnswer
from induce.belief_networks.inference.evidence import Evidence
from induce.belief_networks.representation import Representation
from induce.core.errors import InputError
from induce.core.interrupts import interruptible
from induce.core.notes import note

BATCH = 10_000
MOST_SAMPLES = 5_000_000
MOST_IN_VAIN = 500_000
"""Number of consecutive rejections after which sampling is abandoned."""


def weighted_samples(
    network: Representation, evidence: Evidence, targets: Sequence[int], n: int, rng: np.random.Generator
) -> tuple[list[Values], Floats]:
    """Return samples with the observed nodes fixed, and their log weights (likelihood weighting).

    Only nodes relevant to the evidence or the targets are drawn; the others stay empty.
    """
    matter = network.graph.ancestors([*evidence.touched(), *targets])
    values: list[Values] = [np.empty(0)] * len(network.nodes)
    logs = np.zeros(n)
    for node in network.graph.order:
        if node not in matter:
            continue
        parents, conditional = [values[k] for k in network.parents[node]], network.conditionals[node]
        if evidence.codes[node] >= 0:
            values[node] = np.full(n, int(evidence.codes[node]))
        elif evidence.observed(node):
            values[node] = np.full(n, evidence.numbers[node])
        else:
            values[node] = conditional.sample(parents, n, rng)
        if evidence.observed(node):
            logs += conditional.log_probability(values[node], parents)
        if node in evidence.likelihoods:
            with np.errstate(divide="ignore"):
                logs += np.log(evidence.likelihoods[node])[values[node]]
    return values, logs


def accepted_samples(
    network: Representation, evidence: Evidence, targets: Sequence[int], n: int, rng: np.random.Generator
) -> tuple[list[Values], Floats]:
    """Return samples of the network, with log weight 0 for those that match the evidence (rejection)."""
    values, logs = weighted_samples(network, Evidence.none(network), [*evidence.touched(), *targets], n, rng)
    agrees = np.ones(n, np.bool_)
    for node in evidence.touched():
        if evidence.codes[node] >= 0:
            agrees &= values[node] == evidence.codes[node]
        elif node in evidence.likelihoods:
            likelihood = evidence.likelihoods[node]
            agrees &= rng.random(n) < likelihood[values[node]] / likelihood.max()
        else:
            name = network.nodes[node]
            raise InputError(
                f"no sample has exactly the observed value of {name!r}; use method='likelihood-weighting'"
            )
    return values, np.where(agrees, logs, -np.inf)


SAMPLERS = {"likelihood-weighting": weighted_samples, "rejection": accepted_samples}


@dataclass
class _Sums:
    """Sums of weights and squared weights of the observed states, relative to the largest weight."""

    states: int
    greatest: float = -np.inf
    weights: Floats = field(init=False)
    squares: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.weights, self.squares = np.zeros(self.states), np.zeros(self.states)

    def add(self, seen: Values, logs: Floats) -> None:
        top = float(logs.max())
        if top > self.greatest:
            shrunk = np.exp(self.greatest - top)
            self.weights *= shrunk
            self.squares *= shrunk**2
            self.greatest = top
        if self.greatest > -np.inf:
            weights = np.exp(logs - self.greatest)
            self.weights += np.bincount(seen, weights, self.states)
            self.squares += np.bincount(seen, weights**2, self.states)

    @property
    def effective(self) -> float:
        """Effective sample size: the equivalent number of unweighted samples."""
        squares = self.squares.sum()
        return float(self.weights.sum() ** 2 / squares) if squares else 0.0

    def shares(self) -> tuple[Floats, Floats]:
        """State probabilities and their standard errors, with a lower bound for unseen states."""
        total = self.weights.sum()
        shares = self.weights / total
        variance = (self.squares * (1 - 2 * shares) + shares**2 * self.squares.sum()) / total**2
        return shares, np.maximum(np.sqrt(np.maximum(variance, 0.0)), 1 / (self.effective + 2))


def sampled(
    network: Representation,
    evidence: Evidence,
    targets: Sequence[int],
    method: str,
    precision: float,
    rng: np.random.Generator,
) -> Answer:
    """Estimate the probabilities of nominal targets by sampling until precise enough.

    Parameters
    ----------
    network : BeliefNetwork
    evidence : Evidence
    targets : sequence of int
    method : {"likelihood-weighting", "rejection"}
    precision : float
        Maximum standard error at which sampling ends.
    rng : Generator
    """
    columns = tuple(network.schema.columns[k] for k in targets)
    shape = tuple(len(column.domain) for column in columns)
    sums, n = _Sums(int(np.prod(shape))), 0
    counted: list[int] = []
    with interruptible(counted, "batches of samples"):
        while n < MOST_SAMPLES:
            values, logs = SAMPLERS[method](network, evidence, targets, BATCH, rng)
            sums.add(np.ravel_multi_index([values[k] for k in targets], shape), logs)
            n += BATCH
            counted.append(n)
            if sums.effective and sums.shares()[1].max() <= precision:
                break
            if n >= MOST_IN_VAIN and not sums.effective:
                raise InputError(
                    f"none of {n:,} samples agrees with the evidence; it is impossible, or too rare for {method}"
                )
        else:
            note(f"after {n:,} samples the standard error is still {sums.shares()[1].max():.2g}")
    shares, errors = sums.shares()
    return Answer(columns, shares.reshape(shape), method, errors.reshape(shape), n, sums.effective)


def sampled_number(
    network: Representation, evidence: Evidence, target: int, precision: float, rng: np.random.Generator
) -> NumberAnswer:
    """Estimate the distribution of a numeric node by likelihood weighting.

    Sampling ends when the standard error of the mean is at most `precision` standard deviations.
    """
    parts: list[tuple[Values, Floats]] = []
    while True:
        values, logs = weighted_samples(network, evidence, [target], BATCH, rng)
        parts.append((values[target], logs))
        numbers, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
        if not np.isfinite(weights.max()):
            raise InputError(
                "the evidence is impossible, or too rare for likelihood-weighting; use method='exact'"
            )
        shares = np.exp(weights - weights.max())
        shares /= shares.sum()
        answer = NumberAnswer(network.nodes[target], shares, numbers, np.zeros(len(numbers)))
        error = float(np.sqrt((shares**2 * (numbers - answer.mean) ** 2).sum()))
        if error <= precision * max(answer.sd, 1e-300) or len(numbers) >= MOST_SAMPLES:
            return replace(
                answer,
                method="likelihood-weighting",
                standard_error=error,
                unit=network.schema.columns[target].counted,
            )
