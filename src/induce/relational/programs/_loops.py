"""Proofs of examples by many theories: backtracking over codes, with the answers of the background in a hash table.

A clause is a range of rows of `literals`: predicate, then arguments. An argument of 0 or more is a variable of
the clause, one of -2 or less the constant ``-2 - code``, and -1 nothing. The first variables of a clause are the
arguments of its head. Background predicates have the numbers below `n_background`, those with clauses the others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import inner, loop

Codes = NDArray[np.int64]

FAILED, PROVED, LIMIT, MISSING = range(4)
"""How a proof ends: without an answer, with one, given up, or at a call that the table does not know yet."""

F_BASE, F_PARENT, F_RETURN, F_END, F_DEPTH, F_PREDICATE, F_ARGUMENTS = range(7)
"""A frame, one call of a clause: its variables, its caller, the literal after the call, the end of the clause, its
depth, the predicate, and the arguments as they were when it was called."""

C_FRAME, C_PLACE, C_TRAIL, C_VARIABLES, C_FRAMES, C_NEXT, C_END, C_ROWS, C_SIZE = range(9)
"""A choice: where to go on, what to undo, and the next of the answers or clauses; C_ROWS tells these apart."""

LARGE_PRIME = 2147483647
BITS = 62
"""How many goals one word tells of."""


@inner
def place_of(key: Codes, keys: Codes, count: Codes) -> int:
    """Return the place of a call in the table, or the free place where it belongs."""
    h = np.int64(17)
    for k in range(len(key)):
        h = (h * 1000003 + key[k] + 3) % LARGE_PRIME
    place = h % len(keys)
    while count[place] >= 0:
        same = True
        for k in range(len(key)):
            if keys[place, k] != key[k]:
                same = False
                break
        if same:
            return int(place)
        place = (place + 1) % len(keys)
    return int(place)


@loop
def insert(wanted: Codes, first: Codes, n_answers: Codes, keys: Codes, start: Codes, count: Codes) -> int:
    """Put calls into the table, with the place of their first answer and the number of answers."""
    for i in range(len(wanted)):
        place = place_of(wanted[i], keys, count)
        keys[place, :] = wanted[i]
        start[place] = first[i]
        count[place] = n_answers[i]
    return 0


@inner
def bind(row: Codes, arguments: Codes, base: int, variables: Codes, trail: Codes, top: int) -> int:
    """Unify the arguments of a literal with an answer; return the new top of the trail, or -1 less it at a clash."""
    for k in range(len(row)):
        argument = arguments[k]
        if argument == -1:
            break
        value = -2 - argument if argument < 0 else variables[base + argument]
        if value < 0:
            variables[base + argument] = row[k]
            trail[top] = base + argument
            top += 1
        elif value != row[k]:
            return -1 - top
    return top


@inner
def prove(
    goal: Codes,
    predicate: int,
    theory: Codes,
    literals: Codes,
    clauses: Codes,
    n_background: int,
    keys: Codes,
    start: Codes,
    count: Codes,
    answers: Codes,
    variables: Codes,
    trail: Codes,
    frames: Codes,
    choices: Codes,
    missing: Codes,
    limits: Codes,
    weights: Codes,
    found: Codes,
    every: int,
) -> int:
    """Look for a proof of a goal, whose arguments may be -1; with `every` for all its answers.

    `found` gets the number of answers. If `every` is not 0, all answers are looked for: so many places after it hold
    hashes of the values of each variable of the first clause, and then come, for each argument of the goal, the bits
    of the variables that always weigh less, and of those that always weigh more. `limits` holds the steps and the
    depth allowed. A call
    whose arguments are those of a call above it fails: a proof that needs it has a shorter one.
    """
    width = len(goal)
    n_frames, n_choices, n_trail, n_variables, steps = 0, 0, 0, 0, 0
    found[0] = size_of_question = 0
    # the frame of the question: its variables are the arguments, its only literal is the goal
    frame, place, question = -1, -1, predicate
    calling = True  # a clause is to be entered: `predicate` with the arguments `missing`
    for k in range(width):
        missing[2 + k] = goal[k]
    next_clause = 0
    alive = True
    while True:
        if not alive:
            if n_choices == 0:
                return FAILED if found[0] == 0 else PROVED
            choice = choices[n_choices - 1]
            while n_trail > choice[C_TRAIL]:
                n_trail -= 1
                variables[trail[n_trail]] = -1
            n_variables, n_frames = choice[C_VARIABLES], choice[C_FRAMES]
            frame, place = choice[C_FRAME], choice[C_PLACE]
            alive = True
            if choice[C_ROWS] == 1:
                row = choice[C_NEXT]
                choice[C_NEXT] += 1
                if choice[C_NEXT] == choice[C_END]:
                    n_choices -= 1
                top = bind(
                    answers[row], literals[place, 1:], frames[frame, F_BASE], variables, trail, n_trail
                )
                # what was bound before a clash is undone with the next choice
                alive = top >= 0
                n_trail = top if alive else -1 - top
                place += 1
                continue
            next_clause = choice[C_NEXT]
            n_choices -= 1
            calling = True
            if place < 0:
                predicate = question
                for k in range(width):
                    missing[2 + k] = goal[k]
            else:
                predicate = literals[place, 0]
                base = frames[frame, F_BASE]
                for k in range(width):
                    argument = literals[place, 1 + k]
                    missing[2 + k] = (
                        -1
                        if argument == -1
                        else -2 - argument
                        if argument < 0
                        else variables[base + argument]
                    )
        if calling:
            calling = False
            clause, after = -1, -1
            for k in range(next_clause, len(theory)):
                if theory[k] >= 0 and clauses[theory[k], 3] == predicate:
                    if clause < 0:
                        clause = theory[k]
                        next_clause = k + 1
                    else:
                        after = k
                        break
            if clause < 0:
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
            above = frame
            while above >= 0:
                if frames[above, F_PREDICATE] == predicate:
                    same = True
                    for k in range(width):
                        if frames[above, F_ARGUMENTS + k] != missing[2 + k]:
                            same = False
                            break
                    if same:
                        break
                above = frames[above, F_PARENT]
            if above >= 0:
                alive = False
                continue
            if after >= 0:
                choice = choices[n_choices]
                choice[C_FRAME], choice[C_PLACE], choice[C_TRAIL] = frame, place, n_trail
                choice[C_VARIABLES], choice[C_FRAMES] = n_variables, n_frames
                choice[C_NEXT], choice[C_END], choice[C_ROWS] = after, 0, 0
                n_choices += 1
            called = frames[n_frames]
            called[F_BASE], called[F_PARENT], called[F_RETURN] = n_variables, frame, place + 1
            called[F_END], called[F_DEPTH], called[F_PREDICATE] = clauses[clause, 1], depth, predicate
            for k in range(width):
                called[F_ARGUMENTS + k] = missing[2 + k]
            for k in range(size):
                variables[n_variables + k] = -1
            for k in range(clauses[clause, 4]):
                variables[n_variables + k] = missing[2 + k]
            n_variables += size
            frame = n_frames
            n_frames += 1
            place = clauses[clause, 0]
        # a finished clause hands its arguments to its caller, whose clause may be finished, too
        while alive and frame >= 0 and place == frames[frame, F_END]:
            parent, base = frames[frame, F_PARENT], frames[frame, F_BASE]
            if parent < 0:
                found[0] += 1
                if every == 0:
                    return PROVED
                for k in range(size_of_question):
                    found[1 + k] = (found[1 + k] * 1000003 + variables[base + k] + 3) % LARGE_PRIME
                for p in range(width):
                    mine = goal[p]
                    if mine < 0:
                        continue
                    for k in range(size_of_question):
                        value = variables[base + k]
                        if value < 0 or weights[value] >= weights[mine]:
                            found[1 + every + p] &= ~(np.int64(1) << k)
                        if value < 0 or weights[value] <= weights[mine]:
                            found[1 + every + width + p] &= ~(np.int64(1) << k)
                alive = False
                break
            call = frames[frame, F_RETURN] - 1
            upper = frames[parent, F_BASE]
            for k in range(width):
                argument = literals[call, 1 + k]
                if argument == -1:
                    break
                value = variables[base + k]
                mine = -2 - argument if argument < 0 else variables[upper + argument]
                if value < 0:  # an argument that the clause leaves open
                    if mine < 0:
                        alive = False
                        break
                elif mine < 0:
                    variables[upper + argument] = value
                    trail[n_trail] = upper + argument
                    n_trail += 1
                elif mine != value:
                    alive = False
                    break
            place = frames[frame, F_RETURN]
            frame = parent
        if not alive:
            continue
        steps += 1
        if steps > limits[0] or n_trail + 4 * width >= len(trail) or n_choices + 1 >= len(choices):
            return LIMIT
        base = frames[frame, F_BASE]
        predicate = literals[place, 0]
        bound = 0
        for k in range(width):
            argument = literals[place, 1 + k]
            value = -1 if argument == -1 else -2 - argument if argument < 0 else variables[base + argument]
            missing[2 + k] = value
            if value >= 0:
                bound |= 1 << k
        if predicate >= n_background:
            calling = True
            next_clause = 0
            continue
        missing[0], missing[1] = predicate, bound
        slot = place_of(missing, keys, count)
        if count[slot] < 0:
            return MISSING
        row, last = start[slot], start[slot] + count[slot]
        if row == last:
            alive = False
            continue
        if row + 1 < last:
            choice = choices[n_choices]
            choice[C_FRAME], choice[C_PLACE], choice[C_TRAIL] = frame, place, n_trail
            choice[C_VARIABLES], choice[C_FRAMES] = n_variables, n_frames
            choice[C_NEXT], choice[C_END], choice[C_ROWS] = row + 1, last, 1
            n_choices += 1
        top = bind(answers[row], literals[place, 1:], base, variables, trail, n_trail)
        alive = top >= 0
        n_trail = top if alive else -1 - top
        place += 1


@inner
def note_missing(missing: Codes, wanted: Codes, n_wanted: int) -> int:
    """Put a call that the table does not know on the list, unless it came last or the list is full."""
    if n_wanted == len(wanted):
        return n_wanted
    for k in range(len(missing)):
        if n_wanted == 0 or wanted[n_wanted - 1, k] != missing[k]:
            wanted[n_wanted, :] = missing
            return n_wanted + 1
    return n_wanted


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
    keys: Codes,
    start: Codes,
    count: Codes,
    answers: Codes,
    variables: Codes,
    trail: Codes,
    frames: Codes,
    choices: Codes,
    missing: Codes,
    limits: Codes,
    weights: Codes,
    fuel: int,
    wanted: Codes,
    covered: Codes,
    wrong: Codes,
) -> tuple[int, int]:
    """Try theories on goals, the positive ones first; return the number of calls that are wanted, and of goals tried.

    `done` gets 1 for each theory that could be judged: `covered` gets the bits of the positive goals that are proved,
    `wrong` the number of the first goal that is given up, or is negative and proved, or -1. With `whole` a theory is
    left at the first positive goal that it does not prove, and negative goals are tried only if there is none.
    """
    found = np.zeros(1, np.int64)
    n_wanted, tried = 0, 0
    for t in range(len(theories)):
        if done[t]:
            continue
        if tried > fuel or n_wanted == len(wanted):
            break
        mask, bad, known = np.int64(0), np.int64(-1), True
        for g in range(len(goals)):
            if g == n_positive and whole and mask != (np.int64(1) << n_positive) - 1:
                break
            tried += 1
            outcome = prove(
                goals[g], predicate, theories[t], literals, clauses, n_background, keys, start, count, answers,
                variables, trail, frames, choices, missing, limits, weights, found, 0,
            )  # fmt: skip
            if outcome == MISSING:
                n_wanted = note_missing(missing, wanted, n_wanted)
                known = False
                if whole:
                    break
            elif outcome == LIMIT or (outcome == PROVED and g >= n_positive):
                bad = np.int64(g)
                break
            elif outcome == PROVED:
                mask |= np.int64(1) << g
            elif whole and g < n_positive:
                break
        if known or bad >= 0:
            done[t], covered[t], wrong[t] = 1, mask, bad
    return n_wanted, tried


@loop
def behave(
    theories: Codes,
    done: Codes,
    goals: Codes,
    predicate: int,
    literals: Codes,
    clauses: Codes,
    n_background: int,
    keys: Codes,
    start: Codes,
    count: Codes,
    answers: Codes,
    variables: Codes,
    trail: Codes,
    frames: Codes,
    choices: Codes,
    missing: Codes,
    limits: Codes,
    weights: Codes,
    fuel: int,
    wanted: Codes,
    number: Codes,
    columns: Codes,
    guards: Codes,
) -> tuple[int, int]:
    """Look at all answers of each theory to all goals.

    `number` gets the number of answers, `columns` what `prove` leaves of them, `guards` the bits of the goals that
    have one. Returned are the number of calls that are wanted, and of goals tried; `done` gets 1 for each theory that
    is.
    """
    width = goals.shape[1]
    most = columns.shape[1] - 2 * width
    found = np.zeros(1 + columns.shape[1], np.int64)
    n_wanted, tried = 0, 0
    for t in range(len(theories)):
        if done[t]:
            continue
        if tried > fuel or n_wanted == len(wanted):
            break
        found[: 1 + most] = 7
        found[1 + most :] = -1
        total, known = np.int64(0), True
        guards[t, :] = 0
        for g in range(len(goals)):
            tried += 1
            outcome = prove(
                goals[g], predicate, theories[t], literals, clauses, n_background, keys, start, count, answers,
                variables, trail, frames, choices, missing, limits, weights, found, most,
            )  # fmt: skip
            if outcome == MISSING:
                n_wanted = note_missing(missing, wanted, n_wanted)
                known = False
                continue
            total += found[0]
            if found[0] > 0:
                guards[t, g // BITS] |= np.int64(1) << (g % BITS)
            # the number of answers to this goal, so that the same values of other goals are told apart
            for k in range(most):
                found[1 + k] = (found[1 + k] * 31 + found[0]) % LARGE_PRIME
        if known:
            done[t], number[t] = 1, total
            columns[t, :] = found[1:]
    return n_wanted, tried
