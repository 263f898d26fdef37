"""Weighted majority: a weighted vote of experts, which lose weight with each mistake (Mitchell §7.5.3)."""

from __future__ import annotations

from typing import Any, ClassVar

from induce.core.parameters import Declared, choice, number
from induce.core.randomness import RandomState
from induce.online.learners.rounds import ExpertsLearner


class WeightedMajority(ExpertsLearner):
    """Weighted-Majority: a vote of experts that lose weight with each mistake (Mitchell table 7.1).

    With n experts, the best of which makes k mistakes, it makes at most (k log2(1/β) + log2 n) /
    log2(2/(1+β)) mistakes, on any sequence and with any number of classes. Weights are relative to the best
    expert, so they never vanish: with `beta=0`, the experts with the fewest mistakes decide.

    Parameters
    ----------
    experts : list, dict or matrix, optional
        Experts: fitted estimators, hypotheses or functions of the rows; or a matrix with a row per expert and
        a column per instance, if `X` holds the instance number of each round. With None, the columns of `X`
        are the experts' predictions. Every expert must predict a class in every round.
    beta : float, default=0.5
        Factor applied to the weight of an expert that errs; at least 0 and below 1.
    ties : {"random", "first"}, default="random"
        Choice among classes of equal weight in a round: random, or the class declared first. `predict` always
        takes the first.
    random_state : int, Generator or None, default=0
        Random seed for breaking ties.

    Attributes
    ----------
    hypothesis_ : WeightedExperts
        The experts with their weights.
    mistakes_, rounds_ : int
        Number of mistakes of the learner, and number of rounds so far.
    expert_mistakes_ : array of int
        Number of mistakes of each expert.
    best_mistakes_ : int
        Number of mistakes of the best expert.
    bound_ : float
        Mistake bound, given the number of mistakes of the best expert.
    regret_ : float
        Regret: number of mistakes in excess of the best expert.
    history_ : MistakeCurve
        Number of mistakes by round; at most a few thousand points are stored.

    See Also
    --------
    RandomizedWeightedMajority : A predictor drawn by its weight.
    Halving : The majority of a version space.
    Winnow : Multiplicative updates of weights.

    References
    ----------
    N. Littlestone and M. K. Warmuth (1994). The weighted majority algorithm. Information and Computation 108,
    212-261.

    Examples
    --------
    >>> advice = {"a": "110101", "b": "000111", "c": "101010", "d": "011000", "e": "011110"}
    >>> import polars as pl
    >>> X = pl.DataFrame({name: list(bits) for name, bits in advice.items()})
    >>> learner = WeightedMajority().fit(X, list("100101"))
    >>> print(learner.hypothesis_)
    5 experts after 6 rounds
      weight  mistakes
         0.5         1  a
        0.25         2  b
      0.0625         4  c
      0.0312         5  d
      0.0312         5  e
    >>> print(learner.history_)
    WeightedMajority: 4 mistakes in 6 rounds, at most 8.0 by theory (the best expert erred 1 time)
    """

    parameters: ClassVar[Declared] = {
        "beta": number("Factor applied to the weight of an expert that errs.", at_least=0, below=1),
        "ties": choice("Choice among classes of equal weight in a round.", "random", "first"),
    }

    def __init__(
        self,
        experts: Any = None,
        *,
        beta: float = 0.5,
        ties: str = "random",
        random_state: RandomState = 0,
    ) -> None:
        self.experts = experts
        self.beta = beta
        self.ties = ties
        self.random_state = random_state

    def _beta(self) -> float:
        return float(self.beta)

    def _at_random(self) -> bool:
        return self.ties == "random"
