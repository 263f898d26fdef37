"""Optimal policies of a known model, by dynamic programming."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ClassVar

from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.parameters import Declared, choice, number, whole
from induce.environments.mdp import MDP
from induce.environments.names import NamedSource
from induce.environments.sources import Simulated, open_source
from induce.environments.tables import EstimatedMDP
from induce.reinforcement.dynamic_programming import methods
from induce.reinforcement.dynamic_programming.methods import Solved
from induce.reinforcement.learners.base import NamedLearner
from induce.reinforcement.parameters import DISCOUNT
from induce.reinforcement.policy import Policy

METHODS = {
    "modified-policy-iteration": methods.modified_policy_iteration,
    "policy-iteration": methods.policy_iteration,
    "prioritized-sweeping": methods.prioritized_sweeping,
    "value-iteration": methods.value_iteration,
}


class DynamicProgramming(NamedLearner[tuple[Solved, ...]]):
    """Compute the optimal policy of a process whose model is known (Mitchell 13.3.6, 13.7).

    Parameters
    ----------
    discount : float, optional
        Discount factor: value of a reward one step later, between 0 and 1. By default 0.99, and 1 with a
        horizon.
    criterion : {"discounted", "horizon", "average"}, default="discounted"
        Objective of the policy: the discounted sum of rewards, their sum over `horizon` steps, or their
        average.
    horizon : int, optional
        Number of steps for criterion='horizon'.
    method : str, default="modified-policy-iteration"
        Method for the discounted values: "modified-policy-iteration", "policy-iteration", "value-iteration" or
        "prioritized-sweeping".
    tol : float, default=1e-09
        Maximum error of the values. Without a discount the policy is evaluated exactly at the end; if that is
        not possible (`solved_.bound` is then NaN), a note reports it.

    Attributes
    ----------
    hypothesis_ : Policy
        Policy; with a horizon, that of the first step.
    solved_ : Solved
        Values with their error bound, and number of sweeps.
    stages_ : tuple of Policy
        With a horizon, the policies for 1, 2, … steps left.

    See Also
    --------
    QLearning : Off-policy action values.
    Dyna : Planning with a model learned while acting.

    References
    ----------
    R. Bellman (1957). Dynamic Programming. Princeton University Press.

    M. L. Puterman (1994). Markov Decision Processes: Discrete Stochastic Dynamic Programming. Wiley.

    Examples
    --------
    >>> from induce.environments import grid_world
    >>> solver = DynamicProgramming(discount=0.9).learn(grid_world("mitchell-13.2"))
    >>> print(solver.hypothesis_)
    state  action       value
    TL     right           90
    TM     right          100
    G      stay             0
    BL     up or right     81
    BM     up or right     90
    BR     up             100
    """

    steps: ClassVar[str] = "solutions"
    hypothesis_: Policy
    stages_: tuple[Policy, ...]

    parameters: ClassVar[Declared] = {
        "discount": replace(DISCOUNT, none=True),
        "criterion": choice("Objective of the policy.", "discounted", "horizon", "average"),
        "horizon": whole("Number of steps for criterion='horizon'.", at_least=1, none=True),
        "method": choice("Solution method.", *METHODS),
        "tol": number("Maximum error of the values.", above=0),
    }

    def __init__(
        self,
        discount: float | None = None,
        *,
        criterion: str = "discounted",
        horizon: int | None = None,
        method: str = "modified-policy-iteration",
        tol: float = 1e-9,
    ) -> None:
        self.discount = discount
        self.criterion = criterion
        self.horizon = horizon
        self.method = method
        self.tol = tol

    @property
    def solved_(self) -> Solved:
        """Result of the computation: values, error bound and number of sweeps."""
        self._check_learned()
        return self.state_[0]

    @property
    def _discount(self) -> float:
        if self.discount is None:
            return 1.0 if self.criterion == "horizon" else 0.99
        return float(self.discount)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.criterion == "horizon" and self.horizon is None:
            raise InputError("horizon is None; criterion='horizon' needs a number of steps")

    @contextmanager
    def _opened(self, source: Any) -> Iterator[MDP]:
        mdp = model_of(source)
        if not mdp.expected_reward.any():
            note("no action gives any reward, so all policies are equally good")
        yield mdp

    def _begin(self, run: MDP) -> tuple[Solved, ...]:
        return ()

    def _step(self, run: MDP, state: tuple[Solved, ...]) -> tuple[Solved, ...]:
        if self.criterion == "average":
            return (methods.average_reward(run, self.tol),)
        if self.criterion == "horizon":
            left = methods.finite_horizon(run, int(self.horizon or 0), self._discount)
            return tuple(Solved(values, 0.0, k) for k, values in reversed(list(enumerate(left))))
        if self._discount < 1:
            return (METHODS[self.method](run, self._discount, float(self.tol)),)
        methods.check_ends(run)
        solved = METHODS[self.method](run, 1.0, float(self.tol))
        return (methods.undiscounted(run, solved, float(self.tol)),)

    def _share(self, state: tuple[Solved, ...]) -> float:
        return float(len(state) > 0)

    def _conclude(self, run: MDP, state: tuple[Solved, ...]) -> Policy:
        if self.criterion == "average":
            q = methods.pair_values(run, state[0].values, 1.0)
            return Policy.of(run, q - state[0].gain, 1.0, gain=state[0].gain)
        if self.criterion == "horizon":
            stages = [_greedy(run, solved, self._discount) for solved in state[1:]]
            self.stages_ = tuple(reversed(stages))
            return stages[0]
        if math.isnan(state[0].bound):
            note(
                "without discounting the error of the values has no known bound: the last sweep "
                f"changed none by more than {self.tol:g}, but such changes add up; use a discount "
                "below 1 for a bound"
            )
        return _greedy(run, state[0], self._discount)


def _greedy(mdp: MDP, solved: Solved, discount: float) -> Policy:
    return Policy.of(mdp, methods.pair_values(mdp, solved.values, float(discount)), float(discount))


def model_of(source: Any) -> MDP:
    """Return the model of a source: a process, an estimated process, an environment that has one, or a name."""
    if isinstance(source, NamedSource):
        return model_of(source.source).named(source.names)
    if isinstance(source, str):
        opened = open_source(source)
        source = opened.mdp if isinstance(opened, Simulated) else opened.env
    if isinstance(source, MDP):
        return source
    if isinstance(source, EstimatedMDP):
        return source.mdp
    return MDP.from_env(source)
