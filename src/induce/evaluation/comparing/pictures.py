"""Plot of a comparison: the difference of each pair of learners with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from induce.pictures.style import DARK, GREY, PALETTE, axes_for, tidy
from induce.statistics.verdict import p_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.evaluation.comparing.comparison import Comparison

MOST_DOTS = 200
JITTER = 0.22


def draw_differences(comparison: Comparison, ax: Axes | None = None) -> Figure:
    """Draw one line per pair: a dot per split, the mean with its interval, and the p-value."""
    pairs, alpha = comparison.pairs, 1 - comparison.confidence
    figure, axes = axes_for(ax, 8.0, 1.4 + 0.42 * len(pairs))
    axes.axvline(0, color=DARK, lw=1)
    for place, pair in enumerate(pairs):
        colour = PALETTE[0] if pair.differs(alpha) else GREY
        dots = pair.differences[:MOST_DOTS]
        heights = place + np.linspace(-JITTER, JITTER, len(dots)) if len(dots) > 1 else [place]
        axes.plot(dots, heights, ls="", marker="o", ms=3.2, color=colour, alpha=0.35, mew=0)
        mean = float(pair.differences.mean())
        interval = pair.verdict.interval
        if interval is not None:
            axes.plot([interval.low, interval.high], [place, place], color=colour, lw=2.2)
        axes.plot([mean], [place], marker="D", ms=6, color=colour, mec="white", zorder=3)
        axes.annotate(
            p_text(pair.p_value),
            (1, place),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
            color=DARK if pair.differs(alpha) else GREY,
        )
    axes.set_yticks(range(len(pairs)), [f"{pair.first} - {pair.second}" for pair in pairs])
    axes.set_ylim(len(pairs) - 0.5, -0.5)
    axes.set_xlabel(_better(comparison))
    axes.set_title(comparison.title, fontsize=9, loc="left", wrap=True)
    axes.tick_params(axis="y", length=0)
    tidy(axes, "x")
    axes.spines["left"].set_visible(False)
    return figure


def _better(comparison: Comparison) -> str:
    sides = ("second", "first") if comparison.higher else ("first", "second")
    return f"← {sides[0]} better      difference in {comparison.measure}      {sides[1]} better →"
