"""The different numbers of a column, as long as they are few: in which steps it was written down."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from induce.counts.additive import Additive, Floats

MOST = 1024
"""The most different numbers that are kept; a column with more goes in no steps."""
LARGEST = 1e145
"""Numbers beyond it count as it, so that steps can be squared."""
HEAD = 4096
BLOCK = 2**16


@dataclass(frozen=True, eq=False)
class Steps(Additive):
    """The different numbers of a column; with more than a thousand or so only that they are too many.

    Parameters
    ----------
    numbers : array of float64
        In ascending order, at most `MOST` + 1.

    Examples
    --------
    >>> steps = Steps.of(np.array([2.0, 4.0, np.nan, 4.0])) + Steps.of(np.array([8.0]))
    >>> steps.numbers.tolist(), steps.width
    ([2.0, 4.0, 8.0], 3.0)
    """

    numbers: Floats

    @classmethod
    def of(cls, numbers: Floats) -> Steps:
        """Return the steps of a column, NaN where missing."""
        found = _distinct(numbers[:HEAD])
        for start in range(HEAD, len(numbers), BLOCK):
            if len(found) > MOST:
                break
            block = numbers[start : start + BLOCK]
            place = np.minimum(np.searchsorted(found, block), max(0, len(found) - 1))
            new = block[found[place] != block] if len(found) else block
            if len(new):
                found = np.union1d(found, _distinct(new))
        return cls(found[: MOST + 1])

    @property
    def width(self) -> float:
        """The mean step from one number to the next; 0 where there are too many, or not two."""
        if not 2 <= len(self.numbers) <= MOST:
            return 0.0
        low, high = np.clip(self.numbers[[0, -1]], -LARGEST, LARGEST).tolist()
        return float((high - low) / (len(self.numbers) - 1))

    def __add__(self, other: Steps) -> Steps:
        if len(self.numbers) > MOST:
            return self
        return Steps(np.union1d(self.numbers, other.numbers)[: MOST + 1])


def _distinct(numbers: Floats) -> Floats:
    return np.unique(numbers[~np.isnan(numbers)])
