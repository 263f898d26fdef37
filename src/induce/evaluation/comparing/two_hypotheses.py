"""Comparison of two fixed hypotheses on unseen rows (Mitchell, section 5.5)."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.notes import note
from induce.evaluation.estimating.fits import check_fitted
from induce.evaluation.estimating.splits import target
from induce.evaluation.predictors import is_learner, predictions, predicts_numbers
from induce.statistics.interval import Sides
from induce.statistics.intervals import Difference, two_proportions


def compare_hypotheses(
    first: Any,
    X1: Any,
    y1: Any,
    second: Any,
    X2: Any = None,
    y2: Any = None,
    *,
    confidence: float = 0.95,
    sides: Sides = "two",
) -> Difference:
    """Compare the errors of two hypotheses, each on its own rows (Mitchell, section 5.5).

    Parameters
    ----------
    first, second : fitted classifier or Hypothesis
        Hypotheses or fitted learners to compare.
    X1, y1 : frame or array, series or array
        Test rows of the first hypothesis, which it was not trained on.
    X2, y2 : frame or array, series or array, optional
        Test rows of the second hypothesis. If omitted, both are tested on the same rows; the interval is then
        usually wider than necessary, and ``compare({...}, X, y, cv=None, test="mcnemar")`` is more powerful.
    confidence : float
        Confidence level of the interval.
    sides : {"two", "lower", "upper"}
        Two-sided interval, or only the lower or upper bound.

    Returns
    -------
    Difference
        Difference of the error rates, first minus second. To compare error counts directly, use
        `induce.statistics.two_proportions`.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("wine")
    >>> tree, stump = induce.C45().fit(X[::3], y[::3]), induce.DecisionStump().fit(X[::3], y[::3])
    >>> print(compare_hypotheses(tree, X[1::3], y[1::3], stump, X[2::3], y[2::3]).verdict.says("tree", "stump"))
    no evidence of a difference: p = 0.2
    """
    if (X2 is None) != (y2 is None):
        raise InputError("X2 and y2 go together; give both, or neither to test on the same rows")
    shared = X2 is None or (X2 is X1 and y2 is y1)
    if shared:
        note("both hypotheses are tested on the same rows, so the interval is probably wider than necessary")
        X2, y2 = X1, y1
    counts = (*_errors(first, X1, y1), *_errors(second, X2, y2))
    return two_proportions(*counts, confidence, sides, shared_sample=shared)


def _errors(hypothesis: Any, X: Any, y: Any) -> tuple[int, int]:
    if is_learner(hypothesis):
        check_fitted(hypothesis)
    if predicts_numbers(hypothesis):
        raise TypeError(
            f"{type(hypothesis).__name__} predicts numbers, and section 5.5 compares error rates; use "
            "compare with cv=None instead"
        )
    actual = target(X, y)
    predicted = predictions(hypothesis, X)
    if predicted.shape != actual.shape:
        raise InputError(
            f"{type(hypothesis).__name__} returned the shape {predicted.shape} for {actual.size} rows; "
            "it must return one class per row"
        )
    return int(np.count_nonzero(predicted != actual)), actual.size
