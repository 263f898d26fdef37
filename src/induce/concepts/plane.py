"""A version space of rectangles in the plane: S and G around the examples (Mitchell exercise 2.4)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.concepts.conjunctions import Conjunctions
from induce.concepts.facets import NONE, Facet
from induce.concepts.version_space import VersionSpace
from induce.core.errors import InputError
from induce.core.values import Value
from induce.pictures.style import DARK, GREY, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST = 12
"""Maximum number of rectangles of G that are drawn."""


def draw_plane(
    space: VersionSpace, X: Any = None, y: Iterable[Value] | None = None, ax: Axes | None = None
) -> Figure:
    """Return a figure of a version space of rectangles: S filled, the members of G dashed.

    Parameters
    ----------
    space : VersionSpace
        Version space of conjunctions of two numeric columns.
    X, y : frame or array, and the classes, optional
        Examples to draw: those of the concept as +, the others as -.
    ax : Axes, optional
        Matplotlib axes to draw on; by default, a new figure is made.

    Examples
    --------
    >>> import induce
    >>> X, y = [[3, 3], [4, 4], [5, 2], [1, 6], [5, 8]], ["+", "+", "+", "-", "-"]
    >>> space = induce.CandidateElimination().fit(X, y).hypothesis_
    >>> len(draw_plane(space, X, y).axes[0].patches)
    3
    """
    from matplotlib.patches import Rectangle

    language = space.language
    facets = language.attributes.facets
    if not isinstance(language, Conjunctions) or len(facets) != 2 or not all(f.thresholds for f in facets):
        raise InputError(
            "the plane needs a version space of two numeric columns; draw() draws others as a lattice"
        )
    if space.bounds.empty:
        raise InputError(f"there is nothing to draw: {space}")
    figure, axes = axes_for(ax, 6.0, 5.0)
    ends = [_ends(facet) for facet in facets]
    general = language.widest(space.bounds.general or ())
    for number, code in enumerate(general[:MOST]):
        (left, right), (low, high) = (
            _sides(f, run, end) for f, run, end in zip(facets, code, ends, strict=True)
        )
        axes.add_patch(
            Rectangle(
                (left, low), right - left, high - low, fill=False, ec=PALETTE[5], ls="--", lw=1.6,
                label=None if number else "G", zorder=2,
            )
        )  # fmt: skip
    for number, code in enumerate(language.narrowest(space.bounds.specific)):
        if NONE in code:
            continue
        (left, right), (low, high) = (
            _sides(f, run, end) for f, run, end in zip(facets, code, ends, strict=True)
        )
        axes.add_patch(
            Rectangle(
                (left, low), right - left, high - low, fc=PALETTE[0] + "22", ec=PALETTE[0], lw=1.8,
                label=None if number else "S", zorder=1,
            )
        )  # fmt: skip
    if X is not None and y is not None:
        _examples(axes, space, X, list(y))
    axes.set_xlim(*ends[0])
    axes.set_ylim(*ends[1])
    axes.set_xlabel(facets[0].name)
    axes.set_ylabel(facets[1].name)
    tidy(axes, "both")
    if len(general) > MOST or space.bounds.general is None:
        kept = "G is not kept" if space.bounds.general is None else f"{MOST} of {len(general)} members of G"
        axes.set_title(kept, fontsize=9, color=GREY)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


def _examples(axes: Axes, space: VersionSpace, X: Any, y: list[Value]) -> None:
    from induce.data.table import encode

    x1, x2 = encode(X, space.language.attributes.schema).numeric.T
    positive = np.array([label == space.positive for label in y])
    if len(x1) != len(y):
        raise InputError(f"X has {len(x1)} rows, but y has {len(y)}; give one class per row")
    for which, mark in ((positive, "+"), (~positive, "_")):
        axes.scatter(x1[which], x2[which], marker=mark, s=90, color=DARK, linewidths=1.8, zorder=3)


def _ends(facet: Facet) -> tuple[float, float]:
    """Return the limits of an axis, a little beyond the observed numbers."""
    numbers = [float(cell) for cell in facet.cells if math.isfinite(float(cell))]
    room = 0.1 * (max(numbers) - min(numbers)) or 1.0
    return min(numbers) - room, max(numbers) + room


def _sides(facet: Facet, run: tuple[int, int], ends: tuple[float, float]) -> tuple[float, float]:
    """Return the ends of a side; an unbounded side extends to the margin of the picture."""
    low, high = (float(facet.cells[cell]) for cell in run)
    margin = 0.02 * (ends[1] - ends[0])
    return (
        low if math.isfinite(low) else ends[0] + margin,
        high if math.isfinite(high) else ends[1] - margin,
    )
