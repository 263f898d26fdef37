"""Confusion tables and misclassification costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score, confusion_matrix

from induce.core.errors import InputError
from induce.core.reports import shortened
from induce.core.values import Value, plain
from induce.evaluation.estimating.results import ClassificationEstimate
from induce.evaluation.estimating.splits import target
from induce.evaluation.losses.table import LossTable
from induce.evaluation.reports import Report, Table, html_table, text_table
from induce.hypotheses.naming import count_text, value_text
from induce.pictures.style import DARK, GRID, PALETTE, axes_for
from induce.statistics.intervals import Interval, check_confidence, t_mean, wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

LONGEST = 24
FEWEST_ROTATED = 6


@dataclass(frozen=True)
class ClassQuality:
    """Precision, recall and F1 of one class.

    Parameters
    ----------
    precision : float
        Fraction of the rows predicted as the class that belong to it; NaN if there are none.
    recall : float
        Fraction of the rows of the class that are predicted as such; NaN if there are none.
    f1 : float
        Harmonic mean of precision and recall; NaN if the class neither occurs nor is predicted.
    precision_interval, recall_interval, f1_interval : Interval or None
        Wilson intervals; the interval of F1 is derived from the proportion of correct rows among all rows
        that belong to the class or are predicted as such.
    """

    precision: float
    recall: float
    f1: float
    precision_interval: Interval | None
    recall_interval: Interval | None
    f1_interval: Interval | None


@dataclass(frozen=True, eq=False)
class ConfusionTable(Report):
    """Number of rows for each pair of true and predicted class.

    Parameters
    ----------
    labels : tuple
        Classes, in the order of rows and columns.
    counts : array of float64, shape (true classes, predicted classes)
        Number of rows per cell. A row tested several times counts once, so cells may be fractional.
    confidence : float
        Confidence level of the intervals.
    caveat : str
        Reason why the row-based intervals are only approximate; empty if they are exact.
    """

    labels: tuple[Value, ...]
    counts: Floats
    confidence: float = 0.95
    caveat: str = ""

    @property
    def n(self) -> float:
        """Number of rows."""
        return float(self.counts.sum())

    @property
    def error(self) -> float:
        """Fraction of misclassified rows."""
        return 1 - float(np.trace(self.counts)) / self.n

    @property
    def kappa(self) -> float:
        """Cohen's kappa: agreement beyond chance, relative to the maximum possible.

        It is NaN if all rows have the same true and predicted class, where chance agreement is already perfect.
        """
        if np.count_nonzero(np.diag(self.counts)) == np.count_nonzero(self.counts) == 1:
            return np.nan
        true, said = np.indices(self.counts.shape).reshape(2, -1)
        return float(cohen_kappa_score(true, said, sample_weight=self.counts.ravel()))

    @property
    def row_shares(self) -> Floats:
        """Counts divided by the row totals of the true classes; NaN for a class that does not occur."""
        return _shares(self.counts, self.counts.sum(axis=1, keepdims=True))

    @property
    def column_shares(self) -> Floats:
        """Counts divided by the column totals of the predicted classes; NaN for a class that is never predicted."""
        return _shares(self.counts, self.counts.sum(axis=0, keepdims=True))

    @property
    def classes(self) -> dict[Value, ClassQuality]:
        """Precision, recall and F1 of each class, with intervals."""
        right = np.diag(self.counts)
        said, true = self.counts.sum(axis=0), self.counts.sum(axis=1)
        return {label: self._quality(right[k], said[k], true[k]) for k, label in enumerate(self.labels)}

    def _quality(self, right: float, said: float, true: float) -> ClassQuality:
        either = self._interval(right, said + true - right)
        # F1 = 2 s / (1 + s) increases with s, the fraction of correct rows among those that belong to the
        # class or are predicted as such
        f1 = None
        if either is not None:
            low, high = (2 * bound / (1 + bound) for bound in (either.low, either.high))
            f1 = replace(either, low=low, high=high)
        return ClassQuality(
            right / said if said else np.nan,
            right / true if true else np.nan,
            2 * right / (said + true) if said + true else np.nan,
            self._interval(right, said),
            self._interval(right, true),
            f1,
        )

    def _interval(self, right: float, of: float) -> Interval | None:
        n = round(of)
        if n < 1:
            return None
        found = wilson(min(round(right), n), n, self.confidence)
        return replace(found, holds=False, preconditions=self.caveat) if self.caveat else found

    def cost(self, losses: Any) -> CostTable:
        """Return the misclassification costs.

        Parameters
        ----------
        losses : LossTable, mapping or matrix
            Losses as a mapping from ``(true, predicted)``, with 0 for missing pairs, or as a matrix in the order of
            `labels`.

        Examples
        --------
        >>> table = confusion(["spam", "spam", "ham"], ["spam", "ham", "spam"])
        >>> table.cost({("spam", "ham"): 1, ("ham", "spam"): 10}).total
        11.0
        """
        return CostTable(self, _losses(losses, self.labels))

    def caption(self) -> str:
        """Return the heading of the table."""
        return f"{count_text(self.n)} rows, error {self.error:.3f}, kappa {self.kappa:.3f}"

    def table(self) -> Table:
        """Return the counts, one row per true class."""
        names = [value_text(label) for label in self.labels]
        rows = [
            (f"true {name}", *(count_text(count) for count in line))
            for name, line in zip(names, self.counts.tolist(), strict=True)
        ]
        return ("", *(f"say {name}" for name in names)), rows

    def quality_table(self) -> Table:
        """Return precision, recall and F1, one row per class."""
        rows = [
            (
                value_text(label),
                *_cells(each.precision, each.precision_interval),
                *_cells(each.recall, each.recall_interval),
                *_cells(each.f1, each.f1_interval),
            )
            for label, each in self.classes.items()
        ]
        level = f"{100 * self.confidence:.10g}%"
        return ("class", "precision", level, "recall", level, "F1", level), rows

    def __str__(self) -> str:
        return f"{super().__str__()}\n\n{text_table(*self.quality_table())}"

    def _repr_html_(self) -> str:
        level = f"with approximate {100 * self.confidence:.10g}% intervals"
        return super()._repr_html_() + html_table(level, *self.quality_table())

    def draw(self, ax: Axes | None = None) -> Figure:
        """Draw a heat map with one cell per pair of classes, coloured by its fraction of the true class."""
        return _draw(self, self.counts, self.row_shares, "fraction of the true class", ax)


@dataclass(frozen=True, eq=False)
class CostTable(Report):
    """Misclassification costs.

    Parameters
    ----------
    confusion : ConfusionTable
        Confusion matrix that the losses are applied to.
    losses : array of float64, shape (true classes, predicted classes)
        Loss per row.
    """

    confusion: ConfusionTable
    losses: Floats

    @property
    def costs(self) -> Floats:
        """Total loss of each pair of true and predicted class."""
        return np.asarray(self.confusion.counts * self.losses)

    @property
    def total(self) -> float:
        """Total loss of all rows."""
        return float(self.costs.sum())

    @property
    def mean(self) -> float:
        """Mean loss per row."""
        return self.total / self.confusion.n

    @property
    def interval(self) -> Interval | None:
        """Student's t interval of the mean loss over the rows; None for a single row."""
        rows = np.repeat(self.losses.ravel(), np.rint(self.confusion.counts).astype(int).ravel())
        if len(rows) < 2:
            return None
        found = t_mean(rows, self.confusion.confidence)
        why = "; ".join(filter(None, ("losses are not normally distributed", self.confusion.caveat)))
        least = float(self.losses.min())
        return replace(found, low=max(found.low, least), holds=False, preconditions=why)

    def caption(self) -> str:
        """Return the heading of the table."""
        interval = f", {self.interval.summary}" if self.interval is not None else ""
        return (
            f"loss of {count_text(self.confusion.n)} rows: {self.total:.6g}, {self.mean:.4f} per "
            f"row{interval}"
        )

    def table(self) -> Table:
        """Return the losses, one row per true class."""
        header, rows = self.confusion.table()
        lines = [
            (row[0], *(f"{cost:.6g}" for cost in line))
            for row, line in zip(rows, self.costs.tolist(), strict=True)
        ]
        return header, lines

    def draw(self, ax: Axes | None = None) -> Figure:
        """Draw a heat map with one cell per pair of classes, coloured by its fraction of the total loss."""
        most = float(np.abs(self.costs).sum()) or 1.0
        return _draw(self.confusion, self.costs, np.abs(self.costs) / most, "fraction of the loss", ax)


