"""Pictures of function graphs, with the parts of cases in colour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from induce.core.errors import InputError
from induce.instances.cases.case import Match
from induce.instances.cases.graphs import Edge, FunctionGraph
from induce.instances.cases.layout import layered
from induce.pictures.style import DARK, GREY, PALE, PALETTE, axes_for
from induce.pictures.trees import Box, write_box

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_VARIABLES = 60
# in inches
LETTER, PAD, GAP, ROW, MARGIN = 0.085, 0.12, 1.5, 0.8, 0.35
LABEL = 0.28
"""Position of an edge's sign along it, clear of crossings."""


def draw(graph: FunctionGraph, matches: Sequence[Match], ax: Axes | None = None) -> Figure:
    """Draw a specification from left to right, with the part of each case in its own colour.

    Parameters
    ----------
    graph : FunctionGraph
    matches : sequence of Match
        Matches; if there is only one, the variables of the case are below those of the specification.
    ax : matplotlib.axes.Axes, optional
    """
    if len(graph.variables) > MOST_VARIABLES:
        raise InputError(
            f"a graph with {len(graph.variables)} variables is too large to draw; print it instead"
        )
    texts = {name: name for name in graph.variables}
    if len(matches) == 1:
        texts |= {other: f"{other}\n= {one}" for one, other in matches[0].shared.variables}
    halves = {name: LETTER * max(map(len, text.split("\n"))) / 2 + PAD for name, text in texts.items()}
    widest = max(halves.values())
    routes, places = layered(graph)
    spots = {stop: (at * (GAP + 2 * widest), -ROW * row) for stop, (at, row) in places.items()}
    right = max(x for x, _ in spots.values())
    low = min(y for _, y in spots.values())
    figure, axes = axes_for(
        ax, right + 2 * (widest + MARGIN), 2 * MARGIN - low + 0.3 + 0.2 * (len(matches) // 3)
    )
    colours = {
        edge: PALETTE[number % len(PALETTE)] for number, match in enumerate(matches) for edge in match.covered
    }
    opposite = {(edge.head, edge.tail) for edge in graph.edges}
    for edge, route in routes.items():
        aside = 0.0 if edge[:2] not in opposite else 0.1 if edge.tail < edge.head else -0.1
        way = 1 if places[route[0]][0] < places[route[-1]][0] else -1
        points = [(x, y + aside) for x, y in map(spots.__getitem__, route)]
        points[0] = points[0][0] + way * halves[edge.tail], points[0][1]
        points[-1] = points[-1][0] - way * halves[edge.head], points[-1][1]
        _draw_edge(axes, edge, points, colours.get(edge))
    for name, text in texts.items():
        matched = text != name
        box = Box(text, "white", PALETTE[0]) if matched else Box(text, PALE, GREY)
        write_box(axes, *spots[(name,)], box, size=10, width=1.8 if matched else 1.0)
    _legend(axes, matches, all(edge in colours for edge in graph.edges))
    axes.set_xlim(-widest - MARGIN, right + widest + MARGIN)
    axes.set_ylim(low - MARGIN, MARGIN)
    axes.set_axis_off()
    return figure


def _draw_edge(axes: Axes, edge: Edge, points: list[tuple[float, float]], colour: str | None) -> None:
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    (x, y), (after_x, after_y) = points[:2]
    axes.add_patch(
        FancyArrowPatch(
            path=Path(points),
            arrowstyle="-|>",
            mutation_scale=13,
            color=colour or GREY,
            lw=2.2 if colour else 1.2,
            ls="-" if colour else "--",
            zorder=2,
        )
    )
    axes.text(
        x + LABEL * (after_x - x),
        y + LABEL * (after_y - y),
        "+" if edge.sign > 0 else "\N{MINUS SIGN}",
        ha="center",
        va="center",
        fontsize=10,
        color=DARK,
        bbox={"boxstyle": "circle,pad=0.1", "facecolor": "white", "edgecolor": "none"},
        zorder=3,
    )


def _legend(axes: Axes, matches: Sequence[Match], complete: bool) -> None:
    from matplotlib.lines import Line2D

    lines: list[Any] = [
        Line2D([], [], color=PALETTE[number % len(PALETTE)], lw=2.2) for number in range(len(matches))
    ]
    labels = [match.case.name for match in matches]
    if not complete:
        lines.append(Line2D([], [], color=GREY, lw=1.2, ls="--"))
        labels.append("not matched")
    axes.legend(
        lines,
        labels,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=3,
        frameon=False,
        fontsize=9,
        borderaxespad=0.2,
    )
