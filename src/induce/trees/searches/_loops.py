"""Hot loops of look-ahead: the purity that one more test can achieve in every branch of a test.

A column is given by the positions of a node's examples in ascending order of its values (`order`) and by the
ranks of those values (`ranks`, -1 for missing, which come first). An example whose value is missing goes to
the heaviest branch; ties go to the first.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from induce.core.loops import inner, loop

ENTROPY, GINI, COST = 0, 1, 2
TIE = 1e-12
"""Differences below this fraction of the weight are rounding errors."""


@inner
def impurity(counts: Any, measure: int, cost: Any) -> float:
    """Return the weighted impurity of a set of examples, or the cost of predicting its most common class."""
    weight = 0.0
    value = 0.0
    if measure == COST:
        says = 0
        for c in range(len(counts)):
            if counts[c] > counts[says]:
                says = c
        for c in range(len(counts)):
            value += counts[c] * cost[c, says]
        return value
    for c in range(len(counts)):
        weight += counts[c]
        if measure == GINI:
            value += counts[c] * counts[c]
        elif counts[c] > 0.0:
            value += counts[c] * math.log2(counts[c])
    if weight <= 0.0:
        return 0.0
    return max(weight - value / weight if measure == GINI else weight * math.log2(weight) - value, 0.0)


@loop
def impurities(counts: Any, measure: int, cost: Any) -> Any:
    """Return the weighted impurity of each row of class counts."""
    found = np.empty(len(counts))
    for g in range(len(counts)):
        found[g] = impurity(counts[g], measure, cost)
    return found


@loop
def best_threshold(
    order: Any,
    ranks: Any,
    labels: Any,
    weights: Any,
    group: Any,
    whole: Any,
    price: float,
    measure: int,
    cost: Any,
    best: Any,
    at: Any,
) -> None:
    """Lower `best` of each group to the remainder of its best threshold, plus the price of the test.

    `at` gets the position where the second branch starts.
    """
    n_groups, n_classes = whole.shape
    left = np.zeros((n_groups, n_classes))
    unknown = np.zeros((n_groups, n_classes))
    below = np.empty(n_classes)
    above = np.empty(n_classes)
    last = np.full(n_groups, -1)
    for p in range(len(order)):
        i = order[p]
        g, c, rank = group[i], labels[i], ranks[p]
        if rank < 0:
            unknown[g, c] += weights[i]
            continue
        # One pass over the column serves all groups; a cut of group g lies where the value changes within
        # that group.
        if last[g] >= 0 and last[g] != rank:
            w_below = 0.0
            w_above = 0.0
            w_unknown = 0.0
            for k in range(n_classes):
                below[k] = left[g, k]
                above[k] = max(whole[g, k] - left[g, k] - unknown[g, k], 0.0)
                w_below += below[k]
                w_above += above[k]
                w_unknown += unknown[g, k]
            for k in range(n_classes):
                if w_below >= w_above:
                    below[k] += unknown[g, k]
                else:
                    above[k] += unknown[g, k]
            w = w_below + w_above + w_unknown
            value = price * w + impurity(below, measure, cost) + impurity(above, measure, cost)
            if value < best[g] - TIE * w:
                best[g] = value
                at[g] = p
        left[g, c] += weights[i]
        last[g] = rank


@loop
def best_multiway(
    order: Any,
    ranks: Any,
    labels: Any,
    weights: Any,
    group: Any,
    whole: Any,
    price: float,
    measure: int,
    cost: Any,
    best: Any,
    at: Any,
) -> None:
    """Lower `best` of each group to the remainder of one branch per value, plus the price of the test.

    `at` gets 0.
    """
    n_groups, n_classes = whole.shape
    part = np.zeros((n_groups, n_classes))
    heaviest = np.zeros((n_groups, n_classes))
    unknown = np.zeros((n_groups, n_classes))
    most = np.zeros(n_groups)
    left = np.zeros(n_groups)
    n_parts = np.zeros(n_groups, np.int64)
    read = np.full(n_groups, -1)
    touched = np.empty(n_groups, np.int64)
    start = 0
    while start < len(order):
        rank = ranks[start]
        stop = start
        n_touched = 0
        while stop < len(order) and ranks[stop] == rank:
            i = order[stop]
            g = group[i]
            # The first example of group g with this value: only groups with such an example need a visit
            # afterwards.
            if read[g] != start:
                read[g] = start
                touched[n_touched] = g
                n_touched += 1
            part[g, labels[i]] += weights[i]
            stop += 1
        for t in range(n_touched):
            g = touched[t]
            w = 0.0
            for k in range(n_classes):
                w += part[g, k]
            if rank >= 0:
                left[g] += impurity(part[g], measure, cost)
                n_parts[g] += 1
            for k in range(n_classes):
                if rank < 0:
                    unknown[g, k] = part[g, k]
                elif w > most[g]:
                    heaviest[g, k] = part[g, k]
                part[g, k] = 0.0
            if rank >= 0 and w > most[g]:
                most[g] = w
        start = stop
    for g in range(n_groups):
        if n_parts[g] > 1:
            # The missing values go to the heaviest branch, which is evaluated again with them.
            left[g] -= impurity(heaviest[g], measure, cost)
            w = 0.0
            for k in range(n_classes):
                heaviest[g, k] += unknown[g, k]
                w += whole[g, k]
            value = price * w + left[g] + impurity(heaviest[g], measure, cost)
            if value < best[g] - TIE * w:
                best[g] = value
                at[g] = 0
