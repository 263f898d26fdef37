"""Circles on a ring with arrows between them: state machines and Markov chains."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from induce.pictures.style import DARK, GREY

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Point = tuple[float, float]

BEND = 0.28
"""Bend of arrows, as a fraction of their length, so that arrows in both directions do not meet."""
BESIDE = 0.05
"""Distance of an arrow's label from the middle of its bend, as a fraction of the arrow's length."""
OPENING = 0.6
"""Half the angle between the two ends of a loop."""


def ring_places(n: int, radius: float, first: float = math.pi / 2) -> list[Point]:
    """Return positions on a ring, clockwise from an angle; a single position is the centre.

    Examples
    --------
    >>> [(round(x, 3) + 0.0, round(y, 3) + 0.0) for x, y in ring_places(2, 1.0)]
    [(0.0, 1.0), (0.0, -1.0)]
    """
    if n == 1:
        return [(0.0, 0.0)]
    angles = [first - 2 * math.pi * k / n for k in range(n)]
    return [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]


def draw_arrow(
    axes: Axes,
    start: Point,
    end: Point,
    radius: float,
    label: str,
    colour: str = GREY,
    width: float = 1.2,
    out: float = math.pi / 2,
) -> None:
    """Draw an arrow from one circle to another, or a loop from a circle to itself, with a label beside it.

    Parameters
    ----------
    axes : Axes
    start, end : tuple of float
        Centres of the circles.
    radius : float
        Radius of the circles.
    label : str
    colour : str
    width : float
        Line width in points.
    out : float
        Angle at which a loop leaves a circle in the centre of the ring; elsewhere it points outwards.
    """
    from matplotlib.patches import FancyArrowPatch

    style: dict[str, Any] = {
        "arrowstyle": "-|>",
        "mutation_scale": 11,
        "shrinkA": 0,
        "shrinkB": 0,
        "color": colour,
        "lw": width,
        "zorder": 1,
    }
    if start == end:
        angle = math.atan2(start[1], start[0]) if math.hypot(*start) else out
        ends = [_beside(start, angle + turn, radius) for turn in (OPENING, -OPENING)]
        place = _beside(start, angle, 2.25 * radius)
        bend = -1.6
    else:
        dx, dy = end[0] - start[0], end[1] - start[1]
        # an arc meets the line between the centres at an angle; the part inside the circles is hidden
        angle, swing = math.atan2(dy, dx), math.atan(2 * BEND)
        ends = [_beside(start, angle - swing, radius), _beside(end, angle + math.pi + swing, radius)]
        aside = BEND / 2 + BESIDE
        place = ((start[0] + end[0]) / 2 + aside * dy, (start[1] + end[1]) / 2 - aside * dx)
        bend = BEND
    axes.add_patch(FancyArrowPatch(*ends, connectionstyle=f"arc3,rad={bend}", **style))
    axes.text(
        *place,
        label,
        ha="center",
        va="center",
        fontsize=8,
        color=DARK,
        zorder=4,
        parse_math=False,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.9},
    )


def _beside(place: Point, angle: float, distance: float) -> Point:
    return place[0] + math.cos(angle) * distance, place[1] + math.sin(angle) * distance
