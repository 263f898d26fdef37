"""Plots of networks: boxes with bars of the marginals, or with the conditional tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from induce.belief_networks.inference.answers import Answer, NumberAnswer
from induce.belief_networks.inference.evidence import Evidence
from induce.belief_networks.inference.questions import marginals
from induce.belief_networks.report import conditional_text
from induce.belief_networks.representation import Representation
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.reports import shortened
from induce.core.ties import ranked
from induce.hypotheses.naming import number_in, value_text, with_unit
from induce.pictures.layers import BEND, Floats, Layout, layout
from induce.pictures.style import DARK, GREY, LINE, MARK, PALE, PALETTE
from induce.pictures.text import text_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BARS, MOST_LINES = 6, 18
MOST_LETTERS = 18
MOST_BOXES = 80
"""Maximum number of nodes drawn with more than their names."""
# inches
NAME_HEIGHT, ROW, PAD = 0.2, 0.15, 0.05
BAR, PERCENT, SIDE = 0.5, 0.38, 0.08
GAP, DROP, MARGIN = 0.22, 0.42, 0.15
NAME_SIZE, ROW_SIZE, TABLE_SIZE = 8.0, 6.8, 6.2
TABLE_LETTER, TABLE_ROW = 0.052, 0.125
UNSURE, SURE = 0.5, 0.995
"""Confidence below which an arc is dashed, and below which its value is written beside it."""


@dataclass
class Box:
    """Node in the figure: its name and contents."""

    name: str
    bars: list[tuple[str, float]]
    lines: list[str]
    marked: str = ""

    @property
    def width(self) -> float:
        """Width in inches."""
        words = max((text_width(word, ROW_SIZE) for word, _ in self.bars), default=0.0)
        inner = words + PAD + BAR + PERCENT if self.bars else 0.0
        table = max((len(line) for line in self.lines), default=0) * TABLE_LETTER
        return max(inner, table, text_width(self.name, NAME_SIZE, "bold")) + 2 * SIDE

    @property
    def height(self) -> float:
        """Height in inches."""
        return (
            NAME_HEIGHT
            + ROW * len(self.bars)
            + TABLE_ROW * len(self.lines)
            + (PAD if self.bars or self.lines else 0)
        )


def draw(
    network: Representation,
    given: Mapping[str, Any] | None = None,
    tables: bool = False,
    undirected: Collection[tuple[int, int]] = (),
    joined: Floats | None = None,
) -> Figure:
    """Plot a network.

    Arcs in `undirected`, as (parent, child), have no arrow head. `joined` gives the confidence that two nodes
    are adjacent; confident arcs are thick.

    Examples
    --------
    >>> from induce.belief_networks.library import textbook_network
    >>> figure = draw(textbook_network("sprinkler"), {"WetGrass": True})
    >>> [text.get_text() for text in figure.axes[0].texts[:4]]
    ['Cloudy', 'False', '42.42%', 'True']
    """
    from matplotlib.figure import Figure

    evidence = Evidence.of(network, given)
    boxes = [Box(shortened(name, 30), [], [], _mark(evidence, k)) for k, name in enumerate(network.nodes)]
    if tables:
        for node, box in enumerate(boxes):
            lines = conditional_text(network, node).split("\n")[1:]
            box.lines = lines if len(lines) <= MOST_LINES else [*lines[:MOST_LINES], "…"]
    elif len(boxes) <= MOST_BOXES:
        _add_marginals(network, given, boxes)
    place = layout(network.parents, [box.width for box in boxes], GAP)
    heights = [max((boxes[p].height for p in row if p < len(boxes)), default=0.1) for row in place.layers]
    widths = [*(box.width for box in boxes), *[BEND] * (len(place.x) - len(boxes))]
    width = max((x + own / 2 for x, own in zip(place.x, widths, strict=True)), default=1.0) + 2 * MARGIN
    height = sum(heights) + DROP * (len(heights) - 1) + 2 * MARGIN
    figure = Figure(figsize=(max(width, 1.5), max(height, 0.8)))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(-MARGIN, width - MARGIN)
    axes.set_ylim(height - MARGIN, -MARGIN)
    axes.set_axis_off()
    tops = [sum(heights[:level]) + DROP * level for level in range(len(heights))]
    _draw_arcs(axes, place, boxes, tops, heights, undirected, joined)
    for node, box in enumerate(boxes):
        level = place.layer[node]
        middle = tops[level] + heights[level] / 2
        _draw_box(axes, box, float(place.x[node]) - box.width / 2, middle - box.height / 2)
    return figure


def _mark(evidence: Evidence, place: int) -> str:
    if evidence.observed(place):
        return "observed"
    return "uncertain" if place in evidence.likelihoods or place in evidence.beliefs else ""


def _add_marginals(network: Representation, given: Mapping[str, Any] | None, boxes: list[Box]) -> None:
    try:
        answers = marginals(network, given)
    except InputError as error:
        if "exact answer" not in str(error):
            raise
        note(f"the figure shows no probabilities: {error}")
        return
    for box, answer in zip(boxes, answers.values(), strict=True):
        if isinstance(answer, NumberAnswer):
            sd = f" ± {with_unit(f'{answer.sd:.3g}', answer.unit)}" if answer.sd else ""
            box.lines = [
                f"{number_in(answer.mean, answer.unit if answer.unit == 'days' or not sd else '')}{sd}"
            ]
        else:
            box.bars = _bars(answer)


def _bars(answer: Answer) -> list[tuple[str, float]]:
    """Return the values of a node with their probabilities; for long domains, the most probable and the sum
    of the rest.
    """
    rows = [(shortened(value_text(value), MOST_LETTERS), chance) for value, chance in answer.items()]
    if len(rows) <= MOST_BARS:
        return rows
    kept = ranked(range(len(rows)), lambda k: rows[k][1])[: MOST_BARS - 1]
    rest = sum(chance for k, (_, chance) in enumerate(rows) if k not in kept)
    return [*(rows[k] for k in sorted(kept)), (f"{len(rows) - len(kept)} others", rest)]


def _draw_box(axes: Axes, box: Box, left: float, top: float) -> None:
    from matplotlib.patches import FancyBboxPatch, Rectangle

    colour = PALETTE[1] if box.marked else PALETTE[0]
    axes.add_patch(
        FancyBboxPatch(
            (left, top),
            box.width,
            box.height,
            boxstyle="round,pad=0,rounding_size=0.05",
            facecolor=MARK if box.marked else "white",
            edgecolor=colour if box.marked else GREY,
            linestyle="--" if box.marked == "uncertain" else "-",
            linewidth=1.4 if box.marked else 0.8,
            zorder=2,
        )
    )
    middle = left + box.width / 2
    axes.text(
        middle,
        top + NAME_HEIGHT / 2 + 0.01,
        box.name,
        size=NAME_SIZE,
        weight="bold",
        color=DARK,
        ha="center",
        va="center",
        zorder=3,
    )
    begin = left + box.width - SIDE - PERCENT - BAR
    for k, (word, chance) in enumerate(box.bars):
        y = top + NAME_HEIGHT + ROW * k
        axes.text(left + SIDE, y + ROW / 2, word, size=ROW_SIZE, color=DARK, va="center", zorder=3)
        axes.add_patch(Rectangle((begin, y + 0.025), BAR, ROW - 0.05, facecolor=PALE, lw=0, zorder=3))
        axes.add_patch(
            Rectangle((begin, y + 0.025), BAR * chance, ROW - 0.05, facecolor=colour, lw=0, zorder=3)
        )
        share = f"{100 * chance:.2f}%" if chance < 0.9999 else f"{100 * chance:.4g}%"
        axes.text(
            left + box.width - SIDE,
            y + ROW / 2,
            share,
            size=ROW_SIZE,
            color=DARK,
            ha="right",
            va="center",
            zorder=3,
        )
    for k, line in enumerate(box.lines):
        y = top + NAME_HEIGHT + TABLE_ROW * (k + 0.5)
        axes.text(
            left + SIDE, y, line, size=TABLE_SIZE, color=DARK, family="monospace", va="center", zorder=3
        )


def _draw_arcs(
    axes: Axes,
    place: Layout,
    boxes: list[Box],
    tops: list[float],
    heights: list[float],
    undirected: Collection[tuple[int, int]],
    joined: Floats | None,
) -> None:
    """Draw the arcs as curves that leave and enter layers vertically."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    for line in place.lines:
        points = []
        for point in line:
            level = place.layer[point]
            middle = tops[level] + heights[level] / 2
            half = boxes[point].height / 2 if point < len(boxes) else heights[level] / 2
            x = float(place.x[point])
            points += [(x, middle - half), (x, middle + half)]
        points = points[1:-1]
        vertices, codes = [points[0]], [Path.MOVETO]
        for k in range(1, len(points)):
            before, after = points[k - 1], points[k]
            if k % 2 == 0:  # through a layer
                vertices.append(after)
                codes.append(Path.LINETO)
                continue
            bend = (after[1] - before[1]) / 2
            vertices += [(before[0], before[1] + bend), (after[0], after[1] - bend), after]
            codes += [Path.CURVE4] * 3
        share = 1.0 if joined is None else float(joined[line[0], line[-1]])
        axes.add_patch(
            FancyArrowPatch(
                path=Path(vertices, codes),
                arrowstyle="-" if (line[0], line[-1]) in undirected else "-|>",
                mutation_scale=7 if joined is None else 11,
                color=LINE,
                lw=0.9 if joined is None else 0.4 + 1.2 * share,
                linestyle="-" if share >= UNSURE else (0, (3, 2)),
                zorder=1,
                shrinkA=0,
                shrinkB=0,
            )
        )
        if joined is not None and share < SURE:
            (x0, y0), (x1, y1) = points[0], points[1]
            axes.text(
                (x0 + x1) / 2,
                (y0 + y1) / 2,
                f"{100 * share:.0f}%",
                size=ROW_SIZE,
                color=GREY,
                ha="center",
                va="center",
                zorder=1.5,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
            )
