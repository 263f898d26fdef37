"""Bagging: a vote of hypotheses trained on bootstrap samples of the same examples."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core import parallel
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.parameters import Declared, Parameter, choice, truth, whole
from induce.core.progress import report
from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.ensembles.hypothesis import Ensemble
from induce.ensembles.learners.bags import RESAMPLING, Bags
from induce.ensembles.learners.class_members import ClassLearner, RowsReading, Training, agreed, quiet
from induce.estimators import ClassReading, TableClassifier
from induce.trees.hypothesis import Tree
from induce.trees.importances import class_importances
from induce.trees.learners.decision_tree_classifier import DecisionTreeClassifier


class BaggingLearner(RowsReading, TableClassifier):
    """Base of bagging learners, which draw bags, learn in threads, and give all members equal votes."""

    parameters: ClassVar[Declared] = {
        "n_estimators": whole("Number of hypotheses.", at_least=1),
        "oob_score": truth("Whether to estimate the accuracy on out-of-bag rows."),
    }
    hypothesis_: Ensemble
    bags_: Bags
    oob_score_: float
    n_estimators: int
    oob_score: bool
    n_jobs: int | None
    random_state: RandomState

    def _learn(self, reading: ClassReading) -> Ensemble:
        bags = self._bags(reading)
        done = count(1)
        learn = self._learning(reading)

        def learned(k: int) -> Any:
            member = learn(bags, k)
            report(next(done) / len(bags))
            return member

        with quiet():
            members = parallel.run(learned, range(len(bags)), self.n_jobs)
        equal = np.ones(len(members))
        # trees add probabilities: for a row with only missing values, they predict the class frequencies
        combine = "sum" if all(type(member) is Tree for member in members) else "vote"
        found = Ensemble(*reading.names, tuple(members), equal, equal, combine=combine)
        found = agreed(found, reading.X, reading.weight())
        self.bags_ = bags
        if self.oob_score:
            self.oob_score_ = self._accuracy_out_of_bag(found, reading)
        return found

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Mean importance of each column over the trees, if all hypotheses are trees."""
        members = self.hypothesis_.members if hasattr(self, "hypothesis_") else ()
        if not members or any(type(member) is not Tree for member in members):
            raise AttributeError(f"this {type(self).__name__} is not an ensemble of trees")
        gini = getattr(self, "criterion", "") == "gini"
        return np.asarray(np.mean([class_importances(member, gini) for member in members], axis=0))

    def _forget(self) -> None:
        super()._forget()
        for name in ("bags_", "oob_score_"):
            self.__dict__.pop(name, None)

    def _accuracy_out_of_bag(self, ensemble: Ensemble, reading: ClassReading) -> float:
        """Return the accuracy of the out-of-bag votes over the rows that have any."""
        scores = np.zeros((len(reading), len(reading.classes)))
        for k, votes in enumerate(ensemble.votes(reading.X)):
            left_out = self.bags_.times(k) == 0
            scores[left_out] += votes[left_out]
        asked = (scores.sum(axis=1) > 0) & (reading.weight() > 0)
        if not asked.any():
            note("every row is in every bag, so oob_score_ is NaN; raise n_estimators")
            return float("nan")
        right = scores[asked].argmax(axis=1) == reading.labels[asked]
        return float(np.average(right, weights=reading.weight()[asked]))

    def _bags(self, reading: ClassReading) -> Bags:
        return Bags.drawn(
            reading.labels, reading.weight(), int(self.n_estimators), "bootstrap", self.random_state
        )

    def _learning(self, reading: ClassReading) -> Callable[[Bags, int], Any]:
        """Return the function that trains a hypothesis on one bag."""
        raise TypeError(f"{type(self).__name__} does not learn")


class Bagging(BaggingLearner):
    """Bagging: a vote of hypotheses learned from bags of rows drawn with replacement (Breiman 1996).

    A row is drawn in proportion to its weight. With `resampling="folds"`, each hypothesis learns from all
    rows but one fold: a vote of the hypotheses of a cross-validation (AIMA 18.10). Out-of-bag rows estimate
    the error: see `induce.evaluation.out_of_bag`.

    Missing values and categories not seen in training are handled by the learner; with the tree, the default,
    as for `DecisionTreeClassifier`.

    Parameters
    ----------
    estimator : estimator, optional
        Base classifier of induce or scikit-learn. None uses an unpruned decision tree, which splits nominal
        columns into two groups of values.
    n_estimators : int, default=50
        Number of hypotheses.
    resampling : {"bootstrap", "folds"}, default="bootstrap"
        Resampling scheme: bags drawn with replacement, or all rows but one fold.
    oob_score : bool, default=False
        Whether to estimate the accuracy on out-of-bag rows.
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
    bags_ : Bags
        Number of times each row occurs in each bag.
    oob_score_ : float
        Accuracy of the out-of-bag votes, with `oob_score`.

    See Also
    --------
    RandomForest : Many random trees that vote.
    AdaBoost : Boosted hypotheses.

    References
    ----------
    L. Breiman (1996). Bagging predictors. Machine Learning 24, 123-140.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> bagged = Bagging(n_estimators=20).fit(X[::2], y[::2])
    >>> round(bagged.score(X[1::2], y[1::2]), 3)
    0.96
    """

    parameters: ClassVar[Declared] = {
        "estimator": Parameter(
            "Base classifier; None uses an unpruned decision tree.", ClassLearner(), none=True
        ),
        "resampling": choice(
            "Resampling scheme: bags drawn with replacement, or all rows but one fold.", *RESAMPLING
        ),
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        resampling: str = "bootstrap",
        oob_score: bool = False,
        n_jobs: int | None = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.resampling = resampling
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _bags(self, reading: ClassReading) -> Bags:
        if self.resampling == "folds" and not 2 <= self.n_estimators <= len(reading):
            raise InputError(
                f"n_estimators is {self.n_estimators}, but {len(reading)} rows can be split into 2 to "
                f"{len(reading)} folds; give such a number, or resampling='bootstrap'"
            )
        how = int(self.n_estimators), self.resampling, self.random_state
        return Bags.drawn(reading.labels, reading.weight(), *how)

    def _learning(self, reading: ClassReading) -> Callable[[Bags, int], Any]:
        estimator = DecisionTreeClassifier(nominal="subset") if self.estimator is None else self.estimator
        training = Training(estimator, reading)
        return lambda bags, k: training.learn(bags.times(k), int(bags.seeds[k]), f"with bag {k + 1}")
