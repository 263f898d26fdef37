"""Rule extraction from a refined network: each unit next to the rule that it was initialised from (Mitchell §12.3).

Every unit is read as an "at least m of n" rule over its most important conditions and concepts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.values import plain
from induce.data.table import Table
from induce.hypotheses.conditions import Condition, Is, NominalCondition
from induce.hypotheses.expert_rules.rules import Antecedent, ExpertRule
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.hypotheses.naming import plural
from induce.knowledge.encoding import Unit
from induce.neural.unit_rules import m_of_n

if TYPE_CHECKING:
    from induce.knowledge.hypothesis import KnowledgeNetwork

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]

FAINT = 0.25
"""Minimum weight of an antecedent that still counts, as a fraction of W."""


@dataclass(frozen=True)
class RefinedRule:
    """Rule of the theory, and the rule that its unit represents after training.

    Parameters
    ----------
    given : str
        Given rule; empty for a rule added by the data.
    learned : str
        Rule that the unit represents now; empty if there is none.
    status : str
        ``kept``, ``weakened (5 of 6)``, ``changed``, ``dropped`` or ``new``.
    fidelity : float
        Fraction of the rows on which the learned rule and the unit agree.
    before, after : (int, int)
        Numbers of rows of the concept's class and of other rows on which the rule held, and on which its unit
        is on.
    """

    given: str
    learned: str
    status: str
    fidelity: float
    before: tuple[int, int]
    after: tuple[int, int]

    def __str__(self) -> str:
        sign = {"kept": " ", "dropped": "-", "new": "+"}.get(self.status, "~")
        lines = [f"{sign} {self.given or self.learned}"]
        if self.learned and self.given and self.learned != self.given:
            lines.append(f"  → {self.learned}")
        lines.append(
            f"    {self.status}; held {self.before[0]}+ {self.before[1]}-, now {self.after[0]}+ {self.after[1]}- "
            f"(fidelity {self.fidelity:.2f})"
        )
        return "\n".join(lines)


@dataclass(frozen=True)
class Refinement:
    """Given theory compared with the learned theory.

    Parameters
    ----------
    rules : tuple of RefinedRule
        Each given rule with its learned counterpart, and the new rules.
    text : str
        Learned theory, in the format of `ExpertRules`.
    fidelity : float
        Fraction of the rows on which the learned theory and the network agree.
    accuracy : float
        Fraction of the rows whose class the learned theory predicts; NaN without classes.
    given_accuracy : float
        Fraction of the rows whose class the given theory predicts; NaN without classes.
    """

    rules: tuple[RefinedRule, ...]
    text: str
    fidelity: float
    accuracy: float
    given_accuracy: float

    def __str__(self) -> str:
        told = "\n".join(map(str, self.rules))
        judged = ""
        if not np.isnan(self.accuracy):
            judged = (
                f"; right on {self.accuracy:.1%} of the rows, the given rules on {self.given_accuracy:.1%}"
            )
        return f"{told}\nthe learned rules agree with the network on {self.fidelity:.1%} of the rows{judged}"


def refinement(network: KnowledgeNetwork, X: Any, y: Any = None) -> Refinement:
    """Return the rules of a refined network next to the rules it was initialised from."""
    reader = Reader(network, network.encoded(X), y)
    return reader.refinement()


class Reader:
    """Reader of a network's units, next to the rules they were initialised from."""

    def __init__(self, network: KnowledgeNetwork, table: Table, y: Any) -> None:
        self.network, self.table, self.y = network, table, y
        self.encoding, self.theory = network.encoding, network.theory
        states = network.network.states(network.view.matrix(table))
        self.on: dict[str, Mask] = {}
        self.held = self.theory.truths(table)
        for group, said in zip(network.network.groups[1:], states[1:], strict=True):
            for name, column in zip(group.unit_names(), said.T, strict=True):
                self.on[name] = column > 0.5
        self.inside = self._inside()

    def _inside(self) -> Mask:
        """Return the rows that belong to the theory's class; without classes the network decides."""
        last = self.network.classes[-1]
        if self.y is None:
            return np.array([plain(value) == plain(last) for value in self.network.predict(self.table)])
        return np.array([plain(value) == plain(last) for value in self.y])

    def refinement(self) -> Refinement:
        """Read all units."""
        rules, clauses = [], []
        for unit in self.encoding.units:
            if not unit.antecedents:
                continue
            given = self._given(unit)
            learned, fidelity = self.learned(unit)
            if given is not None or learned.at_least != 1 or not self._is_choice(unit, learned):
                rules.append(self._compared(unit, given, learned, fidelity))
            clauses.append(learned)
        used = _reachable(clauses, self.encoding.outputs)
        kept = [clause for clause in clauses if clause.head in used and clause.body]
        text = "\n".join(map(str, kept))
        agree, right, given_right = self._judged(text)
        return Refinement(tuple(rules), text, agree, right, given_right)

    def _judged(self, text: str) -> tuple[float, float, float]:
        single = len(self.encoding.outputs) == 1
        target = self.encoding.outputs[0] if single else ""
        if not single or not text:
            return float("nan"), float("nan"), float("nan")
        theory = ExpertRules(self.theory.schema, text, target)
        said = theory.holds(self.table)
        agree = float(np.mean(said == self.on[target]))
        if self.y is None:
            return agree, float("nan"), float("nan")
        return (
            agree,
            float(np.mean(said == self.inside)),
            float(np.mean(self.held[target] == self.inside)),
        )

    def _given(self, unit: Unit) -> ExpertRule | None:
        """Return the rule that a unit was initialised from; None for a disjunction of rules."""
        head, _, number = unit.name.rpartition(" by rule ")
        if head in self.theory.by_head and number.isdigit():
            return self.theory.by_head[head][int(number) - 1]
        clauses = self.theory.by_head.get(unit.name, ())
        return clauses[0] if len(clauses) == 1 else None

    def _is_choice(self, unit: Unit, learned: ExpertRule) -> bool:
        """Return whether the learned rule of a concept's unit still contains all of its original antecedents."""
        return {one.of for one in learned.body} == {name for name, _ in unit.antecedents}

    def learned(self, unit: Unit) -> tuple[ExpertRule, float]:
        """Return the "at least m of n" rule that a unit represents, and how often the two agree."""
        antecedents, weights = self._strongest(unit)
        rows = np.column_stack([self._truth(one.of) for one in antecedents])
        names = [str(place) for place in range(len(antecedents))]
        rule = m_of_n(weights, 0.0, names, rows, self.on[unit.name], unit.name)
        body = []
        for name in rule.conditions:
            place = int(name.removeprefix("not "))
            # antecedents of the original rule come first, in their order
            body.append((place, self._signed(antecedents[place].of, name.startswith("not "))))
        body.sort(key=lambda each: each[0])
        return ExpertRule(unit.name, tuple(one for _, one in body), rule.m), rule.fidelity

    def _signed(self, of: Condition | str, negated: bool) -> Antecedent:
        """Return a condition or its negation; the negation of one of two values is the other value."""
        if negated and isinstance(of, Is):
            others = [value for value in self.network.view.schema[of.attribute].domain if value != of.value]
            if len(others) == 1:
                return Antecedent(Is(of.attribute, others[0]))
        return Antecedent(of, negated)

    def _strongest(self, unit: Unit) -> tuple[list[Antecedent], list[float]]:
        """Return the inputs of a unit with their weights in the network, antecedents of its rule first."""
        given = self._given(unit)
        incoming = self._incoming(unit.name)
        stated = given.body if given is not None else [Antecedent(name) for name, _ in unit.antecedents]
        found: dict[Condition | str, float] = {}
        seen: set[str] = set()
        for antecedent in stated:
            names = self._sources(antecedent)
            found[antecedent.of] = float(np.mean([self._effect(name, incoming) for name in names]))
            seen.update(names, *(self._others(name) for name in names))
        for name in incoming:
            condition, weight = self._condition(name), self._effect(name, incoming)
            if name not in seen and condition is not None and abs(weight) >= FAINT * self.network.weight:
                found.setdefault(condition, weight)
                seen.update(self._others(name))
        return [Antecedent(each) for each in found], list(found.values())

    def _effect(self, name: str, incoming: dict[str, float]) -> float:
        """Return the weight of an input or unit; for one of two values, relative to the other value's."""
        other = sum(incoming.get(each, 0.0) for each in self._others(name))
        return incoming.get(name, 0.0) - other

    def _others(self, name: str) -> list[str]:
        """Return the input of the other value if a column has two values."""
        condition = self._condition(name)
        if not isinstance(condition, Is):
            return []
        domain = self.network.view.schema[condition.attribute].domain
        if len(domain) != 2:
            return []
        return [f"{condition.attribute} = {value}" for value in domain if value != condition.value]

    def _incoming(self, unit: str) -> dict[str, float]:
        """Return the weights of a unit by the names of its inputs."""
        network = self.network.network
        found: dict[str, float] = {}
        for link in network.links:
            group = network.group(link.target)
            if unit in group.unit_names():
                column = network.get((link.source, link.target))[:, group.unit_names().index(unit)]
                names = (
                    self.network.view.names
                    if link.source == "inputs"
                    else network.group(link.source).unit_names()
                )
                found |= {name: float(weight) for name, weight in zip(names, column, strict=True)}
        return found

    def _sources(self, antecedent: Antecedent) -> list[str]:
        """Return the names of the inputs or units of an antecedent."""
        if isinstance(antecedent.of, NominalCondition):
            return [f"{antecedent.of.attribute} = {value}" for value in antecedent.of.accepted]
        return [str(antecedent.of)]

    def _condition(self, name: str) -> Condition | str | None:
        """Return the truth of an input or unit in each row; None for a number, which is neither true nor false."""
        if name in self.on:
            return name
        for column in self.network.view.schema:
            if column.kind == "nominal":
                for value in column.domain:
                    if name == f"{column.name} = {value}":
                        return Is(column.name, value)
        return None

    def _truth(self, of: Condition | str) -> Mask:
        return self.on[of] if isinstance(of, str) else of.covers(self.table)

    def _compared(
        self, unit: Unit, given: ExpertRule | None, learned: ExpertRule, fidelity: float
    ) -> RefinedRule:
        held = (
            self.theory.fires(given, self.table, self.held)
            if given is not None
            else np.zeros(len(self.table), bool)
        )
        said = "" if not self.on[unit.name].any() or not learned.body else str(learned)
        return RefinedRule(
            "" if given is None else f"IF {given.premise()} THEN {unit.name}",
            said,
            _status(given, learned, said),
            fidelity,
            self._counts(held),
            self._counts(self.on[unit.name]),
        )

    def _counts(self, held: Mask) -> tuple[int, int]:
        return int((held & self.inside).sum()), int((held & ~self.inside).sum())


def _status(given: ExpertRule | None, learned: ExpertRule, said: str) -> str:
    if given is None:
        return "new" if said else "dropped"
    if not said:
        return "dropped"
    before, after = set(given.body), set(learned.body)
    if before == after and learned.at_least == given.at_least:
        return "kept"
    if before == after and learned.at_least < given.at_least:
        return f"weakened ({learned.at_least} of {len(learned.body)})"
    if after < before and learned.is_conjunction:
        return f"weakened (without {plural(len(before - after), 'condition')})"
    return "changed"


def _reachable(clauses: Sequence[ExpertRule], tops: Sequence[str]) -> set[str]:
    by_head = {clause.head: clause for clause in clauses}
    found, open_ = set(), [top for top in tops if top]
    while open_:
        head = open_.pop()
        if head in found or head not in by_head:
            continue
        found.add(head)
        open_ += [one.of for one in by_head[head].body if isinstance(one.of, str)]
    return found
