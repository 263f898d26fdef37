"""Random forests: bagged trees with random candidate columns at every node."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

from induce.core.parameter_kinds import OneOf, Such, Whole
from induce.core.parameters import Declared, choice, either, number, whole
from induce.core.randomness import RandomState
from induce.core.trace import part
from induce.data.schema import Schema
from induce.data.training import Examples
from induce.ensembles.hypothesis import Ensemble
from induce.ensembles.learners.bagging import BaggingLearner
from induce.ensembles.learners.bags import Bags
from induce.estimators import ClassReading
from induce.trees.binning import MOST_BINS, grow_binned
from induce.trees.growth import SAME_MEASURES, GrowthRule
from induce.trees.prepared import Prepared

MAX_FEATURES = either(
    "Number of columns drawn at each node: 'sqrt' or 'log2' of their number, a number, or a fraction.",
    OneOf(("sqrt", "log2")),
    Whole(at_least=1),
    Such("a share", lambda value: isinstance(value, float) and 0 < value <= 1),
    otherwise="give 'sqrt', 'log2', a number of columns, or a fraction of them up to 1.0",
)


def n_tried(max_features: str | float, n_columns: int) -> int:
    """Return the number of columns drawn at each node.

    Examples
    --------
    >>> n_tried("sqrt", 20), n_tried("log2", 20), n_tried(0.5, 20), n_tried(3, 20)
    (4, 4, 10, 3)
    """
    if max_features == "sqrt":
        return max(1, math.isqrt(n_columns))
    if max_features == "log2":
        return max(1, int(math.log2(n_columns)))
    if isinstance(max_features, float):
        return max(1, round(max_features * n_columns))
    return min(n_columns, int(max_features))


class RandomForest(BaggingLearner):
    """A random forest: trees on bags of rows, with a few random candidate columns per split (Breiman 2001).

    Nominal columns are split into two groups of values. A row whose tested value is missing goes down both
    branches, in proportion to the rows with a known value. A category not seen in training gets the class
    distribution of the node that tests it. Out-of-bag rows estimate the error: see
    `induce.evaluation.out_of_bag`.

    Bags follow from the seed and the row numbers, and the columns of a node from the path to it, so that a
    partitioned table (`induce.scan`) gives the same trees as its rows in memory.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    criterion : {"gini", "gain", "gain_ratio"}, default="gini"
        Split criterion.
    max_features : {"sqrt", "log2"}, int or float, default="sqrt"
        Number of columns drawn at each node: the square root or logarithm of their number, a number, or a fraction.
    max_depth : int, optional
        Maximum depth; None sets no limit.
    min_samples_leaf : float, default=1
        Minimum weight of each branch of a split.
    bins : int or None, default=255
        Maximum number of intervals of a numeric column. None allows one per distinct value, up to 65,535.
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
    feature_importances_ : array of float64
        Mean relative reduction of impurity by each column in the trees.
    oob_score_ : float
        Accuracy of the out-of-bag votes, with `oob_score`.

    See Also
    --------
    RandomForestRegressor : Averaged random regression trees.
    Bagging : Hypotheses of bootstrap samples that vote.
    AdaBoost : Boosted hypotheses.

    References
    ----------
    L. Breiman (2001). Random forests. Machine Learning 45, 5-32.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("wine")
    >>> forest = RandomForest(n_estimators=30).fit(X[::2], y[::2])
    >>> round(forest.score(X[1::2], y[1::2]), 3)
    0.966
    """

    parameters: ClassVar[Declared] = {
        "n_estimators": whole("Number of trees.", at_least=1),
        "criterion": choice("Measure of a split.", "gini", "gain", "gain_ratio", also=SAME_MEASURES),
        "max_features": MAX_FEATURES,
        "max_depth": whole("Maximum depth; None sets no limit.", at_least=0, none=True),
        "min_samples_leaf": number("Minimum weight of each branch of a split.", at_least=0),
        "bins": whole(
            "Maximum number of intervals of a numeric column; None uses every value.", at_least=2, none=True
        ),
    }

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        criterion: str = "gini",
        max_features: str | float = "sqrt",
        max_depth: int | None = None,
        min_samples_leaf: float = 1,
        bins: int | None = 255,
        oob_score: bool = False,
        n_jobs: int | None = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_features = max_features
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.bins = bins
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _growth_rule(self) -> GrowthRule:
        return GrowthRule(
            measure=self.criterion,
            nominal="subset",
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
        )

    def _n_tried(self, n_columns: int) -> int:
        return n_tried(self.max_features, n_columns)

    def _learning(self, reading: ClassReading) -> Callable[[Bags, int], Any]:
        rule = self._growth_rule()
        tried = self._n_tried(len(reading.schema.inputs()))
        prepared = Prepared(reading.table)
        n_bins = MOST_BINS if self.bins is None else int(self.bins)
        prepared.binned(n_bins)

        def learn(bags: Bags, k: int) -> Any:
            bag = Examples(reading.table, reading.labels, bags.times(k), len(reading.classes))
            seed = int(bags.seeds[k])
            with part(f"member {k + 1}"):
                return grow_binned(bag, *reading.names, rule, n_bins, None, prepared, tried, seed)

        return learn

    def _n_passes(self) -> int:
        """Return the number of passes over a table in partitions, as if the two that bin it were a tenth of all."""
        return 20

    def _learn_scan(self, source: Any) -> Ensemble:
        """Grow the trees on a partitioned table."""
        from induce.ensembles.learners.forests import forest_of_partitions

        return forest_of_partitions(self, source)
