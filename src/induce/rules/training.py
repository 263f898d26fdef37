"""Training table of rule learners, and the counts of rules on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.core.values import Value
from induce.data.schema import Schema
from induce.data.table import Table
from induce.data.training import Examples
from induce.hypotheses.conditions import Condition, Mask, covered_by_all
from induce.hypotheses.rules import Rule, RuleList

Floats = NDArray[np.float64]
Premise = tuple[tuple[Condition, ...], int]
"""The conditions of a rule, and the position of its predicted class."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A training table for rule learners; rows of weight zero are dropped."""

    examples: Examples
    schema: Schema
    target: str
    classes: tuple[Value, ...]

    @property
    def table(self) -> Table:
        """The encoded inputs."""
        return self.examples.table

    @property
    def labels(self) -> NDArray[np.int64]:
        """The index in `classes` of the class of each row."""
        return self.examples.labels

    def counts(self) -> Floats:
        """Return the weight of the rows of each class."""
        return self._counted(np.ones(len(self.examples), np.bool_))

    def ordered_list(self, premises: Sequence[Premise], default: int | None = None) -> RuleList:
        """Return the rules as a list with counts; the first rule that covers a row decides.

        Parameters
        ----------
        premises : sequence of Premise
            Conditions and predicted class of each rule, in order.
        default : int, optional
            Index of the class predicted if no rule applies. By default, it is the most frequent class of the
            uncovered rows, or of all rows if every row is covered.
        """
        left = np.ones(len(self.examples), np.bool_)
        rules = []
        for premise in premises:
            fires = left & covered_by_all(premise[0], self.table)
            rules.append(self._rule(premise, fires))
            left &= ~fires
        return self._list(rules, left, default, ordered=True)

    def voting_list(self, premises: Sequence[Premise]) -> RuleList:
        """Return the set of voting rules, each with the counts of all rows it covers."""
        left = np.ones(len(self.examples), np.bool_)
        rules = []
        for premise in premises:
            covers = covered_by_all(premise[0], self.table)
            rules.append(self._rule(premise, covers))
            left &= ~covers
        return self._list(rules, left, None, ordered=False)

    def _rule(self, premise: Premise, rows: Mask) -> Rule:
        conditions, head = premise
        return Rule(conditions, self.classes[head], tuple(self._counted(rows).tolist()), self.classes)

    def _counted(self, rows: Mask) -> Floats:
        weights = self.examples.weight()[rows]
        return np.asarray(np.bincount(self.labels[rows], weights, len(self.classes)), np.float64)

    def _list(self, rules: list[Rule], left: Mask, default: int | None, ordered: bool) -> RuleList:
        rest = self._counted(left)
        if default is None:
            default = int((rest if rest.any() else self.counts()).argmax())
        return RuleList(
            self.schema,
            self.target,
            self.classes,
            tuple(rules),
            self.classes[default],
            tuple(rest.tolist()),
            ordered,
            tuple(self.counts().tolist()),
        )
