"""Conditions and rule lists as Prolog clauses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from induce.core.values import Value, plain
from induce.hypotheses.conditions import Above, AtMost, Between, Condition, Is, NoneOf, OneOf
from induce.hypotheses.naming import number_text, unit_notes

if TYPE_CHECKING:
    from induce.hypotheses.rules import RuleList

PLAIN_ATOM = re.compile(r"[a-z][a-zA-Z0-9_]*")

# `best` starts from the default with no votes: a later class needs more votes than the best one before it
COUNTING = """\
best([], _, _, C, C).
best([C1|Cs], X, W0, C0, C) :-
    findall(W, vote(X, C1, W), Ws),
    total(Ws, 0, W1),
    ( W1 > W0 -> best(Cs, X, W1, C1, C) ; best(Cs, X, W0, C0, C) ).
total([], S, S).
total([W|Ws], S0, S) :- S1 is S0 + W, total(Ws, S1, S)."""


def prolog_atom(text: str) -> str:
    """Write an atom, in quotes where Prolog needs them.

    Examples
    --------
    >>> print(prolog_atom("sunny"), prolog_atom("Sunny day"), prolog_atom("don't"))
    sunny 'Sunny day' 'don\\'t'
    """
    return text if PLAIN_ATOM.fullmatch(text) else "'" + "".join(map(_character, text)) + "'"


def prolog_term(value: Value) -> str:
    """Write a value.

    Examples
    --------
    >>> print(prolog_term("sunny"), prolog_term(True), prolog_term(2), prolog_term(1e300))
    sunny true 2 1.0e+300
    """
    value = plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _with_point(repr(value))
    return prolog_atom(value)


def prolog_condition(condition: Condition, variable: str = "V", row: str = "X") -> str:
    """Write a condition on the row `row`; `variable` takes a number and must be new to the clause.

    Examples
    --------
    >>> print(prolog_condition(AtMost("age", 30.5), "V1"))
    age(X, V1), V1 =< 30.5
    >>> print(prolog_condition(OneOf("colour", ("red", "blue"))))
    ( colour(X, red) ; colour(X, blue) )
    """
    fact = f"{prolog_atom(condition.attribute)}({row}, "
    match condition:
        case Is(value=value):
            return f"{fact}{prolog_term(value)})"
        case OneOf(values=values) | NoneOf(others=values):
            return "( " + " ; ".join(f"{fact}{prolog_term(value)})" for value in values) + " )"
        case AtMost(threshold=high):
            return f"{fact}{variable}), {variable} =< {_number(high)}"
        case Above(threshold=low):
            return f"{fact}{variable}), {variable} > {_number(low)}"
        case Between(low=low, high=high):
            return f"{fact}{variable}), {variable} > {_number(low)}, {variable} =< {_number(high)}"
    raise TypeError(f"the condition {condition} has no form in Prolog")


def prolog_all(conditions: Sequence[Condition], row: str = "X") -> str:
    """Write that all conditions hold.

    Examples
    --------
    >>> print(prolog_all([Is("wind", "weak"), AtMost("age", 30)]))
    wind(X, weak), age(X, V2), V2 =< 30
    """
    goals = (prolog_condition(condition, f"V{place}", row) for place, condition in enumerate(conditions, 1))
    return ", ".join(goals) or "true"


def prolog_of_rules(rules: RuleList) -> str:
    """Return clauses of `class(Row, Class)` over facts such as `outlook(d1, sunny)`.

    Ask with the class unbound. Where an attribute is itself called class, the predicate is class_ instead.

    Examples
    --------
    >>> from induce.data.schema import Column, Schema
    >>> from induce.hypotheses.rules import Rule, RuleList
    >>> schema = Schema((Column("wind", "nominal", ("weak", "strong")),))
    >>> rule = Rule((Is("wind", "weak"),), "yes", (2, 6))
    >>> print(RuleList(schema, "play", ("no", "yes"), (rule,), "no", (3, 3)).to_prolog())
    % Ask class(Row, Class) with Class unbound; a row is described by facts, such as wind(row1, Value).
    % A missing value has no fact.
    class(X, yes) :- wind(X, weak), !.
    class(_, no).
    <BLANKLINE>
    """
    attributes = list(dict.fromkeys(c.attribute for rule in rules.rules for c in rule.conditions))
    head = "class"
    while head in rules.schema.names():
        head += "_"
    example = f", such as {prolog_atom(attributes[0])}(row1, Value)" if attributes else ""
    notes = [
        f"Ask {head}(Row, Class) with Class unbound; a row is described by facts{example}.",
        "A missing value has no fact.",
        *unit_notes(rules.schema, attributes),
    ]
    clauses = _first(rules, head) if rules.ordered else _vote(rules, head)
    return "\n".join([*(f"% {note}" for note in notes), *clauses]) + "\n"


def _first(rules: RuleList, head: str) -> list[str]:
    clauses = [
        f"{head}(X, {prolog_term(rule.prediction)}) :- {prolog_all(rule.conditions)}, !."
        for rule in rules.rules
    ]
    return [*clauses, f"{head}(_, {prolog_term(rules.default)})."]


def _vote(rules: RuleList, head: str) -> list[str]:
    classes = [prolog_term(value) for value in rules.classes]
    # clauses of one predicate stand together, and a cut keeps a rule from voting twice for one row
    votes = [
        f"vote(X, {name}, {_number(count)}) :- once(( {prolog_all(rule.conditions)} ))."
        for rule in rules.rules
        for name, count in zip(classes, rule.counts, strict=True)
        if count
    ]
    choice = f"{head}(X, C) :- best([{', '.join(classes)}], X, 0, {prolog_term(rules.default)}, C)."
    return [*(votes or ["vote(_, _, _) :- fail."]), choice, COUNTING]


def _character(character: str) -> str:
    if character in "\\'":
        return "\\" + character
    if character == "\n":
        return "\\n"
    return character if character.isprintable() else f"\\x{ord(character):x}\\"


def _number(number: float) -> str:
    return _with_point(number_text(number))


def _with_point(text: str) -> str:
    mantissa, mark, exponent = text.partition("e")
    return text if not mark or "." in mantissa else f"{mantissa}.0e{exponent}"
