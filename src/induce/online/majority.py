"""Learning from experts: Halving, Weighted-Majority and its randomised form."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.loops import repeated
from induce.core.parameters import one_of
from induce.core.randomness import RandomState
from induce.online import _loops as loops
from induce.online.bounds import (
    check_beta,
    halving_bound,
    no_regret_beta,
    randomized_bound,
    regret_bound,
)
from induce.online.experts import Coded
from induce.online.rounds import ExpertsLearner, Ints

NO_REGRET = "no-regret"


class Halving(ExpertsLearner):
    """Halving: the majority of the hypotheses that have never erred decides (Mitchell §7.5.2).

    It errs at most ⌊log2 |H|⌋ times when one of the hypotheses is right, with any number of classes. Of classes with
    equally many votes the one declared first is predicted: the negative one, as Mitchell has it. When no hypothesis
    agrees with all examples it says which row ruled out the last ones, and forgets the rows of that call.

    Parameters
    ----------
    experts : list, dict or matrix, optional
        The hypotheses: fitted estimators, hypotheses or functions of the rows; or a matrix with a row for every
        hypothesis and a column for every instance, when `X` holds the number of the instance of each round. None:
        the columns of `X` are the hypotheses' predictions. Every hypothesis must predict a class in every round.

    Attributes
    ----------
    hypothesis_ : WeightedExperts
        The hypotheses with weights one, if they have never erred, and zero.
    mistakes_, rounds_ : int
    expert_mistakes_ : array of int
    bound_ : float
    history_ : MistakeCurve

    Examples
    --------
    >>> thresholds = {f"at least {t}": [i >= t for i in range(6)] for t in range(7)}
    >>> learner = Halving(thresholds).fit([3, 5, 4], [False, False, False])
    >>> print(learner.hypothesis_)
    1 of 7 experts left after 3 rounds: at least 6
    >>> learner.mistakes_, learner.bound_
    (2, 2.0)
    """

    def __init__(self, experts: Any = None) -> None:
        self.experts = experts

    def _rounds(self, coded: Coded, truth: Ints) -> Ints:
        total, weights, history = self._total.copy(), self._standing.copy(), deepcopy(self._history)
        predicted = super()._rounds(coded, truth)
        if self._total.min() == 0:
            return predicted
        self._total, self._standing, self._history = total, weights, history
        self._publish()
        complaint = InputError(self._collapse(coded, truth))
        if not history.rounds:
            self._forget()
        raise complaint

    def _collapse(self, coded: Coded, truth: Ints) -> str:
        """Say which row rules out the last hypotheses."""
        alive = self._total == 0
        for start, stop in self._steps(len(truth)):
            wrong = coded.block(start, stop) != truth[start:stop, None]
            left = alive & ~np.logical_or.accumulate(wrong, axis=0)
            if left.any(axis=1).all():
                alive = left[-1]
                continue
            row = int(left.any(axis=1).argmin())
            last = [self._names[i] for i in np.flatnonzero(left[row - 1] if row else alive)]
            break
        few = ", ".join(last[:4]) + (", …" if len(last) > 4 else "")
        return (
            f"row {start + row} rules out the last of the {len(self._names)} hypotheses ({few}): none agrees with "
            "all examples, so the right one is not among them or the data are noisy; use WeightedMajority, which "
            "forgives mistakes"
        )

    def _bound(self, best: Ints, rounds: Ints) -> Any:
        return np.full(len(rounds), float(halving_bound(len(self._names))))

    def _promise(self) -> str:
        return "⌊log2 |H|⌋"


class WeightedMajority(ExpertsLearner):
    """Weighted-Majority: experts that err lose weight, the larger weight decides (Mitchell table 7.1).

    With n experts of which the best errs k times it errs at most (k log2(1/β) + log2 n) / log2(2/(1+β)) times, on any
    sequence and with any number of classes. Weights are taken relative to the best expert, so they never vanish: with
    `beta=0` those experts decide that have erred least.

    Parameters
    ----------
    experts : list, dict or matrix, optional
        Fitted estimators, hypotheses or functions of the rows; or a matrix with a row for every expert and a
        column for every instance, when `X` holds the number of the instance of each round. None: the columns of
        `X` are the experts' predictions. Every expert must predict a class in every round.
    beta : float
        By what the weight of an expert that errs is multiplied, at least 0 and below 1.
    ties : {"random", "first"}
        Which of classes with equal weight is predicted in a round: any, or the one declared first. `predict`
        always takes the first.
    random_state : int, Generator or None
        For ties.

    Attributes
    ----------
    hypothesis_ : WeightedExperts
        The experts with their weights.
    mistakes_, rounds_ : int
        The learner's own mistakes in the rounds so far.
    expert_mistakes_ : array of int
    best_mistakes_ : int
    bound_ : float
        The most mistakes that theory allows, given those of the best expert.
    regret_ : float
        The mistakes beyond those of the best expert.
    history_ : MistakeCurve
        The mistakes against the rounds; at most some thousand points are kept.

    Examples
    --------
    >>> said = {"a": "110101", "b": "000111", "c": "101010", "d": "011000", "e": "011110"}
    >>> import polars as pl
    >>> X = pl.DataFrame({name: list(bits) for name, bits in said.items()})
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

    def _check(self) -> None:
        check_beta(self.beta)
        one_of("ties", self.ties, ("random", "first"))

    def _beta(self) -> float:
        return float(self.beta)

    def _at_random(self) -> bool:
        return self.ties == "random"


