"""Hot loops of RIPPER: pure functions on arrays.

A table has one row of `cells` per attribute: codes of nominal values, or ranks for thresholds; -1 is missing.
Tests are those of `_loops`: a value is equal to `low`, at most `low` or above `low`. `order` lists, for each
attribute with thresholds, the rows with known values by ascending rank, and finally all rows. An entry of
such a list has the rank in its upper half and the row in its lower half, because looking up ranks row by row
is slow.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import inner, loop
from induce.rules._loops import ABOVE, AT_MOST, EQUAL, log2

LOWER = 2**32 - 1
"""Mask of the lower half of an entry, which holds the row."""

REDUNDANCY = 0.5
"""Fraction of the code length of conditions that counts, because they are partly redundant (Cohen 1995)."""


@loop
def start(
    order: NDArray[np.int64],
    lengths: NDArray[np.int64],
    weight: NDArray[np.float64],
    positive: NDArray[np.bool_],
    kept: NDArray[np.int64],
    sizes: NDArray[np.int64],
    signed: NDArray[np.float64],
    inside: NDArray[np.uint8],
) -> None:
    """Copy the rows of nonzero weight from each list of `order`; negative rows get a negative weight."""
    for row in range(len(weight)):
        signed[row] = weight[row] if positive[row] else -weight[row]
        inside[row] = weight[row] > 0
    for j in range(len(order)):
        size = 0
        for place in range(lengths[j]):
            entry = order[j, place]
            # Written unconditionally, but kept only if `size` advances: no branch for the processor to
            # mispredict.
            kept[j, size] = entry
            size += int(np.int64(inside[entry & LOWER]))
        sizes[j] = size


@loop
def add_test(
    cells: NDArray[np.int32],
    slots: NDArray[np.int64],
    starts: NDArray[np.int64],
    kept: NDArray[np.int64],
    sizes: NDArray[np.int64],
    signed: NDArray[np.float64],
    inside: NDArray[np.uint8],
    may: NDArray[np.uint8],
    open_values: NDArray[np.uint8],
    least: float,
    room: NDArray[np.float64],
) -> tuple[int, int, int, float]:
    """Find the test of highest FOIL gain and keep the rows that pass it: attribute, kind, `low` and gain.

    `slots` gives the list of rows of an attribute with thresholds and is -1 for the others, whose values are
    numbered from `starts`; `may` and `open_values` give the allowed tests. If no test has a gain, or the
    positive rows of the best weigh less than `least`, the attribute is -1 and the rows stay.
    """
    n_rows = sizes[len(kept) - 1]
    rows = kept[len(kept) - 1, :n_rows]
    covered, total = weigh(rows, signed)
    attribute, kind, low, best, support = -1, 0, 0, 0.0, 0.0
    if covered <= 0.0 or covered >= total:
        return attribute, kind, low, best
    base = math.log2(covered / total)
    # a logarithm lies below its tangent at the base rate, so most tests need no logarithm
    slope = math.log(2.0) * covered
    for a in range(len(cells)):
        if slots[a] >= 0:
            below, above = may[a, AT_MOST] > 0, may[a, ABOVE] > 0
            if not (below or above):
                continue
            known = kept[slots[a], : sizes[slots[a]]]
            p, t = (covered, total) if len(known) == n_rows else weigh(known, signed)
            # `p` and `t` are the weights of the positive and of all rows still ahead, `p_low` and `t_low` of
            # those passed: the two sides of a threshold at `rank`.
            p_low = t_low = 0.0
            place = 0
            while place < len(known):
                rank = known[place] >> 32
                if above and place > 0 and p * (p * total - covered * t) > best * slope * t:
                    gain = p * (log2(p / t) - base)
                    if gain > best:
                        attribute, kind, low, best, support = a, ABOVE, rank - 1, gain, p
                while place < len(known) and known[place] >> 32 == rank:
                    weight = signed[known[place] & LOWER]
                    p_low += max(weight, 0.0)
                    p -= max(weight, 0.0)
                    t_low += abs(weight)
                    t -= abs(weight)
                    place += 1
                if below and p_low * (p_low * total - covered * t_low) > best * slope * t_low:
                    gain = p_low * (log2(p_low / t_low) - base)
                    if gain > best:
                        attribute, kind, low, best, support = a, AT_MOST, rank, gain, p_low
        elif may[a, EQUAL]:
            n_values = starts[a + 1] - starts[a]
            count_values(cells[a], rows, signed, n_values, room)
            for code in range(n_values):
                p, t = room[0, code], room[1, code]
                if open_values[starts[a] + code] and p * (p * total - covered * t) > best * slope * t:
                    gain = p * (log2(p / t) - base)
                    if gain > best:
                        attribute, kind, low, best, support = a, EQUAL, code, gain, p
    if attribute < 0 or support < least:
        return -1, kind, low, best
    keep_rows(cells[attribute], kind, low, kept, sizes, inside)
    return attribute, kind, low, best


@inner
def weigh(entries: Any, signed: Any) -> tuple[float, float]:
    """Return the weights of the positive rows and of all rows of a list."""
    p = t = 0.0
    for entry in entries:
        weight = signed[entry & LOWER]
        p += max(weight, 0.0)
        t += abs(weight)
    return p, t


@inner
def count_values(codes: Any, entries: Any, signed: Any, n_values: int, room: Any) -> None:
    """Write the weights of the positive rows (0) and of all rows (1) for each nominal value."""
    for code in range(n_values):
        room[0, code] = room[1, code] = 0.0
    for entry in entries:
        code = codes[entry & LOWER]
        if code >= 0:
            weight = signed[entry & LOWER]
            room[0, code] += max(weight, 0.0)
            room[1, code] += abs(weight)


@inner
def keep_rows(cells: Any, kind: int, low: int, kept: Any, sizes: Any, inside: Any) -> None:
    """Keep in each list the rows that pass a test."""
    least = 0 if kind == AT_MOST else low + (kind == ABOVE)
    most = cells.max() if kind == ABOVE else low
    for row in range(len(cells)):
        inside[row] = least <= cells[row] <= most
    for j in range(len(kept)):
        size = 0
        for place in range(sizes[j]):
            entry = kept[j, place]
            kept[j, size] = entry
            size += int(np.int64(inside[entry & LOWER]))
        sizes[j] = size


@loop
def pass_over(covers: NDArray[np.bool_], position: int, following: NDArray[np.int64]) -> None:
    """If `position` is the next rule that covers a row, advance to the next one after it."""
    for row in range(len(following)):
        if following[row] == position:
            k = position + 1
            while k < len(covers) and not covers[k, row]:
                k += 1
            following[row] = k


@inner
def subset_bits(size: float, chosen: float, share: float) -> float:
    """Return the number of bits that encode a subset with an expected proportion (Quinlan 1995)."""
    # A proportion of 0 or 1 would make the code of an unexpected row infinitely long.
    share = min(max(share, 1e-9), 1.0 - 1e-9)
    return -chosen * math.log2(share) - (size - chosen) * math.log2(1.0 - share)


@loop
def theory_bits(n_conditions: int, n_tests: float) -> float:
    """Return the bits that encode a rule whose conditions are chosen among `n_tests` possible tests."""
    if n_conditions == 0:
        return 0.0
    # Cohen 1995: ||k|| + k log2(1 / p) + (n - k) log2(1 / (1 - p)) with p = k / n, halved.
    bits = math.log2(n_conditions)
    if n_conditions > 1:
        bits += 2.0 * math.log2(bits)
    return REDUNDANCY * (bits + subset_bits(n_tests, n_conditions, n_conditions / max(n_tests, 1.0)))


@loop
def exception_bits(
    false_share: float, covered: float, uncovered: float, false_positives: float, false_negatives: float
) -> float:
    """Return the bits that encode the rows that a set of rules misclassifies.

    `false_share` is the expected fraction of false positives among the errors. It determines the expected
    error rate in the larger part, the covered or the uncovered rows; the errors themselves determine it in
    the other.
    """
    errors = false_positives + false_negatives
    # First the number of errors, at most the number of rows; then the misclassified rows on either side.
    bits = math.log2(covered + uncovered + 1.0)
    if covered > uncovered:
        bits += subset_bits(covered, false_positives, false_share * errors / covered)
        if uncovered > 0.0:
            bits += subset_bits(uncovered, false_negatives, false_negatives / uncovered)
    else:
        if covered > 0.0:
            bits += subset_bits(covered, false_positives, false_positives / covered)
        if uncovered > 0.0:
            bits += subset_bits(uncovered, false_negatives, (1.0 - false_share) * errors / uncovered)
    return bits


@loop
def drop_rules(
    false_share: float,
    totals: NDArray[np.float64],
    covered: NDArray[np.float64],
    p: NDArray[np.float64],
    t: NDArray[np.float64],
    theory: NDArray[np.float64],
    check_error: bool,
) -> tuple[float, NDArray[np.bool_]]:
    """Drop, one at a time, rules that cost more bits than they save; return the remaining bits and rules.

    `totals` and `covered` are the weights of the positive and of all rows in the table and among the rows
    that the whole set covers; `p`, `t` and `theory` belong to the rules that may be dropped. The rows of a
    dropped rule count as uncovered, even if later rules cover some. The bits are those of the exceptions and
    of the remaining rules among these.
    """
    stays = np.ones(len(p), np.bool_)
    p_all, t_all = covered[0], covered[1]
    bits = exception_bits(false_share, t_all, totals[1] - t_all, t_all - p_all, totals[0] - p_all)
    theory_left = 0.0
    for k in range(len(p)):
        # As if no other rule covered the rows of this rule.
        p_less, t_less = p_all - p[k], t_all - t[k]
        less = exception_bits(false_share, t_less, totals[1] - t_less, t_less - p_less, totals[0] - p_less)
        # The rule is dropped if the exceptions without it cost no more than the exceptions with it plus its
        # own code.
        if bits + theory[k] >= less or (check_error and t[k] - p[k] >= 0.5 * t[k]):
            stays[k] = False
            p_all, t_all, bits = p_less, t_less, less
        else:
            theory_left += theory[k]
    return bits + theory_left, stays
