"""Hot loops of tree growth: pure functions on arrays.

Every column of the training table is kept sorted. `ranks` holds the dense ranks of its values in ascending
order (nominal codes or numeric ranks, -1 for missing), `rows` the training row of each entry and `labels` its
class. The examples of a node are one contiguous range [lo, hi) of every column. A split partitions each range
stably, so the columns are never sorted again.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from induce.core.loops import inner, loop

MULTIWAY, SUBSET, ONE_VALUE, ORDERED, THRESHOLD = range(5)
ENTROPY, GINI, ROOT, CHI_SQUARE, TWOING = range(5)
PLAIN, RATIO, DISTANCE, G, PER_COST, TAN_SCHLIMMER, NUNEZ, RANDOM = range(8)
FRACTIONAL, DISTRIBUTED, CLASS_DISTRIBUTED, MODE, CLASS_MODE = range(5)
NEVER, WHERE_MISSING, ALWAYS = range(3)
VISIT, ENTER, LEAVE, SPLIT = range(4)
N_NODES, STACK, TOP, SAVED, MAPPED = 0, 1, 2, 3, 4
TOLERANCE = 1e-9
LEAF = -1
EXACT = 10
"""Maximum number of values of a column at a node for which all binary groupings are tried."""


class Columns(NamedTuple):
    """The sorted columns; entries beyond the training rows are space for rows that take several branches."""

    rows: Any
    ranks: Any
    labels: Any
    splitter: Any
    domain: Any


class Nodes(NamedTuple):
    """The nodes grown so far, the children of a node next to each other."""

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


class SplitSearch(NamedTuple):
    """Buffers for the search for a test: per class, per value of a column, per column.

    `side` is None if there are no binary groupings of values.
    """

    known: Any
    left: Any
    right: Any
    left_count: Any
    right_count: Any
    terms: Any
    steps: Any
    group: Any
    group_code: Any
    size: Any
    order: Any
    member: Any
    side: Any
    gain: Any
    merit: Any
    cut: Any


class Parting(NamedTuple):
    """Buffers for partitioning the examples of a node: per example, per branch, per class."""

    branch: Any
    bits: Any
    row: Any
    rank: Any
    label: Any
    grows: Any
    offset: Any
    put: Any
    tail: Any
    known: Any


class Saved(NamedTuple):
    """The original weights of examples that a branch received only a fraction of."""

    row: Any
    weight: Any


class GrowthSettings(NamedTuple):
    """Growth settings."""

    impurity: Any
    merit: Any
    scale: Any
    min_split: Any
    min_leaf: Any
    min_gain: Any
    max_depth: Any
    guard: Any
    record: Any
    pause: Any


class SurrogateArrays(NamedTuple):
    """Surrogates of a test with two branches, best first: each array has one row per test.

    `low_row` and `high_row` are rows with the values next to a threshold, `branch` the branch of each code.
    """

    attribute: Any
    low_row: Any
    high_row: Any
    swapped: Any
    branch: Any
    association: Any


class Extras(NamedTuple):
    """Arrays that only some learners need; the loop is smaller and compiles faster without them.

    `known` is a buffer for the class weights of the examples with a known value, `pair` one for the class
    weights of two branches. `critical` holds the critical value of chi-square for each number of degrees of
    freedom, or is empty.
    """

    impurity: Any
    merit: Any
    missing: Any
    known: Any
    pair: Any
    pair_size: Any
    cost: Any
    cost_weight: Any
    seed: Any
    critical: Any
    count_declared: Any


@inner
def xlog2x(x: float) -> float:
    """Return x log2 x, defined as 0 at 0."""
    return x * math.log2(x) if x > 0.0 else 0.0


@inner
def total(counts: Any) -> float:
    """Return the sum of class weights."""
    weight = 0.0
    for c in range(len(counts)):
        weight += counts[c]
    return weight


@inner
def content(counts: Any, weight: float, gini: bool, extras: Any) -> float:
    """Return the negative weighted impurity of a branch, up to a constant; larger is purer."""
    # With class weights n_c and their sum W, entropy gives -W H = sum n_c log n_c - W log W, and Gini gives
    # sum n_c^2 / W (less W, the same for every test). The contents of the branches less that of the node are
    # therefore W times the gain.
    value = 0.0
    if extras is not None:
        # Kearns and Mansour's measure, sqrt(p (1 - p)), one term per class.
        if extras.impurity == ROOT:
            for c in range(len(counts)):
                value -= np.sqrt(max(counts[c] * (weight - counts[c]), 0.0))
            return value
        # N sum n_bc^2 / (n_b n_c) over branches and classes is chi-square plus N; for the node itself it is N.
        if extras.impurity == CHI_SQUARE:
            for c in range(len(counts)):
                if counts[c] > 0.0:
                    value += counts[c] * counts[c] / extras.known[c]
            return value / weight * total(extras.known) if weight > 0.0 else 0.0
        # Twoing is not a sum over branches: `content_of_two` computes it as a whole.
        if extras.impurity == TWOING:
            return 0.0
    if gini:
        for c in range(len(counts)):
            value += counts[c] * counts[c]
        return value / weight if weight > 0.0 else 0.0
    for c in range(len(counts)):
        value += xlog2x(counts[c])
    return value - xlog2x(weight)


@inner
def content_of_two(left: Any, w_left: float, right: Any, w_right: float, gini: bool, extras: Any) -> float:
    """Return the content of two branches together."""
    # CART, ch. 4: P_L P_R / 4 (sum |p(c|L) - p(c|R)|)^2, times the weight of the node.
    if extras is not None and extras.impurity == TWOING:
        apart = 0.0
        for c in range(len(left)):
            apart += abs(left[c] / w_left - right[c] / w_right)
        return 0.25 * w_left * w_right / (w_left + w_right) * apart * apart
    return content(left, w_left, gini, extras) + content(right, w_right, gini, extras)


@inner
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
    """Return the best threshold of a range of unweighted examples.

    The result is (content, position below the cut, number of cuts). The terms of the measure come from
    integer tables, so the sums are exact and do not depend on the order of equal values.
    """
    # `terms[k]` is k log2 k as an integer multiple of 1 / scale (k^2 for Gini), `steps[k]` is terms[k + 1] -
    # terms[k]: moving an example to the left changes two terms by one step each.
    n = stop - start
    sum_left = np.int64(0)
    sum_right = np.int64(0)
    for c in range(len(known)):
        left[c] = 0
        right[c] = np.int64(known[c])
        sum_right += terms[right[c]]
    # The range of positions p with at least `least` examples on both sides.
    first, last = start + np.int64(np.ceil(max(least, 1.0))) - 1, stop - np.int64(np.ceil(max(least, 1.0)))
    at = -1
    n_cuts = 0
    slack = np.int64(TOLERANCE * n * scale)
    # A later cut must beat the best by more than `slack`, so that ties up to rounding go to the lowest cut.
    best = bar = np.int64(-(2**62))
    best_gini = bar_gini = -np.inf
    for p in range(start, last):
        # Here `left` and `right` are the class counts of [start, p) and [p, stop), and the sums run over
        # their terms.
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


@inner
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
    extras: Any,
) -> Any:
    """Return the best threshold of a range of weighted examples: (content, position below the cut, number of
    cuts).

    A cut between two examples of one class cannot be best (Fayyad 1991), except the first or last allowed
    cut.
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
    # The class of the examples with the current value: -2 before the first value, -1 if the classes differ.
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
        # Whether the current value and the next one, which only one example has, belong to the same class.
        pure = only == labels[f, p + 1] and (p + 2 >= stop or ranks[f, p + 1] != ranks[f, p + 2])
        only = -2
        w_right = whole - w_left
        if w_left < least or w_right < least:
            continue
        # Counted even if it is not evaluated: the penalty depends on the number of allowed cuts.
        n_cuts += 1
        # The next cut is allowed too, so this one lies within a run of one class and is neither first nor
        # last.
        if pure and n_cuts > 1 and p + 2 < stop and w_right - weight[rows[f, p + 1]] >= least:
            continue
        if extras is not None:
            score = content_of_two(left, w_left, right, w_right, gini, extras)
        elif gini:
            square_left = square_right = 0.0
            for k in range(len(left)):
                square_left += left[k] * left[k]
                square_right += right[k] * right[k]
            score = square_left / w_left + square_right / w_right
        else:
            score = -xlog2x(w_left) - xlog2x(w_right)
            for k in range(len(left)):
                score += xlog2x(left[k]) + xlog2x(right[k])
        if score > best + slack:
            best = score
            at = p
    return best, at, n_cuts


