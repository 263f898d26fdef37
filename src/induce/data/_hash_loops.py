"""Hot loops over the hashes of cells: pure functions on arrays.

A hash belongs at the place of its highest bits, `hash >> shift`, or at the next free place behind it. There are 2**k
places, and always a free one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.core.loops import loop

FREE = -2
"""Code of a free place, and of a hash that has no place: one that is not in the domain."""


@loop
def enter(hashes: Any, shift: Any, keys: Any, codes: Any) -> None:
    """Insert the hashes into the table, with codes counted from 0."""
    last = np.uint64(len(keys) - 1)
    for i in range(len(hashes)):
        place = hashes[i] >> shift
        while codes[place] != FREE:
            place = (place + np.uint64(1)) & last
        keys[place] = hashes[i]
        codes[place] = i


@loop
def codes_of(hashes: Any, shift: Any, keys: Any, codes: Any) -> Any:
    """The code of each hash, `FREE` if it has none."""
    found = np.empty(len(hashes), np.int32)
    last = np.uint64(len(keys) - 1)
    for i in range(len(hashes)):
        h = hashes[i]
        place = h >> shift
        while keys[place] != h and codes[place] != FREE:
            place = (place + np.uint64(1)) & last
        found[i] = codes[place]
    return found


@loop
def first_rows(hashes: Any, shift: Any, keys: Any, codes: Any, rows: Any) -> int:
    """Write the first row of each distinct hash to `rows`; return their number, or -1 if `rows` is too small."""
    last = np.uint64(len(keys) - 1)
    n = 0
    for i in range(len(hashes)):
        h = hashes[i]
        place = h >> shift
        while keys[place] != h and codes[place] != FREE:
            place = (place + np.uint64(1)) & last
        if codes[place] == FREE:
            if n == len(rows):
                return -1
            keys[place] = h
            codes[place] = n
            rows[n] = i
            n += 1
    return n
