"""The k-d tree, for inspection (Mitchell §8.2.2, Bentley 1975; Russell and Norvig, section 18.8.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least, one_of
from induce.core.errors import InputError
from induce.distances.base import Distance
from induce.distances.metrics import distance, encoded
from induce.distances.rows import Rows
from induce.hypotheses.naming import number_text
from induce.instances.search._loops import insert

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
LEAF = -1


@dataclass(frozen=True)
class NeighborSearch:
    """Result of a search, and the part of the tree it visited.

    Parameters
    ----------
    distances : tuple of float
        Distances, nearest first.
    places : tuple of int
        Indices of the rows; ties go to the first stored.
    nodes : int
        Number of visited nodes, including leaves.
    rows : int
        Number of rows compared with the query.
    """

    distances: tuple[float, ...]
    places: tuple[int, ...]
    nodes: int
    rows: int


@dataclass(frozen=True, eq=False)
class KDTree:
    """A binary tree that splits points at the median of one axis at a time, until each leaf has one point.

    A point goes left if its value is at most the lower median. If all values on an axis are equal, the next
    axis is tested; points that are equal on all axes share a leaf. The nearest points are those of a linear
    scan, for any metric; learners have faster searches with the same result.

    Parameters
    ----------
    distance : Distance
        Distance between numeric rows that is a sum over axes.
    points : Rows
        Stored points, one row each.
    axis : array of int, one for each node
        Tested axis; -1 for a leaf.
    threshold : array of float64, one for each node
        Threshold of the test of each node; points at or below it go left.
    left, right : array of int, one for each node
        Children of a node; for a leaf, the range of its rows in `rows`.
    rows : array of int
        Indices of the points in leaf order.

    Examples
    --------
    >>> tree = KDTree.of([(2, 3), (5, 4), (9, 6), (4, 7), (8, 1), (7, 2)])
    >>> print(tree)
    x0 <= 5
      x1 <= 4
        x0 <= 2: (2, 3)
        x0 > 2: (5, 4)
      x1 > 4: (4, 7)
    x0 > 5
      x1 <= 2
        x0 <= 7: (7, 2)
        x0 > 7: (8, 1)
      x1 > 2: (9, 6)
    >>> tree.search((9, 2), k=2)
    NeighborSearch(distances=(1.4142135623730951, 2.0), places=(4, 5), nodes=6, rows=3)
    """

    distance: Distance
    points: Rows
    axis: NDArray[np.int64]
    threshold: Floats
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    rows: NDArray[np.int64]

    @classmethod
    def of(cls, X: Any, axes: str = "cycle", metric: str = "euclidean", p: float = 2.0) -> KDTree:
        """Build the tree of the rows of a numeric frame or array.

        Parameters
        ----------
        X : frame or array
            Numeric rows without missing values.
        axes : {"cycle", "widest"}
            Split axis: the axes in turn, level by level, or the axis of largest spread.
        metric : {"euclidean", "manhattan", "chebyshev", "minkowski"}
        p : float
            Power of ``metric="minkowski"``.
        """
        one_of("axes", axes, ("cycle", "widest"))
        one_of("metric", metric, ("euclidean", "manhattan", "chebyshev", "minkowski"))
        table = encoded(X)
        measure = distance(metric, table, p=p)
        points = measure.rows(table)
        if not points.known():
            raise InputError(
                "a k-d tree needs numeric columns without missing values; leave out the other columns"
            )
        return cls(measure, points, *_grown(points.numbers, axes))

    @property
    def n_nodes(self) -> int:
        """Number of nodes, including leaves."""
        return len(self.axis)

    def depth(self) -> int:
        """Return the maximum number of tests."""
        depths = np.zeros(self.n_nodes, dtype=np.int64)
        for node in np.flatnonzero(self.axis != LEAF):
            depths[[self.left[node], self.right[node]]] = depths[node] + 1
        return int(depths.max())

    def search(self, x: Any, k: int = 1) -> NeighborSearch:
        """Return the k nearest rows of a point, or all if there are fewer.

        The side of the point is searched first. The other side is skipped if k rows nearer than the boundary
        have been found.
        """
        at_least("k", k, 1, whole=True)
        query = self.distance.rows([list(x)])
        if not query.known():
            raise InputError("the point has a missing value; give all values")
        k = min(k, len(self.points))
        best, found = np.full(k, np.inf), np.full(k, len(self.points), dtype=np.int64)
        point, boundary = query.numbers[0], query.numbers.copy()
        nodes = compared = 0
        waiting = [(0, 0.0)]  # nodes, with the minimum distance of their side
        while waiting:
            node, least = waiting.pop()
            if least > best[-1]:
                continue
            nodes += 1
            if self.axis[node] == LEAF:
                rows = self.rows[self.left[node] : self.right[node]]
                compared += len(rows)
                for row, power in zip(rows, self.distance.powers(query, self.points[rows])[0], strict=True):
                    insert(best, found, power, row)
                continue
            axis, threshold = self.axis[node], self.threshold[node]
            near, far = self.left[node], self.right[node]
            if point[axis] > threshold:
                near, far = far, near
            # The nearest point beyond the boundary differs from the query on this axis only, which gives the
            # minimum distance.
            boundary[0, axis] = threshold
            beyond = self.distance.powers(query, Rows(boundary, query.codes))[0, 0]
            boundary[0, axis] = point[axis]
            waiting += [(far, beyond), (near, least)]
        return NeighborSearch(
            tuple(self.distance.root(best).tolist()), tuple(found.tolist()), nodes, compared
        )

    def __str__(self) -> str:
        return "\n".join(self._lines(0, ""))

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the points and the boundaries between them, over the first two columns."""
        from induce.pictures.style import GREY, PALETTE, axes_for

        points = self.points.numbers
        if points.shape[1] != 2:
            raise InputError(
                f"the k-d tree has {points.shape[1]} columns; only trees with two columns can be plotted"
            )
        figure, axes = axes_for(ax, 5.5, 5.0)
        low, high = points.min(axis=0), points.max(axis=0)
        margin = 0.08 * np.maximum(high - low, 1e-9)
        waiting = [(0, low - margin, high + margin, 0)]
        while waiting:
            node, first, last, level = waiting.pop()
            if self.axis[node] == LEAF:
                continue
            axis, threshold = self.axis[node], self.threshold[node]
            line = [[first[0], last[0]], [first[1], last[1]]]
            line[axis] = [threshold, threshold]
            axes.plot(*line, color=GREY, lw=max(0.6, 2.2 - 0.4 * level), zorder=1)
            upper, lower = last.copy(), first.copy()
            upper[axis] = lower[axis] = threshold
            waiting += [
                (self.right[node], lower, last, level + 1),
                (self.left[node], first, upper, level + 1),
            ]
        axes.plot(*points.T, "o", color=PALETTE[0], ms=5, zorder=2)
        axes.set_xlim(low[0] - margin[0], high[0] + margin[0])
        axes.set_ylim(low[1] - margin[1], high[1] + margin[1])
        names = self.distance.schema.names()
        axes.set_xlabel(names[0])
        axes.set_ylabel(names[1])
        axes.set_title(f"{self.n_nodes} nodes, {self.depth()} levels of tests")
        return figure

    def _lines(self, node: int, indent: str) -> list[str]:
        if self.axis[node] == LEAF:
            rows = self.points.numbers[self.rows[self.left[node] : self.right[node]]]
            return [", ".join(f"({', '.join(map(number_text, row))})" for row in rows.tolist())]
        name = self.distance.schema.names()[self.axis[node]]
        lines = []
        for sign, child in (("<=", self.left[node]), (">", self.right[node])):
            below = self._lines(child, indent + "  ")
            head = f"{indent}{name} {sign} {number_text(float(self.threshold[node]))}"
            lines += [f"{head}: {below[0]}"] if self.axis[child] == LEAF else [head, *below]
        return lines


