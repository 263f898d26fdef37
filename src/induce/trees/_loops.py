"""Hot loops of tree growth: pure functions on arrays.

Every column of the training table is kept sorted: `ranks` holds the dense ranks of its values (nominal codes
or numeric ranks, -1 for missing) in ascending order, `rows` the training row of each entry and `labels` its
class. The examples of a node are one contiguous stretch [lo, hi) of every column. A split partitions each
stretch stably, so the columns never have to be sorted again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from induce.core.jit import inner_jit, jit

MULTIWAY, SUBSET, THRESHOLD = 0, 1, 2
GAIN, GAIN_RATIO, GINI = 0, 1, 2
VISIT, ENTER, LEAVE = 0, 1, 2
N_NODES, STACK, TOP, SAVED, MAPPED = 0, 1, 2, 3, 4
TOLERANCE = 1e-9
LEAF = -1


class Columns(NamedTuple):
    """The sorted columns; entries beyond the training rows are room for rows that go down several branches."""

    rows: Any
    ranks: Any
    labels: Any
    splitter: Any
    domain: Any


class Nodes(NamedTuple):
    """The nodes grown so far; the children of a node are consecutive."""

    attribute: Any
    low_row: Any
    high_row: Any
    first: Any
    n_branches: Any
    map_start: Any
    depth: Any
    counts: Any
    branch_map: Any
    gains: Any
    merits: Any


class Room(NamedTuple):
    """Space the loop works in: of the examples, of the columns, of the values of a column, of the classes."""

    branch: Any
    bits: Any
    row: Any
    rank: Any
    label: Any
    gain: Any
    merit: Any
    cut: Any
    group: Any
    group_code: Any
    size: Any
    order: Any
    side: Any
    grows: Any
    offset: Any
    put: Any
    known: Any
    left: Any
    right: Any
    left_count: Any
    right_count: Any
    terms: Any
    steps: Any
    saved_row: Any
    saved_weight: Any


class Settings(NamedTuple):
    """What to prefer and when to stop."""

    measure: Any
    scale: Any
    min_split: Any
    min_leaf: Any
    min_gain: Any
    max_depth: Any
    guard: Any
    record: Any


@inner_jit
def xlog2x(x: float) -> float:
    """x log2 x, continued by 0 at 0."""
    return x * np.log2(x) if x > 0.0 else 0.0


@inner_jit
def total(counts: Any) -> float:
    """The sum of class weights."""
    weight = 0.0
    for c in range(len(counts)):
        weight += counts[c]
    return weight


@inner_jit
def content(counts: Any, weight: float, gini: bool) -> float:
    """Minus the impurity of a branch times its weight (entropy), or the gini term: larger is purer."""
    value = 0.0
    if gini:
        for c in range(len(counts)):
            value += counts[c] * counts[c]
        return value / weight if weight > 0.0 else 0.0
    for c in range(len(counts)):
        value += xlog2x(counts[c])
    return value - xlog2x(weight)


@inner_jit
def best_cut_counts(
    ranks: Any,
    labels: Any,
    f: int,
    start: int,
    stop: int,
    known: Any,
    left: Any,
    right: Any,
    terms: Any,
    steps: Any,
    scale: float,
    least: float,
    gini: bool,
) -> Any:
    """Best threshold of a stretch of whole examples: (content, position below the cut, number of cuts).

    The terms of the measure are looked up in tables of whole numbers, so the sums are exact and do not
    depend on the order of equal values.
    """
    n = stop - start
    sum_left = np.int64(0)
    sum_right = np.int64(0)
    for c in range(len(known)):
        left[c] = 0
        right[c] = np.int64(known[c])
        sum_right += terms[right[c]]
    first, last = start + np.int64(np.ceil(max(least, 1.0))) - 1, stop - np.int64(np.ceil(max(least, 1.0)))
    at = -1
    n_cuts = 0
    slack = np.int64(TOLERANCE * n * scale)
    best = bar = np.int64(-(2**62))
    best_gini = bar_gini = -np.inf
    for p in range(start, last):
        c = labels[f, p]
        in_left = left[c]
        in_right = right[c] - 1
        sum_left += steps[in_left]
        sum_right -= steps[in_right]
        left[c] = in_left + 1
        right[c] = in_right
        if ranks[f, p] != ranks[f, p + 1] and p >= first:
            n_left = p - start + 1
            n_cuts += 1
            if gini:
                by_gini = sum_left / n_left + sum_right / (n - n_left)
                if by_gini > bar_gini:
                    best_gini = by_gini
                    bar_gini = by_gini + TOLERANCE * n
                    at = p
            else:
                score = sum_left + sum_right - terms[n_left] - terms[n - n_left]
                if score > bar:
                    best = score
                    bar = score + slack
                    at = p
    return best_gini if gini else best / scale, at, n_cuts


@inner_jit
def best_cut_weights(
    rows: Any,
    ranks: Any,
    labels: Any,
    f: int,
    start: int,
    stop: int,
    weight: Any,
    known: Any,
    left: Any,
    right: Any,
    least: float,
    gini: bool,
) -> Any:
    """Best threshold of a stretch of weighted examples: (content, position below the cut, number of cuts).

    Between two examples of one class no cut can be best (Fayyad 1991) unless it is the first or last allowed.
    """
    whole = total(known)
    for c in range(len(known)):
        left[c] = 0.0
        right[c] = known[c]
    best = -np.inf
    at = -1
    n_cuts = 0
    slack = TOLERANCE * whole
    w_left = 0.0
    only = -2
    for p in range(start, stop - 1):
        c = labels[f, p]
        w = weight[rows[f, p]]
        left[c] += w
        right[c] = max(right[c] - w, 0.0)
        w_left += w
        only = c if only == -2 or only == c else -1
        if ranks[f, p] == ranks[f, p + 1]:
            continue
        pure = only == labels[f, p + 1] and (p + 2 >= stop or ranks[f, p + 1] != ranks[f, p + 2])
        only = -2
        w_right = whole - w_left
        if w_left < least or w_right < least:
            continue
        n_cuts += 1
        if pure and n_cuts > 1 and p + 2 < stop and w_right - weight[rows[f, p + 1]] >= least:
            continue
        score = content(left, w_left, gini) + content(right, w_right, gini)
        if score > best + slack:
            best = score
            at = p
    return best, at, n_cuts


@inner_jit
def read_groups(
    rows: Any,
    ranks: Any,
    labels: Any,
    f: int,
    start: int,
    stop: int,
    weight: Any,
    group: Any,
    code: Any,
    size: Any,
) -> int:
    """Class weights of each value present in a stretch of a nominal column; return how many there are."""
    n_groups = 0
    previous = -1
    for p in range(start, stop):
        if ranks[f, p] != previous:
            previous = ranks[f, p]
            code[n_groups] = previous
            size[n_groups] = 0.0
            for c in range(group.shape[1]):
                group[n_groups, c] = 0.0
            n_groups += 1
        w = 1.0 if weight is None else weight[rows[f, p]]
        group[n_groups - 1, labels[f, p]] += w
        size[n_groups - 1] += w
    return n_groups


@inner_jit
def best_subset(
    group: Any,
    code: Any,
    size: Any,
    n_groups: int,
    known: Any,
    left: Any,
    right: Any,
    order: Any,
    side: Any,
    f: int,
    least: float,
    gini: bool,
) -> Any:
    """Best division of nominal values in two: (content, weight on the left); `side[f]` gets that of each code.

    The values are ordered by the share of a class and cut like numbers: exact for two classes; for more, the
    orders by each class are tried.
    """
    n_classes = len(known)
    whole = total(known)
    best = -np.inf
    best_left = 0.0
    for c in range(1 if n_classes == 2 else 0, n_classes):
        for g in range(n_groups):
            i = g
            while i > 0 and group[order[i - 1], c] * size[g] < group[g, c] * size[order[i - 1]]:
                order[i] = order[i - 1]
                i -= 1
            order[i] = g
        w_left = 0.0
        for k in range(n_classes):
            left[k] = 0.0
        for i in range(n_groups - 1):
            for k in range(n_classes):
                left[k] += group[order[i], k]
                right[k] = max(known[k] - left[k], 0.0)
            w_left += size[order[i]]
            if w_left < least or whole - w_left < least:
                continue
            score = content(left, w_left, gini) + content(right, whole - w_left, gini)
            if score > best + TOLERANCE * whole:
                best = score
                best_left = w_left
                for absent in range(side.shape[1]):  # a value not seen at this node goes with the larger side
                    side[f, absent] = 2.0 * w_left < whole * (1.0 - TOLERANCE)
                for j in range(n_groups):
                    side[f, code[order[j]]] = j > i
    return best, best_left


@inner_jit
def multiway(group: Any, size: Any, n_groups: int, least: float, gini: bool) -> Any:
    """One branch per value: (content, sum of w log2 w over the branches); minus infinity for no real test."""
    score = 0.0
    spread = 0.0
    n_large = 0
    for g in range(n_groups):
        score += content(group[g], size[g], gini)
        spread += xlog2x(size[g])
        n_large += size[g] >= least
    return score if n_large >= 2 else -np.inf, spread


@inner_jit
def read_known(
    rows: Any, ranks: Any, labels: Any, f: int, lo: int, hi: int, weight: Any, counts: Any, known: Any
) -> int:
    """Class weights of the examples whose value is known; return where they begin (missing ones come first)."""
    for c in range(len(known)):
        known[c] = counts[c]
    p = lo
    if weight is not None:
        while p < hi and ranks[f, p] < 0:
            c = labels[f, p]
            known[c] = max(known[c] - weight[rows[f, p]], 0.0)
            p += 1
    return p


@inner_jit
def choose(gain: Any, merit: Any, ratio: bool) -> int:
    """The column with the best merit, the first of equals, or -1; those without a test have merit NaN.

    For the gain ratio only tests with at least average gain compete.
    """
    n_tests = 0
    sum_of_gains = 0.0
    for f in range(len(merit)):
        if not np.isnan(merit[f]):
            n_tests += 1
            sum_of_gains += gain[f]
    least = sum_of_gains / n_tests - 1e-3 if ratio and n_tests > 0 else -np.inf
    best = -np.inf
    chosen = -1
    for f in range(len(merit)):
        if gain[f] >= least and merit[f] > best + TOLERANCE:
            best = merit[f]
            chosen = f
    return chosen


@inner_jit
def partition(
    rows: Any,
    ranks: Any,
    labels: Any,
    lo: int,
    hi: int,
    branch: Any,
    n_branches: int,
    offset: Any,
    put: Any,
    room_row: Any,
    room_rank: Any,
    room_label: Any,
) -> None:
    """Order every column's stretch by branch, keeping the order within a branch; `offset` has the sizes."""
    for f in range(rows.shape[0]):
        position = np.int64(0)
        for b in range(n_branches + 1):
            put[b] = position
            position += offset[b]
        for p in range(lo, hi):
            row = rows[f, p]
            b = branch[row]
            q = put[b]
            put[b] = q + 1
            room_row[q] = row
            room_rank[q] = ranks[f, p]
            room_label[q] = labels[f, p]
        for q in range(hi - lo):
            rows[f, lo + q] = room_row[q]
            ranks[f, lo + q] = room_rank[q]
            labels[f, lo + q] = room_label[q]


