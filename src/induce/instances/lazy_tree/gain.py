"""Information gain, for nominal values and for the best threshold of a numeric column."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

EQUAL = 1e-12
"""Tolerance within which gains are equal."""


def information(labels: Labels, weights: Floats) -> float:
    """Return the weight of the given examples times the entropy of their classes, in bits.

    Examples
    --------
    >>> information(np.array([0, 0, 1, 1]), np.ones(4))
    4.0
    """
    counts = _totals(labels, weights)
    return float(_xlogx(counts.sum()) - _xlogx(counts).sum())


def gain_of_values(codes: NDArray[np.int32], labels: Labels, weights: Floats) -> float:
    """Return the gain of splitting examples by a nominal column, times their weight.

    Examples
    --------
    >>> gain_of_values(np.array([0, 0, 1, 1], np.int32), np.array([0, 0, 1, 1]), np.ones(4))
    4.0
    """
    pairs, which = np.unique(codes.astype(np.int64) * (labels.max() + 1) + labels, return_inverse=True)
    counts = _totals(which, weights)
    sizes = _totals(np.unique(pairs // (labels.max() + 1), return_inverse=True)[1], counts)
    return information(labels, weights) - float(_xlogx(sizes).sum() - _xlogx(counts).sum())


def best_threshold(numbers: Floats, labels: Labels, weights: Floats) -> tuple[float, float]:
    """Return the largest gain of splitting examples at a threshold, times their weight, and the threshold.

    Thresholds lie midway between neighbouring values; ties go to the lowest. The gain is -1 if all values are
    equal.

    Examples
    --------
    >>> best_threshold(np.array([3.0, 1.0, 2.0, 9.0]), np.array([1, 0, 0, 1]), np.ones(4))
    (4.0, 2.5)
    """
    order = np.argsort(numbers, kind="stable")
    numbers, labels, weights = numbers[order], labels[order], weights[order]
    ends = np.flatnonzero(numbers[1:] > numbers[:-1])
    if not len(ends):
        return -1.0, 0.0
    # examples move one at a time from the right to the left, which changes only the count of their own class
    left = _before(labels, weights)
    totals = _totals(labels, weights)
    right = totals[labels] - left
    to_left = np.cumsum(_xlogx(left + weights) - _xlogx(left))
    to_right = _xlogx(totals).sum() + np.cumsum(_xlogx(np.maximum(right - weights, 0.0)) - _xlogx(right))
    size = np.cumsum(weights)
    rest = _xlogx(size) - to_left + _xlogx(np.maximum(size[-1] - size, 0.0)) - to_right
    gains = information(labels, weights) - rest[ends]
    best = int(np.argmax(gains >= gains.max() - EQUAL * size[-1]))
    low, high = numbers[ends[best]], numbers[ends[best] + 1]
    middle = low / 2 + high / 2
    return float(gains[best]), float(middle if low <= middle < high else low)


def _before(labels: Labels, weights: Floats) -> Floats:
    """Return the total weight of preceding examples of the same class, for each example."""
    order = np.argsort(labels, kind="stable")
    sums = np.cumsum(weights[order]) - weights[order]
    firsts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    start = np.repeat(sums[firsts], np.diff(np.append(firsts, len(labels))))
    found = np.empty(len(labels))
    found[order] = sums - start
    return found


def _totals(labels: NDArray[Any], weights: Floats) -> Floats:
    return np.bincount(labels, weights).astype(np.float64)


def _xlogx(values: Floats) -> Floats:
    """Return x log2 x, 0 at 0."""
    return np.asarray(values * np.log2(np.where(values > 0, values, 1.0)))
