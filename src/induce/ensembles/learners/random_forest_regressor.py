"""Random forests for regression: bagged regression trees, with optional random columns at every node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from induce.core.parameters import Declared, number, whole
from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.ensembles.averaged import NumberEnsemble
from induce.ensembles.learners.number_members import BagsOfNumbers, Floats, tree_learning
from induce.ensembles.learners.random_forest import MAX_FEATURES, n_tried
from induce.estimators import NumberReading
from induce.trees.regression.growth import RegressionRule


class RandomForestRegressor(BagsOfNumbers):
    """A random forest for regression: the mean of regression trees from bags of rows (Breiman 2001).

    Each split is chosen among `max_features` random columns; by default among all, as in scikit-learn.
    Nominal columns are split into two groups of values. A row whose tested value is missing takes the branch
    with the most training rows; a category not seen in training gets the prediction of the node that tests
    it.

    Bags follow from the seed and the row numbers, and the columns of a node from the path to it. A table in parts
    (`induce.scan`) gives the trees of the same rows in memory, if no column has more than 255 different
    numbers.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    max_features : {"sqrt", "log2"}, int or float, default=1.0
        Number of columns drawn at each node: the square root or logarithm of their number, a number, or a fraction.
    max_depth : int, optional
        Maximum depth; None sets no limit.
    min_samples_split : float, default=2
        Minimum weight of a node that is split.
    min_samples_leaf : float, default=1
        Minimum weight of each branch of a split.
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
    RandomForest : Many random trees that vote.
    DecisionTreeRegressor : Regression trees.

    References
    ----------
    Breiman (2001). Random forests. Machine Learning 45, 5-32.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = RandomForestRegressor(n_estimators=8, max_features=0.3).fit(X[::2], y[::2])
    >>> round(forest.score(X[1::2], y[1::2]), 2)
    0.24
    """

    parameters: ClassVar[Declared] = {
        "n_estimators": whole("Number of trees.", at_least=1),
        "max_features": MAX_FEATURES,
        "max_depth": whole("Maximum depth; None sets no limit.", at_least=0, none=True),
        "min_samples_split": number("Minimum weight of a node that is split.", at_least=0),
        "min_samples_leaf": number("Minimum weight of each branch of a split.", at_least=0),
    }

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        max_features: str | float = 1.0,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        oob_score: bool = False,
        n_jobs: int | None = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.schema = schema
        self.random_state = random_state

    def _learning(self, reading: NumberReading) -> Callable[[Floats, int, str], Any]:
        return tree_learning(reading, self._rule(), self._n_tried(len(reading.schema.inputs())))

    def _n_tried(self, n_columns: int) -> int:
        return n_tried(self.max_features, n_columns)

    def _rule(self) -> RegressionRule:
        return RegressionRule(
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
        )

    def _n_passes(self) -> int:
        """Return the number of passes over a table in partitions, as if the two that bin it were a tenth of all."""
        return 20

    def _learn_scan(self, source: Any) -> NumberEnsemble:
        """Grow the trees on a partitioned table."""
        from induce.ensembles.learners.forests import regression_forest_of_partitions

        return regression_forest_of_partitions(self, source)
