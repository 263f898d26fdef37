"""Look-ahead trees: splits are evaluated by the best further splits below them."""

from __future__ import annotations

from typing import Any, ClassVar

from induce.core.parameters import Declared, choice, whole
from induce.data.schema import Schema
from induce.estimators import ClassReading, TableClassifier
from induce.trees.growth import SAME_MEASURES
from induce.trees.hypothesis import Tree
from induce.trees.learners.base import TreeLearner
from induce.trees.searches import _loops as loops
from induce.trees.searches.lookahead import THRESHOLDS, Lookahead

MEASURES = {"gain": loops.ENTROPY, "gini": loops.GINI}


class LookaheadTree(TreeLearner, TableClassifier):
    """A tree whose tests are chosen by looking ahead at the tests that can follow.

    A node gets the test after which up to `steps` more tests on every path can make the examples purest; ties
    go to the test that needs fewer of them. Then the branches are grown in the same way. Nominal attributes
    have one branch per declared value, numeric and ordered ones two. Growth ends when the examples of a node
    are of one class or no test separates them. Each step multiplies the time by the number of tests.

    A row whose tested value is missing goes down the branch with the most training examples, in training and
    in prediction. A category not seen in training gets the class distribution of the node that tests it.

    Parameters
    ----------
    steps : int, default=1
        Number of tests to look ahead below a test; 0 gives ID3's tree if no value is missing.
    criterion : {"gain", "gini"}, default="gain"
        Measure of impurity: entropy or Gini index.
    max_depth : int, optional
        Maximum depth; None sets no limit.
    max_thresholds : int, default=32
        Maximum number of thresholds per numeric attribute considered in the look-ahead: evenly spaced among
        those at a node, plus the best single one. The last step of the look-ahead considers all.
    knowledge : Knowledge, str, DomainTheory, ExpertRules, dict or hypothesis, optional
        Background knowledge: rules, which add derived columns, and laws, which every prediction obeys.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns.

    Attributes
    ----------
    hypothesis_ : Tree
        The learned tree.

    See Also
    --------
    C45 : C4.5: gain ratio, error-based pruning.
    BFSID3 : The smallest tree that fits.

    References
    ----------
    S. K. Murthy and S. Salzberg (1995). Lookahead and pathology in decision tree induction. In IJCAI, 1025-1031.

    Examples
    --------
    Neither input of an exclusive or is informative without the other:

    >>> import induce
    >>> from itertools import product
    >>> X = list(product([0, 1], repeat=4))
    >>> y = [c != d for a, b, c, d in X]
    >>> print(LookaheadTree(steps=0).fit(X, y).hypothesis_.size())
    31 nodes, 16 leaves, depth 4
    >>> print(LookaheadTree(steps=1).fit(X, y).hypothesis_)
    x2 <= 0.5
    |   x3 <= 0.5: False (4/4)
    |   x3 > 0.5: True (4/4)
    x2 > 0.5
    |   x3 <= 0.5: True (4/4)
    |   x3 > 0.5: False (4/4)
    """

    hypothesis_: Tree

    parameters: ClassVar[Declared] = {
        "steps": whole("Number of tests to look ahead below a test; 0 gives ID3's tree.", at_least=0),
        "criterion": choice("Measure of impurity.", *MEASURES, also=SAME_MEASURES),
        "max_thresholds": THRESHOLDS,
    }

    def __init__(
        self,
        *,
        steps: int = 1,
        criterion: str = "gain",
        max_depth: int | None = None,
        max_thresholds: int = 32,
        knowledge: Any = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.steps = steps
        self.criterion = criterion
        self.max_depth = max_depth
        self.max_thresholds = max_thresholds
        self.knowledge = knowledge
        self.class_weight = class_weight
        self.schema = schema

    def _learn(self, reading: ClassReading) -> Tree:
        examples = reading.examples()
        lookahead = Lookahead(
            examples, MEASURES[self.criterion], self.steps, self.max_thresholds, self.max_depth
        )
        return lookahead.tree(*reading.names)
