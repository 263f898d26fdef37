"""Calibration of predicted probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.checks import at_least, one_of
from induce.core.errors import InputError
from induce.core.ties import best_of
from induce.core.values import Value
from induce.evaluation.curves.errors import HowTested
from induce.evaluation.curves.scores import Scores, class_scores, given_scores
from induce.evaluation.estimating.splits import rows_of
from induce.evaluation.reports import Report, Table, legend_above
from induce.hypotheses.naming import value_text
from induce.pictures.style import GREY, PALETTE, axes_for, tidy
from induce.statistics.intervals import Interval, check_confidence, wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

TOP = "top label"
UNIFORM, QUANTILE = "uniform", "quantile"


@dataclass(frozen=True, eq=False)
class ReliabilityCurve:
    """Observed frequency of the class in rows with similar predicted probability.

    Parameters
    ----------
    edges : array
        Boundaries of the bins.
    counts : array of int
        Number of rows in each bin; empty bins are omitted from the next three.
    predicted, observed : array
        Mean predicted probability in each bin, and relative frequency of the class.
    intervals : tuple of Interval
        Wilson intervals of `observed`.
    brier : float
        Brier score: mean squared difference between the predicted probability and the 0/1 indicator of the class.
    reliability, resolution, uncertainty : float
        Components of the Brier score (Murphy 1973): ``brier = reliability - resolution + uncertainty + within``.
    within : float
        Component due to the variation of the probabilities within bins.
    """

    edges: Floats
    counts: NDArray[np.int64]
    predicted: Floats
    observed: Floats
    intervals: tuple[Interval, ...]
    brier: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float

    @property
    def expected_error(self) -> float:
        """Expected calibration error: mean absolute difference between probability and frequency, weighted by
        bin size.
        """
        filled = self.counts[self.counts > 0]
        return float(np.average(np.abs(self.predicted - self.observed), weights=filled))

    @property
    def largest_error(self) -> float:
        """Maximum calibration error: largest absolute difference between probability and frequency in any bin."""
        return float(np.abs(self.predicted - self.observed).max())


def reliability_curve(
    hits: ArrayLike,
    probability: ArrayLike,
    *,
    bins: int = 10,
    strategy: str = UNIFORM,
    confidence: float = 0.95,
    caveat: str = "",
) -> ReliabilityCurve:
    """Bin rows by predicted probability and compare it with the frequency of the class.

    Parameters
    ----------
    hits : array of bool
        Whether each row has the class.
    probability : array
        Predicted probability.
    bins : int
    strategy : {"uniform", "quantile"}
        Bins of equal width, or with about equal numbers of rows.
    confidence : float
        Confidence level of the intervals.
    caveat : str
        Reason why the intervals are only approximate.

    Examples
    --------
    >>> curve = reliability_curve([False, False, True, True], [0.1, 0.3, 0.3, 0.9], bins=2)
    >>> curve.counts.tolist(), curve.observed.round(3).tolist()
    ([3, 1], [0.333, 1.0])
    """
    at_least("bins", bins, 1, whole=True)
    one_of("strategy", strategy, (UNIFORM, QUANTILE))
    check_confidence(confidence)
    happened = np.asarray(hits, dtype=np.float64)
    chance = np.asarray(probability, dtype=np.float64)
    edges = np.linspace(0, 1, bins + 1)
    if strategy == QUANTILE:
        edges = np.unique(np.quantile(chance, edges))
        edges = edges if len(edges) > 1 else np.repeat(edges, 2)
    place = np.searchsorted(edges[1:-1], chance)
    counts = np.bincount(place, minlength=len(edges) - 1)
    filled = counts > 0
    sizes = counts[filled]
    observed = np.bincount(place, happened, len(counts))[filled] / sizes
    predicted = np.bincount(place, chance, len(counts))[filled] / sizes
    within_bin = (np.cumsum(filled) - 1)[place]
    off, missed = chance - predicted[within_bin], happened - observed[within_bin]
    share = float(happened.mean())
    found = (
        wilson(round(rate * size), int(size), confidence) for rate, size in zip(observed, sizes, strict=True)
    )
    return ReliabilityCurve(
        edges,
        counts,
        predicted,
        observed,
        tuple(replace(each, holds=False, preconditions=caveat) if caveat else each for each in found),
        float(np.mean((chance - happened) ** 2)),
        float(np.average((predicted - observed) ** 2, weights=sizes)),
        float(np.average((observed - share) ** 2, weights=sizes)),
        share * (1 - share),
        float(np.mean(off**2 - 2 * off * missed)),
    )


@dataclass(frozen=True, eq=False)
class Calibration(Report):
    """Calibration of predicted probabilities.

    Parameters
    ----------
    curves : mapping
        A `ReliabilityCurve` for each class against all others and, if there are more than two classes, one
        for the "top label": the highest probability of each row, and whether that class was correct. Curves
        are also available by class, as in ``report["yes"]``.
    shown : str, int, float or bool
        Name of the curve to print and to draw: the top label, or the second of two classes.
    brier : float
        Multi-class Brier score: the mean over rows of the sum over classes of squared differences.
    n : int
        Number of rows.
    method : str
        Resampling method.
    """

    curves: Mapping[Value, ReliabilityCurve]
    shown: Value
    brier: float
    n: int
    method: str

    def __getitem__(self, name: Value) -> ReliabilityCurve:
        return self.curves[name]

    def of(self, name: Value) -> Calibration:
        """Return the same report with a different curve shown."""
        if name not in self.curves:
            names = ", ".join(map(value_text, self.curves))
            raise InputError(f"there is no curve {name!r}; give one of {names}")
        return replace(self, shown=name)

    def caption(self) -> str:
        """Return the heading of the table."""
        return f"probability of {value_text(self.shown)}, {self.method}, {rows_of(self.n)}"

    def table(self) -> Table:
        """Return the header and one row per non-empty bin."""
        curve = self.curves[self.shown]
        filled = np.flatnonzero(curve.counts).tolist()
        decimals = 2 if np.diff(curve.edges).min() >= 0.01 else 4
        rows = [
            (
                f"{curve.edges[k]:.{decimals}f} to {curve.edges[k + 1]:.{decimals}f}",
                str(curve.counts[k]),
                f"{predicted:.3f}",
                f"{observed:.3f}",
                f"[{interval.low:.2f}, {interval.high:.2f}]",
            )
            for k, predicted, observed, interval in zip(
                filled, curve.predicted, curve.observed, curve.intervals, strict=True
            )
        ]
        interval = f"approximate {100 * curve.intervals[0].confidence:.10g}% interval"
        return ("probability", "rows", "predicted", "observed", interval), rows

    def remark(self) -> str:
        """Return the Brier score with its components, and the calibration error."""
        curve = self.curves[self.shown]
        first = (
            f"Brier score {curve.brier:.4f} = reliability {curve.reliability:.4f} - resolution "
            f"{curve.resolution:.4f} + uncertainty {curve.uncertainty:.4f} + within bins {curve.within:.4f}"
        )
        lines = [first, f"expected calibration error {curve.expected_error:.4f}"]
        others = {name: each for name, each in self.curves.items() if name != TOP}
        if self.shown == TOP:
            worst = best_of(others, lambda name: others[name].expected_error)
            lines.append(
                f"class {value_text(worst)} has the largest, {others[worst].expected_error:.4f}; Brier "
                f"score over all classes {self.brier:.4f}"
            )
        return "\n".join(lines)

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of observed frequencies against predicted probabilities, and of the bin counts.

        If axes are given, only the frequencies are drawn.
        """
        from matplotlib.figure import Figure

        curve = self.curves[self.shown]
        if ax is None:
            figure = Figure(figsize=(5.5, 6), layout="constrained")
            axes, below = figure.subplots(2, 1, sharex=True, height_ratios=(4, 1))
            below.bar(
                curve.edges[:-1],
                curve.counts,
                np.diff(curve.edges),
                align="edge",
                color=GREY,
                edgecolor="white",
            )
            below.set_ylabel("rows")
            below.set_xlabel("predicted probability")
            tidy(below)
        else:
            figure, axes = axes_for(ax)
            axes.set_xlabel("predicted probability")
        lows = curve.observed - [interval.low for interval in curve.intervals]
        highs = [interval.high for interval in curve.intervals] - curve.observed
        axes.plot([0, 1], [0, 1], color=GREY, lw=1, ls="--", label="as predicted")
        axes.errorbar(
            curve.predicted,
            curve.observed,
            yerr=np.clip([lows, highs], 0, None),
            color=PALETTE[0],
            marker="o",
            ms=5,
            lw=1.6,
            elinewidth=1,
            capsize=3,
            label=value_text(self.shown),
        )
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(-0.02, 1.02)
        axes.set_ylabel("observed frequency")
        tidy(axes, "both")
        legend_above(axes, 2)
        return figure


