"""Filter feature selection: scores of individual columns (AIMA, section 18.4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets

from induce.core.checks import at_least, one_of
from induce.core.errors import InputError
from induce.core.notes import note
from induce.data.schema import Column, Schema
from induce.data.table import Table as Encoded
from induce.data.table import encode
from induce.data.training import training_frame, training_schema
from induce.discretise import codes, mdlp_cuts, quantile_cuts
from induce.evaluation.choosing.columns import ColumnSelector
from induce.evaluation.estimating.splits import target
from induce.evaluation.reports import Report, Table
from induce.hypotheses.naming import plural
from induce.pictures.style import EMPTY, PALETTE, axes_for
from induce.trees.measures import chi_square_test, gain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
QUANTILES, MDLP = "quantiles", "mdlp"
CHI_SQUARE, GAIN = "chi-square", "gain"
FEWEST_EXPECTED = 5  # usual rule of thumb for the chi-square approximation
MOST_BARS = 25


@dataclass(frozen=True, eq=False)
class FeatureScores(Report):
    """Information that each individual column provides about the class.

    Parameters
    ----------
    names : tuple of str
        All column names, in table order.
    kinds : tuple of str
        "nominal", "numeric", or "ignored" for identifiers and text, which are not scored.
    gain : array of float64
        Information gain in bits, multiplied by the fraction of rows with a known value.
    statistic, dof, p_value : array of float64
        Chi-square test of independence from the class, on the rows with a known value.
    expected : array of float64
        Smallest expected count of the contingency table; below 5 the p-value is approximate.
    missing : array of int
        Number of missing values.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    gain: Floats
    statistic: Floats
    dof: Floats
    p_value: Floats
    expected: Floats
    missing: NDArray[np.int64]

    def ranked(self, by: str = CHI_SQUARE) -> NDArray[np.intp]:
        """Return the positions of the columns, most informative first; ties keep the table order."""
        one_of("by", by, (CHI_SQUARE, GAIN))
        # p-values of strong columns all underflow to 0, where the gain still distinguishes them
        keys = (-self.gain, self.p_value) if by == CHI_SQUARE else (self.p_value, -self.gain)
        return np.asarray(np.lexsort(keys))

    def caption(self) -> str:
        """Return the heading of the table."""
        return f"information of {plural(len(self.names), 'column')} about the class, scored individually"

    def table(self) -> Table:
        """Return the header and one row per column, the most informative first."""
        rows = [
            (
                self.names[j],
                self.kinds[j],
                f"{self.gain[j]:.4f}",
                f"{self.statistic[j]:.2f}",
                f"{self.dof[j]:.0f}",
                f"{self.p_value[j]:.2g}",
                str(self.missing[j]),
            )
            for j in self.ranked()
        ]
        return ("", "kind", "gain", "chi-square", "dof", "p", "missing"), rows

    def remark(self) -> str:
        """Return a note about p-values that are only approximate."""
        rough = [
            name
            for name, expected, dof in zip(self.names, self.expected, self.dof, strict=True)
            if dof and expected < FEWEST_EXPECTED
        ]
        if not rough:
            return ""
        shown = ", ".join(rough[:6]) + (", …" if len(rough) > 6 else "")
        return f"approximate p-values, because a cell has an expected count below {FEWEST_EXPECTED}: {shown}"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Draw a bar chart of the gains of at most 25 columns; those not significant at the 5% level are pale."""
        order = self.ranked(GAIN)[:MOST_BARS]
        figure, axes = axes_for(ax, height=1.2 + 0.26 * len(order))
        places = range(len(order))
        telling = [self.p_value[j] <= 0.05 for j in order]
        for flag, colour, label in (
            (True, PALETTE[0], "p ≤ 0.05"),
            (False, EMPTY, "p > 0.05, not significant"),
        ):
            chosen = [k for k in places if telling[k] == flag]
            if chosen:
                axes.barh(chosen, [self.gain[order[k]] for k in chosen], color=colour, label=label)
        axes.set_yticks(places, [self.names[j] for j in order], parse_math=False)
        axes.set_ylim(len(order) - 0.4, -0.6)
        axes.set_xlabel("information gain (bits)")
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
        axes.legend(loc="lower right", frameon=False, fontsize=9)
        return figure


def feature_scores(
    X: Any,
    y: Any,
    *,
    cuts: str = QUANTILES,
    bins: int = 5,
    schema: Schema | dict[str, Any] | None = None,
) -> FeatureScores:
    """Score each column by information gain and by the chi-square test (AIMA, sections 18.3.5 and 18.4.3).

    A column is scored on the rows where its value is known. Scores ignore interactions: columns that are
    informative only jointly, such as the inputs of exclusive or, look useless.

    Parameters
    ----------
    X : frame or array
        Nominal and numeric columns, with or without missing values.
    y : series, array or list
        Class labels.
    cuts : {"quantiles", "mdlp"}
        Discretisation of numeric columns: equal-frequency intervals, or MDLP intervals. MDLP uses the
        classes, so its p-values are too small.
    bins : int
        Number of equal-frequency intervals.
    schema : Schema or dict, optional
        Schema of the columns, in addition to their types.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(feature_scores(X, y))
    information of 4 columns about the class, scored individually
                    kind    gain  chi-square  dof      p  missing
    Humidity     nominal  0.1518        2.80    1  0.094        0
    Outlook      nominal  0.2467        3.55    2   0.17        0
    Wind         nominal  0.0481        0.93    1   0.33        0
    Temperature  nominal  0.0292        0.57    2   0.75        0
    approximate p-values, because a cell has an expected count below 5: Outlook, Temperature, Humidity, Wind
    """
    one_of("cuts", cuts, (QUANTILES, MDLP))
    at_least("bins", bins, 2, whole=True)
    raw = training_frame(X)
    actual = target(X, y)
    check_classification_targets(actual)
    settled = training_schema(raw, len(actual), schema)
    classes, labels = np.unique(actual, return_inverse=True)
    inputs = encode(raw, settled)
    used = {column.name: j for j, column in enumerate(inputs.schema)}
    scored = [_score(column, used, inputs, labels, len(classes), cuts, int(bins)) for column in settled]
    numbers = np.array(scored, dtype=np.float64)
    return FeatureScores(
        settled.names(),
        tuple(column.kind if column.name in used else "ignored" for column in settled),
        gain=numbers[:, 0],
        statistic=numbers[:, 1],
        dof=numbers[:, 2],
        p_value=numbers[:, 3],
        expected=numbers[:, 4],
        missing=numbers[:, 5].astype(np.int64),
    )


def _score(
    column: Column,
    used: dict[str, int],
    inputs: Encoded,
    labels: NDArray[np.intp],
    n_classes: int,
    cuts: str,
    bins: int,
) -> tuple[float, float, float, float, float, float]:
    """Return the gain, the chi-square test, the smallest expected count and the missing-value count of a column."""
    if column.name not in used:
        return 0.0, 0.0, 0.0, 1.0, 0.0, 0.0
    values = inputs.column(used[column.name])
    if column.kind == "numeric":
        at = quantile_cuts(values, bins) if cuts == QUANTILES else mdlp_cuts(values, labels, n_classes)
        values = codes(values, at)
    known = values >= 0
    counts = np.zeros((max(int(values.max(initial=0)) + 1, 1), n_classes))
    np.add.at(counts, (values[known], labels[known]), 1.0)
    counts = counts[counts.sum(axis=1) > 0] if known.any() else counts
    test = chi_square_test(counts)
    present = counts[:, counts.sum(axis=0) > 0]
    n = max(float(present.sum()), 1.0)
    expected = np.outer(present.sum(axis=1), present.sum(axis=0)) / n
    return (
        float(gain(counts)) * float(known.mean()),
        float(test.statistic),
        float(test.dof),
        float(test.p_value),
        float(expected.min(initial=np.inf)),
        float(np.count_nonzero(~known)),
    )


class FeatureFilter(ColumnSelector):
    """Selects informative columns by individual scores (AIMA, section 18.4.3).

    Use it in a pipeline, so that cross-validation repeats the selection in every fold. Scores ignore missing
    values; an unseen category is passed on.

    Parameters
    ----------
    by : {"chi-square", "gain"}
        Criterion for the `k` best columns.
    k : int, optional
        Number of columns to keep; None keeps all columns that pass the chi-square test.
    alpha : float
        Significance level of the chi-square test of each column: the expected fraction of uninformative
        columns that are kept.
    cuts : {"quantiles", "mdlp"}
        Discretisation of numeric columns, as in `feature_scores`.
    bins : int
        Number of intervals of numeric columns, as in `feature_scores`.
    schema : Schema or dict, optional
        Schema of the columns, in addition to their types.

    Attributes
    ----------
    scores_ : FeatureScores
    support_ : array of bool
        Whether each column is kept.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("restaurant")
    >>> FeatureFilter(k=2).fit(X, y).transform(X).columns
    ['Hun', 'Pat']
    """

    def __init__(
        self,
        by: str = CHI_SQUARE,
        k: int | None = None,
        alpha: float = 0.05,
        cuts: str = QUANTILES,
        bins: int = 5,
        schema: Any = None,
    ) -> None:
        self.by = by
        self.k = k
        self.alpha = alpha
        self.cuts = cuts
        self.bins = bins
        self.schema = schema

    def fit(self, X: Any, y: Any = None) -> Self:
        """Score and select the columns.

        Parameters
        ----------
        X, y : frame or array, series or array
        """
        if y is None:
            raise InputError(
                "FeatureFilter requires y to be passed, but the target y is None: give the classes"
            )
        one_of("by", self.by, (CHI_SQUARE, GAIN))
        if not 0 < self.alpha <= 1:
            raise InputError(f"alpha is {self.alpha}; it must be greater than 0 and at most 1")
        scores = feature_scores(X, y, cuts=self.cuts, bins=self.bins, schema=self.schema)
        order = scores.ranked(self.by)
        if self.k is None:
            keep = scores.p_value <= self.alpha
            if not keep.any():
                best = scores.names[order[0]]
                note(f"no column is informative about the class at level {self.alpha}; only {best!r} is kept")
                keep[order[0]] = True
        else:
            at_least("k", self.k, 1, whole=True)
            keep = np.zeros(len(order), dtype=np.bool_)
            keep[order[: self.k]] = True
        self._seen(X, len(order))
        self.scores_, self.support_ = scores, keep
        return self
