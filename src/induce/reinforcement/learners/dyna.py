"""Dyna: learning a model while acting, and values from the model."""

from __future__ import annotations

from typing import Any, ClassVar

from induce.core.parameters import Declared, choice, number, whole
from induce.core.randomness import RandomState
from induce.reinforcement.tabular import _loops as rules
from induce.reinforcement.tabular.base import TabularLearner


class Dyna(TabularLearner):
    """Learn a model while acting, and plan with it between real actions (Sutton 1991; Mitchell 13.3.6).

    The model counts the outcomes of each action. An update sets a value to its expectation under the model, so no
    step size is needed. It needs fewer real actions at the cost of more computation.

    Parameters
    ----------
    episodes : int, default=1000
        Number of episodes.
    discount : float, default=0.99
        Discount factor: value of a reward one step later, between 0 and 1.
    updates : int, default=10
        Maximum number of updates after each real action, in addition to that of the action itself.
    sweeping : {"random", "prioritized"}, default="random"
        Order of simulated updates: random tried pairs, or those whose successors changed most first
        (prioritized sweeping, Moore and Atkeson 1993).
    threshold : float, default=0.0001
        Minimum change that prioritized sweeping propagates.
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
    DynamicProgramming : Optimal policies of a known model.

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
        "updates": whole("Maximum number of planning updates between two actions.", at_least=0),
        "sweeping": choice("Order of the planning updates.", "random", "prioritized"),
        "threshold": number("Minimum change that prioritized sweeping propagates.", at_least=0),
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
