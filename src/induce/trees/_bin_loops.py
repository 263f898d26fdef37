"""Hot loops of growth on binned columns: pure functions on arrays.

Each training row is stored as one code per column: the bin of a number or the code of a nominal value;
missing values have an additional code. The examples of a node are a range [lo, hi) of `rows`. A large node
counts its classes per bin only once. Of its two children only the smaller one is counted; the other gets the
difference. Codes of a few examples in a column are sorted directly.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from induce.core.loops import inner, loop
from induce.trees._loops import division_charge

MULTIWAY, SUBSET, ORDERED, THRESHOLD = range(4)
GAIN, GAIN_RATIO, GINI = 0, 1, 2
N_NODES, STACK, MAPPED, FREE, RANDOM = 0, 1, 2, 3, 4
NODE, LO, HI, TAIL_LO, TAIL_HI, TOP, SLOT = range(7)
TOLERANCE = 1e-9
LEAF = -1
NONE = -1
FEW = 200
"""Maximum number of examples that are sorted column by column instead of being counted in all bins."""
SPARSE = 8
"""Ratio of codes to examples above which a column that is counted by itself is sorted instead."""
DE_BRUIJN = 0x03F79D71B4CB0A89
"""De Bruijn number: the six highest bits of its product with a power of two identify that power."""
FEW_CLASSES = 3
"""Maximum number of classes whose terms are summed from scratch for every cut."""
EXACT = 10
"""Maximum number of values of a column at a node for which all binary groupings are tried."""


class Columns(NamedTuple):
    """The codes; column f has the bins `start[f]` to `start[f + 1] - 1`, the last one for missing values."""

    codes: Any
    labels: Any
    start: Any
    splitter: Any


class Nodes(NamedTuple):
    """The nodes grown so far, the children of a node next to each other. `key` is the random seed of a node."""

    attribute: Any
    low_code: Any
    high_code: Any
    first: Any
    n_branches: Any
    map_start: Any
    depth: Any
    counts: Any
    branch_map: Any
    gains: Any
    merits: Any
    key: Any


class Bins(NamedTuple):
    """Class weights per code: one slot per large node for all columns, and one column for small nodes."""

    slots: Any
    free: Any
    few: Any
    bits: Any
    position_of_bit: Any
    all_codes: Any
    code: Any


class Tests(NamedTuple):
    """The best test of each column; `tried` lists the columns in the order of trial."""

    gain: Any
    merit: Any
    low_code: Any
    high_code: Any
    tried: Any


class Parting(NamedTuple):
    """Assignment of the examples of a node to its branches."""

    branch: Any
    taken: Any
    offset: Any
    put: Any
    grows: Any
    tail: Any
    row: Any
    weight: Any


class Scales(NamedTuple):
    """Buffers for evaluating a test: class weights, terms for integer counts, reordered codes."""

    known: Any
    left: Any
    right: Any
    terms: Any
    order: Any
    member: Any


class BinSettings(NamedTuple):
    """Growth settings."""

    measure: Any
    min_split: Any
    min_leaf: Any
    min_gain: Any
    max_depth: Any
    guard: Any
    record: Any
    n_tried: Any


@inner
def xlog2x(x: float) -> float:
    """Return x log2 x, defined as 0 at 0."""
    return x * math.log2(x) if x > 0.0 else 0.0


@inner
def total(counts: Any) -> Any:
    """Return the sum of class weights."""
    weight = counts[0]
    for c in range(1, len(counts)):
        weight += counts[c]
    return weight


@inner
def size_of(bins: Any, b: int) -> Any:
    """Return the weight of the examples in a bin."""
    weight = bins[b, 0]
    for c in range(1, bins.shape[1]):
        weight += bins[b, c]
    return weight


@inner
def clear(bins: Any, begin: int, end: int) -> None:
    """Empty bins `begin` to `end`."""
    for b in range(begin, end):
        for c in range(bins.shape[1]):
            bins[b, c] = 0


@inner
def term(x: Any, terms: Any, gini: bool) -> float:
    """Return the term of a class in a branch: x squared, or x log2 x from a table for integer counts.

    Indexing is faster with an unsigned integer, which cannot be negative.
    """
    # `terms[k]` is k log2 k for integer k.
    if gini:
        return np.float64(x) * np.float64(x)
    return xlog2x(x) if terms is None else terms[np.uint64(x)]


@inner
def together(value: float, weight: Any, terms: Any, gini: bool) -> float:
    """Return the negative weighted impurity of a branch, from the sum of its terms; larger is purer."""
    if gini:
        return value / weight if weight > 0 else 0.0
    return value - term(weight, terms, gini)


@inner
def content(counts: Any, weight: Any, terms: Any, gini: bool) -> float:
    """Return the negative weighted impurity of a branch; larger is purer."""
    value = 0.0
    for c in range(len(counts)):
        value += term(counts[c], terms, gini)
    return together(value, weight, terms, gini)


@inner
def count(columns: Any, rows: Any, weight: Any, lo: int, hi: int, bins: Any, sign: int) -> None:
    """Add a range of examples to the bins of all columns, or subtract it."""
    codes, labels, start = columns.codes, columns.labels, columns.start
    for p in range(lo, hi):
        # The inner loop runs over the columns of one row: its codes are contiguous in memory, and one look-up of the
        # class serves them all.
        row = np.uint64(rows[p])
        label = labels[row]
        w = sign if weight is None else sign * weight[p]
        for f in range(codes.shape[1]):
            bins[np.uint64(start[f] + codes[row, f]), label] += w


@inner
def count_column(columns: Any, rows: Any, weight: Any, lo: int, hi: int, f: int, bins: Any) -> None:
    """Count a range of examples in the emptied bins of one column."""
    codes, labels, start = columns.codes, columns.labels, columns.start
    clear(bins, start[f], start[f + 1])
    for p in range(lo, hi):
        row = np.uint64(rows[p])
        bins[np.uint64(start[f] + codes[row, f]), labels[row]] += 1 if weight is None else weight[p]


@inner
def child_key(key: int, branch: int) -> Any:
    """Return the random seed of a branch, which depends on its path only and not on the order of growth."""
    # The mixing function of splitmix64 with 62-bit constants; never 0, a fixed point of xorshift.
    x = np.uint64(key) ^ (np.uint64(branch + 1) * np.uint64(0x1E3779B97F4A7C15))
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0x3F58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x14D049BB133111EB)
    return np.int64((x ^ (x >> np.uint64(31))) >> np.uint64(2)) + np.int64(1)


@inner
def draw(tried: Any, place: int, state: Any) -> Any:
    """Draw the next column to try (Marsaglia's xorshift) and swap it into place."""
    bits = np.uint64(state[RANDOM])
    bits ^= bits << np.uint64(13)
    bits ^= bits >> np.uint64(7)
    bits ^= bits << np.uint64(17)
    state[RANDOM] = np.int64(bits)
    # One step of the Fisher-Yates shuffle: positions before `place` are already drawn.
    other = place + np.int64((bits >> np.uint64(11)) % np.uint64(len(tried) - place))
    tried[place], tried[other] = tried[other], tried[place]
    return np.int64(tried[place])


@inner
def codes_in_bins(bins: Any, base: int, n_bins: int, code: Any) -> int:
    """Write the codes of nonempty bins in ascending order; return their number."""
    n = 0
    for b in range(n_bins):
        if size_of(bins, base + b) > 0:
            code[n] = b
            n += 1
    return n


@inner
def codes_of_few(
    codes: Any,
    labels: Any,
    f: int,
    rows: Any,
    weight: Any,
    lo: int,
    hi: int,
    bins: Any,
    code: Any,
    bits: Any,
    n_bits: int,
    position: Any,
) -> int:
    """Count a few examples by their codes in one column; return the number of distinct codes, sorted.

    Each code present sets a bit; a De Bruijn multiplication finds the position of the lowest set bit.
    """
    for p in range(lo, hi):
        row = np.uint64(rows[p])
        b = codes[row, f]
        # Both `bins` and `bits` are empty on entry and on exit. `bits` is cleared here and the used bins by
        # the caller, because clearing every bin would take longer than counting a few examples.
        bins[b, labels[row]] += 1 if weight is None else weight[p]
        bits[b >> 6] |= np.int64(1) << (b & 63)
    n = 0
    for i in range(n_bits // 64 + 1):
        left = bits[i]
        bits[i] = 0
        while left != 0:
            # The six highest bits of DE_BRUIJN times a power of two differ for each power.
            lowest = left & -left
            code[n] = 64 * i + position[(lowest * DE_BRUIJN >> 58) & 63]
            n += 1
            left ^= lowest
    return n


@inner
def best_cut(
    bins: Any, base: int, order: Any, n_codes: int, scales: Any, least: float, gini: bool, best: float
) -> Any:
    """Return the best cut of ordered codes, if better than `best`.

    The result is (content, last code below, weight below, number of cuts). Ties go to the first cut. With
    many classes, only the terms of classes that have the current code are updated; with few, all terms are
    summed again, which avoids stalls.
    """
    known, left, _, terms, _, _ = scales
    whole = total(known)
    slack = TOLERANCE * whole
    # Zero in the type of the weights: integer weights stay integers, so their sums are exact.
    w_left = best_left = whole - whole
    many = len(left) > FEW_CLASSES
    sum_left = 0.0
    sum_right = 0.0
    for c in range(len(left)):
        left[c] = 0
        sum_right += term(known[c], terms, gini)
    at = -1
    n_cuts = 0
    while n_codes > 0 and size_of(bins, base + order[n_codes - 1]) == 0:
        n_codes -= 1
    for i in range(n_codes - 1):
        b = np.uint64(base + order[i])
        before = w_left
        if not many:
            sum_left = 0.0
            sum_right = 0.0
        for c in range(len(left)):
            w = bins[b, c]
            in_left = left[c]
            in_right = known[c] - in_left
            # `sum_left` and `sum_right` are the sums of the terms of `left` and `known - left`; only the
            # terms of classes with the current code change.
            if many:
                if w == 0:
                    continue
                sum_left -= term(in_left, terms, gini)
                sum_right -= term(in_right, terms, gini)
            sum_left += term(in_left + w, terms, gini)
            sum_right += term(in_right - w, terms, gini)
            left[c] = in_left + w
            w_left += w
        w_right = whole - w_left
        # A cut after an empty bin splits the examples exactly as the previous cut did.
        if w_left == before or w_left < least or w_right < least:
            continue
        n_cuts += 1
        score = together(sum_left, w_left, terms, gini) + together(sum_right, w_right, terms, gini)
        if score > best + slack:
            best = score
            best_left = w_left
            at = i
    return best, at, best_left, n_cuts


@inner
def order_by_share(bins: Any, base: int, code: Any, n_codes: int, c: int, order: Any) -> None:
    """Order codes by decreasing relative frequency of a class."""
    for g in range(n_codes):
        here = base + code[g]
        size = size_of(bins, here)
        i = g
        while i > 0:
            before = base + order[i - 1]
            if bins[before, c] * size >= bins[here, c] * size_of(bins, before):
                break
            order[i] = order[i - 1]
            i -= 1
        order[i] = code[g]


@inner
def best_of_all_divisions(
    bins: Any,
    base: int,
    code: Any,
    n_codes: int,
    side: Any,
    f: int,
    scales: Any,
    least: float,
    gini: bool,
) -> Any:
    """Return the best of all binary groupings of the codes: (content, weight on the left).

    The side of each code is written to `side[f]`. Each step moves one code to the other side (Gray code); the
    first code stays on the left.
    """
    known, left, right, terms, _, member = scales
    whole = total(known)
    w_left = best_left = whole - whole
    best = -np.inf
    for c in range(len(left)):
        left[c] = 0
    for g in range(n_codes):
        member[g] = True
    for step in range(2 ** (n_codes - 1)):
        # Code 0 moves in step 0. Step s > 0 moves the code after the position of the lowest set bit of s.
        # Every grouping comes up once.
        g = 0
        while step > 0 and (step >> g) & 1 == 0:
            g += 1
        g += step > 0
        sign = 1 if member[g] else -1
        member[g] = not member[g]
        for c in range(len(left)):
            w = sign * bins[base + code[g], c]
            w_left += w
            left[c] = max(left[c] + w, 0)
            right[c] = max(known[c] - left[c], 0)
        w_right = whole - w_left
        if w_left < least or w_right < least or w_right <= TOLERANCE * whole:
            continue
        score = content(left, w_left, terms, gini) + content(right, w_right, terms, gini)
        if score > best + TOLERANCE * whole:
            best = score
            best_left = w_left
            for j in range(n_codes):
                side[f, code[j]] = member[j]
    return best, best_left


@inner
def best_division(
    bins: Any,
    base: int,
    code: Any,
    n_codes: int,
    n_bins: int,
    side: Any,
    f: int,
    scales: Any,
    least: float,
    gini: bool,
) -> Any:
    """Return the best binary grouping of nominal codes: (content, weight on the left).

    The side of each code is written to `side[f]`. With two classes, the best grouping is found by ordering
    the codes by the proportion of one class and cutting them like numbers. With more classes, all groupings
    of a few codes are tried; many codes are ordered by the proportion of each class in turn.
    """
    order = scales.order
    n_classes = len(scales.known)
    whole = total(scales.known)
    best = -np.inf
    best_left = whole - whole
    if n_classes > 2 and n_codes <= EXACT:
        best, best_left = best_of_all_divisions(bins, base, code, n_codes, side, f, scales, least, gini)
    else:
        # With two classes, the best grouping is a cut of one order (CART, ch. 4); with more, the order by
        # each class is a heuristic.
        for c in range(1 if n_classes == 2 else 0, n_classes):
            order_by_share(bins, base, code, n_codes, c, order)
            score, at, w_left, _ = best_cut(bins, base, order, n_codes, scales, least, gini, best)
            if at >= 0:
                best = score
                best_left = w_left
                for j in range(n_codes):
                    side[f, order[j]] = j > at
    i = 0
    for b in range(n_bins):
        if i < n_codes and code[i] == b:
            i += 1
        else:  # a value not seen at this node joins the heavier side
            side[f, b] = 2.0 * best_left < whole * (1.0 - TOLERANCE)
    return best, best_left


@inner
def multiway(bins: Any, base: int, code: Any, n_codes: int, terms: Any, least: float, gini: bool) -> Any:
    """Evaluate a test with one branch per code: (content, sum of w log2 w); content is -inf if invalid."""
    score = 0.0
    spread = 0.0
    n_large = 0
    for i in range(n_codes):
        size = size_of(bins, base + code[i])
        value = 0.0
        for c in range(bins.shape[1]):
            value += term(bins[base + code[i], c], terms, gini)
        score += together(value, size, terms, gini)
        spread += xlog2x(size)
        n_large += size >= least
    return score if n_large >= 2 else -np.inf, spread


@inner
def best_test(
    bins: Any,
    base: int,
    code: Any,
    n_codes: int,
    n_bins: int,
    splitter: int,
    counts: Any,
    side: Any,
    f: int,
    scales: Any,
    settings: Any,
) -> Any:
    """Return the best test of a column: (gain, merit, last code below the cut, first code above it).

    Without any test, gain and merit are NaN; merit is also NaN if the gain is too small.
    """
    known = scales.known
    gini = settings.measure == GINI
    # `bins[base + n_bins]` has the class weights of the examples whose value is missing.
    for c in range(len(known)):
        known[c] = max(counts[c] - bins[base + n_bins, c], 0.0)
    # The code for missing values is the last one and is not a value.
    if n_codes > 0 and code[n_codes - 1] == n_bins:
        n_codes -= 1
    if n_codes < 2:
        return np.nan, np.nan, -1, -1
    whole, of_known = total(counts), total(known)
    score = -np.inf
    spread = xlog2x(whole - of_known)
    w_left = of_known
    penalty = charge = 0.0
    low = high = -1
    if splitter in (THRESHOLD, ORDERED):
        least = settings.min_leaf
        guard = settings.guard and splitter == THRESHOLD
        if guard:
            # As in C4.5: a tenth of the average class weight, but no more than 25.
            least = max(least, min(0.1 * of_known / len(known), 25.0) * (1.0 - TOLERANCE))
        score, at, w_left, n_cuts = best_cut(bins, base, code, n_codes, scales, least, gini, -np.inf)
        if at >= 0:
            low = code[at]
            at += 1
            # The threshold lies between values of the node, not between bins.
            while size_of(bins, base + code[at]) == 0:
                at += 1
            high = code[at]
        if guard:
            # Quinlan 1996: the description length of the choice among cuts.
            penalty = math.log2(max(n_cuts, 1)) / whole
    elif side is not None:
        if splitter == SUBSET:
            score, w_left = best_division(
                bins, base, code, n_codes, n_bins, side, f, scales, settings.min_leaf, gini
            )
            charge = division_charge(n_codes, known, gini) / whole
        else:
            score, spread_of_values = multiway(
                bins, base, code, n_codes, scales.terms, settings.min_leaf, gini
            )
            spread += spread_of_values
    if score == -np.inf:
        return np.nan, np.nan, low, high
    if splitter != MULTIWAY:
        spread += xlog2x(w_left) + xlog2x(of_known - w_left)
    gain = (score - content(known, of_known, scales.terms, gini)) / whole - penalty
    merit = np.nan
    if gain >= settings.min_gain - TOLERANCE:
        merit = gain
        if settings.measure == GAIN_RATIO:
            information = xlog2x(whole) - spread
            merit = gain * whole / information if information > 0.0 else 0.0
        # A penalty only lowers the rank of a test: it may still be the best. For the gain ratio, which
        # compares tests of at least average gain, the gain itself is reduced, as for a threshold.
        if charge > 0.0 and gain > 0.0:
            merit *= (gain - charge) / gain
            if settings.measure == GAIN_RATIO:
                gain -= charge
    return gain, merit, low, high


@inner
def choose(gain: Any, merit: Any, ratio: bool) -> int:
    """Return the column with the best merit, or -1; ties go to the first; merit is NaN without a test.

    With the gain ratio, only tests of at least average gain compete.
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


@inner
def set_branches(
    start: Any, splitter: Any, f: int, nodes: Any, node: int, state: Any, tests: Any, side: Any, branch: Any
) -> int:
    """Store the test of a node and the branch of each code, missing last; return the number of branches."""
    n_bins = start[f + 1] - start[f] - 1
    nodes.attribute[node] = f
    nodes.low_code[node] = tests.low_code[f]
    nodes.high_code[node] = tests.high_code[f]
    nodes.map_start[node] = -1
    n_branches = 2
    for b in range(n_bins):
        branch[b] = b > tests.low_code[f]
    if side is not None:
        if splitter[f] == MULTIWAY:
            n_branches = n_bins
            for b in range(n_bins):
                branch[b] = b
        elif splitter[f] != THRESHOLD:
            nodes.map_start[node] = state[MAPPED]
            for b in range(n_bins):
                if splitter[f] == SUBSET:
                    branch[b] = side[f, b]
                nodes.branch_map[state[MAPPED]] = branch[b]
                state[MAPPED] += 1
    # The examples with a missing value follow those of all branches.
    branch[n_bins] = n_branches
    nodes.first[node] = state[N_NODES]
    nodes.n_branches[node] = n_branches
    state[N_NODES] += n_branches
    return n_branches


@inner
def is_terminal(counts: Any, depth: int, min_split: float, max_depth: int) -> bool:
    """Return whether a node is a leaf before any test is tried: too light, too deep or of one class."""
    weight = total(counts)
    largest = 0.0
    for c in range(len(counts)):
        largest = max(largest, counts[c])
    return weight < min_split or depth >= max_depth or largest >= weight * (1.0 - 1e-12)


@inner
def make_children(
    codes: Any,
    labels: Any,
    f: int,
    rows: Any,
    weight: Any,
    lo: int,
    hi: int,
    nodes: Any,
    node: int,
    parting: Any,
    min_split: float,
    max_depth: int,
) -> bool:
    """Store the branch of each example and the class counts of each child; return whether any child may grow.

    Examples with a missing value go down all branches, in proportion to the known values.
    """
    branch, taken, offset, _, grows, tail, _, _ = parting
    counts = nodes.counts
    first, n_branches = nodes.first[node], nodes.n_branches[node]
    for b in range(n_branches + 1):
        offset[b] = 0
    for c in range(len(tail)):
        tail[c] = 0.0
        for b in range(n_branches):
            counts[first + b, c] = 0.0
    for p in range(lo, hi):
        row = np.uint64(rows[p])
        b = branch[codes[row, f]]
        c = labels[row]
        w = 1.0 if weight is None else weight[p]
        # Branches by position, so that `partition` need not look up the codes again.
        taken[p - lo] = b
        offset[b] += 1
        if weight is None or b < n_branches:
            counts[first + b, c] += w
        else:
            tail[c] += w
    # C4.5, ch. 3: the class weights of a child are those of its own examples plus its fraction of the tail.
    of_known = total(counts[node]) - total(tail)
    any_grows = False
    for b in range(n_branches):
        child = first + b
        nodes.attribute[child] = LEAF
        nodes.depth[child] = nodes.depth[node] + 1
        nodes.key[child] = child_key(nodes.key[node], b)
        share = total(counts[child]) / of_known
        for c in range(len(tail)):
            counts[child, c] += share * tail[c]
        grows[b] = offset[b] > 0 and not is_terminal(counts[child], nodes.depth[child], min_split, max_depth)
        any_grows |= grows[b]
    return any_grows


@inner
def partition(rows: Any, weight: Any, lo: int, hi: int, n_branches: int, parting: Any) -> None:
    """Sort a range of examples by branch, keeping their order within each branch; `offset` has the sizes."""
    _, taken, offset, put, _, _, room, room_weight = parting
    position = np.int64(0)
    for b in range(n_branches + 1):
        put[b] = position
        position += offset[b]
    for p in range(hi - lo):
        b = taken[p]
        q = put[b]
        put[b] = q + 1
        room[q] = rows[lo + p]
        if weight is not None:
            room_weight[q] = weight[lo + p]
    for q in range(hi - lo):
        rows[lo + q] = room[q]
        if weight is not None:
            weight[lo + q] = room_weight[q]


@inner
def take_share(
    rows: Any, weight: Any, lo: int, hi: int, tail_lo: int, tail_hi: int, counts: Any, top: int
) -> None:
    """Copy the examples of a child to `top`, followed by its fraction of the examples with a missing value."""
    # The weight of the tail in the child is the weight of the child minus the weight of its own examples.
    # Both are copied to the free space at the end, because the siblings need the tail unchanged.
    share = total(counts)
    for p in range(lo, hi):
        rows[top] = rows[p]
        weight[top] = weight[p]
        share -= weight[p]
        top += 1
    tail = 0.0
    for q in range(tail_lo, tail_hi):
        tail += weight[q]
    for q in range(tail_lo, tail_hi):
        rows[top] = rows[q]
        weight[top] = weight[q] * share / tail
        top += 1


@inner
def hand_on_bins(
    columns: Any,
    rows: Any,
    lo: int,
    hi: int,
    slots: Any,
    slot: int,
    free: Any,
    offset: Any,
    grows: Any,
    state: Any,
) -> Any:
    """Turn the bins of a node into those of its larger child; return the slots of the left and right child.

    One slot always stays free, for a child that has to be counted from scratch.
    """
    # The bins of a node are the sum of its children's bins, so only the smaller child is counted. If the
    # smaller child needs no bins of its own, it is subtracted in place; otherwise it is counted in a slot and
    # subtracted.
    middle = lo + offset[0]
    left_larger = 2 * offset[0] >= hi - lo
    begin, end = (middle, hi) if left_larger else (lo, middle)
    large_grows, small_grows = (grows[0], grows[1]) if left_larger else (grows[1], grows[0])
    small_slot = NONE
    # No child reuses the bins: the larger one is a leaf or small enough to be sorted directly, or no slot
    # would stay free.
    if not large_grows or hi - lo - (end - begin) <= FEW or state[FREE] < 1:
        free[state[FREE]] = slot
        state[FREE] += 1
        slot = NONE
    else:
        sign = -1
        into = slot
        if small_grows and end - begin > FEW and state[FREE] > 1:
            state[FREE] -= 1
            into = small_slot = free[state[FREE]]
            clear(slots[into], 0, slots.shape[1])
            sign = 1
        count(columns, rows, None, begin, end, slots[into], sign)
        if into != slot:
            for b in range(slots.shape[1]):
                for c in range(slots.shape[2]):
                    slots[slot, b, c] -= slots[into, b, c]
    return (slot, small_slot) if left_larger else (small_slot, slot)


@loop
def grow(
    columns: Any,
    rows: Any,
    weight: Any,
    nodes: Any,
    bins: Any,
    scales: Any,
    tests: Any,
    side: Any,
    parting: Any,
    stack: Any,
    state: Any,
    settings: Any,
    budget: int,
) -> bool:
    """Split nodes depth first until about `budget` codes were visited; return whether growth is complete.

    `weight` is None if every example counts once and no value is missing, and `side` is None if no column is
    nominal; the code for them is then not compiled. With weights, every node is counted from scratch, because
    a difference of fractions may not be exactly 0. If only some columns are tried at each node, only these
    are counted.

    The call also returns early if nodes, records or copied examples may not fit in the next step; the caller
    allocates more space and calls again.
    """
    codes, labels, start, splitter = columns
    slots, free, few, bits, position_of_bit, all_codes, _ = bins
    offset, grows = parting.offset, parting.grows
    n_columns = len(splitter)
    widest = len(all_codes)
    some = settings.n_tried < n_columns
    spent = 0
    while state[STACK] > 0:
        if (
            spent > budget
            or state[N_NODES] + widest > len(nodes.attribute)
            or state[STACK] + widest > len(stack)
            or state[MAPPED] + widest > len(nodes.branch_map)
        ):
            return False
        # The record stays on the stack until its examples are copied, so that a call that runs out of space
        # can be repeated safely.
        record = stack[state[STACK] - 1]
        node, lo, hi, slot, top = record[NODE], record[LO], record[HI], record[SLOT], record[TOP]
        tail_lo, tail_hi = record[TAIL_LO], record[TAIL_HI]
        if weight is not None and tail_lo < tail_hi:
            end = top + hi - lo + tail_hi - tail_lo
            if end > len(rows):
                return False
            take_share(rows, weight, lo, hi, tail_lo, tail_hi, nodes.counts[node], top)
            lo, hi, top = top, end, end
        state[STACK] -= 1
        counts = nodes.counts[node]
        if is_terminal(counts, nodes.depth[node], settings.min_split, settings.max_depth):
            continue
        spent += (hi - lo) * (settings.n_tried if some else n_columns)

        # Counting passes over all bins besides the examples; a few examples are sorted by their codes more
        # cheaply.
        counted = hi - lo > (max(FEW, widest // SPARSE) if some else FEW)
        any_test = False
        if some:
            state[RANDOM] = nodes.key[node]
            for f in range(n_columns):
                tests.gain[f] = tests.merit[f] = np.nan
                tests.tried[f] = f
        # A slot is always free here, because `hand_on_bins` leaves one.
        if counted and slot == NONE:
            state[FREE] -= 1
            slot = free[state[FREE]]
            if not some:
                clear(slots[slot], 0, slots.shape[1])
                count(columns, rows, weight, lo, hi, slots[slot], 1)
        for i in range(n_columns):
            f = i
            if some:
                # Columns without a test are not counted: more columns are drawn until one has a test.
                if i >= settings.n_tried and any_test:
                    break
                f = draw(tests.tried, i, state)
                if counted:
                    count_column(columns, rows, weight, lo, hi, f, slots[slot])
            n_bins = start[f + 1] - start[f] - 1
            here, base, code, n_codes = few, 0, bins.code, 0
            if not counted:
                n_codes = codes_of_few(
                    codes, labels, f, rows, weight, lo, hi, few, code, bits, n_bins, position_of_bit
                )
            else:
                here, base = slots[slot], start[f]
                if side is None or splitter[f] in (THRESHOLD, ORDERED):
                    code, n_codes = all_codes, n_bins
                else:
                    n_codes = codes_in_bins(here, base, n_bins, code)
            tests.gain[f], tests.merit[f], tests.low_code[f], tests.high_code[f] = best_test(
                here, base, code, n_codes, n_bins, splitter[f], counts, side, f, scales, settings
            )
            any_test = any_test or not np.isnan(tests.merit[f])
            if not counted:
                for i in range(n_codes):
                    clear(few, code[i], code[i] + 1)
        if settings.record:
            for f in range(n_columns):
                nodes.gains[node, f] = tests.gain[f]
                nodes.merits[node, f] = tests.merit[f]
        f = choose(tests.gain, tests.merit, settings.measure == GAIN_RATIO)
        n_branches = 0
        any_grows = False
        if f >= 0:
            n_branches = set_branches(start, splitter, f, nodes, node, state, tests, side, parting.branch)
            any_grows = make_children(
                codes,
                labels,
                f,
                rows,
                weight,
                lo,
                hi,
                nodes,
                node,
                parting,
                settings.min_split,
                settings.max_depth,
            )
        if any_grows:
            partition(rows, weight, lo, hi, n_branches, parting)
        left_slot = right_slot = NONE
        if counted:
            if weight is None and any_grows and n_branches == 2 and not some:
                left_slot, right_slot = hand_on_bins(
                    columns, rows, lo, hi, slots, slot, free, offset, grows, state
                )
            else:
                free[state[FREE]] = slot
                state[FREE] += 1
        if not any_grows:
            continue
        # Examples of the tail follow those of the branches. The last child is pushed first, so that the first
        # child grows first.
        stop = tail_lo = hi - offset[n_branches]
        for b in range(n_branches - 1, -1, -1):
            begin = stop - offset[b]
            if grows[b]:
                record = stack[state[STACK]]
                record[NODE] = nodes.first[node] + b
                record[LO] = begin
                record[HI] = stop
                record[TAIL_LO] = tail_lo
                record[TAIL_HI] = hi
                record[TOP] = top
                record[SLOT] = left_slot if b == 0 else right_slot
                state[STACK] += 1
            stop = begin
    return True
