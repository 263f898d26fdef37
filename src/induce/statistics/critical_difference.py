"""Critical-difference diagram: mean ranks on an axis, bars under learners that do not differ significantly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from induce.pictures.style import DARK, GREY, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.statistics.ranks import Ranking

SCALE_WIDTH, LINE_HEIGHT, LETTER_WIDTH, MARGIN = 5.2, 0.27, 0.083, 0.25  # inches
BAR_STEP = 0.45
"""Distance between two bars, in lines of text."""
SIZE = 9.5
MOST_TICKS = 16


def draw_ranking(ranking: Ranking, ax: Axes | None = None, alpha: float = 0.05) -> Figure:
    """Draw mean ranks on an axis, best on the left, with a bar under learners that do not differ significantly.

    A new figure is as wide as the names require. The better half of the names is on the left of the axis, the
    other half on the right, each connected to its mean rank.
    """
    means, k = ranking.mean_ranks[ranking.order], len(ranking.names)
    labels = [f"{ranking.names[place]}  {ranking.mean_ranks[place]:.2f}" for place in ranking.order]
    stretches = ranking.stretches(alpha)
    n_left = (k + 1) // 2
    first_line = 0.9 + BAR_STEP * len(stretches)
    depth = first_line + n_left - 0.4
    axes, figure = (ax, cast(Any, ax.figure)) if ax is not None else _sized(labels, n_left, 2.4 + depth)
    axes.set_axis_off()
    axes.set_xlim(1, k)
    axes.set_ylim(depth, -2.4)
    _scale(axes, k, ranking.critical_difference(alpha))
    for level, (start, end) in enumerate(stretches):
        height = 0.5 + BAR_STEP * level
        reach = 0.006 * (k - 1)
        axes.plot(
            [means[start] - reach, means[end - 1] + reach],
            [height] * 2,
            color=PALETTE[0],
            lw=4,
            clip_on=False,
        )
    for place, (mean, label) in enumerate(zip(means.tolist(), labels, strict=True)):
        left = place < n_left
        height = first_line + (place if left else k - 1 - place)
        edge = 1 if left else k
        axes.plot([mean, mean, edge], [0, height, height], color=GREY, lw=0.9, clip_on=False, zorder=1)
        axes.plot([mean], [0], marker="o", ms=4.5, color=DARK, zorder=3, clip_on=False)
        axes.annotate(
            label,
            (edge, height),
            xytext=(-5 if left else 5, 0),
            textcoords="offset points",
            ha="right" if left else "left",
            va="center",
            fontsize=SIZE,
            color=DARK,
            annotation_clip=False,
        )
    return figure


def _sized(labels: list[str], n_left: int, n_lines: float) -> tuple[Axes, Figure]:
    """Return the axes of a new figure with room for the labels on both sides."""
    from matplotlib.figure import Figure

    sides = [
        max((LETTER_WIDTH * len(label) for label in part), default=0.0) + MARGIN
        for part in (labels[:n_left], labels[n_left:])
    ]
    width, height = SCALE_WIDTH + sum(sides), LINE_HEIGHT * n_lines + 0.1
    figure = Figure(figsize=(width, height))
    return figure.add_axes((sides[0] / width, 0.02, SCALE_WIDTH / width, 0.96)), figure


def _scale(axes: Axes, k: int, reach: float) -> None:
    axes.plot([1, k], [0, 0], color=DARK, lw=1.2, clip_on=False)
    for rank in range(1, k + 1, 1 + k // MOST_TICKS):
        axes.plot([rank, rank], [0, -0.22], color=DARK, lw=1.2, clip_on=False)
        axes.text(rank, -0.32, str(rank), ha="center", va="bottom", fontsize=SIZE, color=DARK)
    shown = min(reach, k - 1)
    axes.plot([1, 1 + shown], [-1.5, -1.5], color=PALETTE[5], lw=1.8, clip_on=False)
    for end in (1, 1 + shown):
        axes.plot([end, end], [-1.66, -1.34], color=PALETTE[5], lw=1.8, clip_on=False)
    beyond = ", more than there are ranks" if reach > shown else ""
    axes.text(
        1, -1.72, f"critical difference {reach:.2f}{beyond}", va="bottom", fontsize=SIZE, color=PALETTE[5]
    )
