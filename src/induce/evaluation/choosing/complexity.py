"""How complex a hypothesis is, where its kind has a common measure (AIMA, section 18.4.3)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from induce.evaluation.readability import parts

_INSIDE = ("hypothesis_", "best_estimator_", "learner_")


def complexity_of(hypothesis: Any) -> float:
    """Return the complexity of a fitted learner or a hypothesis; NaN if it has no measure we know.

    For linear models it is the sum of the squared coefficients (the intercept is free), for trees and rules the
    number of conditions and conclusions. A pipeline is as complex as its last step, a search as its best estimator.

    Parameters
    ----------
    hypothesis : Hypothesis or fitted learner

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> complexity_of(induce.ID3().fit(X, y))
    12.0
    >>> from sklearn.linear_model import LinearRegression
    >>> round(complexity_of(LinearRegression().fit([[0], [1], [2]], [1, 4, 7])), 6)
    9.0
    """
    for name in _INSIDE:
        if hasattr(hypothesis, name):
            return complexity_of(getattr(hypothesis, name))
    if hasattr(hypothesis, "steps"):
        return complexity_of(hypothesis.steps[-1][1])
    if hasattr(hypothesis, "coef_"):
        return float(np.square(np.asarray(hypothesis.coef_, dtype=np.float64)).sum())
    count = parts(hypothesis)
    return math.nan if count is None else float(count)
