"""Moments of numbers by class: count, mean and spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.loops import repeated
from induce.core.shapes import check_numbers
from induce.counts.additive import LONG, Additive, Floats, sums, without_rounding

BLOCK = 2**16
"""Number of cells processed at a time: they fit into the processor's cache."""
FEW_CLASSES = 64
EXACT = 1e-14
"""Relative magnitude below which squares that remain after a subtraction are rounding errors."""


@dataclass(frozen=True, eq=False)
class Moments(Additive):
    """Weight, mean and sum of squared deviations of numbers, by class or in any other shape.

    They are merged by the update of Chan, Golub and LeVeque, which loses no digits if numbers are large and
    their spread is small.

    Parameters
    ----------
    count, mean, m2 : arrays of float64, all of one shape
        Sum of weights, mean, and weighted sum of squared deviations from the mean; the mean is 0 without
        numbers.

    Examples
    --------
    >>> moments = Moments.of(np.array([1.0, 2.0, 6.0, np.nan]), np.array([0, 1, 1, 1]), 2)
    >>> moments.count.tolist(), moments.mean.tolist(), moments.variance.tolist()
    ([1.0, 2.0], [1.0, 4.0], [0.0, 4.0])
    """

    count: Floats
    mean: Floats
    m2: Floats

    def check(self) -> None:
        """Raise an `InputError` unless all have the same shape."""
        if not self.count.shape == self.mean.shape == self.m2.shape:
            raise InputError("moments need counts, means and squares of the same shape")
        check_numbers("count", self.count, at_least=0)
        check_numbers("mean", self.mean)
        check_numbers("m2", self.m2, at_least=0)

    @classmethod
    def of(
        cls, numbers: Floats, labels: NDArray[Any], n_classes: int, weights: Floats | None = None
    ) -> Moments:
        """Return the moments of one column of numbers, or of the columns of a matrix, in each class.

        Parameters
        ----------
        numbers : array of float64, shape (rows,) or (rows, columns)
            Numbers; NaN if missing.
        labels : array of int
            Class of each row.
        n_classes : int
        weights : array, optional
            Weight of each row.

        Returns
        -------
        Moments of shape (classes,) or (classes, columns)
        """
        if numbers.ndim == 1 and weights is None and len(numbers) >= LONG:
            return cls._of_long(numbers, labels, n_classes)
        found = cls.none(n_classes, *numbers.shape[1:])
        step = max(256, BLOCK // (numbers.shape[1] if numbers.ndim == 2 else 1))
        for start in range(0, len(numbers), step):
            rows = slice(start, start + step)
            found += _of_block(
                numbers[rows], labels[rows], n_classes, None if weights is None else weights[rows]
            )
        return found

    @classmethod
    def _of_long(cls, numbers: Floats, labels: NDArray[Any], n_classes: int) -> Moments:
        """Return the moments of a long column of unweighted rows, in compiled steps."""
        from induce.counts import _loops

        found, numbers = cls.none(n_classes), np.ascontiguousarray(numbers)
        for start in range(0, len(numbers), BLOCK):
            here, rows = cls.none(n_classes), slice(start, start + BLOCK)
            add_up = repeated(_loops.moments, 2 * BLOCK)
            add_up(numbers[rows], labels[rows], np.zeros(n_classes), *here.arrays())
            found += here
        return found

    @classmethod
    def none(cls, *shape: int) -> Moments:
        """Return the moments before any number is counted: all zero."""
        return cls(np.zeros(shape), np.zeros(shape), np.zeros(shape))

    @property
    def variance(self) -> Floats:
        """Mean squared deviation (divided by the count, as in maximum likelihood); 0 without numbers."""
        return self.m2 / np.where(self.count > 0, self.count, 1.0)

    def __add__(self, other: Moments) -> Moments:
        count = self.count + other.count
        share = other.count / np.where(count > 0, count, 1.0)
        gap = other.mean - self.mean
        return Moments(
            count,
            np.where(share == 1.0, other.mean, self.mean + gap * share),
            self.m2 + other.m2 + gap * gap * self.count * share,
        )

    def __sub__(self, other: Moments) -> Moments:
        count = without_rounding(self.count - other.count, self.count)
        left = count > 0
        gap = other.mean - self.mean
        mean = np.where(left, self.mean - gap * other.count / np.where(left, count, 1.0), 0.0)
        further = other.mean - mean
        m2 = self.m2 - other.m2 - further * further * other.count * count / np.maximum(self.count, 1e-300)
        return Moments(
            count, mean, np.where(left, np.maximum(without_rounding(m2, self.m2, EXACT), 0.0), 0.0)
        )

    def __mul__(self, weight: float) -> Moments:
        return Moments(self.count * weight, self.mean, self.m2 * weight)

    def arrays(self) -> tuple[Floats, Floats, Floats]:
        """Return the counts, the means and the sums of squares."""
        return self.count, self.mean, self.m2

    def __getitem__(self, index: Any) -> Moments:
        return Moments(self.count[index], self.mean[index], self.m2[index])

    def placed(self, places: Sequence[int], size: int) -> Moments:
        """Return the moments with more classes: class `i` becomes class `places[i]`."""
        larger = Moments.none(size, *self.count.shape[1:])
        for mine, theirs in zip(self.arrays(), larger.arrays(), strict=True):
            theirs[np.asarray(places, np.intp)] = mine
        return larger

    def total(self) -> Moments:
        """Return the moments of all classes together.

        Examples
        --------
        >>> total = Moments.of(np.array([1.0, 2.0, 6.0]), np.array([0, 1, 1]), 2).total()
        >>> float(total.mean), round(float(total.variance), 4)
        (3.0, 4.6667)
        """
        count = self.count.sum(axis=0)
        mean = (self.count * self.mean).sum(axis=0) / np.where(count > 0, count, 1.0)
        return Moments(count, mean, (self.m2 + self.count * (self.mean - mean) ** 2).sum(axis=0))


def _of_block(numbers: Floats, labels: NDArray[Any], n_classes: int, weights: Floats | None) -> Moments:
    holes = np.isnan(numbers)
    # measured from one of them, large numbers close together lose no digits in the sum
    origin = np.take_along_axis(numbers, np.argmin(holes, axis=0)[np.newaxis], axis=0)[0]
    origin = np.where(np.isfinite(origin), origin, 0.0)
    numbers = numbers - origin
    known: Floats | None = None
    if holes.any():
        known = (~holes).astype(np.float64)
        numbers = np.where(holes, 0.0, numbers)
    if numbers.ndim == 1 or n_classes > FEW_CLASSES:
        add = _by_counting(labels, n_classes, weights)
    else:
        add = _by_product(labels, n_classes, weights)
    if known is None:
        rows = sums(labels, weights, n_classes)
        count = np.repeat(rows, numbers.shape[1]).reshape(n_classes, -1) if numbers.ndim == 2 else rows
    else:
        count = add(known)
    mean = add(numbers) / np.where(count > 0, count, 1.0)
    gap = numbers - mean[labels]
    gap *= gap
    if known is not None:
        gap *= known
    return Moments(count, np.where(count > 0, mean + origin, 0.0), add(gap))


def _by_product(labels: NDArray[Any], n_classes: int, weights: Floats | None) -> Any:
    """Compute the sums by class as a single matrix product."""
    member = np.zeros((n_classes, len(labels)))
    member[labels, np.arange(len(labels))] = 1.0 if weights is None else weights
    return lambda numbers: member @ numbers


def _by_counting(labels: NDArray[Any], n_classes: int, weights: Floats | None) -> Any:
    """Compute the sums by class, column by column."""

    def add(numbers: Floats) -> Floats:
        columns = numbers.reshape(len(labels), -1)
        added = [
            sums(labels, column if weights is None else column * weights, n_classes) for column in columns.T
        ]
        return np.stack(added, axis=1).reshape(n_classes, *numbers.shape[1:])

    return add
