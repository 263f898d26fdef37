"""Comparisons and arithmetic on tables of codes, for bottom-up evaluation of rules.

Most expressions are evaluated for all rows at once in floats, where these are exact. The others are evaluated
as in the prover, once per combination of values.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.logic.clauses import Predicate
from induce.logic.facts import Codes, Facts, Symbols
from induce.logic.terms import Constant, Function, Term, Variable

Number = int | float
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Holds = Callable[[Codes], Mask]
"""Function that tests each row of a table."""
Values = Callable[[Codes], Codes]
"""Function that returns a code for each row of a table."""
Columns = Mapping[Variable, int]
"""Column of a table that holds the values of each variable."""

EXACT = float(1 << 53)
"""Bound below which all integers are exact floats, so that arithmetic agrees with the prover."""

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    ">": operator.gt,
    "=<": operator.le,
    ">=": operator.ge,
    "=:=": operator.eq,
    "=\\=": operator.ne,
}

AT_ONCE: dict[Predicate, Callable[..., Floats]] = {
    ("+", 2): np.add,
    ("-", 2): np.subtract,
    ("*", 2): np.multiply,
    ("/", 2): np.divide,
    ("-", 1): np.negative,
}


class Expression:
    """Arithmetic expression in postfix form, which avoids recursion.

    Parameters
    ----------
    term : Term
    where : object
        Context of the expression, for the error message.
    """

    def __init__(self, term: Term, where: object) -> None:
        from induce.logic import (
            builtins,
        )  # imported late: this loads the prover's loops, which few programs need here

        self.variables: dict[Variable, None] = {}
        self._functions = builtins.FUNCTIONS
        self._most_bits = builtins.MOST_BITS
        self._steps: list[Variable | Number | Predicate] = []
        waiting = [term]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Variable):
                self.variables[part] = None
                self._steps.append(part)
            elif isinstance(part, Constant) and not isinstance(part.value, str):
                self._steps.append(part.value)
            elif isinstance(part, Constant) and part.value in builtins.CONSTANTS:
                self._steps.append(builtins.CONSTANTS[str(part.value)])
            elif isinstance(part, Function) and (part.name, len(part.arguments)) in builtins.FUNCTIONS:
                self._steps.append((part.name, len(part.arguments)))
                waiting.extend(part.arguments)
            else:
                raise InputError(f"{part} is neither a number nor an arithmetic function in {where}")
        self._steps.reverse()
        self.is_simple = all(step in AT_ONCE for step in self._steps if isinstance(step, tuple))
        """Whether the expression can be evaluated in floats."""
        self.divides = ("/", 2) in self._steps

    def value(self, values: Mapping[Variable, Number]) -> Number | None:
        """Return the value of the expression, or None if it is undefined."""
        stack: list[Number] = []
        try:
            for step in self._steps:
                if isinstance(step, tuple):
                    first = len(stack) - step[1]
                    stack[first:] = [self._functions[step](*stack[first:])]
                else:
                    stack.append(values[step] if isinstance(step, Variable) else step)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return None
        value = stack[0]
        usual = value.bit_length() <= self._most_bits if isinstance(value, int) else not math.isnan(value)
        return value if usual else None

    def at_once(self, table: Codes, columns: Columns, symbols: Symbols) -> tuple[Floats, Mask]:
        """Return the value of the expression for each row, and whether it is certainly exact."""
        stack: list[Floats] = []
        sure = np.ones(len(table), np.bool_)
        with np.errstate(all="ignore"):
            for step in self._steps:
                if isinstance(step, Variable):
                    stack.append(symbols.numbers[table[:, columns[step]]])
                elif isinstance(step, tuple):
                    first = len(stack) - step[1]
                    stack[first:] = [AT_ONCE[step](*stack[first:])]
                else:
                    too_long = isinstance(step, int) and step.bit_length() > 53
                    stack.append(np.full(len(table), np.inf if too_long else float(step)))
                sure &= np.abs(stack[-1]) < EXACT
        return stack[0], sure

    def is_whole(self, table: Codes, columns: Columns, symbols: Symbols) -> Mask:
        """Return, for each row, whether all its numbers are integers, so that only a quotient can be fractional."""
        constants = [step for step in self._steps if isinstance(step, int | float)]
        whole = np.full(len(table), all(isinstance(step, int) for step in constants))
        for variable in self.variables:
            different, place = np.unique(table[:, columns[variable]], return_inverse=True)
            terms = [symbols.terms[code] for code in different.tolist()]
            kinds = [isinstance(term, Constant) and isinstance(term.value, int) for term in terms]
            whole &= np.array(kinds, np.bool_)[place]
        return whole


def compared(name: str, left: Expression, right: Expression, columns: Columns, symbols: Symbols) -> Holds:
    """Return a row test that compares two expressions; it is false if one of them is undefined."""
    compare = COMPARISONS[name]

    def decide(values: Mapping[Variable, Number]) -> bool:
        one, other = left.value(values), right.value(values)
        return one is not None and other is not None and bool(compare(one, other))

    def holds(table: Codes) -> Mask:
        mask = np.zeros(len(table), np.bool_)
        sure = mask
        if left.is_simple and right.is_simple:
            one, sure_one = left.at_once(table, columns, symbols)
            other, sure_other = right.at_once(table, columns, symbols)
            sure = sure_one & sure_other
            mask = compare(one, other) & sure
        rest = ~sure
        needed = {**left.variables, **right.variables}
        mask[rest] = _for_each(table[rest], needed, columns, symbols, decide, np.bool_)
        return mask

    return holds


def worked_out(expression: Expression, columns: Columns, symbols: Symbols) -> Values:
    """Return a function that computes the code of an expression's value for each row, or -1 if it is undefined."""

    def code(values: Mapping[Variable, Number]) -> int:
        value = expression.value(values)
        return -1 if value is None else symbols.code(Constant(value))

    def codes(table: Codes) -> Codes:
        found = np.full(len(table), -1, np.int64)
        rest = np.ones(len(table), np.bool_)
        if expression.is_simple and not expression.divides:
            numbers, sure = expression.at_once(table, columns, symbols)
            whole = expression.is_whole(table, columns, symbols)
            for kind, rows in ((int, sure & whole), (float, sure & ~whole)):
                different, place = np.unique(numbers[rows], return_inverse=True)
                found[rows] = symbols.codes([Constant(kind(number)) for number in different.tolist()])[place]
            rest = ~sure
        found[rest] = _for_each(table[rest], expression.variables, columns, symbols, code, np.int64)
        return found

    return codes


def _for_each(
    table: Codes,
    needed: Mapping[Variable, None],
    columns: Columns,
    symbols: Symbols,
    function: Callable[[Mapping[Variable, Number]], Any],
    kind: type[Any],
) -> NDArray[Any]:
    """Return the values of a function for the numbers in each row, computed once per distinct row."""
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
