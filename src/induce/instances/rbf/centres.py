"""Unsupervised placement of the kernels of a radial basis function network: every method of Mitchell §8.4."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.randomness import RandomState, generator
from induce.em import gaussian_means

Floats = NDArray[np.float64]

MOST_POINTS = 5000
STRATEGIES = ("em", "random", "grid", "all")


def place(
    strategy: str, points: Floats, weights: Floats, k: int, random_state: RandomState
) -> tuple[Floats, Floats]:
    """Return the centres of at most `k` kernels, and a width for each.

    Parameters
    ----------
    strategy : {"em", "random", "grid", "all"}
        Placement: means and deviations of `k` Gaussians that EM fits to the points; `k` random points; points spread
        uniformly over the bounding box; every point.
    points : array of float64, shape (points, columns)
    weights : array of float64
    k : int
    random_state : int, Generator or None
        Random seed.

    Examples
    --------
    >>> centres, widths = place("grid", np.arange(5.0)[:, None], np.ones(5), 2, 0)
    >>> centres.tolist(), widths.tolist()
    ([[1.0], [3.0]], [2.0, 2.0])
    """
    distinct = np.unique(points, axis=0)
    if strategy == "em":
        if len(points) > MOST_POINTS:  # a sample of the points suffices to find the clusters
            chosen = generator(random_state).choice(len(points), MOST_POINTS, replace=False)
            points, weights = points[chosen], weights[chosen]
            distinct = np.unique(points, axis=0)
        found = gaussian_means(
            points, min(k, len(distinct)), weights=weights, tolerance=1e-5, random_state=random_state
        )
        return found.hypothesis.means, found.hypothesis.sigma
    if strategy == "all":
        centres = distinct
    elif strategy == "random":
        chosen = generator(random_state).choice(len(distinct), min(k, len(distinct)), replace=False)
        centres = distinct[np.sort(chosen)]
    else:
        low, high = points.min(axis=0), points.max(axis=0)
        centres = np.unique(low + (high - low) * _uniform(points.shape[1], k), axis=0)
    return centres, np.full(len(centres), apart(centres))


def _uniform(columns: int, k: int) -> Floats:
    """Return at most `k` points spread over the unit cube: the centres of equal cells, or a Halton sequence.

    Even two cells along each column need 2^n centres; for fewer, a Halton sequence is used.
    """
    across = int(k ** (1.0 / columns) + 1e-9)
    if across < 2:
        from scipy.stats import qmc

        return np.asarray(qmc.Halton(columns, scramble=False).random(k + 1)[1:])
    middles = (np.arange(across) + 0.5) / across
    return np.stack(np.meshgrid(*[middles] * columns, indexing="ij"), axis=-1).reshape(-1, columns)


def apart(centres: Floats) -> float:
    """Return the mean distance between a centre and the nearest other one; 1 if there is only one."""
    from scipy.spatial import cKDTree

    if len(centres) < 2:
        return 1.0
    return float(cKDTree(centres).query(centres, k=2)[0][:, 1].mean())
