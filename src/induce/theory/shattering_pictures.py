"""Shattered points in the plane: one panel per dichotomy, with its region (Mitchell fig. 7.4)."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.linear.separability import separating_plane
from induce.pictures.style import DARK, EMPTY, GREY, PALETTE
from induce.theory import checks
from induce.theory.checks import Bits
from induce.theory.families import FAMILIES, Floats, disc_around

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 6
"""Maximum number of points; six points have 64 dichotomies."""


def draw_dichotomies(points: ArrayLike, family: str = "half-spaces") -> Figure:
    """Return a figure with one panel per dichotomy of points in the plane, and a region that realises it.

    The points labelled 1 are filled. A panel is grey if no region of the family realises its dichotomy.

    Parameters
    ----------
    points : array-like, shape (points, 2)
        Points, at most 6.
    family : {"half-spaces", "boxes", "discs"}
        Family of regions, as for `dichotomies`.

    Examples
    --------
    >>> figure = draw_dichotomies([[0, 0], [2, 0], [1, 1.5]])
    >>> len(figure.axes), figure.get_suptitle()
    (8, '3 points are shattered by half-spaces: 8 of 8 dichotomies')
    """
    from matplotlib.figure import Figure

    one_of("family", family, FAMILIES)
    places = checks.coordinates(points)
    if places is None or places.shape[1] != 2 or not 1 <= len(places) <= MOST:
        raise InputError(f"points must be a list of 1 to {MOST} points of the plane")
    every = [np.array(each, np.bool_) for each in product((False, True), repeat=len(places))]
    columns = min(len(every), 8 if len(every) > 16 else 4)
    rows = math.ceil(len(every) / columns)
    figure = Figure(figsize=(1.9 * columns, 1.9 * rows + 0.5), layout="constrained")
    low, high = places.min(axis=0), places.max(axis=0)
    room = 0.35 * float((high - low).max()) or 1.0
    middle, reach = (low + high) / 2, float((high - low).max()) / 2 + room
    made = 0
    for number, inside in enumerate(every):
        axes = figure.add_subplot(rows, columns, number + 1)
        axes.set_xlim(middle[0] - reach, middle[0] + reach)
        axes.set_ylim(middle[1] - reach, middle[1] + reach)
        axes.set_aspect("equal")
        axes.set_autoscale_on(False)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.spines[:].set_color(EMPTY)
        if FAMILIES[family](places, inside):
            made += 1
            _region(axes, places, inside, family, room)
        else:
            axes.set_facecolor(EMPTY)
        for point, filled in zip(places, inside.tolist(), strict=True):
            axes.plot(*point, "o", ms=8, mec=DARK, mfc=PALETTE[0] if filled else "white", zorder=3)
    verdict = "are shattered by" if made == len(every) else "are not shattered by"
    title = f"{len(places)} points {verdict} {family}: {made} of {len(every)} dichotomies"
    figure.suptitle(title, fontsize=10)
    return figure


def _region(axes: Any, points: Floats, inside: Bits, family: str, room: float) -> None:
    """Draw the region that contains the inside points and no others."""
    from matplotlib.patches import Circle, Rectangle

    style: dict[str, Any] = {"fc": PALETTE[0] + "22", "ec": PALETTE[0], "lw": 1.5, "zorder": 1}
    if family == "half-spaces":
        plane, _ = separating_plane(points, np.where(inside, 1.0, -1.0))
        assert plane is not None
        _half(axes, plane)
    elif not inside.any():
        axes.text(*points.mean(axis=0), "none", ha="center", va="center", fontsize=8, color=GREY)
    elif family == "boxes":
        low, high = points[inside].min(axis=0) - room / 4, points[inside].max(axis=0) + room / 4
        # with the largest margin that the points outside allow
        if ((points[~inside] >= low) & (points[~inside] <= high)).all(axis=1).any():
            low, high = points[inside].min(axis=0), points[inside].max(axis=0)
        axes.add_patch(Rectangle(tuple(low), *(high - low), **style))
    else:
        centre, radius = disc_around(points, inside)
        axes.add_patch(Circle(tuple(centre), radius, **style))


def _half(axes: Any, plane: Floats) -> None:
    """Fill the part of a panel where intercept + weights · x is positive, and draw its edge."""
    from matplotlib.patches import Polygon

    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    corners = np.array([[left, bottom], [right, bottom], [right, top], [left, top]])
    value = plane[0] + corners @ plane[1:]
    inside: list[Floats] = []
    edge: list[Floats] = []
    for here, there, v, w in zip(corners, np.roll(corners, -1, 0), value, np.roll(value, -1), strict=True):
        if v >= 0:
            inside.append(here)
        if (v >= 0) != (w >= 0):
            crossing = here + (there - here) * v / (v - w)
            inside.append(crossing)
            edge.append(crossing)
    if inside:
        axes.add_patch(Polygon(inside, fc=PALETTE[0], alpha=0.13, lw=0, zorder=0))
    if edge:
        axes.plot(*np.transpose(edge), color=PALETTE[0], lw=1.5, zorder=1)