@inner
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
    """Sum the class weights of each value in a range of a nominal column; return the number of values."""
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


@inner
def order_by_share(group: Any, size: Any, n_groups: int, c: int, order: Any) -> None:
    """Order values by decreasing relative frequency of a class."""
    for g in range(n_groups):
        i = g
        while i > 0 and group[order[i - 1], c] * size[g] < group[g, c] * size[order[i - 1]]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = g


@inner
def division_charge(n_groups: int, known: Any, gini: bool) -> float:
    """Return the penalty on the merit of a binary grouping for the number of groupings it was chosen from.

    The penalty is in units of the gain times the weight of the node. A threshold is the best of about n cuts,
    but k values have 2^(k - 1) groupings, so the best grouping of an uninformative column looks good by
    chance. The bits in excess of those of a threshold are the penalty for entropy. For the Gini index it is
    the equivalent chi-square statistic, 2 ln 2 per bit, because the decrease of the index, divided by the
    index and multiplied by n (classes - 1), has a chi-square distribution.
    """
    weight = total(known)
    bits = n_groups - 1 - math.log2(max(weight, 2.0))
    if bits <= 0.0:
        return 0.0
    if not gini:
        return bits
    impure, n_present = 1.0, 0
    for c in range(len(known)):
        impure -= known[c] / weight * (known[c] / weight)
        n_present += known[c] > 0
    return 2.0 * math.log(2.0) * bits * impure / max(n_present - 1, 1)


