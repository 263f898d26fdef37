"""Keeping a stock: how much to order, when the demand is not known (Puterman 1994, section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.environments.mdp import MDP

NONE = "none"
LEAST = 1e-9
"""Demands that are less likely than this together are left out."""


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
    """Return a store with one article as a decision process.

    In the morning one orders; the goods come at once. Then customers come: what is asked for and not there is lost.

    Parameters
    ----------
    capacity : int
        The most pieces that the store holds.
    demand : float or sequence of float
        The mean demand of a day (Poisson's distribution), or the probabilities of 0, 1, 2, … pieces.
    price : float
        Income per piece sold.
    cost : float
        Cost per piece ordered.
    order_cost : float
        Fixed cost of an order.
    holding : float
        Cost per piece left over at the end of the day.
    lost_sale : float
        Cost per piece demanded but not in stock, beside the lost sale.

    Returns
    -------
    MDP
        A state is the stock in the morning, its only feature; an action is the level up to which one orders, or
        'none'. It has no end; episodes start with any stock.

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
                "demand is not a list of probabilities that sum to 1; give those of 0, 1, 2, … pieces"
            )
    return [float(chance) for chance in chances / chances.sum()]
