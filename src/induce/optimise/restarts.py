"""Several runs: restarts, and the number of epochs by cross-validation (Mitchell §4.6.1, §4.6.5)."""

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
    chosen : int
        The run with the lowest validation measure, or with the lowest loss if there is none.
    """

    runs: tuple[Descent, ...]
    chosen: int

    @property
    def best(self) -> Descent:
        """The run that was chosen."""
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
    start : callable
        Makes initial weights from a random generator.
    n_starts : int
        Number of runs; each has a random stream of its own.
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
    """The number of epochs that suits each fold, and their mean.

    Parameters
    ----------
    counts : tuple of int
        Number of epochs with the lowest validation measure, one for each fold.
    """

    counts: tuple[int, ...]

    @property
    def mean(self) -> int:
        """The number of epochs for the final run on all rows.

        Examples
        --------
        >>> FoldEpochs((100, 140, 90, 120, 150)).mean
        120
        """
        return max(1, round(sum(self.counts) / len(self.counts)))


def fold_epochs(
    run: Callable[[Rows, Rows], Descent], n_rows: int, *, n_folds: int = 10, random_state: RandomState = 0
) -> FoldEpochs:
    """Choose the number of epochs by cross-validation, for small data (Mitchell §4.6.5).

    Every row is once in a validation set. Afterwards train on all rows for ``mean`` epochs.

    Parameters
    ----------
    run : callable
        Takes the training rows and the validation rows of a fold, returns the descent with a validation measure.
    n_rows : int
    n_folds : int
    random_state : int, Generator or None
        Random seed of the partition.
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
