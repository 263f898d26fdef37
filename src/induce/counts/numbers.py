"""Counts of numbers by class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.shapes import check_numbers, check_places, check_shapes
from induce.counts.additive import Additive, Floats, Ints, without_rounding


@dataclass(frozen=True, eq=False)
class NumberCounts(Additive):
    """Distinct numbers of a column, with the weight of each in every class in which it occurs.

    Parameters
    ----------
    number : array of float64
        Numbers in ascending order; a number occurs once per class.
    label : array of int32
        Class of each number; ascending for equal numbers.
    weight : array of float64
        Weight of each number in its class.

    Examples
    --------
    >>> counts = NumberCounts.of(np.array([3.0, 1.0, 3.0, np.nan]), np.array([0, 1, 0, 1]))
    >>> counts.number.tolist(), counts.label.tolist(), counts.weight.tolist()
    ([1.0, 3.0], [1, 0], [1.0, 2.0])
    """

    number: Floats
    label: Ints
    weight: Floats

    def check(self) -> None:
        """Raise an `InputError` unless each number has a class and a weight."""
        check_shapes(self, dict.fromkeys(("number", "label", "weight"), "numbers"))
        check_numbers("weight", self.weight, at_least=0)
        check_places("label", self.label, np.iinfo(np.int32).max)

    @classmethod
    def of(cls, numbers: Floats, labels: NDArray[Any], weights: Floats | None = None) -> NumberCounts:
        """Count the numbers of a column, NaN where missing."""
        weight = np.ones(len(numbers)) if weights is None else weights
        known = ~np.isnan(numbers)
        return cls._merged(numbers[known], labels[known].astype(np.int32), weight[known])

    @classmethod
    def _merged(cls, number: Floats, label: Ints, weight: Floats) -> NumberCounts:
        order = np.lexsort((label, number))
        number, label, weight = number[order], label[order], weight[order]
        first = np.ones(len(number), np.bool_)
        first[1:] = (number[1:] != number[:-1]) | (label[1:] != label[:-1])
        starts = np.flatnonzero(first)
        total = np.add.reduceat(weight, starts) if len(starts) else weight
        size = np.add.reduceat(np.abs(weight), starts) if len(starts) else weight
        total = without_rounding(total, size)
        kept = total != 0
        return cls(number[starts][kept], label[starts][kept], total[kept])

    def __add__(self, other: NumberCounts) -> NumberCounts:
        return self._merged(
            np.append(self.number, other.number),
            np.append(self.label, other.label),
            np.append(self.weight, other.weight),
        )

    def __mul__(self, weight: float) -> NumberCounts:
        return NumberCounts(self.number, self.label, self.weight * weight)

    def placed(self, places: Sequence[int]) -> NumberCounts:
        """Return the counts with more classes: class `i` becomes class `places[i]`."""
        label = np.asarray(places, np.int32)[self.label]
        return self._merged(self.number, label, self.weight)
