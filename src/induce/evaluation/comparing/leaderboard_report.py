"""The leaderboard report: its lines, caveats, and the most readable hypothesis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.evaluation.estimating.splits import rows_of
from induce.evaluation.losses.measure import score_text
from induce.evaluation.reports import html_table, text_table
from induce.pictures.style import axes_for, tidy
from induce.statistics.interval import Interval
from induce.statistics.verdict import p_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Line:
    """One line of a leaderboard.

    Parameters
    ----------
    name : str
    value : float
        Error, or the requested score.
    interval : Interval
        Confidence interval of the value.
    seconds : float
        Training time on all rows.
    parts : int or None
        Number of conditions and conclusions of its hypothesis, fitted on all rows.
    size : str
        Size of that hypothesis in its own units.
    p_value : float
        P-value of the difference from the best, by the corrected resampled t test with Holm's correction; NaN for the
        best.
    worse : bool
        Whether it is significantly worse than the best.
    """

    name: str
    value: float
    interval: Interval
    seconds: float
    parts: int | None
    size: str
    p_value: float
    worse: bool

    @property
    def verdict(self) -> str:
        """Verdict compared with the best, in words."""
        if np.isnan(self.p_value):
            return ""
        return f"worse: {p_text(self.p_value)}" if self.worse else f"no evidence: {p_text(self.p_value)}"

    def cells(self) -> tuple[str, ...]:
        """Return the line as table cells."""
        decimals = self.interval.decimals
        return (
            self.name,
            score_text(self.value),
            f"[{self.interval.low:.{decimals}f}, {self.interval.high:.{decimals}f}]",
            f"{self.seconds:.2g}",
            "" if self.parts is None else str(self.parts),
            self.verdict or "best",
        )


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """Learners ranked by their scores.

    Parameters
    ----------
    lines : tuple of Line
        Lines, best first.
    measure : str
        Measure of the values.
    method : str
        Resampling method.
    n_rows : int
        Number of rows.
    confidence : float
        Confidence level of the interval.
    baseline : str
        Baseline without learning; empty for user-defined scores and for density estimators.
    failed, left_out : dict
        Learners that failed or are not applicable, with the reason.
    readable : str or None
        Smallest learner among those that are not significantly worse than the best.
    learner : estimator or None
        That learner, fitted on all rows.
    remarks : tuple of str
    """

    lines: tuple[Line, ...]
    measure: str
    method: str
    n_rows: int
    confidence: float
    baseline: str
    failed: Mapping[str, str]
    left_out: Mapping[str, str]
    readable: str | None
    learner: Any = field(repr=False)
    remarks: tuple[str, ...] = ()

    @property
    def header(self) -> tuple[str, ...]:
        """Column names."""
        about = "approximate " if any(line.interval.approximate for line in self.lines) else ""
        interval = f"{about}{100 * self.confidence:.10g}% interval"
        return ("learner", self.measure, interval, "seconds", "parts", "against the best")

    @property
    def title(self) -> str:
        """Measure and method in one line."""
        return f"{self.measure} by {self.method}, {rows_of(self.n_rows)}; cautious resampled t, Holm"

    def notes(self) -> list[str]:
        """Return the notes below the table: the baseline, excluded learners with reasons, and caveats."""
        said = [self.baseline] if self.baseline else []
        for what, reasons in (("failed", self.failed), ("left out", self.left_out)):
            together: dict[str, list[str]] = {}
            for name, reason in reasons.items():
                together.setdefault(reason, []).append(name)
            said += [f"{what}: {', '.join(names)}: {reason}" for reason, names in together.items()]
        return [*said, *(f"note: {remark}" for remark in self.remarks)]

    def reading(self) -> list[str]:
        """Return the most readable learner and its hypothesis."""
        if self.readable is None:
            return [
                "of the learners not significantly worse than the best, none has a readable, "
                "non-constant hypothesis"
            ]
        line = next(line for line in self.lines if line.name == self.readable)
        return [
            f"the most readable learner not significantly worse than the best: {line.name} ({line.size})",
            "",
            str(self.learner.hypothesis_),
        ]

    def __str__(self) -> str:
        table = text_table(self.header, [line.cells() for line in self.lines])
        return "\n".join([self.title, table, "", *self.notes(), "", *self.reading()])

    def _repr_html_(self) -> str:
        table = html_table(self.title, self.header, [line.cells() for line in self.lines])
        notes = "".join(f"<p><small>{escape(text)}</small></p>" for text in self.notes())
        shown = self.learner.hypothesis_._repr_html_() if self.readable is not None else ""
        return f"{table}{notes}<p>{escape(self.reading()[0])}</p>{shown}"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Draw the values with their intervals; those significantly worse than the best are grey."""
        from induce.pictures.style import GREY, PALETTE

        figure, axes = axes_for(ax, 7.5, 1.1 + 0.34 * len(self.lines))
        for place, line in enumerate(self.lines):
            colour = GREY if line.worse else PALETTE[0]
            axes.plot([line.interval.low, line.interval.high], [place, place], color=colour, lw=2.2)
            axes.plot([line.value], [place], marker="o", ms=6, color=colour, mec="white")
        names = [line.name if line.parts is None else f"{line.name} ({line.parts})" for line in self.lines]
        axes.set_yticks(range(len(names)), names)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_xlabel(f"{self.measure} (grey: significantly worse; in brackets: number of parts)")
        axes.tick_params(axis="y", length=0)
        tidy(axes, "x")
        return figure
