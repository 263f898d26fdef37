"""Reject curve: the error after rejecting the least certain rows (AIMA section 18.11.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.errors import InputError
from induce.evaluation.curves.errors import HowTested
from induce.evaluation.curves.scores import class_scores, codes_of
from induce.evaluation.estimating.splits import rows_of, target
from induce.evaluation.reports import Report, Table, finish
from induce.pictures.style import GREY, PALETTE, axes_for
from induce.statistics.intervals import Interval, check_confidence, wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

SHOWN = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
OPTIMISTIC = "the threshold was chosen on the same rows, so the error on other rows may be higher"


@dataclass(frozen=True)
class Rejection:
    """Result of deciding only the rows above a confidence threshold.

    Parameters
    ----------
    threshold : float
        Minimum confidence of a decided row.
    rejected : float
        Fraction of rejected rows.
    error : float
        Error on the decided rows.
    interval : Interval
        Wilson interval of the error.
    kept : int
        Number of decided rows.
    """

    threshold: float
    rejected: float
    error: float
    interval: Interval
    kept: int

    def __str__(self) -> str:
        return (
            f"reject {100 * self.rejected:.1f}% (confidence below {level_text(self.threshold)}): error "
            f"{self.error:.{self.interval.decimals}f} on {rows_of(self.kept)}, {self.interval.summary}"
        )


@dataclass(frozen=True, eq=False)
class RejectCurve(Report):
    """Error on the decided rows as a function of the fraction of rejected rows.

    Parameters
    ----------
    thresholds : array
        Minimum confidence of a decided row, in increasing order; the first threshold accepts all rows. Rows
        of equal confidence are decided or rejected together.
    kept, wrong : array of int
        Number of decided rows, and number of those decided incorrectly.
    confidence : float
        Confidence level of the intervals.
    method : str
        Resampling method.
    caveat : str
        Reason why the row-based intervals are only approximate; empty if they are exact.
    """

    thresholds: Floats
    kept: NDArray[np.int64]
    wrong: NDArray[np.int64]
    confidence: float
    method: str
    caveat: str

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.kept[0])

    @property
    def rejected(self) -> Floats:
        """Fraction of rejected rows for each threshold."""
        return np.asarray(1 - self.kept / self.n)

    @property
    def error(self) -> Floats:
        """Error on the decided rows for each threshold."""
        return np.asarray(self.wrong / self.kept)

    @property
    def area(self) -> float:
        """Mean error over all rejection rates.

        Lower values mean that the confidence separates right from wrong better.
        """
        counted = np.append(-np.diff(self.kept), self.kept[-1])
        return float(counted @ self.error / self.n)

    def at(self, share: float) -> Rejection:
        """Return the result at the highest rejection rate that does not exceed the given one."""
        if not 0 <= share < 1:
            raise InputError(f"share is {share}; it must be at least 0 and less than 1")
        return self._rejection(int(np.flatnonzero(self.rejected <= share)[-1]))

    def rejected_for(self, target_error: float) -> Rejection:
        """Return the result at the lowest rejection rate with an error of at most `target_error`.

        Parameters
        ----------
        target_error : float
            Maximum error on the decided rows, such as 0.005.

        Returns
        -------
        Rejection
            Its interval is too optimistic for new rows, because the threshold is chosen on the same rows; it
            is labelled so.
        """
        if not 0 <= target_error <= 1:
            raise InputError(f"target_error is {target_error}; it must lie between 0 and 1")
        enough = np.flatnonzero(self.error <= target_error)
        if not len(enough):
            best = int(self.error.argmin())
            raise InputError(
                f"no threshold lowers the error to {target_error}; the lowest error is "
                f"{self.error[best]:.4g}, at {100 * self.rejected[best]:.1f}% rejected"
            )
        found = self._rejection(int(enough[0]))
        why = "; ".join(filter(None, (OPTIMISTIC, self.caveat)))
        return replace(found, interval=replace(found.interval, holds=False, preconditions=why))

    def _rejection(self, k: int) -> Rejection:
        kept = int(self.kept[k])
        interval = wilson(int(self.wrong[k]), kept, self.confidence)
        if self.caveat:
            interval = replace(interval, holds=False, preconditions=self.caveat)
        return Rejection(
            float(self.thresholds[k]), float(self.rejected[k]), float(self.error[k]), interval, kept
        )

    def caption(self) -> str:
        """Return the heading of the table."""
        return f"error by rejection rate, {self.method}, {rows_of(self.n)}"

    def table(self) -> Table:
        """Return the header and rows for selected rejection rates."""
        found = {at.rejected: at for at in map(self.at, SHOWN)}
        rows = [
            (
                f"{100 * at.rejected:.1f}%",
                level_text(at.threshold),
                str(at.kept),
                f"{at.error:.4f}",
                f"[{at.interval.low:.4f}, {at.interval.high:.4f}]",
            )
            for at in found.values()
        ]
        level = f"approximate {100 * self.confidence:.10g}% interval"
        return ("rejected", "confidence from", "rows", "error", level), rows

    def remark(self) -> str:
        """Return the mean error over all rejection rates."""
        return f"mean error over all rejection rates {self.area:.4f}, without rejection {self.error[0]:.4f}"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the error against the rejection rate, with the intervals as a band."""
        figure, axes = axes_for(ax)
        # drawing every threshold is slow and shows nothing more
        shown = np.unique(np.searchsorted(self.rejected, np.linspace(0, self.rejected[-1], 200)))
        found = [self._rejection(int(k)) for k in shown]
        share = [at.rejected for at in found]
        lows, highs = [at.interval.low for at in found], [at.interval.high for at in found]
        axes.fill_between(share, lows, highs, color=PALETTE[0], alpha=0.15, lw=0, step="post")
        axes.step(share, [at.error for at in found], color=PALETTE[0], lw=1.8, where="post", label="error")
        axes.axhline(self.error[0], color=GREY, lw=1, ls="--", label="rejecting at random")
        axes.set_ylim(0, max(1.5 * float(self.error.max()), 0.02))
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(lambda value, position: f"{100 * value:.0f}%")
        finish(axes, "fraction of rows rejected", "error on the decided rows", 2)
        return figure


