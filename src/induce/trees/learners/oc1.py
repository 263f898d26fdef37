"""OC1: tests of linear combinations, found by perturbation (Murthy and others)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from induce.core.parameters import Declared, choice, whole
from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.trees.growth import SAME_MEASURES
from induce.trees.learners.oblique import ObliqueLearner
from induce.trees.oblique.growth import Search
from induce.trees.oblique.search import HyperplaneSearch

CRITERIA = ("gain", "gini")


class OC1(ObliqueLearner):
    """OC1: tests on weighted sums of numeric columns (Murthy, Kasif and Salzberg 1994; Mitchell §3.7.2).

    At every node, the search starts from the best test of a single column and from random hyperplanes. It
    sets one coefficient at a time to the value that makes the sides purest, and tries random directions at a
    local optimum. A weighted sum is tested only if it is better than every single column, and columns it does
    not need are removed. Nominal columns are tested with one branch per value. A node with fewer than two
    examples per numeric column is split on single columns only. Random hyperplanes use at most 500 examples
    of a node; the best of them is then optimised on all.

    If a value in a sum is missing, the row goes down both branches with a fraction of its weight, in training
    and in prediction; in training, less than a tenth of a row takes the larger branch. During the search for
    hyperplanes, a missing value is replaced by the mean at the node. A category not seen in training gets the
    class distribution of the node that tests it.

    Parameters
    ----------
    criterion : {"gain", "gini"}, default="gain"
        Measure of a split.
    restarts : int, default=20
        Number of random hyperplanes to start from; more take longer and find better splits.
    jumps : int, default=5
        Number of random directions to try at a local optimum.
    max_depth : int, optional
        Maximum depth; None sets no limit.
    min_samples_split : float, default=2
        Minimum weight of a node that is split.
    min_samples_leaf : float, default=1
        Minimum weight in at least two branches of a split.
    pruning : {"cost-complexity", None, "reduced-error", "error-based"}, default="cost-complexity"
        Pruning method. Cost-complexity pruning uses ten-fold cross-validation; above 1000 examples it holds
        out a third, as reduced-error pruning always does. Error-based pruning was designed for tests of
        single columns and prunes oblique trees too little if classes overlap. None disables pruning.
    knowledge : Knowledge, str, DomainTheory, ExpertRules, dict or hypothesis, optional
        Background knowledge: rules, which add derived columns, and laws, which every prediction obeys.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns.
    random_state : int, Generator or None, default=0
        Random seed of restarts, random directions and the held-out examples for pruning.

    Attributes
    ----------
    hypothesis_ : ObliqueTree
        The learned tree.

    See Also
    --------
    LMDT : Trees of linear machines.
    CART : Binary trees with cost-complexity pruning.

    References
    ----------
    S. K. Murthy, S. Kasif and S. Salzberg (1994). A system for induction of oblique decision trees. Journal of
    Artificial Intelligence Research 2, 1-32.

    Examples
    --------
    >>> import induce
    >>> from induce.trees.learners.oc1 import OC1
    >>> X, y = induce.dataset("iris")
    >>> print(OC1().fit(X[["petal length", "petal width"]], y).hypothesis_)
    petal length <= 2.45: setosa (50/50)
    petal length > 2.45
    |   0.4124 petal length + petal width <= 3.55: versicolor (47/47)
    |   0.4124 petal length + petal width > 3.55: virginica (50/53)
    """

    parameters: ClassVar[Declared] = {
        "criterion": choice("Measure of a split.", *CRITERIA, also=SAME_MEASURES),
        "restarts": whole("Number of random hyperplanes to start from.", at_least=0),
        "jumps": whole("Number of random directions to try at a local optimum.", at_least=0),
    }

    def __init__(
        self,
        *,
        criterion: str = "gain",
        restarts: int = 20,
        jumps: int = 5,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        pruning: str | None = "cost-complexity",
        knowledge: Any = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.criterion = criterion
        self.restarts = restarts
        self.jumps = jumps
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.pruning = pruning
        self.knowledge = knowledge
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _search(self, random: np.random.Generator) -> Search:
        return HyperplaneSearch(int(self.restarts), int(self.jumps), random)

    def _measure(self) -> str:
        return self.criterion
