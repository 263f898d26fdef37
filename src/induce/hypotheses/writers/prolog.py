"""Expressions as Prolog clauses: cases, and votes of rules."""

from __future__ import annotations

import re
from collections.abc import Sequence

from induce.core.errors import InputError
from induce.core.values import Value, plain
from induce.hypotheses.expressions.nodes import (
    And,
    Case,
    Cell,
    Comparison,
    Constant,
    Expression,
    Largest,
    Let,
    Membership,
    Sum,
)
from induce.hypotheses.expressions.shapes import columns_of
from induce.hypotheses.naming import number_text
from induce.hypotheses.writers.notes import comment, date_notes

PLAIN_ATOM = re.compile(r"[a-z][a-zA-Z0-9_]*")
SIGNS = {"<=": "=<", ">": ">", "<": "<", ">=": ">=", "=": "=:="}

# `best` starts from the default with no votes: a later class needs more votes than the best so far
COUNTING = """\
best([], _, _, C, C).
best([C1|Cs], X, W0, C0, C) :-
    findall(W, vote(X, C1, W), Ws),
    total(Ws, 0, W1),
    ( W1 > W0 -> best(Cs, X, W1, C1, C) ; best(Cs, X, W0, C0, C) ).
total([], S, S).
total([W|Ws], S0, S) :- S1 is S0 + W, total(Ws, S1, S)."""


def prolog_program(expression: Expression, names: Sequence[str]) -> str:
    """Return clauses of `class(Row, Class)` over facts such as `outlook(d1, sunny)`.

    Query it with the class unbound. If an attribute is itself called class, the predicate is class_ instead.

    Parameters
    ----------
    expression : Expression
    names : sequence of str
        Attributes of the rows.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> weak = Membership(Cell(Column("wind", "nominal", ("weak", "strong"))), ("weak",))
    >>> print(prolog_program(Case(((weak, Constant("yes")),), Constant("no")), ["wind"]))
    % Ask class(Row, Class) with Class unbound; a row is described by facts, such as wind(row1, Value).
    % A missing value has no fact.
    class(X, yes) :- wind(X, weak), !.
    class(_, no).
    <BLANKLINE>
    """
    columns = columns_of(expression)
    head = "class"
    while head in names:
        head += "_"
    example = f", such as {prolog_atom(next(iter(columns)))}(row1, Value)" if columns else ""
    notes = [
        f"Ask {head}(Row, Class) with Class unbound; a row is described by facts{example}.",
        "A missing value has no fact.",
        *date_notes(columns.values(), "is a number: days since 1970-01-01"),
    ]
    return "\n".join([*(f"% {comment(note)}" for note in notes), *_clauses(expression, head)]) + "\n"


def prolog_atom(text: str) -> str:
    """Write an atom, in quotes if Prolog needs them.

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
    if not isinstance(value, str):
        raise InputError(f"cannot write {value!r} in Prolog: it is not a text, number or truth value")
    return prolog_atom(value)


def prolog_goals(test: Expression, row: str = "X") -> str:
    """Write the goals that test a row.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> print(prolog_goals(Comparison(Cell(Column("age")), "<=", Constant(30.5))))
    age(X, V1), V1 =< 30.5
    """
    parts = [part for each in _parts(test) for part in _parts(each)]
    groups: list[list[Expression]] = []
    for part in parts:
        last = groups[-1][-1] if groups else None
        same = isinstance(part, Comparison) and isinstance(last, Comparison) and part.left == last.left
        if same:
            groups[-1].append(part)
        else:
            groups.append([part])
    return ", ".join(_goal(group, f"V{k}", row) for k, group in enumerate(groups, 1)) or "true"


def _clauses(expression: Expression, head: str) -> list[str]:
    match expression:
        case Case(branches=branches, otherwise=Constant(value=default)) if all(
            isinstance(said, Constant) for _, said in branches
        ):
            clauses = [f"{head}(X, {_outcome(said)}) :- {prolog_goals(test)}, !." for test, said in branches]
            return [*clauses, f"{head}(_, {prolog_term(default)})."]  # type: ignore[arg-type]
        case Constant(value=value):
            return [f"{head}(_, {prolog_term(value)})."]  # type: ignore[arg-type]
        case Let(
            value=Sum(terms=terms),
            within=Case(branches=((Comparison(), Constant(value=default)),), otherwise=Largest(says=says)),
        ) if all(isinstance(term, Case) for term in terms[1:]):
            return _votes(terms[1:], [said.value for said in says], default, head)  # type: ignore[misc, arg-type]
    raise InputError(
        "cannot export this hypothesis to Prolog; export its rules (to_rules().to_prolog()) or to Python"
    )


def _votes(terms: Sequence[Expression], classes: list[Value], default: Value, head: str) -> list[str]:
    names = [prolog_term(value) for value in classes]
    # clauses of one predicate are adjacent, and a cut keeps a rule from voting twice for one row
    votes = [
        f"vote(X, {name}, {_number(count)}) :- once(( {prolog_goals(test)} ))."
        for term in terms
        if isinstance(term, Case)
        for test, said in term.branches
        if isinstance(said, Constant) and isinstance(said.value, tuple)
        for name, count in zip(names, said.value, strict=True)
        if count
    ]
    choice = f"{head}(X, C) :- best([{', '.join(names)}], X, 0, {prolog_term(default)}, C)."
    return [*(votes or ["vote(_, _, _) :- fail."]), choice, COUNTING]


def _parts(test: Expression) -> tuple[Expression, ...]:
    return test.parts if isinstance(test, And) else (test,)


def _goal(group: Sequence[Expression], variable: str, row: str) -> str:
    match group[0]:
        case Constant(value=True):
            return "true"
        case Membership(cell=cell, values=values):
            facts = [f"{_fact(cell, row)}{prolog_term(value)})" for value in values]
            return facts[0] if len(facts) == 1 else f"( {' ; '.join(facts)} )"
        case Comparison(left=Cell() as cell):
            tests = [
                f"{variable} {SIGNS[part.sign]} {_number(part.right.value)}"  # type: ignore[arg-type]
                for part in group
                if isinstance(part, Comparison) and isinstance(part.right, Constant)
            ]
            return ", ".join([f"{_fact(cell, row)}{variable})", *tests])
    raise InputError(f"cannot export a {type(group[0]).__name__.lower()} to Prolog")


def _fact(cell: Cell, row: str) -> str:
    return f"{prolog_atom(cell.column.name)}({row}, "


def _outcome(said: Expression) -> str:
    assert isinstance(said, Constant)
    return prolog_term(said.value)  # type: ignore[arg-type]


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
