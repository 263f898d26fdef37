"""Distinct numbers of a column, if there are few: the steps in which it was recorded."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from induce.core.loops import call_wrapping
from induce.counts.additive import LONG, Additive, Floats

MOST = 1024
"""Maximum number of distinct numbers kept; a column with more has no steps."""
LARGEST = 1e145
"""Magnitude to which numbers are clipped, so that steps can be squared."""
HEAD = 4096
BLOCK = 2**16


@dataclass(frozen=True, eq=False)
class Steps(Additive):
    """Range of a column, and its distinct numbers if there are at most about a thousand.

    Parameters
    ----------
    numbers : array of float64
        Distinct numbers in ascending order; empty if there are too many.
    low, high : float
        Smallest and largest number; inf and -inf if there is none.

    Examples
    --------
    >>> steps = Steps.of(np.array([2.0, 4.0, np.nan, 4.0])) + Steps.of(np.array([8.0]))
    >>> steps.numbers.tolist(), steps.width, (steps.low, steps.high)
    ([2.0, 4.0, 8.0], 3.0, (2.0, 8.0))
    """

    numbers: Floats
    low: float = math.inf
    high: float = -math.inf

    @classmethod
    def of(cls, numbers: Floats) -> Steps:
        """Return the steps of a column, NaN where missing."""
        numbers = np.asarray(numbers, np.float64)
        found = _distinct(numbers[:HEAD])
        for start in range(HEAD, len(numbers), BLOCK):
            if len(found) > MOST:
                break
            block = np.ascontiguousarray(numbers[start : start + BLOCK])
            new = block[_first_new(block, found, len(numbers)) :]
            if len(new):
                found = np.union1d(found, _distinct(new))
        low, high = np.fmin.reduce(numbers, initial=math.inf), np.fmax.reduce(numbers, initial=-math.inf)
        return cls._few(found, float(low), float(high))

    @classmethod
    def _few(cls, numbers: Floats, low: float, high: float) -> Steps:
        return cls(numbers if len(numbers) <= MOST else np.empty(0), low, high)

    @property
    def width(self) -> float:
        """Mean step between consecutive numbers; 0 if there are too many numbers, or fewer than two."""
        if not 2 <= len(self.numbers) <= MOST:
            return 0.0
        low, high = np.clip(self.numbers[[0, -1]], -LARGEST, LARGEST).tolist()
        return float((high - low) / (len(self.numbers) - 1))

    @property
    def too_many(self) -> bool:
        """Whether there are more distinct numbers than are kept."""
        # files of former versions hold one number too many
        return len(self.numbers) > MOST or (len(self.numbers) == 0 and self.low <= self.high)

    def __add__(self, other: Steps) -> Steps:
        low, high = min(self.low, other.low), max(self.high, other.high)
        if self.too_many or other.too_many:
            return Steps(np.empty(0), low, high)
        return Steps._few(np.union1d(self.numbers, other.numbers), low, high)


def _distinct(numbers: Floats) -> Floats:
    return np.unique(numbers[~np.isnan(numbers)])


def _first_new(block: Floats, found: Floats, n_rows: int) -> int:
    """Return an index from which on all new numbers lie; in a long column, the index of the first new number."""
    from induce.counts import _loops

    if n_rows >= LONG:
        digits = (4 * len(found) + 1).bit_length()
        places, taken = np.zeros(2**digits), np.zeros(2**digits, np.bool_)
        bits, known = block.view(np.uint64), found.view(np.uint64)
        given = block, bits, found, known, np.uint64(64 - digits), places, taken
        return int(call_wrapping(_loops.first_new, 4 * len(block), *given))
    place = np.minimum(np.searchsorted(found, block), max(0, len(found) - 1))
    fresh = (found[place] != block) & ~np.isnan(block) if len(found) else ~np.isnan(block)
    return int(fresh.argmax()) if fresh.any() else len(block)
