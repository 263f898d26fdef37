"""Figures of kernel machines: boundary, margins and support vectors over two columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.reports import shortened
from induce.core.ties import ranked
from induce.data.schema import Column
from induce.data.table import Table
from induce.hypotheses.naming import value_text
from induce.kernels.inputs import Floats, rows_of, without_text
from induce.pictures.style import DARK, GREY, PALETTE, axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.kernels.kernel_sum import KernelSum
    from induce.kernels.machine import KernelMachine

CELLS = 160
"""Number of points along a numeric axis at which the machine is evaluated."""
ROOM = 0.12
"""Margin added on each side to the range of the support vectors, as a fraction of it."""
LETTERS = 24
PROBES = 16
"""Number of values of a column at which f is evaluated to measure the effect of the column."""


@dataclass(frozen=True, eq=False)
class Axis:
    """A column as an axis: evaluation points, and positions of rows."""

    column: Column
    asked: Floats
    low: float
    high: float

    def places(self, values: NDArray[Any], seed: int) -> Floats:
        """Return the positions of numbers or codes; codes are jittered, so that equal rows are visible."""
        if self.column.kind != "nominal":
            return np.asarray(values, np.float64)
        spread = np.random.default_rng(seed).uniform(-0.28, 0.28, len(values))
        return np.where(values < 0, np.nan, values + spread)


def draw_machine(
    machine: KernelMachine, columns: tuple[str, str] | None, X: Any, y: Any, ax: Axes | None
) -> Figure:
    """Return the figure described in `KernelMachine.draw`."""
    if machine.things:
        raise InputError("the machine compares texts, which have no axes; use support_vectors() instead")
    support = Table(without_text(machine.schema), machine.numeric, machine.nominal)
    shown = support if X is None else rows_of(X, machine.schema).table
    names = _columns(machine, support) if columns is None else columns
    if len(names) not in (1, 2) or len(set(names)) < len(names):
        raise InputError(f"columns is {columns!r}; give the names of two columns")
    across, up = (axis_of(machine, shown, support, name) for name in (*names, *names)[:2])
    alone = len(names) == 1
    figure, axes = axes_for(ax, 7.0, 3.4 if alone else 5.2)
    grid_x, grid_y = np.meshgrid(across.asked, np.zeros(1) if alone else up.asked)
    scores = machine.scores(asked_rows(machine, across, up, grid_x, grid_y))
    if alone:
        _draw_curves(machine, axes, across, scores)
    else:
        _draw_regions(machine, axes, grid_x, grid_y, scores)
    if X is not None:
        _scatter(machine, axes, across, up, shown, None if y is None else _codes(machine, y), alone)
    _draw_support(machine, axes, across, up, support, alone)
    for axis, is_x in ((across, True), *(() if alone else ((up, False),))):
        label(axes, axis, is_x)
    axes.legend(frameon=False, fontsize=8.5, loc="upper left", bbox_to_anchor=(1.01, 1.0))
    title = f"{machine.target}: {machine.size()}, K = {machine.kernel}"
    title = shortened(title, 75)
    if len(machine.view.schema) > len(names):
        title += "\nthe other columns at their typical values"
    axes.set_title(title, fontsize=10, loc="left", parse_math=False)
    return figure


def _columns(machine: KernelMachine, support: Table) -> tuple[str, ...]:
    """Return the two columns that individually change f most over the range of the support vectors, in table
    order.
    """
    names = machine.view.schema.names()
    moved: dict[str, float] = dict.fromkeys(names, 0.0)
    for name in names if machine.separators else ():
        axis = axis_of(machine, support, support, name)
        asked = axis.asked[:: max(1, len(axis.asked) // PROBES)]
        scores = machine.scores(asked_rows(machine, axis, axis, asked, asked))
        moved[name] = float(np.ptp(scores, axis=0).max())
    most = ranked(moved, moved.__getitem__)[:2]
    return tuple(sorted(most, key=names.index))


def axis_of(
    machine: KernelMachine | KernelSum, shown: Table, support: Table, name: str, room: float = ROOM
) -> Axis:
    schema = machine.view.schema
    column = schema[name]
    if column.kind == "nominal":
        n = max(1, len(column.domain))
        return Axis(column, np.arange(n, dtype=np.float64), -0.5, n - 0.5)
    place = schema.names().index(name)
    numbers = np.concatenate([table.column(place) for table in (shown, support)])
    known = numbers[np.isfinite(numbers)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    room = room * (high - low) if high > low else 1.0
    return Axis(column, np.linspace(low - room, high + room, CELLS), low - room, high + room)


def asked_rows(machine: KernelMachine | KernelSum, across: Axis, up: Axis, x: Floats, y: Floats) -> Table:
    """Return rows at all points of the figure, with the other columns at their typical values."""
    schema, view = machine.view.schema, machine.view
    numeric = np.full((x.size, len(view.offset)), np.nan)  # a missing value counts as the mean
    nominal = np.full((x.size, len(schema) - len(view.offset)), -1, np.int32)
    numbers = codes = place = 0
    for column in schema:
        values = x if column.name == across.column.name else y if column.name == up.column.name else None
        if column.kind == "nominal":
            n = len(column.domain)
            most = int(view.mean[place : place + n].argmax()) if n else -1
            nominal[:, codes] = most if values is None else values.ravel()
            codes, place = codes + 1, place + n
        else:
            if values is not None:
                numeric[:, numbers] = values.ravel()
            numbers, place = numbers + 1, place + 1
    return Table(schema, numeric, nominal)


def _draw_regions(machine: KernelMachine, axes: Any, x: Floats, y: Floats, scores: Floats) -> None:
    from matplotlib.colors import ListedColormap

    regions = machine._decided(scores).reshape(x.shape)
    colours = [PALETTE[code % len(PALETTE)] for code in range(len(machine.classes))]
    axes.pcolormesh(
        x,
        y,
        regions,
        cmap=ListedColormap(colours),
        vmin=-0.5,
        vmax=len(colours) - 0.5,
        alpha=0.14,
        shading="nearest",
        linewidth=0,
        rasterized=True,
    )
    if min(x.shape) < CELLS:  # nominal values have nothing in between
        return
    if scores.shape[1] > 1:
        for code in range(len(machine.classes)):
            inside = (regions == code).astype(float)
            if 0 < inside.mean() < 1:
                axes.contour(x, y, inside, [0.5], colors=DARK, linewidths=1.0)
        return
    f = scores.reshape(x.shape)
    solved = bool(np.isfinite(machine.separators[0].objective))
    for level, style, width in ((0.0, "-", 1.6), *(((-1.0, "--", 1.0), (1.0, "--", 1.0)) if solved else ())):
        if f.min() < level < f.max():
            axes.contour(x, y, f, [level], colors=DARK, linestyles=style, linewidths=width)
    axes.plot([], [], "-", color=DARK, lw=1.6, label="boundary")
    if solved:
        axes.plot([], [], "--", color=DARK, lw=1.0, label="margin")


def _draw_curves(machine: KernelMachine, axes: Any, across: Axis, scores: Floats) -> None:
    """Draw f over a single column."""
    for m, separator in enumerate(machine.separators):
        colour = DARK if scores.shape[1] == 1 else PALETTE[m % len(PALETTE)]
        style = "o-" if across.column.kind == "nominal" else "-"
        axes.plot(across.asked, scores[:, m], style, color=colour, label=f"f: {machine.sides(separator)}")
    for level, style in ((0.0, "-"), (1.0, "--"), (-1.0, "--")):
        axes.axhline(level, color=GREY, ls=style, lw=0.9)
    axes.set_ylabel("f")


def _draw_support(
    machine: KernelMachine, axes: Any, across: Axis, up: Axis, support: Table, alone: bool
) -> None:
    alpha, bound = np.zeros(len(support)), np.zeros(len(support), bool)
    for separator in machine.separators:
        np.maximum.at(alpha, separator.support, np.abs(separator.coefficients))
        bound[separator.support] |= separator.at_bound
    size = 14 + 60 * alpha / max(1e-300, float(alpha.max(initial=0.0)))
    x, y = _places(machine, across, up, support, alone)
    for code, value in enumerate(machine.classes):
        here = machine.labels == code
        if here.any():
            axes.scatter(
                x[here],
                y[here],
                size[here],
                color=PALETTE[code % len(PALETTE)],
                edgecolors=np.where(bound[here], DARK, "white"),
                linewidths=0.9,
                label=shortened(value_text(value), LETTERS),
                zorder=3,
            )
    if bound.any():
        axes.scatter([], [], 40, color="white", edgecolors=DARK, linewidths=0.9, label="alpha at its bound")


def _scatter(
    machine: KernelMachine, axes: Any, across: Axis, up: Axis, table: Table, codes: Any, alone: bool
) -> None:
    x, y = _places(machine, across, up, table, alone)
    colours = GREY if codes is None else [PALETTE[code % len(PALETTE)] for code in codes]
    axes.scatter(x, y, 7, c=colours, alpha=0.45, linewidths=0, zorder=2)


def _places(
    machine: KernelMachine, across: Axis, up: Axis, table: Table, alone: bool
) -> tuple[Floats, Floats]:
    names = machine.view.schema.names()
    x = across.places(table.column(names.index(across.column.name)), 0)
    if alone:
        return x, machine.scores(table)[:, 0] if machine.separators else np.zeros(len(table))
    y = up.places(table.column(names.index(up.column.name)), 1)
    return x, y


def _codes(machine: KernelMachine, y: Any) -> list[int]:
    values = y.to_list() if hasattr(y, "to_list") else list(y)
    place = {value: code for code, value in enumerate(machine.classes)}
    missing = [value for value in values if value not in place]
    if missing:
        raise InputError(
            f"y contains {missing[0]!r}, which is not a class of the machine; leave out its rows"
        )
    return [place[value] for value in values]


def label(axes: Any, axis: Axis, is_x: bool) -> None:
    set_label, set_limits, set_ticks = (
        (axes.set_xlabel, axes.set_xlim, axes.set_xticks)
        if is_x
        else (axes.set_ylabel, axes.set_ylim, axes.set_yticks)
    )
    set_label(shortened(axis.column.name, LETTERS), parse_math=False)
    set_limits(axis.low, axis.high)
    if axis.column.kind == "nominal":
        names = [shortened(value_text(value), LETTERS) for value in axis.column.domain]
        set_ticks(range(len(names)), names, parse_math=False)
        if is_x and sum(map(len, names)) > 60:
            axes.tick_params(axis="x", rotation=45)
