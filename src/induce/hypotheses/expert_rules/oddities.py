"""Anomalies of a theory: rules that hold always or never, and rules that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from induce.core.notes import note
from induce.hypotheses.conditions import Condition
from induce.hypotheses.expert_rules.rules import Antecedent, ExpertRule
from induce.hypotheses.expert_rules.theory import ExpertRules


def note_oddities(theory: ExpertRules) -> None:
    """Issue a note about each anomalous rule, which data may still change."""
    for sentence in oddities(theory):
        note(sentence)


def oddities(theory: ExpertRules) -> Iterator[str]:
    """Yield the anomalies of a theory, one sentence each.

    Examples
    --------
    >>> from induce.data.schema import Column, Schema
    >>> schema = Schema((Column("light", "nominal", ("no", "yes")), Column("age")))
    >>> rules = "IF light AND NOT light THEN a" + chr(10) + "IF TRUE THEN b"
    >>> for sentence in oddities(ExpertRules(schema, rules, "a")):
    ...     print(sentence)
    the rule IF light = yes AND NOT light = yes THEN a never holds: light = yes contradicts NOT light = yes
    the rule IF TRUE THEN b always holds
    """
    for rule in theory.clauses:
        if not rule.body:
            yield f"the rule {rule} always holds"
        pair = _contradicting(rule) if rule.is_conjunction else None
        if pair is not None:
            yield f"the rule {rule} never holds: {pair[0]} contradicts {pair[1]}"
    tops = set(theory.tops())
    for one, other in combinations(theory.clauses, 2):
        same = set(one.body) == set(other.body) and one.at_least == other.at_least
        if same and one.body and one.head != other.head and {one.head, other.head} <= tops:
            yield (f"rules contradict each other: {one.premise()} implies both {one.head} and {other.head}")


def _contradicting(rule: ExpertRule) -> tuple[Antecedent, Antecedent] | None:
    for one, other in combinations(rule.body, 2):
        if one.of == other.of and one.negated != other.negated:
            return one, other
        if one.negated or other.negated:
            continue
        if (
            isinstance(one.of, Condition)
            and isinstance(other.of, Condition)
            and one.of.attribute == other.of.attribute
            and one.of.intersect(other.of) is None
        ):
            return one, other
    return None
