"""Compiled loops that build junction trees: triangulation, clusters and table layouts.

A tree is built for the open variables of a row; observed variables only slice the tables. Within a cluster,
variables are in elimination order: separator variables come last, and summing out the others is a sum of
rows.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import inner, loop

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Bools = NDArray[np.bool_]

FINE = 1024.0
"""Resolution to which log sizes are rounded, so that their sums are exact."""
ROOM = 2**16
"""Total size of trees, in integers, above which the remaining rows are left to the next call."""
N_PARTS = 13


class Model(NamedTuple):
    """Flat factors. Factor `i` is the conditional of node `i`; additional factors follow."""

    sizes: Ints
    starts: Ints
    scopes: Ints
    strides: Ints
    offsets: Ints
    tables: Floats
    order: Ints  # node order, parents first


class Elimination(NamedTuple):
    """The open variables in elimination order, and the neighbours of each at that time."""

    order: Ints
    position: Ints
    starts: Ints
    neighbours: Ints


@inner
def _opened(model: Model, codes: Codes, wanted: Bools, constants: bool) -> tuple[Bools, Bools]:
    """Return the relevant factors for the wanted or observed variables, and their open variables.

    Barren nodes, which are neither wanted nor observed nor ancestors of such nodes, are omitted. Without
    `constants`, factors without open variables are omitted too.
    """
    n, n_factors = len(model.sizes), len(model.starts) - 1
    opened, kept = np.zeros(n, np.bool_), np.zeros(n_factors, np.bool_)
    for v in range(n):
        opened[v] = wanted[v] or codes[v] >= 0
    # Children before parents: a relevant node opens its whole family, and so its ancestors (Shachter 1986).
    # Additional factors are always relevant.
    for k in range(n_factors - 1, -1, -1):
        f = model.order[k] if k < len(model.order) else k
        kept[f] = k >= len(model.order) or opened[f]
        if kept[f]:
            for i in range(model.starts[f], model.starts[f + 1]):
                opened[model.scopes[i]] = True
    for v in range(n):
        opened[v] = opened[v] and codes[v] < 0
    for f in range(0 if constants else n_factors):
        some = False
        for i in range(model.starts[f], model.starts[f + 1]):
            some = some or opened[model.scopes[i]]
        kept[f] = kept[f] and some
    return kept, opened


# --- triangulation


@inner
def _mark(v: int, stamp: int, head: Ints, link: Ints, node: Ints, gone: Bools, mark: Ints) -> None:
    """Mark the neighbours of a node, and unlink eliminated ones."""
    # A new stamp per call saves clearing the marks. Eliminated neighbours are unlinked on the way.
    before, cell = -1, head[v]
    while cell >= 0:
        if not gone[node[cell]]:
            mark[node[cell]] = stamp
            before = cell
        elif before < 0:
            head[v] = link[cell]
        else:
            link[before] = link[cell]
        cell = link[cell]


@inner
def _lacking(v: int, stamp: int, head: Ints, link: Ints, node: Ints, gone: Bools, mark: Ints) -> int:
    """Return the number of missing edges between the neighbours of a node."""
    _mark(v, stamp, head, link, node, gone, mark)
    degree, common = 0, 0
    cell = head[v]
    while cell >= 0:
        degree += 1
        other = head[node[cell]]
        while other >= 0:
            if mark[node[other]] == stamp:
                common += 1
            other = link[other]
        cell = link[cell]
    # `common` counts every edge between two neighbours twice, once from each end.
    return (degree * (degree - 1) - common) // 2


@inner
def _longer(cells: Ints, used: int, room: int) -> Ints:
    """Return a larger copy of the cell array with the cells in use."""
    more = np.empty(room, np.int64)
    for i in range(used):
        more[i] = cells[i]
    return more


@inner
def _eliminate(model: Model, kept: Bools, opened: Bools, by_weight: bool) -> Elimination:
    """Eliminate the open variables, simplicial ones first, then the cheapest.

    The cost is the number of fill-in edges, then the table size; with `by_weight`, only the size. The neighbours of a
    node are the cells of a linked list.
    """
    # `degree` counts the open neighbours of a node and `lacking` the missing edges between them; `heavy` is
    # the log table size of the node with its neighbours. All are updated as nodes are eliminated (min-fill,
    # Kjaerulff 1990).
    n = len(model.sizes)
    room, total = 16, 0
    for f in range(len(kept)):
        width = model.starts[f + 1] - model.starts[f]
        room += width * width
    node, link = np.empty(room, np.int64), np.empty(room, np.int64)
    head, mark = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    degree, lacking, heavy = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    weight, gone = np.empty(n, np.int64), np.zeros(n, np.bool_)
    for v in range(n):
        weight[v] = round(math.log2(model.sizes[v]) * FINE)
        heavy[v] = weight[v]
        gone[v] = not opened[v]
        total += opened[v]
    used, stamp = 0, 0
    # Moral graph of the open variables: all variables of a factor are joined.
    for f in range(len(kept)):
        for i in range(model.starts[f], model.starts[f + 1]):
            a = model.scopes[i]
            if kept[f] and opened[a]:
                stamp += 1
                _mark(a, stamp, head, link, node, gone, mark)
                for j in range(model.starts[f], i):
                    b = model.scopes[j]
                    if opened[b] and mark[b] != stamp:
                        node[used], link[used], head[a] = b, head[a], used
                        node[used + 1], link[used + 1], head[b] = a, head[b], used + 1
                        used += 2
                        degree[a], heavy[a] = degree[a] + 1, heavy[a] + weight[b]
                        degree[b], heavy[b] = degree[b] + 1, heavy[b] + weight[a]
    # Simplicial nodes: eliminating one adds no edge and never spoils an optimal order.
    ready, is_ready, n_ready = np.empty(n, np.int64), np.zeros(n, np.bool_), 0
    for v in range(n - 1, -1, -1):
        if opened[v]:
            stamp += 1
            lacking[v] = _lacking(v, stamp, head, link, node, gone, mark)
            if lacking[v] == 0:
                ready[n_ready], is_ready[v] = v, True
                n_ready += 1
    order, position = np.empty(total, np.int64), np.full(n, -1, np.int64)
    starts, neighbours = np.zeros(total + 1, np.int64), np.empty(4 * total + 16, np.int64)
    for k in range(total):
        v = -1
        # A node on this stack may be eliminated or no longer simplicial.
        while n_ready > 0 and v < 0:
            n_ready -= 1
            is_ready[ready[n_ready]] = False
            if not gone[ready[n_ready]] and lacking[ready[n_ready]] == 0:
                v = ready[n_ready]
        if v < 0:
            for u in range(n):
                if not gone[u]:
                    better = v < 0
                    if not better and by_weight:
                        better = heavy[u] < heavy[v]
                    elif not better:
                        better = lacking[u] < lacking[v] or (lacking[u] == lacking[v] and heavy[u] < heavy[v])
                    if better:
                        v = u
        gone[v] = True
        order[k], position[v] = v, k
        first, last = starts[k], starts[k]
        if last + degree[v] > len(neighbours):
            neighbours = _longer(neighbours, last, 2 * len(neighbours) + degree[v])
        cell = head[v]
        while cell >= 0:
            u = node[cell]
            if not gone[u]:
                neighbours[last] = u
                last += 1
                # edges between v and those neighbours of u that are not joined to v are no longer missing
                lacking[u] -= degree[u] - degree[v]
                degree[u], heavy[u] = degree[u] - 1, heavy[u] - weight[v]
            cell = link[cell]
        starts[k + 1] = last
        if lacking[v] > 0 and used + (last - first) ** 2 > len(node):
            room = 2 * len(node) + (last - first) ** 2
            node, link = _longer(node, used, room), _longer(link, used, room)
        # Join the neighbours: the fill-in edges of v become part of the triangulated graph.
        for i in range(first, last if lacking[v] > 0 else first):
            a = neighbours[i]
            for j in range(first, i):
                b = neighbours[j]
                stamp += 1
                _mark(a, stamp, head, link, node, gone, mark)
                if mark[b] != stamp:
                    cell = head[b]
                    while cell >= 0:  # common neighbours lack one edge fewer
                        u = node[cell]
                        if mark[u] == stamp and not gone[u]:
                            lacking[u] -= 1
                            if lacking[u] == 0 and not is_ready[u]:
                                ready[n_ready], is_ready[u] = u, True
                                n_ready += 1
                        cell = link[cell]
                    node[used], link[used], head[a] = b, head[a], used
                    node[used + 1], link[used + 1], head[b] = a, head[b], used + 1
                    used += 2
                    degree[a], heavy[a] = degree[a] + 1, heavy[a] + weight[b]
                    degree[b], heavy[b] = degree[b] + 1, heavy[b] + weight[a]
        for i in range(first, last):
            u = neighbours[i]
            # New edges change a neighbour's count in too many ways to update incrementally; recompute it.
            if lacking[v] > 0:
                stamp += 1
                lacking[u] = _lacking(u, stamp, head, link, node, gone, mark)
            if lacking[u] == 0 and not is_ready[u]:
                ready[n_ready], is_ready[u] = u, True
                n_ready += 1
    return Elimination(order, position, starts, neighbours)


# --- clusters


@inner
def _sort_neighbours(found: Elimination) -> None:
    """Sort the neighbours of each variable in elimination order."""
    for k in range(len(found.order)):
        for i in range(found.starts[k] + 1, found.starts[k + 1]):
            v, j = found.neighbours[i], i
            while j > found.starts[k] and found.position[found.neighbours[j - 1]] > found.position[v]:
                found.neighbours[j] = found.neighbours[j - 1]
                j -= 1
            found.neighbours[j] = v


@inner
def _add_dimension(lengths: Ints, steps: Ints, first: int, end: int, length: int, step: int) -> int:
    """Add a dimension to a map, merging it with the previous one if contiguous; return the end."""
    if length == 1:
        return end
    # the two dimensions are contiguous and merge into one
    if end > first and steps[end - 1] == step * length:
        lengths[end - 1] *= length
        steps[end - 1] = step
        return end
    lengths[end], steps[end] = length, step
    return end + 1


@inner
def _pack(parts: tuple[Ints, ...]) -> Ints:
    """Pack the parts of a tree into one array, preceded by their starts."""
    length = N_PARTS + 1
    for part in parts:
        length += len(part)
    packed = np.empty(length, np.int64)
    packed[0] = N_PARTS + 1
    for k, part in enumerate(parts):
        for i in range(len(part)):
            packed[packed[k] + i] = part[i]
        packed[k + 1] = packed[k] + len(part)
    return packed


@inner
def _join(model: Model, kept: Bools, opened: Bools, found: Elimination) -> tuple[Ints, float]:
    """Join the cliques of a triangulation into a tree, with the layouts of factors and separators.

    A clique contained in the previous one does not form a separate cluster. Returns the packed tree and the
    total number of table entries of its clusters.
    """
    _sort_neighbours(found)
    order, position, starts, neighbours = found.order, found.position, found.starts, found.neighbours
    n = len(order)
    # The clique of k is k with its neighbours at elimination. The neighbour eliminated next, `up`, has all
    # the others in its own clique. If it has no further ones, its clique is part of k's, and `up` joins k's
    # cluster. `follows` chains the variables of a cluster, and `start` is the first of the chain.
    up, follows, taken = np.full(n, -1, np.int64), np.full(n, -1, np.int64), np.zeros(n, np.bool_)
    start, cluster = np.arange(n), np.empty(n, np.int64)
    count, width = 0, 0
    for k in range(n):
        if starts[k + 1] > starts[k]:
            up[k] = position[neighbours[starts[k]]]
        p = up[k]
        if p >= 0 and not taken[p] and starts[k + 1] - starts[k] == starts[p + 1] - starts[p] + 1:
            taken[p], follows[k], start[p] = True, p, start[k]
        else:
            width += 1 + starts[start[k] + 1] - starts[start[k]]
            cluster[k] = count
            count += 1
    for k in range(n - 1, -1, -1):
        if follows[k] >= 0:
            cluster[k] = cluster[follows[k]]
    scopes, variables = np.zeros(count + 1, np.int64), np.empty(width, np.int64)
    tables, messages = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    parents, children = np.full(count, -1, np.int64), np.full(count, -1, np.int64)
    siblings, inner = np.full(count, -1, np.int64), np.zeros(count, np.int64)
    entries, room, c = 0.0, 0, 0
    for k in range(n):
        if follows[k] < 0:
            s, at = start[k], scopes[c]
            variables[at] = order[s]
            size, entry = model.sizes[order[s]], float(model.sizes[order[s]])
            for i in range(starts[s], starts[s + 1]):
                at += 1
                variables[at] = neighbours[i]
                size *= model.sizes[neighbours[i]]
                entry *= model.sizes[neighbours[i]]
            # The neighbours of the last variable of the chain form the separator; the variables before them
            # are eliminated in this cluster.
            message = 1
            for i in range(starts[k], starts[k + 1]):
                message *= model.sizes[neighbours[i]]
            scopes[c + 1], inner[c] = at + 1, at + 1 - scopes[c] - (starts[k + 1] - starts[k])
            tables[c + 1], messages[c + 1] = tables[c] + size, messages[c] + message
            entries += entry
            if up[k] >= 0:
                parents[c] = cluster[up[k]]
            c += 1
    for c in range(count):
        p = parents[c]
        if p >= 0:
            siblings[c], children[p] = children[p], c
            room += scopes[p + 1] - scopes[p]
    place, n_factors = np.full(len(kept), -1, np.int64), 0
    ends = np.zeros(count + 2, np.int64)
    for f in range(len(kept)):
        if kept[f]:
            # All variables of a factor are neighbours when the first of them is eliminated: its cluster
            # contains them.
            first = n
            for i in range(model.starts[f], model.starts[f + 1]):
                if opened[model.scopes[i]]:
                    first = min(first, position[model.scopes[i]])
            place[f] = cluster[first] if first < n else count
            ends[place[f] + 1] += 1
            n_factors += 1
            if first < n:
                room += scopes[place[f] + 1] - scopes[place[f]]
    # Counting sort of the factors by cluster; those without open variables come last.
    for c in range(count + 1):
        ends[c + 1] += ends[c]
    factors, clusters = np.empty(n_factors, np.int64), np.full(n_factors, -1, np.int64)
    for f in range(len(kept)):
        if place[f] >= 0:
            factors[ends[place[f]]] = f
            clusters[ends[place[f]]] = place[f] if place[f] < count else -1
            ends[place[f]] += 1
    begins = np.zeros(count + 1, np.int64)
    for c in range(count):
        begins[c + 1] = ends[c]
    maps = np.zeros(n_factors + count + 1, np.int64)
    lengths, steps = np.empty(room + 1, np.int64), np.empty(room + 1, np.int64)
    along = np.zeros(len(model.sizes), np.int64)
    # For each factor, and then for each separator in its parent, the stride of every variable of the cluster
    # in its table (`along`); 0 for variables that it does not have.
    for m in range(n_factors + count):
        end = maps[m]
        c = clusters[m] if m < n_factors else parents[m - n_factors]
        if m < n_factors:
            for i in range(model.starts[factors[m]], model.starts[factors[m] + 1]):
                along[model.scopes[i]] = model.strides[i]
        elif c >= 0:
            child, step = m - n_factors, 1
            for i in range(scopes[child + 1] - 1, scopes[child] + inner[child] - 1, -1):
                along[variables[i]] = step
                step *= model.sizes[variables[i]]
        if c >= 0:
            for i in range(scopes[c], scopes[c + 1]):
                v = variables[i]
                end = _add_dimension(lengths, steps, maps[m], end, model.sizes[v], along[v])
                along[v] = 0
            # The loops assume that a map has at least one dimension.
            if end == maps[m]:
                lengths[end], steps[end] = 1, 0
                end += 1
        if m < n_factors:
            for i in range(model.starts[factors[m]], model.starts[factors[m] + 1]):
                along[model.scopes[i]] = 0
        maps[m + 1] = end
    last = maps[n_factors + count]
    parts = (scopes, variables, tables, messages, parents, children, siblings, inner, factors, begins, maps)
    return _pack((*parts, lengths[:last], steps[:last])), entries


@loop
def grow(
    model: Model, rows: Codes, wanted: Bools, by_weight: bool, constants: bool, most: float
) -> tuple[Ints, Ints, Floats]:
    """Return the trees of a range of rows in one array, the start of each, and its table size.

    Stops after a tree with more than `most` entries, or when the array exceeds `ROOM`.
    """
    plans, starts, entries = np.empty(1024, np.int64), np.zeros(len(rows) + 1, np.int64), np.zeros(len(rows))
    for r in range(len(rows)):
        kept, opened = _opened(model, rows[r], wanted, constants)
        plan, entries[r] = _join(model, kept, opened, _eliminate(model, kept, opened, by_weight))
        starts[r + 1] = starts[r] + len(plan)
        if starts[r + 1] > len(plans):
            plans = _longer(plans, starts[r], 2 * starts[r + 1])
        for i in range(len(plan)):
            plans[starts[r] + i] = plan[i]
        if entries[r] > most or starts[r + 1] > ROOM:
            return plans, starts[: r + 2], entries[: r + 1]
    return plans, starts, entries
