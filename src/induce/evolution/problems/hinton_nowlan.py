"""The Baldwin effect in a simple model (Hinton and Nowlan 1987; Mitchell §9.6.2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from induce.core.checks import at_least
from induce.evolution.genomes.kind import Floats
from induce.evolution.genomes.vectors import Rows, Wholes

WRONG, RIGHT, OPEN = 0, 1, 2


@dataclass(frozen=True)
class HintonNowlan:
    """Networks with a single correct setting; connections are wrong, right or left to learning.

    In each trial of its life, an individual guesses its open connections. It succeeds when all guesses are right, and
    the earlier it does, the fitter it is: 1 + 19 (trials left) / trials. An individual with a wrong connection never
    succeeds. Guesses are not inherited.

    Parameters
    ----------
    n : int
        Number of connections.
    trials : int
        Number of trials in a lifetime.
    learning : bool
        Whether open connections are guessed; without learning they are never right.

    Notes
    -----
    The trial in which all k open connections are right has a geometric distribution with success probability
    1 / 2 ** k; it is drawn from that, which is equivalent to guessing.
    """

    n: int = 20
    trials: int = 1000
    learning: bool = True
    minimise: bool = field(default=False, init=False)
    noisy: bool = field(default=True, init=False)
    optimum: None = field(default=None, init=False)

    def __post_init__(self) -> None:
        at_least("trials", self.trials, 1, whole=True)

    @property
    def genome(self) -> Wholes:
        """Connections: initially a quarter wrong, a quarter right, half open."""
        return Wholes(self.n, WRONG, OPEN, weights=(0.25, 0.25, 0.5))

    def scores(self, population: Rows, rng: Any) -> Floats:
        """Return the fitness of each individual after its lifetime."""
        hopeless = (population == WRONG).any(axis=1)
        n_open = (population == OPEN).sum(axis=1)
        if not self.learning:
            hopeless = hopeless | (n_open > 0)
        # drawn for every individual, so that no draw depends on the others
        trial = rng.geometric(0.5**n_open)
        left = np.where(hopeless | (trial > self.trials), 0, self.trials - trial)
        found: Floats = 1.0 + 19.0 * left / self.trials
        return found

    def shares(self, population: Rows) -> dict[str, float]:
        """Return the fractions of wrong, right and open connections."""
        return {
            name: float((population == code).mean())
            for name, code in (("wrong", WRONG), ("right", RIGHT), ("open", OPEN))
        }
