"""Sarsa: on-policy action values."""

from __future__ import annotations

from typing import Any

from induce.reinforcement.tabular import _loops as rules
from induce.reinforcement.tabular.base import TabularLearner


class Sarsa(TabularLearner):
    """Learn the action values of the behaviour policy, including its exploration (Rummery and Niranjan 1994).

    The value of an action moves towards the reward plus the discounted value of the action taken next, not of the
    best one. Near a cliff it learns to keep away as long as it explores. As exploration fades, the values approach
    those of `QLearning`.

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
    QLearning : Off-policy action values.
    TDLambda : Action values with eligibility traces.

    References
    ----------
    G. A. Rummery and M. Niranjan (1994). On-line Q-learning using connectionist systems. Technical report
    CUED/F-INFENG/TR 166, University of Cambridge.

    Examples
    --------
    >>> learner = Sarsa(300, discount=0.9, alpha=0.5, decay=0.98, random_state=0).learn("mitchell-13.2")
    >>> learner.hypothesis_.best("TM")
    ('right',)
    """

    def _rule(self) -> dict[str, Any]:
        return {"rule": rules.SARSA}