def _grown(points: Floats, axes: str) -> tuple[Places, Floats, Places, Places, Places]:
    """Return axis, threshold, left and right of each node, and the rows in the order of the leaves."""
    nodes: list[tuple[int, float]] = []
    links: list[list[int]] = []
    ordered: list[int] = []
    waiting: list[tuple[Places, int, int, int]] = [(np.arange(len(points)), 0, 0, 0)]
    while waiting:
        rows, level, parent, side = waiting.pop()
        if nodes:
            links[parent][side] = len(nodes)
        axis, threshold = _division(points[rows], axes, level)
        links.append([len(ordered), len(ordered) + len(rows)])
        if axis == LEAF:
            ordered += rows.tolist()
        else:
            left = points[rows, axis] <= threshold
            waiting += [(rows[~left], level + 1, len(nodes), 1), (rows[left], level + 1, len(nodes), 0)]
        nodes.append((axis, threshold))
    asked, thresholds = zip(*nodes, strict=True)
    below = np.array(links)
    return np.array(asked), np.array(thresholds), below[:, 0], below[:, 1], np.array(ordered)


def _division(points: Floats, axes: str, level: int) -> tuple[int, float]:
    """Return the axis to split and its lower median; no axis for points that need no split or cannot be split."""
    spread = np.ptp(points, axis=0)
    if len(points) < 2 or not spread.any():
        return LEAF, 0.0
    n_axes = points.shape[1]
    axis = int(np.argmax(spread))
    if axes == "cycle":
        axis = next(a % n_axes for a in range(level, level + n_axes) if spread[a % n_axes] > 0)
    numbers = np.sort(points[:, axis])
    median = numbers[(len(numbers) - 1) // 2]
    # if most values equal the maximum, split below it
    return axis, float(median if median < numbers[-1] else numbers[numbers < median][-1])
