"""Loops that run an artificial ant."""

from __future__ import annotations

from typing import Any

from induce.core.loops import loop

# codes of primitives, in the order of `ants.LANGUAGE`
IF_FOOD, PROG2, PROG3, MOVE, LEFT, RIGHT = 0, 1, 2, 3, 4, 5


@loop
def eaten(
    begin: Any,
    end: Any,
    codes: Any,
    sizes: Any,
    trail: Any,
    actions: Any,
    ends: Any,
    waiting: Any,
    food: Any,
    found: Any,
) -> None:
    """Count the food eaten by each program's ant; a program is repeated until all actions are used."""
    height, width = trail.shape
    for i in range(begin, end):
        code_of = codes[i]
        for k in range(sizes[i] - 1, -1, -1):
            after = k + 1
            n_arguments = 2 if code_of[k] <= PROG2 else (3 if code_of[k] == PROG3 else 0)
            for _ in range(n_arguments):
                after = ends[after]
            ends[k] = after
        for row in range(height):
            for column in range(width):
                food[row, column] = trail[row, column]
        y, x, dy, dx, left, count, idle = 0, 0, 0, 1, actions, 0, 0
        n = 0
        while left > 0 and idle < 2:
            if n == 0:
                waiting[0] = 0
                n = 1
                idle += 1  # a program without actions would never terminate
            n -= 1
            node = waiting[n]
            code = code_of[node]
            if code == IF_FOOD:
                ahead = food[(y + dy) % height, (x + dx) % width]
                waiting[n] = node + 1 if ahead else ends[node + 1]
                n += 1
            elif code in (PROG2, PROG3):
                second = ends[node + 1]
                if code == PROG3:
                    waiting[n] = ends[second]
                    n += 1
                waiting[n] = second
                waiting[n + 1] = node + 1
                n += 2
            else:
                left -= 1
                idle = 0
                if code == MOVE:
                    y, x = (y + dy) % height, (x + dx) % width
                    if food[y, x]:
                        food[y, x] = 0
                        count += 1
                elif code == LEFT:
                    dy, dx = -dx, dy
                else:
                    dy, dx = dx, -dy
        found[i] = count
