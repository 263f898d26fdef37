"""TD(lambda): temporal differences over several steps."""

from __future__ import annotations

from typing import Any, ClassVar

from induce.core.parameters import Declared, choice, number
from induce.core.randomness import RandomState
from induce.reinforcement.tabular import _loops as rules
from induce.reinforcement.tabular.base import TabularLearner

FORMS = {"online": rules.ONLINE, "forward": rules.RETURNS, "traces": rules.TRACES}


class TDLambda(TabularLearner):
    """Learn action values from multi-step returns, blended by lambda (Sutton 1988; Mitchell 13.5).

    The training value is the mean over lookaheads of 1, 2, 3, … steps, weighted by powers of `lambda_`. With 0 it is
    Q learning; with 1 only observed rewards count. Exploratory actions bias longer lookaheads.

    Parameters
    ----------
    episodes : int, default=1000
        Number of episodes.
    discount : float, default=0.99
        Discount factor: value of a reward one step later, between 0 and 1.
    lambda_ : float, default=0.7
        Weight of longer lookaheads, from 0 to 1.
    form : {"online", "forward", "traces"}, default="online"
        Form of the updates: by traces after every step (Peng and Williams 1994), or at the end of an episode, either
        backwards from its last step or by traces. The last two give the same values.
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
    MonteCarlo : Action values from the returns of whole episodes.
    Sarsa : On-policy action values.

    References
    ----------
    R. S. Sutton (1988). Learning to predict by the methods of temporal differences. Machine Learning 3, 9-44.

    Examples
    --------
    >>> learner = TDLambda(100, discount=0.9, lambda_=0.5, explore="random", random_state=0).learn("mitchell-13.2")
    >>> learner.hypothesis_.best("TM")
    ('right',)
    """

    parameters: ClassVar[Declared] = {
        "lambda_": number(
            "Weight of longer lookaheads: 0 looks one step ahead, 1 to the end.", at_least=0, at_most=1
        ),
        "form": choice("Form of the updates.", *FORMS),
    }

    def __init__(
        self,
        episodes: int = 1000,
        discount: float = 0.99,
        *,
        lambda_: float = 0.7,
        form: str = "online",
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
        self.lambda_ = lambda_
        self.form = form

    def _rule(self) -> dict[str, Any]:
        return {"rule": FORMS[self.form], "lambda_": float(self.lambda_)}
