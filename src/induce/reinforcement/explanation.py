"""Explanation of a policy's choice in a state."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from induce.core.explained import Explained
from induce.core.reports import text_table
from induce.core.ties import ranked
from induce.environments.names import State

if TYPE_CHECKING:
    from induce.reinforcement.policy import Policy

FOLLOWING = 4
"""Maximum number of next states shown per action."""


@dataclass(frozen=True)
class ActionValue:
    """One action in a state: its value, its number of trials (-1 if not counted), and its outcomes."""

    action: State
    value: float
    visits: int
    follows: tuple[tuple[State, float], ...]
    name: str = ""
    follow_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reasons(Explained):
    """Values of every action in a state, best first.

    Parameters
    ----------
    state : object
        State to explain.
    best : tuple
        Actions tied for the best value.
    actions : tuple of ActionValue
        Actions with their values, best first.
    name : str
        Display name of the state.
    best_names : tuple of str
        Display names of the best actions.
    known : bool
        Whether the state was ever visited.
    gain : float
        Average reward per step for criterion='average'; NaN otherwise.
    """

    state: Any
    best: tuple[State, ...]
    actions: tuple[ActionValue, ...]
    name: str = ""
    best_names: tuple[str, ...] = ()
    known: bool = True
    gain: float = math.nan

    @classmethod
    def of(cls, policy: Policy, state: Any) -> Reasons:
        """Build the explanation of a policy's choice in a state."""
        pairs = ranked(policy.pairs_of(state), lambda pair: policy.q[pair])
        place = policy.place(state)
        return cls(
            state,
            policy.best(state),
            tuple(_action_value(policy, pair) for pair in pairs),
            policy.state_text(place),
            policy.best_texts(place),
            bool(policy.met[place]),
            policy.gain,
        )

    def __str__(self) -> str:
        where = self.name or state_text(self.state)
        if not self.actions:
            return f"{where}: the episode ends here"
        rows = [
            (f"  {action.name or action.action}", f"{action.value:.6g}", _tried(action), _following(action))
            for action in self.actions
        ]
        lines = text_table([tuple(cell for cell in row if cell is not None) for row in rows], left=(0, 2, 3))
        if not self.known:
            return f"{where}: never visited, so nothing is known about it\n{lines}"
        best = " or ".join(self.best_names or map(str, self.best))
        worth = f"worth {self.actions[0].value:.6g}"
        if not math.isnan(self.gain):
            worth += f" relative to other states; {self.gain:.6g} per step on average"
        return f"{where}: {best}, {worth}\n{lines}"


def _action_value(policy: Policy, pair: int) -> ActionValue:
    follows: list[tuple[State, float]] = []
    if policy.model is not None:
        chances: dict[State, float] = {}
        for after, chance, _, _ in policy.model.outcomes(pair):
            chances[after] = chances.get(after, 0.0) + chance
        follows = ranked(chances.items(), lambda item: item[1])
    visits = int(policy.visits[pair]) if len(policy.visits) else -1
    number = policy.pair_action[pair]
    return ActionValue(
        policy.actions[number],
        float(policy.shown(policy.q[pair : pair + 1])[0]),
        visits,
        tuple(follows),
        policy.action_texts[number],
        tuple(policy.state_text(policy.place(after)) for after, _ in follows),
    )


def _tried(action: ActionValue) -> str | None:
    if action.visits < 0:
        return None
    return "never tried" if action.visits == 0 else f"tried {action.visits:,} times"


def _following(action: ActionValue) -> str:
    named = action.follow_names or tuple(state_text(after) for after, _ in action.follows)
    following = zip(named, action.follows, strict=True)
    shown = [f"{name} {chance:.0%}" for name, (_, chance) in following][:FOLLOWING]
    left = len(action.follows) - FOLLOWING
    return ", ".join(shown) + (f", {left} more" if left > 0 else "")


def state_text(state: Any) -> str:
    """Return the name of a state; tuples are written without quotes.

    Examples
    --------
    >>> state_text(("red", 3))
    'red, 3'
    """
    return ", ".join(map(str, state)) if isinstance(state, tuple) else str(state)
