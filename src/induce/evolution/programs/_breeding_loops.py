"""Compiled loops that create programs: random trees, selection, crossover and mutation.

A program is a row of codes in prefix order, with a parallel row of constants. It has a main part and one part per
subroutine; `starts` gives the start of each part and the end of the last. `nodes` describes the codes of each
part, `types` the types; `listed` holds the codes that both refer to.

Every program has its own random stream, so that results do not depend on the division among threads.
"""

from __future__ import annotations

from typing import Any

from induce.core._random_loops import below, normal, uniform
from induce.core.loops import inner, loop

# columns of `nodes`: number of arguments, type of the value, whether it is a random constant, minimum depth and
# size of a tree with it as root, codes of the same signature, types of the arguments
ARITY, GIVES, CONSTANT, DEPTH, SIZE, ALIKE, ALIKE_END, TAKES = 0, 1, 2, 3, 4, 5, 6, 7
# columns of `types`: its functions, its terminals, minimum depth and size of a tree of the type
FUNCTIONS, FUNCTIONS_END, TERMINALS, TERMINALS_END, LEAST_DEPTH, LEAST_SIZE = 0, 1, 2, 3, 4, 5
# ways to create a program
COPY, CROSSOVER, SUBTREE, HOIST, POINT, RANDOM = 0, 1, 2, 3, 4, 5
# indices into `settings`
TOURNAMENT, MAX_SIZE, MAX_DEPTH, LOW_DEPTH, HIGH_DEPTH, AT_RANDOM = 0, 1, 2, 3, 4, 5
# indices into `chances`
P_CROSSOVER, P_SUBTREE, P_HOIST, P_POINT, P_REPLACE = 0, 1, 2, 3, 4

INNER = 0.9
"""Probability that a crossover point is a function (Koza 1992)."""
HALF = 0.5


@inner
def drawn_constant(low: Any, high: Any, state: Any) -> Any:
    """Return a random constant."""
    return low + (high - low) * uniform(state)


@inner
def drawn_code(
    kind: Any, depth: Any, room: Any, full: Any, nodes: Any, types: Any, listed: Any, state: Any
) -> Any:
    """Return a random code of a type that can root a tree within a depth and a size."""
    start, end = types[kind, FUNCTIONS], types[kind, FUNCTIONS_END]
    n_terminals = types[kind, TERMINALS_END] - types[kind, TERMINALS]
    fitting = 0
    for k in range(start, end):
        code = listed[k]
        if nodes[code, DEPTH] <= depth and nodes[code, SIZE] <= room:
            fitting += 1
    if fitting > 0:
        inner = n_terminals == 0 or full
        if not inner:
            # At least every second node is a function, however many terminals there are; otherwise trees stay too
            # small.
            inner = uniform(state) < max(HALF, fitting / (fitting + n_terminals))
        if inner:
            wanted = below(state, fitting)
            for k in range(start, end):
                code = listed[k]
                if nodes[code, DEPTH] <= depth and nodes[code, SIZE] <= room:
                    if wanted == 0:
                        return code
                    wanted -= 1
    return listed[types[kind, TERMINALS] + below(state, n_terminals)]


@inner
def grow(
    codes: Any,
    constants: Any,
    at: Any,
    room: Any,
    kind: Any,
    depth: Any,
    full: Any,
    nodes: Any,
    ranges: Any,
    types: Any,
    listed: Any,
    pending: Any,
    state: Any,
) -> Any:
    """Write a random tree of a type with at most `room` nodes; return its end."""
    end = at + room
    pending[0, 0] = kind
    pending[1, 0] = depth
    n = 1
    # Invariant: `needed` is the minimum number of nodes that completes all pending arguments; every draw must
    # leave room for them.
    needed = types[kind, LEAST_SIZE]
    while n > 0:
        n -= 1
        wanted, deep = pending[0, n], pending[1, n]
        needed -= types[wanted, LEAST_SIZE]
        code = drawn_code(wanted, deep, end - at - needed, full, nodes, types, listed, state)
        codes[at] = code
        constants[at] = 0.0
        if nodes[code, CONSTANT]:
            constants[at] = drawn_constant(ranges[code, 0], ranges[code, 1], state)
        at += 1
        for k in range(nodes[code, ARITY] - 1, -1, -1):
            argument = nodes[code, TAKES + k]
            pending[0, n] = argument
            pending[1, n] = deep - 1
            needed += types[argument, LEAST_SIZE]
            n += 1
    return at


