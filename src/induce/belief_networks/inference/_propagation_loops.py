"""Compiled loops of junction-tree propagation: messages, marginals, expected counts, most probable states."""

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


class Model(NamedTuple):
    """Flat factors."""

    sizes: Ints
    starts: Ints
    scopes: Ints
    strides: Ints
    offsets: Ints
    tables: Floats


class Tree(NamedTuple):
    """Clusters, children before parents, with their factors and messages."""

    scopes: Ints  # starts of the clusters' variables, in elimination order
    variables: Ints
    tables: Ints  # starts of the clusters' tables
    messages: Ints  # starts of the separators' tables
    parents: Ints
    children: Ints  # the first child of each cluster, or -1
    siblings: Ints  # the next child of the same parent, or -1
    inner: Ints  # number of variables that each cluster eliminates
    factors: Ints  # factors with open variables, by cluster, then the others
    begins: Ints  # start of the factors of each cluster
    maps: Ints  # starts of the maps of factors, then of separators into their parents
    lengths: Ints
    steps: Ints


@inner
def _unpacked(plan: Ints) -> Tree:
    """Unpack a tree from an array."""
    return Tree(
        plan[plan[0] : plan[1]],
        plan[plan[1] : plan[2]],
        plan[plan[2] : plan[3]],
        plan[plan[3] : plan[4]],
        plan[plan[4] : plan[5]],
        plan[plan[5] : plan[6]],
        plan[plan[6] : plan[7]],
        plan[plan[7] : plan[8]],
        plan[plan[8] : plan[9]],
        plan[plan[9] : plan[10]],
        plan[plan[10] : plan[11]],
        plan[plan[11] : plan[12]],
        plan[plan[12] : plan[13]],
    )


# --- loops over tables


@inner
def _multiply(table: Floats, values: Floats, lengths: Ints, steps: Ints, counter: Ints) -> None:
    """Multiply a table by the values addressed by a map."""
    # The table is traversed in its own order (`t`), and `at` is the matching index in `values`. `counter` is
    # an odometer over all dimensions but the last; a digit that wraps around subtracts its steps. A step of 0
    # means that the values do not depend on the variable.
    last = len(lengths) - 1
    length, step = lengths[last], steps[last]
    for d in range(last):
        counter[d] = 0
    t, at, d = 0, 0, last
    while d >= 0:
        if step == 0:
            value = values[at]
            for i in range(length):
                table[t + i] *= value
        elif step == 1:  # special case, because it is four times as fast
            for i in range(length):
                table[t + i] *= values[at + i]
        else:
            for i in range(length):
                table[t + i] *= values[at + i * step]
        t += length
        d = last - 1
        while d >= 0:
            counter[d] += 1
            at += steps[d]
            if counter[d] < lengths[d]:
                break
            counter[d] = 0
            at -= steps[d] * lengths[d]
            d -= 1


@inner
def _gather(table: Floats, share: float, sums: Floats, lengths: Ints, steps: Ints, counter: Ints) -> None:
    """Add a multiple of the table's entries to the sums addressed by a map."""
    last = len(lengths) - 1
    length, step = lengths[last], steps[last]
    for d in range(last):
        counter[d] = 0
    t, at, d = 0, 0, last
    while d >= 0:
        if step == 0:
            sums[at] += share * _sum(table[t : t + length])
        elif step == 1:
            for i in range(length):
                sums[at + i] += share * table[t + i]
        else:
            for i in range(length):
                sums[at + i * step] += share * table[t + i]
        t += length
        d = last - 1
        while d >= 0:
            counter[d] += 1
            at += steps[d]
            if counter[d] < lengths[d]:
                break
            counter[d] = 0
            at -= steps[d] * lengths[d]
            d -= 1


@inner
def _sum(table: Floats) -> float:
    """Return the sum of a table, accumulated in four independent partial sums."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    whole = len(table) // 4
    for i in range(whole):
        a += table[4 * i]
        b += table[4 * i + 1]
        c += table[4 * i + 2]
        d += table[4 * i + 3]
    for i in range(4 * whole, len(table)):
        a += table[i]
    return (a + b) + (c + d)


# --- messages


@inner
def _base(model: Model, codes: Codes, f: int) -> int:
    """Return the start of the slice of a factor that matches the evidence."""
    # Observed variables only shift the start; the remaining factor is traversed along its open variables.
    at = model.offsets[f]
    for i in range(model.starts[f], model.starts[f + 1]):
        if codes[model.scopes[i]] >= 0:
            at += model.strides[i] * codes[model.scopes[i]]
    return int(at)


@inner
def _load(
    model: Model, tree: Tree, c: int, codes: Codes, part: Floats, message: Floats, counter: Ints
) -> None:
    """Set the table of a cluster to the product of its factors and its children's messages."""
    for i in range(len(part)):
        part[i] = 1.0
    m, child = tree.begins[c], tree.children[c]
    while m < tree.begins[c + 1] or child >= 0:  # one call site of `_multiply` compiles faster than two
        if m < tree.begins[c + 1]:
            values, k = model.tables[_base(model, codes, tree.factors[m]) :], m
            m += 1
        else:
            values, k = message[tree.messages[child] :], len(tree.factors) + child
            child = tree.siblings[child]
        a, b = tree.maps[k], tree.maps[k + 1]
        _multiply(part, values, tree.lengths[a:b], tree.steps[a:b], counter)


