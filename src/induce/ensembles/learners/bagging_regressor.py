"""Bagging for regression: the mean of hypotheses trained on bootstrap samples of the same examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from induce.core.parameters import Declared, Parameter
from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.ensembles.learners.number_members import BagsOfNumbers, Floats, NumberLearner, member_learning
from induce.estimators import NumberReading
from induce.trees.regression.growth import RegressionRule


class BaggingRegressor(BagsOfNumbers):
    """Bagging for regression: the mean of hypotheses learned from bags of rows drawn with replacement.

    A row is drawn in proportion to its weight (Breiman 1996). Missing values and categories not seen in
    training are handled by the learner; with the tree, the default, as for `DecisionTreeRegressor`.

    Parameters
    ----------
    estimator : estimator, optional
        Base regressor of induce or scikit-learn. None uses an unpruned regression tree.
    n_estimators : int, default=50
        Number of hypotheses.
    oob_score : bool, default=False
        Whether to estimate R2 on out-of-bag rows.
    n_jobs : int, optional
        Number of threads; it does not change the result.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed; None draws a new one at each fit.

    Attributes
    ----------
    hypothesis_ : NumberEnsemble
        The learned ensemble.
    bags_ : Bags
        Number of times each row occurs in each bag.
    feature_importances_ : array of float64
        Mean relative reduction of the squared error by each column in the trees.
    oob_score_ : float
        R2 of the out-of-bag predictions, with `oob_score`.

    See Also
    --------
    Bagging : Hypotheses of bootstrap samples that vote.
    RandomForestRegressor : Averaged random regression trees.

    References
    ----------
    Breiman (1996). Bagging predictors. Machine Learning 24, 123-140.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> bagged = BaggingRegressor(n_estimators=6).fit(X[::2], y[::2])
    >>> round(bagged.score(X[1::2], y[1::2]), 2)
    0.28
    """

    parameters: ClassVar[Declared] = {
        "estimator": Parameter(
            "Base regressor; None uses an unpruned regression tree.", NumberLearner(), none=True
        ),
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        oob_score: bool = False,
        n_jobs: int | None = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.schema = schema
        self.random_state = random_state

    def _learning(self, reading: NumberReading) -> Callable[[Floats, int, str], Any]:
        return member_learning(self.estimator, reading, RegressionRule())
