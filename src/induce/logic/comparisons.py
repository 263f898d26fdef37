"""Comparisons and arithmetic on tables of codes, for rules that are worked out bottom up."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.logic.facts import Codes, Facts, Symbols
from induce.logic.terms import Constant, Function, Term, Variable

Number = int | float
Mask = NDArray[np.bool_]
Holds = Callable[[Codes], Mask]
"""What says of each row of a table whether something holds."""
Values = Callable[[Codes], Codes]
"""What gives a code for each row of a table."""
Columns = Mapping[Variable, int]
"""The column of a table in which the values of each variable stand."""

EXACT = float(1 << 53)
"""From here on different whole numbers can be the same as floats."""


COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    ">": operator.gt,
    "=<": operator.le,
    ">=": operator.ge,
    "=:=": operator.eq,
    "=\\=": operator.ne,
}


class Expression:
    """An expression of arithmetic, kept as its parts behind their operands so that nothing recurses.

    Parameters
    ----------
    term : Term
    where : object
        What it stands in, for the message if it is none.
    """

    def __init__(self, term: Term, where: object) -> None:
        from induce.logic import builtins  # loads the prover's loops, which few programs need here

        self.term = term
        self.variables: dict[Variable, None] = {}
        self._most_bits = builtins.MOST_BITS
        self._steps: list[tuple[Callable[..., Number] | None, Any]] = []
        waiting = [term]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Variable):
                self.variables[part] = None
                self._steps.append((None, part))
            elif isinstance(part, Constant) and not isinstance(part.value, str):
                self._steps.append((None, part.value))
            elif isinstance(part, Function) and (part.name, len(part.arguments)) in builtins.FUNCTIONS:
                self._steps.append((builtins.FUNCTIONS[part.name, len(part.arguments)], len(part.arguments)))
                waiting.extend(part.arguments)
            elif isinstance(part, Constant) and part.value in builtins.CONSTANTS:
                self._steps.append((None, builtins.CONSTANTS[str(part.value)]))
            else:
                raise InputError(f"{part} is neither a number nor a function of arithmetic in {where}")
        self._steps.reverse()

    def value(self, values: Mapping[Variable, Number]) -> Number | None:
        """Return its value, or None if it has none."""
        stack: list[Number] = []
        try:
            for function, what in self._steps:
                if function is None:
                    stack.append(values[what] if isinstance(what, Variable) else what)
                else:
                    first = len(stack) - what
                    stack[first:] = [function(*stack[first:])]
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return None
        value = stack[0]
        usual = value.bit_length() <= self._most_bits if isinstance(value, int) else not math.isnan(value)
        return value if usual else None


def compared(name: str, left: Expression, right: Expression, columns: Columns, symbols: Symbols) -> Holds:
    """Return what says of each row of a table whether two expressions compare; not where one has no value."""
    compare = COMPARISONS[name]

    def one_by_one(table: Codes) -> Mask:
        def holds(values: Mapping[Variable, Number]) -> bool:
            one, other = left.value(values), right.value(values)
            return one is not None and other is not None and bool(compare(one, other))

        return _for_each(table, {**left.variables, **right.variables}, columns, symbols, holds, np.bool_)

    if isinstance(left.term, Function) or isinstance(right.term, Function):
        return one_by_one

    def at_once(table: Codes) -> Mask:
        one, other = (_numbers(each, table, columns, symbols) for each in (left, right))
        mask: Mask = compare(one, other) & ~(np.isnan(one) | np.isnan(other))
        close = (one == other) & (np.abs(one) >= EXACT)
        if close.any():
            mask[close] = one_by_one(table[close])
        return mask

    return at_once


def worked_out(expression: Expression, columns: Columns, symbols: Symbols) -> Values:
    """Return what gives for each row of a table the code of an expression's value, -1 where it has none."""

    def code(values: Mapping[Variable, Number]) -> int:
        value = expression.value(values)
        return -1 if value is None else symbols.code(Constant(value))

    return lambda table: _for_each(table, expression.variables, columns, symbols, code, np.int64)


def _numbers(expression: Expression, table: Codes, columns: Columns, symbols: Symbols) -> NDArray[np.float64]:
    if isinstance(expression.term, Variable):
        return symbols.numbers[table[:, columns[expression.term]]]
    value = expression.value({})
    try:
        number = np.nan if value is None else float(value)
    except OverflowError:
        number = np.inf if value > 0 else -np.inf
    return np.full(len(table), number)


def _for_each(
    table: Codes,
    needed: Mapping[Variable, None],
    columns: Columns,
    symbols: Symbols,
    function: Callable[[Mapping[Variable, Number]], Any],
    kind: type[Any],
) -> NDArray[Any]:
    """Return what a function gives for the numbers in each row, asked once for the rows that have the same."""
    part = np.ascontiguousarray(table[:, [columns[variable] for variable in needed]])
    different = Facts.of(part)
    results = np.empty(len(different), kind)
    for place, codes in enumerate(different.rows.tolist()):
        values: dict[Variable, Number] = {}
        for variable, code in zip(needed, codes, strict=True):
            term = symbols.terms[code]
            if isinstance(term, Constant) and not isinstance(term.value, str):
                values[variable] = term.value
        results[place] = function(values)
    found = different.matches(tuple(range(len(needed))), part)
    return results[found.order[found.first]]
