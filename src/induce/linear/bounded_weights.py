"""Penalties as bounds on the size of weights (AIMA §18.6.2, figure 18.14)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.linear.least_squares import power_penalty, ridge

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PenaltyRegion:
    """The least-squares solution for two weights under a penalty, and the equivalent bound on the weights.

    The weights that minimise ``loss + strength · Σ|w|^power`` also minimise the loss subject to
    ``Σ|w|^power <= bound``.

    Parameters
    ----------
    X : array of float, shape (rows, 2)
        Columns, centred if there is an intercept.
    y : array of float
        Targets, centred if there is an intercept.
    power, strength : float
        Exponent and strength of the penalty.
    bound : float
        Equivalent bound on the sum of \\|w\\|^power.
    best, weights : array of float
        Weights that minimise the mean squared error without and with the penalty.
    """

    X: Floats
    y: Floats
    power: float
    strength: float
    bound: float
    best: Floats
    weights: Floats

    def loss(self, weights: Any) -> Floats:
        """Return the mean squared error of weights, given along the last axis."""
        said = np.asarray(weights, np.float64) @ self.X.T
        return np.asarray(np.square(said - self.y).mean(axis=-1))

    def __str__(self) -> str:
        first, second = (f"{weight:.4g}" for weight in self.weights)
        return (
            f"strength {self.strength:g} of Σ|w|^{self.power:g} is equivalent to the bound "
            f"{self.bound:.4g}: weights {first}, {second}"
        )

    def draw(self) -> Figure:
        """Return a figure of the loss contours and of the region within the bound, where they touch."""
        from induce.pictures.style import DARK, GREY, PALETTE, axes_for, tidy

        figure, axes = axes_for(None, 5.6, 5.0)
        reach = 1.25 * max(
            float(np.abs([self.best, self.weights]).max()), self.bound ** (1 / self.power), 1e-9
        )
        ends = np.linspace(-reach, reach, 201)
        grid = np.stack(np.meshgrid(ends, ends), axis=-1)
        loss = self.loss(grid)
        touching, farthest = float(self.loss(self.weights)), float(loss.max())
        levels = np.unique([touching, *np.linspace(float(self.loss(self.best)), farthest, 9)[1:-1]])
        axes.contour(ends, ends, loss, levels=levels, colors=GREY, linewidths=0.8)
        size = (np.abs(grid) ** self.power).sum(axis=-1)
        axes.contourf(ends, ends, size, levels=[0.0, max(self.bound, 1e-12)], colors=[PALETTE[0]], alpha=0.25)
        axes.contour(ends, ends, loss, levels=[touching], colors=DARK, linewidths=1.2)
        axes.plot(*self.best, "+", color=DARK, ms=9, label="least squares")
        axes.plot(*self.weights, "o", color=PALETTE[0], ms=6, label="under the penalty")
        axes.axhline(0.0, color=GREY, lw=0.6)
        axes.axvline(0.0, color=GREY, lw=0.6)
        axes.set_aspect("equal")
        axes.set_xlabel("first weight")
        axes.set_ylabel("second weight")
        axes.set_title(
            f"Σ|w|^{self.power:g} ≤ {self.bound:.3g} (strength {self.strength:g})", fontsize=10, loc="left"
        )
        axes.legend(frameon=False, fontsize=8, loc="lower right")
        tidy(axes)
        return figure


def penalty_region(
    X: Any, y: Any, strength: float, power: float = 1.0, fit_intercept: bool = True
) -> PenaltyRegion:
    """Return the bound on two weights that is equivalent to a penalty (Fig. 18.14).

    Parameters
    ----------
    X : array of float, shape (rows, 2)
        Two columns.
    y : array of float
        Target of each row.
    strength : float
        Strength of the penalty, relative to the mean squared error.
    power : float
        Exponent: 1 gives a diamond (lasso), 2 a circle (ridge).
    fit_intercept : bool
        Whether there is an intercept, which is not penalised.

    Examples
    --------
    >>> X = [[-1, -1], [-1, 1], [1, -1], [1, 1]]
    >>> y = [-3.2, -2.8, 2.8, 3.2]
    >>> print(penalty_region(X, y, 1.0))
    strength 1 of Σ|w|^1 is equivalent to the bound 2.5: weights 2.5, 0
    >>> print(penalty_region(X, y, 1.0, power=2))
    strength 1 of Σ|w|^2 is equivalent to the bound 2.26: weights 1.5, 0.1
    """
    rows, numbers = np.asarray(X, np.float64), np.asarray(y, np.float64)
    if rows.ndim != 2 or rows.shape[1] != 2 or numbers.shape != (len(rows),) or not len(rows):
        raise InputError(
            f"X has shape {rows.shape} and y {numbers.shape}; give two columns, and one number per row"
        )
    if not np.isfinite(rows).all() or not np.isfinite(numbers).all():
        raise InputError("X or y contains non-finite numbers; leave out rows with missing values")
    if not (np.isfinite(strength) and strength >= 0 and np.isfinite(power) and power > 0):
        raise InputError(
            f"strength is {strength!r} and power {power!r}; give a strength of at least 0 and a power above 0"
        )
    if fit_intercept:
        rows, numbers = rows - rows.mean(axis=0), numbers - numbers.mean()
    ones = np.ones(len(rows))
    best = np.asarray(np.linalg.lstsq(rows, numbers, rcond=None)[0], np.float64)
    if power == 2:
        found = ridge(rows, numbers, ones, strength, False).weights if strength else best
    else:
        found = power_penalty(rows, numbers, ones, strength, power, False).weights if strength else best
    bound = float((np.abs(found) ** power).sum())
    return PenaltyRegion(rows, numbers, float(power), float(strength), bound, best, found)
