"""Halving: a majority vote of the experts that never erred (Mitchell §7.5.2)."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.online.bounds import halving_bound
from induce.online.experts import Coded
from induce.online.learners.rounds import ExpertsLearner, Ints


class Halving(ExpertsLearner):
    """Halving: the majority of the hypotheses that have not erred yet decides (Mitchell §7.5.2).

    It makes at most ⌊log2 |H|⌋ mistakes if one of the hypotheses is correct, with any number of classes. Ties
    go to the class declared first, the negative one as in Mitchell. If no hypothesis agrees with all
    examples, an error names the row that ruled out the last ones, and the rows of that call are discarded.

    Parameters
    ----------
    experts : list, dict or matrix, optional
        The hypotheses: fitted estimators, hypotheses or functions of the rows; or a matrix with a row per
        hypothesis and a column per instance, if `X` holds the instance number of each round. With None, the
        columns of `X` are the hypotheses' predictions. Every hypothesis must predict a class in every round.

    Attributes
    ----------
    hypothesis_ : WeightedExperts
        The hypotheses, with weight 1 for those that have never erred and 0 for the others.
    mistakes_, rounds_ : int
        Number of mistakes, and number of rounds so far.
    expert_mistakes_ : array of int
        Number of mistakes of each expert.
    bound_ : float
        Mistake bound for the rounds so far.
    history_ : MistakeCurve
        Number of mistakes by round, with the bound.

    See Also
    --------
    CandidateElimination : The version space by its boundaries.
    WeightedMajority : Weighted votes of predictors.

    References
    ----------
    N. Littlestone (1988). Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm.
    Machine Learning 2, 285-318.

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
        """Raise an error that names the row which rules out the last hypotheses."""
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
            f"row {start + row} rules out the last of the {len(self._names)} hypotheses ({few}): none "
            "agrees with all examples, so the correct one is missing or the data are noisy; use "
            "WeightedMajority, which tolerates mistakes"
        )

    def _bound(self, best: Ints, rounds: Ints) -> Any:
        return np.full(len(rounds), float(halving_bound(len(self._names))))

    def _promise(self) -> str:
        return "⌊log2 |H|⌋"
