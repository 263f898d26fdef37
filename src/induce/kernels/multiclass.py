"""Multiclass decisions and probabilities from several separators."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from induce.kernels.inputs import Floats
from induce.kernels.separator import REST, Separator

FEWEST = 1e-7
"""Minimum probability of a side, so that no class is impossible."""


def totals(sides: Sequence[tuple[int, int]], scores: Floats, n_classes: int) -> Floats:
    """Return the score of each class: that against the rest, or its votes plus a fraction of a vote from its scores.

    Parameters
    ----------
    sides : sequence of (int, int)
        Negative and positive class of each separator.
    scores : array of shape (rows, separators)
    n_classes : int

    Examples
    --------
    >>> totals([(0, 1), (0, 2), (1, 2)], np.array([[1.0, -1.0, 2.0]]), 3).round(2).tolist()
    [[1.0, 0.83, 1.17]]
    """
    behind, ahead_of = np.transpose(sides)
    if behind[0] == REST:
        found = np.full((len(scores), n_classes), -np.inf)
        found[:, ahead_of] = scores
        return found
    everyone = np.arange(n_classes)
    negative, positive = (np.equal.outer(side, everyone).astype(np.float64) for side in (behind, ahead_of))
    ahead = (scores >= 0).astype(np.float64)
    votes = ahead @ positive + (1.0 - ahead) @ negative
    sums = scores @ (positive - negative)
    return np.asarray(votes + sums / (3.0 * (np.abs(sums) + 1.0)))


def coupled(separators: Sequence[Separator], sides: Floats, n_classes: int) -> Floats:
    """Return the class probabilities from the probabilities of the positive sides of all separators.

    Pairwise probabilities are coupled as in Wu, Lin and Weng (2004): the result minimises the disagreement with the
    given probability of each pair of classes.

    Parameters
    ----------
    separators : sequence of Separator
    sides : array of shape (rows, separators)
    n_classes : int
    """
    shares = np.zeros((len(sides), n_classes))
    if separators[0].negative == REST:
        for m, separator in enumerate(separators):
            shares[:, separator.positive] = np.maximum(sides[:, m], FEWEST)
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))
    there = sorted({side for each in separators for side in (each.negative, each.positive)})
    if len(there) == 2:
        shares[:, separators[0].positive] = sides[:, 0]
        shares[:, separators[0].negative] = 1.0 - sides[:, 0]
        return shares
    place = {code: i for i, code in enumerate(there)}
    k = len(there)
    wins = np.zeros((len(sides), k, k))
    for m, separator in enumerate(separators):
        p = np.clip(sides[:, m], FEWEST, 1.0 - FEWEST)
        ahead, behind = place[separator.positive], place[separator.negative]
        wins[:, ahead, behind], wins[:, behind, ahead] = p, 1.0 - p
    system = np.ones((len(sides), k + 1, k + 1))
    system[:, :k, :k] = -wins * wins.transpose(0, 2, 1)
    system[:, range(k), range(k)] = (wins**2).sum(axis=1)
    system[:, k, k] = 0.0
    right = np.zeros((len(sides), k + 1, 1))
    right[:, k] = 1.0
    found = np.maximum(np.linalg.solve(system, right)[:, :k, 0], 0.0) if len(sides) else np.empty((0, k))
    shares[:, there] = found / found.sum(axis=1, keepdims=True)
    return shares


def agreeing(shares: Floats, predicted: NDArray[np.intp]) -> Floats:
    """Return probabilities adjusted so that the predicted class is largest; it and the larger ones get their mean.

    Examples
    --------
    >>> agreeing(np.array([[0.2, 0.5, 0.3], [0.1, 0.5, 0.4]]), np.array([1, 2])).round(2).tolist()
    [[0.2, 0.5, 0.3], [0.1, 0.45, 0.45]]
    """
    own = shares[np.arange(len(shares)), predicted][:, np.newaxis]
    pooled = shares >= own
    pooled &= (shares > own).any(axis=1, keepdims=True)
    mean = np.where(pooled, shares, 0.0).sum(axis=1) / np.maximum(1, pooled.sum(axis=1))
    return np.where(pooled, mean[:, np.newaxis], shares)
