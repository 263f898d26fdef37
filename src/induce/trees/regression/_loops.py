"""Hot loops of regression tree growth: pure functions on arrays.

Every column of the training table is kept sorted. `ranks` holds the dense ranks of its values in ascending
order (nominal codes or numeric ranks, -1 for missing), `rows` the training row of each entry and `targets`
its target. The examples of a node are one contiguous range of every column, which a split partitions stably.

Sums are taken of differences from the mean of the node, so that a large offset of the target loses no
precision.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from induce.core.loops import inner, loop
from induce.trees._bin_loops import child_key, draw

MULTIWAY, SUBSET, ORDERED, THRESHOLD = range(4)
N_NODES, STACK, MAPPED, COLUMN, RANDOM, FOUND = range(6)
ATTRIBUTE, LOW_ROW, HIGH_ROW, FIRST, N_BRANCHES, MAP_START, DEPTH, BEGIN, END, KEY = range(10)
WEIGHT, MEAN, DRIFT, SSE, FIT = range(5)
GAIN, CUT, BELOW, ABOVE, CHARGE = range(5)
SIZE, TOTAL = range(2)
CODE, ORDER, OFFSET, PUT = range(4)
CENTRE, SPREAD, AFFINITY = range(3)
WHOLE, LEFT, RIGHT = range(3)
LEAF = -1
TOLERANCE = 1e-9
COLLINEAR, VANISHING, EXACT = 1e-8, 1e-13, 1e-12
SMALLEST = 5e-324
MOST_TERMS = 20
MOST_CUTS = 64


class Columns(NamedTuple):
    """The sorted columns, the kind of test of each and its number of possible values."""

    rows: Any
    ranks: Any
    targets: Any
    splitter: Any
    domain: Any


class Nodes(NamedTuple):
    """The nodes grown so far, the children of a node next to each other.

    `place` has the test and position of each node, with a row for each field from `ATTRIBUTE` to `END`;
    `about` the statistics of the targets. `DRIFT` is the sum of differences from the mean, which rounding of
    the mean makes slightly nonzero. `SSE` is the squared error of the mean, `FIT` that of a leaf's
    prediction.
    """

    place: Any
    about: Any
    branch_map: Any
    gains: Any


class Room(NamedTuple):
    """Buffers: per example, per column (`best`, `side`, `tried`), per value of a column."""

    branch: Any
    bits: Any
    row: Any
    rank: Any
    target: Any
    best: Any
    side: Any
    groups: Any
    marks: Any
    tried: Any


class Design(NamedTuple):
    """The numeric columns `z` of linear leaves, without missing values, and buffers for fits.

    `own` is a column's position in `z` or -1; `terms` the columns of `z` available to fits, `used` those of
    the current fit in order. Sums of products are over (1, target, used terms); only the lower triangle is
    stored.
    """

    z: Any
    own: Any
    numbers: Any
    terms: Any
    used: Any
    u: Any
    sums: Any
    of_groups: Any
    kept: Any
    kept_at: Any
    work: Any


class RegressionSettings(NamedTuple):
    """Stopping rules, and the number of columns drawn at a node (all, or fewer in a random forest)."""

    min_split: Any
    min_leaf: Any
    min_decrease: Any
    max_depth: Any
    root_sse: Any
    record: Any
    n_tried: Any


class Stretch(NamedTuple):
    """The examples of a node in one column, starting at the first with a known value; `total` is their drift.

    Each side of a test must have the weight `least`; an improvement of at most `slack` counts as none.
    """

    rows: Any
    ranks: Any
    targets: Any
    start: Any
    stop: Any
    weight: Any
    mean: Any
    whole: Any
    total: Any
    least: Any
    slack: Any


@inner
def weight_of(weight: Any, row: int) -> float:
    """Return the weight of an example."""
    return 1.0 if weight is None else weight[row]


@inner
def best_cut(stretch: Any) -> Any:
    """Return the best threshold between constant leaves: (decrease of the squared error, position below the
    cut).
    """
    rows, ranks, targets, start, stop, weight, mean, whole, total, least, slack = stretch
    # `left` is the sum of differences from the node's mean on the left, and `total` the sum over all
    # examples, which is not exactly zero. The squared error falls by off^2 whole / (w_left w_right), where
    # off = left - w_left total / whole. The factor `whole` is the same for all cuts and is applied last.
    best = bar = -np.inf
    at = -1
    shift = total / whole
    slack = slack / whole
    left = 0.0
    w_left = 0.0
    for p in range(start, stop - 1):
        w = weight_of(weight, rows[p])
        left += w * (targets[p] - mean)
        w_left += w
        if ranks[p] != ranks[p + 1]:
            w_right = whole - w_left
            if w_left >= least and w_right >= least:
                off = left - w_left * shift
                gain = off * off / (w_left * w_right)
                if gain > bar:
                    best = gain
                    # Ties up to rounding go to the lowest cut.
                    bar = gain + slack
                    at = p
    return best * whole, at


@inner
def read_groups(stretch: Any, by_mean: bool, groups: Any, marks: Any) -> int:
    """Sum weight and drift of each value in a range of a nominal column; return the number of values.

    `ORDER` gets the values in the order of their codes, or by mean target. One of the binary cuts of the
    latter order has the least squared error for constant leaves (Breiman and others 1984, section 8.8).
    """
    rows, ranks, targets, start, stop, weight, mean, _, _, _, _ = stretch
    n_groups = 0
    previous = -1
    for p in range(start, stop):
        if ranks[p] != previous:
            previous = ranks[p]
            marks[CODE, n_groups] = previous
            groups[SIZE, n_groups] = 0.0
            groups[TOTAL, n_groups] = 0.0
            n_groups += 1
        w = weight_of(weight, rows[p])
        groups[SIZE, n_groups - 1] += w
        groups[TOTAL, n_groups - 1] += w * (targets[p] - mean)
    # Insertion sort by total / size, compared by cross-multiplication; values of equal mean stay in the order
    # of their codes.
    for g in range(n_groups):
        i = g
        while by_mean and i > 0:
            other = marks[ORDER, i - 1]
            if groups[TOTAL, other] * groups[SIZE, g] <= groups[TOTAL, g] * groups[SIZE, other]:
                break
            marks[ORDER, i] = other
            i -= 1
        marks[ORDER, i] = g
    return n_groups


@inner
def take_sides(
    side: Any, last: int, n_groups: int, by_mean: bool, second_is_larger: bool, marks: Any
) -> None:
    """Assign values to sides: the first `last + 1` in the order to the first, the others to the second.

    A value not seen at this node joins the side of its position in a declared order, or else the larger side.
    """
    for absent in range(len(side)):
        side[absent] = second_is_larger if by_mean else absent > marks[CODE, marks[ORDER, last]]
    for i in range(n_groups):
        side[marks[CODE, marks[ORDER, i]]] = i > last


@inner
def division_charge(stretch: Any, squared: float) -> float:
    """Return the penalty on a binary grouping for the number of candidates, as squared error.

    A threshold is the best of about n cuts, but k values have 2^(k - 1) groupings, so the best grouping of an
    uninformative column looks good by chance. The penalty for the bits in excess of those of a threshold is
    the equivalent chi-square statistic, 2 ln 2 per bit: the decrease of the squared error by a test, over the
    variance, has a chi-square distribution.
    """
    n_groups = 1
    for p in range(stretch.start + 1, stretch.stop):
        n_groups += stretch.ranks[p] != stretch.ranks[p - 1]
    bits = n_groups - 1 - math.log2(max(stretch.whole, 2.0))
    return 2.0 * math.log(2.0) * bits * squared / stretch.whole if bits > 0.0 else 0.0


@inner
def best_division(stretch: Any, n_groups: int, by_mean: bool, groups: Any, marks: Any, side: Any) -> Any:
    """Return the decrease of the squared error by the best binary grouping, for constant leaves."""
    _, _, _, _, _, _, _, whole, total, least, slack = stretch
    best = -np.inf
    left = 0.0
    w_left = 0.0
    for i in range(n_groups - 1):
        left += groups[TOTAL, marks[ORDER, i]]
        w_left += groups[SIZE, marks[ORDER, i]]
        w_right = whole - w_left
        if w_left >= least and w_right >= least:
            off = left - w_left * total / whole
            gain = off * off * whole / (w_left * w_right)
            if gain > best + slack:
                best = gain
                take_sides(side, i, n_groups, by_mean, w_left < w_right * (1.0 - TOLERANCE), marks)
    return best


@inner
def add(moment: Any, z: Any, row: int, off: float, w: float, used: Any, centre: Any, u: Any) -> None:
    """Add an example to sums of products."""
    u[1] = off
    for j in range(len(used)):
        u[j + 2] = z[row, used[j]] - centre[used[j]]
    # The lower triangle, row by row: entry (a, b) with a >= b is at a (a + 1) / 2 + b. u[0] is 1, so row 0
    # holds the weight, and column 0 of row a the sum of u[a].
    i = 0
    for a in range(len(u)):
        wa = w * u[a]
        for b in range(a + 1):
            moment[i] += wa * u[b]
            i += 1


@inner
def residual(moment: Any, whole: Any, work: Any) -> Any:
    """Return the squared error of the least-squares fit of the target by a constant and the first terms.

    There is at most one term for every two examples. A term is skipped if those before it (almost) determine
    it, or if it hardly varies compared with the whole node.
    """
    weight = moment[0]
    if weight <= 0.0:
        return 0.0
    # At least two examples per coefficient, including the constant.
    n = max(0, min(len(work) - 1, int(0.5 * weight * (1.0 + TOLERANCE)) - 1))
    # Centred products of the terms and, in the last row, of the target.
    for i in range(n + 1):
        a = i + 2 if i < n else 1
        for j in range(i + 1):
            b = j + 2 if j < n else 1
            product = moment[max(a, b) * (max(a, b) + 1) // 2 + min(a, b)]
            work[i, j] = product - moment[a * (a + 1) // 2] * moment[b * (b + 1) // 2] / weight
    # Gaussian elimination, one term at a time; what remains of the squared target in the corner is the
    # squared error of the fit.
    for j in range(n):
        own = (j + 2) * (j + 3) // 2 + j + 2
        # The variation of the term by itself; the pivot is the part of it that earlier terms do not explain.
        alone = moment[own] - moment[own - j - 2] * moment[own - j - 2] / weight
        pivot = work[j, j]
        if pivot > COLLINEAR * alone + VANISHING * whole[own]:
            for i in range(j + 1, n + 1):
                factor = work[i, j] / pivot
                for k in range(j + 1, i + 1):
                    work[i, k] -= factor * work[k, j]
    return max(work[n, n], 0.0)


@inner
def judge(sums: Any, work: Any) -> Any:
    """Return the squared error of the linear fits on both sides: the examples in `LEFT`, and the others."""
    for i in range(sums.shape[1]):
        sums[RIGHT, i] = sums[WHOLE, i] - sums[LEFT, i]
    return residual(sums[LEFT], sums[WHOLE], work) + residual(sums[RIGHT], sums[WHOLE], work)


@inner
def choose_terms(stretch: Any, lo: int, whole: float, z: Any, numbers: Any, terms: Any) -> None:
    """Keep the numeric columns most correlated with the target at a node, best first."""
    rows, _, targets, _, stop, weight, mean, _, _, _, _ = stretch
    n_numbers = z.shape[1]
    for j in range(n_numbers):
        numbers[CENTRE, j] = numbers[SPREAD, j] = numbers[AFFINITY, j] = 0.0
    for p in range(lo, stop):
        w = weight_of(weight, rows[p])
        for j in range(n_numbers):
            numbers[CENTRE, j] += w * z[rows[p], j]
    for j in range(n_numbers):
        # First the means: differences from them keep the precision that raw sums of squares would lose.
        numbers[CENTRE, j] /= whole
    for p in range(lo, stop):
        w = weight_of(weight, rows[p])
        for j in range(n_numbers):
            off = z[rows[p], j] - numbers[CENTRE, j]
            numbers[SPREAD, j] += w * off * off
            numbers[AFFINITY, j] += w * off * (targets[p] - mean)
    n_terms = 0
    for j in range(n_numbers):
        spread = numbers[SPREAD, j]
        # Decrease of the squared error by the column alone. An insertion sort keeps the best.
        affinity = numbers[AFFINITY, j] * numbers[AFFINITY, j] / spread if spread > 0.0 else -1.0
        numbers[AFFINITY, j] = affinity
        i = n_terms
        if i < len(terms):
            n_terms += 1
        elif affinity > numbers[AFFINITY, terms[i - 1]]:
            i -= 1
        else:
            continue
        while i > 0 and affinity > numbers[AFFINITY, terms[i - 1]]:
            terms[i] = terms[i - 1]
            i -= 1
        terms[i] = j


@inner
def use_terms(own: int, terms: Any, used: Any) -> None:
    """Put the tested column, if it is numeric, before the other terms."""
    place = 0
    if own >= 0:
        used[0] = own
        place = 1
    for i in range(len(terms)):
        if place < len(used) and terms[i] != own:
            used[place] = terms[i]
            place += 1


@inner
def best_linear_cut(stretch: Any, design: Any, low: float, high: float, best: Any) -> None:
    """Find the best threshold between linear leaves with a weight between `low` and `high` below it.

    If there are many cuts, only some are tried, about equally spaced by weight, as well as the current one in
    `best`. `best` receives the decrease of the squared error, the position below the cut, and, unless all
    cuts were tried, the weights below the neighbouring cuts.
    """
    rows, ranks, targets, start, stop, weight, mean, whole, _, least, slack = stretch
    z, _, numbers, _, used, u, sums, _, kept, kept_at, work = design
    n_cuts = 0
    w_left = 0.0
    for p in range(start, stop - 1):
        w_left += weight_of(weight, rows[p])
        n_cuts += ranks[p] != ranks[p + 1] and low < w_left < high
    left = sums[LEFT]
    for i in range(len(left)):
        left[i] = 0.0
    n_kept = 0
    previous = 0.0
    # The sums below a cut grow one example at a time; they are stored at each cut to try, so that one pass
    # serves all cuts.
    for p in range(start, stop):
        add(left, z, rows[p], targets[p] - mean, weight_of(weight, rows[p]), used, numbers[CENTRE], u)
        if p == stop - 1 or ranks[p] == ranks[p + 1] or not low < left[0] < high:
            continue
        # One cut for each of MOST_CUTS equal parts of the weight.
        place = np.floor((left[0] - low) / (high - low) * (MOST_CUTS + 1))
        if n_cuts <= MOST_CUTS or previous < place <= MOST_CUTS or p == best[CUT]:
            previous = max(place, previous)
            for i in range(len(left)):
                kept[n_kept, i] = left[i]
            kept_at[n_kept] = p
            n_kept += 1
    for i in range(len(left)):
        sums[WHOLE, i] = left[i]
    before = residual(sums[WHOLE], sums[WHOLE], work)
    for c in range(n_kept):
        if kept[c, 0] >= least and whole - kept[c, 0] >= least:
            for i in range(len(left)):
                left[i] = kept[c, i]
            gain = before - judge(sums, work)
            # The previous best cut gets its neighbours in the finer grid, even if it is no better than
            # itself.
            if gain > best[GAIN] + slack or kept_at[c] == best[CUT]:
                best[GAIN] = max(gain, best[GAIN])
                best[CUT] = kept_at[c]
                best[BELOW] = best[ABOVE] = 0.0
                if n_cuts > MOST_CUTS:
                    best[BELOW] = kept[c - 1, 0] if c > 0 else low
                    best[ABOVE] = kept[c + 1, 0] if c + 1 < n_kept else high


@inner
def nominal_linear(stretch: Any, design: Any, n_groups: int, splitter: int, marks: Any, side: Any) -> Any:
    """Return the decrease of the squared error of linear leaves by the best nominal test."""
    rows, ranks, targets, start, stop, weight, mean, _, _, least, slack = stretch
    z, _, numbers, _, used, u, sums, of_groups, _, _, work = design
    for i in range(sums.shape[1]):
        sums[WHOLE, i] = sums[LEFT, i] = 0.0
        for g in range(n_groups):
            of_groups[g, i] = 0.0
    # Entries are sorted by code, so groups come up in the order in which `read_groups` numbered them.
    g = -1
    for p in range(start, stop):
        g += p == start or ranks[p] != ranks[p - 1]
        w = weight_of(weight, rows[p])
        add(of_groups[g], z, rows[p], targets[p] - mean, w, used, numbers[CENTRE], u)
    for g in range(n_groups):
        for i in range(sums.shape[1]):
            sums[WHOLE, i] += of_groups[g, i]
    before = residual(sums[WHOLE], sums[WHOLE], work)
    if splitter == MULTIWAY:
        for g in range(n_groups):
            before -= residual(of_groups[g], sums[WHOLE], work)
        return before
    best = -np.inf
    for c in range(n_groups - 1):
        for i in range(sums.shape[1]):
            sums[LEFT, i] += of_groups[marks[ORDER, c], i]
        w_left, w_right = sums[LEFT, 0], sums[WHOLE, 0] - sums[LEFT, 0]
        if w_left >= least and w_right >= least:
            gain = before - judge(sums, work)
            if gain > best + slack:
                best = gain
                larger = w_left < w_right * (1.0 - TOLERANCE)
                take_sides(side, c, n_groups, splitter == SUBSET, larger, marks)
    return best


@inner
def judge_nominal(splitter: int, stretch: Any, design: Any, groups: Any, marks: Any, side: Any) -> Any:
    """Return the decrease of the squared error by the best nominal test; minus infinity if there is none."""
    n_groups = read_groups(stretch, splitter == SUBSET, groups, marks)
    if splitter == MULTIWAY:
        n_large = 0
        for g in range(n_groups):
            n_large += groups[SIZE, g] >= stretch.least
        if n_large < 2:
            return -np.inf
    if design is not None:
        return nominal_linear(stretch, design, n_groups, splitter, marks, side)
    if splitter != MULTIWAY:
        return best_division(stretch, n_groups, splitter == SUBSET, groups, marks, side)
    gain = -stretch.total * stretch.total / stretch.whole
    for g in range(n_groups):
        gain += groups[TOTAL, g] * groups[TOTAL, g] / groups[SIZE, g]
    return gain


@inner
def stretch_of(columns: Any, f: int, weight: Any, place: Any, about: Any, least: float) -> Any:
    """Select the examples of a node whose value in a column is known; the others precede them."""
    rows, ranks, targets = columns.rows[f], columns.ranks[f], columns.targets[f]
    mean, whole, total = about[MEAN], about[WEIGHT], about[DRIFT]
    start, stop = place[BEGIN], place[END]
    # Missing values come first (rank -1) and are subtracted from the sums of the node.
    while start < stop and ranks[start] < 0:
        w = weight_of(weight, rows[start])
        whole -= w
        total -= w * (targets[start] - mean)
        start += 1
    least = max(least, 1e-12 * whole)  # a weight that is only rounding error is not a side
    return Stretch(
        rows, ranks, targets, start, stop, weight, mean, whole, total, least, TOLERANCE * about[FIT]
    )


@inner
def fit_node(stretch: Any, design: Any, lo: int) -> Any:
    """Return the squared error of the linear fit at a node; its terms also serve all of its tests."""
    rows, _, targets, _, stop, weight, mean, _, _, _, _ = stretch
    z, _, numbers, terms, used, u, sums, _, _, _, work = design
    use_terms(-1, terms, used)
    whole = sums[WHOLE]
    for i in range(len(whole)):
        whole[i] = 0.0
    for p in range(lo, stop):
        add(whole, z, rows[p], targets[p] - mean, weight_of(weight, rows[p]), used, numbers[CENTRE], u)
    return residual(whole, whole, work)


@inner
def take_branches(
    splitter: int, n_branches: int, stretch: Any, lo: int, cut: int, side: Any, size: Any, branch: Any
) -> None:
    """Write the branch of each example; examples whose value is missing take the heaviest branch."""
    rows, ranks, _, start, stop, weight, _, _, _, _, _ = stretch
    for b in range(n_branches):
        size[b] = 0.0
    for p in range(start, stop):
        if splitter == THRESHOLD:
            b = int(p > cut)
        elif splitter == MULTIWAY:
            b = int(ranks[p])
        else:
            b = int(side[ranks[p]])
        branch[rows[p]] = b
        size[b] += weight_of(weight, rows[p])
    heaviest = 0
    for b in range(n_branches):
        if size[b] > size[heaviest]:
            heaviest = b
    for p in range(lo, start):
        branch[rows[p]] = heaviest


@inner
def summarise(
    rows: Any,
    targets: Any,
    weight: Any,
    place: Any,
    about: Any,
    node: int,
    branch: Any,
    ends: Any,
    offset: Any,
) -> None:
    """Write the statistics of the children of a node; a child without examples inherits its parent's mean."""
    lo, hi, mean = place[node, BEGIN], place[node, END], about[node, MEAN]
    first, n_branches = place[node, FIRST], place[node, N_BRANCHES]
    for b in range(n_branches):
        for k in range(about.shape[1]):
            about[first + b, k] = 0.0
        ends[0, b], ends[1, b], offset[b] = np.inf, -np.inf, 0
    for p in range(lo, hi):
        b = branch[rows[p]]
        w = weight_of(weight, rows[p])
        offset[b] += 1
        about[first + b, WEIGHT] += w
        about[first + b, MEAN] += w * (targets[p] - mean)
        ends[0, b] = min(ends[0, b], targets[p])
        ends[1, b] = max(ends[1, b], targets[p])
    begin = lo
    for b in range(n_branches):
        child = first + b
        place[child, ATTRIBUTE] = LEAF
        place[child, DEPTH] = place[node, DEPTH] + 1
        place[child, BEGIN] = begin
        begin += offset[b]
        place[child, END] = begin
        # Exact if all targets are equal, so that such a node has no squared error left and becomes a leaf.
        off = about[child, MEAN] / about[child, WEIGHT] if offset[b] > 0 else 0.0
        about[child, MEAN] = ends[0, b] if ends[0, b] == ends[1, b] else mean + off
    for p in range(lo, hi):
        child = first + branch[rows[p]]
        w = weight_of(weight, rows[p])
        off = targets[p] - about[child, MEAN]
        about[child, DRIFT] += w * off
        about[child, SSE] += w * off * off
    for b in range(n_branches):
        child = first + b
        if ends[0, b] < ends[1, b]:  # a difference too small to be squared still counts
            # sum (y - m)^2 about a rounded mean m exceeds the sum about the true mean by drift^2 / weight.
            excess = about[child, DRIFT] * about[child, DRIFT] / about[child, WEIGHT]
            about[child, SSE] = max(about[child, SSE] - excess, SMALLEST)
        about[child, FIT] = about[child, SSE]


