"""Hot loops of discretisation: pure functions on arrays.

The examples of a column, in ascending order, are kept as blocks between which a cut may fall: block `b` holds
`weight[i]` examples of class `classes[i]` for each `i` from `start[b]` up to `start[b + 1]`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from induce.core.loops import inner, loop

ABREAST = 64
TOLERANCE = 1e-9


@loop
def intervals_of(values: Any, cuts: Any) -> Any:
    """Return the number of cuts below each value, -1 for NaN; `cuts` is padded with infinity.

    Several values take the steps of the binary search in parallel, so that no branch depends on them.
    """
    found = np.empty(len(values), np.int32)
    for start in range(0, len(values), ABREAST):
        stop = min(start + ABREAST, len(values))
        for i in range(start, stop):
            found[i] = 0
        # Invariant: found[i] cuts are below the value, and the answer is less than found[i] + 2 step.
        step = np.int32((len(cuts) + 1) // 2)
        while step > 0:
            for i in range(start, stop):
                found[i] += step if cuts[found[i] + step - 1] < values[i] else np.int32(0)
            step //= np.int32(2)
        for i in range(start, stop):
            if values[i] != values[i]:
                found[i] = -1
    return found


@loop
def bytes_of(values: Any, cuts: Any) -> Any:
    """Like `intervals_of`, for 255 cuts: the eight steps are unrolled, so that values are pipelined."""
    found = np.empty(len(values), np.int32)
    for i in range(len(values)):
        v = values[i]
        k = np.int64(cuts[127] < v) * 128
        k += np.int64(cuts[k + 63] < v) * 64
        k += np.int64(cuts[k + 31] < v) * 32
        k += np.int64(cuts[k + 15] < v) * 16
        k += np.int64(cuts[k + 7] < v) * 8
        k += np.int64(cuts[k + 3] < v) * 4
        k += np.int64(cuts[k + 1] < v) * 2
        k += np.int64(cuts[k] < v)
        found[i] = k if v == v else -1
    return found


@inner
def first_at_least(ordered: Any, value: float, low: int, high: int) -> int:
    """Return the first index from `low` whose sorted value is not below another one, or `high`."""
    while low < high:
        middle = (low + high) // 2
        if ordered[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@inner
def first_above(ordered: Any, value: float, low: int, high: int) -> int:
    """Return the first index from `low` whose sorted value is above another one, or `high`."""
    while low < high:
        middle = (low + high) // 2
        if ordered[middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low


@loop
def even_ends(ordered: Any, n_bins: int) -> Any:
    """Return the ends of equal-frequency intervals of sorted values, except the last; equal values stay together.

    Each interval ends at the boundary of a run that is nearest to an equal share of the remaining values.
    """
    n = len(ordered)
    ends = np.empty(n_bins - 1, np.int64)
    n_ends = 0
    taken = 0
    for left in range(n_bins, 1, -1):
        # Divide the remaining values evenly among the remaining intervals, so that a long run shortens all
        # later ones equally.
        wanted = taken + (n - taken) / left
        at = int(np.ceil(wanted)) - 1
        begin = first_at_least(ordered, ordered[at], taken, at)
        end = first_above(ordered, ordered[at], at + 1, n)
        taken = begin if begin > taken and wanted - begin <= end - wanted else end
        if taken == n:
            break
        ends[n_ends] = taken
        n_ends += 1
    return ends[:n_ends].copy()


@inner
def xlog2x(x: float) -> float:
    """Return x log2 x, with 0 at 0."""
    return x * math.log2(x) if x > 0.0 else 0.0


@loop
def blocks(labels: Any, weights: Any, ends: Any, n_classes: int) -> Any:
    """Return the blocks that end at `ends`: (start, classes, weight)."""
    start = np.zeros(len(ends) + 1, np.int64)
    classes = np.empty(len(labels), np.int32)
    weight = np.empty(len(labels))
    place = np.full(n_classes, -1, np.int64)
    n = 0
    p = 0
    for b in range(len(ends)):
        while p < ends[b]:
            c = labels[p]
            # The index of the class comes from an earlier block: the class is new in this one.
            if place[c] < start[b]:
                place[c] = n
                classes[n] = c
                weight[n] = 0.0
                n += 1
            weight[place[c]] += weights[p]
            p += 1
        start[b + 1] = n
    return start, classes[:n].copy(), weight[:n].copy()


@inner
def count(classes: Any, weight: Any, begin: int, end: int, counts: Any) -> None:
    """Store the total weight of each class over the entries from `begin` to `end` in `counts`."""
    for c in range(len(counts)):
        counts[c] = 0.0
    for i in range(begin, end):
        counts[classes[i]] += weight[i]


@loop
def best_cut(start: Any, classes: Any, weight: Any, lo: int, hi: int, left: Any, right: Any) -> int:
    """Return the first block above the cut of highest gain among the blocks from `lo` to `hi`, or -1.

    `left` and `right` receive the class weights on either side. Ties are broken by order.
    """
    count(classes, weight, start[lo], start[hi], right)
    w_left = 0.0
    w_right = 0.0
    sum_left = 0.0
    sum_right = 0.0
    for c in range(len(right)):
        left[c] = 0.0
        w_right += right[c]
        sum_right += xlog2x(right[c])
    slack = TOLERANCE * w_right
    best = -np.inf
    at = -1
    for b in range(lo, hi - 1):
        for i in range(start[b], start[b + 1]):
            c = classes[i]
            w = weight[i]
            w_left += w
            w_right -= w
            sum_left -= xlog2x(left[c])
            sum_right -= xlog2x(right[c])
            left[c] += w
            right[c] = max(right[c] - w, 0.0)
            sum_left += xlog2x(left[c])
            sum_right += xlog2x(right[c])
        score = sum_left + sum_right - xlog2x(w_left) - xlog2x(w_right)
        if score > best + slack:
            best = score
            at = b + 1
    # The scan has passed the best cut: count its sides.
    if at >= 0:
        count(classes, weight, start[lo], start[at], left)
        count(classes, weight, start[at], start[hi], right)
    return at
