"""Units of any trained network read as rules over their inputs (Towell and Shavlik 1993)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.ties import largest_first
from induce.data.table import Table
from induce.hypotheses.conditions import Above, AtMost, Condition, Is
from induce.hypotheses.expert_rules.rules import Antecedent, ExpertRule
from induce.neural.hypothesis import NeuralClassNetwork
from induce.neural.network import Group
from induce.neural.unit_rules import clauses, m_of_n

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]

MOST_INPUTS = 12
"""Maximum number of strongest inputs that SUBSET considers for a unit; the others count with their mean."""
FAINT = 0.05
"""Minimum effect of an input that counts, as a fraction of the strongest input's effect."""


@dataclass(frozen=True)
class Seen:
    """Input of a unit, as a true or false statement.

    Parameters
    ----------
    of : Condition or str
        Condition on a column, or the name of another unit.
    weight : float
        Contribution to the net input where it is true, minus that where it is false.
    base : float
        Contribution to the net input where it is false.
    """

    of: Condition | str
    weight: float
    base: float


class UnitReader:
    """Outputs of a network's units for a set of rows, and the inputs of each unit.

    Parameters
    ----------
    hypothesis : NeuralClassNetwork
    table : Table
        Rows on which the units are evaluated.
    """

    def __init__(self, hypothesis: NeuralClassNetwork, table: Table) -> None:
        self.hypothesis, self.table = hypothesis, table
        self.network = hypothesis.network
        self.inputs = next(group for group in self.network.groups if group.unit == "input")
        self.states: dict[str, Floats] = {}
        self.on: dict[str, Mask] = {}
        for group, said in zip(
            self.network.groups, self.network.states(hypothesis.view.matrix(table)), strict=True
        ):
            if group.unit == "input":
                self.matrix = np.asarray(said)
                continue
            for k, name in enumerate(self.names(group)):
                self.states[name] = said[:, k]
                self.on[name] = said[:, k] > (0.5 if group.unit == "sigmoid" else 0.0)
            if group.unit == "softmax" or (group.name in self.network.outputs and group.size > 1):
                places = self.hypothesis.in_scores(said).argmax(axis=1)
                for k, name in enumerate(self.names(group)):
                    self.on[name] = places == k

    def names(self, group: Group) -> tuple[str, ...]:
        """Return the name of each unit: its own name, the class of an output, or a number."""
        if group.name in self.network.outputs and not group.names:
            return self.hypothesis.output_names()
        return group.names or tuple(f"{group.name} {k + 1}" for k in range(group.size))

    def units(self) -> list[tuple[Group, int, str]]:
        """Return the group, index and name of each unit, in order of evaluation."""
        found = []
        for place in self.network.plan.order:
            group = self.network.groups[place]
            if group.unit != "input":
                found += [(group, k, name) for k, name in enumerate(self.names(group))]
        return found

    def truth(self, of: Condition | str) -> Mask:
        """Return the rows for which a condition holds, or a unit is on."""
        return self.on[of] if isinstance(of, str) else of.covers(self.table)

    def seen(self, group: Group, place: int) -> tuple[list[Seen], float]:
        """Return all inputs of a unit, and its bias."""
        found: list[Seen] = []
        bias = float(self.network.get(group.name)[place]) if group.bias else 0.0
        name = self.names(group)[place]
        for link in self.network.links:
            if link.target != group.name:
                continue
            weights = self.network.get((link.source, link.target))[:, place]
            if link.source == self.inputs.name:
                found += self._columns(weights, self.on[name])
                continue
            for other, weight in zip(self.names(self.network.group(link.source)), weights, strict=True):
                low, high = self._levels(self.states[other], self.on[other])
                found.append(Seen(other, float(weight) * (high - low), float(weight) * low))
        return found, bias

    def _columns(self, weights: Floats, on: Mask) -> list[Seen]:
        """Return the inputs as conditions: values of nominal columns, and numbers above a threshold."""
        found: list[Seen] = []
        start = 0
        for column in self.hypothesis.view.schema:
            if column.kind != "nominal":
                found.append(self._number(column.name, float(weights[start]), self.matrix[:, start], on))
                start += 1
                continue
            own = weights[start : start + len(column.domain)]
            start += len(column.domain)
            if len(own) == 2:  # one of two values is the negation of the other
                found.append(Seen(Is(column.name, column.domain[1]), float(own[1] - own[0]), float(own[0])))
            else:
                found += [
                    Seen(Is(column.name, value), float(weight), 0.0)
                    for value, weight in zip(column.domain, own, strict=True)
                ]
        return found

    def _number(self, name: str, weight: float, values: Floats, on: Mask) -> Seen:
        """Return a number as "above a threshold", with the threshold that best predicts whether the unit is on."""
        place = [column.name for column in self.table.schema].index(name)
        cells = self.table.column(place)
        known = np.isfinite(cells)
        cuts = np.unique(cells[known])
        cuts = (cuts[:-1] + cuts[1:]) / 2.0 if len(cuts) > 1 else cuts
        if not len(cuts):
            return Seen(Above(name, 0.0), 0.0, 0.0)
        order = np.argsort(cells[known], kind="stable")
        is_on = (on if weight > 0 else ~on)[known][order]
        # correct: rows above the cut where the unit is on, and rows below it where it is off
        ends = np.searchsorted(cells[known][order], cuts, side="right")
        below = np.concatenate([[0], np.cumsum(is_on)])[ends]
        right = (is_on.sum() - below) + (ends - below)
        middle = np.abs(cuts - np.median(cells[known]))
        best = np.flatnonzero(right == right.max())
        cut = float(cuts[best[int(np.argmin(middle[best]))]])
        low, high = self._levels(values, cells > cut)
        return Seen(Above(name, cut), weight * (high - low), weight * low)

    @staticmethod
    def _levels(said: Floats, on: Mask) -> tuple[float, float]:
        low = float(said[~on].mean()) if (~on).any() else 0.0
        high = float(said[on].mean()) if on.any() else 1.0
        return low, high

    def m_of_n(self, group: Group, place: int) -> ExpertRule:
        """Return the "at least m of n" rule that agrees most often with a unit."""
        name = self.names(group)[place]
        seen, _ = self.seen(group, place)
        strongest = max((abs(each.weight) for each in seen), default=0.0)
        seen = [each for each in seen if abs(each.weight) > FAINT * strongest]
        if not seen:
            return ExpertRule(name, (), 0 if self.on[name].mean() > 0.5 else 1)
        rows = np.column_stack([self.truth(each.of) for each in seen])
        rule = m_of_n(
            [each.weight for each in seen], 0.0, list(map(str, range(len(seen)))), rows, self.on[name], name
        )
        places = [(int(each.removeprefix("not ")), each.startswith("not ")) for each in rule.conditions]
        body = tuple(self.signed(seen[k].of, negated) for k, negated in sorted(places))
        return ExpertRule(name, body, rule.m)

    def subset(self, group: Group, place: int) -> list[ExpertRule]:
        """Return the minimal conjunctions of a unit's most important inputs that activate it."""
        name = self.names(group)[place]
        seen, bias = self.seen(group, place)
        sizes = np.abs([each.weight for each in seen])
        strongest = float(sizes.max(initial=0.0))
        order = [int(k) for k in largest_first(sizes)[:MOST_INPUTS] if sizes[k] > FAINT * strongest]
        for k, each in enumerate(seen):
            bias += each.base
            if k not in order:
                bias += each.weight * float(self.truth(each.of).mean())
        chosen = sorted(order)
        found = clauses([seen[k].weight for k in chosen], bias, list(map(str, range(len(chosen)))))
        rules = []
        for own in found:
            body = tuple(
                self.signed(seen[chosen[int(each.removeprefix("not "))]].of, each.startswith("not "))
                for each in own
            )
            rules.append(ExpertRule(name, body, len(body)))
        return rules

    def signed(self, of: Condition | str, negated: bool) -> Antecedent:
        """Return a condition or its negation; the negation of one of two values is the other value."""
        if negated and isinstance(of, Is):
            others = [
                value for value in self.hypothesis.view.schema[of.attribute].domain if value != of.value
            ]
            if len(others) == 1:
                return Antecedent(Is(of.attribute, others[0]))
        if negated and isinstance(of, Above):
            return Antecedent(AtMost(of.attribute, of.threshold))
        return Antecedent(of, negated)


def evaluated(rules: list[ExpertRule], truths: dict[Any, Mask], n: int) -> dict[str, Mask]:
    """Return the rows in which each concept holds, given those of the conditions; used concepts come first."""
    found: dict[str, Mask] = {}
    for rule in rules:
        met = np.zeros(n, np.int64)
        for one in rule.body:
            held = found.get(one.of, np.zeros(n, bool)) if isinstance(one.of, str) else truths[one.of]
            met += held != one.negated
        holds = met >= rule.at_least
        found[rule.head] = found[rule.head] | holds if rule.head in found else holds
    return found
