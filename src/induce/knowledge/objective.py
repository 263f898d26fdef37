"""Error of a network whose weights decay towards those of a theory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.neural.objective import NetworkObjective

Floats = NDArray[np.float64]


@dataclass(eq=False)
class AnchoredObjective(NetworkObjective):
    """Error of a network plus ``pull`` times the squared distance of its weights from given weights.

    Parameters
    ----------
    anchor : array of float64
        Weights of the theory; 0 where it states nothing.
    pull : float
        Strength of the decay; larger values keep the network closer to the theory.
    """

    anchor: Floats = field(default_factory=lambda: np.zeros(0))
    pull: float = 0.0

    def gradient(self, w: Any, rows: Any = None) -> tuple[float, Any]:
        """Return the error on some or all rows, and its gradient."""
        total, gradient = super().gradient(w, rows)
        n = self.n_rows if rows is None else len(rows)
        share = self.pull * n / max(1, self.n_rows) * self._scale(n)
        gradient = (
            gradient + (2.0 * share) * (np.asarray(w, np.float64) - self.anchor) * self.network.plan.factor
        )
        return total, gradient

    def epoch(self, w: Floats, memory: Floats, order: Any, rates: Floats, momentum: float) -> float:
        """Update the weights after each example, then move them towards the theory in proportion."""
        total = super().epoch(w, memory, order, rates, momentum)
        share = 2.0 * self.pull / max(1, self.n_rows) * float(np.sum(rates)) * self._scale(1)
        w -= min(share, 1.0) * (w - self.anchor) * self.network.plan.factor
        away = w - self.anchor
        return total + self.pull * len(order) / max(1, self.n_rows) * float(away @ away) * self._scale(1)

    def _scaled(self, total: float, n: int, w: Any) -> float:
        away = np.asarray(w, np.float64) - self.anchor
        pulled = total + self.pull * n / max(1, self.n_rows) * float(away @ away)
        return super()._scaled(pulled, n, w)
