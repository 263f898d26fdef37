"""Base of learners from environments with user-defined names."""

from __future__ import annotations

from typing import Any, Self, TypeVar

from induce.core.experience import ExperienceLearner
from induce.environments.names import named

State = TypeVar("State")


class NamedLearner(ExperienceLearner[State]):
    """A learner from environments; `learn` accepts names for actions, states and features."""

    def learn(self, source: Any, *, actions: Any = None, states: Any = None, features: Any = None) -> Self:
        """Learn from a source, starting from scratch.

        The well-known gymnasium environments (FrozenLake, Taxi, CliffWalking, Blackjack, CartPole, MountainCar,
        Acrobot, …) have built-in names. Names affect printed output, figures and rules, not the arguments and results
        of `act`.

        Parameters
        ----------
        source : MDP, environment of gymnasium, or str
            Source of experience.
        actions : sequence or dict, optional
            Names of the actions, in the environment's order or by the environment's own action.
        states : dict, sequence or function, optional
            Names of the states; by default built from the features.
        features : sequence or dict, optional
            Names of the parts of an observation; or a mapping from a feature's name to its value in every state, as a
            function of the state, a dict or a sequence.
        """
        return super().learn(named(source, actions, states, features))

    def resume(self, source: Any, *, actions: Any = None, states: Any = None, features: Any = None) -> Self:
        """Resume an interrupted or saved run, or continue after raising a limit.

        Parameters
        ----------
        source : MDP, environment of gymnasium, or str
            Source that was used before.
        actions, states, features
            Names, as for `learn`.
        """
        return super().resume(named(source, actions, states, features))
