"""Panels side by side, curves and labelled arrows: the parts that several figures of the books share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from induce.pictures.style import DARK, GREY, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def panels(n: int, width: float = 3.6, height: float = 3.2) -> tuple[Figure, list[Axes]]:
    """Return a figure with axes side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width * n, height), layout="constrained")
    return figure, [figure.add_subplot(1, n, k + 1) for k in range(n)]


def curves(
    lines: Mapping[str, tuple[Sequence[float], Sequence[float]]], across: str, up: str, marker: str = "o"
) -> Figure:
    """Return a figure of named curves, each given by its x and its y."""
    figure, axes = axes_for(None, 6.0, 3.8)
    plot_curves(axes, lines, marker)
    axes.set(xlabel=across, ylabel=up)
    return figure


def plot_curves(
    axes: Axes, lines: Mapping[str, tuple[Sequence[float], Sequence[float]]], marker: str = ""
) -> None:
    """Draw named curves, with a legend if there are several."""
    for k, (name, (x, y)) in enumerate(lines.items()):
        axes.plot(x, y, marker=marker, ms=4, color=PALETTE[k % len(PALETTE)], lw=1.7, label=name)
    tidy(axes)
    if len(lines) > 1:
        axes.legend(frameon=False, fontsize=9)


def boxes_and_arrows(
    places: Mapping[str, tuple[float, float]],
    arrows: Sequence[tuple[str, str, str]],
    width: float = 6.4,
    height: float = 3.8,
    shrink: float = 26,
) -> Figure:
    """Return a figure of texts in boxes, joined by labelled arrows.

    Parameters
    ----------
    places : mapping of text to (x, y)
        Centres of the boxes, in inches.
    arrows : sequence of (from, to, label)
    width, height : float
        Size of the figure, in inches.
    shrink : float
        Distance from the ends of arrows to the centres of boxes, in points.
    """
    from induce.pictures.trees import Box, write_box

    figure, axes = axes_for(None, width, height)
    for start, end, label in arrows:
        arrow(axes, places[start], places[end], label, shrink)
    for text, place in places.items():
        write_box(axes, *place, Box(text))
    axes.set(xlim=(0, width), ylim=(0, height))
    axes.set_axis_off()
    return figure


def arrow(
    axes: Axes, start: tuple[float, float], end: tuple[float, float], label: str = "", shrink: float = 26
) -> None:
    """Draw an arrow that stops short of the objects at its ends."""
    style: dict[str, Any] = {
        "arrowstyle": "-|>",
        "color": GREY,
        "lw": 1.2,
        "shrinkA": shrink,
        "shrinkB": shrink,
    }
    axes.annotate("", end, start, arrowprops=style)
    axes.text(
        (start[0] + end[0]) / 2,
        (start[1] + end[1]) / 2,
        label,
        ha="center",
        va="center",
        fontsize=8,
        color=DARK,
        parse_math=False,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.2},
    )
