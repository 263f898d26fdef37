"""Hot loops over finished trees: sending rows down the paths, and pruning by what they show."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from induce.core.jit import inner_jit, jit

POSITION, THRESHOLD, FIRST, MAP_START = 0, 1, 2, 3
STOP, EVERY = -1, -2
STACK, TOP = 0, 1


class Paths(NamedTuple):
    """What descending needs of a tree.

    `packed` has per node: position of the attribute (as in `Table.positions`; NaN at a leaf), threshold, first
    child and start of its branch map (-1 when the code is the branch). `share` is a node's share of its parent.
    """

    packed: Any
    n_branches: Any
    branch_map: Any
    share: Any


class Rows(NamedTuple):
    """Encoded rows, their class codes and their weights."""

    numeric: Any
    nominal: Any
    labels: Any
    weights: Any


@inner_jit
def branch_of(paths: Any, node: int, numeric: Any, nominal: Any, i: int) -> int:
    """The branch that row `i` takes; `STOP` at a leaf or an unseen value, `EVERY` at a missing one."""
    position = paths.packed[node, POSITION]
    if np.isnan(position):
        return STOP
    j = int(position)
    if j >= 0:
        x = numeric[i, j]
        return EVERY if np.isnan(x) else int(x > paths.packed[node, THRESHOLD])
    code = nominal[i, -1 - j]
    if code < 0:
        return EVERY if code == -1 else STOP
    start = int(paths.packed[node, MAP_START])
    return int(code if start < 0 else paths.branch_map[start + code])


@jit
def descend(paths: Any, numeric: Any, nominal: Any) -> Any:
    """The node where each row ends, or `EVERY` for a row that meets a missing value on its way."""
    n_rows = max(len(numeric), len(nominal))
    reached = np.empty(n_rows, np.int64)
    for i in range(n_rows):
        node = 0
        while True:
            branch = branch_of(paths, node, numeric, nominal, i)
            if branch < 0:
                break
            node = int(paths.packed[node, FIRST]) + branch
        reached[i] = EVERY if branch == EVERY else node
    return reached


@jit
def spread(paths: Any, leaf: Any, numeric: Any, nominal: Any, rows: Any, out: Any) -> None:
    """Send fractions of rows with missing values down all branches and add up what their leaves say.

    `leaf` is what a node adds to `out` per unit of weight that ends in it. The leaves are reached from the
    first branch to the last, so that an exported sum over the leaves gives the same number.
    """
    stack = np.empty(len(paths.packed), np.int64)
    weight = np.empty(len(paths.packed))
    for r in range(len(rows)):
        stack[0] = 0
        weight[0] = 1.0
        size = 1
        while size > 0:
            size -= 1
            node = stack[size]
            w = weight[size]
            branch = branch_of(paths, node, numeric, nominal, rows[r])
            first = int(paths.packed[node, FIRST])
            if branch == STOP:
                for c in range(out.shape[1]):
                    out[r, c] += w * leaf[node, c]
            elif branch == EVERY:
                for b in range(paths.n_branches[node] - 1, -1, -1):
                    if paths.share[first + b] > 0.0:
                        stack[size] = first + b
                        weight[size] = w * paths.share[first + b]
                        size += 1
            else:
                stack[size] = first + branch
                weight[size] = w
                size += 1


@jit
def route(paths: Any, rows: Any, entry_row: Any, entry_weight: Any, root: int, out: Any) -> None:
    """Add the weight of each entry to the class counts of every node it passes from `root` down."""
    stack = np.empty(len(paths.packed), np.int64)
    weight = np.empty(len(paths.packed))
    for e in range(len(entry_row)):
        i = entry_row[e]
        stack[0] = root
        weight[0] = entry_weight[e]
        size = 1
        while size > 0:
            size -= 1
            node = stack[size]
            w = weight[size]
            out[node, rows.labels[i]] += w
            branch = branch_of(paths, node, rows.numeric, rows.nominal, i)
            first = int(paths.packed[node, FIRST])
            if branch >= 0:
                stack[size] = first + branch
                weight[size] = w
                size += 1
            elif branch == EVERY:
                for b in range(paths.n_branches[node]):
                    if paths.share[first + b] > 0.0:
                        stack[size] = first + b
                        weight[size] = w * paths.share[first + b]
                        size += 1


@inner_jit
def total(counts: Any, node: int) -> float:
    """The weight of the examples at a node."""
    weight = 0.0
    for c in range(counts.shape[1]):
        weight += counts[node, c]
    return weight


@inner_jit
def leaf_estimate(counts: Any, node: int, z: float, confidence_factor: float) -> float:
    """C4.5's estimate of the errors of a node as a leaf: those seen in training and some to add.

    It is the upper limit of a normal interval with continuity correction, interpolated below one error.
    """
    n = 0.0
    largest = 0.0
    for c in range(counts.shape[1]):
        n += counts[node, c]
        largest = max(largest, counts[node, c])
    if n <= 0.0:
        return 0.0
    seen = n - largest
    e = max(seen, 1.0)
    if e + 0.5 >= n:
        added = max(n - e, 0.0)
    else:
        f = (e + 0.5) / n
        spread = z * np.sqrt(f / n - f * f / n + z * z / (4.0 * n * n))
        added = (f + z * z / (2.0 * n) + spread) / (1.0 + z * z / n) * n - e
    if seen < 1.0:
        base = n * (1.0 - confidence_factor ** (1.0 / n))
        added = base + seen * (added - base)
    return seen + added


@inner_jit
def branch_estimate(paths: Any, root: int, out: Any, stack: Any, z: float, confidence_factor: float) -> float:
    """Estimated errors of the subtree at `root` with the class counts in `out`, which is left zero."""
    estimate = 0.0
    stack[0] = root
    size = 1
    while size > 0:
        size -= 1
        node = stack[size]
        if np.isnan(paths.packed[node, POSITION]):
            estimate += leaf_estimate(out, node, z, confidence_factor)
        else:
            first = int(paths.packed[node, FIRST])
            for b in range(paths.n_branches[node]):
                stack[size] = first + b
                size += 1
        for c in range(out.shape[1]):
            out[node, c] = 0.0
    return estimate


@inner_jit
def clear(paths: Any, root: int, counts: Any, stack: Any) -> None:
    """Set the class counts of a subtree to zero."""
    stack[0] = root
    size = 1
    while size > 0:
        size -= 1
        node = stack[size]
        for c in range(counts.shape[1]):
            counts[node, c] = 0.0
        if not np.isnan(paths.packed[node, POSITION]):
            first = int(paths.packed[node, FIRST])
            for b in range(paths.n_branches[node]):
                stack[size] = first + b
                size += 1


@inner_jit
def read_shares(paths: Any, node: int, counts: Any) -> None:
    """Make the shares of a node's children those of their class counts."""
    first = int(paths.packed[node, FIRST])
    last = first + paths.n_branches[node]
    whole = 0.0
    for child in range(first, last):
        whole += total(counts, child)
    for child in range(first, last):
        paths.share[child] = total(counts, child) / whole if whole > 0.0 else 1.0 / (last - first)


