"""Helpers for writers: widths and columns of expressions, and expressions built from others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from induce.core.errors import InputError
from induce.core.values import Value, plain
from induce.data.numeric_view import FAR, NumericView
from induce.data.schema import Column
from induce.hypotheses.conditions import (
    Above,
    AtMost,
    Between,
    Condition,
    NominalCondition,
)
from induce.hypotheses.expressions.nodes import (
    Affine,
    And,
    Case,
    Cell,
    Comparison,
    Constant,
    Derived,
    Descent,
    Distances,
    Expression,
    Function,
    Indicators,
    Largest,
    Let,
    LookUp,
    Membership,
    Number,
    Product,
    Steps,
    Sum,
    Variable,
    Vector,
    Words,
)

TRUE = Constant(True)


def width(expression: Expression) -> int | None:
    """Return the number of parts of a vector; None for anything else.

    Examples
    --------
    >>> width(Constant((1.0, 2.0))), width(Constant(1.0))
    (2, None)
    """
    match expression:
        case Constant(value=tuple() as parts):
            return len(parts)
        case Vector(parts=parts):
            return sum(width(part) or 1 for part in parts)
        case Indicators(missing=missing):
            return len(missing)
        case Affine(matrix=matrix) | Distances(points=matrix):
            return len(matrix)
        case LookUp(missing=said) | Steps(missing=said) | Case(otherwise=said) | Let(within=said):
            return width(said)
        case Largest(says=says) | Descent(says=says):
            return width(says[0])
        case Sum(terms=parts) | Product(factors=parts) | Function(arguments=parts):
            return next((found for found in map(width, parts) if found is not None), None)
        case Variable(width=found):
            return found
        case Words(says=says):
            return len(says[0]) if says else 0
    return None


def condition_test(condition: Condition, column: Column) -> Expression:
    """Return a condition as a test.

    Examples
    --------
    >>> condition_test(AtMost("age", 30.5), Column("age")).sign
    '<='
    """
    cell = Cell(column)
    match condition:
        case NominalCondition():
            return Membership(cell, condition.accepted)
        case AtMost(threshold=high):
            return Comparison(cell, "<=", Constant(float(high)))
        case Above(threshold=low):
            return Comparison(cell, ">", Constant(float(low)))
        case Between(low=low, high=high):
            above = Comparison(cell, ">", Constant(float(low)))
            return And((above, Comparison(cell, "<=", Constant(float(high)))))
    raise TypeError(f"cannot export the condition {condition}")


def all_of(tests: list[Expression]) -> Expression:
    """Return the conjunction of tests; nested conjunctions become one."""
    parts: list[Expression] = []
    for test in tests:
        parts += test.parts if isinstance(test, And) else [test]
    return parts[0] if len(parts) == 1 else And(tuple(parts)) if parts else TRUE


def inputs_vector(view: NumericView) -> Vector:
    """Return the numbers of a row's cells in a view."""
    parts: list[Expression] = []
    place = number = 0
    for column in view.schema:
        cell = Cell(column)
        if column.kind == "nominal":
            end = place + len(column.domain)
            parts.append(Indicators(cell, tuple(view.mean[place:end].tolist())))
            place = end
        else:
            offset, scale = float(view.offset[number]), float(view.scale[number])
            parts.append(Number(cell, float(view.mean[place]), offset, scale, FAR))
            place, number = place + 1, number + 1
    return Vector(tuple(parts))


def with_outcomes(expression: Expression, become: Callable[[Constant], Constant]) -> Expression:
    """Return an expression with every outcome replaced, as when an ensemble turns classes into votes.

    Examples
    --------
    >>> with_outcomes(Constant("yes"), lambda said: Constant((0.0, 1.0))).value
    (0.0, 1.0)
    """
    match expression:
        case Constant():
            return become(expression)
        case Case(branches=branches, otherwise=otherwise):
            changed = tuple((test, with_outcomes(said, become)) for test, said in branches)
            return Case(changed, with_outcomes(otherwise, become))
        case Let(name=name, value=value, within=within):
            return Let(name, value, with_outcomes(within, become))
        case Largest(scores=scores, says=says, rounds=rounds):
            return Largest(scores, tuple(map(become, says)), rounds)
        case LookUp(cell=cell, says=says, unseen=unseen, missing=missing):
            return LookUp(cell, tuple(map(become, says)), become(unseen), become(missing))
        case Steps(cell=cell, ends=ends, says=says, missing=missing):
            return Steps(cell, ends, tuple(map(become, says)), become(missing))
        case Descent(splits=splits, says=says):
            return Descent(splits, tuple(with_outcomes(said, become) for said in says))
    raise InputError(f"cannot export the votes of a {type(expression).__name__}")


def one_hot(value: Value, values: tuple[Value, ...], weight: float) -> Constant:
    """Return a vector with a weight at the index of a value."""
    place = [plain(each) for each in values].index(plain(value))
    return Constant(tuple(weight if k == place else 0.0 for k in range(len(values))))


def columns_of(expression: Expression) -> dict[str, Column]:
    """Return the columns that an expression reads, in order of appearance."""
    return {column.name: column for column in _columns(expression)}


def _columns(root: Expression) -> Iterator[Column]:
    waiting: list[Any] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Derived):
            waiting += [node.value, *reversed(node.needs)]
        elif isinstance(node, Cell):
            yield node.column
        elif isinstance(node, tuple):
            waiting += reversed(node)
        elif is_dataclass(node) and not isinstance(node, Column):
            waiting += [getattr(node, field.name) for field in reversed(fields(node))]
