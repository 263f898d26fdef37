"""Semantics of declared primitives: permitted simplifications and SQL forms."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from induce.evolution.programs.functions import FUNCTIONS
from induce.evolution.programs.language import Language, Primitive
from induce.evolution.programs.simplify import Part

ALIKE: dict[Callable[..., Any], str] = {
    operator.add: "add",
    operator.sub: "sub",
    operator.mul: "mul",
    operator.neg: "neg",
    operator.abs: "abs",
    abs: "abs",
    math.sin: "sin",
    math.cos: "cos",
}
"""Python functions equivalent to a formula function; division, logarithm and root are not, as those are protected."""
SQL: dict[Callable[..., Any], str] = {
    **{call: FUNCTIONS[name].forms.sql for call, name in ALIKE.items()},
    operator.truediv: "(1e0 * {0} / {1})",
    operator.lt: "({0} < {1})",
    operator.le: "({0} <= {1})",
    operator.gt: "({0} > {1})",
    operator.ge: "({0} >= {1})",
    operator.eq: "({0} = {1})",
    operator.ne: "({0} <> {1})",
    operator.not_: "(NOT {0})",
    math.sqrt: "SQRT({0})",
    math.exp: "EXP({0})",
    math.tan: "TAN({0})",
}
"""SQL forms of Python's built-in functions."""


def sql_of(primitive: Primitive) -> str:
    """Return the SQL template of a primitive, or an empty string if unknown."""
    if primitive.sql or primitive.call is None:
        return primitive.sql or ("" if primitive.formula is None else primitive.formula.forms.sql)
    return SQL.get(primitive.call, "")


class LanguageMeaning:
    """Semantics of the codes of a language, as far as known.

    Inputs may be any numbers, even infinite ones, or arrays. Only formula functions and Python's built-ins are
    evaluated in advance, because the effects of others are unknown.
    """

    def __init__(self, language: Language) -> None:
        self._language = language

    def arity(self, code: int) -> int:
        """Return the number of arguments of a code."""
        return self._language.arity(code)

    def function(self, code: int) -> int | None:
        """Return the formula function of a code, or None."""
        each = self._primitive(code)
        if each is None or each.lazy or each.effect:
            return None
        found = each.formula or FUNCTIONS.get(ALIKE.get(each.call, "") if each.call is not None else "")
        return None if found is None else found.code

    def acts(self, code: int) -> bool:
        """Return whether a code may have side effects: all except inputs and known functions."""
        each = self._primitive(code)
        if each is None:
            return code < len(self._language.primitives) + len(self._language.subroutines)
        return not (each.means or each.low is not None or each.call in SQL)

    def leaf(self, code: int, constant: float) -> Part:
        """Return a code without arguments as a part."""
        each = self._primitive(code)
        if each is not None and each.low is not None:
            return Part((code,), (constant,), abs(constant), constant)
        return Part((code,), (0.0,), math.inf, acts=self.acts(code))

    def worked_out(self, code: int, numbers: list[float]) -> float | None:
        """Return the value of a function for constant arguments, or None if unknown in advance."""
        each = self._primitive(code)
        if each is None or each.lazy or each.effect or (not each.means and each.call not in SQL):
            return None
        try:
            value = each.runs(*numbers) if each.runs is not None else None
        except (ArithmeticError, ValueError):
            return None
        return value if type(value) is float else None

    def constant(self, value: float, code: int) -> Part | None:
        """Return a constant of the code's type, or None if the language has none."""
        kind = self._language.signatures[code].gives
        for place, each in enumerate(self._language.primitives):
            if each.low is not None and not each.name and each.gives == kind:
                return Part((place,), (value,), abs(value), value)
        return None

    def _primitive(self, code: int) -> Primitive | None:
        primitives = self._language.primitives
        return primitives[code] if code < len(primitives) else None
