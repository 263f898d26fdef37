"""Accuracy against the number of training examples (AIMA figure 18.7, the "happy graph")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.parameters import at_least
from induce.core.progress import progress, report
from induce.core.randomness import RandomState, generator
from induce.trees.drawing import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LearningCurve:
    """The accuracy of a learner by the number of its training examples.

    Parameters
    ----------
    sizes : array of int
    accuracy : array of float64, shape (sizes, trials)
        On examples that were not learned from.
    """

    sizes: NDArray[np.int64]
    accuracy: Floats

    @property
    def mean(self) -> Floats:
        """The mean accuracy at each size."""
        return np.asarray(self.accuracy.mean(axis=1))

    @property
    def deviation(self) -> Floats:
        """The standard deviation of the accuracy at each size."""
        return np.asarray(self.accuracy.std(axis=1))

    def __str__(self) -> str:
        width = len(str(self.sizes.max()))
        return "\n".join(
            f"{size:>{width}} examples: {mean:.3f} ± {deviation:.3f}"
            for size, mean, deviation in zip(self.sizes, self.mean, self.deviation, strict=True)
        )

    def draw(self) -> Figure:
        """Return a figure of the mean, with the standard deviation as a band."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7, 4.2), layout="constrained")
        axes = figure.add_subplot()
        axes.fill_between(
            self.sizes,
            self.mean - self.deviation,
            np.minimum(self.mean + self.deviation, 1),
            color=PALETTE[0],
            alpha=0.15,
            lw=0,
        )
        axes.plot(
            self.sizes, self.mean, color=PALETTE[0], lw=1.8, marker="o" if len(self.sizes) < 20 else "", ms=4
        )
        axes.set_xlabel("training examples")
        axes.set_ylabel("accuracy on other examples")
        axes.set_title(
            f"mean and standard deviation of {self.accuracy.shape[1]} trials", fontsize=10, loc="left"
        )
        axes.grid(axis="y", color="#e4e4e4", lw=0.7)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
        return figure


def learning_curve(
    learner: Any,
    X: Any,
    y: Any,
    sizes: Iterable[int],
    trials: int = 20,
    *,
    test_size: int | None = None,
    random_state: RandomState = 0,
) -> LearningCurve:
    """Learn from more and more examples, several times each, and test on others.

    Parameters
    ----------
    learner : classifier
        It is left alone: copies of it are fitted.
    X, y : frame or array, series or array
    sizes : iterable of int
        The numbers of rows to learn from.
    trials : int
        How often each size is tried, on rows drawn anew.
    test_size : int, optional
        The number of rows to test on; all that are left when None.
    random_state : int, Generator or None

    Examples
    --------
    >>> import induce
    >>> from induce.data.generate import restaurant
    >>> print(learning_curve(induce.ID3(), *restaurant(100), sizes=(5, 20, 80)))
     5 examples: 0.633 ± 0.176
    20 examples: 0.856 ± 0.061
    80 examples: 0.930 ± 0.058
    """
    from sklearn.base import clone
    from sklearn.model_selection import ShuffleSplit
    from sklearn.utils import _safe_indexing

    actual = np.asarray(y)
    n = len(actual)
    wanted = [_size(size, n, test_size) for size in sizes]
    if not wanted:
        raise InputError("sizes is empty; give at least one number of rows to learn from")
    at_least("trials", trials, 1, whole=True)
    random = generator(random_state)
    accuracy = np.empty((len(wanted), trials))
    for k, size in enumerate(wanted):
        splitter = ShuffleSplit(
            int(trials),
            train_size=size,
            test_size=n - size if test_size is None else int(test_size),
            random_state=int(random.integers(2**31)),
        )
        for trial, (train, test) in enumerate(splitter.split(np.zeros(n))):
            with progress(lambda share: None):  # the share of one fit is not the share of the whole
                fitted = clone(learner).fit(_safe_indexing(X, train), _safe_indexing(y, train))
            accuracy[k, trial] = np.mean(np.asarray(fitted.predict(_safe_indexing(X, test))) == actual[test])
            report((k * trials + trial + 1) / accuracy.size)
    return LearningCurve(np.array(wanted), accuracy)


def _size(size: Any, n: int, test_size: int | None) -> int:
    most = n - (1 if test_size is None else test_size)
    if not isinstance(size, int | np.integer) or not 1 <= size <= most:
        raise InputError(f"sizes has {size!r}; of {n} rows it must be a whole number from 1 to {most}")
    return int(size)