@inner
def best_division(
    group: Any,
    code: Any,
    size: Any,
    n_groups: int,
    known: Any,
    left: Any,
    right: Any,
    order: Any,
    member: Any,
    side: Any,
    f: int,
    splitter: int,
    least: float,
    gini: bool,
    extras: Any,
) -> Any:
    """Return the best binary grouping of nominal values: (content, weight on the left).

    The side of each code is written to `side[f]`. A grouping is one value against the others, lower against
    higher values of an ordered attribute, or any subset. With two classes, the best subset is found by
    ordering the values by the proportion of one class and cutting them like numbers. With more classes, all
    groupings of a few values are tried; many values are ordered by the proportion of each class in turn.

    Each method moves one value to the other side per step and evaluates the resulting grouping.
    """
    if side is None:
        return -np.inf, 0.0
    n_classes = len(known)
    whole = total(known)
    # `member[g]` is 0 if value g is on the left; `left` and `right` are the class weights of the two sides.
    # Only those on the left are updated incrementally; clipping at 0 removes rounding errors of fractional
    # weights.
    best = -np.inf
    best_left = 0.0
    exact = splitter == SUBSET and n_classes > 2 and n_groups <= EXACT
    n_walks = n_classes if splitter == SUBSET and n_classes > 2 and not exact else 1
    n_steps = n_groups - 1
    # Value 0 moves left in step 0 and stays; the others follow a Gray code, one value per step. Every
    # grouping comes up once, without its mirror image.
    if exact:
        n_steps = 2 ** (n_groups - 1)
    # A value moves to the left in an even step and back in the next odd step.
    elif splitter == ONE_VALUE:
        n_steps = 2 * n_groups
    for walk in range(n_walks):
        if splitter == SUBSET and not exact:
            # CART, ch. 4: with two classes the best subset is a prefix of this order.
            order_by_share(group, size, n_groups, 1 if n_classes == 2 else walk, order)
        for g in range(n_groups):
            member[g] = 1
        for k in range(n_classes):
            left[k] = 0.0
        w_left = 0.0
        for step in range(n_steps):
            if exact:
                g = 0
                while step > 0 and (step >> g) & 1 == 0:  # the bit of the Gray code that changes
                    g += 1
                g += step > 0
            elif splitter == ONE_VALUE:
                g = step // 2
            else:
                g = order[step] if splitter == SUBSET else step
            sign = 1.0 if member[g] == 1 else -1.0
            member[g] = 1 - member[g]
            for k in range(n_classes):
                left[k] = max(left[k] + sign * group[g, k], 0.0)
                right[k] = max(known[k] - left[k], 0.0)
            w_left += sign * size[g]
            w_right = whole - w_left
            if splitter == ONE_VALUE and step % 2 == 1:
                continue
            if w_left < least or w_right < least or w_right <= TOLERANCE * whole:
                continue
            score = content_of_two(left, w_left, right, w_right, gini, extras)
            if score > best + TOLERANCE * whole:
                best = score
                best_left = w_left
                for absent in range(side.shape[1]):
                    if splitter == ORDERED:
                        side[f, absent] = absent > code[g]
                    else:  # a value not seen at this node joins the others, or the heavier side
                        side[f, absent] = splitter == ONE_VALUE or 2.0 * w_left < whole * (1.0 - TOLERANCE)
                for j in range(n_groups):
                    side[f, code[j]] = member[j]
    return best, best_left


@inner
def multiway(group: Any, size: Any, n_groups: int, least: float, gini: bool, extras: Any) -> Any:
    """Evaluate a test with one branch per value: (content, sum of w log2 w); content is -inf if invalid."""
    score = 0.0
    spread = 0.0
    n_large = 0
    for g in range(n_groups):
        score += content(group[g], size[g], gini, extras)
        spread += xlog2x(size[g])
        n_large += size[g] >= least
    return score if n_large >= 2 else -np.inf, spread


@inner
def read_pair(
    rows: Any,
    ranks: Any,
    labels: Any,
    f: int,
    start: int,
    stop: int,
    at: int,
    side: Any,
    splitter: int,
    weight: Any,
    pair: Any,
    size: Any,
) -> None:
    """Sum the class weights of the two branches of a test."""
    for b in range(2):
        size[b] = 0.0
        for c in range(pair.shape[1]):
            pair[b, c] = 0.0
    for p in range(start, stop):
        b = int(p > at) if splitter == THRESHOLD else int(side[f, ranks[f, p]])
        w = weight[rows[f, p]]
        pair[b, labels[f, p]] += w
        size[b] += w


@inner
def fill(group: Any, size: Any, n_groups: int, counts: Any, known: Any, missing: int) -> None:
    """Assign the examples with a missing value to branches; `known` gets the class weights of all examples."""
    of_known = total(known)
    heaviest = 0
    for b in range(n_groups):
        if size[b] > size[heaviest]:
            heaviest = b
    for c in range(len(known)):
        # The weight of the examples of this class whose value is missing.
        gone = counts[c] - known[c]
        if gone <= 0.0:
            continue
        of_class = heaviest
        for b in range(n_groups):
            if group[b, c] > group[of_class, c]:
                of_class = b
        if missing == MODE:
            group[heaviest, c] += gone
        elif missing == CLASS_MODE:
            group[of_class, c] += gone
        else:
            by_class = missing == CLASS_DISTRIBUTED and known[c] > 0.0
            for b in range(n_groups):
                group[b, c] += gone * (group[b, c] / known[c] if by_class else size[b] / of_known)
    for c in range(len(known)):
        known[c] = counts[c]
    for b in range(n_groups):
        size[b] = total(group[b])


@inner
def is_significant(group: Any, size: Any, n_groups: int, known: Any, n_values: int, critical: Any) -> bool:
    """Return whether class and test are dependent by the chi-square test."""
    whole = total(known)
    deviation = 0.0
    n_classes = 0
    for c in range(len(known)):
        if known[c] <= 0.0:
            continue
        n_classes += 1
        for b in range(n_groups):
            expected = known[c] * size[b] / whole
            if expected > 0.0:
                deviation += (group[b, c] - expected) ** 2 / expected
    # (values - 1) (classes present - 1) degrees of freedom.
    return bool(deviation >= critical[(n_values - 1) * (n_classes - 1)] * (1.0 - TOLERANCE))


