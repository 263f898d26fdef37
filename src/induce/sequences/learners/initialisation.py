"""Initialisation of Baum-Welch: an initial state for each step, and the resulting parameters."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from induce.sequences.parameters import Floats, MarkovParameters, constants
from induce.sequences.sequences import Steps

MOST_ROWS = 10_000
"""Maximum number of rows used for clustering."""
ONE_SEED = 2**31 - 1


def starting_point(
    steps: Steps,
    sizes: Sequence[int],
    n_components: int,
    first: NDArray[np.bool_],
    allowed: NDArray[np.bool_],
    least_variances: Floats,
    rng: np.random.Generator,
) -> MarkovParameters:
    """Return random initial parameters.

    States with labelled steps start from these steps. Otherwise numeric columns are clustered; in a
    left-to-right model, every sequence is cut into equal parts; nominal values get random probabilities.

    Parameters
    ----------
    steps : Steps
    sizes : sequence of int
        Number of values of each nominal column.
    n_components : int
        Number of Gaussians per state.
    first : array of bool
        Mask of the permitted initial states.
    allowed : array of bool, shape (states, states)
        Mask of the permitted transitions.
    least_variances : array of float64
    rng : Generator
    """
    n_states = len(first)
    guess = _guess(steps, n_states, bool((allowed == np.triu(allowed)).all()), rng)
    informed = bool(steps.numbers.shape[1]) or guess is not None
    if guess is None:
        guess = rng.integers(0, n_states, len(steps)).astype(np.int64)
    guess = np.where(steps.labels >= 0, steps.labels, guess)
    labelled = np.bincount(steps.labels[steps.labels >= 0], minlength=n_states) > 0
    # where the initial states give no information, probabilities are random: identical states would remain
    # identical
    shape = np.where(labelled, 1e4, 20.0 if informed else 1.0)[:, np.newaxis]
    tables = []
    for column, size in enumerate(sizes):
        codes = steps.codes[:, column]
        counts = np.ones((n_states, size))
        np.add.at(counts, (guess[codes >= 0], codes[codes >= 0]), 1.0)
        tables.append(_normalised(counts * rng.gamma(shape, 1 / shape, counts.shape)))
    pairs = np.ones((n_states, n_states)) + rng.random((n_states, n_states))
    inside = np.ones(len(steps), bool)
    inside[steps.offsets[1:] - 1] = False
    before = np.flatnonzero(inside)
    if informed or labelled.any():
        np.add.at(pairs, (guess[before], guess[before + 1]), 1.0)
    weights, means, variances = _gaussians(steps.numbers, guess, n_states, n_components, least_variances, rng)
    beginnings = np.ones(n_states) + rng.random(n_states)
    return MarkovParameters(
        _normalised((beginnings * first)[np.newaxis])[0],
        _normalised(pairs * allowed),
        tuple(tables),
        weights,
        means,
        variances,
    )


def _guess(steps: Steps, n_states: int, forwards: bool, rng: np.random.Generator) -> NDArray[np.int64] | None:
    """Return an initial state for each step, or None if nothing distinguishes them."""
    if n_states == 1:
        return np.zeros(len(steps), np.int64)
    if forwards:
        lengths = np.diff(steps.offsets)
        place = np.arange(len(steps)) - np.repeat(steps.offsets[:-1], lengths)
        return np.asarray(place * n_states // np.repeat(lengths, lengths), np.int64)
    return _clusters(steps, n_states, rng) if steps.numbers.shape[1] else None


def _clusters(steps: Steps, n_states: int, rng: np.random.Generator) -> NDArray[np.int64] | None:
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    spread = np.where(np.isnan(constants(steps.numbers)), np.nanstd(steps.numbers, axis=0), 0.0)
    points = (steps.numbers - np.nanmean(steps.numbers, axis=0)) / np.where(spread > 0, spread, 1.0)
    points = np.where(np.isnan(points), 0.0, points)
    some = rng.choice(len(points), MOST_ROWS, replace=False) if len(points) > MOST_ROWS else slice(None)
    if len(points) < n_states:
        return None
    centres = points[rng.choice(len(points), n_states, replace=False)]
    known = steps.labels >= 0
    for state in np.unique(steps.labels[known]).tolist():
        centres[state] = points[steps.labels == state].mean(axis=0)
    search = KMeans(n_states, n_init=1, random_state=int(rng.integers(ONE_SEED)))
    if known.any():
        search.set_params(init=centres, max_iter=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = search.fit(points[some]).predict(points)
    return np.asarray(found, np.int64)


def _gaussians(
    numbers: Floats,
    guess: NDArray[np.int64],
    n_states: int,
    n_components: int,
    least_variances: Floats,
    rng: np.random.Generator,
) -> tuple[Floats, Floats, Floats]:
    width = numbers.shape[1]
    means = np.zeros((n_states, n_components, width))
    variances = np.ones((n_states, n_components, width))
    if width:
        overall, spread = np.nanmean(numbers, axis=0), np.maximum(np.nanvar(numbers, axis=0), least_variances)
        for state in range(n_states):
            mine = numbers[guess == state]
            n_known = (~np.isnan(mine)).sum(axis=0)
            own = np.nansum(mine, axis=0) / np.maximum(n_known, 1)
            own = np.where(n_known > 0, own, overall + np.sqrt(spread) * rng.normal(size=width))
            apart = np.nansum((mine - own) ** 2, axis=0) / np.maximum(n_known, 1)
            variances[state] = np.maximum(np.where(n_known > 1, apart, spread), least_variances)
            means[state] = own
            if n_components > 1 and len(mine):
                chosen = mine[rng.choice(len(mine), n_components, replace=len(mine) < n_components)]
                means[state] = np.where(np.isnan(chosen), own, chosen)
    weights = _normalised(1 + 0.1 * rng.random((n_states, n_components)))
    return weights, means, variances


def _normalised(counts: Floats) -> Floats:
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))
