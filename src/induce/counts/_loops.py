"""Hot loops of counting: pure functions on arrays, for columns long enough to be worth compiling for."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.core.loops import loop


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


@loop
def first_new(numbers: Any, known: Any, n_known: int) -> int:
    """Return the index of the first number not among the known ones, which are sorted and padded to 2**k."""
    for i in range(len(numbers)):
        x = numbers[i]
        if x != x:
            continue
        place = np.int64(0)
        step = np.int64(len(known) // 2)
        while step > 0:
            if known[place + step - 1] < x:
                place += step
            step //= 2
        if place >= n_known or known[place] != x:
            return i
    return len(numbers)