@inner_jit
def distribute(
    paths: Any, rows: Any, node: int, lo: int, hi: int, entry_row: Any, entry_weight: Any, top: int, put: Any
) -> None:
    """Write the entries of each child of a node one after the other from `top` on; `put` gets where each ends."""
    first = int(paths.packed[node, FIRST])
    n_branches = paths.n_branches[node]
    for b in range(n_branches):
        put[b] = 0
    for e in range(lo, hi):
        branch = branch_of(paths, node, rows.numeric, rows.nominal, entry_row[e])
        for b in range(n_branches):
            put[b] += branch == b or (branch == EVERY and paths.share[first + b] > 0.0)
    position = top
    for b in range(n_branches):
        size = put[b]
        put[b] = position
        position += size
    for e in range(lo, hi):
        branch = branch_of(paths, node, rows.numeric, rows.nominal, entry_row[e])
        for b in range(n_branches):
            if branch == b or (branch == EVERY and paths.share[first + b] > 0.0):
                entry_row[put[b]] = entry_row[e]
                entry_weight[put[b]] = entry_weight[e] * (paths.share[first + b] if branch == EVERY else 1.0)
                put[b] += 1


@jit
def prune_by_estimate(
    paths: Any,
    attribute: Any,
    counts: Any,
    rows: Any,
    entry_row: Any,
    entry_weight: Any,
    estimate: Any,
    out: Any,
    put: Any,
    room: Any,
    stack: Any,
    state: Any,
    z: float,
    confidence_factor: float,
    raising: bool,
    budget: int,
) -> bool:
    """C4.5's error-based pruning, bottom up: keep a subtree, make it a leaf, or raise its largest branch.

    It works depth first on a stack of (node, first entry, last entry, whether its children are done, top before
    them) and returns False when the budget is spent or the room for entries may not be enough.
    """
    spent = 0
    while state[STACK] > 0:
        here = state[STACK] - 1
        node, lo, hi = stack[here, 0], stack[here, 1], stack[here, 2]
        if np.isnan(paths.packed[node, POSITION]):
            estimate[node] = leaf_estimate(counts, node, z, confidence_factor)
            state[STACK] = here
            continue
        first, n_branches = int(paths.packed[node, FIRST]), paths.n_branches[node]
        spent += hi - lo
        if stack[here, 3] == 0:
            top = state[TOP]
            if (
                spent > budget
                or here + 1 + n_branches > len(stack)
                or top + (hi - lo) * n_branches > len(entry_row)
            ):
                return False
            read_shares(paths, node, counts)
            distribute(paths, rows, node, lo, hi, entry_row, entry_weight, top, put)
            stack[here, 3] = 1
            stack[here, 4] = top
            for b in range(n_branches):
                child = here + 1 + b
                stack[child, 0] = first + b
                stack[child, 1] = top
                stack[child, 2] = put[b]
                stack[child, 3] = 0
                top = put[b]
            state[TOP] = top
            state[STACK] = here + 1 + n_branches
            continue
        state[TOP] = stack[here, 4]
        as_leaf = leaf_estimate(counts, node, z, confidence_factor)
        as_tree = 0.0
        largest = first
        for child in range(first, first + n_branches):
            as_tree += estimate[child]
            if total(counts, child) > total(counts, largest):
                largest = child
        raised = np.inf
        if raising:
            route(paths, rows, entry_row[lo:hi], entry_weight[lo:hi], largest, out)
            raised = branch_estimate(paths, largest, out, room, z, confidence_factor)
        if as_leaf <= as_tree + 0.1 and as_leaf <= raised + 0.1:
            attribute[node] = -1
            paths.packed[node, POSITION] = np.nan
        elif raised <= as_tree + 0.1:
            attribute[node] = attribute[largest]
            for k in range(paths.packed.shape[1]):
                paths.packed[node, k] = paths.packed[largest, k]
            paths.n_branches[node] = paths.n_branches[largest]
            clear(paths, node, counts, room)
            route(paths, rows, entry_row[lo:hi], entry_weight[lo:hi], node, counts)
            stack[here, 3] = 0
        else:
            estimate[node] = as_tree
            state[STACK] = here
    return True