@inner
def partition(
    rows: Any,
    ranks: Any,
    targets: Any,
    lo: int,
    hi: int,
    branch: Any,
    marks: Any,
    n_branches: int,
    room_row: Any,
    room_rank: Any,
    room_target: Any,
) -> None:
    """Sort the range of a column by branch, keeping the order within each branch; `OFFSET` has the sizes."""
    position = np.int64(0)
    for b in range(n_branches):
        marks[PUT, b] = position
        position += marks[OFFSET, b]
    for p in range(lo, hi):
        row = rows[p]
        q = marks[PUT, branch[row]]
        marks[PUT, branch[row]] = q + 1
        room_row[q] = row
        room_rank[q] = ranks[p]
        room_target[q] = targets[p]
    for q in range(hi - lo):
        rows[lo + q] = room_row[q]
        ranks[lo + q] = room_rank[q]
        targets[lo + q] = room_target[q]


@inner
def partition_in_two(
    rows: Any,
    ranks: Any,
    targets: Any,
    lo: int,
    hi: int,
    bits: Any,
    room_row: Any,
    room_rank: Any,
    room_target: Any,
) -> None:
    """Sort the range of a column by branch for tests with two branches, in half the time.

    The branches of all rows fit into the cache as single bits, and no conditional jump depends on them.
    """
    n_left, n_right = np.int64(lo), np.int64(0)
    for p in range(lo, hi):
        row, rank, target = rows[p], ranks[p], targets[p]
        b = np.int64(bits[row >> 3] >> (row & 7) & 1)
        # Both positions are written, but only the right one advances. n_left <= p, so no unread entry is
        # overwritten.
        rows[n_left] = row
        ranks[n_left] = rank
        targets[n_left] = target
        room_row[n_right] = row
        room_rank[n_right] = rank
        room_target[n_right] = target
        n_left += 1 - b
        n_right += b
    for q in range(n_right):
        rows[n_left + q] = room_row[q]
        ranks[n_left + q] = room_rank[q]
        targets[n_left + q] = room_target[q]


