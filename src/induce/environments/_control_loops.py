"""Dynamics of control tasks, for compiled loops and single steps.

Every loop file may import these loops: the published constants never change, so no compiled loop that calls them
becomes stale.
"""

from __future__ import annotations

import math
from typing import Any

from induce.core._random_loops import uniform
from induce.core.loops import loop

LEFTMOST, GOAL, FASTEST = -1.2, 0.5, 0.07
THRUST, PULL = 0.001, 0.0025


@loop
def place_car(car: Any, stream: Any) -> None:
    """Place the car at rest at a random position near the bottom of the valley."""
    car[0] = -0.6 + 0.2 * uniform(stream)
    car[1] = 0.0


@loop
def move_car(car: Any, action: int) -> bool:
    """Push the car left (0), not at all (1) or right (2); return whether it has reached the top."""
    speed = car[1] + THRUST * (action - 1) - PULL * math.cos(3.0 * car[0])
    speed = min(max(speed, -FASTEST), FASTEST)
    place = car[0] + speed
    if place <= LEFTMOST:
        place = LEFTMOST
        speed = 0.0
    car[0] = place
    car[1] = speed
    return bool(place >= GOAL)
