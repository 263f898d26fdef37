"""Hot loops of search: pure functions on arrays.

Distances have power 1, 2 or infinity, for which floating-point sums are reproducible.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.core.loops import inner, loop

BANDS, GROUP = 8, 8
ABANDON = 8
"""Number of axes between checks whether a row is already too far."""


@loop
def insert(best: Any, found: Any, power: float, row: int) -> None:
    """Insert a row into the nearest so far, which are sorted by distance and then by row."""
    place = len(best) - 1
    if power > best[place] or (power == best[place] and row > found[place]):
        return
    while place > 0 and (power < best[place - 1] or (power == best[place - 1] and row < found[place - 1])):
        best[place] = best[place - 1]
        found[place] = found[place - 1]
        place -= 1
    best[place] = power
    found[place] = row


@inner
def add_number(total: Any, numbers: Any, query: float, unknown: float, power: float) -> None:
    """Add the contribution of a numeric axis to the distances of a query from the rows."""
    if power == 2.0:
        for i in range(len(numbers)):
            gap = numbers[i] - query
            gap = gap * gap
            # NaN: one of the two is missing.
            if gap != gap:
                gap = unknown
            total[i] += gap
        return
    for i in range(len(numbers)):
        gap = abs(numbers[i] - query)
        if gap != gap:
            gap = unknown
        if power < np.inf:
            total[i] += gap
        elif gap > total[i]:
            total[i] = gap


@inner
def add_codes(total: Any, values: Any, asked: int, overlap: bool, cost: Any, power: float) -> None:
    """Add the contribution of a nominal column; columns with costs 0 and 1 are compared directly, which is
    faster.
    """
    if overlap and power < np.inf:
        other = cost[0]
        for i in range(len(values)):
            total[i] += 0.0 if values[i] == asked else other
        return
    for i in range(len(values)):
        gap = cost[values[i]]
        if power < np.inf:
            total[i] += gap
        elif gap > total[i]:
            total[i] = gap


@inner
def scan_tile(tile: int, size: int, data: Any, query: Any, power: float, total: Any) -> int:
    """Compute the distances of a query from the rows of a tile; return their number."""
    numbers, codes, starts, overlaps, unknown = data
    point, asked, cost = query
    low = tile * size
    high = min(low + size, numbers.shape[1])
    for i in range(high - low):
        total[i] = 0.0
    for axis in range(len(numbers)):
        add_number(total, numbers[axis, low:high], point[axis], unknown[axis], power)
    for column in range(len(codes)):
        values = codes[column, low:high]
        add_codes(total, values, asked[column], overlaps[column], cost[starts[column] :], power)
    return int(high - low)


@inner
def bound_tiles(bounds: Any, box: Any, query: Any, unknown: Any, power: float) -> None:
    """Compute a lower bound of the distance of a query from the rows of each tile.

    Sums run over the axes in the order of `scan_tile`, so that rounding never makes a bound too large.
    """
    low, high, most = box
    for tile in range(len(bounds)):
        bounds[tile] = 0.0
    for axis in range(len(low)):
        # Distance from the bounding box of the tile on this axis, but at most `most`, the contribution of a
        # missing value.
        value = query[axis]
        if value != value:
            for tile in range(len(bounds)):
                bounds[tile] = (
                    bounds[tile] + unknown[axis] if power < np.inf else max(bounds[tile], unknown[axis])
                )
        elif power == 2.0:
            for tile in range(len(bounds)):
                gap = low[axis, tile] - value
                beyond = value - high[axis, tile]
                gap = gap if gap > beyond else beyond
                gap = gap if gap > 0.0 else 0.0
                gap = gap * gap
                bounds[tile] += gap if gap < most[axis, tile] else most[axis, tile]
        else:
            for tile in range(len(bounds)):
                gap = min(max(low[axis, tile] - value, value - high[axis, tile], 0.0), most[axis, tile])
                bounds[tile] = bounds[tile] + gap if power < np.inf else max(bounds[tile], gap)


@loop
def visit(tile: int, size: int, data: Any, rows: Any, query: Any, power: float, near: Any) -> None:
    """Search a tile for near rows."""
    best, found, total = near
    count = scan_tile(tile, size, data, query, power, total)
    last = best[-1]
    n_near = 0
    # A branch-free first pass: most tiles contain no row that is near enough.
    for row in range(count):
        n_near += total[row] <= last
    if n_near > 0:
        for row in range(count):
            if total[row] <= best[-1]:
                insert(best, found, total[row], rows[tile * size + row])


@loop
def search_tiles(
    data: Any, box: Any, rows: Any, size: int, queries: Any, power: float, best: Any, found: Any
) -> None:
    """Find the nearest rows of each query: first in the nearest tile, then in others, band by band outwards.

    Queries are grouped, so that a tile is read from memory once for all of them.
    """
    n_tiles = box[0].shape[1]
    bounds = np.empty((GROUP, n_tiles))
    first = np.empty(GROUP, np.int64)
    reach = np.empty(GROUP)
    total = np.empty(size)
    points, asked, costs = queries
    for start in range(0, len(points), GROUP):
        count = min(GROUP, len(points) - start)
        for i in range(count):
            q = start + i
            bound_tiles(bounds[i], box, points[q], data[4], power)
            first[i] = np.argmin(bounds[i])
            query = points[q], asked[q], costs[q]
            visit(first[i], size, data, rows, query, power, (best[q], found[q], total))
            reach[i] = best[q, -1]
        # Tiles within the distance of the worst neighbour so far, nearest band first: each visit can only
        # shrink that distance, and tiles beyond it are never read. The search is exact, because a bound never
        # exceeds a true distance.
        for band in range(BANDS):
            waiting = False
            for tile in range(n_tiles):
                for i in range(count):
                    q = start + i
                    bound = bounds[i, tile]
                    if bound > best[q, -1] or tile == first[i]:
                        continue
                    if band < BANDS - 1 and bound > reach[i] * (band + 1) / BANDS:
                        waiting = True
                    # Tiles of earlier bands were visited already.
                    elif band == 0 or bound > reach[i] * band / BANDS:
                        query = points[q], asked[q], costs[q]
                        visit(tile, size, data, rows, query, power, (best[q], found[q], total))
            if not waiting:
                break


@loop
def search_buckets(
    points: Any,
    members: Any,
    first: Any,
    last: Any,
    queries: Any,
    bits: bool,
    best: Any,
    found: Any,
    seen: Any,
) -> int:
    """Find the nearest rows of each query in its buckets; return the number of rows inspected."""
    looked = 0
    width = points.shape[1]
    for q in range(len(queries)):
        query = queries[q]
        for table in range(len(members)):
            for i in range(first[table, q], last[table, q]):
                row = members[table, i]
                # A row may be in several tables; `seen` holds the last query that inspected it.
                if seen[row] == q:
                    continue
                seen[row] = q
                looked += 1
                point = points[row]
                total = 0.0
                for axis in range(width):
                    gap = point[axis] - query[axis]
                    if bits:
                        total += 1.0 if gap != 0.0 or query[axis] < 0.0 else 0.0
                    else:
                        total += gap * gap
                    if axis % ABANDON == 0 and total > best[q, -1]:
                        break
                if total <= best[q, -1]:
                    insert(best[q], found[q], total, row)
    return looked
