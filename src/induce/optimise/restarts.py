"""Multiple runs: restarts, and the number of epochs by cross-validation (Mitchell §4.6.1, §4.6.5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.core.ties import first_smallest
from induce.optimise.descent import Descent, descend
from induce.optimise.objective import Objective, Rows

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Restarted:
    """Runs from several initial weights.

    Parameters
    ----------
    runs : tuple of Descent
        Runs in order.
    chosen : int
        Index of the run with the lowest validation measure, or with the lowest loss if there is none.
    """

    runs: tuple[Descent, ...]
    chosen: int

    @property
    def best(self) -> Descent:
        """The chosen run."""
        return self.runs[self.chosen]


def restart(
    objective: Objective,
    start: Callable[[np.random.Generator], Floats],
    *,
    n_starts: int = 5,
    random_state: RandomState = 0,
    **settings: Any,
) -> Restarted:
    """Descend from several initial weights and choose the best run; all runs are returned, as for a committee.

    Parameters
    ----------
    objective : Objective
        Objective to minimise.
    start : callable
        Function from a random generator to initial weights.
    n_starts : int
        Number of runs; each has its own random stream.
    random_state : int, Generator or None
        Random seed.
    **settings
        Arguments of `descend`.
    """
    at_least("n_starts", n_starts, 1, whole=True)
    runs = tuple(
        descend(objective, start(stream), random_state=stream, **settings)
        for stream in generator(random_state).spawn(n_starts)
    )
    measures = [
        float((run.history.validation if len(run.history.validation) else run.history.loss).min())
        for run in runs
    ]
    return Restarted(runs, first_smallest(measures))


@dataclass(frozen=True)
class FoldEpochs:
    """Best number of epochs for each fold, and the mean.

    Parameters
    ----------
    counts : tuple of int
        Number of epochs with the lowest validation measure, one per fold.
    """

    counts: tuple[int, ...]

    @property
    def mean(self) -> int:
        """Number of epochs for the final run on all rows.

        Examples
        --------
        >>> FoldEpochs((100, 140, 90, 120, 150)).mean
        120
        """
        return max(1, round(sum(self.counts) / len(self.counts)))


def fold_epochs(
    run: Callable[[Rows, Rows], Descent], n_rows: int, *, n_folds: int = 10, random_state: RandomState = 0
) -> FoldEpochs:
    """Choose the number of epochs by cross-validation, for small data sets (Mitchell §4.6.5).

    Every row is in a validation set once. Afterwards, train on all rows for ``mean`` epochs.

    Parameters
    ----------
    run : callable
        Function from the training rows and the validation rows of a fold to a descent with a validation
        measure.
    n_rows : int
        Number of rows.
    n_folds : int
        Number of folds.
    random_state : int, Generator or None
        Random seed of the folds.
    """
    at_least("n_folds", n_folds, 2, whole=True)
    if n_rows < n_folds:
        raise InputError(f"n_folds is {n_folds}, but there are {n_rows} rows; give at most {n_rows} folds")
    rows = generator(random_state).permutation(n_rows).astype(np.intp)
    counts = []
    for held_out in np.array_split(rows, n_folds):
        training = np.setdiff1d(rows, held_out)
        counts.append(run(training, np.sort(held_out)).best_epoch)
    return FoldEpochs(tuple(counts))
