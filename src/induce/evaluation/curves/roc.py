"""ROC and precision-recall curves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score, roc_curve

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.core.ties import ranked
from induce.core.values import Value, positive_rows
from induce.evaluation.curves.errors import HowTested
from induce.evaluation.curves.scores import Scores, class_scores, given_scores
from induce.evaluation.estimating.splits import rows_of
from induce.evaluation.reports import Report, Table, finish
from induce.hypotheses.naming import value_text
from induce.pictures.style import GREY, PALETTE, axes_for
from induce.statistics.intervals import Interval, check_confidence, clopper_pearson
from induce.statistics.logistic import logit, sigmoid

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

ROC, PRECISION_RECALL = "roc", "precision-recall"
MOST_LINES = 6


@dataclass(frozen=True, eq=False)
class ClassCurve:
    """Discrimination of one class from all others by scores.

    Parameters
    ----------
    false_positive_rate, true_positive_rate, thresholds : array
        ROC curve: false and true positive rates, which are the fractions of other rows and of rows of the
        class with at least the threshold score.
    precision, recall : array
        Precision-recall curve.
    area : float
        Area under the ROC curve: probability that a random row of the class scores higher than a random other
        row.
    interval : Interval
        DeLong interval of the area.
    average_precision : float
        Area under the precision-recall curve.
    n_class, n_others : int
        Number of rows of the class, and number of other rows.
    """

    false_positive_rate: Floats
    true_positive_rate: Floats
    thresholds: Floats
    precision: Floats
    recall: Floats
    area: float
    interval: Interval
    average_precision: float
    n_class: int
    n_others: int


@dataclass(frozen=True, eq=False)
class Roc(Report):
    """ROC curves: of the second of two classes, or of each class against all others.

    Parameters
    ----------
    curves : mapping
        `ClassCurve` of each class; also available as ``roc["yes"]``.
    method : str
        Resampling method.
    """

    curves: Mapping[Value, ClassCurve]
    method: str

    def __getitem__(self, name: Value) -> ClassCurve:
        return self.curves[name]

    @property
    def area(self) -> float:
        """Mean area under the curves of all classes."""
        return float(np.mean([curve.area for curve in self.curves.values()]))

    def caption(self) -> str:
        """Return the heading of the table."""
        first = next(iter(self.curves.values()))
        return f"area under the ROC curve, {self.method}, {rows_of(first.n_class + first.n_others)}"

    def table(self) -> Table:
        """Return the header and one row per class."""
        rows = [
            (
                value_text(name),
                str(curve.n_class),
                f"{curve.area:.4f}",
                f"[{curve.interval.low:.4f}, {curve.interval.high:.4f}]",
                f"{curve.average_precision:.4f}",
            )
            for name, curve in self.curves.items()
        ]
        confidence = next(iter(self.curves.values())).interval.confidence
        level = f"approximate {100 * confidence:.10g}% interval"
        return ("class", "rows", "area", level, "average precision"), rows

    def remark(self) -> str:
        """Return the mean area if there are several classes."""
        return f"mean area {self.area:.4f}" if len(self.curves) > 1 else ""

    def draw(self, ax: Axes | None = None, kind: str = ROC) -> Figure:
        """Return a figure of the curves.

        Parameters
        ----------
        ax : matplotlib axes, optional
        kind : {"roc", "precision-recall"}
            Kind of curve. With more than six classes, only the six with the lowest area or average precision
            are coloured.
        """
        one_of("kind", kind, (ROC, PRECISION_RECALL))
        figure, axes = axes_for(ax, 5.5, 5.5)
        worth = {name: c.area if kind == ROC else c.average_precision for name, c in self.curves.items()}
        worst = ranked(worth, lambda name: -worth[name])[:MOST_LINES]
        colours = iter(PALETTE)
        for name, curve in self.curves.items():
            x, y = (
                (curve.false_positive_rate, curve.true_positive_rate)
                if kind == ROC
                else (curve.recall, curve.precision)
            )
            where: dict[str, Any] = {} if kind == ROC else {"drawstyle": "steps-post"}
            if name in worst:
                axes.plot(
                    x, y, lw=1.8, color=next(colours), label=f"{value_text(name)} {worth[name]:.3f}", **where
                )
            else:
                axes.plot(x, y, lw=0.8, color=GREY, alpha=0.5, **where)
        if len(worth) > len(worst):
            axes.plot([], [], lw=0.8, color=GREY, label=f"the {len(worth) - len(worst)} better ones")
        if kind == ROC:
            axes.plot([0, 1], [0, 1], color=GREY, lw=1, ls="--")
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(-0.02, 1.02)
        names = ("false positive rate", "true positive rate") if kind == ROC else ("recall", "precision")
        finish(axes, *names, 2)
        return figure


def roc(learner: Any, X: Any, y: Any, *, confidence: float = 0.95, **how: Unpack[HowTested]) -> Roc:
    """Compute true and false positive rates of a class as the threshold decreases.

    Scores of all folds are pooled, although each fold has its own hypothesis.

    Parameters
    ----------
    learner : classifier
        Classifier with ``predict_proba`` or ``decision_function``; copies are fitted, unless `cv` is None.
    X, y : frame or array, series or array
        Table and target.
    confidence : float
        Confidence level of the intervals of the area.
    **how
        `cv`, `repeats`, `groups`, `test_size`, `stratify`, `n_jobs` and `random_state`, as in `induce.evaluate`.

    Examples
    --------
    >>> import induce
    >>> from sklearn.naive_bayes import GaussianNB
    >>> print(roc(GaussianNB(), *induce.dataset("wine")))
    area under the ROC curve, 10-fold cross-validation, 178 rows
    class    rows    area  approximate 95% interval  average precision
    class 0    59  0.9987          [0.9926, 0.9998]             0.9976
    class 1    71  0.9970          [0.9883, 0.9992]             0.9954
    class 2    48  0.9998          [0.9974, 1.0000]             0.9996
    mean area 0.9985
    """
    return _roc(class_scores(learner, X, y, **how), confidence)


def roc_of(
    actual: Any,
    scores: ArrayLike,
    classes: Sequence[Any] | None = None,
    *,
    confidence: float = 0.95,
) -> Roc:
    """Return the ROC curves of given scores: the curve of the second of two classes, or one curve per class.

    Parameters
    ----------
    actual : array-like
        True class of each row.
    scores : array-like
        One column of scores per class, or a single column for the second of two classes.
    classes : Sequence[Any] | None, default=None
        Classes in the order of the columns; None uses those of `actual` in sorted order.
    confidence : float, default=0.95
        Confidence level of the intervals of the area.

    Examples
    --------
    >>> roc_of(["no", "no", "yes", "yes"], [0.1, 0.4, 0.35, 0.8])["yes"].area
    0.75
    """
    return _roc(given_scores(actual, scores, classes, probable=False), confidence)


def area_interval(hits: ArrayLike, scores: ArrayLike, confidence: float = 0.95) -> Interval:
    """Return a confidence interval of the area under a ROC curve (DeLong, DeLong and Clarke-Pearson 1988).

    The variance of the area is computed from the placements of the rows of the class among the others and
    vice versa. The interval is computed on the logit scale, which keeps the bounds between 0 and 1. If the
    area is 0 or 1, that variance is 0 and uninformative. Then each row of the class is paired with one other
    row, and the result is the exact interval of the proportion of correctly ordered pairs.

    Parameters
    ----------
    hits : array
        Whether each row has the class, in any coding of two classes.
    scores : array
    confidence : float

    Examples
    --------
    >>> hits = [False, False, False, True, False, True, True, True]
    >>> print(area_interval(hits, [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.7, 0.9]))
    approximate 95% interval [0.44, 1.00] (DeLong)
    """
    from scipy.special import ndtri
    from scipy.stats import rankdata

    check_confidence(confidence)
    member = positive_rows(hits)
    score = np.asarray(scores, dtype=np.float64)
    m, n = int(member.sum()), int((~member).sum())
    if not m or not n:
        raise InputError("hits must contain both true and false for an area under the curve to exist")
    ranks = rankdata(score)
    # for each row of the class, the fraction of others with a lower score, and vice versa
    placed = (ranks[member] - rankdata(score[member])) / n
    others = 1 - (ranks[~member] - rankdata(score[~member])) / m
    area = float(placed.mean())
    variance = sum(float(values.var(ddof=1)) / len(values) for values in (placed, others) if len(values) > 1)
    if area in (0.0, 1.0) or variance == 0 or min(m, n) < 2:
        pairs = min(m, n)
        found = clopper_pearson(round(area * pairs), pairs, confidence)
        return replace(found, holds=False, preconditions="rows are paired at random")
    reach = -float(ndtri((1 - confidence) / 2)) * math.sqrt(variance) / (area * (1 - area))
    low, high = (float(sigmoid(logit(area) + sign * reach)) for sign in (-1, 1))
    holds = min(m, n) >= 10
    few = f"one class has only {rows_of(min(m, n))}, too few for the approximation, which needs about 10"
    return Interval(low, high, confidence, "DeLong", "two", holds, "independent rows" if holds else few)


def _roc(scores: Scores, confidence: float) -> Roc:
    check_confidence(confidence)
    codes = scores.codes
    wanted = range(1, 2) if len(scores.classes) == 2 else range(len(scores.classes))
    curves = {}
    for k in wanted:
        name = scores.classes[k]
        hits = codes == k
        if not hits.any() or hits.all():
            which = "no" if not hits.any() else "only"
            raise InputError(
                f"there are {which} rows of class {value_text(name)}; give rows of it and of others"
            )
        curves[name] = _curve(hits, scores.values[:, k], confidence, scores.caveat)
    return Roc(curves, scores.method)


def _curve(hits: NDArray[np.bool_], scores: Floats, confidence: float, caveat: str) -> ClassCurve:
    false, true, thresholds = roc_curve(hits, scores)
    precision, recall, _ = precision_recall_curve(hits, scores)
    interval = area_interval(hits, scores, confidence)
    return ClassCurve(
        false,
        true,
        thresholds,
        precision,
        recall,
        float(roc_auc_score(hits, scores)),
        replace(interval, holds=False, preconditions=caveat) if caveat else interval,
        float(average_precision_score(hits, scores)),
        int(hits.sum()),
        int((~hits).sum()),
    )
