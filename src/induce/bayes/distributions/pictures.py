"""Figures of distributions of parameters: densities and intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.pictures.style import DARK, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.bayes.distributions.credible import CredibleInterval


def draw_density(
    ax: Axes | None,
    density: Callable[[Any], Any],
    interval: CredibleInterval,
    limits: tuple[float, float],
    label: str,
    what: str,
) -> Figure:
    """Return a figure of a density with its credible interval shaded; given axes are drawn into."""
    figure, axes = axes_for(ax)
    colour = PALETTE[len(axes.lines) % len(PALETTE)]
    places = np.linspace(*limits, 501)
    axes.plot(places, density(places), color=colour, lw=1.8, label=label)
    inside = np.linspace(interval.low, interval.high, 201)
    axes.fill_between(inside, density(inside), color=colour, alpha=0.12, lw=0)
    axes.set_xlabel(what)
    axes.set_ylabel("density")
    axes.set_ylim(0, 1.05 * max(float(np.max(line.get_ydata())) for line in axes.lines))
    tidy(axes)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize=9)
    return figure


def draw_intervals(
    ax: Axes | None,
    names: Sequence[str],
    centres: Sequence[float],
    intervals: Sequence[CredibleInterval],
    what: str,
) -> Figure:
    """Return a figure with a dot and a line for each parameter: its mean and its credible interval."""
    figure, axes = axes_for(ax, height=1.2 + 0.32 * len(names))
    for place, (centre, interval) in enumerate(zip(centres, intervals, strict=True)):
        axes.plot(
            [interval.low, interval.high], [place, place], color=PALETTE[0], lw=2.4, solid_capstyle="butt"
        )
        axes.plot([centre], [place], "o", color=DARK, ms=5)
    axes.set_yticks(range(len(names)), names, parse_math=False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlabel(f"{what} (dot: mean, line: {100 * intervals[0].probability:.10g}% credible interval)")
    tidy(axes, "x")
    return figure
