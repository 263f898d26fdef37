"""Compiled loops of GABIL: rules as bit words, classification by the first firing rule, reproduction (Mitchell 9.3).

A string is a row of `bits`, of which the first ``n_rules * length`` are used; two flags control whether the
operators AA and DC apply to it. `begin` gives the start of each attribute's bits in a rule, `place` in the
words.
"""

from __future__ import annotations

from typing import Any

from induce.core._random_loops import below, uniform
from induce.core.loops import inner, loop

WORD = 62
TRIES = 20
"""Maximum number of draws of crossover points before a pair is left unchanged."""


@inner
def allowed(bits: Any, start: int, begin: Any, place: Any, numeric: Any, words: Any) -> bool:
    """Set the words of the values a rule allows; return whether it can fire at all."""
    for w in range(len(words)):
        words[w] = 0
    for a in range(len(begin) - 1):
        width = begin[a + 1] - begin[a]
        low, high, ones = -1, -1, 0
        for k in range(width):
            if bits[start + begin[a] + k]:
                if low < 0:
                    low = k
                high = k
                ones += 1
        if low < 0:
            return False
        # A numeric condition is the whole interval between its outermost bits.
        for k in range(low, high + 1):
            if numeric[a] or bits[start + begin[a] + k]:
                at = place[a] + k
                words[at // WORD] |= 1 << (at % WORD)
        if low == 0 and high == width - 1 and (numeric[a] or ones == width):
            # The bit after the values of an attribute stands for a missing value, which only a vacuous
            # condition allows.
            at = place[a] + width
            words[at // WORD] |= 1 << (at % WORD)
    return True


@inner
def head_of(bits: Any, start: int, n_bits: int, n_classes: int, compact: bool) -> int:
    """Return the class of a rule, or -1 if its class bits are invalid."""
    if compact:
        number = 0
        for k in range(n_bits):
            number = 2 * number + 1 - int(bits[start + k])
        return number % n_classes
    found = -1
    for k in range(n_bits):
        if bits[start + k]:
            if found >= 0:
                return -1
            found = k
    return found


@inner
def correct(
    bits: Any,
    n_rules: int,
    length: int,
    begin: Any,
    place: Any,
    numeric: Any,
    compact: bool,
    rows: Any,
    counts: Any,
    default: int,
    words: Any,
    heads: Any,
) -> float:
    """Return the weight of the rows a string classifies correctly, or -1 if a rule has invalid class bits.

    `words` and `heads` are workspace for its rules.
    """
    n_tests = begin[len(begin) - 1]
    n_classes = counts.shape[1]
    n_live = 0
    for rule in range(n_rules):
        start = rule * length
        head = head_of(bits, start + n_tests, length - n_tests, n_classes, compact)
        if head < 0:
            return -1.0
        if allowed(bits, start, begin, place, numeric, words[n_live]):
            heads[n_live] = head
            n_live += 1
    total = 0.0
    n_words = rows.shape[1]
    for row in range(len(rows)):
        predicted = default
        for rule in range(n_live):
            fires = True
            for w in range(n_words):
                # A row has one bit per attribute: the rule fires if it allows all of them.
                if rows[row, w] & words[rule, w] != rows[row, w]:
                    fires = False
                    break
            if fires:
                predicted = heads[rule]
                break
        total += counts[row, predicted]
    return total


@loop
def all_correct(
    bits: Any,
    n_rules: Any,
    length: int,
    begin: Any,
    place: Any,
    numeric: Any,
    compact: bool,
    rows: Any,
    counts: Any,
    default: int,
    words: Any,
    heads: Any,
    found: Any,
) -> None:
    """Compute the correctly classified weight of every string of a population."""
    for i in range(len(bits)):
        found[i] = correct(
            bits[i],
            n_rules[i],
            length,
            begin,
            place,
            numeric,
            compact,
            rows,
            counts,
            default,
            words,
            heads,
        )


@inner
def roulette(total: Any, stream: Any) -> int:
    """Return a string drawn in proportion to fitness; `total` holds the cumulative fitness."""
    n = len(total)
    if total[n - 1] <= 0.0:
        return below(stream, n)
    drawn = uniform(stream) * total[n - 1]
    low, high = 0, n - 1
    while low < high:
        middle = (low + high) // 2
        if total[middle] > drawn:
            high = middle
        else:
            low = middle + 1
    return low


@inner
def legal_point(point: int, length: int, n_tests: int, whole_heads: bool) -> bool:
    """Return whether a string may be cut at a point: not inside class bits if that could make them invalid."""
    return not whole_heads or point % length <= n_tests


@inner
def points(
    n_first: int,
    n_second: int,
    length: int,
    n_tests: int,
    whole_heads: bool,
    most: int,
    stream: Any,
    found: Any,
) -> bool:
    """Draw two crossover points in each of two strings, at equal distances from the rule boundaries.

    Returns whether points were found that leave both offspring with at least one and at most `most` rules.
    """
    for _ in range(TRIES):
        left = below(stream, n_first * length + 1)
        right = below(stream, n_first * length + 1)
        if left > right:
            left, right = right, left
        if not legal_point(left, length, n_tests, whole_heads):
            continue
        if not legal_point(right, length, n_tests, whole_heads):
            continue
        # DeJong, Spears and Gordon 1993: the points in the second string have the same distances from the rule
        # boundaries, so that both children consist of whole rules. All such pairs with a <= b are counted, and
        # one is drawn.
        d1, d2 = left % length, right % length
        lefts = (n_second * length - d1) // length + 1
        rights = (n_second * length - d2) // length + 1
        later = (
            0 if d2 >= d1 else 1
        )  # minimum number of rules between the rule of the left point and that of the right
        choices = 0
        for i in range(lefts):
            choices += max(0, rights - i - later)
        if choices == 0:
            continue
        drawn = below(stream, choices)
        i = 0
        while drawn >= max(0, rights - i - later):
            drawn -= max(0, rights - i - later)
            i += 1
        a, b = d1 + i * length, d2 + (i + later + drawn) * length
        # The first child trades right - left bits for b - a; the second one gets the rest.
        rules = n_first + ((b - a) - (right - left)) // length
        if 1 <= rules <= most and 1 <= n_first + n_second - rules <= most:
            found[0], found[1], found[2], found[3] = left, right, a, b
            return True
    return False


@inner
def swapped(first: Any, end: int, second: Any, left: int, right: int, a: int, b: int, child: Any) -> int:
    """Write a child: a string with its middle segment replaced by another's; return its length."""
    middle, n = left + b - a, left + b - a + end - right
    child[:left] = first[:left]
    child[left:middle] = second[a:b]
    child[middle:n] = first[right:end]
    return n


@inner
def mutate(bits: Any, n_rules: int, length: int, n_tests: int, whole_heads: bool, stream: Any) -> None:
    """Flip one bit; if class bits must stay valid, move the class bit instead."""
    at = below(stream, n_rules * length)
    if whole_heads and at % length >= n_tests:
        start = at - at % length
        for k in range(n_tests, length):
            bits[start + k] = 0
        bits[at] = 1
    else:
        bits[at] = 1 - bits[at]


@inner
def change_one(bits: Any, n_rules: int, length: int, begin: Any, value: int, stream: Any) -> None:
    """Set one attribute bit to `value`: 1 adds an alternative (AA), 0 specialises."""
    attribute = below(stream, len(begin) - 1)
    start = below(stream, n_rules) * length + begin[attribute]
    width = begin[attribute + 1] - begin[attribute]
    others = 0
    for k in range(width):
        if bits[start + k] != value:
            others += 1
    # The last 1 bit is kept: a condition that allows no value never fires.
    if others == 0 or (value == 0 and others == 1):
        return
    drawn = below(stream, others)
    for k in range(width):
        if bits[start + k] != value:
            if drawn == 0:
                bits[start + k] = value
                return
            drawn -= 1


@inner
def drop_condition(bits: Any, n_rules: int, length: int, begin: Any, stream: Any) -> None:
    """Set all bits of one attribute of one rule (DC)."""
    attribute = below(stream, len(begin) - 1)
    start = below(stream, n_rules) * length
    for k in range(begin[attribute], begin[attribute + 1]):
        bits[start + k] = 1


@loop
def breed(
    bits: Any,
    n_rules: Any,
    flags: Any,
    fitness: Any,
    length: int,
    begin: Any,
    whole_heads: bool,
    n_pairs: int,
    mutation: float,
    add_alternative: float,
    drop: float,
    specialize: float,
    adaptive: bool,
    stream: Any,
    total: Any,
    new_bits: Any,
    new_rules: Any,
    new_flags: Any,
) -> None:
    """Create the next generation (Mitchell, table 9.1): survivors, crossover, mutation, then AA and DC."""
    n, most = len(bits), bits.shape[1] // length
    n_tests = begin[len(begin) - 1]
    running = 0.0
    for i in range(n):
        running += fitness[i]
        total[i] = running
    cut = [0, 0, 0, 0]
    n_survivors = n - 2 * n_pairs
    for i in range(n_survivors):
        chosen = roulette(total, stream)
        n_bits = n_rules[chosen] * length
        new_bits[i, :n_bits] = bits[chosen, :n_bits]
        new_rules[i] = n_rules[chosen]
        new_flags[i, 0], new_flags[i, 1] = flags[chosen, 0], flags[chosen, 1]
    for pair in range(n_pairs):
        i = n_survivors + 2 * pair
        one, two = roulette(total, stream), roulette(total, stream)
        end_one, end_two = n_rules[one] * length, n_rules[two] * length
        if not points(n_rules[one], n_rules[two], length, n_tests, whole_heads, most, stream, cut):
            # Whole strings are exchanged: each child is a copy of a parent.
            cut[0], cut[1], cut[2], cut[3] = 0, end_one, 0, end_two
        made = swapped(bits[one], end_one, bits[two], cut[0], cut[1], cut[2], cut[3], new_bits[i])
        new_rules[i] = made // length
        made = swapped(bits[two], end_two, bits[one], cut[2], cut[3], cut[0], cut[1], new_bits[i + 1])
        new_rules[i + 1] = made // length
        for flag in range(
            2
        ):  # the flags come after the last point, so each child keeps those of its own parent
            new_flags[i, flag], new_flags[i + 1, flag] = flags[one, flag], flags[two, flag]
    for i in range(n):
        if uniform(stream) < mutation:
            mutate(new_bits[i], new_rules[i], length, n_tests, whole_heads, stream)
        if adaptive and uniform(stream) < mutation:
            flag = below(stream, 2)
            new_flags[i, flag] = 1 - new_flags[i, flag]
        if uniform(stream) < drop and (not adaptive or new_flags[i, 1]):
            drop_condition(new_bits[i], new_rules[i], length, begin, stream)
        for value in range(2):
            rate = add_alternative if value == 1 else specialize
            may = value == 0 or not adaptive or bool(new_flags[i, 0])
            if uniform(stream) < rate and may:
                change_one(new_bits[i], new_rules[i], length, begin, value, stream)