def calibration(
    learner: Any,
    X: Any,
    y: Any,
    *,
    bins: int = 10,
    strategy: str = UNIFORM,
    confidence: float = 0.95,
    **how: Unpack[HowTested],
) -> Calibration:
    """Compare the probabilities that a classifier assigns to held-out rows with their true classes.

    Parameters
    ----------
    learner : classifier
        Classifier; copies are fitted, unless `cv` is None.
    X, y : frame or array, series or array
        Table and target.
    bins : int
        Number of probability bins.
    strategy : {"uniform", "quantile"}
        Bins of equal width, or with about equal numbers of rows.
    confidence : float
        Confidence level of the Wilson interval of the observed frequency in each bin.
    **how
        `cv`, `repeats`, `groups`, `test_size`, `stratify`, `n_jobs` and `random_state`, as in `induce.evaluate`.

    Examples
    --------
    >>> import induce
    >>> from sklearn.naive_bayes import GaussianNB
    >>> print(calibration(GaussianNB(), *induce.dataset("breast-cancer"), bins=5))
    probability of malignant, 10-fold cross-validation, 569 rows
    probability   rows  predicted  observed  approximate 95% interval
    0.00 to 0.20   365      0.002     0.060              [0.04, 0.09]
    0.20 to 0.40     2      0.244     0.500              [0.09, 0.91]
    0.40 to 0.60     1      0.403     0.000              [0.00, 0.79]
    0.60 to 0.80     6      0.695     0.500              [0.19, 0.81]
    0.80 to 1.00   195      0.998     0.954              [0.91, 0.98]
    Brier score 0.0572 = reliability 0.0038 - resolution 0.1788 + uncertainty 0.2338 + within bins -0.0015
    expected calibration error 0.0562
    """
    scores = class_scores(learner, X, y, **how)
    if not scores.probable:
        raise InputError(f"{type(learner).__name__} gives scores but no probabilities; calibrate it first")
    return _calibration(scores, bins, strategy, confidence)


