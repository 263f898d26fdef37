"""Training and validation errors of a learner at each point of a curve."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_regressor

from induce.core.errors import InputError
from induce.core.progress import progress, report
from induce.core.randomness import RandomState
from induce.evaluation.estimating.fits import Also, Tested, fit_and_predict
from induce.evaluation.estimating.splits import Plan, Split, check_learner, numbers, plan, target
from induce.evaluation.losses.rows import Loss, loss_for, row_losses
from induce.evaluation.reports import error_lines
from induce.statistics.intervals import Interval, check_confidence, t_mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]


class HowTested(TypedDict, total=False):
    """Resampling and preprocessing parameters, as in `induce.evaluate`."""

    cv: Any
    repeats: int
    groups: Any
    test_size: float | None
    stratify: bool
    n_jobs: int | None
    random_state: RandomState


@dataclass(frozen=True, eq=False)
class Errors:
    """Errors of one learner at each point of a curve.

    Parameters
    ----------
    train, validation : array of float64, shape (points, splits)
        Errors on training rows and on validation rows.
    confidence : float
        Confidence level of the intervals.
    caveat : str
        Reason why the intervals are only approximate.
    """

    train: Floats
    validation: Floats
    confidence: float
    caveat: str

    @property
    def train_error(self) -> Floats:
        """Mean training error at each point."""
        return np.asarray(self.train.mean(axis=1))

    @property
    def validation_error(self) -> Floats:
        """Mean validation error at each point."""
        return np.asarray(self.validation.mean(axis=1))

    @property
    def standard_error(self) -> Floats:
        """Standard error of the mean validation error at each point."""
        return np.asarray(self.validation.std(axis=1, ddof=1) / np.sqrt(self.validation.shape[1]))

    @property
    def train_intervals(self) -> tuple[Interval, ...]:
        """Student's t interval of the training error over the splits, at each point."""
        return tuple(map(self._interval, self.train))

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """Student's t interval of the validation error over the splits, at each point."""
        return tuple(map(self._interval, self.validation))

    def _interval(self, errors: Floats) -> Interval:
        found = t_mean(errors, self.confidence)
        low = max(found.low, 0.0) if errors.min() >= 0 else found.low
        return replace(found, low=low, holds=False, preconditions=self.caveat)

    def cells(self, k: int) -> tuple[str, str, str]:
        """Table cells of one point: training error, validation error and its interval."""
        interval = self.intervals[k]
        decimals = max(3, interval.decimals)
        return (
            f"{self.train_error[k]:.{decimals}f}",
            f"{self.validation_error[k]:.{decimals}f}",
            f"[{interval.low:.{decimals}f}, {interval.high:.{decimals}f}]",
        )

    @property
    def header(self) -> tuple[str, str, str]:
        """Header of the cells."""
        return "training", "validation", f"approximate {100 * self.confidence:.10g}% interval"

    def draw(self, axes: Axes, places: Sequence[Any], colour: str, name: str = "") -> None:
        """Draw both lines, with the interval of the validation error as a band."""
        lows, highs = zip(*((interval.low, interval.high) for interval in self.intervals), strict=True)
        train, validation = self.train_error.tolist(), self.validation_error.tolist()
        error_lines(axes, places, train, validation, (lows, highs), colour, name)


def named(learner: Any) -> dict[str, Any]:
    """Return learners by name: those of a mapping, or a single one by its class name."""
    learners = dict(learner) if isinstance(learner, Mapping) else {type(learner).__name__: learner}
    if not learners:
        raise InputError("learner is an empty mapping; give at least one name and its learner")
    for each in learners.values():
        check_learner(each)
    if len({is_regressor(each) for each in learners.values()}) > 1:
        raise InputError(
            "learner mixes classifiers and regressors, whose errors cannot be compared; give one kind"
        )
    return learners


def divided(
    learner: Any,
    X: Any,
    y: Any,
    random: np.random.Generator,
    confidence: float,
    loss: Loss,
    how: HowTested,
) -> tuple[NDArray[Any], Plan]:
    """Return the true value of each row, and the splits."""
    check_confidence(confidence)
    numeric = is_regressor(learner)
    actual = numbers(X, y) if numeric else target(X, y)
    row_losses(
        loss_for(learner, loss), actual[:1], actual[:1]
    )  # reject an invalid loss before anything is fitted
    made = plan(
        X,
        actual,
        how.get("cv", 10),
        repeats=how.get("repeats", 1),
        groups=how.get("groups"),
        test_size=how.get("test_size"),
        stratify=how.get("stratify", True) and not numeric,
        random_state=random,
    )
    if made.splits[0][0] is None:
        raise InputError("cv is None, but a curve needs training; give a number of folds")
    if len(made.splits) < 2:
        raise InputError("one split does not show how much errors vary; give cv or repeats of at least 2")
    return actual, made


def fit_all(
    learners: Iterable[Any],
    X: Any,
    y: Any,
    splits: Sequence[Split],
    n_jobs: int | None,
    also: Also | None = None,
) -> list[list[Tested]]:
    """Fit every learner on every split; progress is reported per learner."""
    work = list(learners)
    done = []
    for k, learner in enumerate(work, start=1):
        with progress(lambda share: None):  # the progress of one learner is not the overall progress
            done.append(fit_and_predict(learner, X, y, splits, n_jobs=n_jobs, train_too=True, also=also))
        report(k / len(work))
    return done


def errors_of(
    tested: Sequence[Tested],
    actual: NDArray[Any],
    loss: Any,
    shape: tuple[int, int],
    confidence: float,
    made: Plan,
) -> Errors:
    train = [row_losses(loss, actual[each.train], np.asarray(each.train_predicted)).mean() for each in tested]
    other = [row_losses(loss, actual[each.test], each.predicted).mean() for each in tested]
    return Errors(np.reshape(train, shape), np.reshape(other, shape), confidence, made.caveat)
