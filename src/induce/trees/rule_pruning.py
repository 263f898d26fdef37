"""Rule post-pruning: a tree becomes a list of rules, each pruned separately (Mitchell §3.7.1.2; C4.5rules)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.data.training import Examples
from induce.hypotheses.conditions import Condition, NominalCondition
from induce.statistics.intervals import upper_limit

Floats = NDArray[np.float64]
Bits = NDArray[np.uint64]
AccuracyEstimate = Callable[[Floats, Floats], Floats]
"""Function from the weights of the covered and the correctly classified examples to estimated accuracies."""


def pessimistic(covered: Floats, correct: Floats, z: float = 1.96) -> Floats:
    """Return the accuracy minus z standard deviations, as in Mitchell; 0 if no example is covered.

    Examples
    --------
    >>> pessimistic(np.array([100.0, 10.0]), np.array([90.0, 9.0])).round(4)
    array([0.8412, 0.7141])
    """
    n = np.maximum(covered, 1e-300)
    p = correct / n
    return np.where(covered > 0, p - z * np.sqrt(np.maximum(p * (1 - p), 0.0) / n), 0.0)


def observed(covered: Floats, correct: Floats) -> Floats:
    """Return the accuracy, as for a validation set; 0 if no example is covered."""
    return np.where(covered > 0, correct / np.maximum(covered, 1e-300), 0.0)


def limited(covered: Floats, correct: Floats, confidence_factor: float = 0.25) -> Floats:
    """Return one minus C4.5's upper error limit U, for which P(Binomial(n, U) <= errors) equals the factor.

    Examples
    --------
    >>> limited(np.array([2.0, 7.0]), np.array([2.0, 6.0])).round(4)
    array([0.5   , 0.6593])
    """
    return 1.0 - upper_limit(np.maximum(covered - correct, 0.0), covered, confidence_factor)


class Coverage:
    """The examples that each condition covers as bit sets, and the weights of bit sets."""

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
        """Return the weight of each row of `masks`, a set of examples."""
        if self.examples.weights is None:
            return np.asarray(np.bitwise_count(masks).sum(axis=-1), dtype=np.float64)
        members = np.unpackbits(masks.view(np.uint8), axis=-1, count=len(self.examples))
        return np.asarray(members @ self.examples.weights, dtype=np.float64)

    def counts(self, mask: Bits) -> tuple[float, ...]:
        """Return the class counts of a set of examples."""
        return tuple(float(self.weight(mask & members)) for members in self.classes)

    def members(self, conditions: tuple[Condition, ...]) -> NDArray[np.bool_]:
        """Return for each example whether it satisfies all conditions."""
        bits = np.unpackbits(self.all_of(conditions).view(np.uint8), count=len(self.examples))
        return bits.astype(bool)

    def all_of(self, conditions: tuple[Condition, ...]) -> Bits:
        """Return the examples that satisfy all conditions."""
        mask = self.everything
        for condition in conditions:
            mask = mask & self.mask(condition)
        return mask

    def without_each(self, conditions: list[Condition]) -> Bits:
        """Return, for each condition, the examples that satisfy all other conditions, one per row."""
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

    A removal that leaves the estimate unchanged is also made, unless `strict`.
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
    """Drop rules, last to first, whose removal does not raise the estimated errors of the list.

    The errors of a rule are estimated as when pruning a tree: the upper limit for the examples that it is the
    first to cover. Without the rule, these examples go to the next rule that covers them, or to the default.
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


def tightest(path: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """Return a path without conditions implied by a later condition of the same kind on the same attribute.

    The lower and the upper bound of an attribute stay separate, so that each can be dropped.
    """
    kept: dict[tuple[str, type], Condition] = {}
    for condition in path:
        kind = NominalCondition if isinstance(condition, NominalCondition) else type(condition)
        key = (condition.attribute, kind)
        kept[key] = (kept[key].intersect(condition) or condition) if key in kept else condition
    return tuple(kept.values())
