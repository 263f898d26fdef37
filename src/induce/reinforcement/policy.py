"""A policy over named states, with its action values and visit counts (Mitchell 13.2)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.reports import text_table
from induce.core.shapes import check_numbers, check_places, check_shapes
from induce.core.values import Value
from induce.data.names import unknown
from induce.environments.mdp import MDP, Floats, Ints
from induce.environments.names import State, state_of
from induce.hypotheses.kinds.controller import Controller
from induce.hypotheses.naming import printable
from induce.reinforcement.explanation import Reasons, state_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.reinforcement.extraction.features import Features
    from induce.reinforcement.extraction.policy_reading import PolicyReading

MOST_SHOWN = 1_000
"""Maximum number of states of a policy that is shown as a view."""
SHOWN = 30
"""Maximum number of states of a printed policy."""
TIE = 1e-9
"""Relative difference below which action values count as equal."""


NOISE = 1e-10
"""Fraction of the largest value below which a relative value counts as rounding."""


@dataclass(frozen=True, eq=False, repr=False)
class Policy(Controller):
    """Best action in every state, with the values of all actions.

    Parameters
    ----------
    states, actions : tuple
        Names of the states and of the actions.
    pair_state, pair_action : array of int32
        Allowed pairs of a state and an action, ordered by state.
    q : array of float64
        Value of each pair.
    discount : float
        Discount factor.
    visits : array of int64
        Number of trials of each pair; empty if the policy was computed from a model.
    start : array of float64
        Probability that an episode starts in each state.
    features : dict
        Mapping from a feature's name to its value in every state.
    model : MDP, optional
        Model of the process, if given or learned.
    gain : float
        Average reward per step for criterion='average'; values are then relative.
    state_names, action_names : tuple of str
        Display names, if they differ from those used by `act`.

    Examples
    --------
    >>> from induce.environments import MDP
    >>> from induce.reinforcement import DynamicProgramming
    >>> machine = MDP.of({
    ...     "good": {"use": [("good", 0.9, 100), ("bad", 0.1, 100)]},
    ...     "bad": {"use": [("bad", 1, 20)], "repair": [("good", 1, -50)]},
    ... })
    >>> policy = DynamicProgramming(discount=0.9).learn(machine).hypothesis_
    >>> print(policy)
    state  action    value
    good   use     876.147
    bad    repair  738.532
    >>> policy.act("bad")
    'repair'
    >>> print(policy.explain("bad"))
    bad: repair, worth 738.532
      repair  738.532  good 100%
      use     684.679  bad 100%
    """

    states: tuple[State, ...]
    actions: tuple[State, ...]
    pair_state: NDArray[np.int32]
    pair_action: NDArray[np.int32]
    q: Floats
    discount: float
    visits: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    start: Floats = field(default_factory=lambda: np.empty(0))
    features: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    model: MDP | None = None
    gain: float = math.nan
    state_names: tuple[str, ...] = ()
    action_names: tuple[str, ...] = ()

    @classmethod
    def of(cls, mdp: MDP, q: Floats, discount: float, **further: Any) -> Policy:
        """Return the policy of a process from the values of its pairs."""
        return cls(
            mdp.states,
            mdp.actions,
            mdp.pair_state,
            mdp.pair_action,
            q,
            discount,
            start=mdp.start,
            features=mdp.features,
            model=mdp,
            state_names=mdp.state_names,
            action_names=mdp.action_names,
            **further,
        )

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent, for example after loading from a file."""
        n_pairs, n_states = len(self.pair_state), len(self.states)
        check_shapes(self, dict.fromkeys(("pair_state", "pair_action", "q"), "pairs"))
        for field_, size in (("visits", n_pairs), ("start", n_states)):
            if getattr(self, field_).shape not in ((0,), (size,)):
                raise InputError(f"{field_} has the wrong length; it must be {size}")
        check_places("pair_state", self.pair_state, n_states)
        check_places("pair_action", self.pair_action, len(self.actions))
        check_numbers("q", self.q)
        check_numbers("discount", self.discount)
        if np.isinf(self.gain):
            raise InputError("gain is infinite; it must be a number")
        if (np.diff(self.pair_state) < 0).any():
            raise InputError("the pairs are not ordered by state")
        if any(len(values) != n_states for values in self.features.values()):
            raise InputError("a feature needs one value per state")
        for names, n in ((self.state_names, n_states), (self.action_names, len(self.actions))):
            if names and len(names) != n:
                raise InputError(f"there are {len(names)} names; there must be {n}")
        if self.model is not None and (self.model.states, self.model.actions) != (self.states, self.actions):
            raise InputError("the states or actions of the model differ from those of the policy")

    @cached_property
    def offset(self) -> Ints:
        """Start index of each state's pairs, followed by the total number of pairs."""
        return np.searchsorted(self.pair_state, np.arange(len(self.states) + 1)).astype(np.int64)

    @cached_property
    def values(self) -> Floats:
        """Value of each state: that of its best action, or 0 if it has none."""
        values = np.zeros(len(self.states))
        acting = np.flatnonzero(np.diff(self.offset) > 0)
        if len(acting):
            values[acting] = np.maximum.reduceat(self.q, self.offset[acting])
        return values

    @cached_property
    def optimal(self) -> NDArray[np.bool_]:
        """Whether each pair is tied for the best of its state."""
        best = self.values[self.pair_state]
        return self.q >= best - TIE * np.maximum(1.0, np.abs(best))

    @cached_property
    def choice(self) -> NDArray[np.int64]:
        """The first of the best pairs in each state, or -1 if no action is allowed.

        Without discounting, equally good actions may cycle: those that lead nearer to an end are
        preferred.
        """
        found = np.full(len(self.states), -1, dtype=np.int64)
        chosen = [self.optimal]
        if self.discount == 1 and self.model is not None and math.isnan(self.gain):
            from induce.reinforcement.extraction.returns import ends_surely

            chosen.append(ends_surely(self.model, self.optimal))
        for good in chosen:
            pairs = np.flatnonzero(good)
            found[self.pair_state[pairs][::-1]] = pairs[::-1]
        return found

    @cached_property
    def _places(self) -> dict[State, int]:
        return {state: k for k, state in enumerate(self.states)}

    @cached_property
    def _named_places(self) -> dict[str, int]:
        return {name: k for k, name in enumerate(self.state_names)}

    def place(self, state: Any) -> int:
        """Return the index of a state, given as in the environment or by its display name."""
        found = self._places.get(state_of(state))
        if found is None and isinstance(state, str):
            found = self._named_places.get(state)
        if found is None:
            raise InputError(
                f"the policy has no state {state!r}; give a state such as {state_text(self.states[0])!r}"
            )
        return found

    def state_text(self, place: int) -> str:
        """Return the display name of the state at an index."""
        return printable(self.state_names[place] if self.state_names else state_text(self.states[place]))

    @cached_property
    def action_texts(self) -> tuple[str, ...]:
        """Display names of the actions."""
        return tuple(map(printable, self.action_names or map(str, self.actions)))

    def best_texts(self, place: int) -> tuple[str, ...]:
        """Return the display names of the best actions in the state at an index."""
        pairs = range(self.offset[place], self.offset[place + 1])
        return tuple(self.action_texts[self.pair_action[k]] for k in pairs if self.optimal[k])

    @cached_property
    def met(self) -> NDArray[np.bool_]:
        """Whether anything was learned about each state; True everywhere if computed from a model.

        Absorbing states, in which no action is tried, count as known.
        """
        if not len(self.visits):
            return np.ones(len(self.states), dtype=bool)
        tried = np.zeros(len(self.states), dtype=bool)
        tried[self.pair_state[self.visits > 0]] = True
        return tried if self.model is None else tried | self.model.absorbing

    def _ends(self, place: int) -> bool:
        """Return whether a state always ends the episode."""
        several = self.offset[place + 1] - self.offset[place] > 1
        return bool(several and self.model is not None and self.model.absorbing[place])

    def shown(self, values: Floats) -> Floats:
        """Return values for display: relative values that are only rounding error become 0."""
        if math.isnan(self.gain):
            return values
        largest = np.abs(self.values).max(initial=0.0)
        return np.where(np.abs(values) <= NOISE * largest, 0.0, values)

    def in_order(self) -> list[int]:
        """Return the indices of the states to show, in declared order, or sorted if discovered while acting.

        States without actions, and states never visited, are omitted.
        """
        acting = np.flatnonzero((self.choice >= 0) & self.met).tolist()
        if self.model is not None or not len(self.visits):
            return acting
        try:
            return sorted(acting, key=lambda place: self.states[place])
        except TypeError:  # values of different types cannot be compared
            return sorted(acting, key=self.state_text)

    def pairs_of(self, state: Any) -> range:
        """Return the indices of a state's pairs."""
        place = self.place(state)
        return range(self.offset[place], self.offset[place + 1])

    def states_named(self, text: str) -> tuple[State, ...]:
        """Return the states whose name matches the text, ignoring brackets, quotes and spaces."""
        return tuple(
            state
            for place, state in enumerate(self.states)
            if _bare(text) in (_bare(str(state)), _bare(state_text(state)), _bare(self.state_text(place)))
        )

    def states_with(self, features: Mapping[str, Any]) -> tuple[State, ...]:
        """Return the states with the given feature values, compared as text."""
        for name in features:
            if name not in self.features:
                raise unknown("feature", name, list(self.features))
        found = tuple(
            state
            for k, state in enumerate(self.states)
            if all(str(self.features[name][k]) == str(value) for name, value in features.items())
        )
        if not found:
            said = ",".join(f"{name}={value}" for name, value in features.items())
            raise InputError(f"the policy has no state with {said}")
        return found

    def act(self, state: Any) -> State | None:
        """Return the best action (the first in a tie), or None if no action is allowed.

        Without discounting, the first of those that lead nearer to an end.
        """
        pair = self.choice[self.place(state)]
        return None if pair < 0 else self.actions[self.pair_action[pair]]

    def best(self, state: Any) -> tuple[State, ...]:
        """Return all actions tied for the best value."""
        return tuple(self.actions[self.pair_action[k]] for k in self.pairs_of(state) if self.optimal[k])

    def action_values(self, state: Any) -> dict[State, float]:
        """Return the value of each allowed action."""
        return {self.actions[self.pair_action[k]]: float(self.q[k]) for k in self.pairs_of(state)}

    def value(self, state: Any = None) -> float:
        """Return the value of a state, or by default the mean over the start states."""
        if state is not None:
            return float(self.values[self.place(state)])
        return float(self.start @ self.values) if len(self.start) else math.nan

    def n_optimal(self) -> int:
        """Return the number of optimal policies: all combinations of equally good actions.

        Examples
        --------
        >>> from induce.environments import grid_world
        >>> from induce.reinforcement import DynamicProgramming
        >>> DynamicProgramming(discount=0.9).learn(grid_world("mitchell-13.2")).hypothesis_.n_optimal()
        4
        """
        best = np.bincount(self.pair_state[self.optimal], minlength=len(self.states))
        return math.prod(best[best > 0].tolist())

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the best action for each state in a list."""
        return np.array([self.act(state) for state in X])

    def explain(self, X: Any) -> Reasons:
        """Return the value of every action in a state, and its likely outcomes."""
        return Reasons.of(self, X)

    def parts(self) -> Parts:
        """Return the number of states in which an action is chosen."""
        return Parts(int((self.choice >= 0).sum()), "states with an action")

    def size(self) -> str:
        """Return the size of the hypothesis as text."""
        return f"{len(self.states):,} states, {len(self.actions):,} actions, {len(self.q):,} pairs"

    def __str__(self) -> str:
        tried = len(self.visits) > 0
        rows = [("state", "action", "value", "visits") if tried else ("state", "action", "value")]
        acting = self.in_order()
        values = self.shown(self.values)
        for place in acting[:SHOWN]:
            action = "(the episode ends)" if self._ends(place) else " or ".join(self.best_texts(place))
            row = (self.state_text(place), action, f"{values[place]:.6g}")
            pairs = slice(self.offset[place], self.offset[place + 1])
            rows.append((*row, f"{int(self.visits[pairs].sum()):,}") if tried else row)
        lines = [text_table(rows, left=(0, 1))]
        if len(acting) > SHOWN:
            lines.append(f"… and {len(acting) - SHOWN:,} more states")
        unknown = int(((self.choice >= 0) & ~self.met).sum())
        if unknown:
            lines.append(f"{unknown:,} {'state was' if unknown == 1 else 'states were'} never visited")
        if not math.isnan(self.gain):
            lines.append(f"{self.gain:.6g} per step on average; the values are relative to other states")
        return "\n".join(lines)

    __repr__ = __str__

    def _picture(self) -> tuple[str, dict[str, Any]]:
        """Return the states, each with its value, its action values and, on a grid, its square."""
        from induce.reinforcement.pictures import is_grid, squares_of

        n = len(self.states)
        if n > MOST_SHOWN:
            return super()._picture()
        grid = is_grid(self)
        squares = squares_of(self) if grid else ("free",) * n
        states = []
        for place in range(n):
            pairs = range(self.offset[place], self.offset[place + 1])
            values = {self.action_texts[self.pair_action[k]]: float(self.q[k]) for k in pairs}
            told = {"name": self.state_text(place), "value": float(self.shown(self.values)[place])}
            told |= {"best": self.best_texts(place), "q": values, "met": bool(self.met[place])}
            if grid:
                told |= {"square": squares[place]}
                told |= {name: int(self.features[name][place]) for name in ("row", "column")}
            states.append(told)
        return "policy", {"states": states, "grid": grid, "discount": self.discount}

    def draw(self) -> Figure:
        """Plot arrows and values if states have a row and a column, and a heat map otherwise."""
        from induce.reinforcement.pictures import draw_policy

        return draw_policy(self)

    def to_rules(
        self,
        features: Features | None = None,
        *,
        tolerance: float = 0.0,
        max_rules: int | None = None,
        width: int = 10,
        model: MDP | None = None,
    ) -> PolicyReading:
        """Return the policy as rules over named features, with the loss in return.

        The first matching rule decides. A rule fits a state if its action is one of the best there, so ties allow
        fewer rules. Only reachable states count; without a model, the visited states.

        Parameters
        ----------
        features : dict, optional
            Additional features: a mapping from a name to its value in every state or to a function of the state.
        tolerance : float
            Maximum loss in value at which an action still counts as good.
        max_rules : int, optional
            Maximum number of rules, including the default, which covers the remaining states.
        width : int
            Beam width of the rule search.
        model : MDP, optional
            Model used to compute returns; by default that of the policy.

        Examples
        --------
        >>> from induce.environments import stock_keeping
        >>> from induce.reinforcement import DynamicProgramming
        >>> policy = DynamicProgramming().learn(stock_keeping()).hypothesis_
        >>> print(policy.to_rules())
        IF stock > 4 THEN none (16/16)
        DEFAULT up to 19 (5/5)
        1 rule, 1 condition; best in every state; earns 1213.29 of 1213.29: nothing lost
        """
        from induce.reinforcement.extraction.policy_reading import read_rules

        return read_rules(
            self,
            features,
            tolerance=tolerance,
            max_rules=max_rules,
            width=width,
            model=model,
        )

    def to_tree(
        self,
        features: Features | None = None,
        *,
        tolerance: float = 0.0,
        max_depth: int | None = None,
        model: MDP | None = None,
    ) -> PolicyReading:
        """Return the policy as a tree over named features, with the loss in return.

        Parameters
        ----------
        features, tolerance, model
            See `to_rules`.
        max_depth : int, optional
            Maximum depth. A truncated tree agrees in fewer states, which need not lower the return by much.

        Examples
        --------
        >>> from induce.environments import machine_repair
        >>> from induce.reinforcement import DynamicProgramming
        >>> policy = DynamicProgramming().learn(machine_repair()).hypothesis_
        >>> print(policy.to_tree())
        wear <= 3: run (4/4)
        wear > 3
        |   condition = broken: repair (1/1)
        |   condition = running: service (7/7)
        5 nodes, 3 leaves, depth 2; best in every state; earns 6228.63 of 6228.63: nothing lost
        """
        from induce.reinforcement.extraction.policy_reading import read_tree

        return read_tree(self, features, tolerance=tolerance, max_depth=max_depth, model=model)

    def to_python(self, name: str = "act") -> str:
        """Return the source of a function from a state to the best action."""
        from induce.reinforcement.extraction.export import python_of_policy

        return python_of_policy(self, name)

    def to_sql(self, table: str = "states") -> str:
        """Return a query that adds a column "action" to a table of features.

        If states have no features, the columns are 'state', or 'state 1', 'state 2', … for their parts.
        """
        from induce.reinforcement.extraction.export import sql_of_policy

        return sql_of_policy(self, table)

    def to_json(self) -> str:
        """Return one JSON document: the discount, the actions, and the best action and all values per state."""
        from induce.reinforcement.extraction.export import json_of_policy

        return json_of_policy(self)


def _bare(text: str) -> str:
    return "".join(letter for letter in text if letter not in " ()'\"")
