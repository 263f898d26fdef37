"""What the search for a rule needs to know of the hypotheses it searches among."""

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
        How good each step's state is as a rule; -inf where it must not become one.
    promise : array of float
        How good it is to go on from; -inf where the search must not go on from it.
    bound : array of float
        What the quality of a state reached from there can be at best.
    tie : array of float
        What decides between states of the same quality or promise; no state reached from there has more.
    keys : array of int64
        The same for two steps, from whichever states, that lead to the same hypothesis.
    """

    quality: Floats
    promise: Floats
    bound: Floats
    tie: Floats
    keys: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.quality)


class Space(Protocol[State]):
    """Hypotheses as states that can be refined step by step: made more special, or more general."""

    def start(self) -> list[State]:
        """Return the states to begin with."""

    def quality(self, state: State) -> tuple[float, float]:
        """Return how good a state is as a rule (-inf if it must not become one), and what decides ties."""

    def refine(self, state: State) -> Refinements:
        """Judge all next steps from a state, none of which is built."""

    def take(self, state: State, step: int) -> State:
        """Return the state that a step leads to."""
