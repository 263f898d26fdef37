"""Conditions and rule lists as Python source that needs nothing installed."""

from __future__ import annotations

from collections.abc import Sequence
from keyword import iskeyword
from typing import TYPE_CHECKING

from induce.core.errors import InputError
from induce.core.values import Value, plain
from induce.hypotheses.conditions import EXACT_WHOLE, Above, AtMost, Between, Condition, Is, NoneOf, OneOf
from induce.hypotheses.naming import number_text, unit_notes

if TYPE_CHECKING:
    from induce.hypotheses.rules import RuleList


def python_literal(value: Value) -> str:
    """Write a value.

    Examples
    --------
    >>> print(python_literal("don't"), python_literal(0.1), python_literal(True))
    "don't" 0.1 True
    """
    return repr(plain(value))


def python_condition(condition: Condition, row: str = "row") -> str:
    """Write a condition on a dict called `row`; None, NaN and an absent key satisfy none.

    Examples
    --------
    >>> print(python_condition(AtMost("age", 30.5)))
    row.get('age') is not None and row['age'] <= 30.5
    """
    name = python_literal(condition.attribute)
    cell = f"{row}[{name}]"
    match condition:
        case Is(value=value):
            return f"{row}.get({name}) == {python_literal(value)}"
        case OneOf(values=values) | NoneOf(others=values):
            return f"{row}.get({name}) in {_tuple(values)}"
        case AtMost(threshold=high):
            test = f"{_number(cell, high)} <= {number_text(high)}"
        case Above(threshold=low):
            test = f"{_number(cell, low)} > {number_text(low)}"
        case Between(low=low, high=high):
            widest = max(abs(low), abs(high))
            test = f"{number_text(low)} < {_number(cell, widest)} <= {number_text(high)}"
        case _:
            raise TypeError(f"the condition {condition} has no form in Python")
    return f"{row}.get({name}) is not None and {test}"


def python_all(conditions: Sequence[Condition], row: str = "row") -> str:
    """Write that all conditions hold.

    Examples
    --------
    >>> print(python_all([Is("wind", "weak"), Is("sky", "grey")]))
    row.get('wind') == 'weak' and row.get('sky') == 'grey'
    """
    return " and ".join(python_condition(condition, row) for condition in conditions) or "True"


def python_header(name: str, target: str, notes: Sequence[str]) -> list[str]:
    """Return the first lines of a function that predicts `target` for a dict.

    Examples
    --------
    >>> print(*python_header("predict", "play", []), sep="\\n")
    def predict(row):
        'Return play for a row, a dict from column to value; None, NaN or no entry is a missing value.'
    """
    if not name.isidentifier() or iskeyword(name):
        raise InputError(f"name={name!r} cannot name a Python function; use letters, digits and _")
    use = f"Return {target} for a row, a dict from column to value; None, NaN or no entry is a missing value."
    return [f"def {name}(row):", f"    {python_literal(use)}", *(f"    # {note}" for note in notes)]


def python_of_rules(rules: RuleList, name: str = "predict") -> str:
    """Return the source of a function from a dict, such as a row, to a class.

    Examples
    --------
    >>> from induce.data.schema import Column, Schema
    >>> from induce.hypotheses.rules import Rule, RuleList
    >>> schema = Schema((Column("wind", "nominal", ("weak", "strong")),))
    >>> rule = Rule((Is("wind", "weak"),), "yes", (2, 6))
    >>> print(RuleList(schema, "play", ("no", "yes"), (rule,), "no", (3, 3)).to_python())
    def predict(row):
        'Return play for a row, a dict from column to value; None, NaN or no entry is a missing value.'
        if row.get('wind') == 'weak':
            return 'yes'
        return 'no'
    """
    attributes = [condition.attribute for rule in rules.rules for condition in rule.conditions]
    header = python_header(name, rules.target, unit_notes(rules.schema, attributes))
    return "\n".join([*header, *(_first(rules) if rules.ordered else _vote(rules))]) + "\n"


def _first(rules: RuleList) -> list[str]:
    lines = []
    for rule in rules.rules:
        lines += [
            f"    if {python_all(rule.conditions)}:",
            f"        return {python_literal(rule.prediction)}",
        ]
    return [*lines, f"    return {python_literal(rules.default)}"]


def _vote(rules: RuleList) -> list[str]:
    lines = [f"    votes = [{', '.join(['0.0'] * len(rules.classes))}]"]
    for rule in rules.rules:
        votes = [
            f"        votes[{code}] += {python_literal(count)}"
            for code, count in enumerate(rule.counts)
            if count
        ]
        if votes:
            lines += [f"    if {python_all(rule.conditions)}:", *votes]
    return [
        *lines,
        "    if not any(votes):",
        f"        return {python_literal(rules.default)}",
        f"    return {_tuple(rules.classes)}[votes.index(max(votes))]",
    ]


def _tuple(values: Sequence[Value]) -> str:
    return f"({', '.join(map(python_literal, values))}{',' if len(values) == 1 else ''})"


def _number(cell: str, threshold: float) -> str:
    return cell if abs(threshold) < EXACT_WHOLE else f"float({cell})"