def confusion(
    actual: Any,
    predicted: Any = None,
    labels: Sequence[Any] | None = None,
    *,
    confidence: float = 0.95,
) -> ConfusionTable:
    """Count the predicted classes for each true class.

    Parameters
    ----------
    actual : Estimate, or array
        Result of `induce.evaluate` for a classifier, or the true classes.
    predicted : array, optional
        Predicted classes, if `actual` holds the true ones.
    labels : sequence, optional
        Classes in display order; None sorts all that occur.
    confidence : float
        Confidence level of the intervals.

    Examples
    --------
    >>> import induce
    >>> print(confusion(induce.evaluate(induce.C45(), *induce.dataset("iris"))))
    150 rows, error 0.067, kappa 0.900
                     say setosa  say versicolor  say virginica
    true setosa              50               0              0
    true versicolor           0              44              6
    true virginica            0               4             46
    <BLANKLINE>
    class       precision           95%  recall           95%     F1           95%
    setosa          1.000  [0.93, 1.00]   1.000  [0.93, 1.00]  1.000  [0.96, 1.00]
    versicolor      0.917  [0.80, 0.97]   0.880  [0.76, 0.94]  0.898  [0.82, 0.95]
    virginica       0.885  [0.77, 0.95]   0.920  [0.81, 0.97]  0.902  [0.82, 0.95]
    """
    check_confidence(confidence)
    weights, caveat = None, ""
    if predicted is None:
        if not isinstance(actual, ClassificationEstimate):
            raise TypeError(
                "give an estimate by induce.evaluate of a classifier, or the true and the predicted classes"
            )
        caveat = "" if actual.interval.holds else actual.interval.preconditions
        weights = 1 / np.bincount(actual.rows)[actual.rows]
        actual, predicted = actual.actual, actual.predicted
    said = np.asarray(predicted)
    true = target(said, actual)
    known = (
        np.unique(np.concatenate([true, target(said, said)])) if labels is None else np.asarray(list(labels))
    )
    _check_labels(known, true, said)
    counts = confusion_matrix(true, said, labels=known, sample_weight=weights).astype(np.float64)
    return ConfusionTable(tuple(map(plain, known)), counts, confidence, caveat)


