"""Gradient check: finite differences compared with back-propagation (Mitchell §4.5.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.neural.network import Network
from induce.neural.objective import Floats, NetworkObjective
from induce.neural.slopes import Slopes

SMALL = 1e-8
"""Fraction of the largest derivative used as minimum denominator of relative differences."""


@dataclass(frozen=True, eq=False)
class GradientCheck:
    """Gradients computed by back-propagation and by finite differences.

    Parameters
    ----------
    names : tuple of str
        Names of the weights.
    gradient, differences : array of float64
        Derivative of the error with respect to each weight, by back-propagation and by finite differences.
    """

    names: tuple[str, ...]
    gradient: Floats
    differences: Floats

    @property
    def largest(self) -> float:
        """Largest relative difference between the two derivatives."""
        return float(self._relative().max(initial=0.0))

    @property
    def holds(self) -> bool:
        """Whether the two agree to within the accuracy of finite differences."""
        return self.largest < 1e-5

    def _relative(self) -> Floats:
        size = np.maximum(np.abs(self.gradient), np.abs(self.differences))
        floor = max(SMALL, 1e-3 * float(size.max(initial=0.0)))
        return np.asarray(np.abs(self.gradient - self.differences) / np.maximum(size, floor))

    def __str__(self) -> str:
        if self.holds:
            return f"the gradient is correct for all {len(self.names)} weights"
        worst = int(self._relative().argmax())
        return (
            f"the gradient is wrong at {self.names[worst]}: {self.gradient[worst]:.6g} by back-propagation, "
            f"{self.differences[worst]:.6g} by finite differences"
        )


def gradient_check(
    network: Network,
    X: Any,
    T: Any,
    loss: str = "squared",
    weight_decay: float = 0.0,
    step: float = 1e-5,
    slopes: Slopes | None = None,
) -> GradientCheck:
    """Compare the gradient of a network's error with finite differences, at its current weights.

    Parameters
    ----------
    network : Network
        Network to check, at its current weights.
    X, T : array
        Inputs and targets.
    loss : {"squared", "cross_entropy"}
        Error of an example.
    weight_decay : float
        Penalty on the sum of squared weights.
    step : float
        Step of the central differences.
    slopes : Slopes, optional
        Target slopes of the network, whose gradient is of second order.

    Examples
    --------
    >>> network = Network.layered(2, 3, 1, unit="tanh", output="sigmoid")
    >>> network = network.with_weights(np.linspace(-1, 1, network.n_weights))
    >>> print(gradient_check(network, [[1.0, 0.5]], [[1.0]], "cross_entropy", weight_decay=0.1))
    the gradient is correct for all 13 weights
    """
    objective = NetworkObjective(network, X, T, loss, weight_decay, slopes=slopes)
    w = network.weights
    gradient = objective.gradient(w)[1]
    differences = np.zeros_like(w)
    for k in range(len(w)):
        ahead, behind = w.copy(), w.copy()
        ahead[k] += step
        behind[k] -= step
        differences[k] = (objective.loss(ahead) - objective.loss(behind)) / (2.0 * step)
    return GradientCheck(network.names(), gradient, differences * network.plan.factor)
