"""Plots of a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from induce.core.reports import shortened
from induce.pictures.style import GREY, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.statistics.ranks import Ranking

BOX, BEST = PALETTE[0], PALETTE[2]
# narrow, so that the text stays readable on a phone
WIDTH = 4.2
LONGEST_NAME = 22


def draw_scores(scores: Mapping[str, NDArray[np.float64]], best: str | None, label: str) -> Figure:
    """Draw the scores of each learner on the splits of a data set: points, box and mean.

    Parameters
    ----------
    scores : dict from learners to arrays
        Scores of each learner; NaN if missing.
    best : str or None
        Learner highlighted as the best.
    label : str
        Name of the scores.
    """
    figure, axes = axes_for(None, WIDTH, 0.8 + 0.36 * len(scores))
    for place, (name, values) in enumerate(scores.items()):
        done = values[~np.isnan(values)]
        colour = BEST if name == best else BOX
        if not done.size:
            axes.text(0.01, place, "no result", transform=axes.get_yaxis_transform(), va="center", fontsize=8)
            continue
        axes.boxplot(
            done,
            positions=[place],
            orientation="horizontal",
            widths=0.5,
            showfliers=False,
            patch_artist=True,
            boxprops={"facecolor": f"{colour}33", "edgecolor": colour},
            medianprops={"color": colour, "lw": 1.6},
            whiskerprops={"color": colour},
            capprops={"color": colour},
            manage_ticks=False,
        )
        # splits with equal scores are placed side by side
        aside = np.linspace(-0.2, 0.2, done.size) if done.size > 1 else np.zeros(1)
        axes.plot(done, place + aside, ".", color=colour, ms=2.5, alpha=0.55)
        axes.plot([done.mean()], [place], "D", color=colour, ms=5, mec="white", mew=0.8)
    axes.set_yticks(range(len(scores)), [shortened(name, LONGEST_NAME) for name in scores], parse_math=False)
    axes.set_ylim(len(scores) - 0.5, -0.5)
    axes.set_xlabel(label, parse_math=False)
    tidy(axes, "x")
    axes.grid(axis="x", color=f"{GREY}55")  # readable on a dark page too
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    return figure


def draw_ranks(ranking: Ranking) -> Figure:
    """Draw the critical-difference diagram with short names."""
    names = tuple(shortened(name, LONGEST_NAME).replace("$", r"\$") for name in ranking.names)
    return replace(ranking, names=names).draw()
