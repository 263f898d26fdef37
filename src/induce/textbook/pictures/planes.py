"""Decision regions of a classifier over two numeric inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from induce.pictures.style import DARK, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CELLS = 120


def decided(axes: Axes, learner: Any, X: Any, y: Any, room: float = 0.5) -> None:
    """Shade the plane by the predictions of a fitted classifier, and draw the examples.

    Parameters
    ----------
    axes : Axes
    learner : fitted classifier of two numeric columns
    X, y : array of two columns, classes
    room : float, default=0.5
        Margin around the examples.
    """
    points, classes = np.asarray(X, dtype=np.float64), [*dict.fromkeys(y)]
    (left, low), (right, high) = points.min(axis=0) - room, points.max(axis=0) + room
    across, up = np.linspace(left, right, CELLS), np.linspace(low, high, CELLS)
    grid = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
    asked = grid if not hasattr(X, "columns") else _framed(grid, X)
    said = np.asarray(learner.predict(asked))
    codes = np.array([classes.index(value) for value in said.tolist()]).reshape(CELLS, CELLS)
    axes.contourf(
        across,
        up,
        codes,
        levels=np.arange(len(classes) + 1) - 0.5,
        colors=PALETTE[: len(classes)],
        alpha=0.18,
    )
    for k, value in enumerate(classes):
        mine = np.array([each == value for each in y])
        axes.plot(*points[mine].T, "os^D"[k % 4], color=PALETTE[k], mec=DARK, mew=0.5, ms=6, label=str(value))
    axes.set(xlim=(left, right), ylim=(low, high))


def _framed(grid: Any, like: Any) -> Any:
    import polars as pl

    return pl.DataFrame(dict(zip(like.columns, grid.T, strict=True)))
