"""Plots of players: learning curves and network weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from induce.core.ties import largest_first
from induce.environments.games.game import find_game
from induce.pictures.style import GREY, PALETTE, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.reinforcement.selfplay.player import Player

NAMED = 24
"""Maximum number of features labelled."""


def draw_player(player: Player) -> Figure:
    """Plot the fraction of games a player won against random play, and the weights into its hidden units."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.0, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[3, 4])
    if len(player.curve):
        left.plot(player.curve[:, 0], 100 * player.curve[:, 1], color=PALETTE[0], marker="o", ms=3)
    else:
        left.text(0.5, 0.5, "not measured during training", ha="center", color=GREY, transform=left.transAxes)
    left.axhline(50, color=GREY, lw=0.8, ls=":")
    left.set(xlabel="games of self-play", ylabel="won against random play (%)", ylim=(0, 102))
    tidy(left)
    middle = len(player.out) // 2  # the output for winning at all
    order = largest_first(player.out[middle, :-1])
    weights = player.into[:-1, order]
    most = float(np.abs(weights).max()) or 1.0
    image = right.imshow(weights, aspect="auto", cmap="RdBu", vmin=-most, vmax=most, interpolation="nearest")
    names = find_game(player.game).feature_names
    step = 1 + (len(names) - 1) // NAMED
    right.set_yticks(range(0, len(names), step), names[::step], fontsize=7)
    right.set(xlabel="hidden units, strongest support for a win first", ylabel="")
    right.set_xticks([])
    figure.colorbar(image, ax=right, label="weight", shrink=0.8)
    return figure
