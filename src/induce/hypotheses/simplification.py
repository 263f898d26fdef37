"""Simplification of rule lists without changing predictions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.data.frames import Floats
from induce.data.table import Table
from induce.hypotheses.boxes import Boxes
from induce.hypotheses.conditions import Mask, covered_by_all

if TYPE_CHECKING:
    from induce.hypotheses.rules import Rule, RuleList


def simplified_rules(rules: RuleList, X: Any) -> RuleList:
    """Return a shorter list with the same predictions; see `RuleList.simplify`."""
    shorter = _whatever_the_rows(rules)
    if X is None:
        return shorter
    table = rules.encoded(X)
    if not len(table) or not shorter.rules:
        return shorter
    work: _Work = _Decisions(shorter, table) if shorter.ordered else _Votes(shorter, table)
    while work.shorten():
        pass
    return replace(
        shorter, rules=tuple(rule for rule, keep in zip(work.rules, work.alive, strict=True) if keep)
    )


def _whatever_the_rows(rules: RuleList) -> RuleList:
    possible = Boxes.of(rules.rules, rules.schema).satisfiable()
    kept = [rule.simplified() for rule, holds in zip(rules.rules, possible, strict=True) if holds]
    if not rules.ordered:
        # a rule without counts has no vote
        return replace(rules, rules=tuple(rule for rule in kept if any(rule.counts)))
    return _without_the_unneeded(replace(rules, rules=tuple(kept)))


def _without_the_unneeded(rules: RuleList) -> RuleList:
    """Drop redundant rules of an ordered list: those preempted by earlier rules, or duplicated by later ones.

    A rule is redundant if each row that it covers is covered by one and the same earlier rule. It is also redundant
    if a later rule, or the default, predicts the same for every row that it covers, and no rule between the two that
    can cover such a row predicts otherwise.
    """
    boxes = Boxes.of(rules.rules, rules.schema)
    overlap, implied = boxes.overlap(), boxes.implied()
    n_rules = len(rules.rules)
    heads = np.array([*(rules.classes.index(rule.prediction) for rule in rules.rules)], dtype=np.intp)
    default = rules.classes.index(rules.default)
    counts: Floats = np.array(
        [*(rule.counts for rule in rules.rules), rules.default_counts], dtype=np.float64
    )
    numbers = np.arange(n_rules)
    alive = np.ones(n_rules, dtype=np.bool_)
    # from the end, since dropping a rule can only make earlier rules redundant
    for number in numbers[::-1].tolist():
        others = alive & (numbers != number)
        earlier = np.flatnonzero(others[:number] & implied[number, :number])
        later = others & (numbers > number)
        rivals = np.flatnonzero(later & overlap[number] & (heads != heads[number]))
        catching = np.flatnonzero(later & implied[number] & (heads == heads[number]))
        first_rival = rivals[0] if len(rivals) else n_rules
        if len(earlier):
            taker = earlier[0]
        elif len(catching) and catching[0] < first_rival:
            taker = catching[0]
        elif not len(rivals) and default == heads[number]:
            taker = n_rules
        else:
            continue
        alive[number] = False
        counts[taker] += counts[number]
    if not _counted_once(rules):
        counts = np.array([*(rule.counts for rule in rules.rules), rules.default_counts], dtype=np.float64)
    kept = [
        replace(rules.rules[number], counts=tuple(counts[number].tolist()))
        for number in np.flatnonzero(alive)
    ]
    return replace(rules, rules=tuple(kept), default_counts=tuple(counts[-1].tolist()))


def _counted_once(rules: RuleList) -> bool:
    """Return whether rules and default together are known to count every training row once."""
    if not rules.class_counts:
        return False
    counted = np.sum([*(rule.counts for rule in rules.rules), rules.default_counts], axis=0)
    return bool(np.allclose(counted, rules.class_counts))


class _Work(ABC):
    """Drop or shorten rules where this changes no prediction for the given rows."""

    def __init__(self, rules: RuleList, table: Table) -> None:
        self.table = table
        self.rules: list[Rule] = list(rules.rules)
        self.alive: Mask = np.ones(len(rules.rules), dtype=np.bool_)
        self.covers: Mask = np.array([rule.covers(table) for rule in rules.rules])

    def shorten(self) -> bool:
        """Drop conditions, then rules; return whether any was dropped."""
        before = self._size()
        for number in np.flatnonzero(self.alive).tolist():
            self._widen(number)
        for number in np.flatnonzero(self.alive)[::-1].tolist():
            if self._do_without(number):
                self.alive[number] = False
        return self._size() < before

    def _size(self) -> int:
        return sum(
            1 + len(rule.conditions) for rule, keep in zip(self.rules, self.alive, strict=True) if keep
        )

    def _widen(self, number: int) -> None:
        for condition in self.rules[number].conditions[::-1]:
            rule = self.rules[number]
            left = list(rule.conditions)
            left.remove(condition)
            more = covered_by_all(left, self.table) & ~self.covers[number]
            if self._cover_more(number, more):
                self.rules[number] = replace(rule, conditions=tuple(left))
                self.covers[number] |= more

    @abstractmethod
    def _cover_more(self, number: int, more: Mask) -> bool:
        """Extend a rule to more rows if that changes no prediction; return whether it was extended."""

    @abstractmethod
    def _do_without(self, number: int) -> bool:
        """Drop a rule in favour of the other rules if that changes no prediction; return whether it was dropped."""


class _Decisions(_Work):
    def __init__(self, rules: RuleList, table: Table) -> None:
        super().__init__(rules, table)
        last = np.ones((1, len(table)), dtype=np.bool_)
        self.decider: NDArray[np.intp] = np.concatenate([self.covers, last]).argmax(axis=0)
        heads = (*(rule.prediction for rule in rules.rules), rules.default)
        self.heads = np.array([rules.classes.index(head) for head in heads], dtype=np.intp)

    def _cover_more(self, number: int, more: Mask) -> bool:
        taken = np.flatnonzero(more & (self.decider > number))
        if (self.heads[self.decider[taken]] != self.heads[number]).any():
            return False
        self.decider[taken] = number
        return True

    def _do_without(self, number: int) -> bool:
        rows = np.flatnonzero(self.decider == number)
        later = number + 1 + np.flatnonzero(self.alive[number + 1 :])
        reached = self.covers[np.ix_(later, rows)]
        next_ = np.append(later, len(self.rules))[
            np.concatenate([reached, np.ones((1, len(rows)), dtype=np.bool_)]).argmax(axis=0)
        ]
        if (self.heads[next_] != self.heads[number]).any():
            return False
        self.decider[rows] = next_
        return True


class _Votes(_Work):
    def __init__(self, rules: RuleList, table: Table) -> None:
        super().__init__(rules, table)
        self.counts: Floats = np.array([rule.counts for rule in rules.rules], dtype=np.float64)
        # sums of fractions depend on their order, so only integer votes can be subtracted exactly
        self.exact = bool((self.counts % 1 == 0).all() and self.counts.sum() < 2**53)
        self.votes: Floats = np.zeros((len(table), len(rules.classes)))
        for covered, counts in zip(self.covers, self.counts, strict=True):
            self.votes[covered] += counts
        self.default = rules.classes.index(rules.default)
        self.predicted = self._winners(self.votes)

    def _winners(self, votes: Floats) -> NDArray[np.intp]:
        return np.where(votes.any(axis=1), votes.argmax(axis=1), self.default)

    def _take(self, rows: Mask, votes: Floats) -> bool:
        if (rows.any() and not self.exact) or (self._winners(votes) != self.predicted[rows]).any():
            return False
        self.votes[rows] = votes
        return True

    def _cover_more(self, number: int, more: Mask) -> bool:
        return self._take(more, self.votes[more] + self.counts[number])

    def _do_without(self, number: int) -> bool:
        rows = self.covers[number]
        return self._take(rows, self.votes[rows] - self.counts[number])