@inner_jit
def partition_in_two(
    rows: Any,
    ranks: Any,
    labels: Any,
    lo: int,
    hi: int,
    branch: Any,
    bits: Any,
    room_row: Any,
    room_rank: Any,
    room_label: Any,
) -> None:
    """Order every column's stretch by branch where there are two, in half the time.

    The branches of all rows fit the cache as single bits, and no jump depends on them.
    """
    for p in range(lo, hi):
        row = rows[0, p]
        bit = np.uint8(1 << (row & 7))
        bits[row >> 3] = bits[row >> 3] & ~bit | (bit if branch[row] else np.uint8(0))
    for f in range(rows.shape[0]):
        n_left, n_right = np.int64(lo), np.int64(0)
        for p in range(lo, hi):
            row, rank, label = rows[f, p], ranks[f, p], labels[f, p]
            b = np.int64(bits[row >> 3] >> (row & 7) & 1)
            rows[f, n_left] = row
            ranks[f, n_left] = rank
            labels[f, n_left] = label
            room_row[n_right] = row
            room_rank[n_right] = rank
            room_label[n_right] = label
            n_left += 1 - b
            n_right += b
        for q in range(n_right):
            rows[f, n_left + q] = room_row[q]
            ranks[f, n_left + q] = room_rank[q]
            labels[f, n_left + q] = room_label[q]


