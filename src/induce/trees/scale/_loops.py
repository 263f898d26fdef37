"""Hot loops of level-wise growth: pure functions on arrays.

A row descends from the root of the current tree to the nodes that are counted. A row whose tested value is
missing goes down all branches, in proportion to the other rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from induce.core.loops import loop
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


@loop
def route(
    codes: Any,
    labels: Any,
    times: Any,
    of_class: Any,
    n_codes: Any,
    splitter: Any,
    routes: Any,
    begin: int,
    stack: Any,
    stack_weight: Any,
    row: Any,
    slot: Any,
    weight: Any,
) -> Any:
    """Send rows from `begin` on to the counted nodes until the buffer is full.

    The result is (next row, number of entries). An entry is a row at a node with its weight there. `of_class`
    has the weight of a row of each class, `times` the multiplicity of each row.
    """
    n = 0
    for r in range(begin, len(labels)):
        before = n
        stack[0] = 0
        stack_weight[0] = of_class[labels[r]] * times[r]
        waiting = 1 if stack_weight[0] > 0.0 else 0
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
                f = routes.attribute[node]
                if f == LEAF:
                    break
                code = codes[r, f]
                first = routes.first[node]
                if code == n_codes[f]:
                    # The first branch is popped first, so that entries come in the order of the branches.
                    for b in range(routes.n_branches[node] - 1, -1, -1):
                        if routes.share[first + b] > 0.0:
                            stack[waiting] = first + b
                            stack_weight[waiting] = w * routes.share[first + b]
                            waiting += 1
                    break
                if splitter[f] == THRESHOLD:
                    node = first + (code > routes.low_code[node])
                elif routes.map_start[node] >= 0:
                    node = first + routes.branch_map[routes.map_start[node] + code]
                else:
                    node = first + code
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
    bins: Any,
) -> None:
    """Add entries to the bins of their nodes, node by node, in the columns that are `wanted`.

    The bins of one column of one node, together with the codes of a block of its rows, fit into the fastest
    cache; all bins do not. `at` has length number of nodes plus one; `rows`, `classes` and `weights` have one
    value per entry. Indices are unsigned, because an index that cannot be negative is faster.
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
    # From here on, `at[k]` is the end of the entries of node k.
    begin = np.int64(0)
    for k in range(len(at) - 1):
        here = bins[k]
        end = at[k]
        while begin < end:
            stop = min(begin + BLOCK, end)
            for f in range(codes.shape[1]):
                if not wanted[k, f]:
                    continue
                base = start[f]
                for j in range(begin, stop):
                    here[base + codes[rows[j], f], classes[j]] += weights[j]
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
