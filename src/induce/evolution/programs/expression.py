"""Formulas as expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from induce.data.numeric_view import FAR, NumericView
from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.flat import folded
from induce.evolution.programs.functions import BY_CODE
from induce.hypotheses.expressions.nodes import (
    Case,
    Cell,
    Comparison,
    Constant,
    Expression,
    Function,
    Largest,
    Let,
    LookUp,
    Number,
    Variable,
    Vector,
)

if TYPE_CHECKING:
    from induce.evolution.programs.formula import ClassFormulas, Formula

HIGHEST = 12
"""Maximum height of an unnamed part; parsers limit the depth of brackets."""
LARGEST = 1.7976931348623157e308


def value_of(formula: Formula) -> Expression:
    """Return the value of a formula as an expression, or its fallback if the value is not finite."""
    return _within(*_finite(formula, "value"))


def class_of(formulas: ClassFormulas, longest: float) -> Expression:
    """Return the class predicted by the formulas as an expression."""
    classes = tuple(map(Constant, formulas.classes))
    if not formulas.formulas:
        return classes[0]
    lets: list[tuple[str, Expression]] = []
    scores = []
    for k, formula in enumerate(formulas.formulas):
        named, value = _finite(formula, f"score_{k}")
        lets += named
        scores.append(
            Function("larger", (Function("smaller", (value, Constant(longest))), Constant(-longest)))
        )
    if len(scores) == 1:
        ahead = Comparison(scores[0], ">", Constant(0.0))
        return _within(lets, Case(((ahead, classes[1]),), classes[0]))
    return _within(lets, Largest(Vector(tuple(scores)), classes, formulas.ties_by_rounding))


def _within(lets: Sequence[tuple[str, Expression]], expression: Expression) -> Expression:
    for name, value in reversed(lets):
        expression = Let(name, value, expression)
    return expression


def _finite(formula: Formula, name: str) -> tuple[list[tuple[str, Expression]], Expression]:
    """Return the named parts of a formula, and its value if finite, otherwise the fallback."""
    inputs, codes = _inputs(formula.view), formula.codes.tolist()
    used = sorted({code - loops.COLUMN for code in codes if code >= loops.COLUMN})
    lets = [(f"{name}_x{j}", inputs[j]) for j in used]

    def part(i: int, arguments: list[tuple[Expression, int]]) -> tuple[Expression, int]:
        code = int(codes[i])
        if code == loops.CONSTANT:
            return Constant(float(formula.constants[i])), 0
        if code >= loops.COLUMN:
            return Variable(f"{name}_x{code - loops.COLUMN}"), 0
        found = Function(BY_CODE[code].form, tuple(each for each, _ in arguments))
        height = 1 + max(height for _, height in arguments)
        if height < HIGHEST:
            return found, height
        lets.append((f"{name}_part{i}", found))
        return Variable(f"{name}_part{i}"), 0

    result = folded(codes, lambda code: BY_CODE[code].arity if code in BY_CODE else 0, part)[0]
    lets.append((name, result))
    value = Variable(name)
    finite = Comparison(Function("abs", (value,)), "<=", Constant(LARGEST))
    return lets, Case(((finite, value),), Constant(float(formula.fallback)))


def _inputs(view: NumericView) -> list[Expression]:
    """Return the numeric inputs that the view computes from a row."""
    found: list[Expression] = []
    number = 0
    for column in view.schema:
        cell = Cell(column)
        if column.kind == "nominal":
            places = range(len(column.domain))
            means = [Constant(float(view.mean[len(found) + k])) for k in places]
            found += [
                LookUp(cell, tuple(Constant(float(k == place)) for k in places), mean, mean)
                for place, mean in zip(places, means, strict=True)
            ]
        else:
            offset, scale = float(view.offset[number]), float(view.scale[number])
            found.append(Number(cell, float(view.mean[len(found)]), offset, scale, FAR))
            number += 1
    return found
