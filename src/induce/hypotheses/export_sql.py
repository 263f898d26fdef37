"""Conditions and rule lists as SQL that SQLite and standard SQL understand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from induce.core.errors import InputError
from induce.core.values import Value, plain
from induce.hypotheses.conditions import EXACT_WHOLE, Above, AtMost, Between, Condition, Is, NoneOf, OneOf
from induce.hypotheses.naming import number_text, unit_notes

if TYPE_CHECKING:
    from induce.hypotheses.rules import Rule, RuleList

# SQLite refuses expressions nested deeper than 1000, and a chain of n operators is n deep
LONGEST_CHAIN = 500

Item = TypeVar("Item")


def sql_identifier(name: str) -> str:
    """Write the name of a table or column.

    Examples
    --------
    >>> print(sql_identifier('the "best" select'))
    "the ""best"" select"
    """
    _refuse_nul(name)
    return '"' + name.replace('"', '""') + '"'


def sql_literal(value: Value) -> str:
    """Write a value.

    Examples
    --------
    >>> print(sql_literal("don't"), sql_literal(True), sql_literal(0.1), sql_literal(3))
    'don''t' (1 = 1) 0.1 3
    """
    value = plain(value)
    if isinstance(value, bool):
        return "(1 = 1)" if value else "(1 = 0)"  # SQLite takes TRUE for a column if one is called so
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float_literal(value)
    _refuse_nul(value)
    return "'" + value.replace("'", "''") + "'"


def sql_condition(condition: Condition) -> str:
    """Write a condition; NULL satisfies none.

    That a value is none of some is written as the others that it may be: a value that was not seen in training
    satisfies no condition.

    Examples
    --------
    >>> print(sql_condition(OneOf("colour", ("red", "blue"))))
    "colour" IN ('red', 'blue')
    """
    name = sql_identifier(condition.attribute)
    match condition:
        case Is(value=value):
            return f"{name} = {sql_literal(value)}"
        case OneOf(values=values) | NoneOf(others=values):
            return f"{name} IN ({', '.join(map(sql_literal, values))})"
        case AtMost(threshold=high):
            return f"{_number(name, high)} <= {sql_literal(high)}"
        case Above(threshold=low):
            return f"{_number(name, low)} > {sql_literal(low)}"
        case Between(low=low, high=high):
            return (
                f"{_number(name, low)} > {sql_literal(low)} AND {_number(name, high)} <= {sql_literal(high)}"
            )
    raise TypeError(f"the condition {condition} has no form in SQL")


def sql_all(conditions: Sequence[Condition]) -> str:
    """Write that all conditions hold.

    Examples
    --------
    >>> print(sql_all([Is("wind", "weak"), AtMost("age", 30)]))
    "wind" = 'weak' AND "age" <= 30
    """
    tests = [sql_condition(condition) for condition in conditions]
    if len(tests) <= LONGEST_CHAIN // 2:  # a condition may be two tests
        return " AND ".join(tests) or "1 = 1"
    parts = pieces(conditions, LONGEST_CHAIN // 2)
    return " AND ".join(f"({sql_all(part)})" for part in parts)


def sql_comments(notes: Sequence[str]) -> str:
    """Write notes above a query.

    Examples
    --------
    >>> sql_comments(["days since 1970-01-01"])
    '-- days since 1970-01-01\\n'
    """
    return "".join(f"-- {note}\n" for note in notes)


def sql_first_largest(scores: Sequence[str], classes: Sequence[Value]) -> list[str]:
    """Write the cases that choose the class whose score is the first of the largest.

    Examples
    --------
    >>> sql_first_largest(["a", "b"], ["no", "yes"])
    ["WHEN a >= b THEN 'no'", "ELSE 'yes'"]
    """
    whens = [
        f"WHEN {' AND '.join(f'{score} >= {rival}' for rival in scores[code + 1 :])} "
        f"THEN {sql_literal(classes[code])}"
        for code, score in enumerate(scores[:-1])
    ]
    return [*whens, f"ELSE {sql_literal(classes[-1])}"]


def pieces(items: Sequence[Item], size: int = LONGEST_CHAIN) -> list[Sequence[Item]]:
    """Return a long list in pieces that SQLite can chain."""
    return [items[start : start + size] for start in range(0, len(items), size)]


def sql_of_rules(rules: RuleList, table: str = "data", key: str | None = None) -> str:
    """Return a query that gives the rows of `table`, or only their `key`, with a column "prediction".

    Nominal columns are compared as the values of their domain, so the table must store what the hypothesis
    was learned from. Mind that SQLite reads the name of an absent column as a string instead of complaining.

    Examples
    --------
    >>> from induce.data.schema import Column, Schema
    >>> from induce.hypotheses.rules import Rule, RuleList
    >>> schema = Schema((Column("wind", "nominal", ("weak", "strong")),))
    >>> rule = Rule((Is("wind", "weak"),), "yes", (2, 6))
    >>> print(RuleList(schema, "play", ("no", "yes"), (rule,), "no", (3, 3)).to_sql())
    SELECT *,
      CASE
        WHEN "wind" = 'weak' THEN 'yes'
        ELSE 'no'
      END AS "prediction"
    FROM "data"
    """
    attributes = [condition.attribute for rule in rules.rules for condition in rule.conditions]
    prediction = _first(rules) if rules.ordered else _vote(rules)
    return (
        f"{sql_comments(unit_notes(rules.schema, attributes))}"
        f"SELECT {'*' if key is None else sql_identifier(key)},\n"
        f'  {prediction} AS "prediction"\n'
        f"FROM {sql_identifier(table)}"
    )


def _first(rules: RuleList) -> str:
    if not rules.rules:
        return sql_literal(rules.default)
    whens = [f"WHEN {sql_all(rule.conditions)} THEN {sql_literal(rule.prediction)}" for rule in rules.rules]
    return "\n    ".join(["CASE", *whens, f"ELSE {sql_literal(rules.default)}"]) + "\n  END"


def _vote(rules: RuleList) -> str:
    if not rules.rules:
        return sql_literal(rules.default)
    votes = _vote_names(rules)
    source = ""
    for part in pieces(rules.rules):
        # sums of fractions depend on their order: each part goes on adding to the sum of those before it
        sums = [_sum(part, code, name if source else "0") for code, name in enumerate(votes)]
        columns = ",\n      ".join(f"{total} AS {name}" for total, name in zip(sums, votes, strict=True))
        source = f"(SELECT\n      {columns}" + (f"\n    FROM {source}" if source else "") + ") AS votes"
    whens = [f"WHEN {' AND '.join(f'{name} = 0' for name in votes)} THEN {sql_literal(rules.default)}"]
    whens += sql_first_largest(votes, rules.classes)
    return "(SELECT CASE\n    " + "\n    ".join(whens) + f"\n    END\n    FROM {source})"


def _sum(rules: Sequence[Rule], code: int, start: str) -> str:
    terms = [
        f"CASE WHEN {sql_all(rule.conditions)} THEN {sql_literal(_whole(rule.counts[code]))} ELSE 0 END"
        for rule in rules
        if rule.counts[code]
    ]
    return "\n        + ".join([start, *terms])


def _vote_names(rules: RuleList) -> list[str]:
    stem = "vote"
    while any(name.lower().startswith(stem) for name in rules.schema.names()):
        stem = "_" + stem
    return [sql_identifier(f"{stem}_{code}") for code in range(len(rules.classes))]


def _whole(count: float) -> float:
    return int(count) if count == int(count) else count


def _number(name: str, threshold: float) -> str:
    return name if abs(threshold) < EXACT_WHOLE else f"CAST({name} AS DOUBLE PRECISION)"


def _float_literal(number: float) -> str:
    """Write a float so that even a reader that rounds twice gets it back exactly.

    SQLite works decimals out with a few spare bits only; a decimal that lies almost half-way between two
    floats may then fall to the wrong side. Such a number is written with more digits than it needs, and one
    that is almost too small for a float as a quotient of whole numbers.
    """
    if not math.isfinite(number):
        raise InputError(f"{number} cannot be written in SQL; use finite numbers")
    text = number_text(number)
    if number == int(number) and abs(number) < EXACT_WHOLE:
        return text
    if abs(number) < 1e-280:
        return _quotient(number)
    off = abs(Fraction(text) - Fraction(number)) / Fraction(math.ulp(math.nextafter(number, 0)))
    near = abs(int(Decimal(text).as_tuple().exponent)) <= 27  # powers of ten up to here lose no bit
    return text if off <= (Fraction(499, 1000) if near else Fraction(9, 20)) else f"{Decimal(number):.17e}"


def _quotient(number: float) -> str:
    mantissa, exponent = math.frexp(number)
    steps, rest = divmod(53 - exponent, 52)
    return f"({int(mantissa * 2**53)}.0 / {2**rest}.0{' / 4503599627370496.0' * steps})"  # 2 to the power 52


def _refuse_nul(text: str) -> None:
    if "\0" in text:
        raise InputError(f"{text!r} holds a NUL character, which SQL cannot write; rename it")
