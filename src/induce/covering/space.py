"""Interface between the search for a rule and the space of hypotheses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
State = TypeVar("State")


@dataclass(frozen=True, eq=False)
class Refinements:
    """The next steps from one state, in the order in which ties are broken.

    Parameters
    ----------
    quality : array of float
        Quality of each step's state as a rule; -inf where it must not become one.
    promise : array of float
        Quality of each step's state as a starting point for further steps; -inf where the search must not continue
        from it.
    bound : array of float
        Upper bound on the quality of any state reached from there.
    tie : array of float
        Tie-breaker between states of the same quality or promise; no state reached from there has a larger one.
    keys : array of int64
        Hypothesis keys: equal for two steps, from any states, that lead to the same hypothesis.
    """

    quality: Floats
    promise: Floats
    bound: Floats
    tie: Floats
    keys: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.quality)


class Space(Protocol[State]):
    """Hypotheses as states that are refined step by step: specialised or generalised."""

    def start(self) -> list[State]:
        """Return the initial states."""

    def quality(self, state: State) -> tuple[float, float]:
        """Return the quality of a state as a rule (-inf if it must not become one), and its tie-breaker."""

    def refine(self, state: State) -> Refinements:
        """Evaluate all next steps from a state without building their states."""

    def take(self, state: State, step: int) -> State:
        """Return the state that a step leads to."""
