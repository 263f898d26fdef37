"""A tree of one test (AIMA 18.10)."""

from __future__ import annotations

from typing import Any

from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.trees.learners.decision_tree_classifier import DecisionTreeClassifier


class DecisionStump(DecisionTreeClassifier):
    """A tree of one test, the best for weighted examples (AIMA 18.10).

    A row whose tested value is missing goes down every branch with a fraction of its weight. A category not
    seen in training gets the class distribution of all examples.

    Parameters
    ----------
    criterion : str, default="gain"
        Measure of a split, as for `DecisionTreeClassifier`.
    nominal : {"multiway", "subset", "one-value"}, default="multiway"
        Branches of a nominal split.
    missing : str, default="fractional"
        Treatment of missing values, as for `DecisionTreeClassifier`.
    knowledge : Knowledge, str, DomainTheory, ExpertRules, dict or hypothesis, optional
        Background knowledge: rules, which add derived columns, and laws, which every prediction obeys.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns.
    random_state : int, Generator or None, default=0
        Random seed of the measure "random".

    See Also
    --------
    AdaBoost : Boosted hypotheses.
    C45 : C4.5: gain ratio, error-based pruning.

    References
    ----------
    R. C. Holte (1993). Very simple classification rules perform well on most commonly used datasets. Machine
    Learning 11, 63-90.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(induce.DecisionStump().fit(X, y, sample_weight=[3] * 7 + [1] * 7).hypothesis_)
    Outlook = Sunny: No (7/9)
    Outlook = Overcast: Yes (8/8)
    Outlook = Rain: Yes (7/11)
    """

    def __init__(
        self,
        *,
        criterion: str = "gain",
        nominal: str = "multiway",
        missing: str = "fractional",
        knowledge: Any = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            criterion=criterion,
            nominal=nominal,
            missing=missing,
            max_depth=1,
            knowledge=knowledge,
            class_weight=class_weight,
            schema=schema,
            random_state=random_state,
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags
