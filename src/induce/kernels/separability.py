"""Linear separability of points, and its frequency (AIMA 18.9; exercise 20.21 of the second edition)."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.linear.separability import separating_plane

MOST_POINTS = 14


def cover_count(n_points: int, dimension: int) -> int:
    """Return the number of labellings of points in general position that a hyperplane separates (Cover 1965).

    It is 2 Σ C(N-1, k) for k up to the dimension d: all 2^N labellings if d >= N - 1, so the VC dimension is d + 1.

    Parameters
    ----------
    n_points : int
        Number of points.
    dimension : int
        Number of dimensions of the space.

    Examples
    --------
    >>> cover_count(4, 2), cover_count(4, 3)
    (14, 16)
    """
    at_least("n_points", n_points, 1, whole=True)
    at_least("dimension", dimension, 0, whole=True)
    return 2 * sum(math.comb(n_points - 1, k) for k in range(dimension + 1))


def separable(X: Any, y: Any) -> bool:
    """Return whether a hyperplane separates the points of one class from all others.

    Parameters
    ----------
    X : array of shape (points, dimensions)
        Points.
    y : sequence
        Class of each point; two classes.

    Examples
    --------
    >>> corners = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    >>> separable(corners, [0, 0, 0, 1]), separable(corners, [0, 1, 1, 0])
    (True, False)
    """
    points, labels = np.asarray(X, np.float64), np.asarray(y)
    classes = np.unique(labels)
    if points.ndim != 2 or len(points) != len(labels):
        raise InputError(
            f"X has shape {points.shape} and y {labels.shape}; give one row of numbers and one class "
            "per point"
        )
    if len(classes) > 2:
        raise InputError(f"y has {len(classes)} classes; give two")
    sign = np.where(labels == classes[-1], 1.0, -1.0) if len(classes) else np.zeros(0)
    return separating_plane(points, sign)[0] is not None


def separable_labellings(X: Any) -> int:
    """Count the linearly separable labellings of the given points by enumeration.

    Parameters
    ----------
    X : array of shape (points, dimensions)
        Points.

    Examples
    --------
    >>> separable_labellings([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.2]])
    14
    >>> separable_labellings([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])
    6
    """
    points = np.asarray(X, np.float64)
    if len(points) > MOST_POINTS:
        raise InputError(
            f"there are {len(points)} points, which have too many labellings to enumerate; give at "
            f"most {MOST_POINTS}, or use cover_count"
        )
    # a labelling and its opposite are separated by the same hyperplanes
    return 2 * sum(separable(points, [0, *rest]) for rest in product((0, 1), repeat=len(points) - 1))
