"""Estimates: a number, its uncertainty, and its evidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.evaluation.estimating.evidence import AUTO, Evidence, by_row, interval_by
from induce.evaluation.estimating.splits import rows_of
from induce.statistics.intervals import Interval, Sides

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.evaluation.estimating.baseline import Baseline


@dataclass(frozen=True)
class Intervals:
    """Intervals of one quantity by several methods.

    Parameters
    ----------
    what : str
        Name of the quantity.
    value : float
    intervals : tuple of Interval
    """

    what: str
    value: float
    intervals: tuple[Interval, ...]

    def __iter__(self) -> Iterator[Interval]:
        return iter(self.intervals)

    def __len__(self) -> int:
        return len(self.intervals)

    def __getitem__(self, position: int) -> Interval:
        return self.intervals[position]

    def __str__(self) -> str:
        wide = max(len(each.method) for each in self.intervals)
        said = [each.summary for each in self.intervals]
        middle = max(map(len, said))
        return "\n".join(
            f"{each.method:<{wide}}  {text:<{middle}}  {_verdict(each)}"
            for each, text in zip(self.intervals, said, strict=True)
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(each.method)}</td><td>{escape(each.summary)}</td>"
            f"<td>{escape(_verdict(each))}</td></tr>"
            for each in self.intervals
        )
        head = "<tr><th>method</th><th>interval</th><th>preconditions</th></tr>"
        return f"<table>{head}{rows}</table>"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Draw the intervals one above the other; those with violated assumptions are dashed."""
        from matplotlib.figure import Figure

        from induce.pictures.style import GREY, PALETTE

        axes = ax
        if axes is None:
            height = 1.1 + 0.35 * len(self)
            axes = Figure(figsize=(7, height), layout="constrained").add_subplot()
        axes.axvline(self.value, color=GREY, lw=1, ls=":")
        finite = [bound for each in self for bound in (each.low, each.high) if np.isfinite(bound)]
        ends = min([*finite, self.value]), max([*finite, self.value])
        for place, each in enumerate(self):
            low, high = np.clip((each.low, each.high), *ends)
            axes.plot((low, high), (place, place), color=PALETTE[0], lw=2.2, ls="-" if each.holds else "--")
            axes.plot((low, high), (place, place), color=PALETTE[0], marker="|", ms=9, mew=2, lw=0)
            axes.plot(self.value, place, color=PALETTE[0], marker="o", ms=5)
        axes.set_yticks(range(len(self)), [each.method for each in self])
        axes.invert_yaxis()
        axes.margins(y=0.25 if len(self) > 1 else 1)
        axes.set_xlabel(self.what)
        first = self.intervals[0]
        kind = {"two": "intervals", "lower": "lower bounds", "upper": "upper bounds"}[first.sides]
        dashed = "" if all(each.holds for each in self) else "; dashed: assumptions violated"
        axes.set_title(f"{100 * first.confidence:g}% {kind}{dashed}", fontsize=10, loc="left")
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
        figure = axes.get_figure(root=True)
        assert figure is not None
        return figure


