"""Plots of practice games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from induce.core.ties import largest_first
from induce.pictures.style import DARK, GREY, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.reinforcement.design.evaluation import Evaluation
    from induce.reinforcement.design.problem import Improvement

MOST = 12
"""Maximum number of weights plotted; the largest final ones are chosen."""
WINDOW = 10
"""Number of games over which the training error is averaged."""


def draw_practice(learned: Evaluation) -> Figure:
    """Draw the weights and the training error after each game."""
    from matplotlib.figure import Figure

    panels = 2 if len(learned.weights) else 1
    figure = Figure(figsize=(5.2 * panels, 3.8), layout="constrained")
    axes = figure.subplots(1, panels, squeeze=False)[0]
    if panels == 2:
        names = ("constant", *learned.names)
        largest = largest_first(np.abs(learned.weights[-1]))[:MOST]
        for rank, k in enumerate(sorted(largest.tolist())):
            colour = PALETTE[rank % len(PALETTE)]
            axes[0].plot(learned.weights[:, k], color=colour, lw=1.6, label=names[k])
        axes[0].legend(fontsize=8, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
        axes[0].set(xlabel="games", ylabel="weight", title="weights")
    errors = learned.errors
    axes[-1].plot(np.arange(1, len(errors) + 1), errors, color=GREY, lw=0.6)
    if len(errors) >= WINDOW:
        smooth = np.convolve(errors, np.full(WINDOW, 1 / WINDOW), mode="valid")
        axes[-1].plot(np.arange(WINDOW, len(errors) + 1), smooth, color=DARK, lw=1.6)
    axes[-1].set(xlabel="games", ylabel="mean |V_train - V|", title="training error")
    for each in axes:
        tidy(each)
    return figure


def draw_improvement(found: Improvement) -> Figure:
    """Plot the fraction of games won, with its confidence band, against the number of practice games."""
    figure, axes = axes_for(None)
    bands = np.array(found.bands())
    axes.fill_between(found.amounts, bands[:, 0], bands[:, 1], color=PALETTE[0], alpha=0.2, lw=0)
    axes.plot(found.amounts, found.won, color=PALETTE[0], marker="o", ms=4)
    axes.set(xlabel="games of practice", ylabel=found.measure, ylim=(0, 1.02))
    tidy(axes)
    return figure
