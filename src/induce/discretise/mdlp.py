"""Supervised intervals: class-informative cuts by the minimum description length principle."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.errors import InputError
from induce.core.loops import repeated
from induce.discretise.intervals import midpoints

Floats = NDArray[np.float64]

GAIN = 4
"""Number of steps to compute the gain of a cut."""


def mdlp_cuts(
    values: ArrayLike, labels: ArrayLike, n_classes: int, weights: ArrayLike | None = None
) -> Floats:
    """Return the cuts of a column by the minimum description length principle (Fayyad and Irani 1993).

    The best cut of an interval is the one of highest gain. A cut is made, and both sides are cut further, if
    its gain exceeds its description length. Only cuts where the class may change are considered (Mitchell,
    section 3.7.2): between two neighbouring values, unless all examples with either are of one class.

    Parameters
    ----------
    values : array of float64
        Values of the column; NaN if missing.
    labels : array of int
        Class codes, starting at 0.
    n_classes : int
        Number of classes.
    weights : array of float64, optional
        Weight of each example.

    Examples
    --------
    >>> mdlp_cuts([40, 48, 60, 72, 80, 90], [0, 0, 1, 1, 1, 0], 2)
    array([], dtype=float64)
    >>> mdlp_cuts(range(60), [0] * 20 + [1] * 20 + [0] * 20, 2)
    array([19.5, 39.5])
    """
    from induce.discretise import _loops

    ordered, classes, weight = _sorted(values, labels, n_classes, weights)
    if len(ordered) == 0:
        return np.empty(0)
    ends, boundary = _boundaries(ordered, classes)
    blocks = repeated(_loops.blocks, len(ordered))
    with np.errstate(over="ignore"):
        start, of_class, in_class = blocks(classes, weight, ends[boundary], n_classes)
    left, right = np.empty(n_classes), np.empty(n_classes)
    found: list[int] = []
    waiting = [(0, len(start) - 1)]
    while waiting:
        lo, hi = waiting.pop()
        best_cut = repeated(_loops.best_cut, GAIN * int(start[hi] - start[lo]))
        with np.errstate(over="ignore", invalid="ignore"):  # huge weights
            at = int(best_cut(start, of_class, in_class, lo, hi, left, right))
        if at < 0:
            continue
        gain, price = price_of_cut(left.tolist(), right.tolist())
        if gain > price:
            found.append(at)
            waiting += [(lo, at), (at, hi)]
    cut = ends[boundary][np.sort(found).astype(np.int64) - 1]
    return midpoints(ordered[cut - 1], ordered[cut])


def price_of_cut(left: Iterable[float], right: Iterable[float]) -> tuple[float, float]:
    """Return the gain of a cut and the minimum gain that justifies it, from the class counts on either side.

    Parameters
    ----------
    left, right : sequence of float
        Class counts below and above the cut.

    Examples
    --------
    >>> gain, price = price_of_cut([2, 0], [1, 3])  # Temperature <= 54 in Mitchell, section 3.7.2
    >>> print(f"{gain:.4f} {price:.4f}")
    0.4591 0.7920
    """
    n1, entropy1, k1 = _entropy(left := list(left))
    n2, entropy2, k2 = _entropy(right := list(right))
    n, entropy, k = _entropy([a + b for a, b in zip(left, right, strict=True)])
    gain = entropy - (n1 * entropy1 + n2 * entropy2) / n
    if n <= 1:
        return gain, math.inf
    choices = k * math.log2(3) + math.log2(1 - 2 * 3.0**-k)  # log2(3^k - 2), which overflows for many classes
    delta = choices - (k * entropy - k1 * entropy1 - k2 * entropy2)
    return gain, (math.log2(n - 1) + delta) / n


def _entropy(counts: list[float]) -> tuple[float, float, int]:
    """Return the number of examples, the entropy, and the number of classes present."""
    present = [count for count in counts if count > 0]
    n = sum(present)
    return n, sum(count / n * math.log2(n / count) for count in present), len(present)


def _sorted(
    values: ArrayLike, labels: ArrayLike, n_classes: int, weights: ArrayLike | None
) -> tuple[Floats, NDArray[np.int64], Floats]:
    """Return the known values in ascending order, with their classes and weights."""
    column = np.asarray(values, np.float64)
    classes = np.asarray(labels, np.int64)
    weight = np.ones(column.shape) if weights is None else np.asarray(weights, np.float64)
    if column.ndim != 1 or column.shape != classes.shape or column.shape != weight.shape:
        raise InputError("values, labels and weights differ in shape; give one label and weight per value")
    if len(classes) and not 0 <= classes.min() <= classes.max() < n_classes:
        raise InputError(f"labels contains class codes outside 0 to {n_classes - 1}; check n_classes")
    if not (weight >= 0).all():
        raise InputError("weights contains a negative or missing weight; give weights of at least 0")
    counted = ~np.isnan(column) & (weight > 0)
    if not counted.all():
        column, classes, weight = column[counted], classes[counted], weight[counted]
    order = np.argsort(column)
    return column[order], classes[order], weight[order]


def _boundaries(ordered: Floats, classes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the ends of runs of equal values, and those where the class may change (including the last)."""
    ends = np.append(np.flatnonzero(ordered[1:] != ordered[:-1]) + 1, len(ordered))
    starts = np.append(0, ends[:-1])
    lowest, highest = np.minimum.reduceat(classes, starts), np.maximum.reduceat(classes, starts)
    pure = lowest == highest
    same = pure[1:] & pure[:-1] & (lowest[1:] == lowest[:-1])
    return ends, np.append(~same, True)
