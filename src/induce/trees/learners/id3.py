"""ID3: information gain, grown until all examples are fitted (Mitchell Table 3.1)."""

from __future__ import annotations

from typing import Any

from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.trees.learners.decision_tree_classifier import DecisionTreeClassifier


class ID3(DecisionTreeClassifier):
    """Quinlan's ID3: information gain, one branch per value, no pruning by default (Table 3.1; Fig. 18.5).

    Numeric attributes are tested at thresholds. A row whose tested value is missing goes down every branch
    with a fraction of its weight. A category not seen in training gets the class distribution of the node
    that tests it.

    Parameters
    ----------
    max_depth : int, optional
        Maximum depth; None sets no limit.
    pruning : str, optional
        Pruning method, as for `DecisionTreeClassifier`; None disables pruning.
    validation_fraction : float, default=0.3333333333333333
        Fraction of the examples held out for reduced-error pruning.
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
    IncrementalID3 : ID3 row by row.
    BFSID3 : The smallest tree that fits.

    References
    ----------
    J. R. Quinlan (1979). Discovering rules by induction from large collections of examples. In Expert Systems in
    the Micro Electronic Age. Edinburgh University Press.

    J. R. Quinlan (1986). Induction of decision trees. Machine Learning 1, 81-106.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("restaurant")
    >>> print(induce.ID3(max_depth=1).fit(X, y).hypothesis_)
    Pat = None: No (2/2)
    Pat = Some: Yes (4/4)
    Pat = Full: No (4/6)
    """

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        pruning: str | None = None,
        validation_fraction: float = 1 / 3,
        knowledge: Any = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            max_depth=max_depth,
            pruning=pruning,
            validation_fraction=validation_fraction,
            knowledge=knowledge,
            class_weight=class_weight,
            schema=schema,
            random_state=random_state,
        )
