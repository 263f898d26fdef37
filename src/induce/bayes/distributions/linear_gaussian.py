"""Bayesian linear regression: a distribution of the weights and the noise of a line (AIMA 20.2, equation
20.5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.bayes.distributions.credible import CredibleInterval, central, finite, positive
from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.hypothesis import Hypothesis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LinearGaussian(Hypothesis):
    """Distribution over the weights and the noise of y = w0 + w1 x1 + … + normal noise.

    The noise has variance `noise`, with the certainty of `degrees` observed errors; an infinite number means
    that it is known. Given the noise, the weights are normal. Their precision is stored in units of the noise
    precision.

    Parameters
    ----------
    weights : tuple of float
        Means of the weights, that of the intercept first.
    precision : tuple of tuples of float
        Inverse covariance of the weights times the noise variance; symmetric and positive definite.
    noise : float
        Variance of the noise; greater than 0.
    degrees : float
        Degrees of freedom of the noise; greater than 0, possibly infinite.

    Examples
    --------
    >>> belief = LinearGaussian.prior(1, weight_sd=1, noise_sd=0.2).update([1, 2, 3, 4], [2.1, 3.9, 6.2, 7.8])
    >>> print(belief)
    y = 0.1779 + 1.928 x1 + noise of standard deviation 0.2
    >>> at_5 = belief.predictive(5)
    >>> print(round(at_5.mean(), 6), round(at_5.std(), 6))
    9.818553 0.313246
    """

    weights: tuple[float, ...]
    precision: tuple[tuple[float, ...], ...]
    noise: float
    degrees: float = math.inf

    def __post_init__(self) -> None:
        weights, precision = finite("weights", self.weights), finite("precision", self.precision, 2)
        positive(noise=self.noise)
        if not self.degrees > 0:
            raise InputError(f"degrees is {self.degrees}; give a number above 0")
        if precision.shape != (weights.size, weights.size):
            raise InputError(
                f"precision has the shape {precision.shape} for {weights.size} weights; "
                "give a square matrix with one row per weight"
            )
        if not np.allclose(precision, precision.T) or np.linalg.eigvalsh(precision).min() <= 0:
            raise InputError(
                "precision is not symmetric and positive definite; give a matrix with eigenvalues above 0"
            )
        object.__setattr__(self, "weights", tuple(weights.tolist()))
        object.__setattr__(self, "precision", tuple(map(tuple, precision.tolist())))

    @classmethod
    def prior(
        cls, n_inputs: int, weight_sd: float, noise_sd: float, degrees: float = math.inf
    ) -> LinearGaussian:
        """Return a prior with weights of about 0 ± `weight_sd`, and noise of about `noise_sd`.

        Parameters
        ----------
        n_inputs : int
        weight_sd, noise_sd : float
            Standard deviations.
        degrees : float
            Weight of the prior on `noise_sd`, in errors; infinite if the noise is known.
        """
        positive(weight_sd=weight_sd, noise_sd=noise_sd)
        precision = np.eye(n_inputs + 1) * (noise_sd / weight_sd) ** 2
        rows = tuple(map(tuple, precision.tolist()))
        return cls((0.0,) * (n_inputs + 1), rows, noise_sd**2, degrees)

    def update(self, x: ArrayLike, y: ArrayLike) -> LinearGaussian:
        """Return the posterior after further points.

        Parameters
        ----------
        x : array
            Inputs of each point: a number, or a row of numbers.
        y : array
        """
        design, target = self._points(x, y)
        if not target.size:
            return self
        before, precision = np.array(self.weights), np.array(self.precision)
        after = precision + design.T @ design
        weights = np.linalg.solve(after, precision @ before + design.T @ target)
        noise, degrees = self.noise, self.degrees + target.size
        if math.isfinite(degrees):
            noise = (self.degrees * noise + self._squares(weights, design, target)) / degrees
        return LinearGaussian(tuple(weights.tolist()), tuple(map(tuple, after.tolist())), noise, degrees)

    def predictive(self, x: ArrayLike) -> Any:
        """Return the predictive distribution of y at x, noise included: normal, or Student's t if the noise
        is unknown.
        """
        row = self._design(np.asarray(x, np.float64).reshape(1, -1))[0]
        return self._student(float(row @ np.array(self.weights)), 1 + float(row @ self._inverse() @ row))

    def weight_distribution(self, k: int) -> Any:
        """Return the marginal distribution of one weight; the intercept has index 0."""
        if not 0 <= k < len(self.weights):
            raise InputError(f"k is {k}; give an index from 0 to {len(self.weights) - 1}")
        return self._student(self.weights[k], float(self._inverse()[k, k]))

    def credible_interval(self, k: int, probability: float = 0.95) -> CredibleInterval:
        """Return the interval that contains one weight with a given probability; the intercept has index 0."""
        return central(self.weight_distribution(k).ppf, probability)

    def log_evidence(self, x: ArrayLike, y: ArrayLike) -> float:
        """Return the log marginal likelihood of the y at their x, integrated over the weights and the noise."""
        design, target = self._points(x, y)
        after, n = self.update(x, y), target.size
        determinants = [np.linalg.slogdet(np.array(each.precision))[1] for each in (self, after)]
        volume = float(determinants[0] - determinants[1]) / 2
        if math.isinf(self.degrees):
            squares = self._squares(np.array(after.weights), design, target)
            return volume - n / 2 * math.log(2 * math.pi * self.noise) - squares / (2 * self.noise)
        return volume + self._log_noise - after._log_noise - n / 2 * math.log(math.pi)

    @property
    def _log_noise(self) -> float:
        return self.degrees / 2 * math.log(self.degrees * self.noise) - math.lgamma(self.degrees / 2)

    def _squares(self, weights: Floats, design: Floats, target: Floats) -> float:
        """Squared errors under the new weights, plus their squared distance from the old ones."""
        moved = weights - np.array(self.weights)
        return float(((target - design @ weights) ** 2).sum() + moved @ np.array(self.precision) @ moved)

    def _student(self, middle: float, variance: float) -> Any:
        from scipy.stats import norm, t

        scale = math.sqrt(self.noise * variance)
        return norm(middle, scale) if math.isinf(self.degrees) else t(self.degrees, middle, scale)

    def _inverse(self) -> Floats:
        return np.asarray(np.linalg.inv(np.array(self.precision)), np.float64)

    def _points(self, x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
        target = finite("y", y)
        inputs = np.atleast_1d(np.asarray(x, np.float64))
        design = self._design(inputs[:, None] if inputs.ndim == 1 else inputs)
        if len(design) != target.size:
            raise InputError(
                f"x has {len(design)} points, but y has {target.size}; give equal numbers of both"
            )
        return design, target

    def _design(self, inputs: Floats) -> Floats:
        rows = finite("x", inputs, 2)
        if rows.shape[1] != self.n_inputs:
            raise InputError(f"x has {rows.shape[1]} inputs; give {self.n_inputs}")
        return np.column_stack([np.ones(len(rows)), rows])

    @property
    def n_inputs(self) -> int:
        """Number of inputs."""
        return len(self.weights) - 1

    def parts(self) -> Parts:
        """Return the number of weights, and the noise, as text."""
        return Parts(len(self.weights) + 1, "weights and the noise")

    def size(self) -> str:
        """Return the number of weights."""
        return f"{len(self.weights)} weights"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of each weight with its 95% credible interval."""
        from induce.bayes.distributions.pictures import draw_intervals

        names = ["intercept", *(f"x{k}" for k in range(1, len(self.weights)))]
        intervals = [self.credible_interval(k) for k in range(len(self.weights))]
        return draw_intervals(ax, names, self.weights, intervals, "weight")

    def draw_line(self, x: ArrayLike, y: ArrayLike, ax: Axes | None = None) -> Figure:
        """Return a figure of the points, the line and a band with 95% of further points; one input only."""
        from induce.pictures.style import DARK, PALETTE, axes_for, tidy

        design, target = self._points(x, y)
        if self.n_inputs != 1 or not target.size:
            raise InputError(
                "the plot of a line needs one input and at least one point; give x and y of one input"
            )
        figure, axes = axes_for(ax)
        places = np.linspace(design[:, 1].min(), design[:, 1].max(), 101)
        band = np.array([self.predictive(place).interval(0.95) for place in places])
        axes.fill_between(places, *band.T, color=PALETTE[0], alpha=0.15, lw=0, label="95% of further points")
        axes.plot(places, self.weights[0] + self.weights[1] * places, color=PALETTE[0], lw=1.8, label="mean")
        axes.plot(design[:, 1], target, "o", color=DARK, ms=4)
        axes.set(xlabel="x", ylabel="y")
        tidy(axes)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, fontsize=9)
        return figure

    def __str__(self) -> str:
        terms = [f"{self.weights[0]:.4g}"]
        terms += [
            f"{'-' if w < 0 else '+'} {abs(w):.4g} x{k}" for k, w in enumerate(self.weights[1:], start=1)
        ]
        return f"y = {' '.join(terms)} + noise of standard deviation {math.sqrt(self.noise):.4g}"
