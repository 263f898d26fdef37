"""Rules from a C4.5 tree, each pruned separately (rule post-pruning, Mitchell §3.7.1.2)."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np

from induce.core.folds import held_out
from induce.core.parameters import Declared, choice, number, truth
from induce.core.progress import report
from induce.core.randomness import RandomState
from induce.core.values import Value
from induce.data.schema import Schema
from induce.estimators import ClassReading, TableClassifier
from induce.hypotheses.conditions import Condition
from induce.hypotheses.rules import Rule, RuleList
from induce.trees.growth import grow
from induce.trees.hypothesis import Tree
from induce.trees.learners.base import TreeLearner
from induce.trees.learners.c45 import C45
from induce.trees.rule_pruning import (
    AccuracyEstimate,
    Coverage,
    PrunedRule,
    limited,
    observed,
    pessimistic,
    prune_rule,
    select,
    tightest,
)

ESTIMATES = ("c45", "pessimistic", "validation")


class C45Rules(TreeLearner, TableClassifier):
    """Rules from a C4.5 tree: one per leaf, pruned separately, sorted by estimated accuracy (§3.7.1.2).

    A missing value or a category not seen in training satisfies no condition. While the tree is grown, a row
    whose tested value is missing goes down every branch with a fraction of its weight.

    Parameters
    ----------
    estimate : {"c45", "pessimistic", "validation"}, default="c45"
        Estimate of the accuracy of a rule: one minus the upper confidence limit of the error at
        `confidence_factor`, the training accuracy less 1.96 standard deviations, or the accuracy on held-out
        examples.
    strict : bool, default=False
        Whether dropping a condition must raise the estimate; if not, the estimate must not fall.
    select : bool, default=True
        Whether to drop rules whose removal does not raise the estimated errors of the list; if not, every
        leaf gives a rule.
    min_samples_leaf : float, default=2
        Minimum weight in at least two branches of a split of the tree.
    confidence_factor : float, default=0.25
        Confidence level of the estimate; smaller values give lower estimates for rules of few examples.
    validation_fraction : float, default=0.3333333333333333
        Fraction of the examples held out when `estimate` is "validation".
    knowledge : Knowledge, str, DomainTheory, ExpertRules, dict or hypothesis, optional
        Background knowledge: rules, which add derived columns, and laws, which every prediction obeys.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns.
    random_state : int, Generator or None, default=0
        Random seed of the held-out examples.

    Attributes
    ----------
    hypothesis_ : RuleList
        The learned rules.

    See Also
    --------
    C45 : C4.5: gain ratio, error-based pruning.
    PART : Rules from partial trees.
    RIPPER : Rules pruned by description length.

    References
    ----------
    J. R. Quinlan (1993). C4.5: Programs for Machine Learning. Morgan Kaufmann.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> print(induce.C45Rules().fit(X, y).hypothesis_)
    IF 0.8 < petal width <= 1.55 AND petal length <= 4.95 THEN versicolor (45/45)
    IF petal width > 1.75 THEN virginica (45/46)
    IF petal length > 4.95 THEN virginica (44/46)
    IF 1.55 < petal width <= 1.75 THEN versicolor (4/6)
    DEFAULT setosa (50/50)
    """

    hypothesis_: RuleList

    parameters: ClassVar[Declared] = {
        "estimate": choice("Estimate of the accuracy of a rule.", *ESTIMATES),
        "strict": truth("Whether dropping a condition must raise the estimate; if not, it must not fall."),
        "select": truth(
            "Whether to drop rules whose removal does not raise the estimated errors of the list."
        ),
        "confidence_factor": number(
            "Confidence level of the estimate; smaller values give lower estimates for rules of few "
            "examples.",
            above=0,
            below=1,
        ),
        "validation_fraction": number(
            "Fraction of the examples held out when estimate is 'validation'.", above=0, below=1
        ),
    }

    def __init__(
        self,
        *,
        estimate: str = "c45",
        strict: bool = False,
        select: bool = True,
        min_samples_leaf: float = 2,
        confidence_factor: float = 0.25,
        validation_fraction: float = 1 / 3,
        knowledge: Any = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.estimate = estimate
        self.strict = strict
        self.select = select
        self.min_samples_leaf = min_samples_leaf
        self.confidence_factor = confidence_factor
        self.validation_fraction = validation_fraction
        self.knowledge = knowledge
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _learn(self, reading: ClassReading) -> RuleList:
        rule = C45(
            min_samples_leaf=self.min_samples_leaf, confidence_factor=self.confidence_factor
        )._growth_rule()
        examples = reading.examples()
        training, judged = examples, examples
        if self.estimate == "validation":
            train, held = held_out(examples.labels, self.validation_fraction, self.random_state)
            training, judged = examples.rows(train), examples.rows(held)
        tree = grow(training, *reading.names, rule, report)
        return self._rules(tree, Coverage(judged), Coverage(examples))

    def _rules(self, tree: Tree, judged: Coverage, everything: Coverage) -> RuleList:
        pruned: dict[tuple[frozenset[Condition], int], PrunedRule] = {}
        for leaf, path in tree.paths():
            if tree.counts[leaf].sum() > 0:
                rule = prune_rule(
                    tightest(path), int(tree.majority[leaf]), judged, self._estimate(), self.strict
                )
                pruned.setdefault((frozenset(rule.conditions), rule.prediction), rule)
        ordered = sorted(pruned.values(), key=lambda rule: -round(rule.accuracy, 12))
        class_counts = counts = everything.counts(everything.everything)
        default = int(np.argmax(counts))
        if self.select:
            ordered = select(ordered, everything, default, self.confidence_factor)
            left_over = self._left_over(ordered, everything)
            counts = left_over if sum(left_over) > 0 else counts
        return RuleList(
            tree.schema,
            tree.target,
            tree.classes,
            tuple(self._printed(rule, tree.classes, everything) for rule in ordered),
            tree.classes[default],
            counts,
            class_counts=class_counts,
        )

    def _left_over(self, rules: list[PrunedRule], everything: Coverage) -> tuple[float, ...]:
        """Return the class counts of the examples that no rule covers."""
        left = everything.everything
        for rule in rules:
            left = left & ~everything.all_of(rule.conditions)
        return everything.counts(left)

    def _printed(self, rule: PrunedRule, classes: tuple[Value, ...], everything: Coverage) -> Rule:
        counts = everything.counts(everything.all_of(rule.conditions))
        return Rule(rule.conditions, classes[rule.prediction], counts).simplified()

    def _estimate(self) -> AccuracyEstimate:
        if self.estimate == "pessimistic":
            return pessimistic
        if self.estimate == "validation":
            return observed
        return partial(limited, confidence_factor=self.confidence_factor)