@inner_jit
def is_terminal(counts: Any, depth: int, min_split: float, max_depth: int) -> bool:
    """Whether a node is a leaf before any test is tried: too light, too deep or of one class."""
    weight = total(counts)
    largest = 0.0
    for c in range(len(counts)):
        largest = max(largest, counts[c])
    return weight < min_split or depth >= max_depth or largest >= weight * (1.0 - 1e-12)


@inner_jit
def merge(rows: Any, ranks: Any, labels: Any, lo: int, hi: int, tail_lo: int, tail_hi: int, top: int) -> None:
    """Copy two stretches of every column, merged in order, to `top`."""
    for f in range(rows.shape[0]):
        p, q, out = lo, tail_lo, top
        while p < hi or q < tail_hi:
            if q >= tail_hi or (p < hi and ranks[f, p] <= ranks[f, q]):
                source = p
                p += 1
            else:
                source = q
                q += 1
            rows[f, out] = rows[f, source]
            ranks[f, out] = ranks[f, source]
            labels[f, out] = labels[f, source]
            out += 1


@inner_jit
def take_share(
    rows: Any,
    lo: int,
    hi: int,
    tail_lo: int,
    tail_hi: int,
    counts: Any,
    weight: Any,
    saved_row: Any,
    saved_weight: Any,
    n_saved: int,
) -> None:
    """Scale the weights of the examples that a child gets only in part, and save those they had."""
    share = total(counts)
    for p in range(lo, hi):
        share -= weight[rows[0, p]]
    tail = 0.0
    for q in range(tail_lo, tail_hi):
        tail += weight[rows[0, q]]
    for q in range(tail_lo, tail_hi):
        row = rows[0, q]
        saved_row[n_saved] = row
        saved_weight[n_saved] = weight[row]
        n_saved += 1
        weight[row] *= share / tail


