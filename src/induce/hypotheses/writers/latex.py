"""Expressions as formulas in LaTeX."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from induce.core.errors import InputError
from induce.core.values import plain
from induce.hypotheses.expressions.functions import FUNCTIONS
from induce.hypotheses.expressions.nodes import (
    And,
    Case,
    Cell,
    Comparison,
    Constant,
    Expression,
    Function,
    Largest,
    Let,
    LookUp,
    Membership,
    Missing,
    Not,
    Number,
    Or,
    Part,
    Product,
    Steps,
    Sum,
    Unseen,
    Variable,
    Vector,
    WeightedSum,
)
from induce.hypotheses.naming import coefficient_text

LATEX_OR = r" \lor "
SIGNS = {"<=": r"\le", ">=": r"\ge"}
SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}
GREEK = re.compile(r"[a-zA-Z]")


def latex_formula(expression: Expression, target: str) -> str:
    """Return an expression as a formula for the target.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> line = WeightedSum(1.0, (0.5,), (Number(Cell(Column("floor area")), 0.0),))
    >>> print(latex_formula(line, "price"))
    \\mathrm{price} = 1 + 0.5 \\cdot \\mathrm{floor\\ area}
    """
    lines = []
    while isinstance(expression, Let):
        lines.append(f"{latex_name(expression.name)} = {_text(expression.value)}")
        expression = expression.within
    return " \\\\\n".join([*lines, f"{latex_name(target)} = {_text(expression)}"])


def latex_name(name: str) -> str:
    """Format a name; a single letter is unchanged.

    Examples
    --------
    >>> print(latex_name("x"), latex_name("price_eur"))
    x \\mathrm{price\\_eur}
    """
    if GREEK.fullmatch(name):
        return name
    shown = "".join(character if character.isprintable() else " " for character in name)
    return rf"\mathrm{{{''.join(SPECIAL.get(each, each) for each in shown)}}}".replace(" ", r"\ ")


def latex_number(number: float) -> str:
    """Format a number with four digits, or with up to six if four would look like a round number.

    Examples
    --------
    >>> print(latex_number(0.5), latex_number(1.5e-9))
    0.5 1.5 \\cdot 10^{-9}
    """
    if not math.isfinite(number):
        return r"-\infty" if number < 0 else r"\infty"
    digits, mark, exponent = coefficient_text(number).partition("e")
    return rf"{digits} \cdot 10^{{{int(exponent)}}}" if mark else digits


def _text(expression: Expression) -> str:
    match expression:
        case Constant(value=value):
            return _value(value)
        case Cell(column=column) | Number(cell=Cell(column=column), offset=0.0, scale=1.0):
            return latex_name(column.name)
        case Number(cell=Cell(column=column), offset=offset, scale=scale):
            return (
                rf"\frac{{{latex_name(column.name)} - {_factor(Constant(offset))}}}{{{latex_number(scale)}}}"
            )
        case Variable(name=name):
            return latex_name(name)
        case Part(vector=vector, place=place):
            return f"{_text(vector)}_{{{place}}}"
        case Sum(terms=terms):
            return " + ".join(map(_factor_of_sum, terms))
        case WeightedSum(constant=constant, weights=weights, terms=terms):
            weighed = (rf"{latex_number(w)} \cdot {_factor(t)}" for w, t in zip(weights, terms, strict=True))
            return " + ".join([latex_number(constant), *weighed]).replace("+ -", "- ")
        case Product(factors=factors):
            return r" \cdot ".join(map(_factor, factors))
        case Function(name=name, arguments=arguments):
            return FUNCTIONS[name].latex.format(*map(_factor, arguments))
        case Vector(parts=parts):
            return rf"({', '.join(map(_text, parts))})"
        case Case(branches=branches, otherwise=otherwise):
            rows = [(_text(said), _test(test)) for test, said in branches]
            return _cases([*rows, (_text(otherwise), r"\mathrm{otherwise}")])
        case LookUp() | Steps():
            return _cases(_rows(expression))
        case Largest(scores=scores, says=says):
            named = _value(tuple(said.value for said in says))
            return rf"\operatorname*{{argmax}}_{{{named}}} {_text(scores)}"
    raise InputError(f"cannot export a {type(expression).__name__.lower()} to LaTeX")


def _rows(table: LookUp | Steps) -> list[tuple[str, str]]:
    name = latex_name(table.cell.column.name)
    missing = (_text(table.missing), rf"{name}\ \mathrm{{missing}}")
    if isinstance(table, LookUp):
        rows = [
            (_text(said), f"{name} = {_value(value)}")
            for said, value in zip(table.says, table.cell.column.domain, strict=True)
        ]
        return [*rows, missing, (_text(table.unseen), r"\mathrm{otherwise}")]
    rows = [
        (_text(said), rf"{name} \le {latex_number(end)}")
        for said, end in zip(table.says, table.ends, strict=False)
    ]
    return [*rows, missing, (_text(table.says[-1]), r"\mathrm{otherwise}")]


def _test(test: Expression) -> str:
    match test:
        case Comparison(left=left, sign=sign, right=right):
            return f"{_text(left)} {SIGNS.get(sign, sign)} {_text(right)}"
        case Membership(cell=cell, values=values):
            name = latex_name(cell.column.name)
            if len(values) == 1:
                return f"{name} = {_value(values[0])}"
            return rf"{name} \in \{{{', '.join(map(_value, values))}\}}"
        case Missing(cell=cell):
            return rf"{latex_name(cell.column.name)}\ \mathrm{{missing}}"
        case Unseen(cell=cell):
            return rf"{latex_name(cell.column.name)}\ \mathrm{{unseen}}"
        case And(parts=parts):
            return r" \land ".join(map(_test, parts))
        case Or(parts=parts):
            return f"({LATEX_OR.join(map(_test, parts))})" if parts else r"\mathrm{false}"
        case Not(part=part):
            return rf"\lnot ({_test(part)})"
        case Constant(value=value):
            return r"\mathrm{true}" if value else r"\mathrm{false}"
    raise InputError(f"cannot export a {type(test).__name__.lower()} to LaTeX")


def _cases(rows: Sequence[tuple[str, str]]) -> str:
    lines = r" \\ ".join(rf"{said} & {when}" for said, when in rows)
    return rf"\begin{{cases}} {lines} \end{{cases}}"


def _value(value: Any) -> str:
    value = plain(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(_value, value))})"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return latex_number(value)
    return rf"\mathrm{{{value}}}" if isinstance(value, bool) else latex_name(f"{value}")


def _factor(expression: Expression) -> str:
    text = _text(expression)
    return f"({text})" if isinstance(expression, Sum | WeightedSum) or text.startswith("-") else text


def _factor_of_sum(expression: Expression) -> str:
    text = _text(expression)
    return f"({text})" if text.startswith("-") else text
