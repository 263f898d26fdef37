"""Search for conjunctions of literals that are true for examples of one class only."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.float64]
Found = tuple[tuple[int, ...], int, Counts]
"""A test, the index of its class, and the weight of the examples of each class for which it is true."""

ROUNDING = 1e-12
"""Relative difference that reordering can cause in sums of the same weights."""


def n_tests(n_literals: int, k: int) -> int:
    """Return the number of conjunctions of 1 to k literals, given the number of literals.

    Examples
    --------
    >>> n_tests(4, 2)
    10
    """
    return sum(math.comb(n_literals, size) for size in range(1, k + 1))


class UniformTests:
    """Search among the remaining examples for conjunctions that are true for one class only.

    For each class and each pair of literals, it counts the examples for which both are true, which suffices
    for tests of two literals; when examples are removed, their counts are subtracted. Longer tests are
    counted in the same way among the examples for which their first literals are true. The purity of a test
    depends on all examples, however small their weights; its coverage depends on their weights.

    Parameters
    ----------
    covers : array of bool, shape (examples, literals)
        Whether each literal is true for each example.
    labels : array of int
        Class of each example, as an index.
    n_classes : int
        Number of classes.
    k : int
        Maximum number of literals of a test.
    weights : array of float, optional
        The weight of each example, above zero; 1 if not given.

    Examples
    --------
    >>> covers = np.array([[True, False], [True, True], [False, True]])
    >>> UniformTests(covers, np.array([0, 0, 1]), 2, 1).largest()
    ((0,), 0, array([2., 0.]))
    """

    def __init__(
        self,
        covers: NDArray[np.bool_],
        labels: NDArray[np.int64],
        n_classes: int,
        k: int,
        weights: NDArray[np.float64] | None = None,
    ) -> None:
        self._covers = covers
        self._labels = labels
        self._n_classes = n_classes
        self._k = k
        self._weights = weights
        self._left = np.ones(len(labels), dtype=np.bool_)
        self._single = self._singles(self._left)
        # needed only if no single literal suffices
        self._pair: Counts | None = None

    @property
    def n_left(self) -> int:
        """Number of remaining examples."""
        return int(self._left.sum())

    def left(self) -> Counts:
        """Return the weight of the remaining examples of each class."""
        weights = None if self._weights is None else self._weights[self._left]
        counted = np.bincount(self._labels[self._left], weights, minlength=self._n_classes)
        return np.asarray(counted, dtype=np.float64)

    def take_away(self, test: tuple[int, ...]) -> None:
        """Remove the examples for which all literals of a test are true."""
        gone = self._left & self._covers[:, test].all(axis=1)
        self._single -= self._singles(gone)
        if self._pair is not None:
            self._pair -= self._pairs(gone)
        self._left &= ~gone

    def largest(self) -> Found | None:
        """Return the shortest test that is true for the most examples, all of one class, with its counts."""
        for size in range(1, self._k + 1):
            best, most = None, 0.0
            for prefix, counts in self._counted(size):
                coverage = np.where(_uniform(counts), self._weighed(prefix, counts, size).max(axis=0), 0.0)
                if coverage.max(initial=0.0) > most * (1 + ROUNDING):
                    most = float(coverage.max())
                    best = self._found(prefix, counts, int((coverage >= most * (1 - ROUNDING)).argmax()))
            if best:
                return best
        return None

    def purest(self) -> Found | None:
        """Return the shortest test of highest precision (Laplace's estimate) if it beats having no test."""
        left = self.left()
        best, score = None, (left.max() + 1) / (left.sum() + self._n_classes) + ROUNDING
        for size in range(1, self._k + 1):
            for prefix, counts in self._counted(size):
                weighed = self._weighed(prefix, counts, size)
                covered = weighed.sum(axis=0)
                held = counts.sum(axis=0) > 0
                estimate = np.where(held, (weighed.max(axis=0) + 1) / (covered + self._n_classes), 0.0)
                if estimate.max(initial=0.0) > score:
                    score = estimate.max() + ROUNDING
                    best = self._found(prefix, counts, int((estimate >= score - 2 * ROUNDING).argmax()))
        return best

    def first(self) -> Found | None:
        """Return the first of the shortest tests that are true for examples of one class only."""
        for size in range(1, self._k + 1):
            for prefix, counts in self._counted(size):
                uniform = _uniform(counts)
                if uniform.any():
                    return self._found(prefix, counts, int(uniform.argmax()))
        return None

    def _found(self, prefix: tuple[int, ...], counts: Counts, place: int) -> Found:
        rest = tuple(map(int, np.unravel_index(place, counts.shape[1:])))
        test = (*prefix, *rest)
        held = self._left & self._covers[:, test].all(axis=1)
        weights = None if self._weights is None else self._weights[held]
        of_class = np.bincount(self._labels[held], weights, minlength=self._n_classes).astype(np.float64)
        return test, int(of_class.argmax()), of_class

    def _counted(self, size: int) -> Iterator[tuple[tuple[int, ...], Counts]]:
        """Yield, by the first literals of a test, the examples per class for all possible last literals."""
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

    def _weighed(self, prefix: tuple[int, ...], counts: Counts, size: int) -> Counts:
        """Return the weights of the counted examples, summed from scratch because fractions are inexact."""
        if self._weights is None:
            return counts
        rows = self._left & self._covers[:, prefix].all(axis=1)
        if size == 1:
            return self._singles(rows, self._weights)
        return _later(self._pairs(rows, self._weights), prefix[-1] + 1 if prefix else 0)

    def _singles(self, rows: NDArray[np.bool_], weights: Counts | None = None) -> Counts:
        return np.array([each.sum(axis=0) for _, each in self._by_class(rows, weights)])

    def _pairs(self, rows: NDArray[np.bool_], weights: Counts | None = None) -> Counts:
        return np.array([plain.T @ each for plain, each in self._by_class(rows, weights)])

    def _by_class(self, rows: NDArray[np.bool_], weights: Counts | None) -> Iterator[tuple[Counts, Counts]]:
        """Yield, for each class, the literals that are true for its examples, unweighted and weighted."""
        for code in range(self._n_classes):
            chosen = rows & (self._labels == code)
            # as floats: sums of integers are exact, and products of such matrices are fast
            plain = np.asarray(self._covers[chosen], dtype=np.float64)
            yield plain, plain if weights is None else plain * weights[chosen, None]


def _uniform(counts: Counts) -> NDArray[np.bool_]:
    return np.asarray((counts > 0).sum(axis=0) == 1)


def _later(pairs: Counts, start: int) -> Counts:
    """Zero all pairs of literals except those with first index at least `start` and a larger second index."""
    keep = np.triu(np.ones(pairs.shape[1:], dtype=np.bool_), 1)
    keep[:start] = False
    return np.asarray(np.where(keep, pairs, 0.0))
