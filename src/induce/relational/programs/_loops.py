"""Proofs of examples by many theories: backtracking over integer codes, with background answers in a hash table.

A clause is a range of rows of `literals`; a row holds the predicate, then the arguments. An argument >= 0 is
a variable of the clause, one <= -2 is the constant ``-2 - code``, and -1 is unused. The first variables of a
clause are the arguments of its head. Background predicates have numbers below `n_background`; predicates with
clauses have the others.

Rows are copied element by element, because slice assignment adds three seconds of compile time for its error
messages.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import inner, loop

Codes = NDArray[np.int64]
Table = tuple[Codes, Codes, Codes, Codes, Codes]
"""Known calls of the background, the position of their first answer, their number of answers, and the
answers. For each predicate also the bits of its inputs if it is called by these alone, or else -1.
"""
Memory = tuple[Codes, Codes, Codes, Codes, Codes]
"""Working memory: values of variables, trail of variables to reset, frames, choice points, and a call with
its predicate and bound positions.
"""

FAILED, PROVED, LIMIT, MISSING = range(4)
"""Outcomes of a proof: no answer, an answer, limit reached, or a call that the table does not contain yet."""

F_BASE, F_PARENT, F_RETURN, F_END, F_DEPTH, F_PREDICATE, F_ARGUMENTS = range(7)
"""Fields of a frame, one call of a clause: its variables, its caller, the literal after the call, the end of
the clause, its depth, the predicate, and the arguments at the time of the call.
"""

C_FRAME, C_PLACE, C_TRAIL, C_VARIABLES, C_FRAMES, C_NEXT, C_END, C_ROWS, C_SIZE = range(9)
"""Fields of a choice point: where to continue, what to undo, and the next answer or clause; C_ROWS tells which."""

LARGE_PRIME = 2147483647
BITS = 62
"""Number of goals per word."""
OPEN = 1 << 40
"""Number of answers recorded for an undecided call."""


@inner
def place_of(calls: Codes, which: int, keys: Codes, count: Codes) -> int:
    """Return the position of a call in the table, or the free position where it would be inserted."""
    h = np.int64(17)
    for k in range(calls.shape[1]):
        h = (h * 1000003 + calls[which, k] + 3) % LARGE_PRIME
    place = h % len(keys)
    while count[place] >= 0:
        same = True
        for k in range(calls.shape[1]):
            if keys[place, k] != calls[which, k]:
                same = False
                break
        if same:
            break
        place = (place + 1) % len(keys)
    return int(place)


@loop
def insert(wanted: Codes, first: Codes, n_answers: Codes, keys: Codes, start: Codes, count: Codes) -> int:
    """Insert calls into the table, with the position of their first answer and the number of answers."""
    for i in range(len(wanted)):
        place = place_of(wanted, i, keys, count)
        for k in range(wanted.shape[1]):
            keys[place, k] = wanted[i, k]
        start[place] = first[i]
        count[place] = n_answers[i]
    return 0


@inner
def value_of(argument: int, base: int, variables: Codes) -> int:
    """Return the code of an argument, or -1 if it is unbound."""
    if argument >= 0:
        return int(variables[base + argument])
    return -1 if argument == -1 else -2 - argument


@inner
def called_with(literals: Codes, place: int, base: int, variables: Codes, narrow: Codes, call: Codes) -> int:
    """Write the arguments of a literal, only the inputs for some predicates, and return its predicate."""
    bound = 0
    for k in range(literals.shape[1] - 1):
        value = value_of(literals[place, 1 + k], base, variables)
        call[0, 2 + k] = value
        if value >= 0:
            bound |= 1 << k
    inputs = narrow[literals[place, 0]]
    if inputs >= 0 and bound != inputs and bound & inputs == inputs:
        for k in range(literals.shape[1] - 1):
            if not inputs >> k & 1:
                call[0, 2 + k] = -1
        bound = inputs
    call[0, 0], call[0, 1] = literals[place, 0], bound
    return int(literals[place, 0])


@inner
def choose(
    choices: Codes, n: int, frame: int, place: int, undo: tuple[int, int, int], left: int, end: int
) -> int:
    """Push a choice point: continue with the answers from `left` to `end`, or with a clause if `end` is 0."""
    choices[n, C_FRAME], choices[n, C_PLACE] = frame, place
    choices[n, C_TRAIL], choices[n, C_VARIABLES], choices[n, C_FRAMES] = undo
    choices[n, C_NEXT], choices[n, C_END], choices[n, C_ROWS] = left, end, end > 0
    return n + 1


@inner
def bind(
    row: int, answers: Codes, place: int, literals: Codes, base: int, variables: Codes, trail: Codes, top: int
) -> int:
    """Unify a literal's arguments with an answer; return the new top of the trail, or -1 minus it on a clash."""
    for k in range(answers.shape[1]):
        argument = literals[place, 1 + k]
        if argument == -1:
            break
        value = value_of(argument, base, variables)
        if value < 0:
            variables[base + argument] = answers[row, k]
            trail[top] = base + argument
            top += 1
        elif value != answers[row, k]:
            return -1 - top
    return top


