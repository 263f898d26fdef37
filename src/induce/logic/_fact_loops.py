"""Look-up of facts by the values of selected arguments, with a hash table over groups of rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import inner, loop

Codes = NDArray[np.int64]


@inner
def hashed(keys: Codes, i: int) -> np.int64:
    """Hash the arguments of one key."""
    mixed = np.uint64(1469598103934665603)
    for j in range(keys.shape[1]):
        mixed = (mixed ^ np.uint64(keys[i, j])) * np.uint64(1099511628211)
        mixed ^= mixed >> np.uint64(29)
    return np.int64(mixed & np.uint64(0x7FFFFFFFFFFFFFFF))


@inner
def same(mine: Codes, i: int, other: Codes, k: int) -> bool:
    """Return whether two keys are equal."""
    j = 0
    while j < mine.shape[1] and mine[i, j] == other[k, j]:
        j += 1
    return bool(j == mine.shape[1])


@loop
def group(keys: Codes) -> tuple[Codes, Codes, Codes, Codes]:
    """Group rows by key; groups and their members keep the input order.

    Returns
    -------
    slots : array
        Hash table: the group of each slot, or -1.
    example : array
        First row of each group.
    starts, order : array
        The members of group g are ``order[starts[g]:starts[g + 1]]``.
    """
    n = len(keys)
    size = 16
    # At least half of the slots stay free, so that probe sequences are short.
    while size < 2 * n:
        size *= 2
    slots = np.full(size, -1, np.int64)
    example = np.empty(n, np.int64)
    member = np.empty(n, np.int64)
    groups = 0
    for i in range(n):
        slot = hashed(keys, i) & (size - 1)
        while slots[slot] >= 0 and not same(keys, i, keys, example[slots[slot]]):
            slot = (slot + 1) & (size - 1)
        if slots[slot] < 0:
            slots[slot] = groups
            example[groups] = i
            groups += 1
        member[i] = slots[slot]
    # Counting sort by group; it is stable, so members keep their order.
    starts = np.zeros(groups + 1, np.int64)
    for i in range(n):
        starts[member[i] + 1] += 1
    for g in range(groups):
        starts[g + 1] += starts[g]
    order = np.empty(n, np.int64)
    filled = starts.copy()
    for i in range(n):
        order[filled[member[i]]] = i
        filled[member[i]] += 1
    return slots, example[:groups].copy(), starts, order


@loop
def find(slots: Codes, grouped: Codes, wanted: Codes) -> Codes:
    """Return the group of each wanted key, or -1; `grouped` holds the key of each group."""
    found = np.empty(len(wanted), np.int64)
    size = len(slots)
    for i in range(len(wanted)):
        slot = hashed(wanted, i) & (size - 1)
        while slots[slot] >= 0 and not same(wanted, i, grouped, slots[slot]):
            slot = (slot + 1) & (size - 1)
        found[i] = slots[slot]
    return found


@loop
def spread(first: Codes, count: Codes, order: Codes, total: int) -> tuple[Codes, Codes]:
    """Pair each row with each of its matching facts; return the indices of the rows and of the facts."""
    left = np.empty(total, np.int64)
    right = np.empty(total, np.int64)
    at = 0
    for i in range(len(first)):
        for k in range(count[i]):
            left[at] = i
            right[at] = order[first[i] + k]
            at += 1
    return left, right
