"""Adapter that presents a hypothesis as a fitted learner, so that it can be evaluated like one."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from induce.core.errors import InputError
from induce.evaluation.predictors import hypothesis_of

Floats = NDArray[np.float64]


class _Given(BaseEstimator):
    """Base class of fixed classifiers and regressors."""

    def __init__(self, hypothesis: Any) -> None:
        self.hypothesis = hypothesis

    @property
    def hypothesis_(self) -> Any:
        """The hypothesis."""
        return self.hypothesis

    def fit(self, X: Any, y: Any = None) -> Self:
        """Raise an error: a fixed hypothesis cannot be trained."""
        raise InputError(
            "a hypothesis cannot be trained; give cv=None to test it as it is, or give its learner"
        )

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the prediction of the hypothesis for each row."""
        return np.asarray(self.hypothesis.predict(X))

    def __sklearn_is_fitted__(self) -> bool:
        return True


class GivenClassifier(ClassifierMixin, _Given):
    """A fixed hypothesis for classification.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> tree = given(induce.ID3().fit(X, y).hypothesis_)
    >>> tree.predict(X[:2]).tolist(), tree.classes_.tolist()
    (['No', 'No'], ['No', 'Yes'])
    """

    @property
    def classes_(self) -> NDArray[Any]:
        """Sorted class labels."""
        return np.unique(np.asarray(self.hypothesis.classes))

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each of `classes_` for each row."""
        order = np.argsort(np.asarray(self.hypothesis.classes))
        return np.asarray(self.hypothesis.predict_proba(X), dtype=np.float64)[:, order]


class GivenRegressor(RegressorMixin, _Given):
    """A fixed hypothesis for regression."""


def given(thing: Any) -> Any:
    """Return a hypothesis as a fitted learner; a learner unchanged."""
    hypothesis = hypothesis_of(thing)
    if hypothesis is None or hypothesis is not thing:
        return thing
    if hypothesis.answer == "class":
        return GivenClassifier(hypothesis)
    if hypothesis.answer == "number":
        return GivenRegressor(hypothesis)
    raise TypeError(
        f"a {type(thing).__name__} predicts neither classes nor numbers, so it has no error; give a "
        "classifier or a regressor"
    )
