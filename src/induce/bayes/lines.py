"""Maximum likelihood lines: least squares and least absolute deviations (Mitchell 6.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.bayes.distributions.credible import finite, positive
from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.linear.least_squares import by_linear_program
from induce.statistics.least_squares import least_squares

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

NORMAL, LAPLACE = "normal", "laplace"


@dataclass(frozen=True, eq=False)
class FittedLine:
    """Maximum likelihood weights of y = w0 + w1 x1 + … under normal or Laplace noise.

    Parameters
    ----------
    weights : array
        Weights, that of the intercept first.
    noise : {"normal", "laplace"}
        Distribution of the noise.
    scale : float
        Maximum likelihood scale of the noise: its standard deviation, or the mean absolute error.
    error : float
        Sum of the squared or absolute errors.
    log_likelihood : float
        Log likelihood with that scale.
    """

    weights: Floats
    noise: str
    scale: float
    error: float
    log_likelihood: float

    def predict(self, x: ArrayLike) -> Floats:
        """Return the line at the given inputs."""
        return np.asarray(design(x) @ self.weights)

    def draw(
        self, x: ArrayLike, y: ArrayLike, truth: FittedLine | None = None, ax: Axes | None = None
    ) -> Figure:
        """Return a figure of the points and the line, optionally with the true one (Mitchell figure 6.2)."""
        from induce.pictures.style import DARK, GREY, PALETTE, axes_for, tidy

        rows, target = design(x), finite("y", y)
        if rows.shape[1] != 2:
            raise InputError("the plot of a line needs one input; give one number per point")
        figure, axes = axes_for(ax)
        places = np.linspace(rows[:, 1].min(), rows[:, 1].max(), 101)
        if truth is not None:
            axes.plot(places, truth.predict(places), color=GREY, lw=1.6, ls="--", label="f, the true line")
        axes.plot(
            places, self.predict(places), color=PALETTE[0], lw=1.8, label="h, the maximum likelihood line"
        )
        axes.vlines(rows[:, 1], self.predict(rows[:, 1]), target, color=PALETTE[5], lw=1, label="errors")
        axes.plot(rows[:, 1], target, "o", color=DARK, ms=4.5)
        axes.set(xlabel="x", ylabel="y")
        tidy(axes)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize=9)
        return figure

    def __str__(self) -> str:
        terms = [f"{self.weights[0]:.4g}"]
        terms += [
            f"{'-' if w < 0 else '+'} {abs(w):.4g} x{k}" for k, w in enumerate(self.weights[1:], start=1)
        ]
        return f"y = {' '.join(terms)}, {self.noise} noise of scale {self.scale:.4g}"


def fit_line(x: ArrayLike, y: ArrayLike, noise: str = NORMAL) -> FittedLine:
    """Return the maximum likelihood line if only the targets are noisy (Mitchell 6.6; AIMA 20.5 and exercise
    20.6).

    Under normal noise it is the least-squares line, whatever the variance. Under Laplace noise it minimises
    the absolute deviations, which is robust to outliers.

    Parameters
    ----------
    x : array
        Inputs, one number or one row of numbers per point; powers of x give a polynomial.
    y : array
        Target of each point.
    noise : {"normal", "laplace"}
        Distribution of the noise.

    Examples
    --------
    >>> print(fit_line([1, 2, 3, 4, 5], [1.2, 1.9, 3.2, 3.8, 5.1]))
    y = 0.13 + 0.97 x1, normal noise of scale 0.1568
    """
    one_of("noise", noise, (NORMAL, LAPLACE))
    rows, target = design(x), finite("y", y)
    if len(rows) != target.size or not target.size:
        raise InputError(
            f"x has {len(rows)} points and y has {target.size}; give equal numbers of both, at least one"
        )
    if np.linalg.matrix_rank(rows) < rows.shape[1]:
        raise InputError(
            "the points do not determine the line: x is constant, or the inputs are "
            "collinear; give more varied points"
        )
    if noise == NORMAL:
        weights = least_squares(rows, target)
    else:
        weights = by_linear_program(rows, target, np.ones(len(rows)), "absolute", intercept=False).weights
    errors = target - rows @ weights
    if noise == NORMAL:
        error = float((errors**2).sum())
        scale = math.sqrt(error / target.size)
    else:
        error = float(np.abs(errors).sum())
        scale = error / target.size
    likelihood = errors_log_likelihood(errors, scale, noise) if scale > 0 else math.inf
    return FittedLine(weights, noise, scale, error, likelihood)


def errors_log_likelihood(errors: ArrayLike, scale: float, noise: str = NORMAL) -> float:
    """Return the log-likelihood of independent, identically distributed errors.

    Parameters
    ----------
    errors : array
        Errors of the predictions.
    scale : float
        Scale of the noise: its standard deviation, or the mean absolute error.
    noise : {"normal", "laplace"}, default="normal"
        Distribution of the noise.

    Examples
    --------
    >>> round(errors_log_likelihood([0.1, -0.1], scale=0.2), 6)
    1.130999
    """
    one_of("noise", noise, (NORMAL, LAPLACE))
    positive(scale=scale)
    found = finite("errors", errors)
    if noise == NORMAL:
        return float(-found.size / 2 * math.log(2 * math.pi * scale**2) - (found**2).sum() / (2 * scale**2))
    return float(-found.size * math.log(2 * scale) - np.abs(found).sum() / scale)


def design(x: ArrayLike) -> Floats:
    """Return the inputs of points with a column of ones for the intercept, one row per point."""
    inputs = np.asarray(x, np.float64)
    rows = finite("x", inputs[:, None] if inputs.ndim == 1 else inputs, 2)
    return np.column_stack([np.ones(len(rows)), rows])
