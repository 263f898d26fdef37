"""Temporal differences over several steps."""

from __future__ import annotations

from typing import Any, ClassVar

from induce.core.parameters import Declared, choice, number
from induce.core.randomness import RandomState
from induce.reinforcement.tabular import _loops as rules
from induce.reinforcement.tabular.base import TabularLearner

FORMS = {"online": rules.ONLINE, "forward": rules.RETURNS, "traces": rules.TRACES}


class TDLambda(TabularLearner):
    """Learn values from all steps that follow, blended by lambda (Sutton 1988; Mitchell 13.5).

    The training value is the mean over lookaheads of 1, 2, 3, … steps with weights that shrink by `lambda_`. With 0
    it is Q learning, with 1 only observed rewards count. Actions that were not the best mislead longer lookaheads.

    Parameters
    ----------
    episodes : int, default=1000
        Number of episodes.
    discount : float, default=0.99
        Discount factor: value of a reward one step later, between 0 and 1.
    lambda_ : float, default=0.7
        From 0 to 1.
    form : {"online", "forward", "traces"}, default="online"
        When and how values change: by traces after every step (Peng and Williams 1994), or at the end of an episode,
        computed from its last step to the first or by traces. The last two give the same values.
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
    MonteCarlo : Values from the returns of whole episodes.
    Sarsa : On-policy values of actions.

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
            "Weight of later steps: 0 looks one step ahead, 1 to the end.", at_least=0, at_most=1
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
