"""Learning curve: error against training set size, the happy graph of AIMA, figure 18.7."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.evaluation.curves.errors import Errors, HowTested, divided, errors_of, fit_all, named
from induce.evaluation.estimating.splits import Split, rows_of
from induce.evaluation.losses.rows import Loss, loss_for, loss_text
from induce.evaluation.reports import Report, Table, finish, scale
from induce.pictures.style import PALETTE, axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS = 8
FEWEST = 10


@dataclass(frozen=True, eq=False)
class LearningCurve(Report):
    """Errors as functions of the training set size.

    Parameters
    ----------
    sizes : array of int
        Training set sizes.
    learners : mapping
        `Errors` of each learner, one point per size; also available as ``curve["C45"]``.
    method : str
        Resampling method.
    label : str
        Name of the error.
    """

    sizes: NDArray[np.int64]
    learners: Mapping[str, Errors]
    method: str
    label: str

    def __getitem__(self, name: str) -> Errors:
        return self.learners[name]

    def caption(self) -> str:
        """Return the heading of the table."""
        return f"{self.label} by number of training rows, {self.method}"

    def table(self) -> Table:
        """Return the header and one row per learner and size."""
        several = len(self.learners) > 1
        rows = [
            (*([name] if several else []), str(size), *errors.cells(k))
            for name, errors in self.learners.items()
            for k, size in enumerate(self.sizes)
        ]
        header = next(iter(self.learners.values())).header
        return (*(["learner"] if several else []), "rows", *header), rows

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of training and validation errors against the number of training rows."""
        figure, axes = axes_for(ax)
        several = len(self.learners) > 1
        places = scale(axes, self.sizes.tolist())
        for k, (name, errors) in enumerate(self.learners.items()):
            errors.draw(axes, places, PALETTE[k % len(PALETTE)], name if several else "")
        finish(axes, "training rows", self.label, 2)
        return figure


def learning_curve(
    learner: Any,
    X: Any,
    y: Any,
    sizes: Iterable[int] | None = None,
    *,
    cv: Any = None,
    repeats: int = 10,
    test_size: float = 0.2,
    groups: Any = None,
    loss: Loss = None,
    confidence: float = 0.95,
    n_jobs: int | None = None,
    random_state: RandomState = 0,
) -> LearningCurve:
    """Train on growing samples and test on other rows (AIMA figure 18.7).

    In each repetition the larger training sets contain the smaller ones, and all use the same test rows.

    Parameters
    ----------
    learner : estimator, or mapping of names to estimators
        One or several learners; copies are fitted. Several learners get the same rows.
    X, y : frame or array, series or array
        Table and target.
    sizes : iterable of int, optional
        Training set sizes; None uses eight, in approximately geometric progression.
    cv : int, "loo", splitter or iterable, optional
        Resampling method, instead of random hold-outs.
    repeats : int
        Number of hold-outs.
    test_size : float or int
        Fraction or number of rows to hold out.
    groups : array, optional
        Group of each row; rows of the same group are never split between training and testing.
    loss : {"zero-one", "absolute", "squared"}, LossTable, callable or None
        Loss function. None: zero-one for a classifier, squared for a regressor.
    confidence : float
        Confidence level of the intervals, which are approximate because the repetitions share rows.
    n_jobs : int, optional
        Number of parallel jobs; it does not affect the result.
    random_state : int, Generator or None
        Random seed.

    Examples
    --------
    >>> import induce
    >>> from induce.data.generate import restaurant
    >>> print(learning_curve(induce.ID3(), *restaurant(1100), sizes=(10, 50, 100), test_size=1000))
    error by number of training rows, 10 random hold-outs
    rows  training  validation  approximate 95% interval
    10       0.000       0.217            [0.124, 0.310]
    50       0.000       0.064            [0.037, 0.090]
    100      0.000       0.053            [0.042, 0.064]
    """
    learners = named(learner)
    random = generator(random_state)
    how: HowTested = {"cv": cv, "groups": groups}
    if cv is None:
        how |= {"repeats": repeats, "test_size": test_size}
    first = next(iter(learners.values()))
    actual, made = divided(first, X, y, random, confidence, loss, how)
    wanted = _sizes(sizes, min(len(train) for train, _ in made.splits if train is not None))
    shuffled = [(random.permutation(np.asarray(train)), test) for train, test in made.splits]
    splits: list[Split] = [(train[:size], test) for size in wanted for train, test in shuffled]
    fits = fit_all(learners.values(), X, y, splits, n_jobs)
    shape = (len(wanted), len(shuffled))
    errors = {
        name: errors_of(tested, actual, loss_for(first, loss), shape, confidence, made)
        for name, tested in zip(learners, fits, strict=True)
    }
    return LearningCurve(np.array(wanted), errors, made.method, loss_text(loss_for(first, loss)))


def _sizes(sizes: Iterable[int] | None, most: int) -> list[int]:
    if sizes is None:
        return [int(size) for size in np.unique(np.geomspace(min(FEWEST, most), most, POINTS).round())]
    wanted = list(sizes)
    if not wanted:
        raise InputError("sizes is empty; give at least one number of training rows")
    for size in wanted:
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or not 1 <= size <= most:
            raise InputError(
                f"sizes contains {size!r}, but {rows_of(most)} can be used for training; give whole "
                f"numbers from 1 to {most}"
            )
    return sorted({int(size) for size in wanted})