@inner
def handed_over(
    place: int, literals: Codes, base: int, upper: int, variables: Codes, trail: Codes, top: int
) -> int:
    """Pass the arguments of a finished clause to the calling literal; the return value is that of `bind`."""
    for k in range(literals.shape[1] - 1):
        argument = literals[place, 1 + k]
        if argument == -1:
            break
        value = variables[base + k]
        mine = value_of(argument, upper, variables)
        if value < 0:  # an argument that the clause leaves unbound
            if mine < 0:
                return -1 - top
        elif mine < 0:
            variables[upper + argument] = value
            trail[top] = upper + argument
            top += 1
        elif mine != value:
            return -1 - top
    return top


@inner
def is_above(frame: int, predicate: int, call: Codes, frames: Codes) -> bool:
    """Return whether a call is identical to one of its ancestors."""
    while frame >= 0:
        if frames[frame, F_PREDICATE] == predicate:
            same = True
            for k in range(call.shape[1] - 2):
                if frames[frame, F_ARGUMENTS + k] != call[0, 2 + k]:
                    same = False
                    break
            if same:
                return True
        frame = frames[frame, F_PARENT]
    return False


@inner
def record(
    goals: Codes, g: int, base: int, size: int, variables: Codes, weights: Codes, found: Codes, every: int
) -> None:
    """Mix the values of an answer into the hashes, and keep the variables still always smaller, or larger."""
    width = goals.shape[1]
    for k in range(size):
        found[1 + k] = (found[1 + k] * 1000003 + variables[base + k] + 3) % LARGE_PRIME
    for p in range(width):
        mine = goals[g, p]
        if mine < 0:
            continue
        for k in range(size):
            value = variables[base + k]
            if value < 0 or weights[value] >= weights[mine]:
                found[1 + every + p] &= ~(np.int64(1) << k)
            if value < 0 or weights[value] <= weights[mine]:
                found[1 + every + width + p] &= ~(np.int64(1) << k)


