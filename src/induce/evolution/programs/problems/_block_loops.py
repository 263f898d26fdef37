"""Loops that run block-stacking programs."""

from __future__ import annotations

from typing import Any

from induce.core.loops import inner, loop

# codes of primitives, in the order of `blocks.LANGUAGE`
MS, MT, EQ, NOT, DU, CS, TB, NN = 0, 1, 2, 3, 4, 5, 6, 7
FALSE, TRUE = 0, 100
"""Values; a block is its position in the word, from 1."""
N_BLOCKS = 9


@loop
def subtree_ends(codes: Any, size: Any, ends: Any) -> None:
    """Compute the end of each node's subtree."""
    for i in range(size - 1, -1, -1):
        code = codes[i]
        after = i + 1
        if code < CS:
            after = ends[after]
            if code in (EQ, DU):
                after = ends[after]
        ends[i] = after


@inner
def sensed(code: Any, stack: Any, height: Any) -> Any:
    """Return the value of a terminal: the top block, the top correct block, or the block needed next."""
    if code == CS:
        return stack[height - 1] if height > 0 else FALSE
    right = 0
    while right < height and stack[right] == right + 1:
        right += 1
    if code == TB:
        return right if right > 0 else FALSE
    return right + 1 if right < N_BLOCKS else FALSE


@loop
def run(codes: Any, ends: Any, stack: Any, height: Any, cap: Any, most: Any, frames: Any, moves: Any) -> Any:
    """Run a program on a stack of blocks; return the final height of the stack.

    A frame is a function waiting for an argument: its node, the index of the argument, the value of the first
    argument, and the number of loop iterations. `moves` counts the calls of MT and MS.
    """
    open_, i, steps = 0, 0, 0
    while True:
        steps += 1
        if steps > most:
            return height
        code = codes[i]
        if code < CS:
            frames[open_, 0] = i
            frames[open_, 1] = 0
            frames[open_, 3] = 0
            open_ += 1
            i += 1
            continue
        value = sensed(code, stack, height)
        again = True
        while again and open_ > 0:  # hand the value to the function that waits for it
            node, stage = frames[open_ - 1, 0], frames[open_ - 1, 1]
            code = codes[node]
            if code in (EQ, DU) and stage == 0:
                frames[open_ - 1, 1] = 1
                frames[open_ - 1, 2] = value
                i = ends[node + 1]
                again = False
            elif code == DU:
                frames[open_ - 1, 3] += 1
                if value == TRUE or frames[open_ - 1, 3] >= cap:
                    value = TRUE if value == TRUE else FALSE
                    open_ -= 1
                else:
                    frames[open_ - 1, 1] = 0
                    i = node + 1
                    again = False
            else:
                open_ -= 1
                if code == EQ:
                    value = TRUE if value == frames[open_, 2] else FALSE
                elif code == NOT:
                    value = TRUE if value == FALSE else FALSE
                else:
                    place = -1
                    for k in range(height):
                        if stack[k] == value:
                            place = k
                    if code == MS:
                        moves[1] += 1
                        if place < 0 and 1 <= value <= N_BLOCKS:
                            stack[height] = value
                            height += 1
                            value = TRUE
                        else:
                            value = FALSE
                    else:
                        moves[0] += 1
                        if place >= 0:
                            height -= 1
                            value = TRUE
                        else:
                            value = FALSE
        if again:
            return height


@loop
def solved(
    begin: Any,
    end: Any,
    codes: Any,
    sizes: Any,
    stacks: Any,
    heights: Any,
    cap: Any,
    most: Any,
    ends: Any,
    frames: Any,
    stack: Any,
    moves: Any,
    found: Any,
) -> None:
    """Count the stacks on which each program builds the word."""
    for i in range(begin, end):
        subtree_ends(codes[i], sizes[i], ends)
        count = 0
        for case in range(len(heights)):
            for k in range(N_BLOCKS):
                stack[k] = stacks[case, k]
            height = run(codes[i], ends, stack, heights[case], cap, most, frames, moves)
            right = height == N_BLOCKS
            for k in range(height):
                if stack[k] != k + 1:
                    right = False
            if right:
                count += 1
        found[i] = count
