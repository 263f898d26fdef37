"""Committees: learners of different kinds that vote."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.parameter_kinds import Kind
from induce.core.parameters import Declared, Parameter, choice, folds
from induce.core.randomness import RandomState
from induce.core.ties import best_of
from induce.data.schema import Schema
from induce.ensembles.boosting import CHANCE
from induce.ensembles.hypothesis import Ensemble
from induce.ensembles.learners.class_members import ClassLearner, RowsReading, Training, agreed, quiet
from induce.ensembles.learners.folds import out_of_fold
from induce.estimators import ClassReading, TableClassifier

VOTING = ("equal", "weighted", "best")


@dataclass(frozen=True)
class NamedLearners(Kind):
    """Several classifiers: a dict by name, or a list."""

    holds: ClassVar[str] = "learners"

    def accepts(self, value: Any) -> bool:
        return not self.complaint("", value)

    def says(self) -> str:
        return "a dict from names to learners, or a list of learners"

    def complaint(self, name: str, value: Any) -> str:
        try:
            named_learners(value)
        except InputError as problem:
            return str(problem)
        return ""

    def read(self, text: str) -> Any:
        return text


ESTIMATORS = Parameter(
    "Learners as a dict by name or a list; None uses C4.5, PART and naive Bayes.", NamedLearners(), none=True
)


class Committee(RowsReading, TableClassifier):
    """A committee: a vote of hypotheses from different learners (AIMA 18.10).

    Votes are equal, weighted by the log odds of being correct, estimated by cross-validation, or restricted
    to the best member. Errors of the members should be as independent as possible: see
    `induce.ensembles.majority_error`.

    Missing values and categories not seen in training are handled by each member.

    Parameters
    ----------
    estimators : dict or list, optional
        Classifiers of induce or scikit-learn, as a dict by name or a list. None uses C4.5, PART and naive
        Bayes.
    voting : {"equal", "weighted", "best"}, default="equal"
        Voting scheme: equal, weighted by the log odds of being correct, or best only.
    cv : int, splitter or iterable of (train, test), default=5
        Cross-validation folds for estimating the accuracy of each member.
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
    hypothesis_ : Ensemble
        The learned ensemble.
    errors_ : dict of str to float
        Cross-validation error of each learner; empty if votes are equal.

    See Also
    --------
    Stacking : A learner combines the others.
    Bagging : Hypotheses of bootstrap samples that vote.

    References
    ----------
    T. G. Dietterich (2000). Ensemble methods in machine learning. In Multiple Classifier Systems. Springer, 1-15.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("wine")
    >>> learners = {"tree": induce.C45(), "stump": induce.DecisionStump(), "bayes": induce.NaiveBayes()}
    >>> print(Committee(learners, voting="weighted").fit(X, y).hypothesis_)
    3 members vote; each agrees with the vote on 86% of the training rows
      weight  agrees
        4.61    100%  bayes: NaiveBayesModel, 81 conditional probabilities of 13 columns
        3.47     98%  tree: Tree, 9 nodes, 5 leaves, depth 3
       0.963     60%  stump: flavanoids <= 1.575: class 2 | flavanoids > 1.575: class 0
    """

    hypothesis_: Ensemble
    errors_: dict[str, float]

    parameters: ClassVar[Declared] = {
        "estimators": ESTIMATORS,
        "voting": choice(
            "Voting scheme: equal, weighted by the log odds of being correct, or best only.", *VOTING
        ),
        "cv": folds("Cross-validation folds for estimating the accuracy of each member."),
    }

    def __init__(
        self,
        estimators: Any = None,
        *,
        voting: str = "equal",
        cv: Any = 5,
        n_jobs: int | None = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.estimators = estimators
        self.voting = voting
        self.cv = cv
        self.n_jobs = n_jobs
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _learn(self, reading: ClassReading) -> Ensemble:
        named = named_learners(self.estimators)
        trainings = {name: Training(learner, reading) for name, learner in named.items()}
        votes = dict.fromkeys(named, 1.0)
        self.errors_ = {}
        with quiet():
            if self.voting != "equal":
                said, rows = out_of_fold(trainings, self.cv, self.random_state, self.n_jobs)
                weight = reading.weight()[rows]
                for name, shares in said.items():
                    wrong = shares[rows].argmax(axis=1) != reading.labels[rows]
                    self.errors_[name] = float(weight[wrong].sum() / weight.sum()) if weight.any() else 0.0
                votes = self._votes(len(reading), len(reading.classes))
            members = [
                training.learn(reading.weight(), None, f"as {name!r}")
                for name, training in trainings.items()
                if name in votes
            ]
        found = Ensemble(
            *reading.names,
            tuple(members),
            np.array(list(votes.values())),
            np.ones(len(members)),
            names=tuple(votes),
        )
        return agreed(found, reading.X, reading.weight())

    def _votes(self, n_rows: int, n_classes: int) -> dict[str, float]:
        """Return the best member alone, or the log odds of each that is better than chance."""
        best = best_of(self.errors_, lambda name: -self.errors_[name])
        if self.voting == "best":
            return {best: 1.0}
        sure = 0.5 / (n_rows + 1)  # as if half a row more were misclassified and half a row correct
        chance = math.log(max(1, n_classes - 1))
        odds = {
            name: math.log((1 - error + sure) / (error + sure)) + chance
            for name, error in self.errors_.items()
        }
        return {name: vote for name, vote in odds.items() if vote > CHANCE} or {best: 1.0}


def named_learners(estimators: Any) -> dict[str, Any]:
    """Return the learners by name; the default ones if none are given."""
    if estimators is None:
        from induce.bayes.learners.naive_bayes import NaiveBayes
        from induce.rules.learners.part import PART
        from induce.trees.learners.c45 import C45

        return {"tree": C45(), "rules": PART(), "bayes": NaiveBayes()}
    if isinstance(estimators, Mapping):
        named = {str(name): learner for name, learner in estimators.items()}
    elif isinstance(estimators, list | tuple):
        pairs = all(isinstance(each, tuple) and len(each) == 2 for each in estimators)
        named = dict(estimators) if pairs else {_name(each, k): each for k, each in enumerate(estimators)}
    else:
        raise InputError(
            f"estimators is {estimators!r}; give a dict from names to learners, or a list of learners"
        )
    if not named:
        raise InputError("estimators is empty; give at least one learner")
    for name, learner in named.items():
        complaint = ClassLearner().complaint(f"estimators[{name!r}]", learner)
        if complaint:
            raise InputError(complaint)
    return named


def _name(learner: Any, k: int) -> str:
    return f"{type(learner).__name__} {k + 1}"
