"""Sarsa: values of actions under the behaviour that is learned with."""

from __future__ import annotations

from typing import Any

from induce.reinforcement.tabular import _loops as rules
from induce.reinforcement.tabular.base import TabularLearner


class Sarsa(TabularLearner):
    """Learn the value of actions for the way of acting itself, exploration included (Rummery and Niranjan 1994).

    The value of an action moves towards the reward plus the discounted value of the next action that is taken, not of
    the best. Near a cliff it learns to keep away as long as it explores. As exploration fades the values become those
    of `QLearning`.

    Parameters
    ----------
    episodes : int, default=1000
        Number of episodes.
    discount : float, default=0.99
        Discount factor: value of a reward one step later, between 0 and 1.
    alpha : float, optional
        Constant step size; None lets steps shrink with visits.
    power : float, default=0.6
        Exponent of the step size (1 + visits) ** -power; smaller values forget sooner.
    initial : float, default=0.0
        Value of a pair before it is tried; a high one makes a learner try everything.
    explore : {"epsilon", "power", "counts", "random"}, default="epsilon"
        Choice of actions.
    epsilon : float, default=0.1
        Share of actions at random.
    k : float, default=2.0
        Base of the preferences for explore='power'; larger values prefer the best more.
    bonus : float, default=1.0
        Bonus of rarely tried actions for explore='counts'.
    decay : float, default=1.0
        Factor by which exploration shrinks with every episode.
    max_steps : int, optional
        Steps after which an episode is cut off; None is the environment's own limit, or 1000.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : Policy
        With how often each action was tried in each state.
    returns_, lengths_ : arrays
        The sum of rewards and the number of steps of each episode.
    n_actions_, n_updates_ : int
        Number of real actions, and number of computed values.

    See Also
    --------
    QLearning : Off-policy values of actions.
    TDLambda : Values with eligibility traces.

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