def reject_curve(
    learner: Any, X: Any, y: Any, *, confidence: float = 0.95, **how: Unpack[HowTested]
) -> RejectCurve:
    """Compute the error as rows of low confidence are rejected (AIMA section 18.11.1).

    The confidence of a prediction is the probability of the predicted class, or another score of the learner, on a
    held-out row.

    Parameters
    ----------
    learner : classifier
        Classifier; copies are fitted, unless `cv` is None.
    X, y : frame or array, series or array
        Table and target.
    confidence : float
        Confidence level of the intervals.
    **how
        `cv`, `repeats`, `groups`, `test_size`, `stratify`, `n_jobs` and `random_state`, as in `induce.evaluate`.

    Examples
    --------
    >>> import induce
    >>> from sklearn.naive_bayes import GaussianNB
    >>> curve = reject_curve(GaussianNB(), *induce.dataset("breast-cancer"))
    >>> print(curve.rejected_for(0.05))
    reject 2.8% (confidence below 0.9618): error 0.049 on 553 rows, approximate 95% interval [0.034, 0.070]
    """
    check_confidence(confidence)
    scores = class_scores(learner, X, y, **how)
    certain = scores.values[np.arange(len(scores.actual)), codes_of(scores.predicted, scores.classes)]
    curve = reject_curve_of(scores.actual, scores.predicted, certain, confidence=confidence)
    return replace(curve, method=scores.method, caveat=scores.caveat)


def reject_curve_of(
    actual: Any, predicted: Any, confidences: ArrayLike, *, confidence: float = 0.95
) -> RejectCurve:
    """Compute the error of given predictions as the least certain ones are rejected.

    Parameters
    ----------
    actual, predicted : array
        True and predicted class of each row.
    confidences : array
        Confidence of each prediction, on any scale.
    confidence : float
        Confidence level of the intervals.

    Examples
    --------
    >>> curve = reject_curve_of(list("aabb"), list("abbb"), [0.9, 0.5, 0.7, 0.8])
    >>> curve.rejected.tolist(), curve.error.tolist()
    ([0.0, 0.25, 0.5, 0.75], [0.25, 0.0, 0.0, 0.0])
    """
    check_confidence(confidence)
    certain = np.asarray(confidences, dtype=np.float64)
    said = np.asarray(predicted)
    true = target(said, actual)
    if certain.shape != true.shape:
        raise InputError(
            f"confidences has the shape {certain.shape} for {rows_of(true.size)}; give one per row"
        )
    if not np.isfinite(certain).all():
        raise InputError("confidences contains NaN or infinite values; leave those rows out")
    thresholds, place = np.unique(certain, return_inverse=True)
    rows = np.bincount(place)
    wrong = np.bincount(place, true != said).astype(np.int64)

    def from_here(counts: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.asarray(counts[::-1].cumsum()[::-1])

    return RejectCurve(thresholds, from_here(rows), from_here(wrong), confidence, "given predictions", "")


def level_text(confidence: float) -> str:
    """Format a confidence so that values close to 1 remain distinguishable.

    Examples
    --------
    >>> level_text(0.95), level_text(1 - 3e-8)
    ('0.95', '1 - 3e-08')
    """
    return f"1 - {1 - confidence:.1g}" if 0.9999 < confidence < 1 else f"{confidence:.4g}"
