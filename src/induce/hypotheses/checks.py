"""Consistency checks of rule lists."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.hypotheses.conditions import Condition

if TYPE_CHECKING:
    from induce.hypotheses.rules import RuleList


def check_rules(rules: RuleList) -> None:
    """Raise an `InputError` that names the first inconsistent part of a rule list."""
    from induce.hypotheses.rules import Rule

    _check_schema(rules.schema)
    _require(isinstance(rules.target, str), "the target of the rule list is not a name")
    _check_classes(rules.classes)
    _require(
        isinstance(rules.ordered, bool), "the `ordered` field of the rule list is neither true nor false"
    )
    _check_head("the default", rules.default, rules.default_counts, rules.classes)
    _require(
        isinstance(rules.class_counts, tuple)
        and (not rules.class_counts or _are_counts(rules.class_counts, rules.classes)),
        f"the rule list needs class counts, one for each of its {len(rules.classes)} classes",
    )
    _require(
        isinstance(rules.rules, tuple) and all(isinstance(rule, Rule) for rule in rules.rules),
        "the rules of the rule list are not rules",
    )
    for number, rule in enumerate(rules.rules, start=1):
        _check_head(f"rule {number}", rule.prediction, rule.counts, rules.classes)
        _require(
            isinstance(rule.conditions, tuple)
            and all(isinstance(condition, Condition) for condition in rule.conditions),
            f"the conditions of rule {number} are not conditions",
        )
        for condition in rule.conditions:
            column = rules.schema[condition.attribute]
            _require(
                column.role == "input", f"rule {number} tests column {column.name!r}, which is not an input"
            )
            condition.check_column(column)


def _require(holds: bool, sentence: str) -> None:
    if not holds:
        raise InputError(sentence)


def _check_schema(schema: Any) -> None:
    _require(
        isinstance(schema, Schema)
        and isinstance(schema.columns, tuple)
        and all(isinstance(column, Column) for column in schema.columns),
        "the schema of the rule list is not a schema",
    )
    _require(len(set(schema.names())) == len(schema), "the schema of the rule list contains a column twice")


def _check_classes(classes: Any) -> None:
    _require(
        isinstance(classes, tuple) and len(classes) > 0 and all(_is_value(value) for value in classes),
        "the classes of the rule list are not a list of at least one value",
    )
    _require(len(set(classes)) == len(classes), "the rule list contains a class twice")


def _check_head(who: str, prediction: Any, counts: Any, classes: tuple[Any, ...]) -> None:
    _require(
        _is_value(prediction) and prediction in classes,
        f"{who} predicts {prediction!r}, which is not a class",
    )
    _require(
        _are_counts(counts, classes),
        f"{who} needs one nonnegative count for each of the {len(classes)} classes",
    )


def _are_counts(counts: Any, classes: tuple[Any, ...]) -> bool:
    return (
        isinstance(counts, tuple)
        and len(counts) == len(classes)
        and all(isinstance(count, int | float) and 0 <= count < math.inf for count in counts)
    )


def _is_value(value: Any) -> bool:
    return isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))
