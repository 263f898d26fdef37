"""Rule lists as expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.hypotheses.expressions.nodes import (
    Case,
    Comparison,
    Constant,
    Expression,
    Largest,
    Let,
    Maximum,
    Sum,
    Variable,
)
from induce.hypotheses.expressions.shapes import all_of, condition_test

if TYPE_CHECKING:
    from induce.hypotheses.rules import Rule, RuleList


def first_rule(rules: RuleList) -> Expression:
    """Return the prediction of the first rule that holds; rules after an unconditional one are dropped."""
    always = next((place for place, rule in enumerate(rules.rules) if not rule.conditions), None)
    reached = rules.rules[:always]
    otherwise = Constant(rules.default if always is None else rules.rules[always].prediction)
    if not reached:
        return otherwise
    return Case(tuple((premise(rules, rule), Constant(rule.prediction)) for rule in reached), otherwise)


def votes(rules: RuleList) -> Expression:
    """Return the class with the most votes from the rules that hold, or the default if no rule holds."""
    nothing = Constant((0.0,) * len(rules.classes))
    terms = [
        Case(((premise(rules, rule), Constant(tuple(map(float, rule.counts)))),), nothing)
        for rule in rules.rules
    ]
    scores = Variable("votes", len(rules.classes))
    silent = Comparison(Maximum(scores), "<=", Constant(0.0))
    chosen = Largest(scores, tuple(map(Constant, rules.classes)))
    return Let("votes", Sum((nothing, *terms)), Case(((silent, Constant(rules.default)),), chosen))


def premise(rules: RuleList, rule: Rule) -> Expression:
    """Return the conditions of a rule."""
    return all_of([condition_test(each, rules.schema[each.attribute]) for each in rule.conditions])
