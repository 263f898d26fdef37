"""Hot loops of incremental tree growth: pure functions on arrays.

Every node with more than a few examples keeps a table of class counts per column and value, so that the best
test is known after each example without another pass over the data. The examples themselves are kept in the
leaves as linked lists. If the best test of a node changes, its branches are grown again from the examples
below it. The old branches are put aside, because a test that was just the best is often the best again soon.
Later examples are recorded, and are sent down the old branches only when these are used again.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from induce.core.loops import inner, loop

TOLERANCE = 1e-9
LEAF = -1
NONE = -1
GROW, SEND = 0, 1
NEXT, STACK, N_NODES, N_TABLES, FREE_TABLE, N_CELLS, FREE_CELL, USED_CELLS, SPENT = range(9)
STATE_SIZE = 9
ATTRIBUTE, FIRST, TABLE, SIZE, CELLS, ASIDE, ASIDE_FIRST, ASIDE_CELLS, ASIDE_SIZE = range(9)
NODE_SIZE = 9
"""Fields of a node besides its class counts. Its children are consecutive, starting at `FIRST`. `CELLS` is
the list of examples of a leaf, or of those that still have to go down from an inner node. `ASIDE` is the test
whose branches were put aside, starting at `ASIDE_FIRST`; `ASIDE_CELLS` is the list of examples they lack.
"""
EXAMPLE, FOLLOWING = range(2)
"""Fields of a list cell."""
MOST_CELLS = 8
"""Number of cells per example above which no branches are put aside."""
MOST_WAITING = 8
"""Branches put aside are dropped once they lack one in this many of the node's examples.
"""


class Seen(NamedTuple):
    """The examples seen so far: codes of their values, classes and weights."""

    codes: Any
    labels: Any
    weights: Any


class TreeSettings(NamedTuple):
    """Constants of a tree.

    `start` is where the values of each column start in a table, and `terms` is k log2 k for small k. A node
    of `few` examples gets a table; branches of at least `least_aside` examples are put aside.
    """

    start: Any
    terms: Any
    few: Any
    least_aside: Any


class Room(NamedTuple):
    """Buffers and the tables, of which the first is used for nodes without their own."""

    tables: Any
    free_table: Any
    free_block: Any
    order: Any
    sorted: Any
    put: Any
    walk: Any
    stack: Any


@inner
def xlog2x(x: float, terms: Any) -> Any:
    """Return x log2 x, defined as 0 at 0; looked up if x is a small integer."""
    if x < len(terms):
        k = np.int64(x)
        if k == x:
            return terms[k]
    return x * math.log2(x)


@inner
def is_pure(counts: Any, node: int) -> bool:
    """Return whether a node has examples of only one class."""
    largest = 0.0
    whole = 0.0
    for c in range(counts.shape[1]):
        largest = max(largest, counts[node, c])
        whole += counts[node, c]
    return bool(largest >= whole * (1.0 - 1e-12))


@inner
def best_test(counts: Any, node: int, tables: Any, t: int, start: Any, terms: Any) -> int:
    """Return the column with the highest information gain, or LEAF if there is none; ties go to the first."""
    if is_pure(counts, node):
        return LEAF
    n_classes = counts.shape[1]
    whole = 0.0
    of_all = 0.0
    for c in range(n_classes):
        whole += counts[node, c]
        of_all += xlog2x(counts[node, c], terms)
    of_all -= xlog2x(whole, terms)
    best = -np.inf
    chosen = LEAF
    for f in range(len(start) - 1):
        # sum n_vc log n_vc - sum n_v log n_v over the values: as in growth from the whole table, so that the
        # same test wins.
        score = 0.0
        n_present = 0
        for v in range(start[f], start[f + 1]):
            weight = 0.0
            of_value = 0.0
            for c in range(n_classes):
                weight += tables[t, v, c]
                of_value += xlog2x(tables[t, v, c], terms)
            score += of_value - xlog2x(weight, terms)
            n_present += weight > 0.0
        if n_present >= 2:
            gain = (score - of_all) / whole
            if gain > best + TOLERANCE:
                best = gain
                chosen = f
    return chosen


@inner
def count(example: int, codes: Any, labels: Any, weights: Any, start: Any, tables: Any, t: int) -> None:
    """Add an example to a table of class counts per column and value."""
    c, weight = labels[example], weights[example]
    for f in range(codes.shape[1]):
        tables[t, start[f] + codes[example, f], c] += weight


@inner
def link(example: int, following: int, cells: Any, state: Any) -> Any:
    """Prepend an example to a list; return the new list."""
    # Freed cells form a list through FOLLOWING; a new cell is taken only if there are none.
    cell = state[FREE_CELL]
    if cell == NONE:
        cell = state[N_CELLS]
        state[N_CELLS] += 1
    else:
        state[FREE_CELL] = cells[cell, FOLLOWING]
    state[USED_CELLS] += 1
    cells[cell, EXAMPLE] = example
    cells[cell, FOLLOWING] = following
    return cell


@inner
def unlink(cell: int, cells: Any, state: Any) -> Any:
    """Free the first cell of a list; return the rest."""
    following = cells[cell, FOLLOWING]
    cells[cell, FOLLOWING] = state[FREE_CELL]
    state[FREE_CELL] = cell
    state[USED_CELLS] -= 1
    return following


@inner
def clear(nodes: Any, node: int, which: int, cells: Any, state: Any) -> None:
    """Empty one of a node's lists of examples."""
    while nodes[node, which] != NONE:
        nodes[node, which] = unlink(nodes[node, which], cells, state)


