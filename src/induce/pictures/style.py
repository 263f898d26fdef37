"""Style of pictures: colours, axes, and figures as image bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# distinguishable with every common kind of colour vision; their meaning is written beside them anyway
PALETTE = (
    *("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"),
    *("#f0e442", "#882255", "#999933", "#332288", "#44aa99", "#aa4499"),
)
DARK, GREY, EMPTY, PALE, LINE = "#222222", "#8a8a8a", "#dddddd", "#f1f1f1", "#b4bcc4"
GRID = "#e4e4e4"
TINT, MARK = "#9ecae1", "#fff4dc"
"""Background areas behind darker marks, and highlighted boxes."""


def axes_for(ax: Axes | None, width: float = 7.0, height: float = 4.2) -> tuple[Figure, Axes]:
    """Return the figure and the axes to draw in: those given, or new ones."""
    from matplotlib.figure import Figure

    if ax is not None:
        return cast(Figure, ax.figure), ax
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


def tidy(axes: Axes, grid: Any = "y") -> None:
    """Remove chart junk: no frame above and to the right, a pale grid."""
    axes.grid(axis=grid, color=GRID, lw=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
