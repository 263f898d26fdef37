"""Rule post-pruning: a tree becomes a list of rules, each pruned on its own (Mitchell §3.7.1.2; C4.5rules)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.errors import InputError
from induce.core.progress import report
from induce.core.randomness import RandomState
from induce.core.values import Value
from induce.data.schema import Schema
from induce.data.training import Examples
from induce.hypotheses.conditions import Condition, NominalCondition
from induce.hypotheses.rules import Rule, RuleList
from induce.statistics.intervals import upper_limit
from induce.trees.growth import grow
from induce.trees.hypothesis import Tree
from induce.trees.learners import TreeLearner
from induce.trees.systems import C45
from induce.trees.training import held_out

Floats = NDArray[np.float64]
Bits = NDArray[np.uint64]
AccuracyEstimate = Callable[[Floats, Floats], Floats]
"""From the weights of the covered and of the correctly covered examples to estimated accuracies."""

ESTIMATES = ("c45", "pessimistic", "validation")


def pessimistic(covered: Floats, correct: Floats, z: float = 1.96) -> Floats:
    """Return the accuracy less z standard deviations of it, as Mitchell puts it; 0 where nothing is covered.

    Examples
    --------
    >>> pessimistic(np.array([100.0, 10.0]), np.array([90.0, 9.0])).round(4)
    array([0.8412, 0.7141])
    """
    n = np.maximum(covered, 1e-300)
    p = correct / n
    return np.where(covered > 0, p - z * np.sqrt(np.maximum(p * (1 - p), 0.0) / n), 0.0)


def observed(covered: Floats, correct: Floats) -> Floats:
    """Return the share that is right, as for a validation set; 0 where nothing is covered."""
    return np.where(covered > 0, correct / np.maximum(covered, 1e-300), 0.0)


def limited(covered: Floats, correct: Floats, confidence_factor: float = 0.25) -> Floats:
    """Return one minus C4.5's upper limit of the error, U such that P(Binomial(n, U) <= errors) is the factor.

    Examples
    --------
    >>> limited(np.array([2.0, 7.0]), np.array([2.0, 6.0])).round(4)
    array([0.5   , 0.6593])
    """
    return 1.0 - upper_limit(np.maximum(covered - correct, 0.0), covered, confidence_factor)


class Coverage:
    """Which examples each condition covers, as bits, and what sets of examples weigh."""

    def __init__(self, examples: Examples) -> None:
        self.examples = examples
        self.everything = _bits(np.ones(len(examples), bool))
        self.classes = [_bits(examples.labels == c) for c in range(examples.n_classes)]
        self._masks: dict[Condition, Bits] = {}

    def mask(self, condition: Condition) -> Bits:
        """Return the examples that satisfy a condition."""
        if condition not in self._masks:
            self._masks[condition] = _bits(condition.covers(self.examples.table))
        return self._masks[condition]

    def weight(self, masks: Bits) -> Floats:
        """Return the weight of each set of examples in the rows of `masks`."""
        if self.examples.weights is None:
            return np.asarray(np.bitwise_count(masks).sum(axis=-1), dtype=np.float64)
        members = np.unpackbits(masks.view(np.uint8), axis=-1, count=len(self.examples))
        return np.asarray(members @ self.examples.weights, dtype=np.float64)

    def counts(self, mask: Bits) -> tuple[float, ...]:
        """Return the class counts of a set of examples."""
        return tuple(float(self.weight(mask & members)) for members in self.classes)

    def members(self, conditions: tuple[Condition, ...]) -> NDArray[np.bool_]:
        """Say of each example whether it satisfies all conditions."""
        bits = np.unpackbits(self.all_of(conditions).view(np.uint8), count=len(self.examples))
        return bits.astype(bool)

    def all_of(self, conditions: tuple[Condition, ...]) -> Bits:
        """Return the examples that satisfy all conditions."""
        mask = self.everything
        for condition in conditions:
            mask = mask & self.mask(condition)
        return mask

    def without_each(self, conditions: list[Condition]) -> Bits:
        """Return, in rows, the examples that satisfy all conditions but one, for each of them."""
        masks = [self.mask(condition) for condition in conditions]
        before, after = [self.everything], [self.everything]
        for mask in masks[:-1]:
            before.append(before[-1] & mask)
        for mask in masks[:0:-1]:
            after.append(after[-1] & mask)
        return np.array([b & a for b, a in zip(before, reversed(after), strict=True)])


def _bits(members: NDArray[np.bool_]) -> Bits:
    words = np.zeros(-(-len(members) // 64), np.uint64)
    packed = np.packbits(members)
    words.view(np.uint8)[: len(packed)] = packed
    return words


@dataclass(frozen=True)
class PrunedRule:
    """A rule's conditions after pruning, the class it predicts and its estimated accuracy."""

    conditions: tuple[Condition, ...]
    prediction: int
    accuracy: float


