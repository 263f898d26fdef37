"""Training rows of each ensemble member: bags drawn with replacement, or all folds but one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.folds import folds
from induce.core.randomness import RandomState, generator

Floats = NDArray[np.float64]

RESAMPLING = ("bootstrap", "folds")
MOST_DRAWS = 100
MOST_CLASSES = 1000
"""Maximum number of classes whose rows are drawn class by class."""
BLOCK = 2**16
"""Number of consecutive rows drawn together, so that a partition of a large table draws only its own blocks."""


@dataclass(frozen=True, eq=False)
class Bags:
    """Multiplicities of the rows in several bags.

    Only the seeds are stored; a bag is redrawn on request.

    Parameters
    ----------
    labels : array of int
        Class of each row. A bag contains rows of at least two classes, if there are two.
    weights : array of float64
        Weight of each row; a row is drawn in proportion to it. Weights that depend only on the class give the bags of
        the same table in partitions.
    seeds : array of int
        Random seed of each bag.
    fold : array of int
        Fold of each row, which its bag leaves out; empty for bags drawn with replacement.

    Examples
    --------
    >>> bags = Bags.drawn(np.array([0, 1, 0, 1, 0]), np.ones(5), 3, "bootstrap", 0)
    >>> [int(bags.times(k).sum()) for k in range(len(bags))]
    [5, 5, 5]
    """

    labels: NDArray[np.int64]
    weights: Floats
    seeds: NDArray[np.int64]
    fold: NDArray[np.int64]

    @classmethod
    def drawn(
        cls,
        labels: NDArray[np.int64],
        weights: Floats,
        n_bags: int,
        resampling: str,
        random_state: RandomState,
    ) -> Bags:
        """Return bags for `n_bags` members."""
        seeds = generator(random_state).integers(2**31, size=n_bags)
        fold = np.empty(0, np.int64)
        if resampling == "folds":
            fold = np.empty(len(labels), np.int64)
            splits = folds(labels, n_bags, random_state).split(labels, labels)
            for k, (_, left_out) in enumerate(splits):
                fold[left_out] = k
        return cls(labels, weights / weights.max(), seeds, fold)

    def __len__(self) -> int:
        return len(self.seeds)

    @cached_property
    def _strata(self) -> Strata | None:
        """Return the rows by block and class if weights depend on the class alone."""
        n_classes = int(self.labels.max(initial=0)) + 1
        if n_classes > MOST_CLASSES:
            return None
        least = np.full(n_classes, np.inf)
        np.minimum.at(least, self.labels, self.weights)
        if not np.array_equal(least[self.labels], self.weights):
            return None
        of_class = np.where(np.isfinite(least), least, 0.0)
        return Strata(block_counts(0, self.labels, n_classes), canonical(of_class))

    def times(self, k: int) -> Floats:
        """Return the number of times each row occurs in a bag."""
        if len(self.fold):
            return np.where(self.fold == k, 0.0, self.weights)
        seed = int(self.seeds[k])
        random = np.random.default_rng(seed)
        counted = np.flatnonzero(self.weights)
        even = bool((self.weights[counted] == 1).all())
        chances = None if even else self.weights[counted] / self.weights.sum()
        labels = self.labels[counted]
        strata = None if even else self._strata
        for attempt in range(MOST_DRAWS):
            if chances is None:
                drawn = times_drawn(len(counted), seed, attempt, 0, len(counted))
            elif strata is not None:
                drawn = strata.times(seed, attempt, 0, self.labels, strata.none())[counted]
            else:
                rows = random.choice(len(counted), len(counted), p=chances)
                drawn = np.bincount(rows, minlength=len(counted))
            there = labels[drawn > 0]
            if (there != there[0]).any():
                break
        times = np.zeros(len(self.labels))
        times[counted] = drawn
        return times


@dataclass(frozen=True, eq=False)
class Strata:
    """Rows of each class in each block of neighbouring rows, drawn in proportion to the weight of their class.

    Parameters
    ----------
    counts : array of int, shape (blocks, classes)
        Number of rows.
    weights : array of float64, shape (classes,)
        Weight of a row of each class; see `canonical`.

    Examples
    --------
    >>> labels = np.array([0, 1, 1, 0, 1])
    >>> strata = Strata(block_counts(0, labels, 2), np.array([1.0, 0.0]))
    >>> strata.times(1, 0, 0, labels, strata.none()).tolist()
    [0, 0, 0, 2, 0]
    """

    counts: NDArray[np.int64]
    weights: Floats

    def none(self) -> NDArray[np.int64]:
        """Return a row count of 0 for each class."""
        return np.zeros(len(self.weights), np.int64)

    def times(
        self, seed: int, attempt: int, first: int, labels: NDArray[Any], before: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the number of times each row is drawn, starting at row `first`.

        Over all rows, the numbers sum to the number of rows with a weight.

        Parameters
        ----------
        seed, attempt : int
        first : int
            Number of the first row.
        labels : array of int
            Class of each of the rows.
        before : array of int
            Number of rows of each class in the block of the first row that precede it.
        """
        chances = self.counts * self.weights
        n_draws = int(self.counts[:, self.weights > 0].sum())
        random = np.random.default_rng([seed, attempt])
        shares = random.multinomial(n_draws, (chances / chances.sum()).ravel()).reshape(chances.shape)
        times = np.zeros(len(labels), np.int64)
        for block, low, high in pieces(first, len(labels)):
            for code in range(len(self.weights)):
                rows = low + np.flatnonzero(labels[low:high] == code)
                if not len(rows):
                    continue
                own = np.random.default_rng([seed, attempt, 1 + block, code])
                n = int(self.counts[block, code])
                drawn = np.bincount(own.integers(0, n, shares[block, code]), minlength=n)
                begin = int(before[code]) if low == 0 else 0
                times[rows] = drawn[begin : begin + len(rows)]
        return times


