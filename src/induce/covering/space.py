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
    """Next steps from one state, in tie-breaking order.

    Parameters
    ----------
    quality : array of float
        Quality, as a rule, of the state each step leads to; -inf if it must not become a rule.
    promise : array of float
        Quality of that state as a starting point for further steps; -inf if the search must not continue from
        it.
    bound : array of float
        Upper bound on the quality of any state reachable from there.
    tie : array of float
        Tie-breaker between states of equal quality or promise; no state reachable from there has a larger
        value.
    keys : array of int64
        Hypothesis keys; two steps from any states have equal keys if they lead to the same hypothesis.
    """

    quality: Floats
    promise: Floats
    bound: Floats
    tie: Floats
    keys: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.quality)


class Space(Protocol[State]):
    """Search space of hypotheses as states that are refined step by step: specialised or generalised."""

    def start(self) -> list[State]:
        """Return the initial states."""

    def quality(self, state: State) -> tuple[float, float]:
        """Return the quality of a state as a rule (-inf if it must not become one), and its tie-breaker."""

    def refine(self, state: State) -> Refinements:
        """Evaluate all next steps from a state without building the states they lead to."""

    def take(self, state: State, step: int) -> State:
        """Return the state that a step leads to."""
