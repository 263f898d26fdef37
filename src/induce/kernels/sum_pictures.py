"""Figures of support vector regression: the function with its tube, or the effect of each column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.reports import shortened
from induce.core.ties import ranked
from induce.data.schema import Column
from induce.data.table import Table
from induce.hypotheses.naming import value_text
from induce.kernels.inputs import Floats, rows_of, without_text
from induce.kernels.pictures import PROBES, Axis, asked_rows, axis_of, label
from induce.pictures.style import DARK, GREY, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.kernels.kernel_sum import KernelSum

MOST_BARS = 15
LETTERS = 36


def draw_sum(function: KernelSum, columns: tuple[str] | None, X: Any, y: Any, ax: Axes | None) -> Figure:
    """Return the figure described in `KernelSum.draw`."""
    if function.things:
        raise InputError("the machine compares texts, which have no axes; use support_vectors() instead")
    names = function.view.schema.names()
    if columns is not None and (len(columns) != 1 or columns[0] not in names):
        raise InputError(
            f"columns is {columns!r}; give the name of one column, as in columns=({names[0]!r},)"
        )
    if columns is None and len(names) > 1:
        return _draw_columns(function, ax)
    return _draw_tube(function, names[0] if columns is None else columns[0], X, y, ax)


def _support(function: KernelSum) -> Table:
    return Table(without_text(function.schema), function.numeric, function.nominal)


def _draw_tube(function: KernelSum, name: str, X: Any, y: Any, ax: Axes | None) -> Figure:
    """Draw f over one column, the tube around it, and the support vectors."""
    support = _support(function)
    shown = support if X is None else rows_of(X, function.schema).table
    axis = axis_of(function, shown, support, name)
    line = function.predict(asked_rows(function, axis, axis, axis.asked, axis.asked))
    figure, axes = axes_for(ax, 7.0, 4.2)
    nominal = axis.column.kind == "nominal"
    if nominal:
        axes.errorbar(
            axis.asked, line, function.epsilon, fmt="o", color=PALETTE[0], capsize=6, label="f and tube"
        )
    else:
        low, high = line - function.epsilon, line + function.epsilon
        axes.fill_between(axis.asked, low, high, color=PALETTE[0], alpha=0.16, lw=0, label="tube")
        axes.plot(axis.asked, line, color=PALETTE[0], lw=1.8, label="f")
    place = function.view.schema.names().index(name)
    if X is not None and y is not None:
        numbers = np.asarray(y.to_numpy() if hasattr(y, "to_numpy") else y, np.float64)
        axes.scatter(axis.places(shown.column(place), 0), numbers, 9, color=GREY, zorder=2, label="rows")
    axes.scatter(
        axis.places(support.column(place), 1),
        function.values,
        26,
        color=PALETTE[1],
        edgecolors=[DARK if bound else "white" for bound in function.at_bound],
        linewidths=0.9,
        zorder=3,
        label="support vectors",
    )
    if function.at_bound.any():
        axes.scatter([], [], 30, color="white", edgecolors=DARK, linewidths=0.9, label="at the bound C")
    label(axes, axis, True)
    axes.set_ylabel(shortened(function.target, LETTERS), parse_math=False)
    axes.legend(frameon=False, fontsize=8.5, loc="upper left", bbox_to_anchor=(1.01, 1.0))
    title = shortened(f"{function.target}: {function.size()}, K = {function.kernel}", 75)
    if len(function.view.schema) > 1:
        title += "\nthe other columns at their typical values"
    axes.set_title(title, fontsize=10, loc="left", parse_math=False)
    return figure


def _draw_columns(function: KernelSum, ax: Axes | None) -> Figure:
    """Draw, for each column alone, the range over which it moves the prediction for a typical row."""
    support = _support(function)
    names = function.view.schema.names()
    moved: dict[str, tuple[Axis, Floats]] = {}
    for name in names:
        axis = axis_of(function, support, support, name, room=0.0)
        if axis.column.kind != "nominal":
            step = max(1, len(axis.asked) // PROBES)
            axis = Axis(axis.column, np.append(axis.asked[:-1:step], axis.asked[-1]), axis.low, axis.high)
        moved[name] = axis, function.predict(asked_rows(function, axis, axis, axis.asked, axis.asked))
    listed = ranked(moved, lambda name: float(np.ptp(moved[name][1])))[:MOST_BARS]
    typical = float(function.predict(_typical(function))[0])
    figure, axes = axes_for(ax, 8.0, 1.3 + 0.34 * len(listed))
    for place, name in enumerate(listed):
        axis, numbers = moved[name]
        least, most = int(numbers.argmin()), int(numbers.argmax())
        axes.plot(
            numbers[[least, most]], [place, place], color=PALETTE[0], lw=6, solid_capstyle="butt", zorder=2
        )
        for end, side, shift in ((least, "right", -5), (most, "left", 5)):
            axes.annotate(
                _value(axis, end),
                (numbers[end], place),
                (shift, 0),
                textcoords="offset points",
                ha=side,
                va="center",
                fontsize=7.5,
                parse_math=False,
            )
    axes.axvline(typical, color=DARK, lw=0.9, ls="--", label="a typical row")
    axes.set_yticks(range(len(listed)), [shortened(name, LETTERS) for name in listed], fontsize=8.5)
    for text in axes.get_yticklabels():
        text.set_parse_math(False)
    axes.invert_yaxis()
    axes.margins(x=0.18)
    axes.set_xlabel(
        shortened(f"{function.target} as one column varies, the others typical", 75), parse_math=False
    )
    axes.legend(frameon=False, fontsize=8.5, loc="lower right")
    title = shortened(f"{function.target}: {function.size()}, K = {function.kernel}", 75)
    axes.set_title(title, fontsize=10, loc="left", parse_math=False)
    tidy(axes, "x")
    return figure


def _typical(function: KernelSum) -> Table:
    """Return a row with missing numbers, which stand for means, and the most common categories."""
    nothing = Axis(Column(""), np.zeros(1), 0.0, 0.0)
    return asked_rows(function, nothing, nothing, np.zeros(1), np.zeros(1))


def _value(axis: Axis, place: int) -> str:
    if axis.column.kind == "nominal":
        return shortened(value_text(axis.column.domain[place]), 20)
    return f"{axis.asked[place]:.4g}"