@dataclass(frozen=True)
class Estimate:
    """A mean loss, a score or a mean log-likelihood of a learner, with its uncertainty.

    Parameters
    ----------
    measure : str
        Name of the measure, such as ``"error"`` or ``"roc_auc"``.
    value : float
        Mean loss or log-likelihood per test row, or the score.
    higher : bool
        Whether higher is better.
    n : int
        Number of distinct test rows. A row tested repeatedly counts once, with its mean loss.
    interval : Interval
        Confidence interval of the value.
    method : str
        Resampling method, such as ``"10-fold cross-validation"``.
    fold_values : tuple of float
        Mean loss or score of each split, in order.
    train_value : float or None
        Mean training value over the splits, if requested.
    seconds, fit_seconds : float
        Elapsed time, and total time of all fits over all threads.
    predicted, actual : numpy.ndarray
        Predictions of every test and the true values, in row order. For a density estimator, log densities
        and NaN.
    rows : numpy.ndarray
        Row of each test; a row tested several times occurs several times.
    evidence : Evidence
        Evidence from which intervals are computed.
    baseline : Baseline or None
        Result of a constant prediction on the same rows; None for density estimators.
    probabilities : numpy.ndarray or None
        Probability of each class, in sorted order, in every test, if requested.
    """

    measure: str
    value: float
    higher: bool
    n: int
    interval: Interval
    method: str
    fold_values: tuple[float, ...]
    train_value: float | None
    seconds: float = field(compare=False)
    fit_seconds: float = field(compare=False)
    predicted: NDArray[Any] = field(repr=False, compare=False)
    actual: NDArray[Any] = field(repr=False, compare=False)
    rows: NDArray[np.intp] = field(repr=False, compare=False)
    evidence: Evidence = field(repr=False, compare=False)
    baseline: Baseline | None = field(default=None, repr=False, compare=False)
    probabilities: NDArray[np.float64] | None = field(default=None, repr=False, compare=False)

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the value; for an error rate r it is sqrt(r (1 - r) / n) (Mitchell, section
        5.3.4)."""
        return self.evidence.standard_deviation

    @property
    def error(self) -> float:
        """Mean loss per test row; an error is raised for a score to be maximised."""
        self._check_loss("error")
        return self.value

    @property
    def fold_errors(self) -> tuple[float, ...]:
        """Mean loss of each split, in order."""
        self._check_loss("fold_errors")
        return self.fold_values

    @property
    def train_error(self) -> float | None:
        """Mean loss of the training rows, if requested."""
        self._check_loss("train_error")
        return self.train_value

    @property
    def optimism(self) -> float:
        """Difference between the estimate and the optimistic training error (Mitchell, section 5.3.4)."""
        if self.train_value is None:
            raise AttributeError("the training error was not computed; evaluate with train=True")
        return self.train_value - self.value if self.higher else self.value - self.train_value

    def interval_by(
        self, method: str = AUTO, confidence: float | None = None, sides: Sides | None = None
    ) -> Interval:
        """Return a different interval for the same quantity.

        Parameters
        ----------
        method : {"auto", "cautious", "normal", "wilson", "clopper-pearson", "t", "bootstrap"}
        confidence : float, optional
        sides : {"two", "lower", "upper"}, optional
            Sides; those of `interval` by default.
        """
        return interval_by(
            self.evidence,
            self.measure,
            method,
            self.interval.confidence if confidence is None else confidence,
            self.interval.sides if sides is None else sides,
        )

    def intervals(self, confidence: float | None = None, sides: Sides | None = None) -> Intervals:
        """Return the intervals by all applicable methods, the default first."""
        found = [self.interval_by(method, confidence, sides) for method in self.evidence.methods]
        return Intervals(self.measure, self.value, tuple(found))

    def as_dict(self) -> dict[str, Any]:
        """Return the metrics by name, without the predictions."""
        loss = {} if self.higher else {"error": self.error, "fold_errors": self.fold_errors}
        return {
            "measure": self.measure,
            "value": self.value,
            "higher": self.higher,
            **loss,
            "n": self.n,
            "standard_deviation": self.standard_deviation,
            "interval": self.interval,
            "method": self.method,
            "fold_values": self.fold_values,
            "train_value": self.train_value,
            "seconds": self.seconds,
            "fit_seconds": self.fit_seconds,
            "baseline": self.baseline,
        }

    def __str__(self) -> str:
        return f"{self._numbers()} ({self.method}, {rows_of(self.n)})"

    def _repr_html_(self) -> str:
        beside = f"<br>{escape(str(self.baseline))}" if self.baseline is not None else ""
        small = f"<br><small>{escape(self.interval.preconditions)}</small>"
        return f"<p>{escape(str(self))}{beside}{small}</p>"

    def _numbers(self) -> str:
        written = self.interval.written
        train = "" if self.train_value is None else f", {written(self.train_value)} on training rows"
        return f"{self.measure} {written(self.value)}, {self.interval.summary}{train}"

    def _check_loss(self, name: str) -> None:
        if self.higher:
            raise AttributeError(f"{self.measure} is a score to be maximised, so it has no {name}; use value")


@dataclass(frozen=True)
class ClassificationEstimate(Estimate):
    """An estimate of a classifier, with the number of misclassified rows.

    Parameters
    ----------
    measure : str
        Name of the measure.
    value : float
        Value of the measure.
    higher : bool
        Whether higher is better.
    n : int
        Number of rows.
    interval : Interval
        Confidence interval of the value.
    method : str
        Name of the method.
    fold_values : tuple of float
        Mean loss or score of each split, in order.
    train_value : float, optional
        Mean training value over the splits, if requested.
    seconds : float
        Elapsed time in seconds.
    fit_seconds : float
        Total time of all fits over all threads, in seconds.
    predicted : array
        Predictions of every test, in row order.
    actual : array
        True values, in the order of `predicted`.
    rows : array of int
        Row of each test; a row tested several times occurs several times.
    evidence : Evidence
        Evidence from which intervals are computed.
    baseline : Baseline, optional
        Result of a constant prediction on the same rows.
    probabilities : array, optional
        Probability of each class in every test, if requested.
    """

    @property
    def errors(self) -> int:
        """Number of misclassified rows; for rows tested repeatedly, the rounded mean over the repetitions."""
        return round((1 - self.accuracy) * self.n)

    @property
    def accuracy(self) -> float:
        """Fraction of correctly classified rows."""
        return 1 - float(by_row(self.rows, (self.predicted != self.actual).astype(np.float64)).mean())

    def as_dict(self) -> dict[str, Any]:
        """Return the metrics by name, without the predictions."""
        return super().as_dict() | {"errors": self.errors, "accuracy": self.accuracy}


def _verdict(interval: Interval) -> str:
    return f"{'holds' if interval.holds else 'does not hold'}: {interval.preconditions}"
