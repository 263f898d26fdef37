"""Self-training: learning from labelled rows and many unlabelled ones."""

from __future__ import annotations

from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from induce.core.errors import InputError
from induce.core.estimator import HypothesisClassifier, given_weights, rows_at
from induce.core.parameters import Declared, learner, number, whole
from induce.core.trace import emit, learning
from induce.core.values import is_missing

GIVEN, NEVER = 0, -1
"""Markers for rows that were labelled from the start, or never."""


class SelfTraining(HypothesisClassifier):
    """A classifier that labels unlabelled rows when it is confident, and is retrained (AIMA §18.1).

    Rows whose class is None or NaN in `y` are unlabelled. Each round fits a copy of the classifier to the
    labelled rows and labels those of the others for which it is confident. Training ends when a round labels
    no row, all rows have a class, or the maximum number of rounds is reached. Missing values and unseen
    categories are treated as by the classifier.

    Parameters
    ----------
    estimator : classifier, optional
        Base classifier, which is copied; `NaiveBayes` by default.
    threshold : float, default=0.75
        Minimum probability of a class for labelling a row with it.
    max_iter : int, default=10
        Maximum number of rounds.

    Attributes
    ----------
    hypothesis_ : Hypothesis
        Hypothesis of the last copy of the classifier.
    labels_ : list
        Class of each training row; None if it was never assigned.
    labeled_iter_ : array of int
        Round in which each row got its class: 0 if it was given, -1 if never.
    n_iter_ : int
        Number of fits of the classifier.

    See Also
    --------
    NaiveBayes : Naive Bayes for tables.
    TextNaiveBayes : Naive Bayes for texts.

    References
    ----------
    D. Yarowsky (1995). Unsupervised word sense disambiguation rivaling supervised methods. In Annual Meeting of
    the Association for Computational Linguistics, 189-196.

    Examples
    --------
    >>> texts = ["goal and penalty", "stocks and bonds", "the penalty was missed", "bonds were sold cheap"]
    >>> from induce.bayes import TextNaiveBayes
    >>> learner = SelfTraining(TextNaiveBayes(), threshold=0.6).fit(texts, ["sport", "money", None, None])
    >>> learner.labels_, learner.predict(["missed again", "sold again"]).tolist()
    (['sport', 'money', 'sport', 'money'], ['sport', 'money'])
    """

    takes_text: ClassVar[bool] = True

    parameters: ClassVar[Declared] = {
        "estimator": learner(
            "Base classifier, which is copied; None uses NaiveBayes.",
            "a classifier of induce",
            "HypothesisClassifier",
            none=True,
            otherwise="give a classifier of induce",
        ),
        "threshold": number("Minimum probability of a class for labelling a row with it.", above=0, below=1),
        "max_iter": whole("Maximum number of rounds.", at_least=1),
    }

    def __init__(self, estimator: Any = None, *, threshold: float = 0.75, max_iter: int = 10) -> None:
        self.estimator = estimator
        self.threshold = threshold
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from a table and the class of each row that has one.

        Parameters
        ----------
        X : whatever the classifier takes
        y : series, array or list
            Class of each row; None or NaN if unknown.
        sample_weight : array, optional
            Weight of each row.
        """
        with learning(type(self).__name__):
            self._train(X, y, sample_weight)
        return self

    def _train(self, X: Any, y: Any, sample_weight: Any) -> None:
        self._begin_fit()
        labels = list(y) if hasattr(y, "__len__") else []
        known = ~np.array([is_missing(label) for label in labels], np.bool_)
        if known.all():
            fitted, rounds = self._fitted_copy(X, y, sample_weight), np.full(len(labels), GIVEN)
        elif known.any():
            weights = given_weights(sample_weight, len(labels))
            fitted, labels, rounds = self._rounds(X, y, labels, known, weights)
        else:
            raise InputError("y holds missing values only; give at least one row its class")
        self.labels_, self.labeled_iter_, self.n_iter_ = labels, rounds, int(rounds.max(initial=0)) + 1
        self.classes_, self.n_features_in_ = fitted.classes_, fitted.n_features_in_
        if hasattr(fitted, "feature_names_in_"):
            self.feature_names_in_ = fitted.feature_names_in_
        self.hypothesis_ = fitted.hypothesis_

    def _rounds(
        self, X: Any, y: Any, labels: list[Any], known: NDArray[np.bool_], weights: NDArray[np.float64] | None
    ) -> tuple[Any, list[Any], NDArray[np.int64]]:
        """Alternate labelling and learning, round by round."""
        labels = [label if has else None for label, has in zip(labels, known, strict=True)]
        rounds = np.where(known, GIVEN, NEVER)

        def learned() -> Any:
            rows = np.flatnonzero(rounds != NEVER)
            weight = None if weights is None else weights[rows]
            return self._fitted_copy(rows_at(X, rows), _like(y, [labels[row] for row in rows]), weight)

        fitted = learned()
        for step in range(1, self.max_iter + 1):
            open_ = np.flatnonzero(rounds == NEVER)
            if len(open_) == 0:
                break
            chances = fitted.predict_proba(rows_at(X, open_))
            sure = chances.max(axis=1) >= self.threshold
            if not sure.any():
                break
            names = fitted.classes_[chances[sure].argmax(axis=1)].tolist()
            for row, name in zip(open_[sure].tolist(), names, strict=True):
                labels[row] = name
            rounds[open_[sure]] = step
            emit("self-training", round=step, labelled=int(sure.sum()), left=int((~sure).sum()))
            fitted = learned()
        return fitted, labels, rounds

    def _fitted_copy(self, X: Any, y: Any, sample_weight: Any) -> Any:
        from induce.bayes.learners.naive_bayes import NaiveBayes

        learner = NaiveBayes() if self.estimator is None else self.estimator
        extra = {} if sample_weight is None else {"sample_weight": sample_weight}
        return cast(Any, clone(learner)).fit(X, y, **extra)


def _like(y: Any, labels: list[Any]) -> Any:
    """Return classes of a subset in the form of the original ones: with their name and declared order."""
    if type(y).__module__.startswith("polars"):
        import polars as pl

        return pl.Series(y.name, labels, dtype=y.dtype)
    if type(y).__module__.startswith("pandas"):
        return type(y)(labels, name=y.name, dtype=y.dtype if hasattr(y.dtype, "categories") else None)
    return labels
