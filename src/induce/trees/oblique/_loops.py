"""Hot loops of oblique trees: moving hyperplanes to purer sides, and training linear machines."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from induce.core.loops import inner, loop

TOLERANCE = 1e-9
SCORE, AXIS, STALE, MOVE, SINCE, DRAWN = 0, 1, 2, 3, 4, 5
FLAT = 1e-12
FEW = 1_000
STALENESS = 0.1
BETA, GREW, LEAST_ERRORS = 0, 1, 2
HOT, COLD = 2.0, 1e-3
COOLING, CHILL = 0.999, 0.0005


@inner
def content(counts: Any, gini: bool) -> float:
    """Return the negative weighted entropy of one side, or its Gini term; larger is purer."""
    value = 0.0
    weight = 0.0
    for c in range(len(counts)):
        weight += counts[c]
        if gini:
            value += counts[c] * counts[c]
        elif counts[c] > 0.0:
            value += counts[c] * math.log2(counts[c])
    if weight <= 0.0:
        return 0.0
    return value / weight if gini else value - weight * math.log2(weight)


@loop
def best_cut(
    values: Any, order: Any, labels: Any, weight: Any, n_classes: int, least: float, gini: bool
) -> Any:
    """Return the best threshold of a column: (content of its sides, content of both together, entry below the
    cut).

    `order` sorts the known values; an entry of -1 means that there is no threshold.
    """
    below = np.zeros(n_classes)
    above = np.zeros(n_classes)
    w_below = w_above = 0.0
    for p in range(len(order)):
        above[labels[order[p]]] += weight[order[p]]
        w_above += weight[order[p]]
    together = content(above, gini)
    # Ties up to rounding go to the lowest cut.
    slack = TOLERANCE * w_above
    best = -np.inf
    at = -1
    for p in range(len(order) - 1):
        i, after = order[p], order[p + 1]
        c, w = labels[i], weight[i]
        below[c] += w
        above[c] = max(above[c] - w, 0.0)
        w_below += w
        w_above -= w
        if values[i] == values[after] or w_below < least or w_above < least:
            continue
        score = content(below, gini) + content(above, gini)
        if score > best + slack:
            best = score
            at = p
    return best, together, at


@inner
def sort_keys(bits: Any, order: Any, spare: Any, n: int, starts: Any) -> Any:
    """Sort n floats, given as bit patterns that are converted to integers of the same order.

    Sorting is most of the work, and unpredictable comparisons are slow. For a few numbers the digits of the
    radix sort are shorter, so that there are fewer digits to count.
    """
    for k in range(n):
        # so that bit patterns sort like the numbers they represent
        bits[k] ^= np.uint32(0xFFFFFFFF) if bits[k] >> np.uint32(31) else np.uint32(0x80000000)
        order[k] = k
    # Radix sort from the lowest digit: each pass is stable, so all digits are in order after the last one.
    # `starts` is the next position for each digit.
    width = 8 if n < FEW else 11
    last = np.uint32((1 << width) - 1)
    for low in range(0, 32, width):
        shift = np.uint32(low)
        starts[: last + 2] = 0
        for k in range(n):
            starts[((bits[k] >> shift) & last) + 1] += 1
        for d in range(1, last + 1):
            starts[d] += starts[d - 1]
        for k in range(n):
            digit = (bits[order[k]] >> shift) & last
            spare[starts[digit]] = order[k]
            starts[digit] += 1
        order, spare = spare, order
    return order


@inner
def best_step(value: Any, slope: Any, labels: Any, weight: Any, room: Any, least: float, gini: bool) -> Any:
    """Return the step that makes the sides of ``value + step * slope > 0`` purest: (content of the sides,
    step).

    Every example changes sides at one step, from above to below if its slope is negative. The steps are
    sorted like thresholds (Murthy and others 1994, Eq. 1). Steps that are equal in single precision count as
    one.
    """
    below, above, at, keys, bits, order, spare, starts = room
    for c in range(len(below)):
        below[c] = 0.0
        above[c] = 0.0
    w_below = w_above = 0.0
    n = 0
    for i in range(len(value)):
        c, w, rises = labels[i], weight[i], slope[i]
        # Before the first step (minus infinity), examples with a negative slope are above and the others
        # below; examples with zero slope stay.
        moves = abs(rises) > FLAT
        if moves:
            keys[n] = -value[i] / rises + 0.0  # so that zero has a single sign
            at[n] = i
            n += 1
        if rises < 0.0 if moves else value[i] > 0.0:
            above[c] += w
            w_above += w
        else:
            below[c] += w
            w_below += w
    order = sort_keys(bits, order, spare, n, starts)
    slack = TOLERANCE * (w_below + w_above)
    best = -np.inf
    step = 0.0
    for k in range(n - 1):
        i, after = at[order[k]], at[order[k + 1]]
        c, w, rises = labels[i], weight[i], slope[i] > 0.0
        # At its step, an example moves above if its slope is positive, and below otherwise.
        if not rises:
            w = -w
        below[c] -= w
        above[c] += w
        w_below -= w
        w_above += w
        key = bits[order[k + 1]]
        if (
            bits[order[k]] == key
            or w_below <= slack
            or w_above <= slack
            or w_below < least
            or w_above < least
        ):
            continue
        spare_weight = min(w_below, w_above) - max(weight[i], weight[after])
        if (
            spare_weight >= least
            and labels[after] == c
            and (slope[after] > 0.0) == rises
            and k + 2 < n
            and bits[order[k + 2]] != key
        ):
            continue  # no step between two examples of one class is best, unless the second has the step of the third
        score = content(below, gini) + content(above, gini)
        if score > best + slack:
            best = score
            step = (-value[i] / slope[i] - value[after] / slope[after]) / 2.0
    return best, step


@inner
def make_room(n: int, n_classes: int) -> Any:
    """Allocate the buffers of `best_step`."""
    keys = np.empty(n, np.float32)
    return (
        np.empty(n_classes),
        np.empty(n_classes),
        np.empty(n, np.int32),
        keys,
        keys.view(np.uint32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(2049, np.int32),
    )


@loop
def climb(
    columns: Any,
    labels: Any,
    weight: Any,
    n_classes: int,
    plane: Any,
    directions: Any,
    chances: Any,
    state: Any,
    jumps: int,
    least: float,
    gini: bool,
    budget: int,
) -> bool:
    """Optimise a hyperplane as in OC1: perturb its coefficients in turn, and jump at a local optimum.

    The last column of `columns` is all ones, for the constant. A step that is equally good is taken with a
    probability that falls each time. A jump goes in a random direction and is taken only if it helps. The
    call returns False when the budget is spent.
    """
    n_axes, n = columns.shape
    value = np.zeros(n)
    slope = np.empty(n)
    for m in range(n_axes):
        for i in range(n):
            value[i] += plane[m] * columns[m, i]
    room = make_room(n, n_classes)
    slack = 0.0
    for i in range(n):
        slack += TOLERANCE * weight[i]
    spent = 0
    while spent <= budget:
        spent += n
        drawn = int(state[DRAWN])
        axis = int(state[AXIS])
        # No coefficient has helped in a full round: a local optimum.
        jumping = state[STALE] >= n_axes
        if jumping:
            if state[SINCE] >= jumps:
                return True
            state[SINCE] += 1.0
            direction = directions[drawn % len(directions)]
            for i in range(n):
                slope[i] = 0.0
            for m in range(n_axes):
                for i in range(n):
                    slope[i] += direction[m] * columns[m, i]
            score, step = best_step(value, slope, labels, weight, room, least, gini)
        else:
            direction = directions[0]
            score, step = best_step(value, columns[axis], labels, weight, room, least, gini)
            state[AXIS] = (axis + 1) % n_axes
            state[STALE] += 1.0
        state[DRAWN] = drawn + 1
        # Murthy and others 1994: an improving step is always taken, an equally good one with probability
        # MOVE. MOVE falls with each such step so that the search does not wander on a plateau forever.
        better = score > state[SCORE] + slack
        if better:
            state[STALE] = 0.0
            state[MOVE] = 1.0
            state[SINCE] = 0.0
        elif jumping or score < state[SCORE] - slack or chances[drawn % len(chances)] >= state[MOVE]:
            continue
        else:
            state[MOVE] -= STALENESS
            state[STALE] = 0.0
        state[SCORE] = score
        for i in range(n):
            value[i] += step * (slope[i] if jumping else columns[axis, i])
        # Only the direction matters; with length 1, coefficients stay comparable and nothing overflows.
        length = 0.0
        for m in range(n_axes):
            if jumping:
                plane[m] += step * direction[m]
            elif m == axis:
                plane[m] += step
            length += plane[m] * plane[m]
        length = math.sqrt(length)
        for m in range(n_axes):
            plane[m] /= length
        for i in range(n):
            value[i] /= length
    return False


@loop
def without(
    columns: Any,
    labels: Any,
    weight: Any,
    n_classes: int,
    plane: Any,
    dropped: int,
    least: float,
    gini: bool,
) -> Any:
    """Evaluate the sides of a hyperplane without one column: their content and the best constant."""
    n_axes, n = columns.shape
    value = np.zeros(n)
    for m in range(n_axes - 1):
        if m != dropped:
            for i in range(n):
                value[i] += plane[m] * columns[m, i]
    room = make_room(n, n_classes)
    return best_step(value, columns[n_axes - 1], labels, weight, room, least, gini)


@inner
def scores_of(machine: Any, examples: Any, i: int, scores: Any) -> None:
    """Compute the discriminants of an example."""
    for c in range(machine.shape[0]):
        scores[c] = 0.0
        for v in range(machine.shape[1]):
            scores[c] += machine[c, v] * examples[i, v]


@loop
def train(
    examples: Any,
    labels: Any,
    weight: Any,
    order: Any,
    machine: Any,
    best: Any,
    state: Any,
    cooling: float,
    budget: int,
) -> bool:
    """Train a linear machine by thermal training (Frean 1990; Utgoff and Brodley 1991).

    An example in `order` is misclassified if its class does not have the largest discriminant. It is
    corrected, unless too far off for the current temperature beta, by c = beta / (beta + k), where k is its
    distance. Beta falls whenever the weights swing back, and by `cooling` after every pass, so that training
    ends. `best` gets the machine with the least error weight after any pass. The call returns False when the
    budget is spent.
    """
    n_classes = machine.shape[0]
    scores = np.empty(n_classes)
    spent = 0
    while state[BETA] > COLD:
        if spent > budget:
            return False
        spent += 2 * len(order) * machine.size
        corrected = False
        wrong = False
        for e in range(len(order)):
            i = order[e]
            label = labels[i]
            scores_of(machine, examples, i, scores)
            rival = 1 if label == 0 else 0
            for c in range(n_classes):
                if c != label and scores[c] > scores[rival]:
                    rival = c
            if scores[rival] < scores[label]:
                continue
            wrong = True
            square = 0.0
            for v in range(machine.shape[1]):
                square += examples[i, v] * examples[i, v]
            # The correction that would equalise the two discriminants.
            k = (scores[rival] - scores[label]) / (2.0 * square)
            # Too far off for this temperature: an outlier must not distort the machine.
            if k >= state[BETA]:
                continue
            corrected = True
            c = state[BETA] / (state[BETA] + k)
            for v in range(machine.shape[1]):
                machine[label, v] += c * examples[i, v]
                machine[rival, v] -= c * examples[i, v]
            grows = c > 2.0 * k  # so the sum of the squared weights rises
            if not grows and state[GREW] > 0.0:
                state[BETA] = COOLING * state[BETA] - CHILL
            state[GREW] = 1.0 if grows else 0.0
        # Thermal training does not improve steadily, so the best machine after any pass is kept (the pocket
        # algorithm).
        errors = 0.0
        for i in range(len(labels)):
            scores_of(machine, examples, i, scores)
            chosen = 0
            for c in range(1, n_classes):
                if scores[c] > scores[chosen]:
                    chosen = c
            if chosen != labels[i]:
                errors += weight[i]
        if errors < state[LEAST_ERRORS]:
            state[LEAST_ERRORS] = errors
            for c in range(n_classes):
                for v in range(machine.shape[1]):
                    best[c, v] = machine[c, v]
        if not (wrong and corrected):
            return True
        state[BETA] *= cooling
    return True
