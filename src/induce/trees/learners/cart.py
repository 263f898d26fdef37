"""CART: binary splits, cost-complexity pruning (Breiman and others)."""

from __future__ import annotations

from typing import Any

from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.trees.learners.decision_tree_classifier import DecisionTreeClassifier


class CART(DecisionTreeClassifier):
    """CART (Breiman and others): Gini index, binary and surrogate splits, cost-complexity pruning.

    A row whose tested value is missing follows up to five surrogate splits on the attributes that agree best
    with the test in training. If these are missing too, it takes the larger branch. A category not seen in
    training gets the class distribution of the node that tests it.

    Parameters
    ----------
    criterion : {"gini", "twoing"}, default="gini"
        Measure of a split; all others of `DecisionTreeClassifier` can be used too.
    missing : str, default="surrogate"
        Treatment of missing values, as in `DecisionTreeClassifier`.
    max_depth : int, optional
        Maximum depth; None sets no limit.
    min_samples_split : float, default=2
        Minimum weight of a node that is split.
    min_samples_leaf : float, default=1
        Minimum weight in at least two branches of a split.
    ccp_alpha : float, optional
        Cost of a leaf; None chooses it by cross-validation with the one-standard-error rule.
    cv : int, splitter or iterable of (train, test), default=10
        Folds of that cross-validation.
    pruning : str or None, default="cost-complexity"
        Pruning method, as for `DecisionTreeClassifier`; None disables pruning.
    knowledge : Knowledge, str, DomainTheory, ExpertRules, dict or hypothesis, optional
        Background knowledge: rules, which add derived columns, and laws, which every prediction obeys.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns.
    random_state : int, Generator or None, default=0
        Random seed of the cross-validation folds.

    See Also
    --------
    C45 : C4.5: gain ratio, error-based pruning.
    DecisionTreeRegressor : Regression trees.
    RandomForest : Many random trees that vote.

    References
    ----------
    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone (1984). Classification and Regression Trees.
    Wadsworth.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> print(induce.CART(random_state=1).fit(X, y).hypothesis_)
    petal length <= 2.45: setosa (50/50)
    petal length > 2.45
    |   petal width <= 1.75: versicolor (49/54)
    |   petal width > 1.75: virginica (45/46)
    """

    def __init__(
        self,
        *,
        criterion: str = "gini",
        missing: str = "surrogate",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        ccp_alpha: float | None = None,
        cv: Any = 10,
        pruning: str | None = "cost-complexity",
        knowledge: Any = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            criterion=criterion,
            nominal="subset",
            missing=missing,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            pruning=pruning,
            ccp_alpha=ccp_alpha,
            cv=cv,
            knowledge=knowledge,
            class_weight=class_weight,
            schema=schema,
            random_state=random_state,
        )
