"""Matching two shapes: shape contexts, assignment, thin-plate spline (Belongie, Malik and Puzicha 2002)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.loops import repeated
from induce.instances.shapes._loops import chi_square, contexts

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

RINGS, SECTORS = 5, 12
INNER, OUTER = 0.125, 2.0
"""Nearest and farthest ring, in units of the mean distance of points."""
TANGENTS = 0.3
"""Share of the directions of edges in the cost of a pair."""
PATCH = 5
"""Rows and columns of the piece of an image around a point, whose brightness is compared."""
ROUNDS = 3
STIFFNESS = 1.0
"""Regularisation of the spline in the first round; it falls by `EASING` from round to round."""
EASING = 0.5
WEIGHTS = (1.6, 1.0, 0.3)
"""How much brightness, contexts and bending count in the distance."""


@dataclass(frozen=True, eq=False)
class Shape:
    """Points on the edges of an image, with what is seen around them.

    Parameters
    ----------
    points : array, shape (points, 2)
        Rows and columns.
    angles : array
        Directions of the slope at each point.
    histograms : array
        Shape contexts: the shares of the other points in rings and sectors.
    patches : array
        Brightness around each point, 0 to 1, weighted by nearness.
    """

    points: Floats
    angles: Floats
    histograms: Floats
    patches: Floats


@dataclass(frozen=True, eq=False)
class Match:
    """How one shape becomes another.

    Parameters
    ----------
    pairs : array of int
        For each point of the first shape its partner in the second.
    moved : array
        The points of the first shape after the transformation.
    context, brightness, bending : float
        Costs: mean distance of shape contexts, of the brightness around partners, energy of the spline per point.
    """

    pairs: Places
    moved: Floats
    context: float
    brightness: float
    bending: float

    @property
    def distance(self) -> float:
        """The weighted sum of the three costs.

        Examples
        --------
        >>> Match(np.arange(2), np.zeros((2, 2)), 0.25, 0.125, 0.5).distance
        0.6
        """
        bright, near, bent = WEIGHTS
        return bright * self.brightness + near * self.context + bent * self.bending


def match(first: Shape, second: Shape, rounds: int = ROUNDS) -> Match:
    """Align the first shape with the second: assign points, fit the spline, move the points, and again.

    Parameters
    ----------
    first, second : Shape
        With the same number of points.
    rounds : int

    Examples
    --------
    >>> from induce.data.images import generated_digits
    >>> from induce.instances.shapes.points import shapes_of
    >>> data = generated_digits(12)
    >>> shapes = shapes_of(data.grid.images(data.X), 40)
    >>> match(shapes[0], shapes[0]).distance < 1e-6
    True
    """
    if len(first.points) != len(second.points):
        raise InputError(
            f"shapes of {len(first.points)} and {len(second.points)} points cannot be matched; sample as many of both"
        )
    from scipy.optimize import linear_sum_assignment

    slant = TANGENTS * 0.5 * (1.0 - np.cos(first.angles[:, np.newaxis] - second.angles))
    moved, histograms, bending = first.points, first.histograms, 0.0
    stiffness = STIFFNESS
    for _ in range(rounds):
        costs = (1.0 - TANGENTS) * differences(histograms, second.histograms) + slant
        # rounded, so that equal costs are equal on every processor
        _, pairs = linear_sum_assignment(np.round(costs, 9))
        moved, bending = spline(first.points, second.points[pairs], stiffness)
        histograms = around(moved)
        stiffness *= EASING
    costs = differences(histograms, second.histograms)
    context = 0.5 * float(costs.min(axis=1).mean() + costs.min(axis=0).mean())
    brightness = float(np.square(first.patches - second.patches[pairs]).sum(axis=1).mean())
    return Match(np.asarray(pairs), moved, context, brightness, bending)


def around(points: Floats) -> Floats:
    """Return the shape context of each point: shares of the others in 5 rings and 12 sectors."""
    loop = repeated(contexts, 10.0 * len(points) ** 2)
    return np.asarray(loop(np.ascontiguousarray(points), RINGS, SECTORS, INNER, OUTER))


def differences(a: Floats, b: Floats) -> Floats:
    """Return half the chi-square distance between shape contexts, from 0 to 1."""
    return np.asarray(repeated(chi_square, float(3 * len(a) * b.size))(a, b))


def spline(source: Floats, target: Floats, stiffness: float = 0.0) -> tuple[Floats, float]:
    """Move points by the thin-plate spline that takes sources to targets; return them and the energy per point.

    Parameters
    ----------
    source, target : array, shape (points, 2)
    stiffness : float
        How much bending counts beside distances from targets, at a scale-free unit; 0 meets the targets.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.5, 0.5]])
    >>> moved, energy = spline(square, square @ np.array([[1.0, 0.2], [0.0, 1.1]]) + 3.0)
    >>> abs(energy) < 1e-9
    True
    """
    n = len(source)
    centre = source.mean(axis=0)
    unit = max(float(np.sqrt(np.square(source - centre).sum(axis=1).mean())), 1e-9)
    start, end = (source - centre) / unit, (target - centre) / unit
    squares = np.square(start[:, np.newaxis] - start).sum(axis=2)
    kernel = 0.5 * squares * np.log(np.maximum(squares, 1e-12))  # r² log r
    plane = np.column_stack([np.ones(n), start])
    system = np.zeros((n + 3, n + 3))
    system[:n, :n] = kernel + stiffness * np.eye(n)
    system[:n, n:], system[n:, :n] = plane, plane.T
    # points that coincide, or lie on one line, leave the spline undetermined: the smallest weights are taken
    system[np.arange(n + 3), np.arange(n + 3)] += 1e-9
    right = np.concatenate([end, np.zeros((3, 2))])
    weights = np.linalg.solve(system, right)
    moved = kernel @ weights[:n] + plane @ weights[n:]
    energy = float((weights[:n] * (kernel @ weights[:n])).sum()) / n
    return moved * unit + centre, max(energy, 0.0)
