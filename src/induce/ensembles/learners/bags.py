"""Training rows of each ensemble member: bags drawn with replacement, or all folds but one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.core.folds import folds
from induce.core.randomness import RandomState, generator

Floats = NDArray[np.float64]

RESAMPLING = ("bootstrap", "folds")
MOST_DRAWS = 100
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
        Weight of each row; rows are drawn in proportion to it.
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
        for attempt in range(MOST_DRAWS):
            if chances is None:
                drawn = times_drawn(len(counted), seed, attempt, 0, len(counted))
            else:
                rows = random.choice(len(counted), len(counted), p=chances)
                drawn = np.bincount(rows, minlength=len(counted))
            there = labels[drawn > 0]
            if (there != there[0]).any():
                break
        times = np.zeros(len(self.labels))
        times[counted] = drawn
        return times


def times_drawn(n_rows: int, seed: int, attempt: int, first: int, n_here: int) -> NDArray[np.int64]:
    """Return how often each row from `first` on is among `n_rows` draws with replacement from `n_rows` rows.

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