@inner
def outline(codes: Any, start: Any, end: Any, nodes: Any, ends: Any, depths: Any, heights: Any) -> None:
    """Compute the end, depth and height of the subtree of each node."""
    # Backwards in prefix order: the arguments of a node come after it and are already done.
    for i in range(end - 1, start - 1, -1):
        after, height = i + 1, 0
        for _ in range(nodes[codes[i], ARITY]):
            height = max(height, heights[after] + 1)
            after = ends[after]
        ends[i] = after
        heights[i] = height
    depths[start] = 0
    for i in range(start, end):
        after = i + 1
        for _ in range(nodes[codes[i], ARITY]):
            depths[after] = depths[i] + 1
            after = ends[after]


@inner
def chosen(losses: Any, shares: Any, size: Any, state: Any) -> Any:
    """Return a parent: the winner of a tournament, or fitness-proportional if the tournament size is 0."""
    n = len(losses)
    if size == 0:
        drawn = uniform(state) * shares[n - 1]
        low, high = 0, n - 1
        while low < high:
            middle = (low + high) // 2
            if shares[middle] > drawn:
                high = middle
            else:
                low = middle + 1
        return low
    best = below(state, n)
    for _ in range(size - 1):
        other = below(state, n)
        # Ties are broken by position in the generation, not by the order of draws.
        if losses[other] < losses[best] or (losses[other] == losses[best] and other < best):
            best = other
    return best


@inner
def drawn_point(codes: Any, start: Any, end: Any, nodes: Any, state: Any) -> Any:
    """Return a random node of a tree, mostly a function."""
    point = start + below(state, end - start)
    # A terminal is accepted with probability 1 - INNER; after eight draws any node is accepted.
    for _ in range(8):
        if nodes[codes[point], ARITY] > 0 or uniform(state) >= INNER:
            return point
        point = start + below(state, end - start)
    return point


@inner
def drawn_graft(
    codes: Any,
    start: Any,
    end: Any,
    kind: Any,
    room: Any,
    height: Any,
    nodes: Any,
    ends: Any,
    heights: Any,
    state: Any,
) -> Any:
    """Return a random node of a type whose subtree fits, mostly a function, or -1 if there is none."""
    # Count first, then draw: every node that fits is equally likely, whatever its position.
    inner = leaves = 0
    for i in range(start, end):
        if nodes[codes[i], GIVES] == kind and ends[i] - i <= room and heights[i] <= height:
            if nodes[codes[i], ARITY] > 0:
                inner += 1
            else:
                leaves += 1
    if inner + leaves == 0:
        return -1
    of_functions = leaves == 0 or (inner > 0 and uniform(state) < INNER)
    wanted = below(state, inner if of_functions else leaves)
    for i in range(start, end):
        fits = nodes[codes[i], GIVES] == kind and ends[i] - i <= room and heights[i] <= height
        if fits and (nodes[codes[i], ARITY] > 0) == of_functions:
            if wanted == 0:
                return i
            wanted -= 1
    return -1


@inner
def replaced_point(
    codes: Any, constants: Any, i: Any, nodes: Any, ranges: Any, listed: Any, state: Any
) -> None:
    """Replace one node by another of the same signature, or perturb or redraw a constant."""
    code = codes[i]
    first, n = nodes[code, ALIKE], nodes[code, ALIKE_END] - nodes[code, ALIKE]
    if nodes[code, CONSTANT] and (n == 1 or uniform(state) < HALF):
        low, high = ranges[code, 0], ranges[code, 1]
        if uniform(state) < HALF:
            constants[i] = drawn_constant(low, high, state)
        else:
            constants[i] += 0.1 * normal(state) * max(abs(constants[i]), 0.1 * (high - low))
        return
    code = listed[first + below(state, n)]
    if nodes[code, CONSTANT] and codes[i] != code:
        constants[i] = drawn_constant(ranges[code, 0], ranges[code, 1], state)
    codes[i] = code


