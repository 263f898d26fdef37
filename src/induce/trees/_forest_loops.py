"""Hot loops over forests: sending rows down all trees and summing the outputs of their leaves."""

from __future__ import annotations

from typing import Any, NamedTuple

from induce.core.loops import inner, loop

BLOCK = 1024
"""Number of rows sent down one tree before the next; their values and the tree stay in the cache."""


class Nodes(NamedTuple):
    """The nodes of all trees, tree by tree.

    A leaf is its own child: its threshold is infinite and its `first` is itself. `position` is the table
    position of the tested column (as in `Table.positions`). `map_start` is where a node's part of
    `branch_map` starts (-1 for a threshold, -2 if the code is the branch). `says` is the output of each node
    for a row that ends there.
    """

    root: Any
    by_threshold: Any
    position: Any
    threshold: Any
    first: Any
    map_start: Any
    branch_map: Any
    says: Any


@loop
def add_leaves(nodes: Any, numeric: Any, nominal: Any, out: Any) -> None:
    """Add the outputs of the leaves that each row reaches to `out`; all values must be known and seen."""
    n_rows = len(out)
    for start in range(0, n_rows, BLOCK):
        stop = min(start + BLOCK, n_rows)
        for t in range(len(nodes.root)):
            if nodes.by_threshold[t]:
                add_by_thresholds(nodes, nodes.root[t], numeric, start, stop, out)
            else:
                add_by_tests(nodes, nodes.root[t], numeric, nominal, start, stop, out)


@inner
def add_by_thresholds(nodes: Any, root: int, numeric: Any, start: int, stop: int, out: Any) -> None:
    """Add the outputs of a tree that has only threshold tests for rows `start` to `stop`.

    Four rows descend side by side to overlap memory latency. The result of a comparison is added to the index
    of the first child, so that there is no branch to mispredict; a row that has reached its leaf stays there
    until the others have too.
    """
    position, threshold, first = nodes.position, nodes.threshold, nodes.first
    i = start
    while i + 3 < stop:
        a = b = c = d = root
        going = True
        while going:
            a_next = first[a] + (numeric[i, position[a]] > threshold[a])
            b_next = first[b] + (numeric[i + 1, position[b]] > threshold[b])
            c_next = first[c] + (numeric[i + 2, position[c]] > threshold[c])
            d_next = first[d] + (numeric[i + 3, position[d]] > threshold[d])
            going = ((a_next ^ a) | (b_next ^ b) | (c_next ^ c) | (d_next ^ d)) != 0
            a, b, c, d = a_next, b_next, c_next, d_next
        for k in range(out.shape[1]):
            out[i, k] += nodes.says[a, k]
            out[i + 1, k] += nodes.says[b, k]
            out[i + 2, k] += nodes.says[c, k]
            out[i + 3, k] += nodes.says[d, k]
        i += 4
    while i < stop:
        node, before = root, -1
        while node != before:
            before = node
            node = first[node] + (numeric[i, position[node]] > threshold[node])
        for k in range(out.shape[1]):
            out[i, k] += nodes.says[node, k]
        i += 1


@inner
def add_by_tests(nodes: Any, root: int, numeric: Any, nominal: Any, start: int, stop: int, out: Any) -> None:
    """Add the outputs of a tree with any kind of tests for rows `start` to `stop`."""
    position, threshold, first, map_start = nodes.position, nodes.threshold, nodes.first, nodes.map_start
    for i in range(start, stop):
        node, before = root, -1
        while node != before:
            before = node
            j = position[node]
            if j >= 0:
                node = first[node] + (numeric[i, j] > threshold[node])
            else:
                code = nominal[i, -1 - j]
                begin = map_start[node]
                node = first[node] + (code if begin < 0 else nodes.branch_map[begin + code])
        for k in range(out.shape[1]):
            out[i, k] += nodes.says[node, k]
