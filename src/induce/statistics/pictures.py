"""What the pictures of this package have in common, and the critical-difference diagram."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.statistics.ranks import Ranking

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")
DARK, GREY, PALE = "#222222", "#8a8a8a", "#e4e4e4"


def axes_for(ax: Axes | None, width: float, height: float) -> tuple[Figure, Axes]:
    """Return the figure and the axes to draw in: those given, or new ones."""
    from matplotlib.figure import Figure

    if ax is not None:
        return cast(Figure, ax.figure), ax
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


def tidy(axes: Axes) -> None:
    """Leave only what is needed to read values off."""
    axes.grid(axis="y", color=PALE, lw=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def draw_ranking(ranking: Ranking, ax: Axes | None, alpha: float) -> Figure:
    """Draw mean ranks on a line, the best to the left, with a bar under those that are not told apart."""
    means, k = ranking.mean_ranks[ranking.order], len(ranking.names)
    stretches = ranking.stretches(alpha)
    left = (k + 1) // 2
    first_label = 0.5 + 0.35 * len(stretches)
    depth = first_label + left - 1
    figure, axes = axes_for(ax, 7.5, 1.2 + 0.3 * depth)
    axes.set_axis_off()
    margin = 0.05 * (k - 1)
    axes.set_xlim(1 - margin, k + margin)
    axes.set_ylim(depth + 0.5, -1.9)

    axes.plot([1, k], [0, 0], color=DARK, lw=1.2, clip_on=False)
    for rank in range(1, k + 1):
        axes.plot([rank, rank], [0, -0.18], color=DARK, lw=1.2)
        axes.text(rank, -0.28, str(rank), ha="center", va="bottom", fontsize=9, color=DARK)
    reach = ranking.critical_difference(alpha)
    shown = min(reach, k - 1)
    axes.plot([1, 1 + shown], [-1.25, -1.25], color=COLOURS[5], lw=2, solid_capstyle="butt")
    for end in (1, 1 + shown):
        axes.plot([end, end], [-1.37, -1.13], color=COLOURS[5], lw=2)
    says = f"critical difference {reach:.2f}" + (", more than there are ranks" if reach > shown else "")
    axes.text(1, -1.42, says, ha="left", va="bottom", fontsize=9, color=COLOURS[5])

    for level, (start, end) in enumerate(stretches):
        height = 0.3 + 0.35 * level
        ends = [means[start] - 0.02 * (k - 1) / 4, means[end - 1] + 0.02 * (k - 1) / 4]
        axes.plot(ends, [height, height], color=COLOURS[0], lw=4, solid_capstyle="round")
    for place, mean in enumerate(means):
        best_half = place < left
        height = first_label + (place if best_half else k - 1 - place)
        edge = 1 - margin if best_half else k + margin
        axes.plot([mean, mean, edge], [0, height, height], color=GREY, lw=0.9, clip_on=False)
        axes.plot([mean], [0], marker="o", ms=4, color=DARK, zorder=3)
        axes.annotate(
            f"{ranking.names[ranking.order[place]]}  {mean:.2f}",
            (edge, height),
            xytext=(-5 if best_half else 5, 0),
            textcoords="offset points",
            ha="right" if best_half else "left",
            va="center",
            fontsize=9.5,
            color=DARK,
            annotation_clip=False,
        )
    return figure
