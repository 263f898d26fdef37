"""Hunt's Concept Learning System: lowest cost of tests and misclassifications, with look-ahead."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.parameters import Declared, anything, whole
from induce.core.values import Value, by_class
from induce.data.schema import Schema
from induce.estimators import ClassReading, TableClassifier
from induce.trees.hypothesis import Tree
from induce.trees.learners.base import TreeLearner
from induce.trees.searches import _loops as loops
from induce.trees.searches.lookahead import THRESHOLDS, Lookahead

Floats = NDArray[np.float64]


class CLS(TreeLearner, TableClassifier):
    """Hunt's Concept Learning System: the tree of lowest cost of tests and misclassifications (Hunt 1966).

    The cost of a leaf is the cost of its misclassifications when it predicts its most common class. The cost
    of a test is its price for every example that takes it, plus the cost of its branches after up to
    `lookahead` more tests on every path. A node gets the cheapest test, and stays a leaf if no test is
    cheaper. The price of testing an attribute is the `cost` of its column in the schema, by default 1;
    testing it again further down is free.

    A row whose tested value is missing goes down the branch with the most training examples, in training and
    in prediction. A category not seen in training gets the class distribution of the node that tests it.

    Parameters
    ----------
    lookahead : int, default=1
        Number of tests to look ahead below a test.
    misclassification_cost : float, dict or matrix, default=10.0
        Cost of a misclassification: one number, a number for each true class, or a square matrix with a row
        for each true class and a column for each predicted class, in the order of `classes_`.
    max_depth : int, optional
        Maximum depth; None sets no limit.
    max_thresholds : int, default=32
        Maximum number of thresholds of a numeric attribute considered in the look-ahead.
    knowledge : Knowledge, str, DomainTheory, ExpertRules, dict or hypothesis, optional
        Background knowledge: rules, which add derived columns, and laws, which every prediction obeys.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns, with the costs of tests.

    Attributes
    ----------
    hypothesis_ : Tree
        The learned tree.

    See Also
    --------
    ID3 : Trees by information gain, without pruning.
    LookaheadTree : Trees with look-ahead over several tests.

    References
    ----------
    E. B. Hunt, J. Marin and P. J. Stone (1966). Experiments in Induction. Academic Press.

    Examples
    --------
    When measuring the humidity is expensive, the tree avoids it:

    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(CLS().fit(X, y).hypothesis_)
    Outlook = Sunny
    |   Humidity = High: No (3/3)
    |   Humidity = Normal: Yes (2/2)
    Outlook = Overcast: Yes (4/4)
    Outlook = Rain
    |   Wind = Weak: Yes (3/3)
    |   Wind = Strong: No (2/2)
    >>> print(CLS(schema={"Humidity": {"cost": 3}}).fit(X, y).hypothesis_)
    Outlook = Sunny
    |   Temperature = Hot: No (2/2)
    |   Temperature = Mild
    |   |   Wind = Weak: No (1/1)
    |   |   Wind = Strong: Yes (1/1)
    |   Temperature = Cool: Yes (1/1)
    Outlook = Overcast: Yes (4/4)
    Outlook = Rain
    |   Wind = Weak: Yes (3/3)
    |   Wind = Strong: No (2/2)
    """

    hypothesis_: Tree

    parameters: ClassVar[Declared] = {
        "lookahead": whole("Number of tests to look ahead below a test.", at_least=0),
        "misclassification_cost": anything(
            "Cost of a misclassification: a number, a dict from classes to numbers, or a matrix in "
            "the order of classes_.",
            "a number, a dict from classes to numbers or a matrix",
        ),
        "max_thresholds": THRESHOLDS,
    }

    def __init__(
        self,
        *,
        lookahead: int = 1,
        misclassification_cost: Any = 10.0,
        max_depth: int | None = None,
        max_thresholds: int = 32,
        knowledge: Any = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.lookahead = lookahead
        self.misclassification_cost = misclassification_cost
        self.max_depth = max_depth
        self.max_thresholds = max_thresholds
        self.knowledge = knowledge
        self.class_weight = class_weight
        self.schema = schema

    def _learn(self, reading: ClassReading) -> Tree:
        examples, schema, classes = reading.examples(), reading.schema, reading.classes
        cost = _cost_matrix(self.misclassification_cost, self.classes_.tolist(), classes)
        prices = np.array([column.cost for column in schema.inputs()], dtype=np.float64)
        lookahead = Lookahead(
            examples, loops.COST, self.lookahead, self.max_thresholds, self.max_depth, prices, cost
        )
        return lookahead.tree(*reading.names)


def _cost_matrix(given: Any, ordered: list[Value], classes: tuple[Value, ...]) -> Floats:
    """Return the misclassification costs by true and predicted class, in the order of `classes`."""
    n = len(ordered)
    if isinstance(given, dict):
        given = by_class(given, ordered)
    absent = [value for value in ordered if value not in given] if isinstance(given, dict) else []
    if absent:
        raise InputError(
            f"misclassification_cost has no entry for the class {absent[0]!r}; give a cost for each class"
        )
    try:
        costs = np.array(
            [[given[value]] for value in ordered] if isinstance(given, dict) else given, np.float64
        )
    except (TypeError, ValueError):
        raise InputError(
            f"misclassification_cost is {given!r}; give a number, a dict from classes to numbers or a matrix"
        ) from None
    if isinstance(given, dict) or costs.ndim == 0:
        costs = np.where(np.eye(n, dtype=bool) & (costs >= 0), 0.0, costs)
    if costs.shape != (n, n):
        raise InputError(
            f"misclassification_cost has shape {costs.shape}, but there are {n} classes; give a matrix of "
            f"{n} rows and {n} columns in the order of classes_"
        )
    if not np.isfinite(costs).all() or (costs < 0).any():
        raise InputError(
            "misclassification_cost contains a negative, infinite or NaN cost; give "
            "finite costs of at least 0"
        )
    if costs.diagonal().any() or (n > 1 and not costs.any()):
        raise InputError(
            "misclassification_cost must be 0 on the diagonal, where the prediction is right, and "
            "above 0 in some other cell"
        )
    order = [ordered.index(value) for value in classes]
    return costs[np.ix_(order, order)]
