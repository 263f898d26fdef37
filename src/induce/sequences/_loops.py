"""Compiled loops of hidden Markov models: forward, backward, expected counts and best paths (AIMA 15.3, 20.3).

All sequences are concatenated; `offsets` holds the start of each. The observation probabilities are rescaled at
each step to avoid underflow.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import inner, loop

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]
Places = NDArray[np.int64]

NEGLIGIBLE = 1e-150
"""Probability below which a state counts as impossible, so that 1 / p stays finite."""

FAINT = 1e-100
"""Fraction of the largest probability below which probabilities are rescaled."""

LOWEST = math.log(NEGLIGIBLE * FAINT)
"""Relative log probability below which a state counts as impossible, because denormal numbers are slow."""

LOG_2 = 6.93145751953125e-1, 1.42860682030941723212e-6
"""log 2 split into a number with few bits, whose multiples are exact, and a small remainder."""
TAYLOR = tuple(1 / math.factorial(k) for k in range(13))
"""Coefficients of exp for |x| below log(2) / 2; further ones are negligible."""
ROUNDS = 1.5 * 2.0**52
"""Constant whose sum with a number of moderate size has the nearest integer in its last bits."""


@inner
def component_logs(
    numbers: Floats,
    t: int,
    k: int,
    log_weights: Floats,
    means: Floats,
    halves: Floats,
    norms: Floats,
    logs: Floats,
) -> float:
    """Write the log density of a step's numbers under each Gaussian of a state; return the log density of the
    mixture.

    `halves` are 1 / (2 variance), `norms` the log densities at the mean.
    """
    highest = -math.inf
    for m in range(means.shape[1]):
        total = log_weights[k, m]
        for d in range(means.shape[2]):
            number = numbers[t, d]
            if not math.isnan(number):
                away = number - means[k, m, d]
                total += norms[k, m, d] - halves[k, m, d] * away * away
        logs[m] = total
        highest = max(highest, total)
    if means.shape[1] == 1 or highest == -math.inf:
        return highest
    # log-sum-exp with the largest term factored out, so that not all exponentials underflow
    summed = 0.0
    for m in range(means.shape[1]):
        summed += math.exp(logs[m] - highest)
    return highest + math.log(summed)


@loop
def emission_logs(
    codes: Codes,
    log_tables: Floats,
    begins: Places,
    numbers: Floats,
    log_weights: Floats,
    means: Floats,
    halves: Floats,
    norms: Floats,
    labels: Codes,
    logs: Floats,
) -> None:
    """Write log P(observation | state) for each step; missing values are ignored.

    States other than a step's label have probability 0.
    """
    n_states, single = logs.shape[1], means.shape[1] == 1
    of_components = np.empty(means.shape[1])
    for t in range(len(logs)):
        for k in range(n_states):
            logs[t, k] = 0.0
        if labels[t] >= 0:
            for k in range(n_states):
                logs[t, k] = 0.0 if labels[t] == k else -math.inf
        for c in range(codes.shape[1]):
            if codes[t, c] >= 0:
                at = begins[c] + codes[t, c] * n_states
                for k in range(n_states):
                    logs[t, k] += log_tables[at + k]
        if not single:
            for k in range(n_states):
                logs[t, k] += component_logs(numbers, t, k, log_weights, means, halves, norms, of_components)
    # With one Gaussian per state, steps are in the inner loop, which the compiler vectorises. NaN, from a
    # missing number, contributes nothing.
    if single:
        for d in range(numbers.shape[1]):
            for k in range(n_states):
                mean, half, norm = means[k, 0, d], halves[k, 0, d], norms[k, 0, d]
                for t in range(len(logs)):
                    away = numbers[t, d] - mean
                    log = norm - half * away * away
                    logs[t, k] += 0.0 if math.isnan(log) else log


@loop
def scale(logs: Floats, shifts: Floats, below: Floats) -> None:
    """Write the largest log probability of each step (0 if all are impossible) and the differences from it."""
    for t in range(len(logs)):
        greatest = -math.inf
        for k in range(logs.shape[1]):
            greatest = max(greatest, logs[t, k])
        shifts[t] = greatest if greatest > -math.inf else 0.0
        for k in range(logs.shape[1]):
            below[t, k] = max(logs[t, k] - shifts[t], LOWEST)


@loop
def exponentials(values: Floats, powers: Floats, bits: Places) -> None:
    """Replace numbers between `LOWEST`, the lower limit, and 0 by their exponentials.

    exp(x) is 2^n exp(r), where n is the integer nearest to x / log 2, and exp(r) a polynomial. Vectorised,
    this takes half the time of library calls. `bits` is an integer view of `powers`.
    """
    for i in range(len(values)):
        rounded = values[i] * (1.0 / (LOG_2[0] + LOG_2[1])) + ROUNDS
        powers[i] = rounded
        # The sum has shifted all fractions out of its last bits; the remainder is the integer n, also as
        # bits.
        n = rounded - ROUNDS
        r = values[i] - n * LOG_2[0] - n * LOG_2[1]
        total = TAYLOR[12]
        for k in range(11, -1, -1):
            total = total * r + TAYLOR[k]
        values[i] = total if values[i] > LOWEST else 0.0
    for i in range(len(values)):
        # The bits of 2^n as a float: n in the exponent, everything else shifted out.
        bits[i] = (bits[i] + 1023) << 52
    for i in range(len(values)):
        values[i] *= powers[i]


@inner
def rescale(t: int, logs: Floats, chances: Floats, expected: Floats, shifts: Floats) -> float:
    """Scale the probabilities of a step by the largest of the possible states; return their expected value."""
    highest = -math.inf
    for j in range(chances.shape[1]):
        if expected[t, j] > 0.0:
            highest = max(highest, logs[t, j])
    if highest == -math.inf:
        return 0.0
    shifts[t] = highest
    total = 0.0
    for j in range(chances.shape[1]):
        chances[t, j] = math.exp(logs[t, j] - highest) if expected[t, j] > 0.0 else 0.0
        total += expected[t, j] * chances[t, j]
    return total


@loop
def forward(
    offsets: Places,
    start: Floats,
    transitions: Floats,
    logs: Floats,
    chances: Floats,
    filtered: Floats,
    scales: Floats,
    shifts: Floats,
) -> int:
    """Write P(state | observations so far) for each step.

    `logs` holds log P(observation | state). `chances` holds the same probabilities relative to the largest of
    a step, whose logarithm is the shift. If the sequence can only be in states of negligible relative
    probability, both are scaled by the largest of those. The scale is P(observation | those before) in the
    same relative units.

    Returns the first impossible step, or -1; the rest of its sequence has probability 0.
    """
    n_states = len(start)
    impossible = -1
    for s in range(len(offsets) - 1):
        for t in range(offsets[s], offsets[s + 1]):
            # Rabiner's scaled forward pass: `filtered` is first P(state | observations before t). Multiplied
            # by the chances and divided by the sum of these products, which is the scale, it becomes P(state
            # | observations up to t).
            total = 0.0
            for j in range(n_states):
                expected = 0.0
                if t == offsets[s]:
                    expected = start[j]
                else:
                    for i in range(n_states):
                        expected += filtered[t - 1, i] * transitions[i, j]
                if expected <= NEGLIGIBLE:
                    expected, chances[t, j] = 0.0, 0.0
                filtered[t, j] = expected
                total += expected * chances[t, j]
            # The shift comes from states that the sequence cannot be in: rescale by the possible ones before
            # precision is lost.
            if total < FAINT:
                total = rescale(t, logs, chances, filtered, shifts)
                if total == 0.0:
                    impossible = t if impossible < 0 else impossible
                    for rest in range(t, offsets[s + 1]):
                        scales[rest] = 0.0
                        shifts[rest] = 0.0
                        for j in range(n_states):
                            filtered[rest, j] = 0.0
                            chances[rest, j] = 0.0
                    break
            scales[t] = total
            whole = 1.0 / total
            for j in range(n_states):
                share = filtered[t, j] * chances[t, j] * whole
                filtered[t, j] = share if share > NEGLIGIBLE else 0.0
    return impossible


@loop
def backward(
    offsets: Places,
    transitions: Floats,
    chances: Floats,
    filtered: Floats,
    scales: Floats,
    smoothed: Floats,
    ahead: Floats,
) -> None:
    """Write P(state | all observations) for each step.

    `ahead` is P(observations from here on | state), relative to the same probability without knowing the
    state. It is 0 at the first step of a sequence, to which no transition leads.
    """
    n_states = len(transitions)
    after = np.empty(n_states)
    for s in range(len(offsets) - 1):
        last = offsets[s + 1] - 1
        for i in range(n_states):
            after[i] = 1.0
            smoothed[last, i] = filtered[last, i]
            ahead[offsets[s], i] = 0.0
        for t in range(last - 1, offsets[s] - 1, -1):
            # `after` is P(observations after t | state) / P(observations after t | those up to t). With the
            # forward scales, its product with `filtered` is the smoothed probability, and filtered[t, i]
            # transitions[i, j] ahead[t + 1, j] is that of a transition.
            whole = 1.0 / scales[t + 1]
            for j in range(n_states):
                ahead[t + 1, j] = chances[t + 1, j] * after[j] * whole
            for i in range(n_states):
                total = 0.0
                for j in range(n_states):
                    total += transitions[i, j] * ahead[t + 1, j]
                share = filtered[
                    t, i
                ]  # an impossible state may have any future, even an infinitely better one
                after[i] = total if share > 0.0 else 0.0
                smoothed[t, i] = share * after[i]


@loop
def expected_emissions(
    codes: Codes,
    begins: Places,
    numbers: Floats,
    log_weights: Floats,
    means: Floats,
    halves: Floats,
    norms: Floats,
    smoothed: Floats,
    counts: Floats,
    components: Floats,
    known: Floats,
    sums: Floats,
    squares: Floats,
) -> None:
    """Accumulate the expected emissions of each state: counts of values, and moments of numbers about `means`."""
    n_states, n_components = log_weights.shape
    logs = np.empty(n_components)
    for t in range(len(smoothed)):
        for c in range(codes.shape[1]):
            if codes[t, c] >= 0:
                at = begins[c] + codes[t, c] * n_states
                for k in range(n_states):
                    counts[at + k] += smoothed[t, k]
        if n_components > 1:
            for k in range(n_states):
                if smoothed[t, k] > 0.0:
                    whole = component_logs(numbers, t, k, log_weights, means, halves, norms, logs)
                    for m in range(n_components):
                        # Probability of the state times that of its Gaussian (Rabiner 1989, section IV).
                        part = smoothed[t, k] * math.exp(logs[m] - whole)
                        components[k, m] += part
                        for d in range(numbers.shape[1]):
                            number = numbers[t, d]
                            if not math.isnan(number):
                                away = number - means[k, m, d]
                                known[k, m, d] += part
                                sums[k, m, d] += part * away
                                squares[k, m, d] += part * away * away
    if n_components > 1:
        return
    for k in range(n_states):
        for d in range(numbers.shape[1]):
            weight, first, second = 0.0, 0.0, 0.0
            for t in range(len(smoothed)):
                if not math.isnan(numbers[t, d]):
                    away = numbers[t, d] - means[k, 0, d]
                    part = smoothed[t, k] * away
                    weight += smoothed[t, k]
                    first += part
                    second += part * away
            known[k, 0, d], sums[k, 0, d], squares[k, 0, d] = weight, first, second


@loop
def best_path(
    offsets: Places,
    log_start: Floats,
    log_into: Floats,
    log_chances: Floats,
    path: Codes,
    totals: Floats,
) -> None:
    """Write the most probable path of each sequence and its log probability (Viterbi).

    ``log_into[j, i]`` is the log probability of the transition from i to j. The chances are overwritten by
    the log probability of the best path to each state. Predecessors are not stored, but recomputed on the way
    back for one state per step, so that the inner forward loop has no branch. The same sums give the same
    results both times, and ties go to the first state.
    """
    n_states = len(log_start)
    for s in range(len(offsets) - 1):
        first, last = offsets[s], offsets[s + 1] - 1
        for j in range(n_states):
            log_chances[first, j] += log_start[j]
        for t in range(first + 1, last + 1):
            for j in range(n_states):
                best = -math.inf
                for i in range(n_states):
                    way = log_chances[t - 1, i] + log_into[j, i]
                    best = way if way > best else best
                log_chances[t, j] += best
        best, at = -math.inf, 0
        for j in range(n_states):
            if log_chances[last, j] > best:
                best, at = log_chances[last, j], j
        totals[s] = best
        path[last] = at
        for t in range(last, first, -1):
            best, came = -math.inf, 0
            for i in range(n_states):
                way = log_chances[t - 1, i] + log_into[at, i]
                if way > best:
                    best, came = way, i
            at = came
            path[t - 1] = at


@loop
def best_paths(
    offsets: Places,
    log_start: Floats,
    log_transitions: Floats,
    log_chances: Floats,
    back: Codes,
    paths: Codes,
    totals: Floats,
) -> None:
    """Write the most probable paths of each sequence, best first, and their log probabilities (Viterbi).

    `back` has room for as many paths to each state as are wanted. A nonexistent path has log probability
    -inf.
    """
    # The paths to a state are sorted, best first. `back` stores the origin of each: state times n_paths plus
    # rank. By induction, no path beyond the n-th best to a state can be part of the n best.
    n_states, n_paths = back.shape[1], back.shape[2]
    old = np.empty((n_states, n_paths))
    new = np.empty((n_states, n_paths))
    for s in range(len(offsets) - 1):
        for t in range(offsets[s], offsets[s + 1]):
            for j in range(n_states):
                for r in range(n_paths):
                    new[j, r] = -math.inf
                    back[t, j, r] = 0
                if t == offsets[s]:
                    new[j, 0] = log_start[j] + log_chances[t, j]
                    continue
                for i in range(n_states):
                    for r in range(n_paths):
                        value = old[i, r] + log_transitions[i, j]
                        if not value > new[j, n_paths - 1]:
                            break  # the other paths to i are no better
                        # Insertion from the end; a path never precedes an equal one, so that ties go to the
                        # first state.
                        place = n_paths - 1
                        while place > 0 and value > new[j, place - 1]:
                            new[j, place] = new[j, place - 1]
                            back[t, j, place] = back[t, j, place - 1]
                            place -= 1
                        new[j, place] = value
                        back[t, j, place] = i * n_paths + r
                for r in range(n_paths):
                    new[j, r] += log_chances[t, j]
            for j in range(n_states):
                for r in range(n_paths):
                    old[j, r] = new[j, r]
        last = offsets[s + 1] - 1
        for rank in range(n_paths):
            best, at = -math.inf, -1
            for j in range(n_states):
                for r in range(n_paths):
                    if old[j, r] > best:
                        best, at = old[j, r], j * n_paths + r
            totals[s, rank] = best
            if at < 0:
                continue
            # This path is used; the next rank searches the others.
            old[at // n_paths, at % n_paths] = -math.inf
            for t in range(last, offsets[s] - 1, -1):
                paths[rank, t] = at // n_paths
                at = back[t, at // n_paths, at % n_paths]
