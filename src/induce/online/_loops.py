"""Hot loops for voting experts and for Winnow; each call runs one block of rounds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import inner, loop

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TIE = 1e-12
"""Relative difference that reordering can cause in sums of the same weights."""
VANISHING = 2.0**-500
"""Total weight below which all weights are rescaled relative to the best expert."""
SMALLEST = 2.0**-1000


@inner
def _renew(total: Ints, base: Ints, beta: float, weights: Floats) -> None:
    """Set the weights from the mistakes in excess of the best expert, whose weight becomes 1."""
    least = (total - base).min()
    for i in range(len(total)):
        weights[i] = beta ** float(total[i] - base[i] - least)


@inner
def _judge(
    codes: NDArray[np.uint8], t: int, truth: int, beta: float, total: Ints, weights: Floats, leader: int
) -> int:
    """Count the mistakes of a round, lower the weights of experts that erred, and return the best expert."""
    # without branches, which would be mispredicted half of the time
    for i in range(codes.shape[1]):
        wrong = codes[t, i] != truth
        total[i] += wrong
        weight = weights[i] * (beta if wrong else 1.0)
        # arithmetic on denormal numbers would be slow
        weights[i] = weight if weight > SMALLEST else 0.0
    return int(total.argmin()) if codes[t, leader] != truth else leader


@inner
def _count(codes: NDArray[np.uint8], t: int, weights: Floats, votes: Floats) -> None:
    """Sum the weights for each class."""
    votes[:] = 0.0
    if len(votes) == 2:
        everyone = 0.0
        second = 0.0
        for i in range(codes.shape[1]):
            second += weights[i] * codes[t, i]
            everyone += weights[i]
        votes[0], votes[1] = everyone - second, second
    else:
        for i in range(codes.shape[1]):
            votes[codes[t, i]] += weights[i]


@inner
def _divide(codes: NDArray[np.uint8], t: int, truth: int, weights: Floats) -> tuple[float, float]:
    """Return the total weight and the weight of the experts that err."""
    everyone = 0.0
    wrong = 0.0
    for i in range(codes.shape[1]):
        everyone += weights[i]
        wrong += weights[i] * (codes[t, i] != truth)
    return everyone, wrong


@loop
def vote(
    codes: NDArray[np.uint8],
    truth: Ints,
    uniform: Floats,
    at_random: bool,
    beta: float,
    base: Ints,
    total: Ints,
    weights: Floats,
    n_classes: int,
    predicted: Ints,
    best: Ints,
) -> None:
    """Predict the class of the largest weight, see the true class, and lower the weights of wrong experts.

    `base` holds the number of mistakes of each expert when all weights were last equal.
    """
    votes = np.empty(n_classes)
    leader = int(total.argmin())
    for t in range(len(truth)):
        _count(codes, t, weights, votes)
        everyone = 0.0
        for c in range(n_classes):
            everyone += votes[c]
        # All weights have become small, but only their ratios matter, and these follow from the mistakes.
        if everyone < VANISHING:
            _renew(total, base, beta, weights)
            _count(codes, t, weights, votes)
        largest = votes.max() * (1 - TIE)
        n_tied = 0
        for c in range(n_classes):
            n_tied += votes[c] >= largest
        skip = int(uniform[t] * n_tied) if at_random else 0
        for c in range(n_classes):
            if votes[c] >= largest:
                if skip == 0:
                    predicted[t] = c
                    break
                skip -= 1
        leader = _judge(codes, t, truth[t], beta, total, weights, leader)
        best[t] = total[leader]


@loop
def follow(
    codes: NDArray[np.uint8],
    truth: Ints,
    uniform: Floats,
    beta: float,
    base: Ints,
    total: Ints,
    weights: Floats,
    predicted: Ints,
    best: Ints,
    chance: Floats,
) -> None:
    """Predict as an expert drawn by weight, and store the probability of a mistake."""
    leader = int(total.argmin())
    for t in range(len(truth)):
        everyone, wrong = _divide(codes, t, truth[t], weights)
        if everyone < VANISHING:
            _renew(total, base, beta, weights)
            everyone, wrong = _divide(codes, t, truth[t], weights)
        chance[t] = wrong / everyone
        place = uniform[t] * everyone
        so_far = 0.0
        chosen = leader
        for i in range(codes.shape[1]):
            so_far += weights[i]
            if so_far > place:
                chosen = i
                break
        predicted[t] = codes[t, chosen]
        leader = _judge(codes, t, truth[t], beta, total, weights, leader)
        best[t] = total[leader]


@loop
def winnow(
    active: NDArray[np.int32],
    truth: Ints,
    weights: Floats,
    alpha: float,
    threshold: float,
    eliminate: bool,
    predicted: Ints,
) -> None:
    """Predict by the sums of active indicators' weights, and promote or demote these after a mistake.

    Row t of `active` holds the indicators that are true for row t, or -1. With two classes, there is a single
    row of weights, for the second class against the first; otherwise each class has its own.
    """
    n_units = len(weights)
    sums = np.empty(n_units)
    for t in range(len(truth)):
        for unit in range(n_units):
            total = 0.0
            for j in range(active.shape[1]):
                if active[t, j] >= 0:
                    total += weights[unit, active[t, j]]
            sums[unit] = total
        if n_units == 1:
            predicted[t] = 1 if sums[0] >= threshold else 0
        else:
            predicted[t] = sums.argmax()
        for unit in range(n_units):
            wanted = truth[t] == (1 if n_units == 1 else unit)
            # Littlestone 1988: weights change only after a mistake, and only those of active indicators, by
            # factors.
            if wanted == (sums[unit] >= threshold):
                continue
            factor = alpha if wanted else (0.0 if eliminate else 1 / alpha)
            for j in range(active.shape[1]):
                if active[t, j] >= 0:
                    weights[unit, active[t, j]] *= factor
