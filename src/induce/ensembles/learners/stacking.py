"""Stacking: a meta-learner learns from the out-of-fold predictions of other learners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from induce.core.parameters import Declared, Parameter, folds
from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.ensembles.learners.class_members import ClassLearner, Floats, RowsReading, Training, quiet
from induce.ensembles.learners.committee import ESTIMATORS, named_learners
from induce.ensembles.learners.folds import out_of_fold
from induce.ensembles.stacked import LogisticTop, Stacked, votes_frame, votes_schema
from induce.estimators import ClassReading, TableClassifier
from induce.hypotheses.conflict_resolution import class_array
from induce.linear.likelihood import maximum_likelihood

TOPS = ("logistic", "naive-bayes")


@dataclass(frozen=True)
class TopLearner(ClassLearner):
    """A classifier, or the name of a predefined one, as a parameter type."""

    names: tuple[str, ...] = ()

    def says(self) -> str:
        return f"{', '.join(map(repr, self.names))} or {super().says()}"

    def complaint(self, name: str, value: Any) -> str:
        return "" if isinstance(value, str) and value in self.names else super().complaint(name, value)

    def words(self) -> tuple[str, ...]:
        return self.names


class Stacking(RowsReading, TableClassifier):
    """Stacking: a meta-learner learns how far to trust each of several learners (Wolpert 1992).

    Each learner predicts the class probabilities of every row after training on the other folds. The
    meta-learner learns from these; then all learners are trained on all rows.

    Missing values and categories not seen in training are handled by each member.

    Parameters
    ----------
    estimators : dict or list, optional
        Classifiers of induce or scikit-learn, as a dict by name or a list. None uses C4.5, PART and naive
        Bayes.
    final_estimator : "logistic", "naive-bayes" or estimator, default="logistic"
        Meta-learner: logistic regression on the members' probabilities, or naive Bayes or another learner of
        induce on a table of the members' classes.
    cv : int, splitter or iterable of (train, test), default=5
        Cross-validation folds for the out-of-fold predictions.
    n_jobs : int, optional
        Number of threads; it does not change the result.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed; None draws a new one at each fit.

    Attributes
    ----------
    hypothesis_ : Stacked
        The learned ensemble.

    See Also
    --------
    Committee : Different learners vote.
    Bagging : Hypotheses of bootstrap samples that vote.

    References
    ----------
    D. H. Wolpert (1992). Stacked generalization. Neural Networks 5, 241-259.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> stacking = Stacking(final_estimator="naive-bayes").fit(X[::2], y[::2])
    >>> round(stacking.score(X[1::2], y[1::2]), 3)
    0.947
    """

    hypothesis_: Stacked

    parameters: ClassVar[Declared] = {
        "estimators": ESTIMATORS,
        "final_estimator": Parameter("Learner on top.", TopLearner(names=tuple(TOPS))),
        "cv": folds("Cross-validation folds for the out-of-fold predictions."),
    }

    def __init__(
        self,
        estimators: Any = None,
        *,
        final_estimator: Any = "logistic",
        cv: Any = 5,
        n_jobs: int | None = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.estimators = estimators
        self.final_estimator = final_estimator
        self.cv = cv
        self.n_jobs = n_jobs
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _learn(self, reading: ClassReading) -> Stacked:
        named = named_learners(self.estimators)
        trainings = {name: Training(learner, reading) for name, learner in named.items()}
        with quiet():
            members = tuple(
                training.learn(reading.weight(), None, f"as {name!r}") for name, training in trainings.items()
            )
            said, rows = out_of_fold(trainings, self.cv, self.random_state, self.n_jobs)
            top = self._top(np.stack(list(said.values()), axis=1), rows, tuple(named), reading)
        return Stacked(*reading.names, members, tuple(named), top)

    def _top(
        self, said: Floats, rows: NDArray[np.intp], names: tuple[str, ...], reading: ClassReading
    ) -> Any:
        rows = rows[reading.weight()[rows] > 0]
        said, labels = said[rows], reading.labels[rows]
        if self.final_estimator == "logistic" or not len(rows):  # a single row cannot be held out
            return _logistic(said, labels, reading.weight()[rows], len(reading.classes))
        learner = clone(_naive_bayes() if isinstance(self.final_estimator, str) else self.final_estimator)
        if "schema" in learner.get_params(deep=False):
            learner.set_params(schema=votes_schema(names, reading.classes))
        learner.fit(votes_frame(said, names, reading.classes), class_array(reading.classes)[labels])
        return getattr(learner, "hypothesis_", learner)


def _logistic(said: Floats, labels: Any, weights: Floats, n_classes: int) -> LogisticTop:
    """Fit the logistic function with a weak ridge penalty; a class without rows gets probability 0."""
    n_members = said.shape[1]
    intercept = np.full(n_classes, -np.inf)
    coefficients = np.zeros((n_classes, n_members, n_classes))
    present = np.unique(labels)
    intercept[present] = 0.0
    if len(present) > 1:
        # half the sum of squared weights, added to the sum of losses
        found = maximum_likelihood(
            said.reshape(len(said), -1),
            np.searchsorted(present, labels),
            len(present),
            weights,
            ridge=0.5 / float(weights.sum()),
            errors=False,
        )
        # for two classes there is one function, of the second against the first
        places = present[1:] if len(present) == 2 else present
        intercept[places] = found.intercepts
        coefficients[places] = found.weights.reshape(-1, n_members, n_classes)
    return LogisticTop(np.maximum(intercept, -1e300), coefficients)


def _naive_bayes() -> Any:
    from induce.bayes.learners.naive_bayes import NaiveBayes

    return NaiveBayes()
