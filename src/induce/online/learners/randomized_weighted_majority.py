"""Randomised weighted majority: an expert drawn by weights that shrink with mistakes (Littlestone and Warmuth)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import repeated
from induce.core.parameter_kinds import Number, OneOf
from induce.core.parameters import Declared, either
from induce.core.randomness import RandomState
from induce.online import _loops as loops
from induce.online.bounds import (
    no_regret_beta,
    randomized_bound,
    regret_bound,
)
from induce.online.learners.rounds import ExpertsLearner, Ints

NO_REGRET = "no-regret"


class RandomizedWeightedMajority(ExpertsLearner):
    """Randomised weighted majority: follow an expert drawn by weight (AIMA 18.10).

    With K experts, the best of which makes M* mistakes, the expected mistakes are fewer than (M* ln(1/β) + ln
    K) / (1 - β), on any sequence. With `beta="no-regret"`, the regret becomes a vanishing fraction of the
    rounds: the weights restart for the next 1, 2, 4, … rounds, each time with the β for that number of
    rounds. If the number of rounds is known in advance, use `no_regret_beta`.

    While learning, an expert is drawn in every round. `predict` returns the class that is most likely to be
    drawn, so that it is reproducible; `predict_proba` returns the probability of each class.

    Parameters
    ----------
    experts : list, dict or matrix, optional
        Experts: fitted estimators, hypotheses or functions of the rows; or a matrix with a row per expert and
        a column per instance, if `X` holds the instance number of each round. With None, the columns of `X`
        are the experts' predictions. Every expert must predict a class in every round.
    beta : float or "no-regret", default=0.5
        Factor applied to the weight of an expert that errs, above 0 and below 1; "no-regret" sets it from the
        number of rounds.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : WeightedExperts
        The experts with their weights.
    mistakes_, rounds_ : int
        Number of mistakes of the learner, and number of rounds so far.
    expected_mistakes_ : float
        Expected number of mistakes over all draws.
    expert_mistakes_ : array of int
        Number of mistakes of each expert.
    best_mistakes_ : int
        Number of mistakes of the best expert.
    bound_ : float
        Bound on the expected number of mistakes, given the mistakes of the best expert.
    regret_ : float
        Regret: expected number of mistakes in excess of the best expert.
    history_ : MistakeCurve
        Number of mistakes by round, with the bound.

    See Also
    --------
    WeightedMajority : Weighted votes of predictors.
    Halving : The majority of a version space.

    References
    ----------
    N. Littlestone and M. K. Warmuth (1994). The weighted majority algorithm. Information and Computation 108,
    212-261.

    Examples
    --------
    >>> advice = [[1, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 1], [0, 0, 1], [1, 0, 0]]
    >>> learner = RandomizedWeightedMajority().fit(advice, [1, 1, 0, 0, 0, 1])
    >>> round(learner.expected_mistakes_, 6), round(learner.bound_, 6)
    (2.602381, 3.583519)
    """

    parameters: ClassVar[Declared] = {
        "beta": either(
            "Factor applied to the weight of an expert that errs; 'no-regret' sets it from the number "
            "of rounds.",
            Number(at_least=0, below=1),
            OneOf((NO_REGRET,)),
            but={
                0: "beta is 0, but one unlucky mistake would then exclude an expert forever; give a "
                "number above 0"
            },
            otherwise=f"it must be a number above 0 and below 1, or {NO_REGRET!r}",
        ),
    }

    def __init__(
        self, experts: Any = None, *, beta: float | str = 0.5, random_state: RandomState = 0
    ) -> None:
        self.experts = experts
        self.beta = beta
        self.random_state = random_state

    @property
    def expected_mistakes_(self) -> float:
        """Expected number of mistakes in the rounds so far."""
        return float(self._history.last[2])

    _n_columns = 3

    def _vote(self, codes: Any, truth: Ints, predicted: Ints, best: Ints) -> list[NDArray[np.float64]]:
        if self._anew():
            self._base, self._standing = self._total.copy(), np.ones(len(self._total))
        chance = np.empty(len(truth))
        uniform = self._random.random(len(truth))
        state = self._beta(), self._base, self._total, self._standing
        follow = repeated(loops.follow, 2 * codes.size)
        follow(codes, truth, uniform, *state, predicted, best, chance)
        # summed one by one, so that the number of rows per call makes no difference
        chance[0] += self._history.last[2]
        return [np.cumsum(chance)]

    def _rounds_known(self) -> int:
        """Return the number of rounds for which the current weights are used: 1, 2, 4, …"""
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
