"""Policies with approximate action values: feature relevance, explanations and figures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.explained import Explained
from induce.core.forms import Parts
from induce.core.loops import sized
from induce.core.reports import text_table
from induce.core.shapes import check_numbers
from induce.core.ties import first_largest_of_each, largest_first, largest_of_each
from induce.hypotheses.kinds.controller import Controller
from induce.hypotheses.naming import printable
from induce.reinforcement.approximation import _loops
from induce.reinforcement.approximation.divergence import Divergence
from induce.reinforcement.approximation.features import Coding, Floats, Observations
from induce.reinforcement.approximation.models import (
    WATCHED,
    Clusters,
    LearnedWeights,
    LinearModel,
    Model,
    agent_of,
    check_weights,
    first_memory,
)
from induce.reinforcement.explanation import state_text
from induce.reinforcement.policy import Policy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINTS = 21
"""Number of values tried per number to measure its effect."""
SAMPLE = 60
"""Number of observations at which the effect of a number is measured."""
SHOWN = 30
"""Maximum number of weights printed."""


@dataclass(frozen=True, eq=False, repr=False)
class ApproximatePolicy(Controller):
    """A policy whose action values are a function of the observation.

    Parameters
    ----------
    name : str
        Name of the environment.
    seen : Observations
        Observations of the environment.
    coding : Coding
        The features.
    model : LinearModel, Network or Clusters
        Model of the action values.
    weights : LearnedWeights
        Learned weights of the model.
    actions, action_names : tuple
        Names of the actions: those used by the environment, and those shown to readers.
    allowed : array of bool
        Actions allowed in each listed state; empty if not known in advance.
    discount : float
        Discount factor.
    divergence : Divergence
        Growth of the values relative to the bound set by the rewards.
    episodes, n_steps : int
        Number of episodes and number of steps of the run.

    Examples
    --------
    >>> from induce.environments import MountainCar
    >>> from induce.reinforcement import ApproximateQLearning
    >>> learner = ApproximateQLearning(episodes=10, epsilon=0, random_state=0)
    >>> policy = learner.learn(MountainCar()).hypothesis_
    >>> policy.size()
    'linear in 8 tilings of 8 by 8 tiles, 3 actions, 1,944 weights'
    >>> policy.best([-0.5, 0.02])
    ('right',)
    """

    name: str
    seen: Observations
    coding: Coding
    model: Model
    weights: LearnedWeights
    actions: tuple[Any, ...]
    action_names: tuple[str, ...]
    allowed: NDArray[np.bool_]
    discount: float
    divergence: Divergence
    episodes: int = 0
    n_steps: int = 0

    def check(self) -> None:
        """Raise an `InputError` unless the parts fit together, so that the loops stay within their arrays."""
        n_states, n_actions = len(self.seen.states), len(self.actions)
        self.coding.check_fits(self.seen)
        check_weights(self.model, self.coding, n_actions, self.weights)
        check_numbers("discount", self.discount)
        if not n_actions or len(self.action_names) != n_actions:
            raise InputError(
                f"there are {len(self.action_names)} names for {n_actions} actions; give one each"
            )
        if len(self.allowed) and self.allowed.shape != (n_states, n_actions):
            raise InputError(
                f"allowed has the shape {self.allowed.shape}; it must be {(n_states, n_actions)}"
            )

    @cached_property
    def _agent(self) -> Any:
        clusters = (self.model.radius, 0.0) if isinstance(self.model, Clusters) else (1.0, 0.0)
        settings = np.array([0.0, 0.0, 0.0, 0.0, *clusters, self.discount, 1.0, 0.0, 0.0, 0.0])
        n = len(self.actions)
        memory, stream = first_memory(0, self.coding, n), np.ones(6, dtype=np.int64)
        return agent_of(
            self.model, self.coding, n, self.weights.copy(), memory, settings, np.zeros(WATCHED), stream
        )

    @cached_property
    def ranges(self) -> tuple[Floats, Floats]:
        """Finite plotting ranges of the numbers, even if the environment's ranges are unbounded."""
        low, high = (np.array(end) for end in (self.seen.low, self.seen.high))
        wide = ~(np.isfinite(low) & np.isfinite(high))
        if wide.any():
            tiled_low, tiled_high = self.coding.ranges(self.seen)
            low[wide], high[wide] = (
                np.nan_to_num(tiled_low[wide], neginf=-1.0),
                np.nan_to_num(tiled_high[wide], posinf=1.0),
            )
        return low, high

    def q_values(self, vectors: Floats) -> Floats:
        """Return the value of every action for encoded observations, one row each."""
        found = np.empty((len(vectors), len(self.actions)))
        agent = self._agent
        each = len(self.actions) * self.coding.width * max(1, self.model.hidden) + len(self.weights.owner)
        see: Any = sized(_loops.see, len(vectors) * each)
        for row, vector in zip(found, np.ascontiguousarray(vectors), strict=True):
            see(agent, vector, 0)
            row[:] = agent.values[0]
        return found

    def _values_and_allowed(self, observation: Any) -> tuple[Floats, NDArray[np.bool_]]:
        vector = self.seen.vector(observation)
        values = self.q_values(vector[None, :])[0]
        if len(self.allowed):
            return values, self.allowed[int(vector[0])]
        return values, np.ones(len(values), dtype=bool)

    def act(self, observation: Any) -> Any:
        """Return the best action in the environment's naming (the first in a tie), or None if none is allowed."""
        values, allowed = self._values_and_allowed(observation)
        best = _best(values, allowed)
        return self.actions[best[0]] if best else None

    def best(self, observation: Any) -> tuple[str, ...]:
        """Return the names of all actions tied for the best value."""
        values, allowed = self._values_and_allowed(observation)
        return tuple(self.action_names[k] for k in _best(values, allowed))

    def action_values(self, observation: Any) -> dict[str, float]:
        """Return the value of each allowed action by name."""
        values, allowed = self._values_and_allowed(observation)
        named = zip(self.action_names, values.tolist(), allowed, strict=True)
        return {name: value for name, value, free in named if free}

    def value(self, observation: Any) -> float:
        """Return the value of the best action, or 0 if none is allowed."""
        return max(self.action_values(observation).values(), default=0.0)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the best action for each observation in a list."""
        return np.array([self.act(observation) for observation in X])

    def explain(self, X: Any) -> ApproximateReasons:
        """Return the value of every action at an observation, and the changes that would change the best action."""
        values, allowed = self._values_and_allowed(X)
        order = [int(k) for k in largest_first(values) if allowed[k]]
        counted = isinstance(self.model, LinearModel)
        visits = self._visits(self.seen.vector(X)) if counted else np.full(len(values), -1)
        rows = tuple((printable(self.action_names[k]), float(values[k]), int(visits[k])) for k in order)
        vector = None if self.seen.states else self.seen.vector(X)
        text = self._state_text(X) if vector is None else _numbers_text(self.seen.names, vector)
        turns = () if vector is None or not order else self._turns(vector, order[0])
        return ApproximateReasons(text, rows, turns)

    def _state_text(self, state: Any) -> str:
        names = self.seen.state_names
        return names[int(self.seen.vector(state)[0])] if names else state_text(state)

    def _visits(self, vector: Floats) -> NDArray[np.int64]:
        """Return, for each action, the update count of the most visited active feature."""
        agent = self._agent
        _loops.see(agent, vector, 0)
        table = self.weights.visits.reshape(len(self.actions), self.coding.features)
        return np.asarray(table[:, agent.index[0, : agent.plan[_loops.SIZES]]].max(axis=1))

    def known(self, vectors: Floats) -> NDArray[np.bool_]:
        """Return whether anything was learned at each observation; True for models without visit counts."""
        if not isinstance(self.model, LinearModel):
            return np.ones(len(vectors), dtype=bool)
        return np.array([self._visits(vector).any() for vector in vectors])

    def _turns(self, vector: Floats, best: int) -> tuple[tuple[str, str, float], ...]:
        """Return, for each number, the nearest value at which a different action is better."""
        found = []
        low, high = self.ranges
        for k, name in enumerate(self.seen.names):
            grid = np.linspace(low[k], high[k], 2 * POINTS)
            moved = np.repeat(vector[None, :], len(grid), axis=0)
            moved[:, k] = grid
            choices = first_largest_of_each(self.q_values(moved))
            others = np.flatnonzero(choices != best)
            if len(others):
                nearest = others[np.abs(grid[others] - vector[k]).argmin()]
                found.append((name, printable(self.action_names[choices[nearest]]), float(grid[nearest])))
        return tuple(found)

    def matters(self) -> dict[str, float]:
        """Return the mean change in the best action's value when each number alone is varied.

        Examples
        --------
        >>> from induce.environments import MountainCar
        >>> from induce.reinforcement import ApproximateQLearning
        >>> policy = ApproximateQLearning(episodes=5, epsilon=0).learn(MountainCar()).hypothesis_
        >>> sorted(policy.matters())
        ['position', 'velocity']
        """
        low, high = self.ranges
        rng = np.random.default_rng(0)
        points = low + (high - low) * rng.random((SAMPLE, len(low)))
        found = {}
        for k, name in enumerate(self.seen.names):
            moved = np.repeat(points, POINTS, axis=0)
            moved[:, k] = np.tile(np.linspace(low[k], high[k], POINTS), SAMPLE)
            values = self.q_values(moved).max(axis=1).reshape(SAMPLE, POINTS)
            found[name] = float(np.ptp(values, axis=1).mean())
        return found

    def to_policy(self) -> Policy:
        """Return the policy as a table over all states, if they are listed.

        Examples
        --------
        >>> from induce.reinforcement import ApproximateQLearning
        >>> learner = ApproximateQLearning(episodes=50, alpha=1, discount=0.9, epsilon=1)
        >>> learner.learn("mitchell-13.2").hypothesis_.to_policy().value("BL")
        81.0
        """
        if not self.seen.states:
            raise InputError(
                "observations are continuous, so there is no table of states; use `act` and `explain`"
            )
        states = self.seen.states
        free = self.allowed if len(self.allowed) else np.ones((len(states), len(self.actions)), dtype=bool)
        values = self.q_values(np.arange(len(states), dtype=np.float64)[:, None])
        place, action = np.nonzero(free)
        return Policy(
            states,
            self.action_names,
            place.astype(np.int32),
            action.astype(np.int32),
            values[place, action],
            self.discount,
            state_names=self.seen.state_names,
        )

    def parts(self) -> Parts:
        """Return the number of clusters or weights; single network weights are not interpretable."""
        if self.model.hidden:
            return Parts(None, "single weights of a network are not interpretable")
        if isinstance(self.model, Clusters):
            return Parts(int(self.weights.count), "clusters")
        return Parts(len(self.weights.values), "weights")

    def size(self) -> str:
        """Return the size of the hypothesis as text."""
        n = self.weights.count if isinstance(self.model, Clusters) else len(self.weights.values)
        kind = "clusters" if isinstance(self.model, Clusters) else "weights"
        return f"{self.model.text()} {self.coding.text}, {len(self.actions)} actions, {n:,} {kind}"

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.size()}", f"{self.episodes:,} episodes, {self.n_steps:,} steps"]
        if self.seen.states:
            lines += ["", str(self.to_policy())]
        elif isinstance(self.model, LinearModel) and self.coding.kind == _loops.NUMBERS:
            lines += ["", self._weights_table()]
        else:
            rows = [("", "from", "to", "changes the value by")]
            for (name, by), low, high in zip(self.matters().items(), *self.ranges, strict=True):
                rows.append((name, f"{low:.4g}", f"{high:.4g}", f"{by:.4g}"))
            lines += ["", text_table(rows)]
        return "\n".join([*lines, "", str(self.divergence)])

    __repr__ = __str__

    def _weights_table(self) -> str:
        names = (*self.seen.names, "1")[: self.coding.features]
        table = self.weights.values.reshape(len(self.actions), -1)
        rows = [("", *map(printable, self.action_names))]
        rows += [(name, *(f"{weight:.4g}" for weight in table[:, k])) for k, name in enumerate(names[:SHOWN])]
        return text_table(rows)

    def draw(self, *names: str) -> Figure:
        """Plot the value and the best action over two numbers, with the others at mid-range.

        Parameters
        ----------
        *names : str
            One or two numbers to plot; the first two by default.
        """
        if self.seen.states:
            return self.to_policy().draw()
        from induce.reinforcement.approximation.pictures import draw_surface

        return draw_surface(self, names)


@dataclass(frozen=True)
class ApproximateReasons(Explained):
    """Values of every action at an observation, best first, and the changes that would alter the choice.

    Parameters
    ----------
    observation : str
        Observation as text.
    actions : tuple
        Name, value and update count of each action (-1 if not counted).
    turns : tuple
        For each relevant number: its name, the other action, and the nearest value at which that action is better.
    """

    observation: str
    actions: tuple[tuple[str, float, int], ...]
    turns: tuple[tuple[str, str, float], ...]

    def __str__(self) -> str:
        if not self.actions:
            return f"{self.observation}: the episode ends here"
        rows = [(f"  {name}", f"{value:.6g}", _known(tried)) for name, value, tried in self.actions]
        lines = [f"{self.observation}: {self.actions[0][0]}, worth {self.actions[0][1]:.6g}"]
        lines.append(text_table(rows, left=(0, 2)))
        lines += [f"  with {name} at {value:.4g}: {action}" for name, action, value in self.turns]
        return "\n".join(lines)


def _best(values: Floats, allowed: NDArray[np.bool_]) -> list[int]:
    """Return the allowed actions that are best up to rounding."""
    places = np.flatnonzero(allowed)
    if not len(places):
        return []
    return [int(k) for k in places[largest_of_each(values[np.newaxis, places])[0]]]


def _known(tried: int) -> str:
    if tried < 0:
        return ""
    return "never tried here" if tried == 0 else f"tried here up to {tried:,} times"


def _numbers_text(names: tuple[str, ...], vector: Floats) -> str:
    return ", ".join(f"{name} {value:.4g}" for name, value in zip(names, vector, strict=True))
