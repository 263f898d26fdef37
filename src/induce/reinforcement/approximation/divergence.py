"""Divergence detection for approximate action values (Mitchell 13.6; Baird 1995)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.reinforcement.approximation import _loops


@dataclass(frozen=True)
class Divergence:
    """Growth of the action values relative to the bound set by the rewards.

    No policy is worth more than the largest reward in every step: max |r| / (1 - discount), or, without discounting,
    max |r| times the longest episode. Values beyond that bound, and beyond the initial values, are wrong.

    Parameters
    ----------
    largest : float
        Largest absolute value seen.
    allowed : float
        Largest absolute value consistent with the rewards or the initial weights.
    first : int
        Step at which a value first exceeded that bound; 0 if none did.
    steps : int
        Total number of steps.
    stopped : bool
        Whether learning was stopped because the values had diverged.

    Examples
    --------
    >>> print(Divergence(98.2, 100.0, 0, 5000, False))
    values stayed within the bound set by the rewards: largest 98.2, bound 100
    """

    largest: float
    allowed: float
    first: int
    steps: int
    stopped: bool

    @classmethod
    def of(cls, monitor: NDArray[np.float64], reach: float) -> Divergence:
        """Build the record from the quantities monitored by the loops."""
        allowed = max(monitor[_loops.REWARD] * reach, monitor[_loops.STARTING])
        return cls(
            float(monitor[_loops.LARGEST]),
            float(allowed),
            int(monitor[_loops.BEYOND]),
            int(monitor[_loops.STEPS]),
            bool(monitor[_loops.STOPPED]),
        )

    @property
    def diverging(self) -> bool:
        """Whether values are at least twice the bound set by the rewards."""
        return self.stopped or self.largest > 2 * self.allowed

    def __str__(self) -> str:
        sizes = f"largest {self.largest:.3g}, bound {self.allowed:.3g}"
        if not self.first:
            return f"values stayed within the bound set by the rewards: {sizes}"
        said = (
            f"values exceeded the bound set by the rewards: {sizes}, first at step {self.first:,} of "
            f"{self.steps:,}"
        )
        return said + ("; learning was stopped" if self.stopped else "")
