"""Pictures of weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.core.reports import shortened
from induce.pictures.style import DARK, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_BARS = 20
"""Maximum number of weights shown."""


def bars(labels: list[str], widths: list[float], what: str, mark: float | None = None) -> Figure:
    """Return a figure with one bar per label, and optionally a mark across all bars."""
    figure, axes = axes_for(None, height=1.2 + 0.27 * len(labels))
    places = range(len(labels))
    axes.barh(places, widths, color=PALETTE[0], height=0.7)
    axes.set_yticks(places, [shortened(text, 40) for text in labels], parse_math=False)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_xlabel(what)
    if mark is not None:
        axes.axvline(mark, color=DARK, ls="--", lw=1.2, label=f"threshold {mark:g}")
        axes.legend(frameon=False, fontsize=9)
    tidy(axes, "x")
    return figure
