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
    episodes : int
        How many episodes to act.
    discount : float
        What a reward is worth one step later, between 0 and 1.
    alpha, power, initial, explore, epsilon, k, bonus, decay, max_steps : object
        Step sizes, first values, exploration and the limit of an episode; see `TabularLearner`.
    random_state : int, Generator or None
        Random seed.

    Attributes
    ----------
    hypothesis_ : Policy
        With how often each action was tried in each state.
    returns_, lengths_ : arrays
        The sum of rewards and the number of steps of each episode.
    n_actions_, n_updates_ : int
        How many real actions were taken, and how many values were computed anew.

    Examples
    --------
    >>> learner = MonteCarlo(300, discount=0.9, random_state=0).learn("mitchell-13.2")
    >>> learner.hypothesis_.best("TM")
    ('right',)
    """

    def _rule(self) -> dict[str, Any]:
        return {"rule": rules.RETURNS, "lambda_": 1.0}
