"""Layout of a graph in layers, with few crossings and short lines (Sugiyama 1981)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SWEEPS = 24
BEND = 0.3
"""Width that a line needs where it passes a layer."""


@dataclass(frozen=True, eq=False)
class Layout:
    """Positions of nodes, and of the points that lines pass.

    Parameters
    ----------
    layers : tuple of tuples of int
        Points of each layer from left to right; those beyond the nodes are bends of lines.
    x : array of float64
        Horizontal position of each point.
    layer : array of int64
        Layer of each point.
    lines : tuple of tuples of int
        Points that each arc passes, from the parent to the child.
    """

    layers: tuple[tuple[int, ...], ...]
    x: Floats
    layer: NDArray[np.int64]
    lines: tuple[tuple[int, ...], ...]


def layout(parents: Sequence[Sequence[int]], widths: Sequence[float], gap: float) -> Layout:
    """Lay out an acyclic graph.

    Parameters
    ----------
    parents : sequence of sequences of int
        Parents of each node.
    widths : sequence of float
        Width of each node.
    gap : float
        Gap between neighbours.

    Examples
    --------
    >>> found = layout([[], [0], [0], [1, 2]], [1.0] * 4, 0.5)
    >>> found.layers, found.x.tolist()
    (((0,), (1, 2), (3,)), [1.25, 0.5, 2.0, 1.25])
    """
    layer = _layers(parents)
    own = list(widths)
    above: list[list[int]] = [[] for _ in parents]
    places = list(layer)
    lines = []
    for child, upper in enumerate(parents):
        for parent in upper:
            line = [parent]
            for level in range(layer[parent] + 1, layer[child]):
                above.append([line[-1]])
                own.append(BEND)
                places.append(level)
                line.append(len(places) - 1)
            above[child].append(line[-1])
            lines.append((*line, child))
    below: list[list[int]] = [[] for _ in places]
    for point, upper in enumerate(above):
        for each in upper:
            below[each].append(point)
    rows: list[list[int]] = [[] for _ in range(max(places, default=-1) + 1)]
    for point, level in enumerate(places):
        rows[level].append(point)
    rows = _ordered(rows, above, below)
    x = _placed(rows, above, below, np.array(own), gap)
    return Layout(tuple(map(tuple, rows)), x, np.array(places, np.int64), tuple(lines))


def _layers(parents: Sequence[Sequence[int]]) -> list[int]:
    """Return the layer of each node: below all its parents, with the least total arc length.

    This is a linear programme whose optimum is an integer solution (Gansner et al. 1993).
    """
    from scipy.optimize import linprog
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    arcs = [(parent, child) for child, upper in enumerate(parents) for parent in upper]
    if not arcs:
        return [0] * len(parents)
    rows = np.repeat(np.arange(len(arcs)), 2)
    signs = np.tile([1.0, -1.0], len(arcs))
    apart = coo_array((signs, (rows, np.array(arcs).reshape(-1))), (len(arcs), len(parents)))
    lengths = np.bincount([child for _, child in arcs], minlength=len(parents)).astype(float)
    lengths -= np.bincount([parent for parent, _ in arcs], minlength=len(parents))
    found = linprog(lengths, apart, -np.ones(len(arcs)), bounds=(0, len(parents)), method="highs-ds")
    layer = np.rint(found.x).astype(int)
    arcs_of = coo_array((np.ones(len(arcs)), np.array(arcs).T), (len(parents), len(parents)))
    n_parts, part = connected_components(arcs_of, directed=False)
    top = np.full(n_parts, len(parents))
    np.minimum.at(top, part, layer)
    return [int(level) for level in layer - top[part]]  # each connected component starts at the top


def _ordered(rows: list[list[int]], above: list[list[int]], below: list[list[int]]) -> list[list[int]]:
    """Return the layers in an order with few crossings: each point moves to the mean position of its neighbours."""
    best, fewest = rows, _crossings(rows, below)
    for sweep in range(SWEEPS):
        rows = [list(row) for row in rows]
        down = sweep % 2 == 0
        levels = range(1, len(rows)) if down else range(len(rows) - 2, -1, -1)
        for level in levels:
            fixed = {point: k for k, point in enumerate(rows[level - 1 if down else level + 1])}
            near = above if down else below
            middles = {point: _middle(near[point], fixed, k) for k, point in enumerate(rows[level])}
            rows[level].sort(key=middles.__getitem__)
        crossings = _crossings(rows, below)
        if crossings < fewest:
            best, fewest = rows, crossings
    return best


def _middle(neighbours: list[int], place: dict[int, int], own: int) -> float:
    found = [place[each] for each in neighbours if each in place]
    return sum(found) / len(found) if found else float(own)


def _crossings(rows: list[list[int]], below: list[list[int]]) -> int:
    """Return the number of line crossings."""
    total = 0
    for upper, lower in pairwise(rows):
        place = {point: k for k, point in enumerate(lower)}
        ends = np.array(
            [place[b] for point in upper for b in sorted(below[point], key=place.__getitem__)], int
        )
        if len(ends) > 1:
            total += int(np.triu(ends[:, None] > ends[None, :], 1).sum())
    return total


def _placed(
    rows: list[list[int]], above: list[list[int]], below: list[list[int]], widths: Floats, gap: float
) -> Floats:
    """Return each point's horizontal position: as near to its neighbours as order and widths allow."""
    x = np.zeros(len(widths))
    for row in rows:
        x[row] = _spaced(np.zeros(len(row)), widths[row], gap)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for row in rows if down else reversed(rows):
            near = above if down else below
            if sweep > SWEEPS // 2:
                wanted = [np.mean(x[[*above[p], *below[p]]]) if above[p] or below[p] else x[p] for p in row]
            else:
                wanted = [np.mean(x[near[p]]) if near[p] else x[p] for p in row]
            x[row] = _spaced(np.array(wanted), widths[row], gap)
    return np.asarray(x - (x - widths / 2).min(initial=np.inf))


def _spaced(wanted: Floats, widths: Floats, gap: float) -> Floats:
    """Return the positions nearest to the desired ones (squared distance) that keep the order without overlap.

    Without the widths it is an isotonic regression: neighbours out of order are pooled.
    """
    offsets = np.concatenate([[0.0], np.cumsum((widths[1:] + widths[:-1]) / 2 + gap)])
    pools: list[list[float]] = []  # the sum and the number of points in each pool
    for place in (wanted - offsets).tolist():
        pools.append([place, 1.0])
        while len(pools) > 1 and pools[-2][0] / pools[-2][1] > pools[-1][0] / pools[-1][1]:
            total, number = pools.pop()
            pools[-1][0] += total
            pools[-1][1] += number
    means = [np.full(int(number), total / number) for total, number in pools]
    return np.asarray(np.concatenate(means) + offsets)
