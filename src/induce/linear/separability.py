"""Linear separability, decided by linear programming (Mitchell §4.4.4; AIMA 18.6.3, exercise 18.20)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.values import Value, positive_rows
from induce.data.table import encode_declared
from induce.data.training import training_frame, training_schema
from induce.hypotheses.naming import plural, value_text
from induce.linear.terms import Design

Floats = NDArray[np.float64]

TOUCHING = 1e-9
"""Fraction of the columns' ranges below which margins count as zero."""
MOST_POINTS = 400
MOST_INPUTS = 4
AT_ONCE = 200
"""Number of rows added to the linear program at a time."""


@dataclass(frozen=True, eq=False)
class Separation:
    """Linear separability of two classes, with a proof.

    Parameters
    ----------
    separable : bool
        Whether a plane separates the classes.
    classes : tuple
        The two classes; the second is on the positive side.
    terms : tuple of str
        Names of the terms.
    intercept : float
        Intercept of the plane.
    weights : array of float
        Separating plane; zero if there is none.
    margin : float
        Distance of the nearest row from the plane, in the units of the columns.
    multipliers : array of float
        Weights of the rows if no plane separates the classes. They sum to 1 for each class, and the weighted
        means of both classes coincide.
    """

    separable: bool
    classes: tuple[Value, ...]
    terms: tuple[str, ...]
    intercept: float
    weights: Floats
    margin: float
    multipliers: Floats

    def __bool__(self) -> bool:
        return self.separable

    def __str__(self) -> str:
        if self.separable:
            parts = [
                f"{weight:+.4g} {name}"
                for name, weight in zip(self.terms, self.weights, strict=True)
                if weight
            ]
            formula = " ".join([f"{self.intercept:.4g}", *parts])
            return f"separable: {value_text(self.classes[-1])} if {formula} > 0 (margin {self.margin:.4g})"
        rows = np.flatnonzero(self.multipliers)
        shown = ", ".join(f"{self.multipliers[row]:.3g} of row {row}" for row in rows[:6])
        more = f" and {plural(len(rows) - 6, 'more row')}" if len(rows) > 6 else ""
        return f"not separable: the weighted means of both classes coincide ({shown}{more})"


def separable(X: Any, y: Any) -> Separation:
    """Decide whether a plane separates two classes, with a proof.

    Columns may be nominal and have missing values, as for `LogisticRegression`.

    Parameters
    ----------
    X : frame or array
        Table of the rows.
    y : series, array or list
        Class of each row; two classes.

    Examples
    --------
    >>> corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> print(separable(corners, ["no", "yes", "yes", "yes"]))
    separable: yes if -1 +2 x0 +2 x1 > 0 (margin 0.3536)
    >>> print(separable(corners, ["no", "yes", "yes", "no"]))
    not separable: the weighted means of both classes coincide (0.5 of row 0, 0.5 of row 1, ...)
    """
    x, names, classes, sign = _sides(X, y)
    if len(classes) < 2:
        return Separation(True, classes, names, 1.0, np.zeros(x.shape[1]), np.inf, np.zeros(len(x)))
    plane, multipliers = separating_plane(x, sign)
    if plane is None:
        total = multipliers[sign > 0].sum()
        nothing = np.zeros(x.shape[1])
        return Separation(False, classes, names, 0.0, nothing, 0.0, multipliers / total)
    intercept, weights = float(plane[0]), plane[1:]
    inside = sign * (x @ weights + intercept)
    scale = float(inside.min())  # the nearest row has a sum of 1 or -1
    margin = scale / float(np.linalg.norm(weights))
    return Separation(True, classes, names, intercept / scale, weights / scale, margin, np.zeros(len(x)))


def _sides(X: Any, y: Any) -> tuple[Floats, tuple[str, ...], tuple[Value, ...], Floats]:
    """Return the rows as terms, the names of the terms, the classes, and the side of each row: 1 or -1."""
    raw = training_frame(X)
    labels = np.asarray(y)
    if labels.ndim != 1 or len(labels) != raw.n_rows:
        raise InputError(f"y has shape {labels.shape}, but X has {raw.n_rows} rows; give one class per row")
    classes = tuple(np.unique(labels).tolist())
    if len(classes) > 2:
        raise InputError(f"y has {len(classes)} classes; give two")
    table = encode_declared(raw, training_schema(raw, len(labels), None, False))
    design = Design.of(table, np.ones(len(labels)))
    return design.matrix(table), design.names, classes, np.where(labels == classes[-1], 1.0, -1.0)


