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


@dataclass(frozen=True, eq=False)
class Bags:
    """Counts of each row in several bags.

    Only the seeds are stored: a bag is drawn again on request.

    Parameters
    ----------
    labels : array of int
        Class of each row. A bag has rows of at least two classes, if there are two.
    weights : array of float64
        Weight of each row; a row is drawn in proportion to it.
    seeds : array of int
        Random seed of each bag.
    fold : array of int
        Bag that each row is left out of; empty for bags drawn with replacement.

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
        """Return the count of each row in a bag."""
        if len(self.fold):
            return np.where(self.fold == k, 0.0, self.weights)
        random = np.random.default_rng(int(self.seeds[k]))
        counted = np.flatnonzero(self.weights)
        even = bool((self.weights[counted] == 1).all())
        chances = None if even else self.weights[counted] / self.weights.sum()
        for _ in range(MOST_DRAWS):
            if chances is None:
                rows = counted[random.integers(0, len(counted), len(counted))]
            else:
                rows = random.choice(counted, len(counted), p=chances)
            if (self.labels[rows] != self.labels[rows[0]]).any():
                break
        return np.bincount(rows, minlength=len(self.labels)).astype(np.float64)
