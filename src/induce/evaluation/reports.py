"""Style of reports: tables as text and in notebooks, axes and legends."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core import reports
from induce.pictures.style import tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Table = tuple[Sequence[str], Sequence[Sequence[str]]]  # column headings, rows

# below this ratio of largest to smallest value, a linear axis separates the values well
LEAST_SPAN = 4
MOST_TICKS = 10
MOST_LETTERS = 70


class Report:
    """Base class of printed reports: a caption, a table and an optional remark."""

    def caption(self) -> str:
        """Return the heading of the table."""
        raise TypeError(f"{type(self).__name__} has no caption")

    def table(self) -> Table:
        """Return the header and the rows."""
        raise TypeError(f"{type(self).__name__} has no table")

    def remark(self) -> str:
        """Return a remark about the whole table."""
        return ""

    def __str__(self) -> str:
        return "\n".join(filter(None, (self.caption(), text_table(*self.table()), self.remark())))

    def _repr_html_(self) -> str:
        remark = "".join(f"<p>{escape(line)}</p>" for line in self.remark().splitlines())
        return html_table(self.caption(), *self.table()) + remark


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as lines of text, with the first column left-aligned and the others right-aligned.

    Examples
    --------
    >>> print(text_table(("rows", "error"), [("10", "0.25"), ("1000", "0.1")]))
    rows  error
    10     0.25
    1000    0.1
    """
    return reports.text_table([header, *rows])


def html_table(caption: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table for a notebook.

    Examples
    --------
    >>> html_table("errors", ("rows",), [("<10",)]).count("&lt;10")
    1
    """

    def line(cells: Sequence[str], tag: str) -> str:
        inside = (
            f'<{tag} style="text-align:{"right" if k else "left"}">{escape(cell)}</{tag}>'
            for k, cell in enumerate(cells)
        )
        return f"<tr>{''.join(inside)}</tr>"

    body = "".join(line(cells, "td") for cells in rows)
    return (
        f"<table><caption>{escape(caption)}</caption><thead>{line(header, 'th')}</thead>"
        f"<tbody>{body}</tbody></table>"
    )


def legend_above(axes: Axes, columns: int = 3) -> None:
    """Put the legend above the axes, where it does not overlap the lines."""
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=columns,
        frameon=False,
        fontsize=9,
        borderpad=0.2,
    )


def error_lines(
    axes: Axes,
    places: Sequence[Any],
    train: Sequence[float],
    validation: Sequence[float],
    band: tuple[Sequence[float], Sequence[float]],
    colour: str,
    name: str = "",
) -> None:
    """Draw the training error as a dashed line and the validation error as a solid line with its band."""
    prefix = f"{name}, " if name else ""
    marker = "o" if len(places) < 20 else ""
    axes.fill_between(places, *band, color=colour, alpha=0.15, lw=0)
    axes.plot(places, validation, color=colour, lw=1.8, marker=marker, ms=4, label=f"{prefix}validation")
    axes.plot(places, train, color=colour, lw=1.2, ls="--", label=f"{prefix}training")


def mark(axes: Axes, place: Any, label: str, colour: str) -> None:
    """Mark a position on the horizontal axis."""
    axes.axvline(place, color=colour, lw=1.2, ls=":", label=label)


def scale(axes: Axes, values: Sequence[Any]) -> list[Any]:
    """Scale the horizontal axis to the values and return their positions.

    Geometrically spaced values get a logarithmic axis; non-numeric values are spaced evenly.
    """
    if not all_numbers(values):
        texts = [str(value) for value in values]
        crowded = sum(map(len, texts)) > MOST_LETTERS
        axes.set_xticks(
            range(len(values)),
            texts,
            parse_math=False,
            rotation=30 if crowded else 0,
            ha="right" if crowded else "center",
        )
        return list(range(len(values)))
    if is_geometric(values):
        axes.set_xscale("log")
        if len(values) <= MOST_TICKS:
            axes.set_xticks(values, [f"{value:g}" for value in values])
            axes.minorticks_off()
    return list(values)


def finish(axes: Axes, x: str, y: str, columns: int) -> None:
    """Label the axes of a curve and put its legend above it."""
    axes.set_xlabel(x, parse_math=False)
    axes.set_ylabel(y, parse_math=False)
    tidy(axes)
    legend_above(axes, columns)


def is_geometric(values: Sequence[Any]) -> bool:
    """Return whether numbers are approximately geometrically spaced, so that a logarithmic axis is suitable.

    Examples
    --------
    >>> is_geometric([0.01, 0.1, 1.0]), is_geometric([10, 20, 50, 100]), is_geometric([1, 2, 3, 4])
    (True, True, False)
    """
    if (
        len(values) < 3
        or not all_numbers(values)
        or min(values) <= 0
        or max(values) < LEAST_SPAN * min(values)
    ):
        return False
    steps = np.diff(np.log(np.asarray(values, dtype=np.float64)))
    if (steps < 0).all():
        steps = -steps
    # rounded grids such as 10, 20, 50, 100 are only nearly geometric: their factors differ by about a half
    return bool(steps.min() > 0 and steps.max() <= 2 * steps.min())


def all_numbers(values: Sequence[Any]) -> bool:
    """Return whether all values are numbers."""
    return all(
        isinstance(value, int | float | np.number) and not isinstance(value, bool | np.bool_)
        for value in values
    )
