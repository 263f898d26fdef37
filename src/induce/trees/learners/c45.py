"""C4.5, which prunes by a pessimistic estimate of the error (Mitchell §3.7)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.trees.growth import GrowthRule
from induce.trees.learners.decision_tree_classifier import DecisionTreeClassifier


class C45(DecisionTreeClassifier):
    """C4.5 (Quinlan): gain ratio, penalised thresholds, fractional missing values, error-based pruning.

    A row whose tested value is missing goes down every branch with a fraction of its weight. A category not
    seen in training gets the class distribution of the node that tests it.

    Parameters
    ----------
    min_samples_leaf : float, default=2
        Minimum weight in at least two branches of a split.
    confidence_factor : float, default=0.25
        Confidence level of the pruning estimate; smaller values prune more.
    subtree_raising : bool, default=True
        Whether a subtree may be replaced by its largest branch.
    pruning : str or None, default="error-based"
        Pruning method, as for `DecisionTreeClassifier`; None disables pruning.
    max_depth : int, optional
        Maximum depth; None sets no limit.
    knowledge : Knowledge, str, DomainTheory, ExpertRules, dict or hypothesis, optional
        Background knowledge: rules, which add derived columns, and laws, which every prediction obeys.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns.
    random_state : int, Generator or None, default=0
        Random seed of the held-out examples for pruning.

    See Also
    --------
    C45Rules : Rules from a pruned tree.
    ID3 : Trees by information gain, without pruning.
    CART : Binary trees with cost-complexity pruning.

    References
    ----------
    J. R. Quinlan (1993). C4.5: Programs for Machine Learning. Morgan Kaufmann.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> print(induce.C45().fit(X, y).hypothesis_.size())
    9 nodes, 5 leaves, depth 4
    """

    def __init__(
        self,
        *,
        min_samples_leaf: float = 2,
        confidence_factor: float = 0.25,
        subtree_raising: bool = True,
        pruning: str | None = "error-based",
        max_depth: int | None = None,
        knowledge: Any = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            criterion="gain_ratio",
            max_depth=max_depth,
            min_samples_leaf=min_samples_leaf,
            min_gain=1e-6,
            guard_thresholds=True,
            pruning=pruning,
            confidence_factor=confidence_factor,
            subtree_raising=subtree_raising,
            knowledge=knowledge,
            class_weight=class_weight,
            schema=schema,
            random_state=random_state,
        )

    def _growth_rule(self) -> GrowthRule:
        rule = super()._growth_rule()
        return replace(rule, min_samples_split=2 * rule.min_samples_leaf)
