"""Dyna: a model learned by acting, and values computed from it."""

from __future__ import annotations

from typing import Any, ClassVar

from induce.core.parameters import Declared, choice, number, whole
from induce.core.randomness import RandomState
from induce.reinforcement.tabular import _loops as rules
from induce.reinforcement.tabular.base import TabularLearner


class Dyna(TabularLearner):
    """Learn a model while acting, and update values from it between real actions (Sutton 1991; Mitchell 13.3.6).

    The model counts what followed each action. An update sets a value to what the model expects, so there are no step
    sizes. It saves real actions at the price of computing.

    Parameters
    ----------
    episodes : int, default=1000
        Number of episodes.
    discount : float, default=0.99
        Discount factor: value of a reward one step later, between 0 and 1.
    updates : int, default=10
        The most updates after each real action, besides that of the action itself.
    sweeping : {"random", "prioritized"}, default="random"
        Order of simulated updates: random pairs that were tried, or first those whose successors changed most
        (prioritised sweeping, Moore and Atkeson 1993).
    threshold : float, default=0.0001
        The least change that prioritized sweeping follows up.
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
    DynamicProgramming : Policies from a known model.

    References
    ----------
    R. S. Sutton (1990). Integrated architectures for learning, planning, and reacting based on approximating
    dynamic programming. Seventh International Conference on Machine Learning, 216-224.

    A. W. Moore and C. G. Atkeson (1993). Prioritized sweeping: reinforcement learning with less data and less
    time. Machine Learning 13, 103-130.

    Examples
    --------
    >>> learner = Dyna(30, discount=0.9, explore="random", random_state=0).learn("mitchell-13.2")
    >>> learner.hypothesis_.value("BL")
    81.0
    """

    parameters: ClassVar[Declared] = {
        "updates": whole("Number of values swept over between two actions.", at_least=0),
        "sweeping": choice("Order of the sweeps.", "random", "prioritized"),
        "threshold": number("Minimum change that makes prioritized sweeping go on.", at_least=0),
    }

    def __init__(
        self,
        episodes: int = 1000,
        discount: float = 0.99,
        *,
        updates: int = 10,
        sweeping: str = "random",
        threshold: float = 1e-4,
        initial: float = 0.0,
        explore: str = "epsilon",
        epsilon: float = 0.1,
        k: float = 2.0,
        bonus: float = 1.0,
        decay: float = 1.0,
        max_steps: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            episodes,
            discount,
            initial=initial,
            explore=explore,
            epsilon=epsilon,
            k=k,
            bonus=bonus,
            decay=decay,
            max_steps=max_steps,
            random_state=random_state,
        )
        self.updates = updates
        self.sweeping = sweeping
        self.threshold = threshold

    def _rule(self) -> dict[str, Any]:
        rule = rules.DYNA if self.sweeping == "random" else rules.SWEEPING
        return {"rule": rule, "repeats": int(self.updates), "threshold": float(self.threshold)}