def canonical(weights: Floats) -> Floats:
    """Return weights of classes relative to the largest, rounded so that they are the same wherever they come from.

    Examples
    --------
    >>> canonical(np.array([0.1 + 0.2, 0.6])).tolist()
    [0.5, 1.0]
    """
    return np.asarray(np.round(weights / weights.max(), 12))


def pieces(first: int, n: int) -> Iterator[tuple[int, int, int]]:
    """Yield the blocks of the given rows starting at `first`: their number, and where their rows begin and
    end.

    Examples
    --------
    >>> list(pieces(65_530, 10))
    [(0, 0, 6), (1, 6, 10)]
    """
    low = 0
    while low < n:
        block = (first + low) // BLOCK
        high = min(n, (block + 1) * BLOCK - first)
        yield block, low, high
        low = high


def block_counts(first: int, labels: NDArray[Any], n_classes: int) -> NDArray[np.int64]:
    """Return the number of rows of each class in each block of the given rows, from the block of the first
    row on.
    """
    counts = [
        np.bincount(labels[low:high], minlength=n_classes) for _, low, high in pieces(first, len(labels))
    ]
    return np.array(counts, np.int64).reshape(-1, n_classes)


def times_drawn(n_rows: int, seed: int, attempt: int, first: int, n_here: int) -> NDArray[np.int64]:
    """Return how often each row, starting at `first`, is among `n_rows` draws with replacement from `n_rows`
    rows.

    The draws of a block of rows follow from the seed and the number of the block, so that a table in memory
    and its partitions have the same bags. First the draws are divided among the blocks; then each block draws
    its rows.

    Examples
    --------
    >>> whole = times_drawn(200_000, 1, 0, 0, 200_000)
    >>> int(whole.sum()), bool((times_drawn(200_000, 1, 0, 70_000, 9)  == whole[70_000:70_009]).all())
    (200000, True)
    """
    if n_rows <= BLOCK:
        random = np.random.default_rng([seed, attempt] if attempt else seed)
        return np.bincount(random.integers(0, n_rows, n_rows), minlength=n_rows)[first : first + n_here]
    sizes = np.full(-(-n_rows // BLOCK), BLOCK)
    sizes[-1] = n_rows - BLOCK * (len(sizes) - 1)
    shares = np.random.default_rng([seed, attempt]).multinomial(n_rows, sizes / n_rows)
    blocks = range(first // BLOCK, -(-(first + n_here) // BLOCK))
    drawn = [
        np.bincount(
            np.random.default_rng([seed, attempt, 1 + b]).integers(0, sizes[b], shares[b]), minlength=sizes[b]
        )
        for b in blocks
    ]
    begin = first - BLOCK * (first // BLOCK)
    return np.concatenate([np.zeros(0, np.int64), *drawn])[begin : begin + n_here]
