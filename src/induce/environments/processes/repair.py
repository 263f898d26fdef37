"""Machine maintenance: when to service a machine that wears out and may break down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from induce.core.checks import at_least, probability
from induce.core.errors import InputError
from induce.environments.mdp import MDP

BROKEN = "broken"


def machine_repair(
    levels: int = 10,
    *,
    wear: Sequence[float] = (0.5, 0.35, 0.15),
    failure: float = 0.5,
    output: float = 100.0,
    scrap: float = 30.0,
    service: float = 120.0,
    repair: float = 400.0,
    days: int = 1,
) -> MDP:
    """Return the maintenance of a wearing machine as a decision process.

    Every day the machine is run or serviced. A worn machine makes more scrap and is more likely to break down; a
    broken one stands still until it is repaired. Service and repair make it as good as new.

    Parameters
    ----------
    levels : int
        Number of wear levels, not counting a new machine.
    wear : sequence of float
        Probabilities that a day of running adds 0, 1, 2, … levels.
    failure : float
        Daily failure probability at the last level; it grows with the square of the wear.
    output : float
        Income per day of running.
    scrap : float
        Loss of income at the last level; it grows with the wear.
    service : float
        Cost of a service; the machine does not run on that day.
    repair : float
        Cost of a repair.
    days : int
        Mean number of days of a repair.

    Returns
    -------
    MDP
        The process. A state is the level of wear, or 'broken'; the features are 'wear' (the last level if broken) and
        'condition'. It never ends; episodes start with a new machine.

    Examples
    --------
    >>> print(machine_repair(levels=3))
    MDP: 5 states, 3 actions, 9 pairs, 20 transitions, no absorbing state
    """
    at_least("levels", levels, 1, whole=True)
    at_least("days", days, 1, whole=True)
    probability("failure", failure)
    steps = np.asarray(wear, dtype=np.float64)
    if steps.ndim != 1 or not len(steps) or not (steps >= 0).all() or abs(steps.sum() - 1) > 1e-6:
        raise InputError(
            "wear is not a list of probabilities that sum to 1; give the probabilities of 0, 1, 2, … "
            "levels per day"
        )
    model: dict[Any, dict[str, list[Any]]] = {}
    for level in range(levels + 1):
        breaks = failure * (level / levels) ** 2
        gives = output - scrap * level / levels
        runs = [
            (min(level + more, levels), float((1 - breaks) * chance), gives)
            for more, chance in enumerate(steps)
            if chance > 0
        ]
        down = [(BROKEN, breaks, 0.0)] if breaks > 0 else []
        model[level] = {"run": [*runs, *down] if breaks < 1 else down, "service": [(0, 1.0, -service)]}
    # a repair ends each day with the same probability, so that no day counter is needed
    over = 1 / days
    waits = [(BROKEN, 1 - over, -repair / days)] if days > 1 else []
    model[BROKEN] = {"repair": [(0, over, -repair / days), *waits]}
    features = {
        "wear": [*range(levels + 1), levels],
        "condition": [*["running"] * (levels + 1), BROKEN],
    }
    return MDP.of(model, start=0, features=features)
