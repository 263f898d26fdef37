"""Error surface over two weights, with the others fixed (Fig. 4.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.neural.network import Floats, Network
from induce.neural.objective import NetworkObjective
from induce.pictures.style import DARK, PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class ErrorSurface:
    """Errors over a grid of two weights.

    Parameters
    ----------
    names : (str, str)
        Names of the two weights.
    first, second : array of float64
        Grid values of each weight.
    errors : array of float64, shape (second, first)
        Error for each pair of grid values.
    at : (float, float)
        Current values of the two weights.
    downhill : (float, float)
        Negative gradient at the current values.
    path : array of float64, shape (steps, 2)
        Values along the training path; empty if unknown.
    """

    names: tuple[str, str]
    first: Floats
    second: Floats
    errors: Floats
    at: tuple[float, float]
    downhill: tuple[float, float]
    path: Floats

    @property
    def lowest(self) -> tuple[float, float]:
        """The two grid values with the lowest error."""
        row, column = np.unravel_index(int(self.errors.argmin()), self.errors.shape)
        return float(self.first[column]), float(self.second[row])

    def draw(self) -> Figure:
        """Return a figure of the surface, and of its contours with the path and the descent direction."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(10.4, 4.4), layout="constrained")
        solid = figure.add_subplot(1, 2, 1, projection="3d")
        grid = np.meshgrid(self.first, self.second)
        solid.plot_surface(*grid, self.errors, cmap="viridis", lw=0, alpha=0.9)
        solid.set_xlabel(self.names[0], fontsize=8)
        solid.set_ylabel(self.names[1], fontsize=8)
        solid.set_zlabel("error", fontsize=8)
        flat = figure.add_subplot(1, 2, 2)
        drawn = flat.contourf(*grid, self.errors, levels=24, cmap="viridis", alpha=0.85)
        figure.colorbar(drawn, ax=flat).set_label("error")
        if len(self.path) > 1:
            flat.plot(*self.path.T, color="white", lw=1.4, marker=".", ms=3, label="training")
        flat.plot(*self.at, "o", color=PALETTE[1], mec="white", ms=7, label="now", ls="none")
        size = float(np.hypot(*self.downhill))
        if size > 1e-9 * float(np.ptp(self.errors)):
            reach = 0.18 * min(float(np.ptp(self.first)), float(np.ptp(self.second))) / size
            flat.annotate(
                "",
                (self.at[0] + reach * self.downhill[0], self.at[1] + reach * self.downhill[1]),
                self.at,
                arrowprops={"arrowstyle": "-|>", "color": DARK, "lw": 1.6},
            )
        flat.set_xlim(self.first[0], self.first[-1])
        flat.set_ylim(self.second[0], self.second[-1])
        flat.set_xlabel(self.names[0], fontsize=9, parse_math=False)
        flat.set_ylabel(self.names[1], fontsize=9, parse_math=False)
        flat.legend(fontsize=8, frameon=False, labelcolor="white", loc="upper right")
        return figure


def error_surface(
    network: Network,
    X: Any,
    T: Any,
    weights: tuple[int, int] | None = None,
    *,
    loss: str = "squared",
    span: float | None = None,
    cells: int = 31,
    path: Any = None,
) -> ErrorSurface:
    """Return the error over two weights of a network, with the others fixed.

    Parameters
    ----------
    network : Network
        Network whose two weights vary.
    X, T : array
        Inputs and targets.
    weights : (int, int), optional
        Indices of the two weights in `network.names()`; by default the two that changed most, or the two largest.
    loss : {"squared", "cross_entropy"}
        Error of an example.
    span : float, optional
        Distance from the centre to the edge; by default large enough to show the path and 0.
    cells : int
        Number of grid values per weight.
    path : array, optional
        Weights along the training path, one row each.

    Examples
    --------
    >>> line = Network.layered(1, 1, unit="linear").with_weights([1.0, 1.0])
    >>> found = error_surface(line, [[0.0], [1.0]], [[0.0], [2.0]], span=1.0, cells=5)
    >>> found.downhill, found.lowest
    ((-1.0, 0.0), (0.0, 2.0))
    """
    at_least("cells", cells, 2)
    way = np.empty((0, network.n_weights)) if path is None else np.atleast_2d(np.asarray(path, np.float64))
    if network.n_weights < 2:
        raise InputError("the network has only one weight; an error surface needs two")
    one, other = _two_weights(network, way) if weights is None else weights
    for k in (one, other):
        if not 0 <= k < network.n_weights:
            raise InputError(f"weights contains {k}; give indices from 0 to {network.n_weights - 1}")
    objective = NetworkObjective(network, X, T, loss)
    now = network.weights
    seen = np.concatenate([way[:, [one, other]], now[np.newaxis, [one, other]]])
    middle, half = now[[one, other]], np.full(2, span or 0.0)
    if span is None:
        low, high = seen.min(axis=0), seen.max(axis=0)
        middle, half = (low + high) / 2, np.maximum(0.65 * (high - low), 0.75 * np.abs(middle) + 0.5)
    first, second = (np.linspace(middle[k] - half[k], middle[k] + half[k], cells) for k in (0, 1))
    errors = np.empty((cells, cells))
    w = now.copy()
    for row, b in enumerate(second):
        for column, a in enumerate(first):
            w[one], w[other] = a, b
            errors[row, column] = objective.loss(w)
    slope = objective.gradient(now)[1]
    names = network.names()
    return ErrorSurface(
        (names[one], names[other]),
        first,
        second,
        errors,
        (float(now[one]), float(now[other])),
        (0.0 - float(slope[one]), 0.0 - float(slope[other])),
        way[:, [one, other]],
    )


def _two_weights(network: Network, way: Floats) -> tuple[int, int]:
    """Return the two weights that changed most, or the two largest."""
    from induce.core.ties import largest_first

    moved = np.ptp(way, axis=0) if len(way) > 1 else np.abs(network.weights)
    first, second = sorted(int(k) for k in largest_first(moved)[:2])
    return first, second
