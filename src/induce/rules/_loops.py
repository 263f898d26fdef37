"""Hot loops of the search for one rule: evaluating all further tests of a conjunction, and applying one.

A *state* is a conjunction with the rows it covers: `rows` in ascending order and, for each column with
thresholds, the covered rows with known values, ordered by value (`orders`, `known`). An entry of an order
packs rank, row and label into one integer, so that a pass over the order needs no look-up. `columns` holds
codes of values or ranks; -1 is missing.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import inner, loop

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]
U8 = NDArray[np.uint8]

LAPLACE, M_ESTIMATE, FREQUENCY, ENTROPY, FOIL_GAIN = range(5)
EQUAL, OTHER, AMONG, AT_MOST, ABOVE = range(5)
N_KINDS = 5
# An entry of an order has rank, row and label from the highest bits down, so that entries sort by rank, then
# by row.
LABEL_BITS, ROW_BITS = 14, 25
RANK_BITS = 24
LABEL, ROW = (1 << LABEL_BITS) - 1, (1 << ROW_BITS) - 1
SORTING = 20
"""Factor by which a state must have fewer rows than its parent to be sorted from scratch, which is then
faster than filtering.
"""


class Task(NamedTuple):
    """Settings of the search."""

    measure: int
    target: int  # the class of the rule, or -1: the most frequent class of the covered rows
    seed: int  # a row that every test must cover, or -1
    not_equal: bool
    m: float
    base: float  # log2 of the fraction of the target class among the examples at the start
    lightest: float  # minimum weight that a rule covers
    largest_prior: float
    significant: bool  # whether the likelihood-ratio test is applied
    weighted: bool  # whether rows have different weights
    tied: bool  # whether rows contribute to the tie-breaker


class Covered(NamedTuple):
    """The rows of a state with their data, contiguous in memory."""

    rows: I32
    labels: I32
    weights: F64
    fresh: F64
    marks: I64


class Limits(NamedTuple):
    """Reference values for evaluating a rule, and the classes that each kind of test on a column may lead to."""

    prior: F64
    expected: F64
    may: U8


class Steps(NamedTuple):
    """The tests found: (attribute, kind, low, high); their scores; and the keys of their rows."""

    tests: I64
    scores: F64
    keys: I64


@inner
def number(literal: int) -> int:
    """Return a number that numba does not treat as a literal, for which it would recompile the function."""
    return int(np.int64(literal))


@inner
def log2(x: float) -> float:
    """Return the binary logarithm: minus infinity at 0, NaN below."""
    if x > 0.0:
        return math.log2(x)
    return -np.inf if x == 0.0 else np.nan


@inner
def log(x: float) -> float:
    """Return the natural logarithm: minus infinity at 0, NaN below."""
    if x > 0.0:
        return math.log(x)
    return -np.inf if x == 0.0 else np.nan


@inner
def entry_of(rank: int, row: int, label: int) -> int:
    return int(np.int64(rank) << (LABEL_BITS + ROW_BITS) | np.int64(row) << LABEL_BITS | np.int64(label))


@inner
def rank_of(entry: int) -> int:
    return entry >> (LABEL_BITS + ROW_BITS)


@inner
def row_of(entry: int) -> int:
    return entry >> LABEL_BITS & ROW


@inner
def label_of(entry: int) -> int:
    return entry & LABEL


@inner
def total_of(values: F64) -> float:
    total = 0.0
    for i in range(len(values)):
        total += values[i]
    return total


@inner
def add_row(counts: F64, table: F64, row: int) -> None:
    for c in range(len(counts)):
        counts[c] += table[row, c]


@inner
def clear(counts: F64) -> None:
    for c in range(len(counts)):
        counts[c] = 0.0


@inner
def ascending(keys: F64) -> I64:
    """Return the stable ascending order of keys; a merge sort compiles quickly."""
    n = len(keys)
    order, other = np.empty(n, np.int64), np.empty(n, np.int64)
    for i in range(n):
        order[i] = i
    width = 1
    while width < n:
        for start in range(0, n, 2 * width):
            middle, end = min(start + width, n), min(start + 2 * width, n)
            i, j = start, middle
            for k in range(start, end):
                if i < middle and (j >= end or keys[order[i]] <= keys[order[j]]):
                    other[k] = order[i]
                    i += 1
                else:
                    other[k] = order[j]
                    j += 1
        order, other = other, order
        width *= 2
    return order


@inner
def judged(
    task: Task, correct: float, total: float, entropy_terms: float, prior: float, n_classes: int
) -> float:
    """Return the PERFORMANCE of a rule; `entropy_terms` is the sum of n log2 n over classes (Mitchell §10.3)."""
    if task.measure == LAPLACE:
        return (correct + 1.0) / (total + n_classes)
    if task.measure == M_ESTIMATE:
        return (correct + task.m * prior) / (total + task.m)
    if task.measure == FREQUENCY:
        return correct / total
    # The negative entropy of the covered rows: sum n log n / N - log N.
    if task.measure == ENTROPY:
        return float(min(entropy_terms / total - log2(total), 0.0))
    if correct <= 0.0:
        return 0.0
    return float(correct * (log2(correct / total) - task.base))


@inner
def at_best(task: Task, correct: float, n_classes: int) -> float:
    """Return an upper bound on PERFORMANCE, reached if further tests excluded only rows of other classes."""
    # No refinement can cover more rows of its class, and at best it covers no others. The beam drops states
    # that cannot beat the best rule so far.
    if task.measure == LAPLACE:
        return (correct + 1.0) / (correct + n_classes)
    if task.measure == M_ESTIMATE:
        return (correct + task.m * task.largest_prior) / (correct + task.m)
    if task.measure == FREQUENCY:
        return 1.0
    if task.measure == ENTROPY:
        return 0.0
    return -correct * task.base


@inner
def term(n: float) -> float:
    return n * math.log2(n) if n > 0.0 else 0.0


@inner
def likelihood_ratio(counts: F64, expected: F64, target: int) -> float:
    """Return 2 sum f ln(f / e) over the covered rows: for all classes, or for one class and the rest.

    For one class, the result is 0 if its frequency is lower than expected.
    """
    total = total_of(counts)
    if target >= 0:
        if counts[target] <= total * expected[target]:
            return 0.0
        rest = total - counts[target]
        ratio = counts[target] * log(counts[target] / (total * expected[target]))
        if rest > 0.0:
            ratio += rest * log(rest / (total * (1.0 - expected[target])))
        return float(2.0 * ratio)
    # Clark and Niblett 1989: approximately chi-square distributed if the rule's rows are a random sample.
    ratio = 0.0
    for c in range(len(counts)):
        if counts[c] > 0.0:
            ratio += counts[c] * log(counts[c] / (total * expected[c]))
    return float(2.0 * ratio)


@inner
def leading(counts: F64, task: Task, open_classes: U8) -> int:
    """Return the predicted class of a rule, or -1 if it may predict none of the covered classes."""
    if task.target >= 0:
        return task.target if open_classes[task.target] and counts[task.target] > 0.0 else -1
    head = -1
    for c in range(len(counts)):
        if open_classes[c] and counts[c] > 0.0 and (head < 0 or counts[c] > counts[head]):
            head = c
    return head


@inner
def note_step(
    steps: Steps, n: int, attribute: int, kind: int, low: int, high: int, counts: F64, key: int, tie: float,
    task: Task, limits: Limits,
) -> int:  # fmt: skip
    """Store a step in position n if it covers enough; return the new number of steps."""
    total = total_of(counts)
    if total < task.lightest or total <= 0.0:
        return n
    # A test is evaluated for the class that the rule would predict with it; the limits may forbid this class
    # for this kind of test.
    head = leading(counts, task, limits.may[attribute, kind])
    if head < 0:
        return n
    terms = 0.0
    if task.measure == ENTROPY:
        for c in range(len(counts)):
            terms += term(counts[c])
    tests, scores = steps.tests, steps.scores
    tests[n, 0], tests[n, 1], tests[n, 2], tests[n, 3] = attribute, kind, low, high
    scores[0, n] = judged(task, counts[head], total, terms, limits.prior[head], len(counts))
    scores[1, n] = at_best(task, counts[head], len(counts))
    scores[2, n] = tie
    scores[3, n] = likelihood_ratio(counts, limits.expected, task.target) if task.significant else 0.0
    steps.keys[n] = key
    return n + 1


@inner
def best_cut(
    order: I64, above: bool, task: Task, seed_rank: int, weights: F64, fresh: F64, prior: F64, open_classes: U8,
    counts: F64,
) -> int:  # fmt: skip
    """Find the best threshold for a test on one side: at or below it, or above it.

    The result is the position of the last covered row, counted from the end of that side; -1 if there is no
    threshold. If the class of the rule is known and the measure is not entropy, extending a threshold past
    rows of other classes only lowers the measure.
    """
    # The pass adds rows from the end of the side, so `counts` are the class counts covered by a threshold
    # after row i; `terms` is their sum of n log2 n, updated incrementally.
    clear(counts)
    total, terms, tie = 0.0, 0.0, 0.0
    head = task.target
    gains_only = task.target >= 0 and task.measure != ENTROPY
    gained = False
    best, best_score, best_tie = -1, -np.inf, -np.inf
    n_known = len(order)
    following = rank_of(order[n_known - 1 if above else 0]) if n_known > 0 else -1
    for i in range(n_known - 1):
        entry = order[n_known - 1 - i] if above else order[i]
        rank = following
        following = rank_of(order[n_known - 2 - i] if above else order[i + 1])
        c = label_of(entry)
        w = weights[row_of(entry)] if task.weighted else 1.0
        if task.measure == ENTROPY:
            terms += term(counts[c] + w) - term(counts[c])
        counts[c] += w
        total += w
        if task.tied:
            tie += fresh[row_of(entry)]
        # Counts only grow, so the most frequent class can change only to the class just counted; ties go to
        # the first.
        if task.target < 0:
            leads = head < 0 or counts[c] > counts[head] or (counts[c] == counts[head] and c < head)
            if open_classes[c] and leads:
                head = c
        # Whether a row of the rule's class came after the last threshold; without one, the measure can only
        # have fallen.
        gained = gained or c == head
        # A threshold cannot separate equal values.
        if rank == following or (gains_only and not gained) or total < task.lightest:
            continue
        gained = False
        if head < 0 or counts[head] <= 0.0:
            continue
        # The test must still cover the seed.
        if seed_rank >= 0 and (rank > seed_rank if above else rank < seed_rank):
            continue
        score = judged(task, counts[head], total, terms, prior[head], len(counts))
        if score > best_score or (score == best_score and tie > best_tie):
            best, best_score, best_tie = i, score, tie
    return best


@inner
def best_set(
    table: F64, start: int, n_values: int, order: I64, task: Task, prior: F64, open_classes: U8, counts: F64,
    tie_of: F64,
) -> int:  # fmt: skip
    """Find the best set of two or more values, a prefix of their order by the frequency of the leading class.

    The result is the number of values in the prefix; 0 if there is no such set.
    """
    clear(counts)
    tie = 0.0
    best, best_score, best_tie = number(0), -np.inf, -np.inf
    for k in range(n_values - 1):
        value = start + order[k]
        add_row(counts, table, value)
        tie += tie_of[value]
        total = total_of(counts)
        head = leading(counts, task, open_classes)
        # A set of one value is the test EQUAL.
        if k == 0 or head < 0 or total < task.lightest:
            continue
        terms = 0.0
        if task.measure == ENTROPY:
            for c in range(len(counts)):
                terms += term(counts[c])
        score = judged(task, counts[head], total, terms, prior[head], len(counts))
        if score > best_score or (score == best_score and tie > best_tie):
            best, best_score, best_tie = k + 1, score, tie
    return best


@inner
def value_steps(
    a: int, column: I32, seed_value: int, state_key: int, lead: int, start: int, end: int, covered: Covered,
    limits: Limits, open_values: U8, table: F64, key_of: I64, tie_of: F64, sets: U8, task: Task, steps: Steps, n: int,
) -> int:  # fmt: skip
    """Evaluate the tests of a nominal column: equal to a value, not equal, member of a set."""
    # Keys are sums of random marks of the rows, so two tests with the same key cover the same rows. A key of
    # 0 means that the value does not occur; the key of the state means that the test excludes nothing.
    for i in range(len(covered.rows)):
        code = column[covered.rows[i]]
        if code >= 0:
            table[start + code, covered.labels[i]] += covered.weights[i]
            key_of[start + code] += covered.marks[i]
            tie_of[start + code] += covered.fresh[i]
    for v in range(start, end):
        narrows = key_of[v] != 0 and key_of[v] != state_key
        if open_values[v] and narrows and (seed_value < 0 or seed_value == v - start):
            n = note_step(
                steps,
                n,
                a,
                number(EQUAL),
                v - start,
                v - start,
                table[v],
                key_of[v],
                tie_of[v],
                task,
                limits,
            )
    counts = np.zeros(table.shape[1])
    # OTHER covers the rows with other values, but not those whose value is missing.
    if task.not_equal:
        all_keys, all_ties = number(0), 0.0
        for v in range(start, end):
            all_keys += key_of[v]
            all_ties += tie_of[v]
        for v in range(start, end):
            if open_values[v] and key_of[v] != 0 and key_of[v] != all_keys and seed_value != v - start:
                clear(counts)
                for other in range(start, end):
                    if other != v:
                        add_row(counts, table, other)
                n = note_step(
                    steps, n, a, number(OTHER), v - start, v - start, counts, all_keys - key_of[v],
                    all_ties - tie_of[v], task, limits,
                )  # fmt: skip
    if sets.shape[1] > 0 and lead >= 0:
        # Values in descending order of the fraction of the leading class; absent and forbidden values come
        # last.
        against = np.full(end - start, 1.0)
        n_present = number(0)
        for v in range(start, end):
            if key_of[v] != 0 and open_values[v]:
                against[v - start] = -table[v, lead] / total_of(table[v])
                n_present += 1
        order = ascending(against)
        size = best_set(
            table, start, n_present, order, task, limits.prior, limits.may[a, AMONG], counts, tie_of
        )
        clear(counts)
        key, tie, holds_seed = number(0), 0.0, seed_value < 0
        for i in range(size):
            add_row(counts, table, start + order[i])
            key += key_of[start + order[i]]
            tie += tie_of[start + order[i]]
            sets[a, order[i]] = 1
            holds_seed = holds_seed or order[i] == seed_value
        if size > 0 and holds_seed and key != state_key:
            n = note_step(steps, n, a, number(AMONG), size, size, counts, key, tie, task, limits)
    # The table is shared by all states and must be zero for the next one.
    for v in range(start, end):
        clear(table[v])
    return n


@inner
def threshold_step(
    a: int, order: I64, above: bool, seed_value: int, weights: F64, fresh: F64, marks: I64, limits: Limits,
    task: Task, steps: Steps, n: int,
) -> int:  # fmt: skip
    """Evaluate the best test of a column against a threshold, on one side of it."""
    kind = number(ABOVE if above else AT_MOST)
    open_classes = limits.may[a, kind]
    if task.target >= 0 and not open_classes[task.target]:
        return n
    counts = np.zeros(len(limits.prior))
    cut = best_cut(order, above, task, seed_value, weights, fresh, limits.prior, open_classes, counts)
    if cut < 0:
        return n
    # The pass has counted beyond the best cut, so rows are counted again up to it.
    clear(counts)
    key, tie = number(0), 0.0
    last = len(order) - 1
    for i in range(cut + 1):
        entry = order[last - i] if above else order[i]
        counts[label_of(entry)] += weights[row_of(entry)] if task.weighted else 1.0
        key += marks[row_of(entry)]
        if task.tied:
            tie += fresh[row_of(entry)]
    # The adjacent values of the threshold, as ranks.
    inner = rank_of(order[last - cut] if above else order[cut])
    outer = rank_of(order[last - cut - 1] if above else order[cut + 1])
    return note_step(steps, n, a, kind, min(inner, outer), max(inner, outer), counts, key, tie, task, limits)


@loop
def refine(
    rows: I32, orders: I64, known: I64, state_counts: F64, state_key: int, columns: I32, slots: I64, starts: I64,
    labels: I32, weights: F64, fresh: F64, marks: I64, prior: F64, expected: F64, may: U8, open_values: U8,
    table: F64, measure: int, target: int, seed: int, not_equal: bool, m: float, base: float, lightest: float,
    largest_prior: float, significant: bool, weighted: bool, tied: bool, n_steps: int, widest: int,
) -> tuple[I64, F64, I64, U8]:  # fmt: skip
    """Evaluate every possible test of the state: tests (attribute, kind, low, high), scores, keys and sets.

    `slots` gives the order of a column; -1 means nominal values, whose counts are in `table` starting at
    `starts`. The table is zero before and after. `may` gives the classes that each kind of test may lead to.
    Only the best cut on each side of a threshold column is evaluated, and only the best set of values. The
    scores are performance, its upper bound, the tie-breaker, and the likelihood ratio.
    """
    task = Task(
        measure, target, seed, not_equal, m, base, lightest, largest_prior, significant, weighted, tied
    )
    steps = Steps(
        np.empty((n_steps, 4), np.int64), np.empty((4, n_steps), np.float64), np.empty(n_steps, np.int64)
    )
    sets = np.zeros((columns.shape[0], widest), np.uint8)
    limits = Limits(prior, expected, may)
    n_rows = len(rows)
    covered = Covered(
        rows, np.empty(n_rows, np.int32), np.empty(n_rows), np.empty(n_rows), np.empty(n_rows, np.int64)
    )
    # The data of the covered rows that every nominal column needs is gathered once and then read
    # sequentially.
    for i in range(n_rows):
        row = rows[i]
        covered.labels[i], covered.weights[i] = labels[row], weights[row]
        covered.fresh[i], covered.marks[i] = fresh[row], marks[row]
    key_of = np.zeros(table.shape[0], np.int64)
    tie_of = np.zeros(table.shape[0])
    lead = leading(state_counts, task, np.ones(len(prior), np.uint8))
    n = number(0)
    for a in range(columns.shape[0]):
        column = columns[a]
        seed_value = column[seed] if seed >= 0 else -1
        if seed >= 0 and seed_value < 0:
            continue
        if slots[a] < 0:
            n = value_steps(
                a, column, seed_value, state_key, lead, starts[a], starts[a + 1], covered, limits, open_values, table,
                key_of, tie_of, sets, task, steps, n,
            )  # fmt: skip
        else:
            order = orders[slots[a], : known[slots[a]]]
            for above in (False, True):
                n = threshold_step(a, order, above, seed_value, weights, fresh, marks, limits, task, steps, n)
    return steps.tests[:n], steps.scores[:, :n], steps.keys[:n], sets


@loop
def tally(
    rows: I32, columns: I32, slots: I64, offsets: I64, weights: F64, marks: I64
) -> tuple[F64, I64, I64, I64]:
    """Return the row weights per value of each column, their keys, and the nearest values on both sides.

    The values of a column start at its offset. In columns with thresholds, weights and keys are cumulative up
    to the value; the neighbours are ranks, -1 below the first and the number of ranks above the last.
    """
    heavy = np.zeros(offsets[-1])
    keys = np.zeros(offsets[-1], np.int64)
    occurs = np.zeros(offsets[-1], np.bool_)
    below = np.full(offsets[-1], -1, np.int64)
    above = np.zeros(offsets[-1], np.int64)
    for a in range(columns.shape[0]):
        start, end = offsets[a], offsets[a + 1]
        for row in rows:
            if columns[a, row] >= 0:
                place = start + columns[a, row]
                heavy[place] += weights[row]
                keys[place] += marks[row]
                occurs[place] = True
        if slots[a] < 0:
            continue
        last = -1
        # Cumulative sums, so that the rows of other classes at a threshold take one look-up or one
        # subtraction.
        for place in range(start, end):
            below[place] = last
            if place > start:
                heavy[place] += heavy[place - 1]
                keys[place] += keys[place - 1]
            if occurs[place]:
                last = place - start
        last = end - start
        for place in range(end - 1, start - 1, -1):
            above[place] = last
            if occurs[place]:
                last = place - start
    return heavy, keys, below, above


@inner
def positive_cut(
    a: int, order: I64, over: bool, others: F64, other_keys: I64, beside: I64, weights: F64, fresh: F64, marks: I64,
    limits: Limits, task: Task, steps: Steps, n: int,
) -> int:  # fmt: skip
    """Find the best threshold test of a column from the target's rows in ascending order of value.

    `others` and `other_keys` are cumulative up to each rank; `beside` is the next rank of another class on
    the side that the test excludes.
    """
    kind = number(ABOVE if over else AT_MOST)
    if not limits.may[a, kind, task.target]:
        return n
    n_known, last = len(order), len(others) - 1
    prior, n_classes = limits.prior[task.target], len(limits.prior)
    own, tie, key = 0.0, 0.0, number(0)
    best_score, best_tie, best_own, best_other = -np.inf, -np.inf, 0.0, 0.0
    best_key, low, high = number(0), number(-1), number(-1)
    for i in range(n_known):
        entry = order[n_known - 1 - i] if over else order[i]
        rank, row = rank_of(entry), row_of(entry)
        own += weights[row]
        key += marks[row]
        tie += fresh[row]
        # The next value beyond the threshold, from a row of the target or of another class, whichever is
        # nearer.
        outer = beside[rank]
        if i + 1 < n_known:
            following = rank_of(order[n_known - 2 - i] if over else order[i + 1])
            if following == rank:
                continue
            outer = max(outer, following) if over else min(outer, following)
        other, other_key = others[rank], other_keys[rank]
        if over:
            other, other_key = others[last], other_keys[last]
            if rank > 0:
                other, other_key = other - others[rank - 1], other_key - other_keys[rank - 1]
        if outer < 0 or outer > last or own + other < task.lightest:
            continue
        score = judged(task, own, own + other, 0.0, prior, n_classes)
        if score > best_score or (score == best_score and tie > best_tie):
            best_score, best_tie, best_key, best_own, best_other = score, tie, key + other_key, own, other
            low, high = min(rank, outer), max(rank, outer)
    if low < 0:
        return n
    # Only the sum over the other classes is known. All measures except entropy need no more, so the sum is
    # treated as one class.
    counts = np.zeros(n_classes)
    counts[task.target], counts[(task.target + 1) % n_classes] = best_own, best_other
    return note_step(steps, n, a, kind, low, high, counts, best_key, best_tie, task, limits)


@loop
def refine_positives(
    rows: I32, orders: I64, known: I64, state_key: int, columns: I32, slots: I64, offsets: I64, others: F64,
    other_keys: I64, below: I64, above: I64, weights: F64, fresh: F64, marks: I64, prior: F64, expected: F64, may: U8,
    open_values: U8, starts: I64, measure: int, target: int, not_equal: bool, m: float, base: float, lightest: float,
    largest_prior: float, significant: bool, n_steps: int,
) -> tuple[I64, F64, I64]:  # fmt: skip
    """Do the same as `refine` for the state that covers everything, using only the rows of the target class.

    The contribution of the other classes is known from `tally`, because their rows stay while rules for the
    target are learned. The best threshold is next to a row of the target: all measures except entropy get
    worse with more rows of other classes.
    """
    task = Task(measure, target, -1, not_equal, m, base, lightest, largest_prior, significant, True, True)
    steps = Steps(
        np.empty((n_steps, 4), np.int64), np.empty((4, n_steps), np.float64), np.empty(n_steps, np.int64)
    )
    limits = Limits(prior, expected, may)
    counts = np.zeros(len(prior))
    rest = (target + 1) % len(prior)
    n = number(0)
    for a in range(columns.shape[0]):
        column, start, end = columns[a], offsets[a], offsets[a + 1]
        if end == start:
            continue
        if slots[a] < 0:
            own, own_keys, ties = (
                np.zeros(end - start),
                np.zeros(end - start, np.int64),
                np.zeros(end - start),
            )
            for row in rows:
                if column[row] >= 0:
                    own[column[row]] += weights[row]
                    own_keys[column[row]] += marks[row]
                    ties[column[row]] += fresh[row]
            all_keys = number(0)
            for v in range(end - start):
                own_keys[v] += other_keys[start + v]
                all_keys += own_keys[v]
            for v in range(end - start):
                if open_values[starts[a] + v] and own_keys[v] != 0 and own_keys[v] != state_key:
                    counts[target], counts[rest] = own[v], others[start + v]
                    n = note_step(
                        steps, n, a, number(EQUAL), v, v, counts, own_keys[v], ties[v], task, limits
                    )
            if not_equal:
                for v in range(end - start):
                    if open_values[starts[a] + v] and own_keys[v] != 0 and own_keys[v] != all_keys:
                        counts[target], counts[rest], tie = 0.0, 0.0, 0.0
                        for other in range(end - start):
                            if other != v:
                                counts[target] += own[other]
                                counts[rest] += others[start + other]
                                tie += ties[other]
                        n = note_step(
                            steps,
                            n,
                            a,
                            number(OTHER),
                            v,
                            v,
                            counts,
                            all_keys - own_keys[v],
                            tie,
                            task,
                            limits,
                        )
            continue
        for over in (False, True):
            n = positive_cut(
                a, orders[slots[a], : known[slots[a]]], over, others[start:end], other_keys[start:end],
                below[start:end] if over else above[start:end], weights, fresh, marks, limits, task, steps, n,
            )  # fmt: skip
    return steps.tests[:n], steps.scores[:, :n], steps.keys[:n]


@loop
def take(
    rows: I32, orders: I64, known: I64, columns: I32, slots: I64, column: I32, kind: int, low: int, accepted: U8,
    labels: I32, weights: F64, fresh: F64, marks: I64, inside: U8, n_classes: int,
) -> tuple[I32, I64, I64, F64, int, float]:  # fmt: skip
    """Return the state of the rows that also satisfy a test: rows, orders, known, counts, key and tie."""
    new_rows = np.empty(len(rows), np.int32)
    counts = np.zeros(n_classes)
    key, tie = 0, 0.0
    n = 0
    for row in rows:
        value = column[row]
        if value < 0:
            holds = False
        elif kind == EQUAL:
            holds = value == low
        elif kind == OTHER:
            holds = value != low
        elif kind == AMONG:
            holds = accepted[value] != 0
        elif kind == AT_MOST:
            holds = value <= low
        else:
            holds = value > low
        if holds:
            inside[row] = 1
            new_rows[n] = row
            n += 1
            counts[labels[row]] += weights[row]
            key += marks[row]
            tie += fresh[row]
    new_orders = np.empty((orders.shape[0], n), np.int64)
    new_known = np.zeros(orders.shape[0], np.int64)
    # Filtering visits all entries of the parent's orders; sorting takes n log n steps for the few remaining.
    few = n * SORTING < len(rows)
    ranks, places = np.empty(n), np.empty(n, np.int64)
    for a in range(len(slots)):
        j = slots[a]
        if j < 0:
            continue
        k = 0
        if few:
            for i in range(n):
                if columns[a, new_rows[i]] >= 0:
                    ranks[k] = columns[a, new_rows[i]]
                    places[k] = new_rows[i]
                    k += 1
            order = ascending(ranks[:k])
            for i in range(k):
                row = places[order[i]]
                new_orders[j, i] = entry_of(columns[a, row], row, labels[row])
        else:
            for entry in orders[j, : known[j]]:
                if inside[row_of(entry)]:
                    new_orders[j, k] = entry
                    k += 1
        new_known[j] = k
    # `inside` is shared and must be zero for the next call.
    for i in range(n):
        inside[new_rows[i]] = 0
    return new_rows[:n].copy(), new_orders, new_known, counts, key, tie


@loop
def count_boxes(
    boxes: I32, rows: I32, columns: I32, labels: I32, weights: F64, fresh: F64, marks: I64, n_classes: int
) -> tuple[F64, I64, F64]:
    """Return class counts, keys and ties of the rows in each box (low, high per column; -1 means all values)."""
    counts = np.zeros((len(boxes), n_classes))
    keys = np.zeros(len(boxes), np.int64)
    ties = np.zeros(len(boxes))
    for b in range(len(boxes)):
        for row in rows:
            inside = True
            for a in range(columns.shape[0]):
                low = boxes[b, a, 0]
                if low >= 0 and not low <= columns[a, row] <= boxes[b, a, 1]:
                    inside = False
                    break
            if inside:
                counts[b, labels[row]] += weights[row]
                keys[b] += marks[row]
                ties[b] += fresh[row]
    return counts, keys, ties
