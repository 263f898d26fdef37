"""Plots of action values over continuous observations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.ties import first_largest_of_each
from induce.pictures.style import PALE, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.reinforcement.approximation.approximate_policy import ApproximatePolicy

SIDE = 60
"""Number of grid points per axis of a surface."""


def draw_surface(policy: ApproximatePolicy, names: tuple[str, ...]) -> Figure:
    """Plot the value and the best action over two numbers, or all action values over one."""
    seen = policy.seen
    chosen = names or seen.names[:2]
    for name in chosen:
        if name not in seen.names:
            raise InputError(f"there is no feature {name!r}; the features are {', '.join(seen.names)}")
    if len(chosen) > 2:
        raise InputError(f"{len(chosen)} features are too many for a plot; name at most two")
    axis = [seen.names.index(name) for name in chosen]
    low, high = policy.ranges
    grids = [np.linspace(low[k], high[k], SIDE if len(axis) == 2 else 4 * SIDE) for k in axis]
    points = np.repeat(((low + high) / 2)[None, :], int(np.prod([len(grid) for grid in grids])), axis=0)
    for k, values in zip(axis, np.meshgrid(*grids), strict=True):
        points[:, k] = values.ravel()
    values = policy.q_values(points)
    if len(axis) == 1:
        return _draw_lines(policy, chosen[0], grids[0], values)
    return _draw_maps(policy, chosen, grids, points, values)


def _draw_lines(policy: ApproximatePolicy, name: str, grid: Any, values: Any) -> Figure:
    figure, axes = axes_for(None, 6.0, 3.6)
    for k, action in enumerate(policy.action_names):
        axes.plot(grid, values[:, k], color=PALETTE[k % len(PALETTE)], label=action)
    axes.set_xlabel(name)
    axes.set_ylabel("value")
    axes.legend(frameon=False)
    tidy(axes)
    return figure


def _draw_maps(
    policy: ApproximatePolicy, names: tuple[str, ...], grids: Any, points: Any, values: Any
) -> Figure:
    from matplotlib.colors import ListedColormap
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    figure = Figure(figsize=(10.0, 4.0), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    shape = (len(grids[1]), len(grids[0]))
    shown = left.pcolormesh(
        *grids, values.max(axis=1).reshape(shape), cmap="Blues", shading="nearest", rasterized=True
    )
    figure.colorbar(shown, ax=left, label="value of the best action")
    n = len(policy.actions)
    colours = [PALETTE[k % len(PALETTE)] for k in range(n)]
    best = np.ma.masked_array(
        first_largest_of_each(values).reshape(shape), ~policy.known(points).reshape(shape)
    )
    right.pcolormesh(
        *grids,
        best,
        cmap=ListedColormap(colours),
        vmin=-0.5,
        vmax=n - 0.5,
        shading="nearest",
        alpha=0.75,
        rasterized=True,
    )
    right.set_facecolor(PALE)
    patches = [Patch(color=colours[k], alpha=0.75, label=policy.action_names[k]) for k in range(n)]
    if best.mask.any():
        patches.append(Patch(color=PALE, label="never met"))
    right.legend(
        handles=patches, title="best action", loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False
    )
    for axes in (left, right):
        axes.set_xlabel(names[0])
    left.set_ylabel(names[1])
    middle = [name for name in policy.seen.names if name not in names]
    if middle:
        figure.suptitle(f"{', '.join(middle)} at mid-range", fontsize=9)
    return figure
