"""Randomly damaged theories, to test how much a learner depends on its knowledge (Mitchell §12.2.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.data.schema import Column
from induce.hypotheses.conditions import Above, AtMost, Is
from induce.hypotheses.expert_rules.rules import Antecedent, ExpertRule
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.hypotheses.expert_rules.writing import written

KINDS = ("drop condition", "add condition", "change condition", "drop rule", "add rule")
TRIES = 1_000


def damaged_rules(
    theory: ExpertRules, changes: int, X: Any = None, random_state: RandomState = 0
) -> ExpertRules:
    """Return a theory with random changes: conditions and rules dropped, added or changed.

    Concepts that rules use keep at least one rule, so that the damaged theory stays readable.

    Parameters
    ----------
    theory : ExpertRules
        Theory to damage.
    changes : int
        Number of changes; 0 returns the theory unchanged.
    X : frame or array, optional
        Rows from which thresholds on numbers are drawn; without rows thresholds are whole numbers below 10.
    random_state : int, Generator or None
        Random seed.

    Examples
    --------
    >>> import induce
    >>> data = induce.dataset("cup")
    >>> theory = ExpertRules(data.schema.inputs(), "cup :- stable, light.  stable :- bottom_is_flat.")
    >>> print(damaged_rules(theory, 1, random_state=1))
    IF stable AND Light = yes THEN cup
    IF MadeOfCeramic = yes THEN stable
    """
    at_least("changes", changes, 0, whole=True)
    rng = generator(random_state)
    rules = list(theory.clauses)
    done = tries = 0
    while done < changes:
        tries += 1
        if tries > TRIES * max(1, changes):
            raise InputError(f"the theory is too small for {changes} changes; ask for fewer")
        new = _changed(rules, theory, X, rng)
        if new is None or new == rules:
            continue
        found = _read(theory, new)
        if found is not None:
            rules, done = new, done + 1
    return theory if not done else _read(theory, rules) or theory


def _read(theory: ExpertRules, rules: list[ExpertRule]) -> ExpertRules | None:
    """Return the rules as a theory, or None if a concept would have no rule or be recursive."""
    try:
        return ExpertRules(theory.schema, written(theory, rules), theory.target, theory.columns)
    except InputError:
        return None


def _changed(
    rules: list[ExpertRule], theory: ExpertRules, X: Any, rng: np.random.Generator
) -> list[ExpertRule] | None:
    kind = KINDS[int(rng.integers(len(KINDS)))]
    at = int(rng.integers(len(rules)))
    rule, body = rules[at], list(rules[at].body)
    if kind == "drop rule":
        if sum(one.head == rule.head for one in rules) < 2:
            return None
        return rules[:at] + rules[at + 1 :]
    if kind == "add rule":
        size = int(rng.integers(1, 4))
        conditions = tuple(dict.fromkeys(_condition(theory, X, rng) for _ in range(size)))
        return [*rules, ExpertRule(rule.head, conditions, len(conditions))]
    if kind == "drop condition":
        if len(body) < 2:
            return None
        del body[int(rng.integers(len(body)))]
    else:
        condition = _condition(theory, X, rng)
        if condition in body:
            return None
        if kind == "add condition":
            body.append(condition)
        else:
            body[int(rng.integers(len(body)))] = condition
    wanted = len(body) if rule.is_conjunction else min(rule.at_least, len(body))
    return [*rules[:at], replace(rule, body=tuple(body), at_least=wanted), *rules[at + 1 :]]


def _condition(theory: ExpertRules, X: Any, rng: np.random.Generator) -> Antecedent:
    columns = list(theory.schema)
    column = columns[int(rng.integers(len(columns)))]
    if column.kind == "nominal":
        domain = column.domain
        return Antecedent(Is(column.name, domain[int(rng.integers(len(domain)))]))
    threshold = _threshold(column, X, rng)
    return Antecedent((Above if rng.integers(2) else AtMost)(column.name, threshold))


def _threshold(column: Column, X: Any, rng: np.random.Generator) -> float:
    if X is None:
        return float(rng.integers(0, 10))
    values = np.asarray(X[column.name], np.float64)
    known = values[np.isfinite(values)]
    return float(known[int(rng.integers(len(known)))]) if len(known) else 0.0
