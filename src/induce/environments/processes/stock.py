"""Inventory control: order quantities under random demand (Puterman 1994, section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.environments.mdp import MDP

NONE = "none"
LEAST = 1e-9
"""Total probability below which large demands are ignored."""


def stock_keeping(
    capacity: int = 20,
    demand: float | Sequence[float] = 4.0,
    *,
    price: float = 10.0,
    cost: float = 6.0,
    order_cost: float = 8.0,
    holding: float = 0.2,
    lost_sale: float = 2.0,
) -> MDP:
    """Return inventory control of one product as a decision process.

    Orders are placed in the morning and arrive at once. Then customers come; unmet demand is lost.

    Parameters
    ----------
    capacity : int
        Maximum stock.
    demand : float or sequence of float
        Mean daily demand (Poisson distribution), or the probabilities of a demand of 0, 1, 2, …
    price : float
        Income per unit sold.
    cost : float
        Cost per unit ordered.
    order_cost : float
        Fixed cost of an order.
    holding : float
        Cost per unit left at the end of the day.
    lost_sale : float
        Cost per unit of unmet demand, in addition to the lost sale.

    Returns
    -------
    MDP
        The process. A state is the morning stock, its only feature; an action is the order-up-to level, or 'none'. It
        never ends; episodes start with any stock.

    Examples
    --------
    >>> print(stock_keeping(capacity=3, demand=[0.5, 0.5]))
    MDP: 4 states, 4 actions, 10 pairs, 20 transitions, no absorbing state
    """
    at_least("capacity", capacity, 1, whole=True)
    chances = _demand(demand)
    names = [NONE, *(f"up to {level}" for level in range(1, capacity + 1))]
    model: dict[int, dict[str, Any]] = {}
    for stock in range(capacity + 1):
        model[stock] = {}
        for there in range(stock, capacity + 1):
            paid = cost * (there - stock) + (order_cost if there > stock else 0.0)
            model[stock][names[there] if there > stock else NONE] = [
                (
                    max(there - asked, 0),
                    chance,
                    price * min(there, asked)
                    - paid
                    - holding * max(there - asked, 0)
                    - lost_sale * max(asked - there, 0),
                )
                for asked, chance in enumerate(chances)
                if chance > 0
            ]
    return MDP.of(model, features={"stock": list(model)}, actions=names)


def _demand(demand: Any) -> list[float]:
    """Return the probability of each demand."""
    if isinstance(demand, int | float):
        if not 0 < demand < 1e4:
            raise InputError(f"demand is {demand!r}; it must be a number above 0 and below 10,000")
        from scipy.stats import poisson

        chances = poisson.pmf(np.arange(int(poisson.isf(LEAST, demand)) + 1), demand)
    else:
        chances = np.asarray(demand, dtype=np.float64)
        if chances.ndim != 1 or not len(chances) or not (chances >= 0).all() or abs(chances.sum() - 1) > 1e-6:
            raise InputError(
                "demand is not a list of probabilities that sum to 1; give the probabilities of 0, 1, "
                "2, … units"
            )
    return [float(chance) for chance in chances / chances.sum()]
