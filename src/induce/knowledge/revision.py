"""Theory revision: the fewest changes to an expert's rules that held-out rows support (beyond Mitchell §12.2.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.data.table import Table
from induce.hypotheses.conditions import Above, AtMost, Condition, Is, NumericCondition
from induce.hypotheses.expert_rules.rules import Antecedent, ExpertRule
from induce.knowledge.blame import Reading, Truths
from induce.knowledge.table_clauses import TableClauses
from induce.rules.measures import foil_gain

Mask = NDArray[np.bool_]

THRESHOLDS = 15
"""Maximum number of thresholds tried as replacements for a threshold."""
CONDITIONS = 3
"""Maximum number of conditions tried as a further antecedent of a rule."""
SECOND_CHOICES = 5
"""Maximum number of changes tried on the held-out rows, best first, before other rows are held out."""
TINY = 1e-12


@dataclass(frozen=True)
class Clause:
    """Rule, and the index of the given rule it comes from; None for a new rule."""

    rule: ExpertRule
    origin: int | None


@dataclass(frozen=True)
class Change:
    """Change of a theory: a rule is replaced, deleted (`rule` is None) or added (`number` is None)."""

    number: int | None
    rule: ExpertRule | None
    kind: str

    def applied(self, clauses: Sequence[Clause]) -> tuple[Clause, ...]:
        """Return the clauses after the change."""
        if self.number is None:
            assert self.rule is not None
            return (*clauses, Clause(self.rule, None))
        kept = [*clauses]
        if self.rule is None:
            del kept[self.number]
        else:
            kept[self.number] = replace(kept[self.number], rule=self.rule)
        return tuple(kept)


class Reviser:
    """Stepwise revision of a theory; each change is chosen on some rows and must be supported by others.

    Parameters
    ----------
    rules : sequence of ExpertRule
        Given rules.
    concepts : sequence of str
        Concepts of the rules, each after those that its rules use.
    target : str
    table : Table
        Training rows.
    inside : array of bool
        Mask of the rows of the target's class.
    reference : Table
        Rows on which the revised and the given theory are compared.
    weights : (float, float)
        Weights of the error on the rows and of the distance from the given theory. The trust in a rule scales
        the distance that a change of it adds, so a less trusted rule costs less to change.
    """

    def __init__(
        self,
        rules: Sequence[ExpertRule],
        concepts: Sequence[str],
        target: str,
        table: Table,
        inside: Mask,
        reference: Table,
        weights: tuple[float, float],
    ) -> None:
        self.concepts, self.target, self.table, self.inside = tuple(concepts), target, table, inside
        self.weights = weights
        self.paid = 0.0  # cost of the distance from the given theory so far
        self.given = tuple(Clause(rule, number) for number, rule in enumerate(rules))
        self.on_rows, self.on_reference = Truths(table), Truths(reference)
        self.before = self._read(self.given, self.on_reference).verdict
        self._clauses = TableClauses.of(table)
        self._conditions = self._single_conditions()

    def revise(self, folds: Sequence[NDArray[np.intp]], max_changes: int | None = None) -> tuple[Clause, ...]:
        """Return the revised clauses; folds are held out in turn until none supports a change.

        New rules are learned only if no change of existing rules is supported.
        """
        clauses = self.given
        failures, turn, made = 0, 0, 0
        while failures < 2 * len(folds) and (max_changes is None or made < max_changes):
            held = np.zeros(len(self.inside), np.bool_)
            held[folds[turn % len(folds)]] = True
            turn += 1
            changed = self._step(clauses, ~held, held, learn=failures >= len(folds))
            if changed is None:
                failures += 1
            else:
                clauses, failures, made = changed, 0, made + 1
        return clauses

    def _step(
        self, clauses: tuple[Clause, ...], grow: Mask, held: Mask, learn: bool
    ) -> tuple[Clause, ...] | None:
        """Return the clauses after the best change that the held-out rows support."""
        reading = self._read(clauses, self.on_rows)
        beside = self._read(clauses, self.on_reference)
        before = self._distance(beside.verdict)
        now = self.weights[0] * float(np.mean((reading.verdict != self.inside)[grow])) + self.paid
        judged: list[tuple[float, int, Change, Mask, float]] = []
        for place, change in enumerate(self._changes(reading, grow, learn)):
            verdict = self._with(reading, change)
            errors = self.weights[0] * float(np.mean((verdict != self.inside)[grow]))
            if errors < now - TINY:
                trust = 1.0 if change.number is None else reading.rules[change.number].trust
                farther = self._distance(self._with(beside, change)) - before
                paid = max(self.paid + self.weights[1] * trust * farther, 0.0)
                if errors + paid < now - TINY:
                    # values that differ only by rounding are equal, and the earlier change wins
                    judged.append((round(errors + paid, 12), place, change, verdict, paid))
        judged.sort(key=lambda one: one[:2])
        for value, _, change, verdict, paid in judged[:SECOND_CHOICES]:
            right = verdict == self.inside
            was = reading.verdict == self.inside
            better, worse = int((held & right & ~was).sum()), int((held & ~right & was).sum())
            if trace.active("revision"):
                rule = change.rule or reading.rules[change.number or 0]
                trace.emit(
                    "revision",
                    change=change.kind,
                    rule=str(rule),
                    criterion=value,
                    better=better,
                    worse=worse,
                    accepted=better > worse,
                )
            if better > worse:
                self.paid = paid
                return change.applied(clauses)
        return None

    def _read(self, clauses: Sequence[Clause], truths: Truths) -> Reading:
        return Reading([one.rule for one in clauses], self.concepts, self.target, truths)

    def _with(self, reading: Reading, change: Change) -> Mask:
        if change.rule is not None:
            return reading.with_rule(change.rule, change.number)
        assert change.number is not None
        return reading.without(change.number)

    def _distance(self, beside: Mask) -> float:
        return float(np.mean(beside != self.before)) if len(beside) else 0.0

    def _changes(self, reading: Reading, grow: Mask, learn: bool) -> Iterator[Change]:
        """Yield changes to the clauses to blame for errors on the grow rows, small changes first; or new rules."""
        if learn:
            yield from self._induced(reading, grow)
            return
        blamed = [reading.blame(number, self.inside, grow) for number in range(len(reading.rules))]
        for number, blame in enumerate(blamed):
            if blame.missing:
                yield from _weaker(reading.rules[number], number)
        for number, blame in enumerate(blamed):
            if blame.missing or blame.wrong:
                yield from self._moved(reading.rules[number], number)
        for number, blame in enumerate(blamed):
            if blame.wrong:
                yield from self._stronger(reading, number, grow)
                yield Change(number, None, "delete a rule")

    def _moved(self, rule: ExpertRule, number: int) -> Iterator[Change]:
        """Move thresholds."""
        for place, antecedent in enumerate(rule.body):
            condition = antecedent.of
            if not isinstance(condition, AtMost | Above):
                continue
            for threshold in self._thresholds(condition):
                moved = replace(antecedent, of=replace(condition, threshold=threshold))
                body = (*rule.body[:place], moved, *rule.body[place + 1 :])
                yield Change(number, replace(rule, body=body), "move a threshold")

    def _thresholds(self, condition: NumericCondition) -> list[float]:
        """Return thresholds between neighbouring values of a column, evenly spaced over its distinct values."""
        column = self.table.column(self.table.schema.names().index(condition.attribute))
        numbers = np.unique(column[~np.isnan(column)])
        if len(numbers) < 2:
            return []
        cuts = (numbers[:-1] + numbers[1:]) / 2
        chosen = np.unique(np.linspace(0, len(cuts) - 1, min(THRESHOLDS, len(cuts))).round().astype(int))
        return [float(cut) for cut in cuts[chosen]]

    def _stronger(self, reading: Reading, number: int, grow: Mask) -> Iterator[Change]:
        """Yield rules with an added antecedent that best separates correct from wrong firings."""
        rule = reading.rules[number]
        if not rule.is_conjunction:
            if rule.at_least < len(rule.body):
                yield Change(number, replace(rule, at_least=rule.at_least + 1), "ask for one more")
            return
        fired = reading.fired[number] & grow
        positive, negative = fired & self.inside, fired & ~self.inside
        before = float(positive.sum()), float(negative.sum())
        if not before[0]:
            return
        gains = []
        for place, condition in enumerate(self._conditions):
            held = self.on_rows.of(Antecedent(condition), {})
            after = float((held & positive).sum()), float((held & negative).sum())
            gains.append((-round(foil_gain(before, after), 9), place))
        for gain, place in sorted(gains)[:CONDITIONS]:
            if gain < 0:
                body = (*rule.body, Antecedent(self._conditions[place]))
                yield Change(number, replace(rule, body=body, at_least=len(body)), "add an antecedent")

    def _induced(self, reading: Reading, grow: Mask) -> Iterator[Change]:
        """Yield new rules for the target, and for each concept that could prove unproved rows."""
        verdict = reading.verdict
        for concept in reversed(self.concepts):
            there = reading.with_concept(concept, reading.everywhere)
            positive = grow & self.inside & ~verdict & there
            negative = grow & ~self.inside & ~verdict & there
            if not positive.any():
                continue
            for conditions in self._rule(positive, negative):
                body = tuple(map(Antecedent, conditions))
                yield Change(None, ExpertRule(concept, body, len(body)), "add a rule")

    def _rule(self, positive: Mask, negative: Mask) -> Iterator[tuple[Condition, ...]]:
        """Learn a rule with FOIL."""
        if not negative.any():
            return
        examples = self._clauses.examples("new rule", positive, positive | negative)
        cover = self._clauses.cover(examples)
        for clause in cover.clauses(True):
            conditions = self._clauses.conditions(clause)
            if conditions:
                yield conditions
            return

    def _single_conditions(self) -> list[Condition]:
        """Return the conditions that may be added to a rule."""
        found: list[Condition] = []
        for column in self.table.schema:
            if column.kind == "nominal":
                found += [Is(column.name, value) for value in column.domain]
            elif column.kind == "numeric":
                for cut in self._thresholds(AtMost(column.name, 0.0)):
                    found += [AtMost(column.name, cut), Above(column.name, cut)]
        return found


def _weaker(rule: ExpertRule, number: int) -> Iterator[Change]:
    """Drop an antecedent, or require one antecedent less."""
    if len(rule.body) < 2:
        return
    for place in range(len(rule.body)):
        body = rule.body[:place] + rule.body[place + 1 :]
        if rule.is_conjunction:
            yield Change(number, replace(rule, body=body, at_least=len(body)), "drop an antecedent")
    if rule.at_least > 1:
        yield Change(number, replace(rule, at_least=rule.at_least - 1), "ask for one less")
