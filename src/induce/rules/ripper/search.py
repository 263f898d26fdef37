"""RIPPER's search: first the rules of an expert, then the rules of one class after the other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from induce.core.notes import note
from induce.core.progress import report
from induce.hypotheses.conditions import Condition, Mask, covered_by_all, simplified
from induce.rules.ripper.class_rules import ClassRules, RipperSettings, grown
from induce.rules.ripper.growth import Aim, Grower, Grown
from induce.rules.ripper.rows import DistinctRows
from induce.rules.space import Limits
from induce.rules.training import Premise, Problem


class ConditionSearch:
    """The rules found so far, usable at any time.

    Parameters
    ----------
    problem : Problem
        Training table.
    rows : DistinctRows
        Distinct rows of the training table.
    settings : RipperSettings
        Settings of growing and optimising rules.
    limits : Limits
        Limits that rules must respect.
    required : tuple of Condition
        Conditions that every rule must contain.
    expert : sequence of Premise
        Initial rules, which precede the learned ones.
    draws : numpy.random.Generator
        Random generator for splitting rows.
    """

    def __init__(
        self,
        problem: Problem,
        rows: DistinctRows,
        settings: RipperSettings,
        limits: Limits,
        required: tuple[Condition, ...],
        expert: Sequence[Premise],
        draws: np.random.Generator,
    ) -> None:
        self._problem = problem
        self._rows = rows
        self._settings = settings
        self._limits = limits
        self._required = required
        self._expert = expert
        self._draws = draws
        self._counts = problem.counts()
        self._found: list[tuple[Aim, int, list[Grown]]] = []

    def __len__(self) -> int:
        return sum(len(rules) for _, _, rules in self._found)

    def premises(self) -> list[Premise]:
        """Return the rules found so far."""
        return [
            (simplified((*aim.given, *self._rows.conditions(rule.steps))), head)
            for aim, head, rules in self._found
            for rule in rules
        ]

    def order(self) -> list[int]:
        """Return the classes from the rarest to the most frequent, which needs no rules."""
        return [int(c) for c in np.argsort(self._counts, kind="stable") if self._counts[c] > 0]

    def run(self) -> None:
        """Refine the rules of an expert, then find rules for every class but the most frequent."""
        grower = Grower(
            self._rows, self._limits.open_values, self._settings.min_weight, self._settings.max_length
        )
        live = self._refine(grower, np.ones(len(self._rows), dtype=np.bool_))
        order = self.order()
        done, total = 0.0, self._counts[order[:-1]].sum()
        for place, head in enumerate(order[:-1]):
            count = self._counts[head]
            finder = ClassRules(
                grower,
                self._settings,
                self._draws,
                self._aim(head, self._required),
                live,
                false_share=count / self._counts[order[place:]].sum(),
                most=self._rules_left(),
                said=partial(_report_part, done, count, total),
            )
            self._found.append((finder.aim, head, finder.rules))
            finder.find()
            live = finder.uncovered()
            done += count
            report(done / total)

    def _refine(self, grower: Grower, live: Mask) -> Mask:
        """Add tests to the rules of an expert on the rows they cover; return the rows that no rule covers."""
        for conditions, head in self._expert[: self._settings.max_rules]:
            aim = self._aim(head, conditions)
            if not (live & aim.inside).any():
                text = " AND ".join(map(str, conditions))
                note(f"no example is left for the rule {text!r}; it is kept as given")
            rule = grown(grower, self._settings, self._draws, aim, live)
            self._found.append((aim, head, [rule]))
            live = live & ~rule.covers
        return live

    def _aim(self, head: int, given: tuple[Condition, ...]) -> Aim:
        return Aim(
            self._problem.classes[head],
            self._rows.labels == head,
            given,
            covered_by_all(given, self._problem.table)[self._rows.index],
            np.ascontiguousarray(self._limits.may[:, :, head]),
        )

    def _rules_left(self) -> float:
        most = self._settings.max_rules
        return np.inf if most is None else most - len(self)


def _report_part(done: float, part: float, total: float, share: float) -> None:
    """Report progress: the completed part, and a fraction of the next one."""
    report((done + share * part) / total)
