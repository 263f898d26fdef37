"""Kernel functions: the weight of an example by its distance (Mitchell §8.2.3; AIMA 18.8.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import one_of
from induce.core.errors import InputError

Floats = NDArray[np.float64]

KERNELS = (
    "gaussian",
    "quadratic",
    "epanechnikov",
    "tricube",
    "tophat",
    "inverse",
    "inverse-square",
    "uniform",
)
INVERSE = {"inverse": 1, "inverse-square": 2}
WITHOUT_WIDTH = (*INVERSE, "uniform")
AREAS = {"gaussian": float(np.sqrt(2 * np.pi)), "quadratic": 2 / 3, "epanechnikov": 4 / 3, "tophat": 2.0}
"""Area under a kernel of width 1, for kernels that can be normalised to densities."""


@dataclass(frozen=True)
class DistanceKernel:
    """A kernel function K(d): 1 at distance 0, and never increasing.

    Parameters
    ----------
    name : str
        With u = d / width: ``"gaussian"`` exp(-u²/2), ``"quadratic"`` max(0, 1 - (2u)²) as in AIMA, whose
        width is its entire support, ``"epanechnikov"`` max(0, 1 - u²), ``"tricube"`` max(0, 1 - u³)³,
        ``"tophat"`` 1 up to u = 1. ``"inverse"`` 1/d and ``"inverse-square"`` 1/d², infinite at distance 0,
        and ``"uniform"`` 1 have no width.
    width : float
        Width of the kernel, in units of the distance; ignored by kernels without a width.

    Examples
    --------
    >>> DistanceKernel("quadratic", 10)(np.array([0, 1, 2.5, 4, 5, 6])).round(2).tolist()
    [1.0, 0.96, 0.75, 0.36, 0.0, 0.0]
    """

    name: str = "gaussian"
    width: float = 1.0

    def __post_init__(self) -> None:
        one_of("kernel", self.name, KERNELS)
        if not isinstance(self.width, int | float | np.number) or not 0 < self.width < np.inf:
            raise InputError(f"width is {self.width!r}; give a number above 0")

    def __str__(self) -> str:
        return self.name if self.name in WITHOUT_WIDTH else f"{self.name} of width {self.width:.4g}"

    def __call__(self, distance: Floats) -> Floats:
        """Return the weight at each distance."""
        if self.name == "uniform":
            return np.ones_like(distance)
        if self.name in INVERSE:
            with np.errstate(divide="ignore", over="ignore"):
                return np.asarray(1.0 / distance ** INVERSE[self.name])
        u = np.minimum(distance / self.width, 1e100)
        if self.name == "gaussian":
            return np.exp(-0.5 * np.square(u))
        if self.name == "tophat":
            return (u <= 1).astype(np.float64)
        if self.name == "tricube":
            return np.asarray(np.maximum(0.0, 1.0 - u**3) ** 3)
        return np.asarray(np.maximum(0.0, 1.0 - np.square(2 * u if self.name == "quadratic" else u)))

    def among(self, distance: Floats, weights: Floats) -> Floats:
        """Return weights times K(d), up to a factor per query; never all 0 or infinite.

        If a kernel is infinite, only the examples at distance 0 count. If it is 0 for all examples, only the
        nearest count. Gaussians never underflow to 0, however narrow.

        Parameters
        ----------
        distance : array of float64, shape (queries, examples)
        weights : array of float64, shape (queries, examples)
            Weights of the examples; examples of weight 0 are ignored.

        Examples
        --------
        >>> DistanceKernel("inverse-square").among(np.array([[0.0, 1.0], [1.0, 2.0]]), np.ones((2, 2))).tolist()
        [[1.0, 0.0], [1.0, 0.25]]
        >>> DistanceKernel("quadratic", 2).among(np.array([[3.0, 4.0]]), np.ones((1, 2))).tolist()
        [[1.0, 0.0]]
        """
        there = weights > 0
        nearest = np.where(there, distance, np.inf).min(axis=-1, keepdims=True)
        if self.name == "gaussian":  # exp((nearest² - d²) / 2w²), which is 1 for the nearest
            with np.errstate(over="ignore"):
                found, more = nearest - distance, nearest + distance
                found /= self.width
                more /= self.width
            np.clip(found, -1e150, 0.0, out=found)
            np.minimum(more, 1e150, out=more)
            found *= more
            found *= 0.5
            np.exp(found, out=found)
        elif self.name in INVERSE:
            with np.errstate(divide="ignore", invalid="ignore"):
                found = np.where(nearest > 0, (nearest / distance) ** INVERSE[self.name], distance == 0)
        else:
            found = self(distance)
            lost = ~(found * there).any(axis=-1, keepdims=True)
            found = np.where(lost, distance == nearest, found)
        return found * weights if there.all() else np.where(there, found, 0.0) * weights
