"""Random forests: bagged trees that choose among a few columns at every node."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from induce.core.errors import InputError
from induce.core.parameters import at_least, one_of
from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.data.training import Examples
from induce.ensembles.bags import Bags
from induce.ensembles.learners.bagging import BaggingLearner
from induce.estimators import ClassReading
from induce.trees.binning import MOST_BINS, grow_binned
from induce.trees.growth import GrowthRule
from induce.trees.prepared import Prepared


class RandomForest(BaggingLearner):
    """A random forest: trees from bags of rows, each test chosen among a few columns drawn anew (Breiman 2001).

    Nominal columns are divided in two groups of values. A row whose tested value is missing goes down both branches,
    in shares as large as those of the rows whose value is known; a category not seen in training gets the
    distribution of the node that asks. Rows that a tree did not learn from estimate the error: see
    `induce.evaluation.out_of_bag`.

    Parameters
    ----------
    n_estimators : int
        The number of trees.
    criterion : {"gini", "gain", "gain_ratio"}
        How tests are compared.
    max_features : "sqrt", int or float
        How many columns are drawn at each node: the root of their number, a number, or a share.
    max_depth : int, optional
    min_samples_leaf : float
        Both branches of a test must have this weight.
    bins : int, optional
        At most so many intervals of each numeric column have thresholds between them. None: as many as there are
        different numbers, up to 65,535.
    n_jobs : int, optional
        The number of threads; the result is the same.
    class_weight : dict or "balanced", optional
    schema : Schema or dict, optional
        What is known of the columns beyond their types.
    random_state : int, Generator or None

    Attributes
    ----------
    hypothesis_ : Ensemble
    bags_ : Bags
        How often each row is in each bag.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("wine")
    >>> forest = RandomForest(n_estimators=30).fit(X[::2], y[::2])
    >>> round(forest.score(X[1::2], y[1::2]), 3)
    0.966
    """

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        criterion: str = "gini",
        max_features: str | float = "sqrt",
        max_depth: int | None = None,
        min_samples_leaf: float = 1,
        bins: int | None = 255,
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
        self.n_jobs = n_jobs
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _learning(self, X: Any, y: Any, reading: ClassReading) -> Callable[[Bags, int], Any]:
        rule = GrowthRule(
            measure=self.criterion,
            nominal="subset",
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
        )
        n_tried = self._n_tried(len(reading.schema.inputs()))
        settled = reading.schema, reading.target, reading.classes
        prepared = Prepared(reading.table)
        n_bins = MOST_BINS if self.bins is None else int(self.bins)
        prepared.binned(n_bins)

        def learn(bags: Bags, k: int) -> Any:
            bag = Examples(reading.table, reading.labels, bags.times(k), len(reading.classes))
            return grow_binned(bag, *settled, rule, n_bins, None, prepared, n_tried, int(bags.seeds[k]))

        return learn

    def _n_tried(self, n_columns: int) -> int:
        asked = self.max_features
        if asked == "sqrt":
            return max(1, math.isqrt(n_columns))
        if isinstance(asked, int) and not isinstance(asked, bool) and asked >= 1:
            return min(n_columns, asked)
        if isinstance(asked, float) and 0 < asked <= 1:
            return max(1, round(asked * n_columns))
        raise InputError(
            f"max_features is {asked!r}; give 'sqrt', a number of columns, or a share of them up to 1.0"
        )

    def _check(self) -> None:
        super()._check()
        one_of("criterion", self.criterion, ("gini", "gain", "gain_ratio"))
        at_least("min_samples_leaf", self.min_samples_leaf, 0)
        for name, least in (("max_depth", 0), ("bins", 2)):
            if getattr(self, name) is not None:
                at_least(name, getattr(self, name), least, whole=True)
