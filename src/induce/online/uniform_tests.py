"""Which conjunctions of literals hold for examples of one class only."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.float64]
Found = tuple[tuple[int, ...], int, NDArray[np.int64]]
"""A test, the place of its class, and for how many examples of each class it holds."""

ROUNDING = 1e-12


def n_tests(n_literals: int, k: int) -> int:
    """Return how many conjunctions of 1 to k of so many literals there are.

    Examples
    --------
    >>> n_tests(4, 2)
    10
    """
    return sum(math.comb(n_literals, size) for size in range(1, k + 1))


class UniformTests:
    """Finds conjunctions that hold for examples of one class only, among those that are left.

    For each class and each pair of literals it counts the examples for which both hold, which tells all about tests
    of two literals; taking examples away only subtracts. Longer tests are counted the same way among the examples for
    which their first literals hold.

    Parameters
    ----------
    covers : array of bool, shape (examples, literals)
    labels : array of int
    n_classes : int
    k : int
        The most literals of a test.

    Examples
    --------
    >>> covers = np.array([[True, False], [True, True], [False, True]])
    >>> UniformTests(covers, np.array([0, 0, 1]), 2, 1).largest()
    ((0,), 0, array([2, 0]))
    """

    def __init__(self, covers: NDArray[np.bool_], labels: NDArray[np.int64], n_classes: int, k: int) -> None:
        self._covers = covers
        self._labels = labels
        self._n_classes = n_classes
        self._k = k
        self._left = np.ones(len(labels), dtype=np.bool_)
        self._single = self._singles(self._left)
        # only when no single literal will do
        self._pair: Counts | None = None

    @property
    def n_left(self) -> int:
        """How many examples are left."""
        return int(self._left.sum())

    def labels_left(self) -> NDArray[np.int64]:
        """Return the classes of the examples that are left."""
        return self._labels[self._left]

    def take_away(self, test: tuple[int, ...]) -> None:
        """Take away the examples for which all literals of a test hold."""
        gone = self._left & self._covers[:, test].all(axis=1)
        self._single -= self._singles(gone)
        if self._pair is not None:
            self._pair -= self._pairs(gone)
        self._left &= ~gone

    def largest(self) -> Found | None:
        """Return the shortest test that holds for the most examples, all of one class, with its class and counts."""
        for size in range(1, self._k + 1):
            best, most = None, 0.0
            for prefix, counts in self._counted(size):
                coverage = np.where(_uniform(counts), counts.max(axis=0), 0.0)
                if coverage.max(initial=0.0) > most:
                    most = float(coverage.max())
                    best = self._found(prefix, counts, int(coverage.argmax()))
            if best:
                return best
        return None

    def purest(self) -> Found | None:
        """Return the shortest test with the largest share of one class, by Laplace's estimate; None if none is better
        than no test at all."""
        left = np.bincount(self.labels_left(), minlength=self._n_classes)
        best, score = None, (left.max() + 1) / (left.sum() + self._n_classes) + ROUNDING
        for size in range(1, self._k + 1):
            for prefix, counts in self._counted(size):
                covered = counts.sum(axis=0)
                estimate = np.where(covered > 0, (counts.max(axis=0) + 1) / (covered + self._n_classes), 0.0)
                if estimate.max(initial=0.0) > score:
                    score = estimate.max() + ROUNDING
                    best = self._found(prefix, counts, int(estimate.argmax()))
        return best

    def first(self) -> Found | None:
        """Return the first of the shortest tests that hold for examples of one class only."""
        for size in range(1, self._k + 1):
            for prefix, counts in self._counted(size):
                uniform = _uniform(counts)
                if uniform.any():
                    return self._found(prefix, counts, int(uniform.argmax()))
        return None

    def _found(self, prefix: tuple[int, ...], counts: Counts, place: int) -> Found:
        of_class = counts.reshape(len(counts), -1)[:, place]
        rest = tuple(map(int, np.unravel_index(place, counts.shape[1:])))
        return (*prefix, *rest), int(of_class.argmax()), of_class.astype(np.int64)

    def _counted(self, size: int) -> Iterator[tuple[tuple[int, ...], Counts]]:
        """Yield, by the first literals of tests of one size, the examples of each class for all their last ones."""
        n_literals = self._covers.shape[1]
        if size == 1:
            yield (), self._single
        elif size == 2:
            if self._pair is None:
                self._pair = self._pairs(self._left)
            yield (), _later(self._pair, 0)
        else:
            for prefix in combinations(range(n_literals), size - 2):
                rows = self._left & self._covers[:, prefix].all(axis=1)
                if rows.any():
                    yield prefix, _later(self._pairs(rows), prefix[-1] + 1)

    def _singles(self, rows: NDArray[np.bool_]) -> Counts:
        return np.array([self._chosen(rows, code).sum(axis=0) for code in range(self._n_classes)])

    def _pairs(self, rows: NDArray[np.bool_]) -> Counts:
        return np.array([(chosen := self._chosen(rows, code)).T @ chosen for code in range(self._n_classes)])

    def _chosen(self, rows: NDArray[np.bool_], code: int) -> Counts:
        # as numbers: sums of them are exact, and products of such matrices are fast
        return np.asarray(self._covers[rows & (self._labels == code)], dtype=np.float64)


def _uniform(counts: Counts) -> NDArray[np.bool_]:
    return np.asarray((counts > 0).sum(axis=0) == 1)


def _later(pairs: Counts, start: int) -> Counts:
    """Keep of pairs of literals those in which the second comes after the first, and the first not before `start`."""
    keep = np.triu(np.ones(pairs.shape[1:], dtype=np.bool_), 1)
    keep[:start] = False
    return np.asarray(np.where(keep, pairs, 0.0))