@loop
def grow(
    columns: Any,
    weight: Any,
    design: Any,
    nodes: Any,
    room: Any,
    stack: Any,
    state: Any,
    settings: Any,
    budget: int,
) -> bool:
    """Split nodes depth first until about `budget` entries were visited; return whether growth is complete.

    `weight` is None if every example counts once, and `design` if the leaves are constant: the code for the
    other case is then not compiled. The call also returns early if the next step may exceed the space for
    nodes or for the branch map; the caller allocates more space and calls again.
    """
    rows, ranks, targets, splitter, domain = columns
    place, about, branch_map, gains = nodes
    branch, bits, room_row, room_rank, room_target, best, side, groups, marks, tried = room
    min_split, min_leaf, min_decrease, max_depth, root_sse, record, n_tried = settings
    n_columns, widest = len(splitter), marks.shape[1]
    of_entry, of_column = 1, 0
    if design is not None:
        n_terms = len(design.used)
        of_entry = 4 + design.sums.shape[1] // 4
        of_column = MOST_CUTS * n_terms * n_terms * (n_terms + 4) // 8
    spent = 0
    while state[STACK] > 0:
        if (
            spent > budget
            or state[N_NODES] + widest > len(place)
            or state[STACK] + widest > len(stack)
            or state[MAPPED] + widest > len(branch_map)
        ):
            return False
        here = state[STACK] - 1
        node = stack[here]
        lo, hi = place[node, BEGIN], place[node, END]
        # A node whose columns exceed the budget is continued in the next call at `state[COLUMN]`; -1: not
        # started.
        if state[COLUMN] < 0:
            state[COLUMN] = state[FOUND] = 0
            # Draws follow from the path to a node, so that they are the same where a tree grows level by level.
            state[RANDOM] = place[node, KEY]
            for f in range(n_columns):
                best[f, GAIN], best[f, CUT], best[f, CHARGE] = -np.inf, -1.0, 0.0
                tried[f] = f
            if design is not None:
                stretch = stretch_of(columns, 0, weight, place[node], about[node], min_leaf)
                choose_terms(stretch, lo, about[node, WEIGHT], design.z, design.numbers, design.terms)
                about[node, FIT] = fit_node(stretch, design, lo)
                spent += (hi - lo) * of_entry
        while state[COLUMN] < n_columns and state[FOUND] < n_tried:
            if spent > budget:
                return False
            f = state[COLUMN] if n_tried == n_columns else draw(tried, state[COLUMN], state)
            state[COLUMN] += 1
            stretch = stretch_of(columns, f, weight, place[node], about[node], min_leaf)
            if stretch.start >= hi or ranks[f, stretch.start] == ranks[f, hi - 1]:
                continue
            spent += (hi - lo) * of_entry + of_column
            if design is not None:
                # A fit that is exact up to rounding cannot be improved; its gains would be noise.
                if about[node, FIT] <= EXACT * root_sse:
                    continue
                use_terms(design.own[f], design.terms, design.used)
            if splitter[f] != THRESHOLD:
                best[f, GAIN] = judge_nominal(splitter[f], stretch, design, groups, marks, side[f])
                if splitter[f] == SUBSET:
                    best[f, CHARGE] = division_charge(stretch, about[node, FIT])
            elif design is None:
                best[f, GAIN], best[f, CUT] = best_cut(stretch)
            else:
                best_linear_cut(stretch, design, 0.0, stretch.whole, best[f])
            state[FOUND] += best[f, GAIN] > -np.inf
        state[COLUMN] = -1
        state[STACK] = here
        slack = TOLERANCE * about[node, FIT]
        # Constant leaves may be split even without a gain, because a later split may have one; linear leaves
        # must improve.
        least = min_decrease - TOLERANCE * root_sse if min_decrease > 0.0 else -slack
        if design is not None:
            least = max(least, slack)
        # A penalty only lowers the rank of a test: it may still be the best.
        chosen = -1
        most = -np.inf
        for f in range(n_columns):
            if best[f, GAIN] >= least and best[f, GAIN] - best[f, CHARGE] > most + slack:
                chosen = f
                most = best[f, GAIN] - best[f, CHARGE]
        if chosen < 0:
            continue
        stretch = stretch_of(columns, chosen, weight, place[node], about[node], min_leaf)
        if design is not None:
            use_terms(design.own[chosen], design.terms, design.used)
            # Only some of many cuts were tried: try again on a finer grid between the neighbours of the best
            # one, until every cut between them has been tried.
            while splitter[chosen] == THRESHOLD and best[chosen, BELOW] < best[chosen, ABOVE]:
                low, high = best[chosen, BELOW], best[chosen, ABOVE]
                best[chosen, BELOW] = high
                best_linear_cut(stretch, design, low, high, best[chosen])
        if record:
            for f in range(n_columns):
                gains[node, f] = best[f, GAIN]

        kind = splitter[chosen]
        n_branches, first = domain[chosen] if kind == MULTIWAY else 2, state[N_NODES]
        state[N_NODES] = first + n_branches
        place[node, ATTRIBUTE] = chosen
        place[node, FIRST] = first
        place[node, N_BRANCHES] = n_branches
        place[node, MAP_START] = -1
        cut = 0
        if kind == THRESHOLD:
            cut = int(best[chosen, CUT])
            place[node, LOW_ROW] = rows[chosen, cut]
            place[node, HIGH_ROW] = rows[chosen, cut + 1]
        elif kind != MULTIWAY:
            place[node, MAP_START] = state[MAPPED]
            for code in range(domain[chosen]):
                branch_map[state[MAPPED]] = side[chosen, code]
                state[MAPPED] += 1
        take_branches(kind, n_branches, stretch, lo, cut, side[chosen], groups[SIZE], branch)
        summarise(rows[chosen], targets[chosen], weight, place, about, node, branch, groups, marks[OFFSET])
        for child in range(first + n_branches - 1, first - 1, -1):
            if n_tried < n_columns:
                place[child, KEY] = child_key(place[node, KEY], child - first)
            if (
                about[child, WEIGHT] >= min_split
                and place[child, DEPTH] < max_depth
                and about[child, SSE] > 0.0
            ):
                stack[state[STACK]] = child
                state[STACK] += 1
        if state[STACK] == here and design is None:
            continue  # no child of these is split; linear leaves are fitted to the examples later
        if n_branches == 2:
            for p in range(lo, hi):
                row = rows[0, p]
                bit = np.uint8(1 << (row & 7))
                bits[row >> 3] = bits[row >> 3] & ~bit | (bit if branch[row] else np.uint8(0))
        for f in range(n_columns):
            if n_branches == 2:
                partition_in_two(
                    rows[f], ranks[f], targets[f], lo, hi, bits, room_row, room_rank, room_target
                )
            else:
                partition(
                    rows[f],
                    ranks[f],
                    targets[f],
                    lo,
                    hi,
                    branch,
                    marks,
                    n_branches,
                    room_row,
                    room_rank,
                    room_target,
                )
    return True
