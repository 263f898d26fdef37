"""Coverage counts of clauses; examples and their bindings are bitsets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import inner, loop

Words = NDArray[np.uint64]
Codes = NDArray[np.int64]


@inner
def ones(word: np.uint64) -> int:
    """Count the set bits of a word."""
    # Sums of bits in fields of 2, 4 and 8; the product adds up the eight bytes in the highest byte.
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int(np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56)))


@loop
def count_both(base: Words, mask: Words, n_inside: int, least: int) -> tuple[int, int]:
    """Count the positive and negative examples in both `base` and a mask; see `count`."""
    inside = 0
    for j in range(n_inside):
        inside += ones(base[j] & mask[j])
    # A clause that covers too few positive examples is dropped, so its negative examples need no count.
    if inside < least:
        return inside, -1
    outside = 0
    for j in range(n_inside, len(base)):
        outside += ones(base[j] & mask[j])
    return inside, outside


@loop
def count(base: Words, masks: Words, which: Codes, n_inside: int, least: int) -> tuple[Codes, Codes]:
    """Count the positive and negative examples in `base` and each of several masks.

    The first `n_inside` words hold the positive examples. If fewer than `least` of these remain, the negative
    ones are not counted and their number is -1.
    """
    inside = np.empty(len(which), np.int64)
    outside = np.empty(len(which), np.int64)
    for k in range(len(which)):
        inside[k], outside[k] = count_both(base, masks[which[k]], n_inside, least)
    return inside, outside


@loop
def count_rows(
    rows: Words, masks: Words, which: Codes, example: Codes, base: Words, n_inside: int, least: int
) -> tuple[Codes, Codes]:
    """Count, for several masks of bindings, the examples in `base` with a binding in `rows` and the mask.

    The bindings of an example are consecutive; `example` holds the bit of each binding's example.
    """
    inside = np.zeros(len(which), np.int64)
    outside = np.full(len(which), -1, np.int64)
    for k in range(len(which)):
        mask = masks[which[k]]
        last = np.int64(-1)
        within = 0
        beyond = 0
        for j in range(len(rows)):
            word = rows[j] & mask[j]
            while word != np.uint64(0):
                # The position of the lowest set bit is the number of bits below it.
                bit = ones((word & (~word + np.uint64(1))) - np.uint64(1))
                word &= word - np.uint64(1)
                e = example[64 * j + bit]
                if e != last:
                    last = e
                    if (base[e >> 6] >> np.uint64(e & 63)) & np.uint64(1):
                        if (e >> 6) < n_inside:
                            within += 1
                        else:
                            beyond += 1
            # Positive examples come first. All have been counted by now, and there are too few.
            if last >= 64 * n_inside and within < least:
                break
        inside[k] = within
        if within >= least:
            outside[k] = beyond
    return inside, outside


@loop
def examples_of_rows(rows: Words, example: Codes, n_words: int) -> Words:
    """Return the examples that have at least one of the given bindings."""
    found = np.zeros(n_words, np.uint64)
    for j in range(len(rows)):
        word = rows[j]
        while word != np.uint64(0):
            bit = ones((word & (~word + np.uint64(1))) - np.uint64(1))
            word &= word - np.uint64(1)
            e = example[64 * j + bit]
            found[e >> 6] |= np.uint64(1) << np.uint64(e & 63)
    return found
