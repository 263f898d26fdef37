"""Incremental least squares from sums of products, without storing rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from induce.core.pass_results import pass_result
from induce.linear.least_squares import Fit
from induce.linear.standard import FLAT, TINY, Standard, cross_products, triangle_of

Floats = NDArray[np.float64]

MOST = 1e140
"""Magnitude beyond which squares overflow."""


@pass_result
@dataclass(frozen=True, eq=False)
class Products:
    """Sums over rows that determine all weights by least squares.

    Parameters
    ----------
    unit : array of float
        Divisors of the terms, from the first rows, so that sums of squares are well scaled.
    total : float
        Sum of the weights of the rows.
    means : array of float
        Mean of each term.
    square : array of float, shape (terms, terms)
        Sum of the products of the centred terms.
    along : array of float
        Sum of the products of the centred terms with the centred target.
    target_mean, target_square : float
        Mean of the target, and the sum of its squared deviations.
    """

    unit: Floats
    total: float
    means: Floats
    square: Floats
    along: Floats
    target_mean: float
    target_square: float

    @classmethod
    def of(cls, x: Floats, y: Floats, weights: Floats, unit: Floats | None = None) -> Products:
        """Return the sums over the given rows."""
        if unit is None:
            unit = np.maximum(np.abs(x).max(axis=0, initial=0.0), TINY)
        z, total = x / unit, float(weights.sum())
        means, target_mean = (weights @ z) / total, float(weights @ y) / total
        z, left = z - means, y - target_mean
        return cls(
            unit,
            total,
            means,
            cross_products(z, weights),
            z.T @ (weights * left),
            target_mean,
            float(weights @ np.square(left)),
        )

    @classmethod
    def of_model(
        cls, total: float, means: Floats, plane: Floats, covariance: Floats, sigma: float, loss: float
    ) -> Products | None:
        """Return the sums behind a least-squares model, or None if its covariance does not determine them.

        Parameters
        ----------
        total : float
            Sum of the weights of the rows.
        means : array of float
        plane : array of float
            Intercept and weights.
        covariance : array of float
            Covariance of intercept and weights.
        sigma, loss : float
            Standard deviation of the residuals, and mean squared error.
        """
        own = covariance[1:, 1:]
        if not (sigma > 0 and np.isfinite(own).all() and (np.diag(own) > 0).all()):
            return None
        unit = sigma / np.sqrt(np.diag(own) * total)  # variance not explained by the other terms
        square = np.asarray(np.linalg.inv(own / sigma**2 * np.outer(unit, unit)), np.float64)
        w = plane[1:] * unit
        return cls(
            unit,
            total,
            means / unit,
            square,
            square @ w,
            float(plane[0] + plane[1:] @ means),
            total * loss + float(w @ square @ w),
        )

    def __add__(self, other: Products) -> Products:
        """Return the sums over the rows of both (Chan, Golub and LeVeque 1983)."""
        total = self.total + other.total
        apart, target_apart = other.means - self.means, other.target_mean - self.target_mean
        share = other.total / total
        between = self.total * share
        return replace(
            self,
            total=total,
            means=self.means + share * apart,
            square=self.square + other.square + between * np.outer(apart, apart),
            along=self.along + other.along + between * apart * target_apart,
            target_mean=self.target_mean + share * target_apart,
            target_square=self.target_square + other.target_square + between * target_apart**2,
        )

    def about_zero(self) -> Products:
        """Return the sums of products about 0 instead of the means, for a model without an intercept."""
        return replace(
            self,
            means=np.zeros(len(self.means)),
            square=self.square + self.total * np.outer(self.means, self.means),
            along=self.along + self.total * self.means * self.target_mean,
            target_mean=0.0,
            target_square=self.target_square + self.total * self.target_mean**2,
        )

    def deviations(self) -> Floats:
        """Return the standard deviation of each term in its own unit."""
        return np.asarray(np.sqrt(np.diag(self.square) / self.total) * self.unit)

    def standard(self, scaled: bool) -> Standard:
        """Return the centre and the scale of the terms, without rows."""
        spread = np.sqrt(np.diag(self.square) / self.total)
        flat = spread <= np.maximum(FLAT * np.abs(self.means), TINY)
        scale = np.where(flat, 1.0, spread * self.unit) if scaled else np.ones(len(spread))
        return Standard(np.zeros((0, len(spread))), self.means * self.unit, scale, np.array([self.total]))

    def in_units(self, standard: Standard) -> tuple[Floats, Floats]:
        """Return the products of the terms with each other and with the target in other units, as means over rows."""
        ratio = self.unit / standard.scale
        return self.square * np.outer(ratio, ratio) / self.total, self.along * ratio / self.total

    def dependent(self) -> NDArray[np.bool_]:
        """Return whether each term is a linear combination of the terms before it, or constant."""
        lengths = np.sqrt(np.diag(self.square))
        flat = lengths <= np.maximum(FLAT * np.abs(self.means) * np.sqrt(self.total), TINY)
        return np.asarray(flat | (np.diag(triangle_of(self.square)) <= 1e-6 * lengths))

    def least_squares(self, standard: Standard, intercept: bool) -> Fit:
        """Return the least-squares weights of standardised terms, and their covariance."""
        square, along = self.in_units(standard)
        left_out = self.dependent()
        kept = np.flatnonzero(~left_out)
        inverse = np.linalg.inv(square[np.ix_(kept, kept)])
        found = np.zeros(len(along))
        found[kept] = inverse @ along[kept]
        degrees = self.total - len(kept) - int(intercept)
        if degrees <= 0:
            return Fit(self.target_mean, found)
        left = max(self.target_square - self.total * float(found @ along), 0.0)
        variance = left / degrees
        covariance = np.full((len(found) + 1,) * 2, np.nan)
        known = np.append([0], kept + 1)
        covariance[np.ix_(known, known)] = 0.0
        covariance[np.ix_(kept + 1, kept + 1)] = inverse * variance / self.total
        covariance[0, 0] = variance / self.total if intercept else 0.0
        return Fit(self.target_mean, found, covariance, degrees, float(np.sqrt(variance)))

    def loss(self, standard: Standard, weights: Floats) -> float:
        """Return the mean squared error of weights of standardised terms."""
        square, along = self.in_units(standard)
        left = (
            self.target_square / self.total - 2.0 * float(weights @ along) + float(weights @ square @ weights)
        )
        return max(left, 0.0)
