"""Means of k equally likely Gaussians that generated a set of points (Mitchell §6.12.1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.randomness import RandomState
from induce.em.driver import Maximised, maximise

Floats = NDArray[np.float64]


class Memberships(NamedTuple):
    """Expectations of the hidden z: the points with their weights, E[z], and the log density of each point."""

    points: Floats
    weights: Floats
    z: Floats
    log_density: Floats


@dataclass(frozen=True, eq=False)
class GaussianMeans:
    """A mixture of spherical Gaussians with equal weights.

    Parameters
    ----------
    means : array of float64, shape (Gaussians, columns)
        Means of the Gaussians.
    sigma : array of float64, one for each Gaussian
        Standard deviations of the Gaussians.

    Examples
    --------
    >>> h = GaussianMeans(np.array([[1.0], [2.0]]), np.ones(2))
    >>> x = np.array([[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]])
    >>> h.expect(x).z[:, 0].round(6).tolist()
    [0.622459, 0.377541, 0.182426, 0.00407, 0.001501, 0.000553]
    >>> means(h.expect(x), h).means.round(6).ravel().tolist()
    [1.657729, 5.825625]
    """

    means: Floats
    sigma: Floats

    def expect(self, points: Floats, weights: Floats | None = None) -> Memberships:
        """Return E[z_ij], the probability that Gaussian j generated point i (equation 6.29)."""
        k, columns = self.means.shape
        logs = -0.5 * _squares(points, self.means) / self.sigma**2
        logs -= columns * np.log(self.sigma * np.sqrt(2 * np.pi)) + np.log(k)
        highest = logs.max(axis=1, keepdims=True)
        z = np.exp(logs - highest)
        total = z.sum(axis=1, keepdims=True)
        weights = np.ones(len(points)) if weights is None else weights
        return Memberships(points, weights, z / total, (highest + np.log(total))[:, 0])

    def log_likelihood(self, expected: Memberships) -> float:
        """Return ln P(X | h)."""
        return float(expected.log_density @ expected.weights)

    def q(self, expected: Memberships) -> float:
        """Return Q(h' | h), the expected ln P(Y | h') of this h', with `expected` from h (Mitchell §6.12.3).

        Like the book's, it omits the constant ln(1/k) of each point.
        """
        columns = self.means.shape[1]
        logs = -0.5 * _squares(expected.points, self.means) / self.sigma**2
        logs -= columns * np.log(self.sigma * np.sqrt(2 * np.pi))
        return float(expected.weights @ (expected.z * logs).sum(axis=1))


def means(expected: Memberships, before: GaussianMeans) -> GaussianMeans:
    """Return the Gaussians with the means that maximise Q, for known deviations (equation 6.31).

    A Gaussian without points keeps its mean.
    """
    share = expected.z * expected.weights[:, np.newaxis]
    total = share.sum(axis=0)[:, np.newaxis]
    found = np.divide(share.T @ expected.points, total, out=before.means.copy(), where=total > 0)
    return GaussianMeans(found, before.sigma)


def means_and_deviations(expected: Memberships, before: GaussianMeans, least: float = 1e-3) -> GaussianMeans:
    """Return the Gaussians with the means and deviations (at least `least`) that maximise Q."""
    moved = means(expected, before)
    share = expected.z * expected.weights[:, np.newaxis]
    total = share.sum(axis=0)
    squares = (share * _squares(expected.points, moved.means)).sum(axis=0)
    variance = np.divide(squares, total * moved.means.shape[1], out=before.sigma**2, where=total > 0)
    return GaussianMeans(moved.means, np.maximum(np.sqrt(variance), least))


def gaussian_means(
    points: Floats,
    k: int,
    sigma: float | None = None,
    weights: Floats | None = None,
    n_starts: int = 3,
    tolerance: float = 1e-6,
    random_state: RandomState = 0,
) -> Maximised[GaussianMeans]:
    """Estimate the means of k Gaussians from points, starting at distinct points.

    Parameters
    ----------
    points : array of float64, shape (points, columns)
        Observed points.
    k : int
        Number of Gaussians, at most the number of distinct points.
    sigma : float, optional
        Standard deviation, if known; otherwise each Gaussian's is estimated.
    weights : array, optional
        Weight of each point.
    n_starts : int
        Number of starts, of which the best is returned.
    tolerance : float
        Convergence tolerance; see `maximise`.
    random_state : int, Generator or None
        Random seed.

    Examples
    --------
    >>> found = gaussian_means(np.array([[0.0], [1.0], [4.0], [5.0], [9.0], [10.0]]), 3, sigma=1.0)
    >>> np.sort(found.hypothesis.means.ravel()).round(6).tolist()
    [0.503868, 4.496224, 9.499908]
    """
    distinct = np.unique(points, axis=0)
    if not 1 <= k <= len(distinct):
        raise InputError(f"k is {k}; it must be between 1 and {len(distinct)}, the number of distinct points")
    share = np.full(len(points), 1.0) if weights is None else weights
    centred = points - np.average(points, axis=0, weights=share)
    spread = float(np.sqrt(np.average(np.square(centred).mean(axis=1), weights=share))) or 1.0
    first = spread if sigma is None else float(sigma)

    def start(random: np.random.Generator) -> GaussianMeans:
        return GaussianMeans(distinct[random.choice(len(distinct), k, replace=False)], np.full(k, first))

    return maximise(
        start,
        lambda h: h.expect(points, weights),
        means if sigma is not None else partial(means_and_deviations, least=1e-3 * spread),
        GaussianMeans.log_likelihood,
        n_starts=n_starts,
        tolerance=tolerance,
        random_state=random_state,
    )


def _squares(points: Floats, centres: Floats) -> Floats:
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(points, centres, "sqeuclidean"))
