"""Hot loops of counting: pure functions on arrays, for columns long enough to be worth compiling for."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.core.loops import inner, loop

MIX = np.uint64(0x9E3779B97F4A7C15)
"""Odd number near 2**64 divided by the golden ratio: the high bits of its multiples are spread evenly."""


@loop
def pairs(codes: Any, labels: Any, table: Any) -> None:
    """Count the rows of each code, starting with -1 for missing, and class; codes below -1 are missing."""
    for i in range(len(codes)):
        table[max(codes[i], -1) + 1, labels[i]] += 1.0


@loop
def moments(numbers: Any, labels: Any, first: Any, count: Any, mean: Any, m2: Any) -> None:
    """Compute count, mean and sum of squared deviations of one block of numbers by class, ignoring NaN.

    `first` is the first number of each class, which is subtracted from the others: sums stay small if numbers
    are large and close together. The second pass subtracts the mean, which loses no digits.
    """
    n_classes = len(count)
    for i in range(len(numbers)):
        c = labels[i]
        x = numbers[i]
        if x == x:
            if count[c] == 0.0:
                first[c] = x
            count[c] += 1.0
            mean[c] += x - first[c]
    for c in range(n_classes):
        if count[c] > 0.0:
            mean[c] = first[c] + mean[c] / count[c]
    for i in range(len(numbers)):
        c = labels[i]
        x = numbers[i]
        if x == x:
            m2[c] += (x - mean[c]) * (x - mean[c])


@inner
def place_of(x: float, bits: Any, shift: Any) -> Any:
    """Return the hash of a number: the highest bits of a product; 0.0 and -0.0 have the same hash."""
    return ((bits if x != 0.0 else np.uint64(0)) * MIX) >> shift


@loop
def first_new(
    numbers: Any, bits: Any, known: Any, known_bits: Any, shift: Any, places: Any, taken: Any
) -> int:
    """Return the index of the first number not among the known ones, ignoring NaN.

    The known numbers are first stored in `places`, a hash table with linear probing. It has 2**k entries, none of
    which is `taken` at the start, and more than there are known numbers.
    """
    last = np.uint64(len(places) - 1)
    for i in range(len(known)):
        place = place_of(known[i], known_bits[i], shift)
        while taken[place]:
            place = (place + np.uint64(1)) & last
        places[place] = known[i]
        taken[place] = True
    for i in range(len(numbers)):
        x = numbers[i]
        if x != x:
            continue
        place = place_of(x, bits[i], shift)
        while places[place] != x or not taken[place]:
            if not taken[place]:
                return i
            place = (place + np.uint64(1)) & last
    return len(numbers)
