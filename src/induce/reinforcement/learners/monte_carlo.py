"""Monte Carlo control: action values from whole episodes."""

from __future__ import annotations

from typing import Any

from induce.reinforcement.tabular import _loops as rules
from induce.reinforcement.tabular.base import TabularLearner


class MonteCarlo(TabularLearner):
    """Learn action values from the returns observed until the end of the episode (13.5, lambda 1).

    Every-visit Monte Carlo. Values of other states are used only if an episode was cut off.

    Parameters
    ----------
    episodes : int, default=1000
        Number of episodes.
    discount : float, default=0.99
        Discount factor: value of a reward one step later, between 0 and 1.
    alpha : float, optional
        Constant step size; None uses a step size that decays with visits.
    power : float, default=0.6
        Exponent of the step size (1 + visits) ** -power; smaller values forget sooner.
    initial : float, default=0.0
        Initial value of each pair; a high value encourages exploration.
    explore : {"epsilon", "power", "counts", "random"}, default="epsilon"
        Exploration strategy.
    epsilon : float, default=0.1
        Probability of a random action.
    k : float, default=2.0
        Base of the action preferences for explore='power'; larger values favour the best action more.
    bonus : float, default=1.0
        Exploration bonus for rarely tried actions, for explore='counts'.
    decay : float, default=1.0
        Factor by which exploration decays per episode.
    max_steps : int, optional
        Maximum number of steps per episode; None uses the environment's limit, or 1000.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : Policy
        Policy, with the number of trials of each action in each state.
    returns_, lengths_ : arrays
        Sum of rewards and number of steps of each episode.
    n_actions_, n_updates_ : int
        Number of real actions and number of value updates.

    See Also
    --------
    TDLambda : Action values with eligibility traces.
    QLearning : Off-policy action values.

    References
    ----------
    R. S. Sutton and A. G. Barto (1998). Reinforcement Learning: An Introduction. MIT Press.

    Examples
    --------
    >>> learner = MonteCarlo(300, discount=0.9, random_state=0).learn("mitchell-13.2")
    >>> learner.hypothesis_.best("TM")
    ('right',)
    """

    def _rule(self) -> dict[str, Any]:
        return {"rule": rules.RETURNS, "lambda_": 1.0}
