"""Learning from an environment whose parts have names of the user's own."""

from __future__ import annotations

from typing import Any, Self, TypeVar

from induce.core.experience import ExperienceLearner
from induce.environments.names import named

State = TypeVar("State")


class NamedLearner(ExperienceLearner[State]):
    """A learner from environments; `learn` takes names for actions, states and features."""

    def learn(self, source: Any, *, actions: Any = None, states: Any = None, features: Any = None) -> Self:
        """Learn from a source, from the beginning.

        The well-known environments of gymnasium (FrozenLake, Taxi, CliffWalking, Blackjack, CartPole, MountainCar,
        Acrobot, …) have names of their own. Names change what is printed, drawn and read as rules, not what `act`
        takes and gives.

        Parameters
        ----------
        source : MDP, environment of gymnasium, or str
            Source of experience.
        actions : sequence or dict, optional
            The name of each action: in the order of the environment, or by what it calls them.
        states : dict, sequence or function, optional
            The name of each state; made of the features by default.
        features : sequence or dict, optional
            The names of the parts of an observation; or, by its name, the value of each feature in every state: a
            function of the state, a dict or a sequence.
        """
        return super().learn(named(source, actions, states, features))

    def resume(self, source: Any, *, actions: Any = None, states: Any = None, features: Any = None) -> Self:
        """Go on learning where a run was interrupted or saved, or further after a limit was raised.

        Parameters
        ----------
        source : MDP, environment of gymnasium, or str
            The same as before.
        actions, states, features
            The names, as for `learn`.
        """
        return super().resume(named(source, actions, states, features))
