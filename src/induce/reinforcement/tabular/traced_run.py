"""A traced run: every update, compared with the true values if known."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.trace import emit, part
from induce.environments.mdp import MDP
from induce.environments.sources import Simulated
from induce.reinforcement.dynamic_programming.methods import modified_policy_iteration, pair_values
from induce.reinforcement.tabular import _loops as rules

if TYPE_CHECKING:
    from induce.reinforcement.tabular.base import Run
    from induce.reinforcement.tabular.tables import Tables

EXACT = 1e-9
"""Tolerance of the true values."""


class Watched:
    """Emits an event ``update`` for each real step.

    The event has the state, the action, the reward and the next state (None at an end). `changed` lists the pairs
    whose values changed, with their old and new values. For a known process, `error` is the largest difference from
    the true values and `bound` its upper bound by theorem 13.1: the initial error, multiplied by the discount for
    each interval in which every pair was updated. The bound holds for the deterministic rule (13.7).
    """

    def __init__(self, run: Run, tables: Tables) -> None:
        self.q = tables.q.copy()
        self.truth: NDArray[np.float64] | None = None
        self.counts = np.ones(len(self.q), dtype=bool)
        self.bound = math.nan
        self.discount = float(run.knobs[rules.DISCOUNT])
        if isinstance(run.source, Simulated):
            mdp = run.source.mdp
            self.counts = ~mdp.absorbing[mdp.pair_state]
            self.truth = _true_values(mdp, self.discount)
            sure = len(mdp.next_state) == mdp.n_pairs and run.knobs[rules.ALPHA] == 1
            if sure and run.rule == rules.FORWARD and self.truth is not None:
                self.bound = self._error(tables.q)
        self.due = self.counts.copy()

    def tell_of_outcome(self, run: Run, tables: Tables) -> None:
        """Emit the last step in a known process."""
        assert isinstance(run.source, Simulated)
        assert run.world is not None
        mdp = run.source.mdp
        k = int(tables.where[rules.LAST])
        pair = int(np.searchsorted(mdp.first, k, side="right")) - 1
        after = -1 if run.world.ends[k] else int(mdp.next_state[k])
        self.tell(tables, mdp.actions, pair, float(mdp.reward[k]), after)

    def tell(self, tables: Tables, actions: tuple[Any, ...], pair: int, reward: float, after: int) -> None:
        """Emit a step."""
        n = tables.n_pairs
        old = np.append(self.q, np.full(max(0, n - len(self.q)), tables.initial))[:n]
        new = tables.q[:n].copy()

        def named(k: int) -> tuple[Any, Any]:
            return tables.names[tables.owner[k]], actions[tables.actions[k]]

        changed = [(*named(k), float(old[k]), float(new[k])) for k in np.flatnonzero(old != new).tolist()]
        self.q = new
        known = {}
        if self.truth is not None:
            self.due[pair] = False
            if not self.due.any():
                self.bound *= self.discount
                self.due = self.counts.copy()
            known = {"error": self._error(new), "bound": self.bound}
        state, action = named(pair)
        emit(
            "update",
            state=state,
            action=action,
            reward=reward,
            next=None if after < 0 else tables.names[after],
            changed=changed,
            **known,
        )

    def _error(self, q: NDArray[np.float64]) -> float:
        assert self.truth is not None
        return float(np.abs(q - self.truth)[self.counts].max())


def _true_values(mdp: MDP, discount: float) -> NDArray[np.float64] | None:
    """Return the true values of all pairs, or None if they do not converge."""
    try:
        with part("reference"):
            return pair_values(mdp, modified_policy_iteration(mdp, discount, EXACT).values, discount)
    except InputError:
        return None
