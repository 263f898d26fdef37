"""Join of a table with the facts that match its rows, directly into a set of rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import inner, loop

Codes = NDArray[np.int64]

BAG, BITS, KEYS, PLACES = range(4)
"""Index type of a set of rows: none, one bit per possible row, rows encoded as integers, or row positions."""


@inner
def seen_before(seen: Codes, values: Codes, base: np.uint64, weight: np.uint64, many: int) -> int:
    """Return the number of leading values whose rows are all marked in the bit set."""
    for p in range(many):
        number = base + np.uint64(values[p]) * weight
        if seen[number >> np.uint64(6)] >> np.int64(number & np.uint64(63)) & 1 == 0:
            return p
    return many


@inner
def place_of_number(slots: Codes, number: np.uint64) -> np.uint64:
    """Return the slot of an integer in a hash table: its own, or the free slot where it would be inserted.

    Integers that differ only in their last digit share a cache line, since they are used together.
    """
    last = np.uint64(len(slots) - 1)
    mixed = (number >> np.uint64(3)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    slot = ((mixed >> np.uint64(29)) ^ (number & np.uint64(7))) & last
    while slots[slot] >= 0 and slots[slot] != np.int64(number):
        slot = (slot + np.uint64(1)) & last
    return slot


@inner
def place_of_row(slots: Codes, rows: Codes, row: Codes) -> np.uint64:
    """Return the slot of a row in a hash table of positions: its own, or the free slot where it would be inserted."""
    last = np.uint64(len(slots) - 1)
    mixed = np.uint64(0)
    for c in range(len(row)):
        mixed = (mixed ^ np.uint64(row[c])) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(32)
    slot = mixed & last
    while slots[slot] >= 0:
        c = 0
        while c < len(row) and rows[slots[slot], c] == row[c]:
            c += 1
        if c == len(row):
            break
        slot = (slot + np.uint64(1)) & last
    return slot


@loop
def join(
    table: Codes,
    first: Codes,
    count: Codes,
    pool: Codes,
    source: Codes,
    rows: Codes,
    seen: Codes,
    at: Codes,
    steps: int,
) -> None:
    """Write the joined rows to `rows`, as many as fit and as `steps` allows.

    Parameters
    ----------
    table : array (rows, columns)
    first, count : array
        Row i is joined with ``pool[first[i]:first[i] + count[i]]``.
    pool : array (facts, arguments)
    source : array
        Source of each column of a joined row: a column of the table, a column of the pool (numbered after
        those), or the constant c as -1 - c.
    rows : array
        Array that receives the joined rows.
    seen : array
        Index that keeps the rows in `rows` distinct.
    at : array of 5
        Resume position: the row, the index of its match, and the number of joined rows so far. Then the type
        of `seen`, and the exclusive upper bound of all codes, by which a row is encoded as one integer (0 if
        there is none).
    steps : int
        Maximum number of pairs to examine.
    """
    # With `bound` above every code, a row is encoded as the integer sum code[c] bound^c, whose bit or hash
    # tells whether it is present. `base` is the part shared by all matches of a row.
    kind, bound = at[3], np.uint64(at[4])
    columns = table.shape[1]
    row = np.empty(len(source), np.int64)
    weight = np.empty(len(source), np.uint64)
    moving = np.empty(len(source), np.int64)  # columns that differ between the matches of a row
    n_moving = 0
    for c in range(len(source)):
        weight[c] = np.uint64(1) if c == 0 else weight[c - 1] * bound
        if source[c] >= columns:
            moving[n_moving] = c
            n_moving += 1
    i, k, size = at[0], at[1], at[2]
    room = len(rows)
    while i < len(table) and steps > 0 and size < room:
        base = np.uint64(0)
        for c in range(len(source)):
            if source[c] < columns:
                row[c] = table[i, source[c]] if source[c] >= 0 else -1 - source[c]
                base += np.uint64(row[c]) * weight[c]
        # A row with many matches may be interrupted; `at` holds the position to resume, so each call is
        # bounded.
        stop = min(count[i], k + steps)
        steps -= stop - k + 1
        p = np.uint64(first[i] + k)
        while k < stop and size < room:
            if kind == BITS and n_moving == 1:
                # most rows of a closure are found many times: this tight loop skips them
                passed = seen_before(
                    seen, pool[p:, source[moving[0]] - columns], base, weight[moving[0]], stop - k
                )
                k += passed
                p += np.uint64(passed)
                if k == stop:
                    break
            fresh = True
            if kind in (BITS, KEYS):
                number = base
                for m in range(n_moving):
                    number += np.uint64(pool[p, source[moving[m]] - columns]) * weight[moving[m]]
                if kind == BITS:
                    bits = seen[number >> np.uint64(6)]
                    with_it = bits | np.int64(1) << np.int64(number & np.uint64(63))
                    fresh = with_it != bits
                    if fresh:
                        seen[number >> np.uint64(6)] = with_it
                else:
                    slot = place_of_number(seen, number)
                    fresh = seen[slot] < 0
                    if fresh:
                        seen[slot] = np.int64(number)
            if fresh:
                for m in range(n_moving):
                    row[moving[m]] = pool[p, source[moving[m]] - columns]
                if kind == PLACES:
                    slot = place_of_row(seen, rows, row)
                    fresh = seen[slot] < 0
                    if fresh:
                        seen[slot] = size
                if fresh:
                    for c in range(len(row)):
                        rows[size, c] = row[c]
                    size += 1
            k += 1
            p += np.uint64(1)
        if k == count[i]:
            i += 1
            k = 0
    at[0], at[1], at[2] = i, k, size
