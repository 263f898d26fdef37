"""Regions of space and networks as hypothesis classes, with VC dimensions (Mitchell §7.4, ex. 7.2, 7.5)."""

from __future__ import annotations

import math

from induce.core.checks import at_least
from induce.theory.checks import finite
from induce.theory.space import Space


def thresholds() -> Space:
    """Return the class of half-lines: all numbers at or above a threshold."""
    return Space("thresholds on the line", vc=1)


def intervals() -> Space:
    """Return the class of intervals of the real line (§7.4.2)."""
    return Space("intervals on the line", vc=2)


def rectangles(d: int = 2) -> Space:
    """Return the class of axis-parallel boxes in d dimensions (exercise 7.5).

    Parameters
    ----------
    d : int
        Number of dimensions; 2 by default.
    """
    at_least("d", d, 1, whole=True)
    finite("d", d, 1)
    return Space(f"axis-parallel boxes in {d} dimensions", vc=2 * d)


def grid_rectangles(side: int, d: int = 2) -> Space:
    """Return the class of boxes with integer corners on a grid of `side` points per axis (exercise 7.2).

    Parameters
    ----------
    side : int
        Number of grid points per axis.
    d : int
        Number of axes; 2 by default.

    Examples
    --------
    >>> print(grid_rectangles(100))
    axis-parallel boxes on a grid of 100 by 100: 25,502,500 hypotheses, VC dimension 4
    """
    at_least("side", side, 3, whole=True)
    at_least("d", d, 1, whole=True)
    finite("d", d, 1)
    places = " by ".join([str(side)] * d) if d < 4 else f"{side} along each of {d} axes"
    return Space(f"axis-parallel boxes on a grid of {places}", d * math.log(side * (side + 1) // 2), 2 * d)


def half_spaces(r: int) -> Space:
    """Return the class of half-spaces in r dimensions: a perceptron with r inputs (§7.4.2).

    Parameters
    ----------
    r : int
        Number of dimensions.
    """
    at_least("r", r, 1, whole=True)
    return Space(f"half-spaces in {r} dimensions", vc=r + 1)


def circles() -> Space:
    """Return the class of discs in the plane (exercise 7.5)."""
    return Space("discs in the plane", vc=3)


def triangles() -> Space:
    """Return the class of triangles in the plane (exercise 7.5)."""
    return Space("triangles in the plane", vc=7)


def layered_network(nodes: int, unit_vc: float) -> Space:
    """Return the class of layered acyclic networks of units of equal VC dimension (theorem 7.4).

    Parameters
    ----------
    nodes : int
        Number of units, s; at least 2.
    unit_vc : float
        VC dimension of each unit, d.

    Examples
    --------
    >>> round(layered_network(2, 3).vc, 3)
    29.312
    """
    at_least("nodes", nodes, 2, whole=True)
    finite("nodes", nodes, 2)
    finite("unit_vc", unit_vc, 1)
    dimension = 2 * unit_vc * nodes * math.log2(math.e * nodes)
    return Space(f"layered networks of {nodes} units", vc=dimension, vc_is_exact=False)


def perceptron_network(r: int, s: int) -> Space:
    """Return the class of layered networks of s perceptrons with at most r inputs each (§7.4.4).

    The VC dimension is at most 2 (r + 1) s log2(e s). Sigmoid units can compute whatever perceptrons can, so
    their dimension is at least as large. Small initial weights and early stopping of back-propagation are not
    accounted for.

    Parameters
    ----------
    r : int
        Maximum number of inputs of each perceptron.
    s : int
        Number of perceptrons.
    """
    at_least("r", r, 1, whole=True)
    finite("r", r, 1)
    return layered_network(s, r + 1)


def rows_by_weights(n_weights: int) -> tuple[int, int]:
    """Return two rules of thumb for the number of rows that a network needs (AIMA §20.5, notes).

    For W weights, they are 10 W and W ln W. The first is Uncle Bernie's rule (Widrow); the second is the
    growth rate of the bound of Baum and Haussler (1989), without its constants.

    Parameters
    ----------
    n_weights : int
        Number W of weights of the network.

    Examples
    --------
    >>> rows_by_weights(123_300)
    (1233000, 1445369)
    """
    at_least("n_weights", n_weights, 1, whole=True)
    finite("n_weights", n_weights, 1)
    return 10 * n_weights, round(n_weights * math.log(n_weights))