@inner
def _log_constant(model: Model, tree: Tree, codes: Codes) -> float:
    """Return the log probability contributed by factors without open variables."""
    log = 0.0
    for m in range(tree.begins[len(tree.parents)], len(tree.factors)):
        chance = model.tables[_base(model, codes, tree.factors[m])]
        log += math.log(chance) if chance > 0.0 else -math.inf
    return log


@inner
def _send(part: Floats, sent: Floats) -> float:
    """Write the message of a cluster, normalised to 1; return its sum, or 0 if the evidence is impossible."""
    # The separator's variables come last in the cluster, so the message is a sum of rows of that width.
    width = len(sent)
    if width == 1:
        sent[0] = _sum(part)
    else:
        for i in range(width):
            sent[i] = part[i]
        for row in range(1, len(part) // width):
            for i in range(width):
                sent[i] += part[row * width + i]
    # The product of all these sums is the probability of the evidence; normalised messages never underflow.
    total = _sum(sent)
    if total > 0.0:
        for i in range(width):
            sent[i] /= total
    return total


@inner
def _collect(
    model: Model, tree: Tree, codes: Codes, table: Floats, message: Floats, scale: Floats, counter: Ints
) -> float:
    """Send messages towards the roots; return the log probability of the evidence."""
    log = _log_constant(model, tree, codes)
    # Children come before parents, so all messages to a cluster have arrived when it is loaded (Lauritzen and
    # Spiegelhalter 1988, the inward pass).
    for c in range(len(tree.parents)):
        part = table[tree.tables[c] : tree.tables[c + 1]]
        sent = message[tree.messages[c] : tree.messages[c + 1]]
        _load(model, tree, c, codes, part, message, counter)
        scale[c] = _send(part, sent)
        if scale[c] <= 0.0:
            return -math.inf
        log += math.log(scale[c])
    return log


@inner
def _products(model: Model, tree: Tree, codes: Codes, whole: Floats, counter: Ints) -> None:
    """Set the table of every cluster to the product of its factors."""
    for c in range(len(tree.parents)):
        part = whole[tree.tables[c] : tree.tables[c + 1]]
        for i in range(len(part)):
            part[i] = 1.0
        for m in range(tree.begins[c], tree.begins[c + 1]):
            a, b = tree.maps[m], tree.maps[m + 1]
            values = model.tables[_base(model, codes, tree.factors[m]) :]
            _multiply(part, values, tree.lengths[a:b], tree.steps[a:b], counter)


@inner
def _observe(model: Model, tree: Tree, c: int, codes: Codes, part: Floats) -> None:
    """Zero the entries that contradict the evidence on the variables that a cluster eliminates."""
    # Entry (o, value, k) of the table is at (o size + value) inner + k.
    outer, inner = 1, len(part)
    for i in range(tree.scopes[c], tree.scopes[c] + tree.inner[c]):
        v = tree.variables[i]
        size = model.sizes[v]
        inner //= size
        if codes[v] >= 0:
            for o in range(outer):
                for value in range(size):
                    if value != codes[v]:
                        t = (o * size + value) * inner
                        for k in range(t, t + inner):
                            part[k] = 0.0
        outer *= size


@inner
def _collect_all(
    model: Model,
    tree: Tree,
    codes: Codes,
    whole: Floats,
    table: Floats,
    message: Floats,
    scale: Floats,
    counter: Ints,
) -> float:
    """Send messages towards the roots of a tree built without evidence; `whole` holds its products."""
    log = 0.0
    for c in range(len(tree.parents)):
        part = table[tree.tables[c] : tree.tables[c + 1]]
        for i in range(len(part)):
            # The products of factors are the same for every row; only observations and messages are multiplied
            # in.
            part[i] = whole[tree.tables[c] + i]
        _observe(model, tree, c, codes, part)
        child = tree.children[c]
        while child >= 0:
            a, b = tree.maps[len(tree.factors) + child], tree.maps[len(tree.factors) + child + 1]
            _multiply(part, message[tree.messages[child] :], tree.lengths[a:b], tree.steps[a:b], counter)
            child = tree.siblings[child]
        scale[c] = _send(part, message[tree.messages[c] : tree.messages[c + 1]])
        if scale[c] <= 0.0:
            return -math.inf
        log += math.log(scale[c])
    return log


@inner
def _distribute(
    tree: Tree, table: Floats, message: Floats, back: Floats, scale: Floats, useful: Bools, counter: Ints
) -> None:
    """Send messages away from the roots, so that every needed table holds its posterior probabilities."""
    # The outward pass, parents first. A parent's table already holds P(cluster | evidence). Summing it onto
    # the separator and dividing by the child's message turns the child's table into its posterior. A root has
    # no separator and is only normalised.
    for c in range(len(tree.parents) - 1, -1, -1):
        if not useful[c]:
            continue
        sent = message[tree.messages[c] : tree.messages[c + 1]]
        width, p = len(sent), tree.parents[c]
        for i in range(width):
            back[i] = 1.0 if p < 0 else 0.0
        if p >= 0:
            m = len(tree.factors) + c
            a, b = tree.maps[m], tree.maps[m + 1]
            above = table[tree.tables[p] : tree.tables[p + 1]]
            _gather(above, 1.0, back, tree.lengths[a:b], tree.steps[a:b], counter)
        for i in range(width):
            back[i] = back[i] / (sent[i] * scale[c]) if sent[i] > 0.0 else 0.0
        part = table[tree.tables[c] : tree.tables[c + 1]]
        for row in range(len(part) // width):
            for i in range(width):
                part[row * width + i] *= back[i]


# --- answers


@inner
def _useful(tree: Tree, wanted: Bools) -> Bools:
    """Return the clusters that eliminate a wanted variable or lie between such a cluster and a root."""
    useful = np.zeros(len(tree.parents), np.bool_)
    for c in range(len(useful)):
        for i in range(tree.scopes[c], tree.scopes[c] + tree.inner[c]):
            useful[c] = useful[c] or wanted[tree.variables[i]]
        # Children come first, so that one pass reaches the roots.
        if useful[c] and tree.parents[c] >= 0:
            useful[tree.parents[c]] = True
    return useful


@inner
def _margins(
    model: Model, tree: Tree, c: int, part: Floats, wanted: Bools, places: Ints, answer: Floats
) -> None:
    """Write the posterior probabilities of the variables eliminated by a cluster."""
    outer, inner = 1, len(part)
    for i in range(tree.scopes[c], tree.scopes[c] + tree.inner[c]):
        v = tree.variables[i]
        size = model.sizes[v]
        inner //= size
        # Every variable is eliminated in exactly one cluster, so it is written once.
        if wanted[v]:
            for value in range(size):
                total = 0.0
                for o in range(outer):
                    t = (o * size + value) * inner
                    total += _sum(part[t : t + inner])
                answer[places[v] + value] = total
        outer *= size


@inner
def _count(
    model: Model, tree: Tree, codes: Codes, table: Floats, weight: float, counts: Floats, counter: Ints
) -> None:
    """Add the posterior probabilities of all factors' states to counts laid out like the tables."""
    n = len(tree.parents)
    for c in range(n):
        part = table[tree.tables[c] : tree.tables[c + 1]]
        for m in range(tree.begins[c], tree.begins[c + 1]):
            a, b = tree.maps[m], tree.maps[m + 1]
            sums = counts[_base(model, codes, tree.factors[m]) :]
            _gather(part, weight, sums, tree.lengths[a:b], tree.steps[a:b], counter)
    # Factors without an open variable: their state is known.
    for m in range(tree.begins[n], len(tree.factors)):
        counts[_base(model, codes, tree.factors[m])] += weight


@loop
def posteriors(
    model: Model,
    plans: Ints,
    starts: Ints,
    rows: Codes,
    groups: Ints,
    wanted: Bools,
    places: Ints,
    answers: Floats,
    logs: Floats,
    weights: Floats,
    counts: Floats,
) -> None:
    """Write the posterior probabilities of the wanted variables and the log probability of each row.

    Rows of a group, which starts at an index in `groups`, share a tree. Unless `counts` is empty, the
    expected counts of the rows are added to it, in the layout of the tables.
    """
    counter = np.empty(64, np.int64)
    table, message, back, scale = np.empty(0), np.empty(0), np.empty(0), np.empty(0)
    for g in range(len(starts) - 1):
        tree = _unpacked(plans[starts[g] : starts[g + 1]])
        useful = _useful(tree, wanted)
        n = len(tree.parents)
        if len(table) < tree.tables[n] or len(message) < tree.messages[n] or len(scale) < n:
            table, message = np.empty(tree.tables[n]), np.empty(tree.messages[n])
            back, scale = np.empty(tree.messages[n]), np.empty(n)
        for r in range(groups[g], groups[g + 1]):
            codes = rows[r]
            logs[r] = _collect(model, tree, codes, table, message, scale, counter)
            if logs[r] == -math.inf:
                for i in range(answers.shape[1]):
                    answers[r, i] = math.nan
                continue
            _distribute(tree, table, message, back, scale, useful, counter)
            for c in range(n if answers.shape[1] > 0 else 0):
                if useful[c]:
                    part = table[tree.tables[c] : tree.tables[c + 1]]
                    _margins(model, tree, c, part, wanted, places, answers[r])
            for v in range(len(codes) if answers.shape[1] > 0 else 0):
                if wanted[v] and codes[v] >= 0:
                    for value in range(model.sizes[v]):
                        answers[r, places[v] + value] = 1.0 if value == codes[v] else 0.0
            if len(counts) > 0:
                _count(model, tree, codes, table, weights[r], counts, counter)


@loop
def posteriors_in_one(
    model: Model, plan: Ints, rows: Codes, wanted: Bools, places: Ints, answers: Floats, logs: Floats
) -> None:
    """Write the posterior probabilities of all variables for each row, using one tree built without evidence."""
    tree = _unpacked(plan)
    n = len(tree.parents)
    counter, nothing = np.empty(64, np.int64), np.full(rows.shape[1], -1, np.int32)
    whole, table = np.empty(tree.tables[n]), np.empty(tree.tables[n])
    message, back, scale = np.empty(tree.messages[n]), np.empty(tree.messages[n]), np.empty(n)
    useful = np.ones(n, np.bool_)
    _products(model, tree, nothing, whole, counter)
    for r in range(len(rows)):
        logs[r] = _collect_all(model, tree, rows[r], whole, table, message, scale, counter)
        if logs[r] == -math.inf:
            for i in range(answers.shape[1]):
                answers[r, i] = math.nan
            continue
        _distribute(tree, table, message, back, scale, useful, counter)
        for c in range(n):
            part = table[tree.tables[c] : tree.tables[c + 1]]
            _margins(model, tree, c, part, wanted, places, answers[r])


@loop
def most_probable(model: Model, plan: Ints, rows: Codes, states: Codes, logs: Floats) -> None:
    """Write the most probable state of the open variables for each row, and its joint log probability.

    Messages are maxima instead of sums. Then, starting from the roots, each cluster takes its best state
    consistent with its separator.
    """
    tree = _unpacked(plan)
    n = len(tree.parents)
    table, message, counter = np.empty(tree.tables[n]), np.empty(tree.messages[n]), np.empty(64, np.int64)
    for r in range(len(rows)):
        codes, state = rows[r], states[r]
        logs[r] = _log_constant(model, tree, codes)
        for c in range(n):
            part = table[tree.tables[c] : tree.tables[c + 1]]
            sent = message[tree.messages[c] : tree.messages[c + 1]]
            _load(model, tree, c, codes, part, message, counter)
            width, greatest = len(sent), 0.0
            for i in range(width):
                sent[i] = 0.0
                for row in range(len(part) // width):
                    sent[i] = max(sent[i], part[row * width + i])
                greatest = max(greatest, sent[i])
            logs[r] += math.log(greatest) if greatest > 0.0 else -math.inf
            for i in range(width):
                sent[i] /= greatest if greatest > 0.0 else 1.0
        # Dawid 1992: from the roots on, the separator's state is already fixed and selects one column of the
        # rows.
        for c in range(n - 1, -1, -1):
            part = table[tree.tables[c] : tree.tables[c + 1]]
            within = 0
            for i in range(tree.scopes[c] + tree.inner[c], tree.scopes[c + 1]):
                within = within * model.sizes[tree.variables[i]] + state[tree.variables[i]]
            width = tree.messages[c + 1] - tree.messages[c]
            best, chosen = -1.0, 0
            for row in range(len(part) // width):
                # Ties go to the first state.
                if part[row * width + within] > best:
                    best, chosen = part[row * width + within], row
            for i in range(tree.scopes[c] + tree.inner[c] - 1, tree.scopes[c] - 1, -1):
                v = tree.variables[i]
                state[v] = chosen % model.sizes[v]
                chosen //= model.sizes[v]
