"""Hot loops of boosted stumps: one pass of sums per presorted column."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from induce.core.loops import inner, loop

THRESHOLD, MULTIWAY = 0, 1
NONE = -1
TOLERANCE = 1e-10
"""Fraction of the total weight by which a test must beat an earlier one, because sums differ in their last
bits.
"""


@loop
def search(
    rows: Any,
    ends: Any,
    n_missing: Any,
    kind: Any,
    direction: Any,
    labels: Any,
    weights: Any,
    signed: Any,
    known: Any,
    left: Any,
    by_gain: bool,
    merit: Any,
    cut: Any,
) -> None:
    """Find the best test of every column: its merit, and the sorted index after which the threshold lies.

    The merit is the weight of the rows in the majority class of their branch, or, if by gain, the decrease of
    class entropy. Only rows with a known value count. `known` has the weight of each class among them per
    column; `signed` has the weight of each row, negative for the first of two classes.
    """
    for f in range(len(rows)):
        if kind[f] == MULTIWAY:
            merit[f] = branches(rows[f], ends[f], n_missing[f], labels, weights, known[f], left, by_gain)
            cut[f] = NONE
        elif by_gain or known.shape[1] != 2:
            merit[f], cut[f] = threshold(
                rows[f], ends[f], n_missing[f], labels, weights, known[f], left, by_gain
            )
        else:
            merit[f], cut[f] = halves(rows[f], ends[f], n_missing[f], signed, known[f], direction[f])


@inner
def halves(rows: Any, ends: Any, start: int, signed: Any, known: Any, direction: int) -> tuple[float, int]:
    """Return the merit and the cut of the threshold that best separates two classes; ties go to the lowest.

    On a side whose weights differ by d, the majority class has (weight + d) / 2.
    """
    total, difference = known[0] + known[1], known[1] - known[0]
    low, best, least, cut = 0.0, -np.inf, -np.inf, NONE
    for i in range(start, len(rows) - 1):
        # With signed weights the difference between the two classes on a side is one running sum.
        low += signed[rows[i]]
        if not ends[i]:
            continue
        high = difference - low
        found = abs(low) + abs(high)
        # With a monotone column, cuts in the wrong direction are skipped.
        if found > least and (
            direction == 0 or (low <= 0 or high > 0 if direction > 0 else low > 0 or high <= 0)
        ):
            best, cut = found, i
            least = best + 2.0 * TOLERANCE * total
    return (total + best) / 2.0, cut


@loop
def threshold(
    rows: Any, ends: Any, start: int, labels: Any, weights: Any, known: Any, left: Any, by_gain: bool
) -> tuple[float, int]:
    """Return the merit and the cut of the best threshold; ties go to the lowest."""
    n_classes = len(known)
    total = 0.0
    for c in range(n_classes):
        left[c] = 0.0
        total += known[c]
    best, least, cut = -np.inf, -np.inf, NONE
    for i in range(start, len(rows) - 1):
        row = rows[i]
        left[labels[row]] += weights[row]
        if not ends[i]:
            continue
        if by_gain:
            found = -entropies(left, known)
        else:
            low, high = left[0], known[0] - left[0]
            for c in range(1, n_classes):
                low = max(low, left[c])
                high = max(high, known[c] - left[c])
            found = low + high
        if found > least:
            best, cut = found, i
            least = best + TOLERANCE * total
    return best + entropy(known) if by_gain else best, cut


@loop
def branches(
    rows: Any, ends: Any, start: int, labels: Any, weights: Any, known: Any, branch: Any, by_gain: bool
) -> float:
    """Return the merit of one branch per value; minus infinity if all rows have the same value."""
    n_classes, n_branches, found = len(known), 0, 0.0
    for c in range(n_classes):
        branch[c] = 0.0
    for i in range(start, len(rows)):
        row = rows[i]
        branch[labels[row]] += weights[row]
        if not ends[i]:
            continue
        n_branches += 1
        if by_gain:
            found -= entropy(branch)
        else:
            most = branch[0]
            for c in range(1, n_classes):
                most = max(most, branch[c])
            found += most
        for c in range(n_classes):
            branch[c] = 0.0
    if n_branches < 2:
        return -np.inf
    return found + entropy(known) if by_gain else found


@loop
def entropies(left: Any, known: Any) -> float:
    """Return the weighted class entropy on both sides of a cut."""
    terms, low, high = 0.0, 0.0, 0.0
    for c in range(len(known)):
        right = max(0.0, known[c] - left[c])
        low += left[c]
        high += right
        terms += xlog2x(left[c]) + xlog2x(right)
    return xlog2x(low) + xlog2x(high) - terms


@loop
def entropy(weights: Any) -> float:
    """Return the class entropy times the total weight."""
    terms, total = 0.0, 0.0
    for c in range(len(weights)):
        total += weights[c]
        terms += xlog2x(weights[c])
    return xlog2x(total) - terms


@inner
def xlog2x(x: float) -> float:
    """Return x log2 x, defined as 0 at 0."""
    return x * math.log2(x) if x > 0 else 0.0