@inner
def random_program(
    i: Any,
    codes: Any,
    constants: Any,
    starts: Any,
    roots: Any,
    settings: Any,
    nodes: Any,
    ranges: Any,
    types: Any,
    listed: Any,
    pending: Any,
    state: Any,
) -> None:
    """Create the i-th random program by ramped half-and-half: all depths in turn, half of the trees full."""
    n_parts = len(starts) - 1
    depths = settings[HIGH_DEPTH] - settings[LOW_DEPTH] + 1
    starts[0] = 0
    at = starts[0]  # not the literal 0, which would compile a separate version
    for part in range(n_parts):
        needed = 0
        for later in range(part + 1, n_parts):
            needed += types[later, roots[later], LEAST_SIZE]
        depth = settings[LOW_DEPTH] + (i // 2) % depths
        depth = max(depth, types[part, roots[part], LEAST_DEPTH])
        starts[part] = at
        at = grow(
            codes,
            constants,
            at,
            settings[MAX_SIZE] - at - needed,
            roots[part],
            depth,
            i % 2 == 0,
            nodes[part],
            ranges,
            types[part],
            listed,
            pending,
            state,
        )
    starts[n_parts] = at


@loop
def next_programs(
    begin: Any,
    end: Any,
    old_codes: Any,
    old_constants: Any,
    old_starts: Any,
    losses: Any,
    shares: Any,
    codes: Any,
    constants: Any,
    starts: Any,
    parents: Any,
    ways: Any,
    roots: Any,
    streams: Any,
    settings: Any,
    chances: Any,
    nodes: Any,
    ranges: Any,
    types: Any,
    listed: Any,
    pending: Any,
    work: Any,
) -> None:
    """Create the next generation from the last one, or the first one at random."""
    n_parts = starts.shape[1] - 1
    ends, depths, heights, other_ends, other_heights = work[0], work[1], work[2], work[3], work[4]
    for i in range(begin, end):
        state = streams[i]
        if settings[AT_RANDOM]:
            random_program(
                i,
                codes[i],
                constants[i],
                starts[i],
                roots,
                settings,
                nodes,
                ranges,
                types,
                listed,
                pending,
                state,
            )
            ways[i] = RANDOM
            parents[i, 0] = parents[i, 1] = -1
            continue
        drawn = uniform(state)
        way = COPY
        for k in range(4):
            if drawn < chances[k]:
                way = k + 1
                break
            drawn -= chances[k]
        first = chosen(losses, shares, settings[TOURNAMENT], state)
        size = old_starts[first, n_parts]
        parents[i, 0] = first
        parents[i, 1] = -1
        mine = old_codes[first]
        if way in (COPY, POINT):
            for k in range(size):
                codes[i, k] = mine[k]
                constants[i, k] = old_constants[first, k]
            for part in range(n_parts + 1):
                starts[i, part] = old_starts[first, part]
            if way == POINT:
                for part in range(n_parts):
                    for k in range(starts[i, part], starts[i, part + 1]):
                        if uniform(state) < chances[P_REPLACE]:
                            replaced_point(codes[i], constants[i], k, nodes[part], ranges, listed, state)
            ways[i] = way
            continue
        at = below(state, size)
        part = 0
        while old_starts[first, part + 1] <= at:
            part += 1
        start, stop = old_starts[first, part], old_starts[first, part + 1]
        outline(mine, start, stop, nodes[part], ends, depths, heights)
        point = drawn_point(mine, start, stop, nodes[part], state)
        kind = nodes[part, mine[point], GIVES]
        # Size limit of the replacement: the free nodes plus those of the old subtree.
        room = settings[MAX_SIZE] - size + ends[point] - point
        deep = settings[MAX_DEPTH] - depths[point]
        if way == SUBTREE and room < types[part, kind, LEAST_SIZE]:
            way = HOIST
        # copy the part before the point, then the replacement, then the part after it
        for k in range(point):
            codes[i, k] = mine[k]
            constants[i, k] = old_constants[first, k]
        finish = point
        if way == SUBTREE:
            depth = settings[LOW_DEPTH] + below(state, settings[HIGH_DEPTH] - settings[LOW_DEPTH] + 1)
            depth = max(min(depth, deep), types[part, kind, LEAST_DEPTH])
            finish = grow(
                codes[i],
                constants[i],
                point,
                room,
                kind,
                depth,
                uniform(state) < HALF,
                nodes[part],
                ranges,
                types[part],
                listed,
                pending,
                state,
            )
        else:
            # a subtree of another parent, or of the subtree at the point
            donor, begun, stopped, most = first, point, ends[point], size
            if way == CROSSOVER:
                donor, most = chosen(losses, shares, settings[TOURNAMENT], state), room
                begun, stopped = old_starts[donor, part], old_starts[donor, part + 1]
            other = old_codes[donor]
            outline(other, begun, stopped, nodes[part], other_ends, depths, other_heights)
            graft = drawn_graft(
                other, begun, stopped, kind, most, deep, nodes[part], other_ends, other_heights, state
            )
            # No node of this type fits: the subtree is restored, and the child is a copy.
            if graft < 0:
                donor, way, graft, after = first, COPY, point, ends[point]
            else:
                after = other_ends[graft]
                if way == CROSSOVER:
                    parents[i, 1] = donor
            for k in range(graft, after):
                codes[i, finish] = old_codes[donor, k]
                constants[i, finish] = old_constants[donor, k]
                finish += 1
        shift = finish - ends[point]
        for k in range(ends[point], size):
            codes[i, k + shift] = mine[k]
            constants[i, k + shift] = old_constants[first, k]
        for k in range(n_parts + 1):
            starts[i, k] = old_starts[first, k] + (shift if k > part else 0)
        ways[i] = way