@inner
def new_table(node: int, nodes: Any, free_table: Any, state: Any) -> Any:
    """Give a node a table."""
    t = state[FREE_TABLE]
    if t == NONE:
        t = state[N_TABLES]
        state[N_TABLES] += 1
    else:
        state[FREE_TABLE] = free_table[t]
    nodes[node, TABLE] = t
    return t


@inner
def drop_table(node: int, nodes: Any, free_table: Any, state: Any) -> None:
    """Free the table of a node, if it has one."""
    t = nodes[node, TABLE]
    if t != NONE:
        free_table[t] = state[FREE_TABLE]
        state[FREE_TABLE] = t
        nodes[node, TABLE] = NONE


@inner
def new_block(n_branches: int, nodes: Any, free_block: Any, state: Any) -> Any:
    """Allocate consecutive leaves; return the first."""
    # Freed blocks are listed by length, linked through FIRST of their first node.
    first = free_block[n_branches]
    if first == NONE:
        first = state[N_NODES]
        state[N_NODES] += n_branches
    else:
        free_block[n_branches] = nodes[first, FIRST]
    for node in range(first, first + n_branches):
        nodes[node, ATTRIBUTE] = LEAF
        nodes[node, TABLE] = NONE
        nodes[node, SIZE] = 0
        nodes[node, CELLS] = NONE
        nodes[node, ASIDE] = LEAF
    return first


@inner
def drop(first: int, f: int, start: Any, nodes: Any, cells: Any, room: Any, state: Any) -> None:
    """Free the branches of a test on column `f`, with everything below them or put aside there."""
    walk, free_block, free_table = room.walk, room.free_block, room.free_table
    # An explicit stack of blocks with the column they branch on, which determines their length.
    walk[0, 0], walk[0, 1] = first, f
    n = 1
    while n > 0:
        n -= 1
        block, f = walk[n, 0], walk[n, 1]
        n_branches = start[f + 1] - start[f]
        for node in range(block, block + n_branches):
            clear(nodes, node, CELLS, cells, state)
            drop_table(node, nodes, free_table, state)
            if nodes[node, ATTRIBUTE] != LEAF:
                walk[n, 0], walk[n, 1] = nodes[node, FIRST], nodes[node, ATTRIBUTE]
                n += 1
            if nodes[node, ASIDE] != LEAF:
                clear(nodes, node, ASIDE_CELLS, cells, state)
                walk[n, 0], walk[n, 1] = nodes[node, ASIDE_FIRST], nodes[node, ASIDE]
                n += 1
        nodes[block, FIRST] = free_block[n_branches]
        free_block[n_branches] = block