def prune_rule(
    conditions: tuple[Condition, ...],
    prediction: int,
    coverage: Coverage,
    estimate: AccuracyEstimate,
    strict: bool,
) -> PrunedRule:
    """Drop, one by one, the condition whose removal raises the estimated accuracy most.

    A removal that leaves the estimate as it is counts too, unless `strict`.
    """
    kept = list(conditions)
    members = coverage.classes[prediction]

    def accuracy_of(masks: Bits) -> Floats:
        return estimate(coverage.weight(masks), coverage.weight(masks & members))

    accuracy = float(accuracy_of(coverage.all_of(conditions)[None, :])[0])
    while kept:
        without = accuracy_of(coverage.without_each(kept))
        best = int(np.argmax(without))
        better = without[best] > accuracy + 1e-12 if strict else without[best] >= accuracy - 1e-12
        if trace.active("drop"):
            trace.emit(
                "drop",
                conditions=tuple(map(str, kept)),
                accuracy=accuracy,
                without={str(condition): float(a) for condition, a in zip(kept, without, strict=True)},
                dropped=str(kept[best]) if better else None,
            )
        if not better:
            break
        accuracy = float(without[best])
        del kept[best]
    return PrunedRule(tuple(kept), prediction, accuracy)


def select(
    rules: list[PrunedRule], coverage: Coverage, default: int, confidence_factor: float
) -> list[PrunedRule]:
    """Leave out rules, from the last to the first, where that does not raise the estimated errors of the list.

    The errors of a rule are estimated as in pruning a tree: the upper limit for the examples it is the first to
    cover. Left out, it leaves them to the next rule that covers them, or to the default.
    """
    labels, weight = coverage.examples.labels, coverage.examples.weight()
    n_rules = len(rules)
    says = np.array([rule.prediction for rule in rules] + [default])
    fires: NDArray[np.int64] = np.full(len(labels), n_rules)
    covered = [np.flatnonzero(coverage.members(rule.conditions)) for rule in rules]
    for k in range(n_rules - 1, -1, -1):
        fires[covered[k]] = k
    first = [np.flatnonzero(fires == k) for k in range(n_rules)]
    total: Floats = np.bincount(fires, weight, n_rules + 1).astype(np.float64)
    wrong: Floats = np.bincount(fires, weight * (says[fires] != labels), n_rules + 1).astype(np.float64)

    def errors(n: Floats, e: Floats) -> float:
        return float((n * upper_limit(np.minimum(e, n), n, confidence_factor)).sum())

    next_rule: NDArray[np.int64] = np.full(len(labels), n_rules)
    kept = []
    for k in range(n_rules - 1, -1, -1):
        rows = first[k]
        heirs, heir = np.unique(next_rule[rows], return_inverse=True)
        n_more: Floats = np.bincount(heir, weight[rows], len(heirs)).astype(np.float64)
        mistaken = weight[rows] * (says[heirs][heir] != labels[rows])
        e_more: Floats = np.bincount(heir, mistaken, len(heirs)).astype(np.float64)
        with_rule = errors(np.append(total[heirs], total[k]), np.append(wrong[heirs], wrong[k]))
        if errors(total[heirs] + n_more, wrong[heirs] + e_more) <= with_rule + 1e-9:
            total[heirs] += n_more
            wrong[heirs] += e_more
        else:
            kept.append(rules[k])
            next_rule[covered[k]] = k
    return kept[::-1]


class C45Rules(TreeLearner):
    """Rules from a C4.5 tree: one for each leaf, pruned one by one, sorted by estimated accuracy (§3.7.1.2).

    A missing value and a category not seen in training satisfy no condition. In growing the tree, a row whose
    tested value is missing goes down every branch with a fraction of its weight.

    Parameters
    ----------
    estimate : {"c45", "pessimistic", "validation"}
        How the accuracy of a rule is estimated: one minus the upper limit of a binomial at the
        `confidence_factor`, the training accuracy less 1.96 standard deviations, or on held-out examples.
    strict : bool
        Whether dropping a condition must raise the estimate; otherwise it must not lower it.
    select : bool
        Whether to leave out rules where that does not raise the estimated errors of the list; otherwise every
        leaf leaves a rule.
    min_samples_leaf : float
        For the tree: at least two branches of a test must have this weight.
    confidence_factor : float
        Smaller trusts small samples less.
    validation_fraction : float
        The share of the examples held out when `estimate` is "validation".
    class_weight, schema, random_state
        As for `DecisionTreeClassifier`.

    Attributes
    ----------
    hypothesis_ : RuleList

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

    def __init__(
        self,
        *,
        estimate: str = "c45",
        strict: bool = False,
        select: bool = True,
        min_samples_leaf: float = 2,
        confidence_factor: float = 0.25,
        validation_fraction: float = 1 / 3,
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
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow a tree and turn it into pruned rules."""
        if self.estimate not in ESTIMATES:
            raise InputError(f"estimate is {self.estimate!r}; it can be {', '.join(map(repr, ESTIMATES))}")
        rule = C45(
            min_samples_leaf=self.min_samples_leaf, confidence_factor=self.confidence_factor
        )._growth_rule()
        examples, schema, target, classes = self._examples(X, y, sample_weight)
        training, judged = examples, examples
        if self.estimate == "validation":
            train, held = held_out(examples.labels, self.validation_fraction, self.random_state)
            training, judged = examples.rows(train), examples.rows(held)
        tree = grow(training, schema, target, classes, rule, report)
        self.hypothesis_ = self._rules(tree, Coverage(judged), Coverage(examples))
        return self

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
        """The class counts of the examples that no rule covers."""
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


def tightest(path: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """Return a path without the conditions that a later one of the same kind on the same attribute implies.

    The lower and the upper bound of an attribute stay apart, so that each can be dropped.
    """
    kept: dict[tuple[str, type], Condition] = {}
    for condition in path:
        kind = NominalCondition if isinstance(condition, NominalCondition) else type(condition)
        key = (condition.attribute, kind)
        kept[key] = (kept[key].intersect(condition) or condition) if key in kept else condition
    return tuple(kept.values())
