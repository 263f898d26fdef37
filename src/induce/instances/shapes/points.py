"""Evenly spread points on the edges of images (AIMA 18.11.1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.data.images.grid import Pixels
from induce.data.images.transformations import Edges
from induce.instances.shapes.matching import PATCH, Shape, around

Floats = NDArray[np.float64]

ENLARGED = 2
"""Enlargement of images before edge detection: a digit in 28 x 28 pixels has too few edge pixels."""


def shapes_of(images: Pixels, n_points: int = 100) -> tuple[Shape, ...]:
    """Return points on the Canny edges of each image, with shape contexts, directions and brightness around
    them.

    Parameters
    ----------
    images : array, shape (images, rows, columns)
    n_points : int
        Number of points of each image. If an image has fewer edge pixels, some are repeated.

    Examples
    --------
    >>> square = np.zeros((1, 12, 12))
    >>> square[0, 3:9, 3:9] = 255
    >>> shape, = shapes_of(square, 30)
    >>> shape.points.shape, shape.histograms.shape
    ((30, 2), (30, 60))
    """
    from scipy import ndimage

    at_least("n_points", n_points, 3, whole=True)
    found = []
    for number, image in enumerate(np.asarray(images, np.float64) / 255.0):
        large = ndimage.zoom(image, ENLARGED, order=1, grid_mode=True, mode="grid-constant")
        smooth = ndimage.gaussian_filter(large, 1.0)
        rows, columns = np.nonzero(Edges()(255.0 * large[np.newaxis])[0])
        if len(rows) < 3:
            raise InputError(f"image {number} has no edges to match; leave out images of uniform brightness")
        spread = spread_points(np.column_stack([rows, columns]).astype(np.float64), n_points)
        down, across = np.gradient(smooth)
        at = spread.astype(np.intp)
        angles = np.arctan2(down[at[:, 0], at[:, 1]], across[at[:, 0], at[:, 1]])
        points = (spread + 0.5) / ENLARGED - 0.5
        found.append(Shape(points, angles, around(points), _patches(image, points)))
    return tuple(found)


def spread_points(points: Floats, n: int) -> Floats:
    """Return `n` points by farthest-point sampling.

    Examples
    --------
    >>> spread_points(np.array([[0.0, 0.0], [0.0, 1.0], [0.0, 9.0]]), 2).tolist()
    [[0.0, 0.0], [0.0, 9.0]]
    """
    kept = [0]
    nearest = np.square(points - points[0]).sum(axis=1)
    for _ in range(min(n, len(points)) - 1):
        kept.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, np.square(points - points[kept[-1]]).sum(axis=1))
    return points[np.resize(np.array(kept), n)]


def _patches(image: Floats, points: Floats) -> Floats:
    """Return the brightness around each point times the root of a Gaussian window, so that squares are weighted."""
    from scipy import ndimage

    reach = np.arange(PATCH) - PATCH // 2
    window = np.exp(-0.5 * np.square(reach / 1.5))
    window = np.sqrt(np.outer(window, window).ravel() / np.outer(window, window).sum())
    down, across = (each.ravel() for each in np.meshgrid(reach, reach, indexing="ij"))
    where = np.stack([points[:, :1] + down, points[:, 1:] + across])
    return np.asarray(ndimage.map_coordinates(image, where, order=1) * window)
