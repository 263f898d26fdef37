"""Hot loops over finished trees: sending rows down their paths, and pruning by the results."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from induce.core.loops import inner, loop

LEAF = 2**31 - 1
STOP, EVERY = -1, -2
STACK, TOP = 0, 1
ABREAST = 16


class Paths(NamedTuple):
    """Arrays over the nodes of a tree, as needed to send rows down.

    `position` is the table position of the tested attribute (as in `Table.positions`; `LEAF` at a leaf).
    `map_start` is where a node's part of `branch_map` or of `cuts` starts (-1 if the code is the branch or
    there is a single threshold). `share` is the fraction of a row with a missing value that a node receives
    from its parent.
    """

    position: Any
    threshold: Any
    first: Any
    n_branches: Any
    map_start: Any
    branch_map: Any
    share: Any
    cuts: Any


class SurrogateArrays(NamedTuple):
    """Surrogates for missing values: a node has those from its `start` up to its `stop`."""

    start: Any
    stop: Any
    position: Any
    threshold: Any
    swapped: Any
    map_start: Any


class Rows(NamedTuple):
    """Encoded rows and their class codes."""

    numeric: Any
    nominal: Any
    labels: Any


@inner
def surrogate_branch(paths: Any, surrogates: Any, node: int, numeric: Any, nominal: Any, i: int) -> int:
    """Return the branch of the first surrogate with a known value, or `EVERY`; a tree may have no surrogates."""
    if surrogates is None:
        return EVERY
    for k in range(surrogates.start[node], surrogates.stop[node]):
        position = surrogates.position[k]
        if position >= 0:
            x = numeric[i, position]
            if not np.isnan(x):
                return int((x > surrogates.threshold[k]) != surrogates.swapped[k])
        else:
            code = nominal[i, -1 - position]
            if code >= 0 and paths.branch_map[surrogates.map_start[k] + code] >= 0:
                return int(paths.branch_map[surrogates.map_start[k] + code])
    return EVERY


@inner
def branch_of(paths: Any, surrogates: Any, node: int, numeric: Any, nominal: Any, i: int) -> int:
    """Return the branch of row `i`: `STOP` at a leaf or an unseen value, `EVERY` at a missing value without a
    usable surrogate.
    """
    position = paths.position[node]
    if position == LEAF:
        return STOP
    begin = paths.map_start[node]
    if position >= 0:
        x = numeric[i, position]
        if np.isnan(x):
            return surrogate_branch(paths, surrogates, node, numeric, nominal, i)
        if begin < 0:
            return int(x > paths.threshold[node])
        # Several cuts of one column in ascending order: the branch is the number of cuts below the value.
        branch = 0
        while branch < paths.n_branches[node] - 1 and x > paths.cuts[begin + branch]:
            branch += 1
        return branch
    code = nominal[i, -1 - position]
    if code == -1:
        return surrogate_branch(paths, surrogates, node, numeric, nominal, i)
    if code < 0:
        return STOP
    return int(code if begin < 0 else paths.branch_map[begin + code])


@loop
def descend(paths: Any, numeric: Any, nominal: Any) -> Any:
    """Find the node where each row ends, or `EVERY` for a row that meets a missing value on its path.

    Several rows descend side by side to overlap memory latency.
    """
    position, threshold, first, n_branches = paths.position, paths.threshold, paths.first, paths.n_branches
    map_start, branch_map, cuts = paths.map_start, paths.branch_map, paths.cuts
    n_rows = max(len(numeric), len(nominal))
    reached = np.zeros(n_rows, np.int32)
    for start in range(0, n_rows, ABREAST):
        stop = min(start + ABREAST, n_rows)
        going = True
        while going:
            going = False
            for i in range(start, stop):
                node = reached[i]
                if node < 0:
                    continue
                j = position[node]
                if j == LEAF:
                    continue
                if j >= 0:
                    x = numeric[i, j]
                    if x != x:  # NaN
                        reached[i] = EVERY
                        continue
                    # adding the result of a comparison avoids the jump of `branch_of`, which could be
                    # mispredicted
                    child = first[node] + (x > threshold[node])
                    begin = map_start[node]
                    if begin >= 0:
                        for k in range(n_branches[node] - 1):
                            child += x > cuts[begin + k]
                    reached[i] = child
                else:
                    code = nominal[i, -1 - j]
                    if code < 0:
                        # Negative, so that the row stops; the node is restored below.
                        reached[i] = EVERY if code == -1 else EVERY - 1 - node
                        continue
                    begin = map_start[node]
                    reached[i] = first[node] + (code if begin < 0 else branch_map[begin + code])
                going = True
        for i in range(start, stop):
            if reached[i] < EVERY:  # the path ended at this node with an unseen value
                reached[i] = EVERY - 1 - reached[i]
    return reached


@loop
def spread(paths: Any, surrogates: Any, leaf: Any, numeric: Any, nominal: Any, rows: Any, out: Any) -> None:
    """Send fractions of rows with missing values down all branches, and sum the outputs of their leaves.

    `leaf` is the output of a node per unit of weight that ends in it. Leaves are visited from the first
    branch to the last, so that an exported sum over the leaves has exactly the same value.
    """
    first, n_branches, share = paths.first, paths.n_branches, paths.share
    stack = np.empty(len(first), np.int64)
    weight = np.empty(len(first))
    for r in range(len(rows)):
        i = rows[r]
        stack[0] = 0
        weight[0] = 1.0
        size = 1
        while size > 0:
            size -= 1
            node = stack[size]
            w = weight[size]
            branch = branch_of(paths, surrogates, node, numeric, nominal, i)
            if branch == STOP:
                for c in range(out.shape[1]):
                    out[r, c] += w * leaf[node, c]
            elif branch == EVERY:
                # The last branch is pushed first, so that the first is popped first: exports sum in the same
                # order.
                for child in range(first[node] + n_branches[node] - 1, first[node] - 1, -1):
                    if share[child] > 0.0:
                        stack[size] = child
                        weight[size] = w * share[child]
                        size += 1
            else:
                stack[size] = first[node] + branch
                weight[size] = w
                size += 1


@loop
def route(
    paths: Any,
    surrogates: Any,
    rows: Any,
    entry_row: Any,
    entry_weight: Any,
    lo: int,
    hi: int,
    root: int,
    out: Any,
) -> None:
    """Add the weight of each entry in [lo, hi) to the class counts of every node it passes from `root` down."""
    first, n_branches, share = paths.first, paths.n_branches, paths.share
    numeric, nominal, labels = rows
    stack = np.empty(len(first), np.int64)
    weight = np.empty(len(first))
    for e in range(lo, hi):
        i = entry_row[e]
        stack[0] = root
        weight[0] = entry_weight[e]
        size = 1
        while size > 0:
            size -= 1
            node = stack[size]
            w = weight[size]
            branch = 0
            # Follow a single path without the stack as long as the row's branch is known.
            while True:
                out[node, labels[i]] += w
                branch = branch_of(paths, surrogates, node, numeric, nominal, i)
                if branch < 0:
                    break
                node = first[node] + branch
            if branch == EVERY:
                for child in range(first[node], first[node] + n_branches[node]):
                    if share[child] > 0.0:
                        stack[size] = child
                        weight[size] = w * share[child]
                        size += 1


@loop
def leaf_estimate(counts: Any, node: int, z: float, confidence_factor: float) -> float:
    """Return C4.5's estimate of the errors of a node as a leaf: the training errors plus a correction.

    The estimate is the upper limit of a normal interval with continuity correction, interpolated below one
    error.
    """
    n = 0.0
    largest = 0.0
    for c in range(counts.shape[1]):
        n += counts[node, c]
        largest = max(largest, counts[node, c])
    if n <= 0.0:
        return 0.0
    # C4.5, ch. 4: N U_CF(E, N), interpolated between zero errors and one as in Quinlan's program.
    seen = n - largest
    e = max(seen, 1.0)
    if e + 0.5 >= n:
        added = max(n - e, 0.0)
    else:
        # The upper end of Wilson's interval for the error rate, with half an error added as continuity
        # correction.
        f = (e + 0.5) / n
        spread = z * np.sqrt(f / n - f * f / n + z * z / (4.0 * n * n))
        added = (f + z * z / (2.0 * n) + spread) / (1.0 + z * z / n) * n - e
    if seen < 1.0:
        base = n * (1.0 - confidence_factor ** (1.0 / n))
        added = base + seen * (added - base)
    return seen + added


@inner
def take_estimate(
    position: Any,
    first: Any,
    n_branches: Any,
    root: int,
    counts: Any,
    more: Any,
    stack: Any,
    z: float,
    confidence_factor: float,
) -> float:
    """Estimate the errors of the leaves below `root` by their counts plus `more`, which is reset to zero."""
    estimate = 0.0
    stack[0] = root
    size = 1
    while size > 0:
        size -= 1
        node = stack[size]
        if position[node] == LEAF:
            # Counts of the leaf plus those of the examples that raising would send to it.
            for c in range(counts.shape[1]):
                more[node, c] += counts[node, c]
            estimate += leaf_estimate(more, node, z, confidence_factor)
        else:
            for child in range(first[node], first[node] + n_branches[node]):
                stack[size] = child
                size += 1
        for c in range(counts.shape[1]):
            more[node, c] = 0.0
    return estimate


@inner
def read_shares(first: int, last: int, counts: Any, share: Any, to_largest: bool) -> int:
    """Set the fractions of some children by their class counts, and return the largest child.

    If rows with a missing value go `to_largest`, that child receives the whole row.
    """
    whole = 0.0
    for child in range(first, last):
        share[child] = 0.0
        for c in range(counts.shape[1]):
            share[child] += counts[child, c]
        whole += share[child]
    largest = first
    for child in range(first, last):
        if share[child] > share[largest]:
            largest = child
    for child in range(first, last):
        if to_largest:
            share[child] = 1.0 if child == largest else 0.0
        else:
            share[child] = share[child] / whole if whole > 0.0 else 1.0 / (last - first)
    return largest


@inner
def distribute(
    branch: Any,
    first: int,
    n_branches: int,
    largest: int,
    share: Any,
    lo: int,
    hi: int,
    entry_row: Any,
    entry_weight: Any,
    top: int,
    put: Any,
) -> None:
    """Write the entries of the children of a node one after another starting at `top`; `put` gets their ends.

    `branch` has the branch of each entry. The entries of the largest branch are written last.
    """
    for b in range(n_branches):
        put[b] = 0
    for e in range(hi - lo):
        if branch[e] >= 0:
            put[branch[e]] += 1
        elif branch[e] == EVERY:
            for b in range(n_branches):
                put[b] += share[first + b] > 0.0
    # The largest branch comes last, so that the entries of all others are contiguous: raising sends these
    # down.
    position = top
    for k in range(n_branches):
        b = (largest + 1 + k) % n_branches
        size = put[b]
        put[b] = position
        position += size
    for e in range(hi - lo):
        chosen = branch[e]
        for b in range(max(chosen, 0), n_branches if chosen == EVERY else chosen + 1):
            part = share[first + b] if chosen == EVERY else 1.0
            if part > 0.0:
                entry_row[put[b]] = entry_row[lo + e]
                entry_weight[put[b]] = entry_weight[lo + e] * part
                put[b] += 1


@inner
def judge(
    judged: Any, node: int, what: int, as_leaf: float, as_tree: float, raised: float, largest: int
) -> None:
    """Record the estimates behind the decision at a node."""
    judged[node, what, 0] = as_leaf
    judged[node, what, 1] = as_tree
    judged[node, what, 2] = raised
    judged[node, what, 3] = largest


@loop
def prune_by_estimate(
    paths: Any,
    surrogates: Any,
    attribute: Any,
    counts: Any,
    rows: Any,
    entry_row: Any,
    entry_weight: Any,
    estimate: Any,
    out: Any,
    branch: Any,
    put: Any,
    room: Any,
    stack: Any,
    state: Any,
    judged: Any,
    z: float,
    confidence_factor: float,
    raising: bool,
    to_largest: bool,
    budget: int,
) -> bool:
    """Prune as C4.5 does, bottom up: keep a subtree, make it a leaf, or raise its largest branch.

    Nodes are visited depth first with a stack of (node, first entry, last entry, whether its children are
    done, largest branch, start and end of the entries of the other branches). The call returns False if the
    budget is spent or the entries may not fit.

    The class counts below the largest branch are known, so only the entries of the other branches are sent
    down it. If a node becomes a leaf (0) or a branch is raised to it (1), `judged` gets its estimates as a
    leaf, as a subtree and as its largest branch, and the number of that branch.
    """
    position, threshold, first, n_branches = paths.position, paths.threshold, paths.first, paths.n_branches
    map_start, share = paths.map_start, paths.share
    numeric, nominal, _ = rows
    spent = 0
    while state[STACK] > 0:
        here = state[STACK] - 1
        node, lo, hi = stack[here, 0], stack[here, 1], stack[here, 2]
        if position[node] == LEAF:
            estimate[node] = leaf_estimate(counts, node, z, confidence_factor)
            state[STACK] = here
            continue
        begin, end = first[node], first[node] + n_branches[node]
        # First visit: pass the entries to the children, which are evaluated before the node.
        if stack[here, 3] == 0:
            top = state[TOP]
            if (
                spent > budget
                or here + 1 + end - begin > len(stack)
                or top + (hi - lo) * (end - begin) > len(entry_row)
            ):
                return False
            spent += hi - lo
            largest = read_shares(begin, end, counts, share, to_largest) - begin
            for e in range(hi - lo):
                branch[e] = branch_of(paths, surrogates, node, numeric, nominal, entry_row[lo + e])
            distribute(branch, begin, end - begin, largest, share, lo, hi, entry_row, entry_weight, top, put)
            stack[here, 3] = 1
            stack[here, 4] = largest
            stack[here, 5] = top
            for k in range(end - begin):
                b = (largest + 1 + k) % (end - begin)
                stack[here, 6] = top
                child = here + 1 + b
                stack[child, 0] = begin + b
                stack[child, 1] = top
                stack[child, 2] = put[b]
                stack[child, 3] = 0
                top = put[b]
            state[TOP] = top
            state[STACK] = here + 1 + end - begin
            continue
        # Second visit: all children are pruned, `estimate` has their errors, and the space of their entries
        # is free again.
        largest, top, others_end = begin + stack[here, 4], stack[here, 5], stack[here, 6]
        state[TOP] = top
        spent += hi - lo
        as_leaf = leaf_estimate(counts, node, z, confidence_factor)
        as_tree = 0.0
        for child in range(begin, end):
            as_tree += estimate[child]
        raised = np.inf
        # The errors if the largest branch replaces the node: on its own examples, whose counts are known, and
        # on those of its siblings, which are sent down it.
        if raising:
            route(paths, surrogates, rows, entry_row, entry_weight, top, others_end, largest, out)
            raised = take_estimate(
                position, first, n_branches, largest, counts, out, room, z, confidence_factor
            )
        # C4.5's slack of a tenth of an error: the simpler of two about equal choices wins.
        if as_leaf <= as_tree + 0.1 and as_leaf <= raised + 0.1:
            attribute[node] = -1
            position[node] = LEAF
            judge(judged, node, 0, as_leaf, as_tree, raised, largest)
        elif raised <= as_tree + 0.1:
            judge(judged, node, 1, as_leaf, as_tree, raised, largest)
            route(paths, surrogates, rows, entry_row, entry_weight, top, others_end, largest, counts)
            attribute[node] = attribute[largest]
            position[node] = position[largest]
            threshold[node] = threshold[largest]
            first[node] = first[largest]
            n_branches[node] = n_branches[largest]
            map_start[node] = map_start[largest]
            if surrogates is not None:
                surrogates.start[node] = surrogates.start[largest]
                surrogates.stop[node] = surrogates.stop[largest]
            # The raised branch now has more examples here, so it is pruned again.
            stack[here, 3] = 0
        else:
            estimate[node] = as_tree
            state[STACK] = here
    return True