@inner
def drop_aside(node: int, start: Any, nodes: Any, cells: Any, room: Any, state: Any) -> None:
    """Free the branches that a node has put aside, if there are any."""
    f = nodes[node, ASIDE]
    if f != LEAF:
        nodes[node, ASIDE] = LEAF
        clear(nodes, node, ASIDE_CELLS, cells, state)
        drop(nodes[node, ASIDE_FIRST], f, start, nodes, cells, room, state)


@inner
def collect(node: int, start: Any, nodes: Any, cells: Any, order: Any, walk: Any) -> int:
    """Write the examples below a node to `order`; return their number."""
    walk[0, 0], walk[0, 1] = node, node + 1
    n_walk, n = 1, 0
    while n_walk > 0:
        n_walk -= 1
        for at in range(walk[n_walk, 0], walk[n_walk, 1]):
            f = nodes[at, ATTRIBUTE]
            # Every example is in exactly one leaf in use; branches put aside hold copies and are skipped.
            if f == LEAF:
                cell = nodes[at, CELLS]
                while cell != NONE:
                    order[n] = cells[cell, EXAMPLE]
                    n += 1
                    cell = cells[cell, FOLLOWING]
            else:
                first = nodes[at, FIRST]
                walk[n_walk, 0], walk[n_walk, 1] = first, first + start[f + 1] - start[f]
                n_walk += 1
    return n


@inner
def push(stack: Any, state: Any, kind: int, node: int, lo: int, hi: int) -> None:
    """Push a record of work onto the stack."""
    top = state[STACK]
    stack[top, 0] = kind
    stack[top, 1] = node
    stack[top, 2] = lo
    stack[top, 3] = hi
    state[STACK] = top + 1


@inner
def has_room(n_examples: int, start: Any, nodes: Any, cells: Any, room: Any, state: Any) -> bool:
    """Return whether there is space for the next step, which links a given number of examples."""
    widest = len(room.free_block) - 1
    return bool(
        state[N_NODES] + widest <= len(nodes)
        and state[N_TABLES] < len(room.tables)
        and state[STACK] + widest + 2 <= len(room.stack)
        and state[USED_CELLS] + n_examples + len(start) + 1 <= len(cells)
    )


@inner
def make_leaf(node: int, lo: int, hi: int, nodes: Any, cells: Any, order: Any, state: Any) -> None:
    """Store a range of `order` in a leaf."""
    nodes[node, ATTRIBUTE] = LEAF
    for p in range(lo, hi):
        nodes[node, CELLS] = link(order[p], nodes[node, CELLS], cells, state)


@inner
def grow(
    seen: Any, settings: Any, nodes: Any, counts: Any, cells: Any, room: Any, state: Any, budget: int
) -> bool:
    """Give each node on the stack that has no branches yet its best test; return False to be called again."""
    codes, labels, weights = seen
    start, terms, few, _ = settings
    tables, order, put, stack = room.tables, room.order, room.put, room.stack
    while state[STACK] > 0 and stack[state[STACK] - 1, 0] == GROW:
        node, lo, hi = stack[state[STACK] - 1, 1], stack[state[STACK] - 1, 2], stack[state[STACK] - 1, 3]
        if state[SPENT] > budget or not has_room(hi - lo, start, nodes, cells, room, state):
            return False
        state[STACK] -= 1
        state[SPENT] += (hi - lo) * len(start) + tables.shape[1] * tables.shape[2]
        # Table 0 is for nodes too small to have their own: it is counted from scratch and discarded once the
        # test is chosen.
        t = nodes[node, TABLE]
        if t == NONE:
            t = new_table(node, nodes, room.free_table, state) if hi - lo >= few else 0
            for v in range(tables.shape[1]):
                for c in range(tables.shape[2]):
                    tables[t, v, c] = 0.0
            for p in range(lo, hi):
                count(order[p], codes, labels, weights, start, tables, t)
        f = best_test(counts, node, tables, t, start, terms)
        if f == LEAF:
            drop_table(node, nodes, room.free_table, state)
            make_leaf(node, lo, hi, nodes, cells, order, state)
            continue
        n_branches = start[f + 1] - start[f]
        first = new_block(n_branches, nodes, room.free_block, state)
        nodes[node, ATTRIBUTE] = f
        nodes[node, FIRST] = first
        for p in range(lo, hi):
            nodes[first + codes[order[p], f], SIZE] += 1
        # A counting sort by branch: `put[b]` starts at the first position of the branch and ends after its
        # last.
        position = np.int64(lo)
        for b in range(n_branches):
            put[b] = position
            position += nodes[first + b, SIZE]
        for p in range(lo, hi):
            b = codes[order[p], f]
            room.sorted[put[b]] = order[p]
            put[b] += 1
        for p in range(lo, hi):
            order[p] = room.sorted[p]
        for b in range(n_branches - 1, -1, -1):
            child, stop = first + b, put[b]
            begin = stop - nodes[child, SIZE]
            # The table row of the chosen column holds the class counts of each branch.
            for c in range(counts.shape[1]):
                counts[child, c] = tables[t, start[f] + b, c]
            if begin < stop and is_pure(counts, child):
                make_leaf(child, begin, stop, nodes, cells, order, state)
            elif begin < stop:
                push(stack, state, GROW, child, begin, stop)
    return True