@inner
def drawn(seed: int, node: int, f: int) -> float:
    """Return a random number between 0 and 1 for a column at a node (the mixing function of splitmix64)."""
    x = np.uint64(seed) + np.uint64(node + 1) * np.uint64(0x9E3779B97F4A7C15)
    x += np.uint64(f) * np.uint64(0xD1B54A32D192ED03)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return float((x ^ (x >> np.uint64(31))) / 2.0**64)


@inner
def judge(
    group: Any,
    size: Any,
    n_groups: int,
    n_values: int,
    counts: Any,
    known: Any,
    penalty: float,
    node: int,
    f: int,
    gini: bool,
    extras: Any,
) -> Any:
    """Return gain and merit of a test given the class weights of its branches; NaN if it is not allowed."""
    whole = total(counts)
    if extras.missing != FRACTIONAL:
        fill(group, size, n_groups, counts, known, extras.missing)
    of_known = total(known)
    if n_groups == 2:
        score = content_of_two(group[0], size[0], group[1], size[1], gini, extras)
    else:
        score, _ = multiway(group, size, n_groups, 0.0, gini, extras)
    gain = (score - content(known, of_known, gini, extras)) / whole - penalty
    if extras.impurity == CHI_SQUARE:
        gain *= whole
    if len(extras.critical) > 0 and not is_significant(
        group, size, n_groups, known, n_values if extras.count_declared else n_groups, extras.critical
    ):
        return np.nan, np.nan
    cost = extras.cost[f]
    merit = gain
    # In units of the node's weight W. For the gain ratio: the split information, with missing values as a
    # branch of their own (C4.5, ch. 3). For López de Mántaras' distance: the joint entropy of class and
    # branch.
    if extras.merit == RATIO or extras.merit == DISTANCE:
        information = xlog2x(whole) - xlog2x(whole - of_known)
        for b in range(n_groups):
            if extras.merit == RATIO:
                information -= xlog2x(size[b])
            else:
                for c in range(len(known)):
                    information -= xlog2x(group[b, c])
        merit = gain * whole / information if information > 0.0 else 0.0
    # The likelihood-ratio statistic in natural logarithms; the gain is in bits per example.
    elif extras.merit == G:
        merit = 2.0 * math.log(2.0) * whole * gain
    elif extras.merit == PER_COST:
        merit = gain / cost
    # Mitchell 3.7.5; the same section has Núñez' measure below.
    elif extras.merit == TAN_SCHLIMMER:
        merit = max(gain, 0.0) ** 2 / cost
    elif extras.merit == NUNEZ:
        merit = (2.0**gain - 1.0) / (cost + 1.0) ** extras.cost_weight
    elif extras.merit == RANDOM:
        merit = drawn(extras.seed, node, f)
    return gain, merit


@inner
def mimic(
    rows: Any,
    ranks: Any,
    f: int,
    lo: int,
    hi: int,
    branch: Any,
    weight: Any,
    group: Any,
    size: Any,
    nominal: bool,
) -> Any:
    """Evaluate a column as a surrogate for a binary test: (agreement, known weight, cut, swapped).

    In a nominal column, a value takes the branch of most of its examples; `group[code]` gets their weights
    per branch. Only examples whose branch is known are used.
    """
    size[0] = size[1] = 0.0
    for code in range(len(group) if nominal else 0):
        group[code, 0] = group[code, 1] = 0.0
    for p in range(lo, hi):
        b = branch[rows[f, p]]
        if b < 2 and ranks[f, p] >= 0:
            size[b] += weight[rows[f, p]]
            if nominal:
                group[ranks[f, p], b] += weight[rows[f, p]]
    agreement, at, swapped = 0.0, -1, False
    if nominal:
        for code in range(len(group)):
            agreement += max(group[code, 0], group[code, 1])
        return agreement, size[0] + size[1], at, swapped
    # Weights of the two branches among the known examples up to `last`. The agreement of a threshold there is
    # `straight` if low values take branch 0, and `crossed` if they take branch 1.
    first = second = 0.0
    last = -1
    for p in range(lo, hi):
        b = branch[rows[f, p]]
        if b >= 2 or ranks[f, p] < 0:
            continue
        if last >= 0 and ranks[f, last] != ranks[f, p]:
            straight = first + size[1] - second
            crossed = second + size[0] - first
            if max(straight, crossed) > agreement + TOLERANCE * (size[0] + size[1]):
                agreement, at, swapped = max(straight, crossed), last, crossed > straight
        last = p
        if b == 0:
            first += weight[rows[f, p]]
        else:
            second += weight[rows[f, p]]
    return agreement, size[0] + size[1], at, swapped


