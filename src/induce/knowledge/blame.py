"""Theory evaluated on the rows of a table: the effect of each clause, and the clauses to blame for errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from induce.data.table import Table
from induce.hypotheses.expert_rules.rules import Antecedent, ExpertRule

Mask = NDArray[np.bool_]


class Truths:
    """Evaluator of antecedents on a table; conditions on columns are tested only once."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._held: dict[object, Mask] = {}

    def of(self, antecedent: Antecedent, concepts: Mapping[str, Mask]) -> Mask:
        """Return the rows in which an antecedent holds."""
        if isinstance(antecedent.of, str):
            held = concepts[antecedent.of]
        else:
            held = self._held.get(antecedent.of)  # type: ignore[assignment]
            if held is None:
                held = self._held[antecedent.of] = antecedent.of.covers(self.table)
        return ~held if antecedent.negated else held

    def fires(self, rule: ExpertRule, concepts: Mapping[str, Mask]) -> Mask:
        """Return the rows in which a rule fires."""
        each = [self.of(one, concepts) for one in rule.body]
        if rule.is_conjunction:
            return np.logical_and.reduce(each) if each else np.ones(len(self.table), np.bool_)
        return np.asarray(np.sum(each, axis=0) >= rule.at_least)


@dataclass(frozen=True)
class Blame:
    """Effect of a clause on the conclusions about the given rows.

    Parameters
    ----------
    wrong : int
        Number of rows that are wrongly proved only because the clause fires.
    missing : int
        Number of rows that are wrongly unproved but would be proved if the clause fired.
    superfluous : bool
        Whether removing the clause changes no conclusion.
    """

    wrong: int
    missing: int
    superfluous: bool


class Reading:
    """Conclusions of the given rules about the rows of a table, and how they change if one rule is changed.

    Parameters
    ----------
    rules : sequence of ExpertRule
    concepts : sequence of str
        All concepts, each after those that its rules use; rules use no other concepts.
    target : str
    truths : Truths
    """

    def __init__(
        self, rules: Sequence[ExpertRule], concepts: Sequence[str], target: str, truths: Truths
    ) -> None:
        self.rules, self.concepts, self.target, self.truths = tuple(rules), tuple(concepts), target, truths
        self._of: dict[str, list[int]] = {concept: [] for concept in concepts}
        for number, rule in enumerate(self.rules):
            self._of[rule.head].append(number)
        self._uses = {
            concept: {one.of for number in numbers for one in self.rules[number].body}
            for concept, numbers in self._of.items()
        }
        self.held: dict[str, Mask] = {}
        self.fired: list[Mask] = [np.zeros(0, np.bool_)] * len(self.rules)
        for concept in self.concepts:
            for number in self._of[concept]:
                self.fired[number] = truths.fires(self.rules[number], self.held)
            self.held[concept] = self._any([self.fired[number] for number in self._of[concept]])

    @property
    def verdict(self) -> Mask:
        """Rows for which the target holds."""
        return self.held[self.target]

    def with_rule(self, rule: ExpertRule, number: int | None) -> Mask:
        """Return the verdict if a rule replaces another, or is added if `number` is None."""
        return self.with_fired(rule.head, number, self.truths.fires(rule, self.held))

    def without(self, number: int) -> Mask:
        """Return the verdict without a rule."""
        return self.with_fired(self.rules[number].head, number, None)

    def with_fired(self, head: str, number: int | None, fired: Mask | None) -> Mask:
        """Return the verdict if a rule, or an additional rule, fired on given rows."""
        parts = [self.fired[other] for other in self._of[head] if other != number]
        return self.with_concept(head, self._any(parts if fired is None else [*parts, fired]))

    def with_concept(self, concept: str, held: Mask) -> Mask:
        """Return the verdict if a concept held on given rows; only dependent concepts are recomputed."""
        changed = {concept: held}
        for other in self.concepts[self.concepts.index(concept) + 1 :]:
            if self._uses[other].isdisjoint(changed):
                continue
            now = {**self.held, **changed}
            fired = [
                self.truths.fires(self.rules[number], now)
                if any(one.of in changed for one in self.rules[number].body)
                else self.fired[number]
                for number in self._of[other]
            ]
            changed[other] = self._any(fired)
        return changed.get(self.target, self.verdict)

    @cached_property
    def everywhere(self) -> Mask:
        """All rows."""
        return np.ones(len(self.truths.table), np.bool_)

    def blame(self, number: int, inside: Mask, rows: Mask) -> Blame:
        """Return a rule's share in wrong conclusions about the given rows; `inside` marks the rows to be
        proved.
        """
        rule = self.rules[number]
        without = self.without(number)
        always = self.with_fired(rule.head, number, self.everywhere)
        verdict = self.verdict
        return Blame(
            int((rows & verdict & ~inside & ~without).sum()),
            int((rows & ~verdict & inside & always).sum()),
            bool((without == verdict)[rows].all()),
        )

    def _any(self, masks: Sequence[Mask]) -> Mask:
        if not masks:
            return np.zeros(len(self.truths.table), np.bool_)
        return np.asarray(np.logical_or.reduce(masks))
