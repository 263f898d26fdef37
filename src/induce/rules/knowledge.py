"""Prior knowledge of the user: required and forbidden conditions, monotone columns, and initial rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.values import Value
from induce.data.names import unknown
from induce.data.schema import Schema
from induce.hypotheses.conditions import Condition, NominalCondition, NumericCondition
from induce.hypotheses.rules import Rule
from induce.rules import _loops
from induce.rules.encoding import Coded, Test
from induce.rules.space import Limits
from induce.rules.training import Premise

DIRECTIONS = ("increasing", "decreasing")


def limits_of(
    coded: Coded,
    schema: Schema,
    classes: tuple[Value, ...],
    forbid: Iterable[Any],
    monotone: Mapping[str, str] | None,
    critical: float,
    max_length: int | None,
) -> Limits:
    """Return the limits that rules must respect.

    Parameters
    ----------
    coded : Coded
        Encoded training table.
    schema : Schema
        Schema of the training table.
    classes : tuple
        The classes, in the order in which ties are broken.
    forbid : iterable of columns and conditions
        Columns and conditions that must not occur: a column's name, or a condition on a nominal column as
        text or `Condition`.
    monotone : dict from columns to {"increasing", "decreasing"}, optional
        Monotone columns. "increasing": larger values never favour an earlier class. Rules for the last class
        then test only that the attribute is above a threshold, and rules for the first class only that it is
        not.
    critical : float
        Minimum likelihood ratio of a rule.
    max_length : int or None
        Maximum number of tests of a rule.
    """
    names = [column.name for column in coded.inputs]
    may = np.ones((len(names), _loops.N_KINDS, len(classes)), np.uint8)
    open_values = np.ones(int(coded.starts[-1]), np.uint8)
    for item in forbid:
        if isinstance(item, str) and item in names:
            may[names.index(item)] = 0
            continue
        condition = condition_of(item, schema, "forbid")
        a = names.index(condition.attribute)
        if not isinstance(condition, NominalCondition) or coded.slots[a] >= 0:
            raise InputError(
                f"forbid contains {str(condition)!r}, but column {condition.attribute!r} is tested at "
                "thresholds; forbid the column, or give its direction as monotone"
            )
        domain = coded.inputs[a].domain
        for value in condition.accepted:
            open_values[coded.starts[a] + domain.index(value)] = 0
    for name, direction in (monotone or {}).items():
        if name not in names:
            raise unknown("column", name, names)
        a = names.index(name)
        if direction not in DIRECTIONS:
            raise InputError(
                f"monotone is {direction!r} for column {name!r}; give {' or '.join(map(repr, DIRECTIONS))}"
            )
        if coded.slots[a] < 0:
            raise InputError(
                f"monotone names column {name!r}, whose values are not ordered; declare it as ordered "
                "in the schema"
            )
        towards_last, towards_first = (
            (_loops.ABOVE, _loops.AT_MOST) if direction == "increasing" else (_loops.AT_MOST, _loops.ABOVE)
        )
        may[a, towards_last, 0] = 0
        may[a, towards_first, len(classes) - 1] = 0
    return Limits(may, open_values, critical, max_length)


def condition_of(item: Any, schema: Schema, parameter: str) -> Condition:
    """Return a condition given as a `Condition` or as text."""
    from induce.hypotheses.parsing import parse_condition

    if isinstance(item, str):
        return parse_condition(item, schema)
    if not isinstance(item, Condition):
        raise InputError(f"{parameter} contains {item!r}; give conditions, as text or as Condition")
    item.check_column(schema[item.attribute])
    return item


def tests_of(condition: Condition, coded: Coded) -> tuple[Test, ...]:
    """Return a condition as tests in codes and ranks."""
    a = [column.name for column in coded.inputs].index(condition.attribute)
    if isinstance(condition, NumericCondition):
        values = coded.values[a]
        low, high = (int(np.searchsorted(values, bound, side="right")) - 1 for bound in condition.bounds)
        tests = []
        if np.isfinite(condition.bounds[0]):
            tests.append(Test(a, _loops.ABOVE, low, low + 1, threshold=condition.bounds[0]))
        if np.isfinite(condition.bounds[1]):
            tests.append(Test(a, _loops.AT_MOST, high, high + 1, threshold=condition.bounds[1]))
        return tuple(tests)
    domain = coded.inputs[a].domain
    assert isinstance(condition, NominalCondition)
    accepted = np.array([value in condition.accepted for value in domain], np.uint8)
    if accepted.sum() == 1 and coded.slots[a] < 0:
        code = int(accepted.argmax())
        return (Test(a, _loops.EQUAL, code, code),)
    return (Test(a, _loops.AMONG, 0, 0, accepted),)


def given_rules(rules: Iterable[Any], schema: Schema, classes: tuple[Value, ...]) -> list[Premise]:
    """Return the rules of an expert, given as text or as `Rule`."""
    from induce.hypotheses.parsing import parse_rule

    premises = []
    for item in rules:
        rule = parse_rule(item, schema, classes) if isinstance(item, str) else item
        if not isinstance(rule, Rule):
            raise InputError(f"rules contains {item!r}; give rules, as text or as Rule")
        if rule.prediction not in classes:
            raise unknown("class", str(rule.prediction), map(str, classes))
        for condition in rule.conditions:
            condition.check_column(schema[condition.attribute])
        premises.append((rule.conditions, classes.index(rule.prediction)))
    return premises