@loop
def find_surrogates(
    columns: Any, chosen: int, lo: int, hi: int, branch: Any, weight: Any, found: Any, group: Any, size: Any
) -> int:
    """Find the best surrogates of a binary test; return their number.

    Examples whose value in the chosen column is missing have the branch 2. Surrogates assign their branches,
    best first; examples without a usable surrogate take the branch with the larger weight.
    """
    rows, ranks, _, splitter, domain = columns
    most = len(found.attribute)
    n_found = 0
    for f in range(len(splitter)):
        if f == chosen:
            continue
        nominal = splitter[f] != THRESHOLD
        of_values = group[: domain[f]]
        agreement, known, at, swapped = mimic(
            rows, ranks, f, lo, hi, branch, weight, of_values, size, nominal
        )
        # Errors of the rule "take the heavier branch". The association (CART 5.3) is the fraction of these
        # errors that the surrogate avoids; a surrogate that avoids none is useless.
        blind = known - max(size[0], size[1])
        if blind <= 0.0 or (not nominal and at < 0):
            continue
        association = 1.0 - (known - agreement) / blind
        # Insertion from the end: a column moves ahead of others only if it is better by more than the
        # tolerance.
        k = n_found
        while k > 0 and found.association[k - 1] < association - TOLERANCE:
            k -= 1
        if k == most or association <= TOLERANCE:
            continue
        n_found = min(n_found + 1, most)
        for later in range(n_found - 1, k, -1):
            found.attribute[later] = found.attribute[later - 1]
            found.low_row[later] = found.low_row[later - 1]
            found.high_row[later] = found.high_row[later - 1]
            found.swapped[later] = found.swapped[later - 1]
            found.association[later] = found.association[later - 1]
            for code in range(found.branch.shape[1]):
                found.branch[later, code] = found.branch[later - 1, code]
        found.attribute[k] = f
        found.association[k] = association
        found.swapped[k] = swapped
        if nominal:
            for code in range(domain[f]):
                says = np.int32(group[code, 1] > group[code, 0])
                found.branch[k, code] = says if group[code, 0] + group[code, 1] > 0.0 else np.int32(-1)
        else:
            above = at + 1
            while ranks[f, above] == ranks[f, at]:
                above += 1
            found.low_row[k] = rows[f, at]
            found.high_row[k] = rows[f, above]
    if ranks[chosen, lo] < 0:
        send_by_surrogates(rows, ranks, splitter, chosen, lo, hi, branch, weight, found, n_found, size)
    return n_found


@inner
def send_by_surrogates(
    rows: Any,
    ranks: Any,
    splitter: Any,
    chosen: int,
    lo: int,
    hi: int,
    branch: Any,
    weight: Any,
    found: Any,
    n_found: int,
    size: Any,
) -> None:
    """Send the examples whose value in the chosen column is missing along its surrogates."""
    size[0] = size[1] = 0.0
    for p in range(lo, hi):
        if ranks[chosen, p] >= 0:
            size[branch[rows[chosen, p]]] += weight[rows[chosen, p]]
    for k in range(n_found):
        f = found.attribute[k]
        # Ranks refer to the whole table, so the rank of `low_row` is the highest below the threshold at any
        # node.
        highest = -1  # rank below the threshold
        if splitter[f] == THRESHOLD:
            p = lo
            while rows[f, p] != found.low_row[k]:
                p += 1
            highest = ranks[f, p]
        for p in range(lo, hi):
            row, rank = rows[f, p], ranks[f, p]
            if branch[row] == 2 and rank >= 0:
                says = np.int32((rank > highest) != found.swapped[k])
                if splitter[f] != THRESHOLD:
                    says = found.branch[k, rank]
                if says >= 0:
                    branch[row] = says
                    size[says] += weight[row]
    for p in range(lo, hi):
        if branch[rows[chosen, p]] == 2:
            branch[rows[chosen, p]] = np.int64(size[1] > size[0])


@inner
def read_known(
    rows: Any, ranks: Any, labels: Any, f: int, lo: int, hi: int, weight: Any, counts: Any, known: Any
) -> int:
    """Sum the class weights of the examples with known values; return the first of them (missing come first)."""
    for c in range(len(known)):
        known[c] = counts[c]
    p = lo
    # Without weights no value is missing.
    if weight is not None:
        while p < hi and ranks[f, p] < 0:
            c = labels[f, p]
            known[c] = max(known[c] - weight[rows[f, p]], 0.0)
            p += 1
    return p


@inner
def choose(gain: Any, merit: Any, ratio: bool) -> int:
    """Return the column with the best merit, or -1; ties go to the first; merit is NaN without a test.

    With the gain ratio, only tests of at least average gain compete.
    """
    # Quinlan's guard against tests with little information (C4.5, ch. 2): gain ratio alone prefers unbalanced
    # tests. The slack keeps a test whose gain equals the average.
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
    """Sort the range of every column by branch, keeping the order within each branch; `offset` has the sizes."""
    for f in range(rows.shape[0]):
        # A counting sort: `put[b]` is the next free position of branch b in the buffer. It is stable, so
        # every range stays sorted by rank.
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