class RandomizedWeightedMajority(ExpertsLearner):
    """Randomised weighted majority: follow an expert drawn by weight (AIMA 18.10).

    With K experts of which the best errs M* times it is expected to err less than (M* ln(1/β) + ln K) / (1 - β)
    times, on any sequence. With `beta="no-regret"` the mistakes beyond those of the best expert become a vanishing
    share of the rounds: the weights begin anew for the next 1, 2, 4, … rounds, each time with the β for so many
    rounds; when their number is known before, give `no_regret_beta` of it.

    Learning draws an expert in every round. `predict` gives the class that is most likely to be drawn, so that it can
    be repeated; `predict_proba` the chance of each.

    Parameters
    ----------
    experts : list, dict or matrix, optional
        Fitted estimators, hypotheses or functions of the rows; or a matrix with a row for every expert and a
        column for every instance, when `X` holds the number of the instance of each round. None: the columns of
        `X` are the experts' predictions. Every expert must predict a class in every round.
    beta : float or "no-regret"
        By what the weight of an expert that errs is multiplied, above 0 and below 1.
    random_state : int, Generator or None

    Attributes
    ----------
    hypothesis_ : WeightedExperts
    mistakes_, rounds_ : int
        The learner's own mistakes in the rounds so far.
    expected_mistakes_ : float
        What they are on average over all draws.
    expert_mistakes_ : array of int
    best_mistakes_ : int
    bound_ : float
        What the expected mistakes stay below, given those of the best expert.
    regret_ : float
        The expected mistakes beyond those of the best expert.
    history_ : MistakeCurve

    Examples
    --------
    >>> said = [[1, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 1], [0, 0, 1], [1, 0, 0]]
    >>> learner = RandomizedWeightedMajority().fit(said, [1, 1, 0, 0, 0, 1])
    >>> round(learner.expected_mistakes_, 6), round(learner.bound_, 6)
    (2.602381, 3.583519)
    """

    def __init__(
        self, experts: Any = None, *, beta: float | str = 0.5, random_state: RandomState = 0
    ) -> None:
        self.experts = experts
        self.beta = beta
        self.random_state = random_state

    @property
    def expected_mistakes_(self) -> float:
        """The expected mistakes in the rounds so far."""
        return float(self._history.last[2])

    _n_columns = 3

    def _check(self) -> None:
        if isinstance(self.beta, str):
            if self.beta != NO_REGRET:
                raise InputError(
                    f"beta is {self.beta!r}; it must be a number above 0 and below 1, or {NO_REGRET!r}"
                )
        else:
            check_beta(self.beta)
            if self.beta == 0:
                raise InputError(
                    "beta is 0, with which one bad draw cannot be made good; give a number above 0"
                )

    def _vote(self, codes: Any, truth: Ints, predicted: Ints, best: Ints) -> list[NDArray[np.float64]]:
        if self._anew():
            self._base, self._standing = self._total.copy(), np.ones(len(self._total))
        chance = np.empty(len(truth))
        uniform = self._random.random(len(truth))
        state = self._beta(), self._base, self._total, self._standing
        follow = repeated(loops.follow, 2 * codes.size)
        follow(codes, truth, uniform, *state, predicted, best, chance)
        # added one by one, so that it does not matter how many rows come at a time
        chance[0] += self._history.last[2]
        return [np.cumsum(chance)]

    def _rounds_known(self) -> int:
        """How many rounds the present weights are meant for: 1, 2, 4, …"""
        return 1 << ((self._history.rounds + 1).bit_length() - 1)

    def _anew(self) -> bool:
        return self.beta == NO_REGRET and self._history.rounds + 1 == self._rounds_known()

    def _until_anew(self) -> int:
        if self.beta != NO_REGRET:
            return 2**62
        return 2 * self._rounds_known() - 1 - self._history.rounds

    def _beta(self) -> float:
        if isinstance(self.beta, str):
            return no_regret_beta(len(self._names), self._rounds_known())
        return float(self.beta)

    def _draws(self) -> bool:
        return True

    def _own(self, last: NDArray[np.float64]) -> float:
        return float(last[2])

    def _bound(self, best: Ints, rounds: Ints) -> Any:
        if self.beta == NO_REGRET:
            return best + regret_bound(len(self._names), rounds, doubling=True)
        return randomized_bound(best, len(self._names), self._beta())

    def _promise(self) -> str:
        return "no-regret bound" if self.beta == NO_REGRET else f"bound for β = {self._beta():g}"
