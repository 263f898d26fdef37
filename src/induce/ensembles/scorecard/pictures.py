"""Pictures of scorecards: the shape of each attribute, and the error of simpler cards."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from induce.core.checks import at_least
from induce.core.reports import shortened
from induce.core.ties import ranked
from induce.hypotheses.naming import value_text
from induce.pictures.style import GREY, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.ensembles.scorecard.card import Scorecard
    from induce.ensembles.scorecard.points import Points
    from induce.ensembles.scorecard.reports import Tradeoff

MOST_VALUES = 10
LONGEST = 22


def draw_card(card: Scorecard, most: int = 12) -> Figure:
    """Return a figure of the shapes of the strongest attributes: steps for numbers, bars for values."""
    from matplotlib.figure import Figure

    at_least("most", most, 1, whole=True)
    parts = card.attributes[:most]
    n_columns = max(1, min(3, len(parts)))
    n_rows = max(1, ceil(len(parts) / n_columns))
    figure = Figure(figsize=(3.6 * n_columns, 2.7 * n_rows + 0.5), layout="constrained")
    axes = figure.subplots(n_rows, n_columns, squeeze=False).ravel()
    names = [value_text(value) for value in (card.classes[1:] if len(card.start) == 1 else card.classes)]
    for panel, part in zip(axes, parts, strict=False):
        if part.column.kind == "nominal":
            _bars(panel, part)
        else:
            _steps(panel, part)
        panel.set_title(
            shortened(value_text(part.column.name), 34), fontsize=10, loc="left", parse_math=False
        )
        panel.tick_params(labelsize=8)
    for panel in axes[len(parts) :]:
        panel.set_visible(False)
    if len(names) == 1:
        figure.supxlabel(f"points for {names[0]}: the larger, the likelier", fontsize=9, parse_math=False)
    else:
        figure.legend(
            *zip(*[(_patch(k), name) for k, name in enumerate(names)], strict=True),
            loc="outside lower center",
            ncols=min(6, len(names)),
            frameon=False,
            fontsize=9,
        )
    return figure


def _steps(axes: Axes, part: Points) -> None:
    from matplotlib.ticker import MaxNLocator

    ends = part.ends if len(part.ends) else np.zeros(1)
    margin = 0.08 * float(ends[-1] - ends[0]) or 0.5 * abs(float(ends[0])) or 1.0
    edges = np.concatenate([[ends[0] - margin], ends, [ends[-1] + margin]])
    beside = float(edges[-1] + 0.08 * (edges[-1] - edges[0]))
    for score in range(part.points.shape[1]):
        said, colour = part.points[:, score], PALETTE[score % len(PALETTE)]
        axes.stairs(said[:-2] if len(part.ends) else said[[0, 0]], edges, baseline=None, color=colour, lw=1.8)
        axes.plot([beside], [said[-1]], marker="o", ms=5, color=colour, clip_on=False)
    axes.axhline(0, color=GREY, lw=0.8)
    across = axes.get_xaxis_transform()
    axes.text(beside, 1.0, "missing", transform=across, fontsize=7, ha="center", va="bottom")
    axes.set_xlim(edges[0], beside + 0.04 * (edges[-1] - edges[0]))
    axes.xaxis.set_major_locator(MaxNLocator(4))
    tidy(axes)


def _bars(axes: Axes, part: Points) -> None:
    lines = [(text, k) for text, k in part.lines()]
    n_scores = part.points.shape[1]
    if len(lines) > MOST_VALUES:
        weights = part.weights()
        moved = weights * np.abs(part.points).max(axis=1)
        heavy = ranked(lines, lambda line: moved[line[1]])[:MOST_VALUES]
        lines = [line for line in lines if line in heavy]
    lines = ranked(lines, lambda line: -part.points[line[1], -1])
    places = np.arange(len(lines))
    height = 0.8 / n_scores
    for score in range(n_scores):
        axes.barh(
            places + (score - (n_scores - 1) / 2) * height,
            [float(part.points[k, score]) for _, k in lines],
            height=height,
            color=PALETTE[score % len(PALETTE)],
        )
    axes.set_yticks(places, [shortened(text, LONGEST) for text, _ in lines], parse_math=False)
    axes.axvline(0, color=GREY, lw=0.8)
    axes.tick_params(axis="y", length=0)
    tidy(axes, grid="x")


def draw_tradeoff(found: Tradeoff) -> Figure:
    """Return a figure of the errors of simpler cards, with the error of the full card as a line."""
    figure, axes = axes_for(None, 7.0, 3.6)
    places = np.arange(len(found.errors))
    axes.plot(places, found.errors, color=PALETTE[0], marker="o", lw=1.8)
    axes.axhline(found.whole, color=GREY, lw=1.0, ls="--", label=f"the whole card: {found.whole:.4f}")
    turned = max(map(len, found.labels)) * len(found.labels) > 60
    axes.set_xticks(
        places,
        [shortened(label, 24) for label in found.labels],
        rotation=45 if turned else 0,
        ha="right" if turned else "center",
        fontsize=8,
        parse_math=False,
    )
    axes.set(xlabel=found.what, ylabel="error")
    axes.legend(frameon=False, fontsize=9)
    tidy(axes)
    return figure


def _patch(k: int) -> object:
    from matplotlib.patches import Patch

    return Patch(color=PALETTE[k % len(PALETTE)])
