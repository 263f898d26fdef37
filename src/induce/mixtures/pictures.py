"""Figures of clusters: ellipses over two columns, a curve along one, and bars of their characteristics."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from induce.core.reports import shortened
from induce.pictures.style import DARK, GREY, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.mixtures.hypothesis import Mixture

MOST_PANELS = 12
MOST_BARS = 8
DEVIATIONS = (1.0, 2.0)
POINTS = 300


def draw(mixture: Mixture) -> Figure:
    """Plot the mixture: a curve for one numeric column, a map for two, bars of differences otherwise."""
    used = np.flatnonzero(~np.isnan(mixture.scale))
    names = [column.name for column in mixture.schema.inputs() if column.kind != "nominal"]
    if not mixture.sizes and len(used) in (1, 2):
        figure, axes = axes_for(None, 6.2, 4.6)
        if len(used) == 1:
            _curve(axes, mixture, int(used[0]))
            axes.set_ylabel("density")
        else:
            _map(axes, mixture, used)
            axes.set_ylabel(names[used[1]], parse_math=False)
        axes.set_xlabel(names[used[0]], parse_math=False)
        return figure
    return _bars(mixture)


def _colour(number: int) -> str:
    return PALETTE[number % len(PALETTE)]


def _curve(axes: Axes, mixture: Mixture, column: int) -> None:
    means = mixture.centres[:, column]
    deviations = np.sqrt(mixture.matrices()[:, column, column])
    low, high = float((means - 3.5 * deviations).min()), float((means + 3.5 * deviations).max())
    x = np.linspace(low, high, POINTS)
    total = np.zeros(POINTS)
    for i, (share, mean, sd) in enumerate(zip(mixture.shares, means, deviations, strict=True)):
        part = share * np.exp(-0.5 * np.square((x - mean) / sd)) / (sd * math.sqrt(2 * math.pi))
        total += part
        axes.fill_between(x, part, color=_colour(i), alpha=0.25, lw=0)
        axes.plot(x, part, color=_colour(i), lw=1.2, label=f"cluster {i} ({share:.0%})")
    axes.plot(x, total, color=DARK, lw=1.8, label="all")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize=9)
    tidy(axes)


def _map(axes: Axes, mixture: Mixture, used: NDArray[np.int64]) -> None:
    """Draw ellipses of one and two standard deviations for each cluster, and random rows from it."""
    from matplotlib.patches import Ellipse

    matrices = mixture.matrices()[:, used][:, :, used]
    centres = mixture.centres[:, used]
    names = [column.name for column in mixture.schema.inputs()]
    drawn = mixture.sample(400, random_state=0)
    which = mixture.predict(drawn)
    points = drawn.select([names[j] for j in used]).to_numpy()
    for i, (centre, matrix) in enumerate(zip(centres, matrices, strict=True)):
        values, vectors = np.linalg.eigh(matrix)
        angle = math.degrees(math.atan2(vectors[1, 1], vectors[0, 1]))
        colour = _colour(i)
        x, y = points[which == i].T
        axes.scatter(x, y, s=5, color=colour, alpha=0.35, lw=0)
        for number in DEVIATIONS:
            width, height = 2 * number * np.sqrt(values[::-1])
            patch = Ellipse(
                (centre[0], centre[1]), width, height, angle=angle, fill=False, color=colour, lw=1.5
            )
            axes.add_patch(patch)
        axes.annotate(
            f"{i} ({mixture.shares[i]:.0%})",
            (centre[0], centre[1]),
            ha="center",
            va="center",
            fontsize=10,
            color=DARK,
            bbox={"boxstyle": "round,pad=0.2", "fc": "white", "ec": colour, "alpha": 0.85},
        )
    axes.autoscale_view()
    tidy(axes, "both")


def _bars(mixture: Mixture) -> Figure:
    """Draw the influence of the columns in each cluster, with their values there."""
    from matplotlib.figure import Figure

    clusters = mixture.clusters[:MOST_PANELS]
    across = min(2, len(clusters))
    down = -(-len(clusters) // across)
    n_bars = min(MOST_BARS, max(len(cluster.differences) for cluster in clusters) or 1)
    figure = Figure(figsize=(5.4 * across, down * (0.75 + 0.3 * n_bars)), layout="constrained")
    panels = figure.subplots(down, across, squeeze=False)
    longest = (
        max([each.influence for cluster in clusters for each in cluster.differences], default=1.0) or 1.0
    )
    for axes, cluster in zip(panels.flat, clusters, strict=False):
        shown = cluster.differences[:n_bars]
        places = np.arange(len(shown))
        lengths = [each.influence for each in shown]
        axes.barh(places, lengths, color=_colour(cluster.number), alpha=0.45, height=0.8)
        for place, each in zip(places, shown, strict=True):
            axes.text(
                longest * 0.01,
                place,
                shortened(str(each), 64),
                va="center",
                fontsize=8.5,
                color=DARK,
                parse_math=False,
            )
        axes.set_xlim(0, longest * 1.02)
        axes.set_ylim(n_bars - 0.5, -0.5)
        axes.set_yticks([])
        axes.tick_params(labelsize=8, colors=GREY)
        axes.set_title(f"cluster {cluster.number}: {cluster.share:.1%}", fontsize=10, loc="left")
        tidy(axes, "x")
    for axes in panels.flat[len(clusters) :]:
        axes.set_visible(False)
    for axes in panels[-1]:
        axes.set_xlabel("divergence from all rows, in nats", fontsize=9)
    return figure
