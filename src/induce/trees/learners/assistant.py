"""ASSISTANT: binary trees, stopped early and pruned by expected error."""

from __future__ import annotations

from typing import Any

from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.trees.learners.decision_tree_classifier import DecisionTreeClassifier


class ASSISTANT(DecisionTreeClassifier):
    """ASSISTANT (Kononenko, Bratko and Roškar 1984; Cestnik and others 1987): binary trees, stopped and pruned.

    Nominal values are grouped in two, and numeric attributes are cut at a threshold. Growth stops at nodes of
    low weight and at splits of low gain; then subtrees are pruned by their expected error. A row whose tested
    value is missing goes down both branches with fractions of its weight: in training, those of the rows of
    its class; in prediction, those of all rows. A category not seen in training gets the class distribution
    of the node that tests it.

    Parameters
    ----------
    min_samples_leaf : float, default=2
        Minimum weight in each branch of a split.
    min_gain : float, default=0.01
        Minimum gain of a split.
    m : float, optional
        m of the m-estimate of the expected error; None uses Laplace's estimate.
    pruning : str or None, default="minimum-error"
        Pruning method, as for `DecisionTreeClassifier`; None disables pruning.
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
    C45 : C4.5: gain ratio, error-based pruning.
    CART : Binary trees with cost-complexity pruning.
    ID3 : Trees by information gain, without pruning.

    References
    ----------
    I. Kononenko, I. Bratko and E. Roskar (1984). Experiments in automatic learning of medical diagnostic rules.
    Jozef Stefan Institute, Ljubljana.

    B. Cestnik, I. Kononenko and I. Bratko (1987). ASSISTANT 86: a knowledge-elicitation tool for sophisticated
    users. In Progress in Machine Learning. Sigma Press.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(induce.ASSISTANT().fit(X, y).hypothesis_)
    Outlook in {Sunny, Rain}
    |   Humidity = High: No (4/5)
    |   Humidity = Normal: Yes (4/5)
    Outlook = Overcast: Yes (4/4)
    """

    def __init__(
        self,
        *,
        min_samples_leaf: float = 2,
        min_gain: float = 0.01,
        m: float | None = None,
        pruning: str | None = "minimum-error",
        knowledge: Any = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            nominal="subset",
            missing="class-distributed",
            min_samples_leaf=min_samples_leaf,
            min_gain=min_gain,
            m=m,
            pruning=pruning,
            knowledge=knowledge,
            class_weight=class_weight,
            schema=schema,
            random_state=random_state,
        )