def _check_labels(known: NDArray[Any], true: NDArray[Any], said: NDArray[Any]) -> None:
    if len(known) < 2:
        raise InputError("there are fewer than two classes; name all classes in labels")
    if len(np.unique(known)) < len(known):
        raise InputError("labels contains a class twice; name each class once")
    for values, name in ((true, "actual"), (said, "predicted")):
        unknown = np.setdiff1d(values, known)
        if len(unknown):
            raise InputError(
                f"{name} has the class {value_text(plain(unknown[0]))}, which is not in labels; add it"
            )


def _losses(losses: Any, labels: tuple[Value, ...]) -> Floats:
    if isinstance(losses, Mapping):
        losses = LossTable.of_pairs(losses, labels, otherwise=0.0, gains=True)
    if isinstance(losses, LossTable):
        # the reject option can be predicted but is never true
        rows = [
            np.zeros(len(labels)) if true == losses.reject else losses.of([true] * len(labels), labels)
            for true in labels
        ]
        return np.array(rows)
    matrix = np.asarray(losses.matrix(labels) if hasattr(losses, "matrix") else losses, dtype=np.float64)
    if matrix.shape != (len(labels), len(labels)) or not np.isfinite(matrix).all():
        raise InputError(
            f"losses must be a numeric matrix with one cell per pair of the {len(labels)} classes, not "
            f"of the shape {matrix.shape}"
        )
    return matrix


def _shares(counts: Floats, totals: Floats) -> Floats:
    return np.divide(counts, totals, out=np.full_like(counts, np.nan), where=totals > 0)


def _cells(value: float, interval: Interval | None) -> tuple[str, str]:
    if interval is None:
        return "-", ""
    return f"{value:.3f}", f"[{interval.low:.2f}, {interval.high:.2f}]"


def _draw(table: ConfusionTable, numbers: Floats, shares: Floats, what: str, ax: Axes | None) -> Figure:
    """Draw numbers in cells: correct ones in blue, mistakes in orange; darker cells are larger fractions."""
    from matplotlib.colors import LinearSegmentedColormap

    names = [shortened(value_text(label), LONGEST) for label in table.labels]
    k = len(names)
    longest = max(map(len, names))
    room = 0.085 * longest
    side = max(0.36, min(0.8, 4.0 / k))
    figure, axes = axes_for(ax, 1.2 + room + side * k, 1.1 + (room if k >= FEWEST_ROTATED else 0) + side * k)
    colours = [
        LinearSegmentedColormap.from_list(name, ["#ffffff", colour])
        for name, colour in (("mistakes", PALETTE[5]), ("right", PALETTE[0]))
    ]
    picture = np.ones((k, k, 4))
    filled = np.nan_to_num(shares)
    right = np.eye(k, dtype=bool)
    for on_diagonal, colour in ((False, colours[0]), (True, colours[1])):
        where = right if on_diagonal else ~right
        picture[where] = colour(np.sqrt(filled[where]))  # the square root keeps rare mistakes visible
    axes.imshow(picture, aspect="equal")
    for (i, j), number in np.ndenumerate(numbers):
        if number:
            ink = "white" if np.sqrt(filled[i, j]) > 0.6 else DARK
            axes.text(j, i, f"{number:.4g}", ha="center", va="center", color=ink, fontsize=8 if k > 8 else 9)
    rotated = k >= FEWEST_ROTATED and longest > 2
    axes.set_xticks(range(k), names, parse_math=False, rotation=90 if rotated else 0, fontsize=9)
    axes.set_yticks(range(k), names, parse_math=False, fontsize=9)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.set_xlabel("predicted class")
    axes.set_ylabel("true class")
    axes.set_xticks(np.arange(k + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(k + 1) - 0.5, minor=True)
    axes.grid(which="minor", color=GRID, lw=0.7)
    axes.tick_params(which="minor", length=0)
    axes.spines[:].set_visible(False)
    axes.set_title(f"darker: larger {what}", fontsize=9, loc="left")
    return figure
