"""Monte Carlo: values from whole episodes."""

from __future__ import annotations

from typing import Any

from induce.reinforcement.tabular import _loops as rules
from induce.reinforcement.tabular.base import TabularLearner


class MonteCarlo(TabularLearner):
    """Learn the value of an action from the rewards that followed it to the end of the episode (13.5, lambda 1).

    Every visit counts. Values of other states are used only where an episode was cut off.

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
    TDLambda : Values with eligibility traces.
    QLearning : Off-policy values of actions.

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
