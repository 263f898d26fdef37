"""Complexity measures of hypotheses (AIMA, section 18.4.3)."""

from __future__ import annotations

import math
from typing import Any

from induce.evaluation.predictors import inner_learner, parts_of, squared_weights


def complexity_of(hypothesis: Any) -> float:
    """Return the complexity of a fitted learner or a hypothesis; NaN if no measure is known.

    The complexity of a linear model is the sum of its squared coefficients, excluding the intercept; that of a
    hypothesis is its number of readable parts, such as conditions and conclusions. A pipeline has the complexity of
    its last step, a search that of its best estimator.

    Parameters
    ----------
    hypothesis : Hypothesis or fitted learner
        Fitted learner, pipeline, search or hypothesis.

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
    learned = inner_learner(hypothesis)
    weights = squared_weights(learned)
    if weights is not None:
        return weights
    count = parts_of(learned).number
    return math.nan if count is None else float(count)
