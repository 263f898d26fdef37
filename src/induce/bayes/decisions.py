"""Decisions based on a posterior: the action of maximum expected utility (AIMA, exercises 20.3 and 20.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.core.reports import text_table
from induce.core.ties import first_largest


@dataclass(frozen=True, eq=False)
class Decision:
    """Expected utility of each action.

    Parameters
    ----------
    actions : tuple of str
        Names of the actions.
    expected : array
        Expected utility of each action.
    action_for_map : str
        Action of a decision maker who assumes the most probable hypothesis.

    Examples
    --------
    >>> print(Decision(("stay", "go"), np.array([0.0, 1.5]), "stay"))
          expected utility
    stay            0.0000  best for the MAP hypothesis
    go              1.5000  best
    """

    actions: tuple[str, ...]
    expected: NDArray[np.float64]
    action_for_map: str

    @property
    def action(self) -> str:
        """Action of maximum expected utility; ties go to the first."""
        return self.actions[first_largest(self.expected)]

    @property
    def utility(self) -> float:
        """Maximum expected utility."""
        return float(self.expected.max())

    @property
    def regret_of_map(self) -> float:
        """Expected loss of assuming the most probable hypothesis."""
        return self.utility - float(self.expected[self.actions.index(self.action_for_map)])

    def __str__(self) -> str:
        rows = [("", "expected utility", "")]
        for action, value in zip(self.actions, self.expected.tolist(), strict=True):
            marks = []
            if action == self.action:
                marks.append("best")
            if action == self.action_for_map:
                marks.append("best for the MAP hypothesis")
            rows.append((action, f"{value:.4f}", ", ".join(marks)))
        return text_table(rows, left=(0, 2))
