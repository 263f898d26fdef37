"""Standardised terms for the solvers, and the conversion back to the original units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FLAT = 1e-12
"""Fraction of a term's largest value below which its standard deviation counts as constant."""
TINY = 1e-100
"""Standard deviation below which terms are constant, because their weights would overflow."""
LONG = 1e100
"""Magnitude beyond which numbers are divided before they are squared."""
BLOCK = 16_384
"""Number of rows whose products are computed at a time, so that they stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class Standard:
    """A matrix of terms, shifted and scaled.

    Parameters
    ----------
    z : array of float, shape (rows, terms)
    centre, scale : array of float
        A term is ``centre + scale * z``.
    weights : array of float
        Weight of each row.
    """

    z: Floats
    centre: Floats
    scale: Floats
    weights: Floats

    @classmethod
    def of(cls, x: Floats, weights: Floats, centred: bool = True, scaled: bool = True) -> Standard:
        """Return a matrix in standard units.

        Parameters
        ----------
        x : array of float, shape (rows, terms)
            Matrix of terms, changed in place.
        weights : array of float
        centred : bool
            Whether means are subtracted; without an intercept they must not be.
        scaled : bool
            Whether terms are divided by their standard deviations; if not, penalties are in the original units.
        """
        total = float(weights.sum())
        centre = (weights @ x) / total if centred else np.zeros(x.shape[1])
        largest, deviation = np.zeros(x.shape[1]), np.zeros(x.shape[1])
        for j in range(x.shape[1]):
            column = x[:, j]
            column -= centre[j]
            largest[j] = max(-float(column.min(initial=0.0)), float(column.max(initial=0.0)))
            unit = largest[j] if largest[j] > LONG else 1.0  # squares must not overflow
            deviation[j] = (
                np.sqrt(weights @ np.square(column / unit if unit != 1.0 else column) / total) * unit
            )
        flat = flat_terms(deviation, largest, centre)
        x[:, flat] = 0.0
        scale = np.where(flat, 1.0, deviation) if scaled else np.ones(x.shape[1])
        if scaled:
            for j in range(x.shape[1]):
                x[:, j] /= scale[j]
        return cls(x, centre, scale, weights)

    @property
    def total(self) -> float:
        """Sum of the weights of the rows."""
        return float(self.weights.sum())

    def own_units(self, intercept: float, weights: Floats) -> tuple[float, Floats]:
        """Return the intercept and the weights in the columns' own units."""
        own = weights / self.scale
        return float(intercept - own @ self.centre), own

    def own_covariance(self, covariance: Floats, outputs: int = 1) -> Floats:
        """Return the covariance of the intercept and the weights of each output in the columns' own units.

        NaN variances stay NaN.
        """
        change = np.eye(len(self.scale) + 1)
        change[1:, 1:] = np.diag(1.0 / self.scale)
        change[0, 1:] = -self.centre / self.scale
        every = np.kron(np.eye(outputs), change)
        return without_variance(
            every @ np.nan_to_num(covariance) @ every.T, np.flatnonzero(np.isnan(np.diag(covariance)))
        )


def without_variance(covariance: Floats, places: NDArray[np.intp]) -> Floats:
    """Return a covariance in which some weights have no variance: NaN, and 0 with all others."""
    found = covariance.copy()
    found[places] = 0.0
    found[:, places] = 0.0
    found[places, places] = np.nan
    return found


def dependent(z: Floats, weights: Floats) -> NDArray[np.bool_]:
    """Return whether each term is a linear combination of the terms before it, or constant.

    If there are many terms, only constant ones are found.
    """
    flat = np.asarray(~z.any(axis=0))
    kept = np.flatnonzero(~flat)
    if not len(kept):
        return flat
    if len(z) > 4 * len(kept):
        # the Cholesky factor of the cross products is the R of a QR decomposition, with half the digits;
        # enough to detect dependence
        found = flat.copy()
        found[kept[dependent_products(cross_products(z, weights)[np.ix_(kept, kept)])]] = True
        return found
    rows = z[:, kept] * np.sqrt(weights)[:, np.newaxis]
    triangle = np.asarray(np.linalg.qr(rows, mode="r"))
    diagonal = np.zeros(len(kept))
    size = min(triangle.shape)
    diagonal[:size] = np.abs(np.diag(triangle))[:size]
    found = flat.copy()
    found[kept[diagonal <= 1e-9 * np.sqrt(np.square(rows).sum(axis=0))]] = True
    return found


def dependent_products(square: Floats) -> NDArray[np.bool_]:
    """Return, from the cross products, whether each term is a linear combination of the terms before it."""
    return np.asarray(np.abs(np.diag(triangle_of(square))) <= 1e-6 * np.sqrt(np.diag(square)))


def flat_terms(deviation: Floats, largest: Floats, centre: Floats) -> NDArray[np.bool_]:
    """Return whether each term is constant, from its deviation and its range."""
    return np.asarray(deviation <= np.maximum(FLAT * np.maximum(largest, np.abs(centre)), TINY))


def by_columns(x: Floats) -> Floats:
    """Return a matrix in Fortran order, for reading by columns; it is converted by blocks that fit into the
    processor's cache.
    """
    if x.flags.f_contiguous:
        return x
    found = np.empty(x.shape, order="F")
    for start in range(0, len(x), BLOCK // 4):
        found[start : start + BLOCK // 4] = x[start : start + BLOCK // 4]
    return found


def cross_products(z: Floats, weights: Floats) -> Floats:
    """Return Σ weight · z zᵀ over the rows; no weight is negative."""
    root = np.sqrt(weights)
    found = np.zeros((z.shape[1],) * 2)
    for start in range(0, len(z), BLOCK):
        part = z[start : start + BLOCK] * root[start : start + BLOCK, np.newaxis]
        found += part.T @ part
    return found


def triangle_of(square: Floats) -> Floats:
    """Return the triangle R with RᵀR = square, with zeros on the diagonal for columns that depend on earlier
    ones.
    """
    n = len(square)
    r = np.zeros((n, n))
    left = square.copy()
    for k in range(n):
        if left[k, k] > 1e-11 * square[k, k]:
            r[k, k:] = left[k, k:] / np.sqrt(left[k, k])
            left[k:, k:] -= np.outer(r[k, k:], r[k, k:])
    return r