def calibration_of(
    actual: Any,
    probabilities: ArrayLike,
    classes: Sequence[Any] | None = None,
    *,
    bins: int = 10,
    strategy: str = UNIFORM,
    confidence: float = 0.95,
) -> Calibration:
    """Compare given probabilities with the true classes; for the parameters see `given_scores` and `calibration`.

    Parameters
    ----------
    actual : array-like
        True class of each row.
    probabilities : array-like
        One column of probabilities per class, or a single column for the second of two classes.
    classes : Sequence[Any] | None, default=None
        Classes in the order of the columns; None uses those of `actual` in sorted order.
    bins : int, default=10
        Number of probability bins.
    strategy : {"uniform", "quantile"}
        Bins of equal width, or with about equal numbers of rows.
    confidence : float, default=0.95
        Confidence level of the intervals.

    Examples
    --------
    >>> report = calibration_of(["no", "no", "yes", "yes"], [0.1, 0.3, 0.3, 0.9])
    >>> round(report.brier, 3), round(report["yes"].brier, 3)
    (0.3, 0.15)
    """
    return _calibration(given_scores(actual, probabilities, classes), bins, strategy, confidence)


def _calibration(scores: Scores, bins: int, strategy: str, confidence: float) -> Calibration:
    codes = scores.codes
    curves: dict[Value, ReliabilityCurve] = {}

    def add(name: Value, hits: NDArray[np.bool_], chances: Floats) -> None:
        curves[name] = reliability_curve(
            hits, chances, bins=bins, strategy=strategy, confidence=confidence, caveat=scores.caveat
        )

    if len(scores.classes) > 2:
        add(TOP, scores.values.argmax(axis=1) == codes, scores.values.max(axis=1))
    for k, name in enumerate(scores.classes):
        add(name, codes == k, scores.values[:, k])
    shown = scores.classes[1] if len(scores.classes) == 2 else TOP
    brier = float(np.sum((scores.values - np.eye(len(scores.classes))[codes]) ** 2, axis=1).mean())
    return Calibration(curves, shown, brier, len(codes), scores.method)
