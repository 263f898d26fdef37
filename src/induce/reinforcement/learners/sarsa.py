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
    >>> learner = Sarsa(300, discount=0.9, alpha=0.5, decay=0.98, random_state=0).learn("mitchell-13.2")
    >>> learner.hypothesis_.best("TM")
    ('right',)
    """

    def _rule(self) -> dict[str, Any]:
        return {"rule": rules.SARSA}