@inner_jit
def push(stack: Any, state: Any, kind: int, node: int, lo: int, hi: int, tail_lo: int, tail_hi: int) -> None:
    """Put a record of work on the stack."""
    top = state[STACK]
    stack[top, 0] = kind
    stack[top, 1] = node
    stack[top, 2] = lo
    stack[top, 3] = hi
    stack[top, 4] = tail_lo
    stack[top, 5] = tail_hi
    state[STACK] = top + 1


@jit
def grow(
    columns: Any, weight: Any, nodes: Any, room: Any, stack: Any, state: Any, settings: Any, budget: int
) -> bool:
    """Split nodes depth first until about `budget` entries were looked at; say whether growth is complete.

    `weight` is None when every example counts once and no value is missing: what only weights need is then not
    even compiled.

    It also returns early when the space for nodes, records or copied examples may not be enough for the next
    step; the caller makes room and calls again.
    """
    rows, ranks, labels, splitter, domain = columns
    measure, scale, min_split, min_leaf, min_gain, max_depth, guard, record = settings
    branch, known, left, right = room.branch, room.known, room.left, room.right
    group, group_code, size = room.group, room.group_code, room.size
    order, side, grows = room.order, room.side, room.grows
    gain, merit, cut, offset = room.gain, room.merit, room.cut, room.offset
    counts, branch_map = nodes.counts, nodes.branch_map
    gini = measure == GINI
    n_columns, n_classes = len(splitter), len(known)
    widest = len(group_code)
    spent = 0
    while state[STACK] > 0:
        if (
            spent > budget
            or state[N_NODES] + widest > len(nodes.attribute)
            or state[STACK] + widest + 1 > len(stack)
            or state[MAPPED] + widest > len(branch_map)
        ):
            return False
        here = state[STACK] - 1
        kind, node, lo, hi = stack[here, 0], stack[here, 1], stack[here, 2], stack[here, 3]
        state[STACK] = here
        if weight is not None:
            if kind == LEAVE:
                while state[SAVED] > lo:
                    state[SAVED] -= 1
                    weight[room.saved_row[state[SAVED]]] = room.saved_weight[state[SAVED]]
                state[TOP] = hi
                continue
            if kind == ENTER:
                tail_lo, tail_hi = stack[here, 4], stack[here, 5]
                top, n_saved, n_tail = state[TOP], state[SAVED], tail_hi - tail_lo
                if top + hi - lo + n_tail > rows.shape[1] or n_saved + n_tail > len(room.saved_row):
                    state[STACK] = here + 1
                    return False
                take_share(
                    rows,
                    lo,
                    hi,
                    tail_lo,
                    tail_hi,
                    counts[node],
                    weight,
                    room.saved_row,
                    room.saved_weight,
                    n_saved,
                )
                merge(rows, ranks, labels, lo, hi, tail_lo, tail_hi, top)
                push(stack, state, LEAVE, node, n_saved, top, 0, 0)
                lo, hi = top, top + hi - lo + n_tail
                state[TOP] = hi
                state[SAVED] = n_saved + n_tail
        if is_terminal(counts[node], nodes.depth[node], min_split, max_depth):
            continue
        spent += (hi - lo) * n_columns

        whole = total(counts[node])
        for f in range(n_columns):
            gain[f] = np.nan
            merit[f] = np.nan
            start = read_known(rows, ranks, labels, f, lo, hi, weight, counts[node], known)
            if start >= hi or ranks[f, start] == ranks[f, hi - 1]:
                continue
            of_known = total(known)
            spread = xlog2x(whole - of_known)
            penalty = 0.0
            if splitter[f] == THRESHOLD:
                least = min_leaf
                if guard:
                    least = max(least, min(0.1 * of_known / n_classes, 25.0) * (1.0 - TOLERANCE))
                if weight is not None:
                    score, at, n_cuts = best_cut_weights(
                        rows, ranks, labels, f, start, hi, weight, known, left, right, least, gini
                    )
                else:
                    score, at, n_cuts = best_cut_counts(
                        ranks,
                        labels,
                        f,
                        start,
                        hi,
                        known,
                        room.left_count,
                        room.right_count,
                        room.terms,
                        room.steps,
                        scale,
                        least,
                        gini,
                    )
                if at < 0:
                    continue
                cut[f] = at
                w_left = 0.0
                if measure == GAIN_RATIO:
                    for p in range(start, at + 1):
                        w_left += 1.0 if weight is None else weight[rows[f, p]]
                if guard:
                    penalty = np.log2(n_cuts) / whole
                spread += xlog2x(w_left) + xlog2x(of_known - w_left)
            else:
                n_groups = read_groups(rows, ranks, labels, f, start, hi, weight, group, group_code, size)
                if splitter[f] == SUBSET:
                    score, w_left = best_subset(
                        group, group_code, size, n_groups, known, left, right, order, side, f, min_leaf, gini
                    )
                    spread += xlog2x(w_left) + xlog2x(of_known - w_left)
                else:
                    score, spread_of_values = multiway(group, size, n_groups, min_leaf, gini)
                    spread += spread_of_values
                if score == -np.inf:
                    continue
            gain[f] = (score - content(known, of_known, gini)) / whole - penalty
            if gain[f] >= min_gain - TOLERANCE:
                merit[f] = gain[f]
                if measure == GAIN_RATIO:
                    information = xlog2x(whole) - spread
                    merit[f] = gain[f] * whole / information if information > 0.0 else 0.0
        if record:
            for f in range(n_columns):
                nodes.gains[node, f] = gain[f]
                nodes.merits[node, f] = merit[f]
        f = choose(gain, merit, measure == GAIN_RATIO)
        if f < 0:
            continue

        n_branches = domain[f] if splitter[f] == MULTIWAY else 2
        nodes.map_start[node] = -1
        start = lo
        while ranks[f, start] < 0:
            branch[rows[f, start]] = n_branches
            start += 1
        if splitter[f] == THRESHOLD:
            nodes.low_row[node] = rows[f, cut[f]]
            nodes.high_row[node] = rows[f, cut[f] + 1]
            for p in range(start, hi):
                branch[rows[f, p]] = p > cut[f]
        elif splitter[f] == MULTIWAY:
            for p in range(start, hi):
                branch[rows[f, p]] = ranks[f, p]
        else:
            nodes.map_start[node] = state[MAPPED]
            for code in range(domain[f]):
                branch_map[state[MAPPED]] = side[f, code]
                state[MAPPED] += 1
            for p in range(start, hi):
                branch[rows[f, p]] = side[f, ranks[f, p]]

        first = state[N_NODES]
        state[N_NODES] = first + n_branches
        nodes.attribute[node] = f
        nodes.first[node] = first
        nodes.n_branches[node] = n_branches
        tail = left
        for b in range(n_branches + 1):
            offset[b] = 0
        for c in range(n_classes):
            tail[c] = 0.0
            for child in range(first, first + n_branches):
                counts[child, c] = 0.0
        for p in range(lo, hi):
            b = branch[rows[f, p]]
            offset[b] += 1
            w = 1.0 if weight is None else weight[rows[f, p]]
            if b < n_branches:
                counts[first + b, labels[f, p]] += w
            else:
                tail[labels[f, p]] += w
        of_known = whole - total(tail)
        any_grows = False
        for child in range(first, first + n_branches):
            nodes.attribute[child] = LEAF
            nodes.depth[child] = nodes.depth[node] + 1
            share = total(counts[child]) / of_known
            for c in range(n_classes):
                counts[child, c] += share * tail[c]
            grows[child - first] = not is_terminal(counts[child], nodes.depth[child], min_split, max_depth)
            any_grows |= grows[child - first]
        if not any_grows:
            continue

        if n_branches == 2 and offset[2] == 0:
            partition_in_two(rows, ranks, labels, lo, hi, branch, room.bits, room.row, room.rank, room.label)
        else:
            partition(
                rows,
                ranks,
                labels,
                lo,
                hi,
                branch,
                n_branches,
                offset,
                room.put,
                room.row,
                room.rank,
                room.label,
            )
        stop = tail_lo = hi - offset[n_branches]
        for b in range(n_branches - 1, -1, -1):
            begin = stop - offset[b]
            if begin < stop and grows[b]:
                push(stack, state, ENTER if tail_lo < hi else VISIT, first + b, begin, stop, tail_lo, hi)
            stop = begin
    return True
