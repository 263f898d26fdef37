"""Winnow: a linear threshold learned by multiplicative updates."""

from __future__ import annotations

from typing import Any, ClassVar, cast

import numpy as np

from induce.core import trace
from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.hypothesis import Hypothesis
from induce.core.loops import repeated
from induce.core.parameters import Declared, number, such, whole
from induce.core.progress import report
from induce.data.schema import Schema
from induce.data.table import Table
from induce.estimators import ClassReading, UnweightedClassifier
from induce.online import _loops as loops
from induce.online.bounds import winnow_bound
from induce.online.indicators import active_indicators, indicators
from induce.online.learners.tables import Ints, TableLearner
from induce.online.linear import LinearThreshold

BLOCK = 2_000_000
"""Number of weights visited in one compiled step, which takes a small fraction of a second."""
LARGEST = 1e250


class Winnow(TableLearner, UnweightedClassifier):
    """Winnow: a linear threshold with multiplicative updates (Littlestone 1988; Mitchell §7.6).

    Every value of a nominal or Boolean attribute has an indicator with an initial weight of 1. A row is
    predicted to be in the second class (the one named yes, true, + or similar) if the weights of its
    indicators sum to at least the threshold. After a false negative, these weights are multiplied by `alpha`.
    After a false positive, WINNOW1 sets them to zero and WINNOW2 divides them by `alpha`. If a disjunction of
    k of the n indicators is correct, the number of mistakes grows only with k log n, so most attributes may
    be irrelevant.

    With more than two classes, each has its own weights against the others, and the largest sum is predicted.
    Numeric attributes are cut into intervals that hold about equally many of the first rows. A missing value
    or a category that was not in the first rows satisfies no indicator.

    Parameters
    ----------
    version : {1, 2}, default=2
        Version of the algorithm: WINNOW1 removes an indicator after a false positive; WINNOW2, for noisy
        data, divides its weight.
    alpha : float, default=2.0
        Factor applied to weights after a mistake; greater than 1.
    threshold : float, optional
        Minimum sum of weights for the second class, at least 1/alpha; None uses half the number of
        indicators.
    relevant : int, optional
        Number of indicators in the correct disjunction (of each class, if there are several), if known; used
        for the bound.
    max_iter : int, default=10
        Maximum number of passes of `fit` over the rows; it stops after a pass without a mistake.
    bins : int, default=5
        Maximum number of intervals of a numeric attribute.
    schema : Schema or dict, optional
        Schema of the columns.

    Attributes
    ----------
    hypothesis_ : LinearThreshold
        The learned weights and threshold.
    mistakes_, rounds_ : int
        Number of mistakes and number of rounds over all passes.
    n_iter_ : int
        Number of passes of `fit` over the rows.
    bound_ : float
        Mistake bound if a disjunction of `relevant` indicators is correct; NaN if `relevant` is not given.
    history_ : MistakeCurve
        Number of mistakes by round, with the bound.

    See Also
    --------
    Perceptron : The perceptron rule.
    WeightedMajority : Weighted votes of predictors.

    References
    ----------
    N. Littlestone (1988). Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm.
    Machine Learning 2, 285-318.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> learner = Winnow(max_iter=100).fit(X[["Outlook", "Wind"]], X["Outlook"].is_in(["Sunny", "Rain"]))
    >>> print(learner.hypothesis_)
    True if weights of true conditions reach 2.5
         2  Outlook = Sunny
         2  Outlook = Rain
         1  Wind = Weak
         1  Wind = Strong
      0.25  Outlook = Overcast
    >>> learner.mistakes_, learner.rounds_
    (4, 28)
    """

    _state = "_units"

    concept_last = True

    parameters: ClassVar[Declared] = {
        "version": such(
            "Version of the algorithm: 1 removes demoted indicators, 2 divides their weight.",
            "1 or 2",
            lambda value: value in (1, 2),
            otherwise="give 1 or 2",
        ),
        "alpha": number(
            "Factor applied to weights after a mistake; greater than 1.",
            above=1,
            but={1: "alpha is 1, with which no weight ever changes; give a number above 1"},
        ),
        "threshold": number(
            "Minimum sum of weights for the second class; None uses half the number of indicators.",
            none=True,
        ),
        "relevant": whole(
            "Number of indicators in the target concept, for the bound; None gives no bound.",
            at_least=1,
            none=True,
        ),
        "max_iter": whole("Maximum number of passes over the rows.", at_least=1),
    }

    def __init__(
        self,
        *,
        version: int = 2,
        alpha: float = 2.0,
        threshold: float | None = None,
        relevant: int | None = None,
        max_iter: int = 10,
        bins: int = 5,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.version = version
        self.alpha = alpha
        self.threshold = threshold
        self.relevant = relevant
        self.max_iter = max_iter
        self.bins = bins
        self.schema = schema

    @property
    def hypothesis_(self) -> LinearThreshold:
        """Hypothesis with the current weights."""
        self._check_begun()
        return LinearThreshold(
            self._schema, self._target_name, self._classes, self._tests, self._units.copy(), self._reach()
        )

    @hypothesis_.setter
    def hypothesis_(self, threshold: Hypothesis) -> None:
        learned = cast(LinearThreshold, threshold)
        self._settle(learned.schema, learned.target, learned.classes)
        self._tests, self._units = learned.indicators, learned.weights.copy()

    def _keep(self, reading: ClassReading) -> None:
        table, truth = self._first(reading)
        self.n_iter_ = 0
        while self.n_iter_ < self.max_iter:
            self.n_iter_ += 1
            right = (self._go_through(table, truth) == truth).all()
            report(1.0 if right else self.n_iter_ / self.max_iter)
            if right:
                break

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.threshold is not None:
            at_least("threshold", self.threshold, 1 / self.alpha)
        # no promoted weight exceeds this product
        if not self.alpha * (self.threshold or 1.0) < LARGEST:
            raise InputError(
                f"alpha={self.alpha!r} and threshold={self.threshold!r} make the weights overflow; "
                "give smaller values"
            )

    def _start_with(self, table: Table) -> None:
        self._tests = indicators(table, self.bins)
        n_units = 1 if len(self._classes) <= 2 else len(self._classes)
        self._units = np.ones((n_units, len(self._tests)))

    def _reach(self) -> float:
        """The threshold."""
        return max(1.0, len(self._tests) / 2) if self.threshold is None else float(self.threshold)

    def _go_through(self, table: Table, truth: Ints) -> Ints:
        active = active_indicators(self._tests, table)
        predicted = np.zeros(len(truth), np.int64)
        if len(self._classes) > 1:
            size = 1 if trace.active("round") else max(1, BLOCK // max(1, active.shape[1] * len(self._units)))
            for start in range(0, len(truth), size):
                part = slice(start, start + size)
                state = self._units, float(self.alpha), self._reach(), self.version == 1
                winnow = repeated(loops.winnow, active[part].size * len(self._units))
                winnow(active[part], truth[part], *state, predicted[part])
                if size == 1:
                    self._tell(start, active[start], int(predicted[start]), int(truth[start]))
        self._record(predicted != truth)
        return predicted

    def _tell(self, row: int, active: Any, predicted: int, truth: int) -> None:
        trace.emit(
            "round",
            number=self._history.rounds + row + 1,
            holds=tuple(str(self._tests[i]) for i in active if i >= 0),
            prediction=self._classes[predicted],
            truth=self._classes[truth],
            weights=self._units.copy(),
        )

    def _bound(self) -> tuple[float, str]:
        if self.relevant is None:
            return float("nan"), "the number of relevant indicators is not given"
        n_units = len(self._units)
        each = winnow_bound(self.relevant, len(self._tests), self._reach(), self.alpha, self.version)
        return n_units * each, f"bound for a disjunction of {self.relevant}"

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        super()._restore(hypothesis, state)
        self._restore_history(state)
