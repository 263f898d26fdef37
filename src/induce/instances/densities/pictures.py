"""Figures of densities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from induce.core.reports import shortened
from induce.data.numeric_view import Floats
from induce.data.schema import Column
from induce.pictures.style import DARK, GREY, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.instances.densities.stored import StoredDensity

POINTS = 400
FEW = 30
"""Maximum number of rows whose contributions are drawn."""
MOST_PANELS = 6


def draw(density: StoredDensity) -> Figure:
    """Return a figure of the density: a curve, a map of two columns, or each column on its own."""
    columns = density.schema.inputs()
    numeric = [column for column in columns if column.kind != "nominal"]
    if len(columns) == 1:
        figure, axes = axes_for(None)
        _panel(axes, density, columns.columns[0])
        return figure
    return _map(density) if len(columns) == len(numeric) == 2 else _panels(density)


def _panels(density: StoredDensity) -> Figure:
    from matplotlib.figure import Figure

    columns = density.schema.inputs().columns[:MOST_PANELS]
    across = min(3, len(columns))
    down = -(-len(columns) // across)
    figure = Figure(figsize=(3.3 * across, 2.5 * down), layout="constrained")
    panels = figure.subplots(down, across, squeeze=False)
    for axes, column in zip(panels.flat, columns, strict=False):
        _panel(axes, density, column)
    for axes in panels.flat[len(columns) :]:
        axes.set_visible(False)
    return figure


def _panel(axes: Axes, density: StoredDensity, column: Column) -> None:
    """Draw the density of one column, marginalising the others."""
    if column.kind == "nominal":
        n = len(column.domain)
        place = [each.name for each in density.values].index(column.name)
        nominal = np.full((n, len(density.values)), -1, dtype=np.int32)
        nominal[:, place] = np.arange(n)
        numeric = np.full((n, density.numeric.shape[1]), np.nan)
        axes.bar(range(n), np.exp(density.log_density(numeric, nominal)), color=PALETTE[0], width=0.7)
        axes.set_xticks(range(n), [shortened(str(value), 10) for value in column.domain], parse_math=False)
        axes.set_ylabel("probability")
    else:
        _curve(axes, density, column)
        axes.set_ylabel("density")
    axes.set_ylim(bottom=0)
    axes.set_xlabel(column.name, parse_math=False)
    tidy(axes)


def _curve(axes: Axes, density: StoredDensity, column: Column) -> None:
    names = [each.name for each in density.schema.inputs() if each.kind != "nominal"]
    place = names.index(column.name)
    stored = density.numeric[:, place]
    stored = stored[~np.isnan(stored)]
    if not len(stored):
        return
    margin = max(0.1 * float(np.ptp(stored)), density.reach) or 1.0
    x = np.linspace(float(stored.min()) - margin, float(stored.max()) + margin, POINTS)
    y = np.exp(_along(density, place, x))
    scale, offset = float(density.scale[place]), float(density.offset[place])
    if len(stored) <= FEW and len(density.schema.inputs()) == 1:
        for part in density.kernels_along(x):
            axes.plot(x * scale + offset, part, color=PALETTE[4], lw=0.9)
    axes.plot(x * scale + offset, y, color=PALETTE[0], lw=1.8)
    axes.plot(stored * scale + offset, np.zeros(len(stored)), "|", color=DARK, ms=9, alpha=0.5, clip_on=False)


def _along(density: StoredDensity, place: int, x: Floats) -> Floats:
    numeric = np.full((len(x), density.numeric.shape[1]), np.nan)
    numeric[:, place] = x
    return density.log_density(numeric, np.full((len(x), len(density.values)), -1, dtype=np.int32))


def _map(density: StoredDensity) -> Figure:
    """Draw the density of two numeric columns as contours, with the rows."""
    stored = density.numeric[~np.isnan(density.numeric).any(axis=1)]
    low, high = (stored.min(axis=0), stored.max(axis=0)) if len(stored) else (np.zeros(2), np.ones(2))
    margin = np.where(high > low, 0.12 * (high - low), 1.0)
    ends = [np.linspace(a, b, 90) for a, b in zip(low - margin, high + margin, strict=True)]
    grid = np.stack(np.meshgrid(*ends), axis=-1).reshape(-1, 2)
    found = np.exp(density.log_density(grid, np.zeros((len(grid), 0), dtype=np.int32))).reshape(90, 90)
    figure, axes = axes_for(None, 6.2, 4.8)
    x, y = (ends[j] * density.scale[j] + density.offset[j] for j in range(2))
    top = float(
        np.quantile(found, 0.995)
    )  # a few clusters of equal rows must not wash out the colour of the rest
    mesh = axes.pcolormesh(x, y, found, cmap="Blues", vmin=0.0, vmax=top, shading="gouraud", rasterized=True)
    shown = stored * density.scale + density.offset
    axes.scatter(shown[:, 0], shown[:, 1], s=7, color=GREY, lw=0)
    axes.set_xlabel(density.schema.inputs().columns[0].name, parse_math=False)
    axes.set_ylabel(density.schema.inputs().columns[1].name, parse_math=False)
    figure.colorbar(mesh, ax=axes).set_label("density")
    return figure
