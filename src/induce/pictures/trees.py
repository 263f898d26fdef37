"""Trees of boxes: proofs, programs and derivations, each box centred above its children."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from induce.pictures.style import DARK, GREY, LINE, axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# inches
LETTER, LABEL_LETTER, ROW = 0.085, 0.072, 0.19
PAD, GAP, MARGIN = 0.2, 0.15, 0.2
RISE, LABELLED_RISE = 0.42, 0.8
"""Gap between two levels, without and with line labels."""
LEAST, MOST = 2.6, 60.0
"""Minimum width of a picture, and maximum length of its sides."""
TEXT_SIZE, LABEL_SIZE = 9.0, 8.5


@dataclass(frozen=True)
class Box:
    """A box in a tree.

    Parameters
    ----------
    text : str
        Text, possibly on several lines.
    face, edge : str
        Colours of the box and of its edge.
    line : str
        Style of the edge.
    label : str
        Label of the line to its parent box.
    """

    text: str
    face: str = "white"
    edge: str = GREY
    line: str = "-"
    label: str = ""

    @property
    def width(self) -> float:
        """Width in inches."""
        return LETTER * max(map(len, self.text.split("\n"))) + PAD

    @property
    def height(self) -> float:
        """Height in inches."""
        return ROW * (self.text.count("\n") + 1) + 0.12


def draw_tree(
    boxes: Sequence[Box], children: Sequence[Sequence[int]], ax: Axes | None = None, rising: bool = False
) -> Figure:
    """Draw a tree whose first box is its root.

    Parameters
    ----------
    boxes : sequence of Box
        Boxes; each comes before its children.
    children : sequence of sequences of int
        Indices of each box's children, from left to right.
    ax : Axes, optional
    rising : bool
        Whether the root is at the bottom.
    """
    levels = levels_of(children)
    rooms = [2 * LABEL_LETTER * len(box.label) for box in boxes]
    across, total = tree_places(children, [box.width for box in boxes], rooms, GAP)
    rise = LABELLED_RISE if any(rooms) else RISE
    heights = [0.0] * (max(levels) + 1)
    for box, level in zip(boxes, levels, strict=True):
        heights[level] = max(heights[level], box.height)
    down = [sum(heights[:level]) + height / 2 + rise * level for level, height in enumerate(heights)]
    way = 1.0 if rising else -1.0
    width, height = max(total, LEAST) + 2 * MARGIN, down[-1] + heights[-1] / 2 + 2 * MARGIN
    figure, axes = axes_for(ax, min(width, MOST), min(height, MOST))
    for number, (box, level) in enumerate(zip(boxes, levels, strict=True)):
        for place, child in enumerate(children[number]):
            ends = [across[number], across[child]], [way * down[level], way * down[level + 1]]
            axes.plot(*ends, color=LINE, lw=1.2, zorder=1)
            side = -1 if place == 0 and len(children[number]) > 1 else 1
            _write_label(axes, boxes[child].label, ends, side)
        write_box(axes, across[number], way * down[level], box)
    shift = (max(total, LEAST) - total) / 2
    axes.set_xlim(-MARGIN - shift, width - MARGIN - shift)
    low, high = -MARGIN, height - MARGIN
    axes.set_ylim(*((low, high) if rising else (-high, -low)))
    axes.set_axis_off()
    return figure


def write_box(axes: Axes, x: float, y: float, box: Box, size: float = TEXT_SIZE, width: float = 1.0) -> None:
    """Draw a box with its text, centred at a position."""
    shape = {
        "boxstyle": "round,pad=0.35",
        "facecolor": box.face,
        "edgecolor": box.edge,
        "linestyle": box.line,
        "linewidth": width,
    }
    axes.text(
        x,
        y,
        box.text,
        ha="center",
        va="center",
        fontsize=size,
        color=DARK,
        bbox=shape,
        zorder=3,
        parse_math=False,
    )


def _write_label(axes: Axes, label: str, ends: tuple[list[float], list[float]], side: int) -> None:
    if label:
        (x, to_x), (y, to_y) = ends
        axes.text(
            (x + to_x) / 2 + 0.05 * side,
            (y + to_y) / 2,
            label,
            ha="right" if side < 0 else "left",
            va="top",
            fontsize=LABEL_SIZE,
            color=GREY,
            parse_math=False,
        )


def levels_of(children: Sequence[Sequence[int]]) -> list[int]:
    """Return the depth of each node of a tree.

    Examples
    --------
    >>> levels_of([[1, 3], [2], [], []])
    [0, 1, 2, 1]
    """
    levels = [0] * len(children)
    for node, below in enumerate(children):
        for child in below:
            levels[child] = levels[node] + 1
    return levels


def tree_places(
    children: Sequence[Sequence[int]], widths: Sequence[float], rooms: Sequence[float], gap: float
) -> tuple[list[float], float]:
    """Return the centre of each node of a tree, and the total width.

    A node occupies the total width of its children, or its own width if that is larger. It is placed above the mean
    of its children's centres, as far as its box stays within the occupied width.

    Parameters
    ----------
    children : sequence of sequences of int
        Nodes; each comes before its children.
    widths : sequence of float
        Width of each node.
    rooms : sequence of float
        Minimum length of the line to each node.
    gap : float
        Gap between neighbours.

    Examples
    --------
    >>> tree_places([[1, 2], [], []], [1.0, 2.0, 3.0], [0.0, 0.0, 0.0], 0.5)
    ([2.5, 1.0, 4.0], 5.5)
    """
    n = len(children)
    shares = list(widths)
    for node in range(n - 1, -1, -1):
        blocks = [max(shares[child], rooms[child]) for child in children[node]]
        shares[node] = max(widths[node], sum(blocks) + gap * (len(blocks) - 1))
    left = [0.0] * n
    for node in range(n):
        blocks = [max(shares[child], rooms[child]) for child in children[node]]
        start = left[node] + (shares[node] - sum(blocks) - gap * (len(blocks) - 1)) / 2
        for child, block in zip(children[node], blocks, strict=True):
            left[child] = start + (block - shares[child]) / 2
            start += block + gap
    middles = [0.0] * n
    for node in range(n - 1, -1, -1):
        low, high = left[node] + widths[node] / 2, left[node] + shares[node] - widths[node] / 2
        below = [middles[child] for child in children[node]]
        wanted = sum(below) / len(below) if below else (low + high) / 2
        middles[node] = min(max(wanted, low), high)
    return middles, shares[0]
