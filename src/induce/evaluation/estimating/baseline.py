"""Baseline of a learner: a constant prediction evaluated on the same rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier, DummyRegressor

from induce.core.errors import InputError
from induce.core.progress import progress
from induce.core.values import plain
from induce.evaluation.estimating.fits import fit_and_predict, unheard
from induce.evaluation.estimating.kinds import CLASSES, DENSITY
from induce.evaluation.estimating.scores import FoldScoring, RowScoring
from induce.evaluation.estimating.splits import Plan
from induce.evaluation.losses.measure import score_text
from induce.hypotheses.naming import value_text
from induce.statistics.interval import Interval


@dataclass(frozen=True)
class Baseline:
    """Score of a constant prediction: the most common class, or the median or mean of the target.

    Parameters
    ----------
    says : str
        Constant prediction, as text.
    measure : str
    value : float
        Value of the same measure on the same test rows, with the constant computed from the training rows of each
        split.
    higher : bool
        Whether higher is better.

    Examples
    --------
    >>> print(Baseline("always predicting Yes", "error", 0.357, False))
    always predicting Yes: error 0.357
    """

    says: str
    measure: str
    value: float
    higher: bool

    def __str__(self) -> str:
        return f"{self.says}: {self.measure} {score_text(self.value)}"

    def verdict(self, interval: Interval) -> str:
        """Return a verdict, in words, on an estimate with this interval compared with the baseline.

        Examples
        --------
        >>> from induce.statistics.intervals import wilson
        >>> Baseline("always predicting Yes", "error", 0.357, False).verdict(wilson(3, 14, 0.95))
        'the estimate is not significantly different from it'
        """
        if interval.low <= self.value <= interval.high:
            return "the estimate is not significantly different from it"
        worse = interval.high < self.value if self.higher else interval.low > self.value
        return "the estimate is worse" if worse else "the estimate is better"


def baseline(
    X: Any, y: Any, actual: NDArray[Any], made: Plan, scoring: RowScoring | FoldScoring, kind: str
) -> Baseline | None:
    """Return the baseline of an estimate; None if there is none, as for density estimators."""
    if kind == DENSITY:
        return None
    says, constant = _constant(actual, kind, scoring.name)
    # a constant prediction does not depend on the inputs
    blank = np.zeros((len(actual), 1))
    splits = [(test if train is None else train, test) for train, test in made.splits]
    try:
        with progress(unheard):  # hide the baseline's progress, which is not the learner's
            tested = fit_and_predict(constant, blank, actual, splits, also=scoring.also)
        if isinstance(scoring, RowScoring):
            value = scoring.outcome(made, tested, actual).evidence.value
        else:
            value = float(np.mean([fold.also for fold in tested]))
    except InputError:  # an undefined score of a constant prediction
        return None
    return Baseline(says, scoring.name, value, scoring.higher)


def _constant(actual: NDArray[Any], kind: str, measure: str) -> tuple[str, Any]:
    if kind == CLASSES:
        classes, counts = np.unique(actual, return_counts=True)
        most = value_text(plain(classes[int(counts.argmax())]))
        return f"always predicting {most}", DummyClassifier(strategy="prior")
    middle = "mean" if "squared" in measure else "median"
    constant = DummyRegressor(strategy=middle)
    if actual.ndim == 2:
        return f"always predicting the {middle} of each output", constant
    value = actual.mean() if middle == "mean" else np.median(actual)
    return f"always predicting the {middle}, {value:.4g}", constant
