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
    episodes : int
        How many episodes to act.
    discount : float
        What a reward is worth one step later, between 0 and 1.
    lambda_ : float
        From 0 to 1.
    form : {"online", "forward", "traces"}
        When and how values change: by traces after every step (Peng and Williams 1994), or at the end of an episode,
        computed from its last step to the first or by traces. The last two give the same values.
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
