"""Fitting copies of a learner on the training rows of each split and predicting the test rows."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import _num_samples, check_is_fitted

from induce.core import engines, parallel
from induce.core.errors import InputError
from induce.core.estimator import rows_at
from induce.core.interrupts import whole_fits
from induce.core.progress import progress, report
from induce.core.trace import part
from induce.evaluation.estimating.splits import Rows, Split

Also = Callable[[Any, Any, Any], Any]


@dataclass(frozen=True, eq=False)
class Tested:
    """Results of one split.

    Parameters
    ----------
    train, test : array of int, or None for `train`
        Training rows (None if the learner was already fitted) and test rows.
    predicted : array
        Predictions for the rows of `test`, in their order; log densities for a density estimator.
    fit_seconds : float
        Training time.
    learner : estimator or None
        Fitted copy, if requested.
    train_predicted : array or None
        Predictions for the rows of `train`, if requested.
    also : object
        Result of the function `also` for the rows of `test`.
    train_also : object
        Result of `also` for the rows of `train`, if requested.
    """

    __test__: ClassVar[bool] = False  # keeps pytest from collecting it as a test class

    train: Rows | None
    test: Rows
    predicted: NDArray[Any] = field(repr=False)
    fit_seconds: float
    learner: Any = field(default=None, repr=False)
    train_predicted: NDArray[Any] | None = field(default=None, repr=False)
    also: Any = field(default=None, repr=False)
    train_also: Any = field(default=None, repr=False)


def fit_and_predict(
    learner: Any,
    X: Any,
    y: Any,
    splits: Sequence[Split],
    *,
    n_jobs: int | None = None,
    keep: bool = False,
    train_too: bool = False,
    also: Also | None = None,
) -> list[Tested]:
    """Fit a copy of `learner` for each split and predict its test rows; the learner is not modified.

    A learner with a method ``leave_one_out_predict(X, y)`` computes all its predictions at once if each split leaves
    out one row.

    Parameters
    ----------
    learner : estimator
    X, y : frame or array, series or array
        Table and target; `y` is None for a learner without a target.
    splits : sequence of (rows or None, rows)
        Training and test rows of each split; None means that the learner is already fitted.
    n_jobs : int, optional
        Number of splits processed in parallel; it does not affect the result.
    keep : bool
        Whether to keep the fitted copies.
    train_too : bool
        Whether to predict the training rows as well.
    also : callable, optional
        Function of the fitted copy, rows of `X` and their `y`; its result is stored.

    Examples
    --------
    >>> import induce
    >>> from induce.evaluation.estimating.splits import plan, target
    >>> X, y = induce.dataset("play-tennis")
    >>> first, *_ = fit_and_predict(induce.ID3(), X, y, plan(X, target(X, y), 5).splits)
    >>> first.test, first.predicted
    (array([1, 3, 9]), array(['No', 'Yes', 'Yes'], dtype='<U3'))
    """
    if not (keep or train_too or also) and _leaves_one_out(learner, splits):
        return _left_out(learner, X, y, splits)
    if any(train is None for train, _ in splits):
        check_fitted(learner)
    work = list(enumerate(splits, start=1))
    asked = {"keep": keep, "train_too": train_too, "also": also}
    fold = partial(_tested_or_failed, learner=learner, X=X, y=y, n_splits=len(work), asked=asked)
    if engines.chosen():
        done = engines.each(fold, work, report)
    else:
        finished, failed = count(1), threading.Event()

        def one(numbered: tuple[int, Split]) -> Tested | InputError | None:
            found = None if failed.is_set() else fold(numbered)
            if isinstance(found, InputError):
                failed.set()
            report(next(finished) / len(work))
            return found

        done = [found for found in parallel.run(one, work, n_jobs) if found is not None]
    failure = next((found for found in done if isinstance(found, InputError)), None)
    if failure is not None:
        raise failure
    return [found for found in done if isinstance(found, Tested)]


def _tested_or_failed(
    numbered: tuple[int, Split], learner: Any, X: Any, y: Any, n_splits: int, asked: dict[str, Any]
) -> Tested | InputError:
    """Process one split in any worker; a failure is returned, so that its cause survives the worker."""
    k, split = numbered
    try:
        with progress(unheard):  # the progress of one fit is not the overall progress
            return _Fold(learner, X, y, *split, f"in fold {k} of {n_splits}").tested(**asked)
    except InputError as problem:
        return problem


def check_fitted(learner: Any) -> None:
    """Raise an error if a learner is not fitted."""
    try:
        check_is_fitted(learner)
    except NotFittedError:
        raise InputError(
            f"{type(learner).__name__} is not fitted, but cv=None scores it as it is; fit it first or give cv"
        ) from None


@dataclass(frozen=True, eq=False)
class _Fold:
    """One split to process; errors are reported with its number."""

    learner: Any
    X: Any
    y: Any
    train: Rows | None
    test: Rows
    place: str

    def tested(self, keep: bool, train_too: bool, also: Also | None) -> Tested:
        fitted, rows, classes, seconds = self.learner, self.X, self.y, 0.0
        train_predicted = train_also = None
        if self.train is not None:
            rows, classes = self._part(self.train)
            started = time.perf_counter()
            with whole_fits(), part(self.place.removeprefix("in ").partition(" of ")[0]):
                fitted = self._tried(lambda: clone(self.learner).fit(rows, classes))
            seconds = time.perf_counter() - started
            if train_too:
                train_predicted = self._predicted(fitted, rows)
                train_also = self._also(also, fitted, rows, classes)
        if self.train is not None or len(self.test) < _num_samples(self.X):
            rows, classes = self._part(self.test)
        return Tested(
            self.train,
            self.test,
            self._predicted(fitted, rows),
            seconds,
            fitted if keep else None,
            train_predicted,
            self._also(also, fitted, rows, classes),
            train_also,
        )

    def _part(self, rows: Rows) -> tuple[Any, Any]:
        return taken(self.X, rows), taken(self.y, rows)

    def _predicted(self, fitted: Any, rows: Any) -> NDArray[Any]:
        say = fitted.score_samples if self.y is None else fitted.predict
        return np.asarray(self._tried(lambda: say(rows)))

    def _also(self, also: Also | None, fitted: Any, rows: Any, classes: Any) -> Any:
        return None if also is None else self._tried(lambda: also(fitted, rows, classes), "cannot be scored")

    def _tried(self, task: Callable[[], Any], failed: str = "failed") -> Any:
        try:
            return task()
        except MemoryError:
            raise
        except Exception as problem:
            raise InputError(self._failure(problem, failed)) from problem

    def _failure(self, problem: Exception, failed: str) -> str:
        """Return a sentence naming the learner that failed, the split and the reason."""
        place = "on the given rows" if self.train is None else self.place
        said = str(problem).strip().splitlines()
        kind = "" if isinstance(problem, ValueError) and said else type(problem).__name__
        why = ": ".join(filter(None, (kind, said[0] if said else "")))
        targets = None if self.train is None else taken(self.y, self.train)
        if targets is not None and np.unique(np.asarray(targets)).size == 1:
            why += "; its training rows have only one class, so give fewer folds or stratify"
        return f"{type(self.learner).__name__} {failed} {place}: {why}"


def taken(values: Any, rows: Rows) -> Any:
    """Return the rows at the given indices; plain arrays, the most common type, skip further type checks."""
    if values is None:
        return None
    return values.take(rows, axis=0) if type(values) is np.ndarray else rows_at(values, rows)


def _leaves_one_out(learner: Any, splits: Sequence[Split]) -> bool:
    n = len(splits)
    return hasattr(learner, "leave_one_out_predict") and all(
        train is not None and train.size == n - 1 and test.size == 1 for train, test in splits
    )


def _left_out(learner: Any, X: Any, y: Any, splits: Sequence[Split]) -> list[Tested]:
    started = time.perf_counter()
    predicted = np.asarray(clone(learner).leave_one_out_predict(X, y))
    if predicted.shape != (len(splits),):
        raise InputError(
            f"leave_one_out_predict of {type(learner).__name__} returned the shape {predicted.shape} "
            f"for {len(splits)} rows; it must return one prediction per row"
        )
    each = (time.perf_counter() - started) / len(splits)
    return [Tested(train, test, predicted[test], each) for train, test in splits]


def unheard(share: float) -> None:
    """Ignore progress reports."""
