"""Figures of local fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from induce.core.reports import shortened
from induce.core.ties import first_largest
from induce.data.numeric_view import Floats
from induce.instances.local.fitting import terms
from induce.instances.units import offset_and_scale
from induce.pictures.style import DARK, GREY, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.instances.local.explanation import LocalExplanation
    from induce.instances.local.hypothesis import LocalRegression

POINTS = 300
MOST_PANELS = 6


def draw(local: LocalRegression) -> Figure:
    """Return a figure of the predictions: a curve, a map, or a curve along each numeric column."""
    n = local.points.shape[1]
    if n == 1:
        figure, axes = axes_for(None)
        _curve(axes, local, 0, PALETTE[0])
        _examples(axes, local)
        return figure
    return _map(local) if n == 2 and _all_numeric(local) else _profiles(local)


def draw_fit(local: LocalRegression, query: Floats, told: LocalExplanation) -> Figure:
    """Return a figure of one local function along the column with the largest effect."""
    offset, scale = offset_and_scale(local.view)
    slopes = [told.coefficients.get(name, 0.0) * s for name, s in zip(local.view.names, scale, strict=True)]
    column = first_largest(np.abs(slopes))
    rows = np.array([each.row for each in told.examples])
    shares = np.array([each.weight for each in told.examples])
    figure, axes = axes_for(None)
    _curve(axes, local, column, GREY, query, "predictions for other queries")
    x = local.points[rows, column] * scale[column] + offset[column]
    axes.scatter(
        x, local.numbers[rows], s=12 + 260 * shares / shares.max(), color=PALETTE[0], alpha=0.55, lw=0
    )
    at = query[column] * scale[column] + offset[column]
    reach = max(float(np.sqrt((shares * np.square(x - at)).sum())), 1e-9) * 1.5
    ends = np.linspace(at - reach, at + reach, 50)
    axes.plot(
        ends, _along(local, query, column, ends), color=PALETTE[5], lw=2.2, label="fitted for this query"
    )
    axes.plot(at, told.prediction, "D", color=DARK, ms=7, label="query")
    axes.set_xlabel(local.view.names[column], parse_math=False)
    axes.set_ylabel(local.target, parse_math=False)
    axes.legend(frameon=False, fontsize=9)
    tidy(axes, "both")
    return figure


def _along(local: LocalRegression, query: Floats, column: int, values: Floats) -> Floats:
    """Return the values of a local function as one column varies and the others stay at the query."""
    offset, scale = offset_and_scale(local.view)
    points = np.repeat(query[np.newaxis], len(values), axis=0)
    points[:, column] = (values - offset[column]) / scale[column]
    near = local.near(query[np.newaxis])
    found = local.functions(query[np.newaxis], near)
    return np.asarray(found.constant + terms(points - found.centre, local.model) @ found.coefficients[0])


def _curve(
    axes: Axes, local: LocalRegression, column: int, colour: str, at: Floats | None = None, label: str = ""
) -> None:
    """Draw the predictions as one column varies, with the others at a point or at their means."""
    offset, scale = offset_and_scale(local.view)
    values = local.points[:, column]
    margin = 0.04 * float(np.ptp(values)) or 1.0
    x = np.linspace(float(values.min()) - margin, float(values.max()) + margin, POINTS)
    points = np.repeat((local.view.mean if at is None else at)[np.newaxis], POINTS, axis=0)
    points[:, column] = x
    axes.plot(
        x * scale[column] + offset[column], _predicted(local, points), color=colour, label=label or None
    )


def _predicted(local: LocalRegression, points: Floats) -> Floats:
    found = [
        local.functions(points[part], local.near(points[part])).value for part in local.blocks(len(points))
    ]
    return np.concatenate(found)


def _examples(axes: Axes, local: LocalRegression) -> None:
    offset, scale = offset_and_scale(local.view)
    axes.scatter(local.points[:, 0] * scale[0] + offset[0], local.numbers, s=18, color=DARK, lw=0, zorder=3)
    axes.set_xlabel(local.view.names[0], parse_math=False)
    axes.set_ylabel(local.target, parse_math=False)
    tidy(axes, "both")


def _all_numeric(local: LocalRegression) -> bool:
    return all(column.kind != "nominal" for column in local.view.schema)


def _map(local: LocalRegression) -> Figure:
    """Draw the predictions as a map of two numeric columns, with the examples coloured by target."""
    offset, scale = offset_and_scale(local.view)
    low, high = local.points.min(axis=0), local.points.max(axis=0)
    margin = np.where(high > low, 0.04 * (high - low), 1.0)
    ends = [np.linspace(a, b, 80) for a, b in zip(low - margin, high + margin, strict=True)]
    grid = np.stack(np.meshgrid(*ends), axis=-1)
    found = _predicted(local, grid.reshape(-1, 2)).reshape(80, 80)
    figure, axes = axes_for(None, 6.4, 4.8)
    x, y = (ends[j] * scale[j] + offset[j] for j in range(2))
    span = (float(min(found.min(), local.numbers.min())), float(max(found.max(), local.numbers.max())))
    mesh = axes.pcolormesh(
        x, y, found, cmap="viridis", vmin=span[0], vmax=span[1], shading="gouraud", rasterized=True
    )
    shown = local.points * scale + offset
    axes.scatter(
        shown[:, 0],
        shown[:, 1],
        c=local.numbers,
        cmap="viridis",
        vmin=span[0],
        vmax=span[1],
        s=22,
        ec="white",
        lw=0.6,
    )
    axes.set_xlabel(local.view.names[0], parse_math=False)
    axes.set_ylabel(local.view.names[1], parse_math=False)
    figure.colorbar(mesh, ax=axes).set_label(local.target, parse_math=False)
    return figure


def _profiles(local: LocalRegression) -> Figure:
    """Draw the predictions along each of the first columns of the table."""
    from matplotlib.figure import Figure

    starts = np.cumsum([0, *(max(1, len(column.domain)) for column in local.view.schema)])
    columns = list(zip(local.view.schema, starts, strict=False))[:MOST_PANELS]
    across = min(3, len(columns))
    down = -(-len(columns) // across)
    figure = Figure(figsize=(3.2 * across, 2.6 * down), layout="constrained")
    panels = figure.subplots(down, across, sharey=True, squeeze=False)
    for axes, (column, start) in zip(panels.flat, columns, strict=False):
        if column.kind == "nominal":
            n = len(column.domain)
            points = np.repeat(local.view.mean[np.newaxis], n, axis=0)
            points[:, start : start + n] = np.eye(n)
            axes.plot(range(n), _predicted(local, points), "o", color=PALETTE[0])
            axes.set_xticks(
                range(n), [shortened(str(value), 10) for value in column.domain], parse_math=False
            )
            axes.set_xlim(-0.5, n - 0.5)
        else:
            _curve(axes, local, int(start), PALETTE[0])
        axes.set_xlabel(column.name, parse_math=False)
        tidy(axes)
    for axes in panels.flat[len(columns) :]:
        axes.set_visible(False)
    figure.supylabel(local.target, parse_math=False)
    figure.suptitle("one column varies; the others are at their means", fontsize=10)
    return figure
