"""Control tasks with continuous states: the mountain car (Moore 1990)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.randomness import seed_of, streams
from induce.environments._control_loops import FASTEST, LEFTMOST, move_car, place_car

RIGHTMOST = 0.6


@dataclass(frozen=True)
class Choices:
    """A space of `n` actions or observations, numbered from 0, like gymnasium's `Discrete`."""

    n: int


@dataclass(frozen=True, eq=False)
class Ranges:
    """A space of bounded real numbers, like gymnasium's `Box`."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]

    @property
    def dtype(self) -> np.dtype[Any]:
        """Dtype of the numbers."""
        return self.low.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of an observation."""
        return self.low.shape


class MountainCar:
    """A car in a valley, too weak to drive straight up to the goal on the right.

    It follows the gymnasium interface, with the dynamics of `MountainCar-v0`. An observation is the position (-1.2 to
    0.6) and the velocity (-0.07 to 0.07); actions push left (0), not at all (1) or right (2). Every step costs 1.
    Reinforcement learners run it in a compiled loop.

    Parameters
    ----------
    max_steps : int
        Maximum number of steps per episode; gymnasium uses 200.

    Examples
    --------
    >>> car = MountainCar()
    >>> place, _ = car.reset(seed=0)
    >>> place, reward, ended, cut, _ = car.step(2)
    >>> bool(place[1] > 0), reward, ended, cut
    (True, -1.0, False, False)
    """

    names = ("position", "velocity")
    action_names = ("left", "coast", "right")

    def __init__(self, max_steps: int = 1000) -> None:
        at_least("max_steps", max_steps, 1, whole=True)
        self.max_steps = max_steps
        self.action_space = Choices(3)
        self.observation_space = Ranges(np.array([LEFTMOST, -FASTEST]), np.array([RIGHTMOST, FASTEST]))
        self._car = np.zeros(2)
        self._steps = -1
        self._stream = streams(seed_of(None), n=1)[0]

    def reset(
        self, *, seed: int | None = None, options: Any = None
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Place the car at rest at the bottom of the valley."""
        if seed is not None:
            self._stream = streams(seed, n=1)[0]
        self._steps = 0
        place_car(self._car, self._stream)
        return self._car.copy(), {}

    def step(self, action: int) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        """Push the car; return the observation, the reward, whether it reached the top, and whether time is up."""
        if self._steps < 0:
            raise InputError("the car has no position yet; call `reset` first")
        if action not in (0, 1, 2):
            raise InputError(f"the action is {action!r}; it can be 0 (left), 1 (coast) or 2 (right)")
        ended = move_car(self._car, int(action))
        self._steps += 1
        return self._car.copy(), -1.0, ended, not ended and self._steps >= self.max_steps, {}
