"""LMDT: decision trees with a linear machine at each node (Utgoff and Brodley)."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.trees.learners.oblique import ObliqueLearner
from induce.trees.oblique.growth import Search
from induce.trees.oblique.search import MachineSearch


class LMDT(ObliqueLearner):
    """Utgoff and Brodley's linear machine decision trees (1991; Mitchell §3.7.2).

    Every node has a linear machine: a weighted sum of the numeric columns plus a constant for each of its
    classes. The largest sum determines the branch of an example. The machine is trained by error correction
    with decreasing steps, and then again with fewer and fewer columns. Among the machines within one standard
    error of the best accuracy, the one with the fewest columns is kept. With only two classes left, the
    machine is a single sum with a threshold and is shown as one. Nominal columns with a branch per value are
    used where they have more information gain. A node that its machine does not split is a leaf.

    If a value in a machine's sums is missing, the row goes down all branches with a fraction of its weight,
    in training and in prediction; in training, less than a tenth of a row takes the largest branch. While a
    machine is trained, a missing value is replaced by the mean at the node. A category not seen in training
    gets the class distribution of the node that tests it.

    Parameters
    ----------
    max_depth : int, optional
        Maximum depth; None sets no limit.
    min_samples_split : float, default=2
        Minimum weight of a node that is split.
    min_samples_leaf : float, default=1
        Minimum weight in at least two branches of a split.
    pruning : {"error-based", None, "reduced-error", "cost-complexity"}, default="error-based"
        Pruning method; None disables pruning.
    knowledge : Knowledge, str, DomainTheory, ExpertRules, dict or hypothesis, optional
        Background knowledge: rules, which add derived columns, and laws, which every prediction obeys.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns.
    random_state : int, Generator or None, default=0
        Random seed of the order of examples when a machine is trained, and of the held-out examples for
        pruning.

    Attributes
    ----------
    hypothesis_ : ObliqueTree
        The learned tree.

    See Also
    --------
    OC1 : Trees of oblique tests.
    C45 : C4.5: gain ratio, error-based pruning.

    References
    ----------
    P. E. Utgoff and C. E. Brodley (1991). Linear machine decision trees. Technical report 91-10, University of
    Massachusetts.

    Examples
    --------
    >>> import induce
    >>> from induce.trees.learners.lmdt import LMDT
    >>> X, y = induce.dataset("iris")
    >>> print(LMDT().fit(X[["petal length", "petal width"]], y).hypothesis_)
    linear machine 1 = setosa: setosa (50/50)
    linear machine 1 = versicolor: versicolor (47/47)
    linear machine 1 = virginica: virginica (50/53)
    <BLANKLINE>
    linear machine 1 is the largest of
        setosa: -0.3219 petal length - 0.65 petal width + 2.01
        versicolor: -0.1046 petal length - 0.35 petal width + 1.333
        virginica: 0.4265 petal length + petal width - 3.344
    """

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        pruning: str | None = "error-based",
        knowledge: Any = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.pruning = pruning
        self.knowledge = knowledge
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _search(self, random: np.random.Generator) -> Search:
        return MachineSearch(random)

    def _measure(self) -> str:
        return "gain"
