"""PART: rules from partial trees (Frank and Witten 1998)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from induce.core import trace
from induce.core.folds import hold_out
from induce.core.interrupts import interruptible
from induce.core.parameters import Declared, choice, number, truth, whole
from induce.core.progress import report
from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.estimators import ClassReading, TableClassifier
from induce.hypotheses.conditions import Condition, covered_by_all
from induce.hypotheses.rules import RuleList
from induce.rules.learners.base import RuleClassifier, problem_of
from induce.rules.part_trees import Counted, Estimated, Mask, PartialTree, Replacement
from induce.rules.training import Premise, Problem
from induce.trees.growth import GrowthRule

LEAST_SHARE = 1 / 1000
PRUNINGS = ("error-based", "reduced-error")


class PART(RuleClassifier, TableClassifier):
    """Frank and Witten's PART: each rule is the heaviest leaf of a partial C4.5 tree on the remaining rows.

    PART is sequential covering (Mitchell §10.2) with rules from trees (§3.7). To find a rule, a tree is grown
    only as far as needed to reach a leaf. The purest subset of a split is processed first, and the next ones
    only if all previous ones have become leaves. Once all have, a leaf replaces the split unless its expected
    error is higher. The leaf with the most rows becomes the rule, and its covered rows are removed. Then a
    new tree is grown on the remaining rows, until a tree is a single leaf, the default.

    A missing value or a category not seen in training satisfies no condition. A rule therefore removes only
    rows whose tested values are all known, and only these count for the size of a leaf. Inside a tree, a row
    whose tested value is missing goes down every branch with a fraction of its weight. Without missing
    values, Weka's PART finds almost always the same rules. Weka also removes fractions of rows and combines
    several rules in a prediction, which a printed rule list cannot.

    Parameters
    ----------
    confidence_factor : float, default=0.25
        Confidence level of error-based pruning, above 0 and at most 0.5; smaller values prune more.
    min_samples_leaf : float, optional
        Minimum weight in at least two subsets of a split, and of a rule. None uses 2, or a thousandth of the
        total weight in larger tables, where lighter rules do not pay.
    pruning : {"error-based", "reduced-error"} or None, default="error-based"
        Criterion for replacing a split by a leaf: C4.5's pessimistic estimate, or the errors on held-out
        rows; None never replaces a split.
    folds : int, default=3
        Number of folds of the rows; one of them is held out for reduced-error pruning.
    binary_splits : bool, default=False
        Whether a nominal attribute is tested for one value against the others instead of all values.
    max_rules : int, optional
        Maximum number of rules; the default rule covers the rest.
    max_length : int, optional
        Maximum number of tests on the path to a leaf.
    knowledge : Knowledge, str, DomainTheory, ExpertRules, dict or hypothesis, optional
        Background knowledge: rules, which add derived columns, and laws, which every prediction obeys.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns.
    random_state : int, Generator or None, default=0
        Random seed of the held-out rows.

    Attributes
    ----------
    hypothesis_ : RuleList
        The learned rule list: the first rule that covers a row decides.

    See Also
    --------
    C45Rules : Rules from a pruned tree.
    RIPPER : Rules pruned by description length.

    References
    ----------
    E. Frank and I. H. Witten (1998). Generating accurate rule sets without global optimization. In International
    Conference on Machine Learning, 144-151.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> print(PART().fit(X, y).hypothesis_)
    IF petal width <= 0.8 THEN setosa (50/50)
    IF petal width <= 1.75 AND petal length <= 4.95 THEN versicolor (47/48)
    DEFAULT virginica (49/52)
    """

    parameters: ClassVar[Declared] = {
        "confidence_factor": number(
            "Confidence level of the pruning estimate; smaller values prune more.", above=0, at_most=0.5
        ),
        "min_samples_leaf": number(
            "Minimum weight in at least two branches of a split; None uses 2, or 1 in 1,000 of large tables.",
            at_least=0,
            none=True,
        ),
        "pruning": choice("Pruning method; None disables pruning.", *PRUNINGS, none=True),
        "folds": whole("Number of folds; one of them is held out for reduced-error pruning.", at_least=2),
        "binary_splits": truth("Whether a nominal attribute is tested for one value against the others."),
    }

    def __init__(
        self,
        *,
        confidence_factor: float = 0.25,
        min_samples_leaf: float | None = None,
        pruning: str | None = "error-based",
        folds: int = 3,
        binary_splits: bool = False,
        max_rules: int | None = None,
        max_length: int | None = None,
        knowledge: Any = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.confidence_factor = confidence_factor
        self.min_samples_leaf = min_samples_leaf
        self.pruning = pruning
        self.folds = folds
        self.binary_splits = binary_splits
        self.max_rules = max_rules
        self.max_length = max_length
        self.knowledge = knowledge
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _learn(self, reading: ClassReading) -> RuleList:
        problem = problem_of(reading)
        trees = PartialTree(problem, self._growth_rule(float(problem.counts().sum())))
        held = self._held_out(problem)
        left = np.ones(len(held), np.bool_)
        rules: list[Premise] = []
        with interruptible(rules):
            while len(rules) != self.max_rules:
                found = self._next(problem, trees, left, held)
                if found is None:
                    break
                conditions, covered = found
                rules.append((conditions, _majority(problem, covered)))
                if trace.active("rule"):
                    trace.emit("rule", conditions=tuple(map(str, conditions)), rows=int(covered.sum()))
                left &= ~covered
                report(1.0 - np.count_nonzero(left) / len(left))
            report(1.0)
        return problem.ordered_list(rules)

    def _next(
        self, problem: Problem, trees: PartialTree, left: Mask, held: Mask
    ) -> tuple[tuple[Condition, ...], Mask] | None:
        """Return the conditions of the next rule and the rows it covers; None if a tree has only one leaf."""
        path = trees.grow(left & ~held, self._replacement(problem, left & held))
        if path is None:
            return None
        conditions = trees.conditions(path)
        return conditions, left & covered_by_all(conditions, problem.table)

    def _replacement(self, problem: Problem, held: Mask) -> Replacement | None:
        if self.pruning == "error-based":
            return Estimated(float(self.confidence_factor))
        return None if self.pruning is None else Counted(problem.examples.rows(np.flatnonzero(held)))

    def _held_out(self, problem: Problem) -> Mask:
        """Return the held-out rows."""
        n = len(problem.examples)
        held = np.zeros(n, np.bool_)
        if self.pruning == "reduced-error" and n > 1:
            held[hold_out(problem.labels, max(1, n // self.folds), self.random_state)[1]] = True
        return held

    def _growth_rule(self, total: float) -> GrowthRule:
        """Return C4.5's rule for choosing a test."""
        least = max(2.0, total * LEAST_SHARE) if self.min_samples_leaf is None else self.min_samples_leaf
        return GrowthRule(
            measure="gain_ratio",
            nominal="one-value" if self.binary_splits else "multiway",
            max_depth=self.max_length,
            min_samples_split=2 * least,
            min_samples_leaf=least,
            min_gain=1e-6,
            guard_thresholds=True,
        )


def _majority(problem: Problem, covered: Mask) -> int:
    """Return the most frequent class of the given rows; ties go to the first."""
    weight = problem.examples.weight()
    return int(np.bincount(problem.labels[covered], weight[covered]).argmax())
