"""Exports of expert rules: as tests in expressions, and as Prolog over facts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from induce.hypotheses.conditions import Is
from induce.hypotheses.expert_rules.rules import Antecedent, ExpertRule
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.hypotheses.expressions.nodes import Case, Comparison, Constant, Expression, Not, Or, Sum
from induce.hypotheses.expressions.shapes import TRUE, all_of, condition_test
from induce.hypotheses.writers.prolog import prolog_goals, prolog_term

if TYPE_CHECKING:
    from induce.hypotheses.expert_rules.classifier import ExpertClassifier


def concept_test(theory: ExpertRules, concept: str) -> Expression:
    """Return a test on columns that is true if a concept holds."""
    tests = [_rule_test(theory, rule) for rule in theory.by_head[concept]]
    return tests[0] if len(tests) == 1 else Or(tuple(tests))


def _rule_test(theory: ExpertRules, rule: ExpertRule) -> Expression:
    parts = [_antecedent_test(theory, one) for one in rule.body]
    if not parts:
        return TRUE
    if rule.is_conjunction:
        return all_of(parts)
    if rule.at_least == 1:
        return Or(tuple(parts))
    terms = tuple(Case(((part, Constant(1.0)),), Constant(0.0)) for part in parts)
    return Comparison(Sum(terms), ">=", Constant(float(rule.at_least)))


def _antecedent_test(theory: ExpertRules, one: Antecedent) -> Expression:
    test = (
        concept_test(theory, one.of)
        if isinstance(one.of, str)
        else condition_test(one.of, theory.schema[one.of.attribute])
    )
    return Not(test) if one.negated else test


def prolog_classes(rules: ExpertClassifier) -> str:
    """Return a program for `class(Row, Class)` with one predicate per concept."""
    heads = {rule.head: f"concept_{place}" for place, rule in enumerate(rules.used)}
    names = {*rules.schema.names()}
    for head in heads:
        plain = re.sub(r"\W+", "_", head).strip("_").lower()
        taken = {*heads.values(), *names, "class"}
        if re.fullmatch(r"[a-z]\w*", plain) and plain not in taken:
            heads[head] = plain
    top = "class"
    while top in names:
        top += "_"
    lines = [
        f"% Ask {top}(Row, Class) with Class unbound; a row is described by facts, such as column(row1, Value).",
        "% A missing value has no fact.",
    ]
    for value, concept in zip(rules.classes, rules.concepts, strict=True):
        if concept:
            lines.append(f"{top}(X, {prolog_term(value)}) :- {heads[concept]}(X), !.")
    lines.append(f"{top}(_, {prolog_term(rules.default)}).")
    for head in dict.fromkeys(rule.head for rule in rules.used):
        for number, rule in enumerate(rules.theory.by_head[head], 1):
            lines += _facts_clauses(rules.theory, rule, heads, f"{heads[head]}_{number}")
    return "\n".join(lines) + "\n"


def _facts_clauses(
    theory: ExpertRules, rule: ExpertRule, heads: dict[str, str], helper: str
) -> Iterator[str]:
    goals = [_goal(theory, one, heads) for one in rule.body]
    name = heads[rule.head]
    if not goals:
        yield f"{name}(_)."
    elif rule.is_conjunction:
        yield f"{name}(X) :- {', '.join(goals)}."
    else:
        # helper_k_n: at least n of the conditions from the k-th on hold
        m = len(goals)
        yield f"{name}(X) :- {helper}_1_{rule.at_least}(X)."
        for k in range(1, m + 1):
            for n in range(1, rule.at_least + 1):
                if n > m - k + 1 or rule.at_least - n > k - 1:
                    continue
                rest = f", {helper}_{k + 1}_{n - 1}(X)" if n > 1 else ""
                yield f"{helper}_{k}_{n}(X) :- {goals[k - 1]}{rest}."
                if n <= m - k:
                    yield f"{helper}_{k}_{n}(X) :- {helper}_{k + 1}_{n}(X)."


def _goal(theory: ExpertRules, one: Antecedent, heads: dict[str, str]) -> str:
    if isinstance(one.of, str):
        said = f"{heads[one.of]}(X)"
        return f"\\+ {said}" if one.negated else said
    said = prolog_goals(condition_test(one.of, theory.schema[one.of.attribute]))
    if not one.negated:
        return said
    return f"\\+ {said}" if isinstance(one.of, Is) else f"\\+ ( {said} )"
