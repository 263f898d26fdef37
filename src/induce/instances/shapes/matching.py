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
TANGENTS = 0.1
"""Weight of the edge directions in the cost of a pair."""
DUMMIES, DUMMY_COST = 0.25, 0.2
"""Number of dummy points as a fraction of the points, and the cost of an assignment to one."""
PATCH = 5
"""Number of rows and columns of the image patch around a point whose brightness is compared."""
ROUNDS = 3
STIFFNESS = 1.0
"""Regularisation of the spline."""
WEIGHTS = (6.4, 1.0, 0.3)
"""Weights of brightness, contexts and bending in the distance."""


@dataclass(frozen=True, eq=False)
class Shape:
    """Points on the edges of an image, with their surroundings.

    Parameters
    ----------
    points : array, shape (points, 2)
        Row and column of each point.
    angles : array
        Direction of the gradient at each point.
    histograms : array
        Shape contexts: the fractions of the other points in rings and sectors.
    patches : array
        Brightness around each point, 0 to 1, weighted by nearness.
    """

    points: Floats
    angles: Floats
    histograms: Floats
    patches: Floats


@dataclass(frozen=True, eq=False)
class Match:
    """Alignment of one shape with another.

    Parameters
    ----------
    pairs : array of int
        Partner of each point of the first shape in the second; -1 if it has none.
    moved : array
        Points of the first shape after the transformation.
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
        1.2
        """
        bright, near, bent = WEIGHTS
        return bright * self.brightness + near * self.context + bent * self.bending


def match(first: Shape, second: Shape, rounds: int = ROUNDS) -> Match:
    """Align the first shape with the second by repeatedly assigning points, fitting the spline and moving the points.

    A point without a good partner is assigned to a dummy, which neither the spline nor the comparison of
    brightness uses.

    Parameters
    ----------
    first, second : Shape
        Shapes with the same number of points.
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
            f"the shapes have {len(first.points)} and {len(second.points)} points; sample the same "
            "number from both"
        )
    from scipy.optimize import linear_sum_assignment

    n = len(first.points)
    costs = np.full((n + int(DUMMIES * n),) * 2, DUMMY_COST)
    slant = TANGENTS * 0.5 * (1.0 - np.cos(first.angles[:, np.newaxis] - second.angles))
    histograms = first.histograms
    for _ in range(rounds):
        costs[:n, :n] = (1.0 - TANGENTS) * differences(histograms, second.histograms) + slant
        # rounded, so that ties are the same on every processor
        partners = linear_sum_assignment(np.round(costs, 9))[1][:n]
        pairs = np.where(partners < n, partners, -1)
        real = pairs >= 0
        bent = spline(first.points[real], second.points[pairs[real]], STIFFNESS)
        moved = bent(first.points)
        histograms = around(moved)
    between = differences(histograms, second.histograms)
    context = 0.5 * float(between.min(axis=1).mean() + between.min(axis=0).mean())
    windows = np.square(first.patches[real] - second.patches[pairs[real]]).sum(axis=1)
    return Match(pairs, moved, context, float(windows.mean()), bent.energy)


def around(points: Floats) -> Floats:
    """Return the shape context of each point: fractions of the others in 5 rings and 12 sectors."""
    loop = repeated(contexts, 10.0 * len(points) ** 2)
    return np.asarray(loop(np.ascontiguousarray(points), RINGS, SECTORS, INNER, OUTER))


def differences(a: Floats, b: Floats) -> Floats:
    """Return half the chi-square distance between shape contexts, from 0 to 1."""
    return np.asarray(repeated(chi_square, float(3 * len(a) * b.size))(a, b))


@dataclass(frozen=True, eq=False)
class Spline:
    """A thin-plate spline: an affine map plus a radial function around each source.

    Parameters
    ----------
    sources : array, shape (points, 2)
        Scaled sources.
    centre, unit : array, float
        Mean of the sources, and their spread.
    weights : array, shape (points + 3, 2)
        Weights of the radial functions, then of the affine map.
    energy : float
        Bending energy per point.
    """

    sources: Floats
    centre: Floats
    unit: float
    weights: Floats
    energy: float

    def __call__(self, points: Floats) -> Floats:
        """Return the transformed points."""
        at = (points - self.centre) / self.unit
        n = len(self.sources)
        moved = _bumps(at, self.sources) @ self.weights[:n] + _plane(at) @ self.weights[n:]
        return np.asarray(moved * self.unit + self.centre)


def spline(source: Floats, target: Floats, stiffness: float = 0.0) -> Spline:
    """Return the thin-plate spline that maps sources to targets.

    Parameters
    ----------
    source, target : array, shape (points, 2)
    stiffness : float
        Weight of bending relative to distances from targets, scale-free; 0 interpolates the targets.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.5, 0.5]])
    >>> sheared = spline(square, square @ np.array([[1.0, 0.2], [0.0, 1.1]]) + 3.0)
    >>> sheared(np.array([[0.0, 2.0]])).round(3).tolist(), abs(sheared.energy) < 1e-9
    ([[3.0, 5.2]], True)
    """
    n = len(source)
    centre = source.mean(axis=0)
    unit = max(float(np.sqrt(np.square(source - centre).sum(axis=1).mean())), 1e-9)
    start, end = (source - centre) / unit, (target - centre) / unit
    kernel, plane = _bumps(start, start), _plane(start)
    system = np.zeros((n + 3, n + 3))
    system[:n, :n] = kernel + stiffness * np.eye(n)
    system[:n, n:], system[n:, :n] = plane, plane.T
    # coincident or collinear points leave the spline undetermined: the smallest weights are used
    system[np.arange(n + 3), np.arange(n + 3)] += 1e-9
    weights = np.linalg.solve(system, np.concatenate([end, np.zeros((3, 2))]))
    energy = float((weights[:n] * (kernel @ weights[:n])).sum()) / n
    return Spline(start, centre, unit, weights, max(energy, 0.0))


def _bumps(points: Floats, sources: Floats) -> Floats:
    """Return r² log r of each point from each source."""
    squares = np.square(points[:, np.newaxis] - sources).sum(axis=2)
    return np.asarray(0.5 * squares * np.log(np.maximum(squares, 1e-12)))


def _plane(points: Floats) -> Floats:
    return np.column_stack([np.ones(len(points)), points])