@inner
def same_values(example: int, other: int, codes: Any) -> bool:
    """Return whether two examples differ at most in class."""
    f = 0
    while f < codes.shape[1] and codes[example, f] == codes[other, f]:
        f += 1
    return bool(f == codes.shape[1])


@inner
def wait_aside(node: int, example: int, start: Any, nodes: Any, cells: Any, room: Any, state: Any) -> None:
    """Record that the branches put aside lack an example; drop them if they lack too many."""
    if nodes[node, ASIDE] != LEAF:
        nodes[node, ASIDE_CELLS] = link(example, nodes[node, ASIDE_CELLS], cells, state)
        nodes[node, ASIDE_SIZE] += 1
        # Sending so many examples down would take about as long as growing the branches again.
        if nodes[node, ASIDE_SIZE] * MOST_WAITING > nodes[node, SIZE]:
            drop_aside(node, start, nodes, cells, room, state)


@inner
def exchange(node: int, example: int, nodes: Any, cells: Any, stack: Any, state: Any) -> None:
    """Swap the branches put aside with those in use; the examples they lack remain to be sent down."""
    # The new example waits for both sets of branches: those now in use get it by SEND, the others when they
    # are used.
    nodes[node, CELLS] = link(example, nodes[node, ASIDE_CELLS], cells, state)
    nodes[node, ASIDE_CELLS] = link(example, NONE, cells, state)
    nodes[node, ASIDE_SIZE] = 1
    f, first = nodes[node, ATTRIBUTE], nodes[node, FIRST]
    nodes[node, ATTRIBUTE], nodes[node, FIRST] = nodes[node, ASIDE], nodes[node, ASIDE_FIRST]
    nodes[node, ASIDE], nodes[node, ASIDE_FIRST] = f, first
    push(stack, state, SEND, node, 0, 0)


@inner
def restructure(
    node: int, example: int, settings: Any, nodes: Any, cells: Any, room: Any, state: Any
) -> None:
    """Schedule the branches of a node to be grown again from its examples and one more."""
    start = settings.start
    # The examples are collected before anything is freed: the lists below still hold them.
    n = collect(node, start, nodes, cells, room.order, room.walk)
    room.order[n] = example
    f, first = nodes[node, ATTRIBUTE], nodes[node, FIRST]
    drop_aside(node, start, nodes, cells, room, state)
    if f == LEAF:
        clear(nodes, node, CELLS, cells, state)
    elif n >= settings.least_aside and state[USED_CELLS] < MOST_CELLS * state[NEXT]:
        nodes[node, ASIDE], nodes[node, ASIDE_FIRST] = f, first
        nodes[node, ASIDE_CELLS] = link(example, NONE, cells, state)
        nodes[node, ASIDE_SIZE] = 1
    else:
        drop(first, f, start, nodes, cells, room, state)
    push(room.stack, state, GROW, node, 0, n + 1)


