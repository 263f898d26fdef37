"""Q learning: off-policy action values."""

from __future__ import annotations

from typing import Any, ClassVar

from induce.core.parameters import Declared, choice, whole
from induce.core.randomness import RandomState
from induce.reinforcement.tabular import _loops as rules
from induce.reinforcement.tabular.base import TabularLearner


class QLearning(TabularLearner):
    """Learn the value of every action in every state by acting (Watkins 1989; Mitchell 13.3, table 13.1).

    After each action the value moves towards the reward plus the discounted value of the best next action (13.10).
    With `alpha` 1 it is set to that value (13.7), the rule for deterministic processes.

    Parameters
    ----------
    episodes : int, default=1000
        Number of episodes.
    discount : float, default=0.99
        Discount factor: value of a reward one step later, between 0 and 1.
    replay : {"reverse", "experience"}, optional
        "reverse" learns from a finished episode, last step first; "experience" stores the last `memory` steps and
        replays `replays` random ones after every new step (13.3.6).
    replays : int, default=5
        Number of stored steps replayed after each action.
    memory : int, default=10000
        Number of steps stored.
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
    Sarsa : On-policy action values.
    Dyna : Planning with a model learned while acting.
    ApproximateQLearning : Action values by linear models, networks or clusters.

    References
    ----------
    C. J. C. H. Watkins and P. Dayan (1992). Q-learning. Machine Learning 8, 279-292.

    Examples
    --------
    >>> learner = QLearning(100, discount=0.9, alpha=1, explore="random", random_state=0).learn("mitchell-13.2")
    >>> print(learner.hypothesis_)
    state  action       value  visits
    TL     right           90     138
    TM     right          100     156
    G      stay             0       0
    BL     up or right     81     149
    BM     up or right     90     203
    BR     up             100      91
    >>> learner.n_actions_, learner.n_updates_
    (737, 737)
    """

    parameters: ClassVar[Declared] = {
        "replay": choice(
            "Kind of replay: episodes in reverse, or stored steps.", "reverse", "experience", none=True
        ),
        "replays": whole("Number of stored steps replayed after each action.", at_least=0),
        "memory": whole("Number of steps stored.", at_least=1),
    }

    def __init__(
        self,
        episodes: int = 1000,
        discount: float = 0.99,
        *,
        replay: str | None = None,
        replays: int = 5,
        memory: int = 10_000,
        alpha: float | None = None,
        power: float = 0.6,
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
            alpha=alpha,
            power=power,
            initial=initial,
            explore=explore,
            epsilon=epsilon,
            k=k,
            bonus=bonus,
            decay=decay,
            max_steps=max_steps,
            random_state=random_state,
        )
        self.replay = replay
        self.replays = replays
        self.memory = memory

    def _rule(self) -> dict[str, Any]:
        if self.replay is None:
            return {"rule": rules.FORWARD}
        if self.replay == "reverse":
            return {"rule": rules.REVERSE}
        return {"rule": rules.EXPERIENCE, "repeats": int(self.replays), "memory": int(self.memory)}