@inner
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
    """Sort the range of every column by branch for tests with two branches, in half the time.

    The branches of all rows fit into the cache as single bits, and no conditional jump depends on them.
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
            # Both positions are written, but only the right one advances. n_left <= p, so no unread entry is
            # overwritten.
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


@inner
def send_by_mode(
    rows: Any,
    labels: Any,
    f: int,
    lo: int,
    start: int,
    hi: int,
    branch: Any,
    n_branches: int,
    weight: Any,
    group: Any,
    missing: int,
) -> None:
    """Send the examples without a value, [lo, start), down the heaviest branch, overall or for their class."""
    n_classes = group.shape[1]
    heaviest = 0
    most = -1.0
    for b in range(n_branches):
        for c in range(n_classes):
            group[b, c] = 0.0
    for p in range(start, hi):
        group[branch[rows[f, p]], labels[f, p]] += weight[rows[f, p]]
    for b in range(n_branches):
        if total(group[b]) > most:
            most = total(group[b])
            heaviest = b
    # Ties go to the heaviest branch, then to the first.
    for p in range(lo, start):
        c = labels[f, p]
        chosen = heaviest
        for b in range(n_branches if missing == CLASS_MODE else 0):
            if group[b, c] > group[chosen, c]:
                chosen = b
        branch[rows[f, p]] = chosen


@inner
def is_terminal(counts: Any, depth: int, min_split: float, max_depth: int) -> bool:
    """Return whether a node is a leaf before any test is tried: too light, too deep or of one class."""
    weight = total(counts)
    largest = 0.0
    for c in range(len(counts)):
        largest = max(largest, counts[c])
    # Fractional weights leave small residues of other classes in a pure node.
    return weight < min_split or depth >= max_depth or largest >= weight * (1.0 - 1e-12)


@inner
def merge(rows: Any, ranks: Any, labels: Any, lo: int, hi: int, tail_lo: int, tail_hi: int, top: int) -> None:
    """Copy two ranges of every column to `top`, merged in order."""
    for f in range(rows.shape[0]):
        p, q, out = lo, tail_lo, top
        while p < hi or q < tail_hi:
            # Ties between ranks go to the child's own examples.
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


@inner
def take_share(
    rows: Any,
    labels: Any,
    lo: int,
    hi: int,
    tail_lo: int,
    tail_hi: int,
    counts: Any,
    share: Any,
    tail: Any,
    by_class: bool,
    weight: Any,
    saved_row: Any,
    saved_weight: Any,
    n_saved: int,
) -> None:
    """Scale the weights of examples that a child receives only in part, and save the original weights.

    Weights are scaled per class, or all by the same factor.
    """
    # `share` becomes the weight of the tail in the child: the class weights of the child less those of its
    # own examples [lo, hi). `tail` is the weight of the tail in the parent.
    for c in range(len(counts)):
        share[c] = counts[c]
        tail[c] = 0.0
    for p in range(lo, hi):
        share[labels[0, p]] -= weight[rows[0, p]]
    for q in range(tail_lo, tail_hi):
        tail[labels[0, q]] += weight[rows[0, q]]
    # C4.5, ch. 3: an example without a value goes down every branch, in proportion to the known weight of the
    # branch.
    factor = total(share) / total(tail)
    for q in range(tail_lo, tail_hi):
        row = rows[0, q]
        c = labels[0, q]
        saved_row[n_saved] = row
        saved_weight[n_saved] = weight[row]
        n_saved += 1
        # all partial rows of a class may already have zero weight
        weight[row] *= (max(share[c] / tail[c], 0.0) if tail[c] > 0.0 else 0.0) if by_class else factor


@inner
def push(stack: Any, state: Any, kind: int, node: int, lo: int, hi: int, tail_lo: int, tail_hi: int) -> None:
    """Push a record of work onto the stack."""
    top = state[STACK]
    stack[top, 0] = kind
    stack[top, 1] = node
    stack[top, 2] = lo
    stack[top, 3] = hi
    stack[top, 4] = tail_lo
    stack[top, 5] = tail_hi
    state[STACK] = top + 1


@inner
def find_test(
    columns: Any,
    weight: Any,
    extras: Any,
    counts: Any,
    search: Any,
    settings: Any,
    node: int,
    lo: int,
    hi: int,
) -> int:
    """Return the column with the best test for the examples [lo, hi) of a node, or -1; details are in `search`."""
    rows, ranks, labels, splitter, domain = columns
    impurity, how, scale, _, min_leaf, min_gain, _, guard, _, _ = settings
    known, left, right = search.known, search.left, search.right
    group, group_code, size, side = search.group, search.group_code, search.size, search.side
    gain, merit, cut = search.gain, search.merit, search.cut
    gini = impurity == GINI
    n_columns, n_classes = len(splitter), len(known)
    whole = total(counts)
    for f in range(n_columns):
        gain[f] = np.nan
        merit[f] = np.nan
        start = read_known(rows, ranks, labels, f, lo, hi, weight, counts, known)
        if start >= hi or ranks[f, start] == ranks[f, hi - 1]:
            continue
        of_known = total(known)
        # Sum of w log2 w over the branches, with the missing values as one of them (C4.5, ch. 3); xlog2x(whole) -
        # spread is W times the information of the division.
        spread = xlog2x(whole - of_known)
        penalty = charge = 0.0
        if splitter[f] == THRESHOLD:
            least = min_leaf
            # As in C4.5: a tenth of the average class weight on each side, but no more than 25. The tolerance
            # keeps a cut of exactly that weight.
            if guard:
                least = max(least, min(0.1 * of_known / n_classes, 25.0) * (1.0 - TOLERANCE))
            if weight is not None:
                score, at, n_cuts = best_cut_weights(
                    rows, ranks, labels, f, start, hi, weight, known, left, right, least, gini, extras
                )
            else:
                score, at, n_cuts = best_cut_counts(
                    ranks,
                    labels,
                    f,
                    start,
                    hi,
                    known,
                    search.left_count,
                    search.right_count,
                    search.terms,
                    search.steps,
                    scale,
                    least,
                    gini,
                )
            if at < 0:
                continue
            cut[f] = at
            w_left = 0.0
            if how == RATIO:
                for p in range(start, at + 1):
                    w_left += 1.0 if weight is None else weight[rows[f, p]]
            # Quinlan 1996: choosing among the cuts costs log2 of their number, spread over the examples.
            if guard:
                penalty = math.log2(n_cuts) / whole
            spread += xlog2x(w_left) + xlog2x(of_known - w_left)
        else:
            n_groups = read_groups(rows, ranks, labels, f, start, hi, weight, group, group_code, size)
            if splitter[f] == MULTIWAY:
                score, spread_of_values = multiway(group, size, n_groups, min_leaf, gini, extras)
                spread += spread_of_values
            else:
                score, w_left = best_division(
                    group,
                    group_code,
                    size,
                    n_groups,
                    known,
                    left,
                    right,
                    search.order,
                    search.member,
                    side,
                    f,
                    splitter[f],
                    min_leaf,
                    gini,
                    extras,
                )
                spread += xlog2x(w_left) + xlog2x(of_known - w_left)
                if splitter[f] == SUBSET and (gini or impurity == ENTROPY):
                    charge = division_charge(n_groups, known, gini) / whole
            if score == -np.inf:
                continue
        if extras is not None:
            if splitter[f] == MULTIWAY:
                gain[f], merit[f] = judge(
                    group, size, n_groups, domain[f], counts, known, penalty, node, f, gini, extras
                )
            else:
                pair, pair_size = extras.pair, extras.pair_size
                read_pair(
                    rows,
                    ranks,
                    labels,
                    f,
                    start,
                    hi,
                    cut[f],
                    side,
                    splitter[f],
                    weight,
                    pair,
                    pair_size,
                )
                gain[f], merit[f] = judge(
                    pair, pair_size, 2, 2, counts, known, penalty, node, f, gini, extras
                )
        else:
            gain[f] = (score - content(known, of_known, gini, extras)) / whole - penalty
            merit[f] = gain[f]
            if how == RATIO:
                information = xlog2x(whole) - spread
                merit[f] = gain[f] * whole / information if information > 0.0 else 0.0
        # Merits are proportional to the gain. A penalty only lowers the rank of a test: it may still be the
        # best. For the gain ratio, which compares tests of at least average gain, the gain itself is reduced,
        # as for a threshold.
        if charge > 0.0 and gain[f] > 0.0 and how != RANDOM:
            merit[f] *= (gain[f] - charge) / gain[f]
            if how == RATIO:
                gain[f] -= charge
        # NaN excludes the test, but its gain is still recorded.
        if gain[f] < min_gain - TOLERANCE:
            merit[f] = np.nan
    return choose(gain, merit, how == RATIO)


@inner
def take_sides(
    rows: Any,
    ranks: Any,
    f: int,
    start: int,
    hi: int,
    n_values: int,
    side: Any,
    branch: Any,
    nodes: Any,
    state: Any,
) -> None:
    """Write the side of each value to the branch map, and the branch of every example."""
    if side is None:
        return
    for code in range(n_values):
        nodes.branch_map[state[MAPPED]] = side[f, code]
        state[MAPPED] += 1
    for p in range(start, hi):
        branch[rows[f, p]] = side[f, ranks[f, p]]


@inner
def take_branches(
    columns: Any,
    f: int,
    lo: int,
    hi: int,
    nodes: Any,
    node: int,
    cut: int,
    side: Any,
    branch: Any,
    state: Any,
) -> int:
    """Store the test on column `f` and the branch of every example; return the first known value.

    Examples without a value get the index `n_branches`, one past the last branch.
    """
    rows, ranks, _, splitter, domain = columns
    n_branches = domain[f] if splitter[f] == MULTIWAY else 2
    nodes.attribute[node] = f
    nodes.n_branches[node] = n_branches
    nodes.map_start[node] = -1
    start = lo
    while ranks[f, start] < 0:
        branch[rows[f, start]] = n_branches
        start += 1
    if splitter[f] == THRESHOLD:
        # Rows are stored instead of a threshold, which is computed from their values once the tree is
        # complete.
        nodes.low_row[node] = rows[f, cut]
        nodes.high_row[node] = rows[f, cut + 1]
        for p in range(start, hi):
            branch[rows[f, p]] = p > cut
    elif splitter[f] == MULTIWAY:
        for p in range(start, hi):
            branch[rows[f, p]] = ranks[f, p]
    else:
        nodes.map_start[node] = state[MAPPED]
        take_sides(rows, ranks, f, start, hi, domain[f], side, branch, nodes, state)
    return start


@inner
def divide(
    columns: Any,
    weight: Any,
    extras: Any,
    nodes: Any,
    parting: Any,
    group: Any,
    stack: Any,
    state: Any,
    min_split: float,
    max_depth: int,
    node: int,
    lo: int,
    hi: int,
    start: int,
) -> None:
    """Create the children of a node, partition its examples among them, and push those that may grow."""
    rows, ranks, labels, _, _ = columns
    branch, known, grows, offset = parting.branch, parting.known, parting.grows, parting.offset
    counts, f, n_branches = nodes.counts, nodes.attribute[node], nodes.n_branches[node]
    n_classes = counts.shape[1]
    first = state[N_NODES]
    state[N_NODES] = first + n_branches
    nodes.first[node] = first
    tail = parting.tail
    # From here on every example has a branch, and there is no tail.
    if extras is not None and (extras.missing == MODE or extras.missing == CLASS_MODE) and start > lo:
        send_by_mode(rows, labels, f, lo, start, hi, branch, n_branches, weight, group, extras.missing)
    # `offset[b]` is the number of examples of branch b; the last entry counts the tail, the examples without
    # a value.
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
    of_known = total(counts[node]) - total(tail)
    for c in range(n_classes):
        known[c] = max(counts[node, c] - tail[c], 0.0)
    any_grows = False
    for child in range(first, first + n_branches):
        nodes.attribute[child] = LEAF
        nodes.depth[child] = nodes.depth[node] + 1
        share = total(counts[child]) / of_known
        # `counts` has the class weights of each child: its own examples plus its fraction of the tail, per
        # class or for all classes alike.
        for c in range(n_classes):
            if extras is not None and extras.missing == CLASS_DISTRIBUTED and known[c] > 0.0:
                counts[child, c] *= 1.0 + tail[c] / known[c]
            else:
                counts[child, c] += share * tail[c]
        grows[child - first] = not is_terminal(counts[child], nodes.depth[child], min_split, max_depth)
        any_grows |= grows[child - first]
    if not any_grows:
        return

    if n_branches == 2 and offset[2] == 0:
        partition_in_two(
            rows, ranks, labels, lo, hi, branch, parting.bits, parting.row, parting.rank, parting.label
        )
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
            parting.put,
            parting.row,
            parting.rank,
            parting.label,
        )
    # The tail follows the branches. Later branches are pushed first, so that the first child grows first.
    stop = tail_lo = hi - offset[n_branches]
    for b in range(n_branches - 1, -1, -1):
        begin = stop - offset[b]
        if begin < stop and grows[b]:
            push(stack, state, ENTER if tail_lo < hi else VISIT, first + b, begin, stop, tail_lo, hi)
        stop = begin


@loop
def grow(
    columns: Any,
    weight: Any,
    extras: Any,
    saved: Any,
    nodes: Any,
    search: Any,
    parting: Any,
    stack: Any,
    state: Any,
    settings: Any,
    budget: int,
) -> bool:
    """Split nodes depth first until about `budget` entries were visited; return whether growth is complete.

    `weight` and `saved` are None if every example counts once and no value is missing, and `extras` is None
    if no option needs them; the code for them is then not compiled. With extras, there are always weights.

    The call also returns early if nodes, records or copied examples may not fit in the next step. If asked to
    pause, it also returns with a test on top of the stack whose examples have their branches but are not
    partitioned yet. The caller allocates more space or changes branches, and calls again.
    """
    rows, ranks, labels, splitter, _ = columns
    counts = nodes.counts
    n_columns, widest = len(splitter), len(search.group_code)
    spent = 0
    # Records on the stack: VISIT grows a node from the examples [lo, hi). ENTER does so with a tail, of which
    # the node receives a part. LEAVE undoes ENTER (lo: number of saved weights, hi: number of entries in use
    # before). SPLIT partitions the examples by a chosen test. Invariant: entries from state[TOP] on are free.
    while state[STACK] > 0:
        if (
            spent > budget
            or state[N_NODES] + widest > len(nodes.attribute)
            or state[STACK] + widest + 1 > len(stack)
            or state[MAPPED] + widest > len(nodes.branch_map)
        ):
            return False
        here = state[STACK] - 1
        kind, node, lo, hi, start = (
            stack[here, 0],
            stack[here, 1],
            stack[here, 2],
            stack[here, 3],
            stack[here, 4],
        )
        state[STACK] = here
        if weight is not None:
            if kind == LEAVE:
                while state[SAVED] > lo:
                    state[SAVED] -= 1
                    weight[saved.row[state[SAVED]]] = saved.weight[state[SAVED]]
                state[TOP] = hi
                continue
            # The node's own examples and the whole tail are merged into the free space at the end, because
            # siblings need the tail too. All work below this node happens there, until LEAVE frees it.
            if kind == ENTER:
                tail_lo, tail_hi = stack[here, 4], stack[here, 5]
                top, n_saved, n_tail = state[TOP], state[SAVED], tail_hi - tail_lo
                if top + hi - lo + n_tail > rows.shape[1] or n_saved + n_tail > len(saved.row):
                    state[STACK] = here + 1
                    return False
                by_class = False
                if extras is not None:
                    by_class = extras.missing == CLASS_DISTRIBUTED
                take_share(
                    rows,
                    labels,
                    lo,
                    hi,
                    tail_lo,
                    tail_hi,
                    counts[node],
                    parting.tail,
                    parting.known,
                    by_class,
                    weight,
                    saved.row,
                    saved.weight,
                    n_saved,
                )
                merge(rows, ranks, labels, lo, hi, tail_lo, tail_hi, top)
                push(stack, state, LEAVE, node, n_saved, top, 0, 0)
                lo, hi = top, top + hi - lo + n_tail
                state[TOP] = hi
                state[SAVED] = n_saved + n_tail
        if kind != SPLIT:
            if is_terminal(counts[node], nodes.depth[node], settings.min_split, settings.max_depth):
                continue
            spent += (hi - lo) * n_columns
            f = find_test(columns, weight, extras, counts[node], search, settings, node, lo, hi)
            if settings.record:
                for j in range(n_columns):
                    nodes.gains[node, j] = search.gain[j]
                    nodes.merits[node, j] = search.merit[j]
            if f < 0:
                continue
            start = take_branches(
                columns, f, lo, hi, nodes, node, search.cut[f], search.side, parting.branch, state
            )
            if settings.pause == ALWAYS or (settings.pause == WHERE_MISSING and start > lo):
                push(stack, state, SPLIT, node, lo, hi, start, 0)
                return False
        divide(
            columns,
            weight,
            extras,
            nodes,
            parting,
            search.group,
            stack,
            state,
            settings.min_split,
            settings.max_depth,
            node,
            lo,
            hi,
            start,
        )
    return True
