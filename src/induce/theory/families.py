"""Dichotomies of points by families of regions, and tables of small classes (Mitchell §7.4.2, ex. 7.5)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.checks import at_least, one_of
from induce.core.errors import InputError
from induce.linear.separability import separating_plane
from induce.theory import checks
from induce.theory.checks import Bits

Floats = NDArray[np.float64]

MOST_POINTS = 12
MOST_ATTRIBUTES = 6
MARGIN = 1e-7


def dichotomies(points: ArrayLike, family: str) -> Bits:
    """Return the dichotomies of the given points realised by a family of regions, one per row.

    The result can be passed to `shattering` and `vc_dimension`. One shattered set of d points proves that the
    VC dimension is at least d. An upper bound requires a proof for all larger sets, which no calculation on a
    single set can give.

    Parameters
    ----------
    points : array-like, shape (points,) or (points, dimensions)
        Points, at most 12.
    family : {"boxes", "half-spaces", "discs"}
        Family of regions: axis-parallel boxes (intervals in one dimension), half-spaces (a linear unit), or
        balls.

    Examples
    --------
    >>> from induce.theory.vc import shattering
    >>> print(shattering(dichotomies([3.1, 5.7], "boxes")))
    2 instances shattered: 4 of 4 dichotomies
    >>> print(shattering(dichotomies([[0, 0], [1, 1], [0, 1], [1, 0]], "half-spaces")))
    4 instances not shattered: 14 of 16 dichotomies; missing 0011, 1100
    """
    one_of("family", family, FAMILIES)
    places = checks.coordinates(points)
    if places is None or not 1 <= len(places) <= MOST_POINTS:
        raise InputError(f"points must be a list of 1 to {MOST_POINTS} points with finite coordinates")
    labels = (np.array(each, np.bool_) for each in product((False, True), repeat=len(places)))
    return np.array([each for each in labels if FAMILIES[family](places, each)])


def _boxed(points: Floats, inside: Bits) -> bool:
    if not inside.any():
        return True
    low, high = points[inside].min(axis=0), points[inside].max(axis=0)
    return not ((points[~inside] >= low) & (points[~inside] <= high)).all(axis=1).any()


def _separated(points: Floats, inside: Bits) -> bool:
    return separating_plane(points, np.where(inside, 1.0, -1.0))[0] is not None


def _in_disc(points: Floats, inside: Bits) -> bool:
    return _disc(points, inside) is not None


def _disc(points: Floats, inside: Bits) -> Floats | None:
    # |x|² - 2 a x + c < 0 is linear in a and c
    return _with_margin(np.column_stack([points, np.ones(len(points))]), -(points**2).sum(axis=1), inside)


def disc_around(points: Floats, inside: Bits) -> tuple[Floats, float]:
    """Return the centre and the radius of a disc that contains the inside points and no others.

    Examples
    --------
    >>> centre, radius = disc_around(np.array([[0.0, 0.0], [4.0, 0.0]]), np.array([True, False]))
    >>> bool(np.hypot(*centre) < radius < np.hypot(*(centre - [4.0, 0.0])))
    True
    """
    found = _disc(points, inside)
    if found is None:
        raise InputError("no disc contains these points and no others")
    centre = found[:-1] / 2.0
    return centre, float(np.sqrt(max(found[-1] + centre @ centre, 0.0)))


def _with_margin(features: Floats, offset: Floats, inside: Bits) -> Floats | None:
    """Return weights such that features · w + offset is positive for exactly the inside points."""
    from scipy.optimize import linprog  # `linear.separating_plane` does not support a fixed offset

    sign = np.where(inside, 1.0, -1.0)
    n_weights = features.shape[1]
    # maximise t with sign (features · w + offset) >= t, bounded so that the linear programme is too
    found = linprog(
        np.append(np.zeros(n_weights), -1.0),
        np.column_stack([-sign[:, None] * features, np.ones(len(features))]),
        sign * offset,
        bounds=[(None, None)] * n_weights + [(None, 1.0)],
    )
    return np.asarray(found.x[:-1]) if found.status == 0 and -found.fun > MARGIN else None


FAMILIES: dict[str, Callable[[Floats, Bits], bool]] = {
    "boxes": _boxed,
    "half-spaces": _separated,
    "discs": _in_disc,
}


def conjunction_table(n: int, *, always_false: bool = False) -> Bits:
    """Return the labels of all instances by every conjunction of literals over n Boolean attributes.

    Parameters
    ----------
    n : int
        Number of attributes, at most 6.
    always_false : bool
        Whether to include the hypothesis that covers nothing, with which Find-S starts.

    Examples
    --------
    >>> from induce.theory.vc import vc_dimension
    >>> conjunction_table(3).shape, vc_dimension(conjunction_table(3)).value
    ((27, 8), 3)
    """
    _check_attributes(n, 1)
    instances = np.array(list(product((0, 1), repeat=n)))
    demands = np.array(list(product((0, 1, 2), repeat=n)))  # 2: no constraint
    table = ((demands[:, None, :] == 2) | (demands[:, None, :] == instances)).all(axis=2)
    return np.asarray(np.vstack([table, np.zeros((int(always_false), len(instances)), np.bool_)]))


def regular_tree_table(n: int) -> Bits:
    """Return the labels of all instances by every regular tree of depth 2 over n attributes (exercise 7.7).

    Such a tree tests one attribute, and then the same second attribute on both sides; there are 16 n (n - 1)
    trees, but fewer functions.

    Parameters
    ----------
    n : int
        Number of Boolean attributes, at most 6.

    Examples
    --------
    >>> from induce.theory.vc import concepts
    >>> [(len(regular_tree_table(n)), len(concepts(regular_tree_table(n)))) for n in (2, 3, 4)]
    [(32, 16), (96, 38), (192, 70)]
    """
    _check_attributes(n, 2)
    instances = np.array(list(product((0, 1), repeat=n)))
    leaves = np.array(list(product((False, True), repeat=4)))
    reached = [2 * instances[:, root] + instances[:, below] for root, below in permutations(range(n), 2)]
    return np.asarray(np.vstack([leaves[:, leaf] for leaf in reached]))


def _check_attributes(n: int, least: int) -> None:
    at_least("n", n, least, whole=True)
    if n > MOST_ATTRIBUTES:
        raise InputError(
            f"n is {n}; give at most {MOST_ATTRIBUTES} attributes, since the table has every hypothesis"
        )
