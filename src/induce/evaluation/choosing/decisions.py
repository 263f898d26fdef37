"""A classifier that minimises the expected loss (AIMA, section 18.4.2)."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from induce.core.errors import InputError
from induce.evaluation.losses.checks import those
from induce.evaluation.losses.table import LossTable, the_table
from induce.evaluation.predictors import hypothesis_of
from induce.hypotheses.naming import value_text


def _has(name: str) -> Any:
    """Return whether the wrapped learner, fitted or not, has a delegated attribute."""

    def check(decider: ExpectedLossClassifier) -> bool:
        return hasattr(getattr(decider, "learner_", decider.learner), name)

    return check


class ExpectedLossClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Predicts the class with the lowest expected loss under the probabilities of any classifier (AIMA,
    section 18.4.2).

    Training is unchanged; only the decision rule differs. The decisions are only as good as the
    probabilities: an unpruned tree predicts only 0 and 1, so no loss changes its decisions. Missing values
    and unseen categories are handled by the wrapped learner.

    Parameters
    ----------
    learner : classifier
        Classifier with ``predict_proba``; a copy of it is fitted.
    losses : LossTable, mapping, str, matrix or None
        Losses: a mapping from ``(true, predicted)``, text in the form of `LossTable.read`, or a matrix with
        the classes in sorted order. If None, every mistake costs 1. A reject option in the table is predicted
        where it has the lowest expected loss.

    Attributes
    ----------
    learner_ : classifier
        The fitted copy.
    losses_ : LossTable
    classes_ : array
        Classes of the target, without the reject option.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("restaurant")
    >>> stump = induce.DecisionTreeClassifier(max_depth=1)
    >>> full = X[1:2]  # all tables are taken
    >>> stump.fit(X, y).predict_proba(full).round(2).tolist()  # No, Yes
    [[0.67, 0.33]]
    >>> ExpectedLossClassifier(stump, "Yes>No=3, No>Yes=1").fit(X, y).predict(full).tolist()
    ['Yes']
    >>> ExpectedLossClassifier(stump, "Yes>No=3, No>Yes=1, ask=0.5").fit(X, y).predict(full).tolist()
    ['ask']
    """

    def __init__(self, learner: Any, losses: Any = None) -> None:
        self.learner = learner
        self.losses = losses

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.learner).input_tags
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit a copy of the learner.

        Parameters
        ----------
        X, y : frame or array, series or array
        sample_weight : array, optional
            Parameters passed on to the learner.
        """
        if not hasattr(self.learner, "predict_proba"):
            raise TypeError(
                f"{type(self.learner).__name__} has no class probabilities, which the decisions need; "
                "give a classifier with predict_proba, or wrap it in scikit-learn's "
                "CalibratedClassifierCV"
            )
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        fitted = clone(self.learner).fit(X, y, **weights)
        losses = self._table(fitted)
        for value in fitted.classes_.tolist():
            if value not in losses.classes:
                raise InputError(
                    f"y has the class {value_text(value)}, for which there are no losses: "
                    f"{those(losses.classes)}"
                )
        self.learner_, self.losses_, self.classes_ = fitted, losses, fitted.classes_
        for name in ("n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)
            if hasattr(fitted, name):
                setattr(self, name, getattr(fitted, name))
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the decision with the lowest expected loss for each row; ties are broken by table order."""
        shares = self.predict_proba(X)
        return self.losses_.decide(shares, self.classes_)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the learner's probability of each of `classes_` for each row."""
        check_is_fitted(self)
        return np.asarray(self.learner_.predict_proba(X))

    def expected_losses(self, X: Any) -> NDArray[np.float64]:
        """Return the expected loss of each decision of `losses_` for each row."""
        shares = self.predict_proba(X)
        return self.losses_.expected(shares, self.classes_)

    @available_if(_has("explain"))
    def explain(self, X: Any) -> Any:
        """Return the explanation of each row by the wrapped learner."""
        check_is_fitted(self)
        return self.learner_.explain(X)

    @property
    def hypothesis_(self) -> Any:
        """Hypothesis of the fitted learner, if it has one."""
        return self.learner_.hypothesis_

    def _table(self, fitted: Any) -> LossTable:
        """Return the loss table of the classes; the default breaks ties in the declared order of the classes."""
        learned: Any = hypothesis_of(fitted)
        if self.losses is None and learned is not None:
            return LossTable.zero_one(learned.classes)
        return the_table(self.losses, fitted.classes_.tolist())