@inner
def prove(
    goals: Codes,
    g: int,
    predicate: int,
    theories: Codes,
    t: int,
    literals: Codes,
    clauses: Codes,
    n_background: int,
    trusting: bool,
    table: Table,
    memory: Memory,
    limits: Codes,
    weights: Codes,
    found: Codes,
    every: int,
) -> int:
    """Search for a proof of a goal, whose arguments may be -1 (unbound); `every` asks for all answers.

    `found` receives the number of answers. If `every` is not 0, all answers are sought. Then the next `every`
    entries receive hashes of the values of each variable of the first clause. They are followed, for each
    argument of the goal, by the bits of the variables that are always smaller and of those that are always
    larger. `limits` holds the maximum steps and depth. A call fails if an ancestor has the same arguments: a
    proof that needs it has a shorter one.

    If `trusting`, calls of predicates with clauses succeed whatever their arguments, and so do `OPEN` calls.
    """
    keys, start, count, answers, narrow = table
    variables, trail, frames, choices, call = memory
    width = goals.shape[1]
    n_frames, n_choices, n_trail, n_variables, steps = 0, 0, 0, 0, 0
    found[0] = size_of_question = 0
    # frame of the query: its variables are the goal's arguments, its only literal is the goal
    frame, place, question = -1, -1, predicate
    calling = True  # enter a clause of `predicate` with the arguments in `call`
    for k in range(width):
        call[0, 2 + k] = goals[g, k]
    next_clause = 0
    alive = True
    while True:
        if not alive:
            if n_choices == 0:
                return FAILED if found[0] == 0 else PROVED
            last = n_choices - 1
            while n_trail > choices[last, C_TRAIL]:
                n_trail -= 1
                variables[trail[n_trail]] = -1
            n_variables, n_frames = choices[last, C_VARIABLES], choices[last, C_FRAMES]
            frame, place = choices[last, C_FRAME], choices[last, C_PLACE]
            alive = True
            if choices[last, C_ROWS]:
                row = choices[last, C_NEXT]
                choices[last, C_NEXT] += 1
                if choices[last, C_NEXT] == choices[last, C_END]:
                    n_choices -= 1
                top = bind(row, answers, place, literals, frames[frame, F_BASE], variables, trail, n_trail)
                # bindings made before a clash are undone by the next choice
                alive = top >= 0
                n_trail = top if alive else -1 - top
                place += 1
                continue
            next_clause = choices[last, C_NEXT]
            n_choices -= 1
            calling = True
            if place < 0:
                predicate = question
                for k in range(width):
                    call[0, 2 + k] = goals[g, k]
            else:
                predicate = called_with(literals, place, frames[frame, F_BASE], variables, narrow, call)
        if calling:
            calling = False
            clause, after = -1, -1
            for k in range(next_clause, theories.shape[1]):
                if theories[t, k] >= 0 and clauses[theories[t, k], 3] == predicate:
                    if clause < 0:
                        clause = theories[t, k]
                    else:
                        after = k
                        break
            if clause < 0 or is_above(frame, predicate, call, frames):
                alive = False
                continue
            depth = 1 if frame < 0 else frames[frame, F_DEPTH] + 1
            size = clauses[clause, 2]
            if frame < 0:
                size_of_question = size
            if (
                depth > limits[1]
                or n_frames + 1 >= len(frames)
                or n_choices + 1 >= len(choices)
                or n_variables + size >= len(variables)
                or n_trail + 4 * width >= len(trail)
            ):
                return LIMIT
            if after >= 0:
                undo = (n_trail, n_variables, n_frames)
                n_choices = choose(choices, n_choices, frame, place, undo, after, 0)
            frames[n_frames, F_BASE], frames[n_frames, F_PARENT] = n_variables, frame
            frames[n_frames, F_RETURN], frames[n_frames, F_END] = place + 1, clauses[clause, 1]
            frames[n_frames, F_DEPTH], frames[n_frames, F_PREDICATE] = depth, predicate
            for k in range(width):
                frames[n_frames, F_ARGUMENTS + k] = call[0, 2 + k]
            for k in range(size):
                variables[n_variables + k] = call[0, 2 + k] if k < clauses[clause, 4] else -1
            n_variables += size
            frame = n_frames
            n_frames += 1
            place = clauses[clause, 0]
        # a finished clause passes its arguments to its caller, which may then be finished as well
        while alive and place == frames[frame, F_END]:
            parent, base = frames[frame, F_PARENT], frames[frame, F_BASE]
            if parent < 0:
                found[0] += 1
                if every == 0:
                    return PROVED
                record(goals, g, base, size_of_question, variables, weights, found, every)
                alive = False
                break
            place = frames[frame, F_RETURN]
            frame = parent
            top = handed_over(place - 1, literals, base, frames[frame, F_BASE], variables, trail, n_trail)
            alive = top >= 0
            n_trail = top if alive else -1 - top
        if not alive:
            continue
        steps += 1
        if steps > limits[0] or n_trail + 4 * width >= len(trail) or n_choices + 1 >= len(choices):
            return LIMIT
        base = frames[frame, F_BASE]
        predicate = called_with(literals, place, base, variables, narrow, call)
        if predicate >= n_background:
            if trusting:
                place += 1
            else:
                calling = True
                next_clause = 0
            continue
        slot = place_of(call, 0, keys, count)
        if count[slot] < 0:
            return MISSING
        if count[slot] == OPEN:
            alive = trusting
            place += 1
            continue
        row, end = start[slot], start[slot] + count[slot]
        if row == end:
            alive = False
            continue
        if row + 1 < end:
            undo = (n_trail, n_variables, n_frames)
            n_choices = choose(choices, n_choices, frame, place, undo, row + 1, end)
        top = bind(row, answers, place, literals, base, variables, trail, n_trail)
        alive = top >= 0
        n_trail = top if alive else -1 - top
        place += 1


