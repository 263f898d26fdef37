"""Hot loops of level-wise growth: pure functions on arrays.

A row descends from the root of the current tree to the nodes that are counted. A row whose tested value is
missing goes down all branches, in proportion to the other rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from induce.core.loops import inner, loop
from induce.trees._bin_loops import (
    GAIN_RATIO,
    LEAF,
    ORDERED,
    RANDOM,
    SUBSET,
    THRESHOLD,
    best_test,
    choose,
    codes_in_bins,
    draw,
)

BLOCK = 256
"""Number of rows that are counted column by column."""

GOES_ON, TESTED, LOW, MISSING, FIRST, MAP = range(6)
"""Columns of `steps`, the tests of the tree in a form in which a row is taken to a child without a jump.

A node has 1 if rows go on from it, the tested column, the greatest code of the first branch, the code of a missing
value, the first child, and the place in `maps` of the branch of each code. A test with a threshold has a map of
zeros, and other tests have no code above the greatest.
"""


class Routes(NamedTuple):
    """The current tree: tests, branches, and the fractions of rows with missing values per branch.

    `slot` is the position of a node's counts; -1 for nodes that are not counted.
    """

    attribute: Any
    low_code: Any
    first: Any
    n_branches: Any
    map_start: Any
    branch_map: Any
    share: Any
    slot: Any


@inner
def child(code: Any, node: Any, steps: Any, maps: Any) -> Any:
    """The child of a node that a known code leads to."""
    return steps[node, FIRST] + (np.uint64(code > steps[node, LOW]) | maps[steps[node, MAP] + code])


@inner
def follow(
    codes: Any, times: Any, start: Any, n: int, steps: Any, maps: Any, ends: Any, waiting: Any
) -> None:
    """Take `n` rows side by side to the nodes where they end, or to len(steps) + the node whose value is missing.

    The processor overlaps the steps of different rows, which it cannot do with those of one.
    """
    left = np.uint64(0)
    for i in range(n):
        ends[i] = 0
        waiting[left] = i
        left += np.uint64(times[start + np.uint64(i)] > 0)
    left *= steps[0, GOES_ON]
    while left > 0:
        before = left
        left = np.uint64(0)
        for q in range(before):
            i = waiting[q]
            node = ends[i]
            code = np.uint64(codes[start + i, steps[node, TESTED]])
            if code == steps[node, MISSING]:
                ends[i] = node + np.uint64(len(steps))
            else:
                ends[i] = child(code, node, steps, maps)
                waiting[left] = i
                left += steps[ends[i], GOES_ON]


@loop
def route(
    codes: Any,
    labels: Any,
    times: Any,
    of_class: Any,
    routes: Any,
    steps: Any,
    maps: Any,
    begin: int,
    ends: Any,
    side_by_side: Any,
    stack: Any,
    stack_weight: Any,
    row: Any,
    slot: Any,
    weight: Any,
) -> Any:
    """Send rows starting at `begin` to the counted nodes until the buffer is full.

    The result is (next row, number of entries). An entry is a row at a node with its weight there. `of_class`
    has the weight of a row of each class, `times` the multiplicity of each row.
    """
    n = 0
    for start in range(begin, len(labels), len(ends)):
        stop = min(start + len(ends), len(labels))
        follow(codes, times, np.uint64(start), stop - start, steps, maps, ends, side_by_side)
        for r in range(start, stop):
            before = n
            end = np.int64(ends[r - start])
            w = of_class[labels[r]] * times[r]
            if end < len(steps):
                if w > 0.0 and routes.slot[end] >= 0:
                    if n == len(row):
                        return r, before
                    row[n] = r
                    slot[n] = routes.slot[end]
                    weight[n] = w
                    n += 1
                continue
            # A value is missing on the way: the row goes on alone, down several branches.
            stack[0] = end - len(steps)
            stack_weight[0] = w
            waiting = 1 if w > 0.0 else 0
            while waiting > 0:
                waiting -= 1
                node, w = stack[waiting], stack_weight[waiting]
                while True:
                    if routes.slot[node] >= 0:
                        if n == len(row):
                            return r, before
                        row[n] = r
                        slot[n] = routes.slot[node]
                        weight[n] = w
                        n += 1
                        break
                    if routes.attribute[node] == LEAF:
                        break
                    code = np.uint64(codes[r, routes.attribute[node]])
                    if code == steps[node, MISSING]:
                        # The first branch is followed first, so that entries come in the order of the branches.
                        first = routes.first[node]
                        for b in range(routes.n_branches[node] - 1, -1, -1):
                            if routes.share[first + b] > 0.0:
                                stack[waiting] = first + b
                                stack_weight[waiting] = w * routes.share[first + b]
                                waiting += 1
                        break
                    node = np.int32(child(code, node, steps, maps))
    return len(labels), n


@loop
def tally(
    codes: Any,
    labels: Any,
    start: Any,
    row: Any,
    slot: Any,
    weight: Any,
    n: int,
    at: Any,
    rows: Any,
    classes: Any,
    weights: Any,
    wanted: Any,
    columns: Any,
    bins: Any,
) -> None:
    """Add entries to the bins of their nodes, node by node, in the columns that are `wanted`.

    The bins of one column of one node, and the codes of a block of its rows, fit into the fastest cache; all bins do
    not. Four columns are counted at a time, which read the row and its class once. `at` holds one number per node,
    and one more; `rows`, `classes` and `weights` one per entry; `columns` has room for one more than there are.
    Places are unsigned: an index that cannot count from the end is found faster.
    """
    for k in range(len(at)):
        at[k] = 0
    for i in range(n):
        at[slot[i] + 1] += 1
    for k in range(1, len(at)):
        at[k] += at[k - 1]
    for i in range(n):
        j = at[slot[i]]
        at[slot[i]] = j + 1
        rows[j] = row[i]
        classes[j] = labels[row[i]]
        weights[j] = weight[i]
    # `at[k]` is now the end of the entries of node k.
    begin = np.uint64(0)
    for k in range(len(at) - 1):
        here = bins[k]
        end = at[k]
        n_wanted = 0
        for f in range(codes.shape[1]):
            columns[n_wanted] = f
            n_wanted += wanted[k, f]
        while begin < end:
            stop = min(begin + np.uint64(BLOCK), end)
            for g in range(0, n_wanted - 3, 4):
                f0, f1, f2, f3 = columns[g], columns[g + 1], columns[g + 2], columns[g + 3]
                b0, b1, b2, b3 = start[f0], start[f1], start[f2], start[f3]
                for j in range(begin, stop):
                    r, c, w = rows[j], classes[j], weights[j]
                    here[b0 + codes[r, f0], c] += w
                    here[b1 + codes[r, f1], c] += w
                    here[b2 + codes[r, f2], c] += w
                    here[b3 + codes[r, f3], c] += w
            for g in range(n_wanted - n_wanted % 4, n_wanted):
                base = start[columns[g]]
                for j in range(begin, stop):
                    here[base + codes[rows[j], columns[g]], classes[j]] += weights[j]
            begin = stop


@loop
def drawn_columns(keys: Any, n_tried: int, tried: Any, state: Any, wanted: Any) -> None:
    """Mark the columns that are drawn first at each node."""
    for k in range(len(keys)):
        state[RANDOM] = keys[k]
        for f in range(len(tried)):
            tried[f] = f
        for i in range(n_tried):
            wanted[k, draw(tried, i, state)] = True


@loop
def best_tests(
    bins: Any,
    counts: Any,
    start: Any,
    splitter: Any,
    all_codes: Any,
    code: Any,
    tests: Any,
    side: Any,
    scales: Any,
    settings: Any,
    keys: Any,
    wanted: Any,
    state: Any,
    chosen: Any,
    low_code: Any,
    high_code: Any,
    sides: Any,
) -> None:
    """Choose the test of each node by its bins: column (-1 for none), codes next to the cut, and sides.

    If only some columns are tried at each node, they are drawn as for growth in memory. The search ends at a
    column that is not `wanted`, because it was not counted.
    """
    n_columns = len(splitter)
    some = settings.n_tried < n_columns
    for k in range(len(bins)):
        any_test = False
        if some:
            state[RANDOM] = keys[k]
            for f in range(n_columns):
                tests.gain[f] = tests.merit[f] = np.nan
                tests.tried[f] = f
        for i in range(n_columns):
            f = i
            if some:
                if i >= settings.n_tried and any_test:
                    break
                f = draw(tests.tried, i, state)
                if not wanted[k, f]:
                    break
            n_bins = start[f + 1] - start[f] - 1
            here, n_codes = all_codes, n_bins
            if splitter[f] != THRESHOLD and splitter[f] != ORDERED:
                here, n_codes = code, codes_in_bins(bins[k], start[f], n_bins, code)
            tests.gain[f], tests.merit[f], tests.low_code[f], tests.high_code[f] = best_test(
                bins[k], start[f], here, n_codes, n_bins, splitter[f], counts[k], side, f, scales, settings
            )
            any_test = any_test or not np.isnan(tests.merit[f])
        f = choose(tests.gain, tests.merit, settings.measure == GAIN_RATIO)
        chosen[k] = f
        if f >= 0:
            low_code[k] = tests.low_code[f]
            high_code[k] = tests.high_code[f]
            for b in range(start[f + 1] - start[f] - 1):
                sides[k, b] = side[f, b] if splitter[f] == SUBSET else b > tests.low_code[f]
