"""Coverage counts of candidate literals: passes over the bindings of a clause, positive ones first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import loop

Codes = NDArray[np.int64]

T, P1, N1, POSITIVE, NEGATIVE, OLD_NEGATIVE = range(6)
"""Counts of a candidate: positive bindings that remain, positive and negative bindings after it, positive and
negative examples covered, negative bindings that remain.
"""


@loop
def tally(count: Codes, inverse: Codes, example: Codes, n_positive: int) -> Codes:
    """Count the coverage of one literal; binding i has ``count[inverse[i]]`` continuations."""
    found = np.zeros(6, np.int64)
    last = -1
    for i in range(len(inverse)):
        ways = count[inverse[i]]
        if ways > 0:
            positive = i < n_positive
            found[P1 if positive else N1] += ways
            found[T if positive else OLD_NEGATIVE] += 1
            # The bindings of an example are consecutive, so a look at the previous one tells whether the
            # example was counted.
            if example[i] != last:
                last = example[i]
                found[POSITIVE if positive else NEGATIVE] += 1
    return found


@loop
def tally_values(
    inverse: Codes, starts: Codes, values: Codes, ways: Codes, example: Codes, n_positive: int, size: Codes
) -> tuple[Codes, Codes]:
    """Count the coverage of a literal with each possible constant in one pass.

    Binding i continues with the values from ``starts[inverse[i]]`` up to the next start. The function also
    returns the numbers of positive and negative examples that continue with a value in all of their bindings;
    `size` is the number of bindings per example.
    """
    n_values = 0
    for k in range(len(values)):
        n_values = max(n_values, values[k] + 1)
    found = np.zeros((n_values, 6), np.int64)
    whole = np.zeros((n_values, 2), np.int64)
    last = np.full(n_values, -1, np.int64)
    seen = np.zeros(n_values, np.int64)
    for i in range(len(inverse)):
        positive = i < n_positive
        for k in range(starts[inverse[i]], starts[inverse[i] + 1]):
            v = values[k]
            found[v, P1 if positive else N1] += ways[k]
            found[v, T if positive else OLD_NEGATIVE] += 1
            if example[i] != last[v]:
                last[v] = example[i]
                seen[v] = 0
                found[v, POSITIVE if positive else NEGATIVE] += 1
            seen[v] += 1
            # The example continues with this value in every one of its bindings.
            if seen[v] == size[example[i]]:
                whole[v, 0 if positive else 1] += 1
    return found, whole


@loop
def tally_ranks(
    inverse: Codes, starts: Codes, ranks: Codes, example: Codes, n_positive: int, n_ranks: int
) -> tuple[Codes, Codes]:
    """Count the coverage of threshold tests of a number, for each threshold.

    Binding i continues with the numbers whose ascending ranks lie between ``starts[inverse[i]]`` and the next
    start. The counts of ``number =< threshold`` and of ``number >= threshold`` are returned for each rank.
    """
    # Each count is first recorded at the threshold where its test begins to hold: for =< at the smallest
    # number (of a binding, or of all bindings of an example), for >= at the largest. Cumulative sums at the
    # end complete the counts.
    most = np.zeros((n_ranks, 6), np.int64)
    least = np.zeros((n_ranks, 6), np.int64)
    last = -1
    low, high = n_ranks, -1
    for i in range(len(inverse) + 1):
        if i == len(inverse) or example[i] != last:
            if high >= 0:
                whose = POSITIVE if i - 1 < n_positive else NEGATIVE
                most[low, whose] += 1
                least[high, whose] += 1
            if i == len(inverse):
                break
            last = example[i]
            low, high = n_ranks, -1
        start, end = starts[inverse[i]], starts[inverse[i] + 1]
        if start == end:
            continue
        after = P1 if i < n_positive else N1
        for k in range(start, end):
            most[ranks[k], after] += 1
            least[ranks[k], after] += 1
        stays = T if i < n_positive else OLD_NEGATIVE
        most[ranks[start], stays] += 1
        least[ranks[end - 1], stays] += 1
        low, high = min(low, ranks[start]), max(high, ranks[end - 1])
    for j in range(6):
        for r in range(1, n_ranks):
            most[r, j] += most[r - 1, j]
            least[n_ranks - 1 - r, j] += least[n_ranks - r, j]
    return most, least


@loop
def acyclic(tails: Codes, heads: Codes, n_nodes: int) -> bool:
    """Return whether a directed graph is acyclic, by repeatedly removing nodes without incoming edges."""
    # Kahn 1962: `arriving` holds the in-degree among the remaining nodes; waiting nodes have in-degree 0.
    starts = np.zeros(n_nodes + 1, np.int64)
    arriving = np.zeros(n_nodes, np.int64)
    for k in range(len(tails)):
        starts[tails[k] + 1] += 1
        arriving[heads[k]] += 1
    for node in range(n_nodes):
        starts[node + 1] += starts[node]
    after = np.empty(len(tails), np.int64)
    filled = starts.copy()
    for k in range(len(tails)):
        after[filled[tails[k]]] = heads[k]
        filled[tails[k]] += 1
    waiting = np.empty(n_nodes, np.int64)
    found = 0
    for node in range(n_nodes):
        if arriving[node] == 0:
            waiting[found] = node
            found += 1
    done = 0
    while done < found:
        node = waiting[done]
        done += 1
        for k in range(starts[node], starts[node + 1]):
            arriving[after[k]] -= 1
            if arriving[after[k]] == 0:
                waiting[found] = after[k]
                found += 1
    return bool(done == n_nodes)
