"""True error of a hypothesis under a known distribution of examples (Mitchell, section 5.2.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_regressor

from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.evaluation.estimating.estimate import evaluate
from induce.evaluation.estimating.fits import check_fitted
from induce.evaluation.estimating.splits import check_learner, numbers, target
from induce.evaluation.losses.rows import ABSOLUTE, ZERO_ONE, Loss, generalisation_loss


def true_error(learner: Any, X: Any, y: Any, weights: ArrayLike | None = None, *, loss: Loss = None) -> float:
    """Return the exact error of a fitted learner over all possible examples; there is no interval.

    Parameters
    ----------
    learner : fitted estimator
        Fitted learner.
    X, y : frame or array, series or array
        All possible examples with their target values.
    weights : array, optional
        Frequency of each example, up to a factor. If None, all are equally frequent.
    loss : {"zero-one", "absolute", "squared"}, LossTable or callable, optional
        Loss function. None: zero-one for classification, absolute for regression.

    Examples
    --------
    >>> import induce
    >>> from induce.data.generate import restaurant_space
    >>> tree = induce.ID3().fit(*induce.dataset("restaurant"))
    >>> round(true_error(tree, *restaurant_space()), 4)
    0.1862
    """
    check_learner(learner)
    check_fitted(learner)
    actual = numbers(X, y) if is_regressor(learner) else target(X, y)
    chances = np.ones(actual.size) if weights is None else np.asarray(weights, dtype=np.float64)
    if chances.shape != (actual.size,):
        raise InputError(f"weights has the shape {chances.shape} for {actual.size} rows; give one per row")
    if not np.isfinite(chances).all() or (chances < 0).any() or not chances.any():
        raise InputError("weights must be nonnegative, with at least one above 0")
    usual = ABSOLUTE if is_regressor(learner) else ZERO_ONE
    return generalisation_loss(learner, X, actual, chances / chances.sum(), usual if loss is None else loss)


def sampled_error(
    learner: Any,
    draw: Callable[[int, Any], Any],
    n: int = 10_000,
    *,
    random_state: RandomState = 0,
    **how: Any,
) -> Any:
    """Estimate the true error of a fitted learner on freshly drawn examples.

    Parameters
    ----------
    learner : fitted estimator
        Fitted learner.
    draw : callable
        Function of a number of examples and a random state that returns rows and their target values.
    n : int
        Number of examples to draw.
    random_state : int, Generator or None
        Random seed; it should differ from the seed of the training rows.
    **how
        Further parameters of `induce.evaluate`, such as `score`, `confidence` and `interval`.

    Returns
    -------
    ClassificationEstimate or RegressionEstimate

    Examples
    --------
    >>> import induce
    >>> from induce.data.generate import restaurant
    >>> tree = induce.ID3().fit(*restaurant(100, 0))
    >>> print(sampled_error(tree, restaurant, 2000, random_state=1))
    error 0.021, 95% interval [0.015, 0.028] (fresh examples, 2000 rows)
    """
    if not callable(draw):
        raise TypeError(f"draw must be a function of a number of examples and a random state, not {draw!r}")
    X, y = draw(n, generator(random_state))
    found = evaluate(learner, X, y, cv=None, **how)
    return replace(found, method="fresh examples")