def least_slack(X: Any, y: Any) -> tuple[Floats, float]:
    """Return the plane with the smallest total slack, whether or not the classes are separable.

    A row on side s with sum z has the slack max(0, 1 - s z). A linear program minimises the total, which is 0
    if and only if a plane separates the classes.

    Parameters
    ----------
    X : frame or array
        Table of the rows.
    y : series, array or list
        Class of each row; two classes.

    Returns
    -------
    weights : array of float
        Intercept and the weight of each term.
    slack : float
        Total slack of all rows.

    References
    ----------
    R. O. Duda and P. E. Hart (1973). Pattern Classification and Scene Analysis. Wiley, p. 168.

    Examples
    --------
    >>> corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> least_slack(corners, ["no", "yes", "yes", "yes"])[1], least_slack(corners, ["no", "yes", "yes", "no"])[1]
    (0.0, 4.0)
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix, eye, hstack

    x, _, classes, sign = _sides(X, y)
    n, p = x.shape
    if len(classes) < 2:
        return np.append(1.0, np.zeros(p)), 0.0
    sides = csr_matrix(sign[:, np.newaxis] * np.column_stack([np.ones(n), x]))
    found = linprog(
        np.concatenate([np.zeros(p + 1), np.ones(n)]),
        A_ub=hstack([-sides, -eye(n)], format="csr"),
        b_ub=-np.ones(n),
        bounds=[(None, None)] * (p + 1) + [(0.0, None)] * n,
        method="highs",
    )
    if found.x is None:
        raise InputError(f"the linear program found no plane: {found.message}")
    return np.asarray(found.x[: p + 1]), float(found.fun) + 0.0


def separating_plane(x: Floats, sign: Floats) -> tuple[Floats | None, Floats]:
    """Return the intercept and the weights of a plane with every row on its side, or None.

    Parameters
    ----------
    x : array of float, shape (rows, columns)
    sign : array of float
        Side of each row: 1 or -1.

    Returns
    -------
    plane : array of float or None
    multipliers : array of float
        Weights of the rows that prove that no plane exists; zero if one exists.

    Examples
    --------
    >>> plane, _ = separating_plane(np.array([[0.0], [1.0], [3.0]]), np.array([-1.0, -1.0, 1.0]))
    >>> (plane / plane[1]).round(9).tolist()
    [-2.0, 1.0]
    """
    if not len(x) or (sign == sign[0]).all():
        return np.append(sign[0] if len(x) else 1.0, np.zeros(x.shape[1])), np.zeros(len(x))
    centre = (x.max(axis=0) + x.min(axis=0)) / 2.0
    reach = np.maximum((x.max(axis=0) - x.min(axis=0)) / 2.0, 1e-300)
    w, multipliers = _plane(sign[:, np.newaxis] * np.column_stack([np.ones(len(x)), (x - centre) / reach]))
    if w is None:
        return None, multipliers
    weights = w[1:] / reach
    return np.append(w[0] - weights @ centre, weights), multipliers


def _plane(sides: Floats) -> tuple[Floats | None, Floats]:
    """Return weights with sides · w > 0 for all rows, or multipliers λ >= 0 with λ · sides = 0.

    The minimum of sides · w is maximised over weights between -1 and 1. Few rows are binding, so the program
    starts with a few and adds violated ones.
    """
    from scipy.optimize import linprog

    n, p = sides.shape
    active = np.unique(np.linspace(0, n - 1, min(n, 4 * p)).astype(np.intp))
    while True:
        rows = np.column_stack([-sides[active], np.ones(len(active))])
        found = linprog(
            np.append(np.zeros(p), -1.0),
            A_ub=rows,
            b_ub=np.zeros(len(active)),
            bounds=[(-1.0, 1.0)] * p + [(None, None)],
            method="highs",
        )
        w, depth = found.x[:p], float(found.x[p])
        if depth <= TOUCHING:
            multipliers = np.zeros(n)
            multipliers[active] = np.maximum(-found.ineqlin.marginals, 0.0)
            return None, np.where(multipliers > 1e-12, multipliers, 0.0)
        inside = sides @ w
        inside[active] = np.inf
        worst = np.argsort(inside, kind="stable")[:AT_ONCE]
        worst = worst[inside[worst] < depth * (1.0 - 1e-9)]
        if not len(worst):
            return w, np.zeros(n)
        active = np.append(active, worst)


def fewest_errors(X: Any, y: Any) -> tuple[Floats, int]:
    """Return the line with the fewest errors for points in the plane, and the number of errors.

    All lines through two points are tried, shifted slightly to either side of the points on them.

    Parameters
    ----------
    X : array of float, shape (points, 2)
        Points; at most 400.
    y : array
        Class of each point, one of two; the positive one belongs on the positive side.

    Returns
    -------
    weights : array of float
        Intercept and two weights.
    errors : int

    Examples
    --------
    >>> weights, errors = fewest_errors([[0, 0], [1, 1], [0, 1], [1, 0]], [False, False, True, True])
    >>> errors
    1
    """
    points, side = np.asarray(X, np.float64), positive_rows(y)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) != len(side):
        raise InputError(f"X has shape {points.shape}; give two numbers and a class per point")
    if len(points) > MOST_POINTS:
        raise InputError(
            f"there are {len(points)} points, too many to try all lines; give at most {MOST_POINTS}"
        )
    few = bool(side.sum() * 2 > len(side))
    best = np.array([1.0 if few else -1.0, 0.0, 0.0])
    errors = int(min(side.sum(), (~side).sum()))
    for i in range(len(points)):
        for j in range(i + 1, len(points)):
            along = points[j] - points[i]
            length = float(np.hypot(*along))
            if length == 0.0:
                continue
            normal = np.array([-along[1], along[0]]) / length
            for line in _moved(points, points[i], along / length, normal):
                wrong = int(((points @ line[1:] + line[0] > 0) != side).sum())
                for turned, count in ((line, wrong), (-line, len(side) - wrong)):
                    if count < errors:
                        best, errors = turned, count
    return best, errors


def _moved(points: Floats, through: Floats, along: Floats, normal: Floats) -> list[Floats]:
    """Return lines near one through points: shifted to both sides, and rotated slightly between points on it."""
    away = (points - through) @ normal
    at = (points - through) @ along
    on = np.abs(away) < 1e-9 * max(1.0, float(np.abs(points).max()))
    free = np.abs(away[~on])
    room = 0.5 * float(free.min()) if len(free) else 1.0
    start = -float(through @ normal)
    found = [np.array([start + shift, *normal]) for shift in (room, -room)]
    places = np.unique(at[on])
    for left, right in pairwise(places):
        middle = 0.5 * (left + right)
        reach = np.abs(at[~on] - middle)
        angle = 0.5 * float(np.min(free / np.maximum(reach, 1e-300))) if len(free) else 0.5
        pivot = through + middle * along
        for tilt in (min(angle, 0.5), -min(angle, 0.5)):
            turned = normal + tilt * along
            found.append(np.array([-float(pivot @ turned), *turned]))
    return found


def threshold_functions(n: int) -> int:
    """Count the Boolean functions of `n` inputs that a single threshold unit computes (exercise 18.20).

    Integer weights from -3 to 3 suffice for up to four inputs.

    Parameters
    ----------
    n : int
        Number of inputs.

    Examples
    --------
    >>> [threshold_functions(n) for n in range(1, 5)]
    [4, 14, 104, 1882]
    """
    if not 1 <= n <= MOST_INPUTS:
        raise InputError(f"n is {n}; give a number of inputs from 1 to {MOST_INPUTS}")
    inputs = np.array(list(product((0, 1), repeat=n)))
    weights = np.array(list(product(range(-3, 4), repeat=n)))
    sums = weights @ inputs.T
    powers = 1 << np.arange(2**n)
    found: set[int] = set()
    for threshold in np.arange(-3 * n - 0.5, 3 * n + 1):
        found.update(((sums > threshold) @ powers).tolist())
    return len(found)