@inner
def insert(
    example: int,
    node: int,
    seen: Any,
    settings: Any,
    nodes: Any,
    counts: Any,
    cells: Any,
    room: Any,
    state: Any,
) -> None:
    """Send an example from a node to a leaf and ensure that every test on the path is the best."""
    codes, labels, weights = seen
    start, terms, _, _ = settings
    tables = room.tables
    # Invariant at the top: every test above `node` is the best for the examples below it, including the new
    # one.
    while True:
        was_pure = is_pure(counts, node)
        counts[node, labels[example]] += weights[example]
        nodes[node, SIZE] += 1
        f, t = nodes[node, ATTRIBUTE], nodes[node, TABLE]
        if f == LEAF and (
            is_pure(counts, node)
            # the examples of a leaf with several classes differ in nothing else, so no test can separate them
            or (not was_pure and same_values(example, cells[nodes[node, CELLS], EXAMPLE], codes))
        ):
            nodes[node, CELLS] = link(example, nodes[node, CELLS], cells, state)
            return
        # Without a table it is unknown whether the test is still the best, so a small node is grown again.
        if f != LEAF and t != NONE:
            state[SPENT] += tables.shape[1] * tables.shape[2]
            count(example, codes, labels, weights, start, tables, t)
            best = best_test(counts, node, tables, t, start, terms)
            if best == f:
                wait_aside(node, example, start, nodes, cells, room, state)
                node = nodes[node, FIRST] + codes[example, f]
                continue
            if best != LEAF and best == nodes[node, ASIDE]:
                exchange(node, example, nodes, cells, room.stack, state)
                return
        restructure(node, example, settings, nodes, cells, room, state)
        return


@loop
def learn(
    seen: Any,
    settings: Any,
    nodes: Any,
    counts: Any,
    cells: Any,
    room: Any,
    state: Any,
    stop: int,
    budget: int,
) -> bool:
    """Insert the examples up to `stop`, about `budget` counts at a time; return whether all are in the tree.

    The call also returns early if the next step may not fit; the caller allocates more space and calls again.
    """
    state[SPENT] = 0
    while True:
        if not grow(seen, settings, nodes, counts, cells, room, state, budget):
            return False
        here = state[STACK] - 1
        if here < 0 and state[NEXT] == stop:
            return True
        if state[SPENT] > budget or not has_room(0, settings.start, nodes, cells, room, state):
            return False
        example, node = state[NEXT], 0
        if here < 0:
            state[NEXT] += 1
        else:
            # SEND stays on the stack until the list of its node is empty; each example continues from its
            # branch.
            sender = room.stack[here, 1]
            cell = nodes[sender, CELLS]
            if cell == NONE:
                state[STACK] = here
                continue
            example = cells[cell, EXAMPLE]
            nodes[sender, CELLS] = unlink(cell, cells, state)
            node = nodes[sender, FIRST] + seen.codes[example, nodes[sender, ATTRIBUTE]]
        insert(example, node, seen, settings, nodes, counts, cells, room, state)


@loop
def snapshot(nodes: Any, counts: Any, start: Any, walk: Any, shape: Any, class_counts: Any) -> int:
    """Write the current tree with its nodes numbered depth first; return their number.

    `shape` receives the attribute, the first child and the number of children of each node.
    """
    n_nodes = 1
    walk[0, 0], walk[0, 1] = 0, 0
    n_walk = 1
    while n_walk > 0:
        n_walk -= 1
        node, number = walk[n_walk, 0], walk[n_walk, 1]
        f = nodes[node, ATTRIBUTE]
        shape[0, number], shape[1, number], shape[2, number] = f, NONE, 0
        for c in range(counts.shape[1]):
            class_counts[number, c] = counts[node, c]
        if f != LEAF:
            n = start[f + 1] - start[f]
            shape[1, number], shape[2, number] = n_nodes, n
            # Children are pushed in reverse, so that they are visited, and their own children numbered, from
            # the first.
            for b in range(n - 1, -1, -1):
                walk[n_walk, 0], walk[n_walk, 1] = nodes[node, FIRST] + b, n_nodes + b
                n_walk += 1
            n_nodes += n
    return n_nodes
