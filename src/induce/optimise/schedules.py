"""Learning-rate schedules, and the conditions under which stochastic descent converges (AIMA 18.6.1).

Stochastic gradient descent converges if the rates r(t) satisfy Σ r(t) = ∞, so that every point can be
reached, and Σ r(t)² < ∞, so that the noise of single examples vanishes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError

Floats = NDArray[np.float64]


class Schedule(Protocol):
    """A learning rate for each update."""

    def rates(self, start: int, n: int) -> Floats:
        """Return the rates of `n` updates; the first is update number `start`, counted from 0."""
        ...

    @property
    def converges(self) -> bool:
        """Whether Σ r(t) = ∞ and Σ r(t)² < ∞."""
        ...

    def conditions(self) -> str:
        """Return which of the two conditions hold, as text."""
        ...


@dataclass(frozen=True)
class Constant:
    """The same rate for all updates: stochastic descent ends near a minimum, not at it.

    Parameters
    ----------
    rate : float
        Learning rate; greater than 0.

    Examples
    --------
    >>> Constant(0.1).rates(0, 2).tolist(), Constant(0.1).converges
    ([0.1, 0.1], False)
    """

    rate: float

    def __post_init__(self) -> None:
        _positive(self.rate)

    def rates(self, start: int, n: int) -> Floats:
        """Return the rates of `n` updates from update number `start` on."""
        return np.full(n, float(self.rate))

    @property
    def converges(self) -> bool:
        """Whether Σ r(t) = ∞ and Σ r(t)² < ∞."""
        return False

    def conditions(self) -> str:
        """Return which of the two conditions hold, as text."""
        return "Σr(t) = ∞ holds, Σr(t)² < ∞ does not: single examples keep moving the weights"


@dataclass(frozen=True)
class Decay:
    """The rate r(t) = rate · c / (c + t), such as 1000 / (1000 + t) (AIMA 18.6.3).

    Parameters
    ----------
    rate : float
        Initial learning rate; greater than 0.
    c : float, default=1000.0
        Number of updates after which the rate has halved.

    Examples
    --------
    >>> Decay(1.0, 1000).rates(0, 3).round(6).tolist()
    [1.0, 0.999001, 0.998004]
    >>> print(Decay(1.0, 1000).conditions())
    Σr(t) = ∞ and Σr(t)² < ∞ hold: stochastic descent converges
    """

    rate: float
    c: float = 1000.0

    def __post_init__(self) -> None:
        _positive(self.rate)
        _positive(self.c, "c")

    def rates(self, start: int, n: int) -> Floats:
        """Return the rates of `n` updates from update number `start` on."""
        return np.asarray(self.rate * self.c / (self.c + np.arange(start, start + n, dtype=np.float64)))

    @property
    def converges(self) -> bool:
        """Whether Σ r(t) = ∞ and Σ r(t)² < ∞."""
        return True

    def conditions(self) -> str:
        """Return which of the two conditions hold, as text."""
        return "Σr(t) = ∞ and Σr(t)² < ∞ hold: stochastic descent converges"


@dataclass(frozen=True)
class Power:
    """The rate r(t) = rate / (t + 1)^power; power 1 gives the rate / i of exercise 4.4.

    Parameters
    ----------
    rate : float
        Initial learning rate; greater than 0.
    power : float, default=1.0
        Exponent of the decay; greater than 0.

    Examples
    --------
    >>> Power(0.03).rates(0, 3).round(4).tolist()
    [0.03, 0.015, 0.01]
    >>> Power(0.03, 0.5).converges, Power(0.03, 2.0).conditions()
    (False, 'Σr(t) = ∞ does not hold: the weights may stop short of a minimum')
    """

    rate: float
    power: float = 1.0

    def __post_init__(self) -> None:
        _positive(self.rate)
        _positive(self.power, "power")

    def rates(self, start: int, n: int) -> Floats:
        """Return the rates of `n` updates from update number `start` on."""
        return np.asarray(self.rate / np.arange(start + 1, start + n + 1, dtype=np.float64) ** self.power)

    @property
    def converges(self) -> bool:
        """Whether Σ r(t) = ∞ and Σ r(t)² < ∞."""
        return 0.5 < self.power <= 1.0

    def conditions(self) -> str:
        """Return which of the two conditions hold, as text."""
        if self.converges:
            return "Σr(t) = ∞ and Σr(t)² < ∞ hold: stochastic descent converges"
        if self.power > 1.0:
            return "Σr(t) = ∞ does not hold: the weights may stop short of a minimum"
        return "Σr(t) = ∞ holds, Σr(t)² < ∞ does not: single examples keep moving the weights"


def _positive(value: float, name: str = "learning rate") -> None:
    if not (np.isfinite(value) and value > 0):
        raise InputError(f"the {name} is {value!r}; give a finite number above 0")
