"""Hot loops of level-wise regression tree growth: pure functions on arrays.

A bin of a column holds three sums over the rows of a node: their weight, their differences from the mean of the
node, and the squares of these. A row whose tested value is missing goes where most rows of the node went.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from induce.core.loops import loop
from induce.trees._bin_loops import draw
from induce.trees.regression._loops import (
    CHARGE,
    CUT,
    GAIN,
    RANDOM,
    SUBSET,
    THRESHOLD,
    TOLERANCE,
    Stretch,
    best_cut,
    division_charge,
    judge_nominal,
)
from induce.trees.scale._loops import BLOCK

LEAF = -1
SUMS = 3
ROWS, DRIFT, SQUARES = range(SUMS)


class NumberRoutes(NamedTuple):
    """The current tree: tests, branches, and the branch for missing values.

    `slot` is the position of a node's sums; -1 for nodes that are not counted.
    """

    attribute: Any
    low_code: Any
    first: Any
    map_start: Any
    branch_map: Any
    heaviest: Any
    slot: Any


@loop
def route_numbers(codes: Any, n_codes: Any, splitter: Any, routes: Any, slot: Any) -> None:
    """Find the slot of the node at which each row is counted, or -1."""
    for r in range(len(codes)):
        node = 0
        while routes.slot[node] < 0 and routes.attribute[node] != LEAF:
            f = routes.attribute[node]
            code = codes[r, f]
            if code == n_codes[f]:
                b = routes.heaviest[node]
            elif splitter[f] == THRESHOLD:
                b = int(code > routes.low_code[node])
            elif routes.map_start[node] >= 0:
                b = routes.branch_map[routes.map_start[node] + code]
            else:
                b = code
            node = routes.first[node] + b
        slot[r] = routes.slot[node]


@loop
def tally_numbers(
    codes: Any,
    y: Any,
    weight: Any,
    start: Any,
    slot: Any,
    mean: Any,
    at: Any,
    rows: Any,
    ends: Any,
    bins: Any,
) -> None:
    """Add rows to the bins of their nodes, column by column; `ends` gets the smallest and largest target.

    `weight` is None where every row counts once. `at` has room for one number per node, and one more; `rows` for one
    per row.
    """
    n_nodes = len(at) - 1
    for k in range(len(at)):
        at[k] = 0
    for r in range(len(slot)):
        if 0 <= slot[r] < n_nodes:
            at[slot[r] + 1] += 1
    for k in range(1, len(at)):
        at[k] += at[k - 1]
    for r in range(len(slot)):
        k = slot[r]
        if 0 <= k < n_nodes:
            rows[at[k]] = r
            at[k] += 1
            ends[k, 0] = min(ends[k, 0], y[r])
            ends[k, 1] = max(ends[k, 1], y[r])
    # From here on, `at[k]` is the end of the rows of node k.
    begin = np.int64(0)
    for k in range(n_nodes):
        here = bins[k]
        while begin < at[k]:
            stop = min(begin + BLOCK, at[k])
            for f in range(codes.shape[1]):
                for j in range(begin, stop):
                    r = rows[j]
                    off = y[r] - mean[k]
                    b = start[f] + codes[r, f]
                    w = 1.0 if weight is None else weight[r]
                    here[b, ROWS] += w
                    here[b, DRIFT] += w * off
                    here[b, SQUARES] += w * off * off
            begin = stop


@loop
def best_number_tests(
    bins: Any,
    sse: Any,
    start: Any,
    splitter: Any,
    settings: Any,
    row: Any,
    rank: Any,
    weight: Any,
    target: Any,
    best: Any,
    cuts: Any,
    side: Any,
    groups: Any,
    marks: Any,
    keys: Any,
    tried: Any,
    state: Any,
    chosen: Any,
    low_code: Any,
    high_code: Any,
    sides: Any,
) -> None:
    """Choose the test of each node by its bins: column (-1 for none), codes next to the cut, and sides.

    A bin that is not empty is to the judges of growth in memory a single row of its weight and mean. Where only some
    columns are tried at each node, they are drawn as in memory.
    """
    n_columns = len(splitter)
    for k in range(len(bins)):
        state[RANDOM] = keys[k]
        for f in range(n_columns):
            best[f, GAIN], best[f, CUT], best[f, CHARGE] = -np.inf, -1.0, 0.0
            tried[f] = f
        found = 0
        for i in range(n_columns):
            if found >= settings.n_tried:
                break
            f = i if settings.n_tried == n_columns else draw(tried, i, state)
            n, whole, total = 0, 0.0, 0.0
            for b in range(start[f + 1] - start[f] - 1):
                w = bins[k, start[f] + b, ROWS]
                if w > 0.0:
                    rank[n] = b
                    weight[n] = w
                    target[n] = bins[k, start[f] + b, DRIFT] / w
                    whole += w
                    total += bins[k, start[f] + b, DRIFT]
                    n += 1
            if n < 2:
                continue
            least = max(settings.min_leaf, 1e-12 * whole)
            stretch = Stretch(row, rank, target, 0, n, weight, 0.0, whole, total, least, TOLERANCE * sse[k])
            if splitter[f] == THRESHOLD:
                best[f, GAIN], at = best_cut(stretch)
                if at >= 0:
                    cuts[f, 0] = rank[at]
                    cuts[f, 1] = rank[at + 1]
            else:
                best[f, GAIN] = judge_nominal(splitter[f], stretch, None, groups, marks, side[f])
                if splitter[f] == SUBSET:
                    best[f, CHARGE] = division_charge(stretch, sse[k])
            found += best[f, GAIN] > -np.inf
        slack = TOLERANCE * sse[k]
        least = -slack
        if settings.min_decrease > 0.0:
            least = settings.min_decrease - TOLERANCE * settings.root_sse
        f = -1
        most = -np.inf
        for g in range(len(splitter)):
            if best[g, GAIN] >= least and best[g, GAIN] - best[g, CHARGE] > most + slack:
                f = g
                most = best[g, GAIN] - best[g, CHARGE]
        chosen[k] = f
        if f >= 0:
            low_code[k] = cuts[f, 0]
            high_code[k] = cuts[f, 1]
            for b in range(side.shape[1]):
                sides[k, b] = side[f, b]
