"""Credible intervals of a parameter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import share
from induce.core.errors import InputError


class CredibleInterval(NamedTuple):
    """An equal-tailed interval that contains a parameter with a given probability.

    Parameters
    ----------
    low, high : float
        Bounds of the interval.
    probability : float
        Probability that the interval contains the parameter.

    Examples
    --------
    >>> print(CredibleInterval(0.194, 0.932, 0.95))
    95% credible interval [0.194, 0.932]
    """

    low: float
    high: float
    probability: float

    def __str__(self) -> str:
        return f"{100 * self.probability:.10g}% credible interval [{self.low:.3g}, {self.high:.3g}]"


def central(quantile: Callable[[float], Any], probability: float) -> CredibleInterval:
    """Return the central interval of a distribution with a quantile function."""
    share("probability", probability)
    tail = (1 - probability) / 2
    return CredibleInterval(float(quantile(tail)), float(quantile(1 - tail)), probability)


def positive(**parameters: float) -> None:
    """Raise an `InputError` unless all parameters are finite and above 0."""
    for name, value in parameters.items():
        if not (isinstance(value, int | float | np.number) and 0 < value < np.inf):
            raise InputError(f"{name} is {value!r}; give a finite number above 0")


def finite(name: str, values: Any, n_dimensions: int = 1) -> NDArray[np.float64]:
    """Return observations as an array of finite numbers; a single observation becomes an array too."""
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} contains a non-number; give numbers only") from None
    if found.ndim == n_dimensions - 1:
        found = found[None]
    if found.ndim != n_dimensions:
        raise InputError(f"{name} has the shape {found.shape}; give {n_dimensions} dimension(s)")
    if not np.isfinite(found).all():
        raise InputError(f"{name} contains a missing or infinite number; leave it out")
    return found