@inner
def note_missing(call: Codes, wanted: Codes, n_wanted: int) -> int:
    """Add an unknown call to the list, unless it equals the last one or the list is full."""
    if n_wanted == len(wanted):
        return n_wanted
    same = n_wanted > 0
    for k in range(call.shape[1]):
        if same and wanted[n_wanted - 1, k] != call[0, k]:
            same = False
    if same:
        return n_wanted
    for k in range(call.shape[1]):
        wanted[n_wanted, k] = call[0, k]
    return n_wanted + 1


@loop
def judge(
    theories: Codes,
    done: Codes,
    goals: Codes,
    n_positive: int,
    whole: bool,
    predicate: int,
    literals: Codes,
    clauses: Codes,
    n_background: int,
    trusting: bool,
    table: Table,
    memory: Memory,
    limits: Codes,
    weights: Codes,
    fuel: int,
    wanted: Codes,
    wrong: Codes,
    covered: Codes,
    columns: Codes,
) -> tuple[int, int]:
    """Test theories on goals, positive ones first; return the number of calls needed, and of goals tested.

    `done` is set to 1 for each decided theory, and `covered` receives the bits of the proved goals. If
    `columns` has no columns, `wrong` receives the first goal that is abandoned, or that is negative and
    proved; otherwise -1. With `whole` a theory is abandoned at the first unproved positive goal, and negative
    goals are tested only if all positive ones are proved. If `columns` has columns, `wrong` receives the
    total number of answers and `columns` the results of `prove`.
    """
    width = goals.shape[1]
    every = max(columns.shape[1] - 2 * width, 0)
    found = np.zeros(1 + columns.shape[1], np.int64)
    n_wanted, tried = 0, 0
    for t in range(len(theories)):
        if done[t]:
            continue
        if tried > fuel or n_wanted == len(wanted):
            break
        for k in range(len(found)):
            found[k] = 7 if k <= every else -1
        for k in range(covered.shape[1]):
            covered[t, k] = 0
        bad, known, total, all_so_far = np.int64(-1), True, np.int64(0), True
        for g in range(len(goals)):
            if whole and g >= n_positive and not all_so_far:
                break
            tried += 1
            outcome = prove(
                goals, g, predicate, theories, t, literals, clauses, n_background, trusting, table, memory, limits,
                weights, found, every,
            )  # fmt: skip
            if outcome == MISSING:
                n_wanted = note_missing(memory[4], wanted, n_wanted)
                known = False
                if whole:
                    break
                continue
            if found[0] > 0:
                covered[t, g // BITS] |= np.int64(1) << (g % BITS)
            elif g < n_positive:
                all_so_far = False
            if every > 0:
                total += found[0]
                # number of answers to this goal, mixed in so that equal values of different goals are
                # distinguished
                for k in range(every):
                    found[1 + k] = (found[1 + k] * 31 + found[0]) % LARGE_PRIME
            elif outcome == LIMIT or (outcome == PROVED and g >= n_positive):
                bad = np.int64(g)
                break
            elif whole and outcome == FAILED and g < n_positive:
                break
        if known or bad >= 0:
            done[t] = 1
            wrong[t] = total if every > 0 else bad
            for k in range(columns.shape[1]):
                columns[t, k] = found[1 + k]
    return n_wanted, tried
