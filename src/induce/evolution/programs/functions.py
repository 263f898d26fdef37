"""Functions of formulas: names, arities and notation."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from induce.core.errors import InputError
from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.text import LATEX, SQUARE, Wording
from induce.hypotheses.expressions.functions import FUNCTIONS as FORMS
from induce.hypotheses.expressions.functions import FunctionForms


@dataclass(frozen=True)
class MathFunction:
    """A function of formulas.

    Parameters
    ----------
    name : str
        Name, as in gplearn if it has the function.
    code : int
    arity : int
    sign : str
        Infix or prefix operator; empty if it is written as a call.
    latex : str
        LaTeX template, with ``{0}`` and ``{1}`` for the arguments.
    form : str
        Name in exported expressions.
    call : callable
        Python function of numbers.
    """

    name: str
    code: int
    arity: int
    sign: str
    latex: str
    form: str
    call: Callable[..., float]

    @property
    def wording(self) -> Wording:
        """Written form."""
        return Wording(self.name, self.sign, self.latex)

    @property
    def forms(self) -> FunctionForms:
        """Written form in other languages."""
        return FORMS[self.form]


def _quotient(a: float, b: float) -> float:
    return a / b if abs(b) > loops.NEAR_ZERO else 1.0


def _larger(a: float, b: float) -> float:
    return a if a >= b else b


def _smaller(a: float, b: float) -> float:
    return a if a <= b else b


def _root(a: float) -> float:
    return math.sqrt(abs(a))


def _square(a: float) -> float:
    return a * a


FUNCTIONS = {
    function.name: function
    for function in (
        MathFunction("add", loops.ADD, 2, "+", LATEX["+"], "sum", operator.add),
        MathFunction("sub", loops.SUB, 2, "-", LATEX["-"], "difference", operator.sub),
        MathFunction("mul", loops.MUL, 2, "*", LATEX["*"], "product", operator.mul),
        MathFunction("div", loops.DIV, 2, "/", LATEX["/"], "protected quotient", _quotient),
        MathFunction("max", loops.MAX, 2, "", r"\max({0}, {1})", "larger", _larger),
        MathFunction("min", loops.MIN, 2, "", r"\min({0}, {1})", "smaller", _smaller),
        MathFunction("pow", loops.POW, 2, "^", LATEX["^"], "protected power", loops.power),
        MathFunction("neg", loops.NEG, 1, "-", "-{0}", "negative", operator.neg),
        MathFunction("abs", loops.ABS, 1, "", r"\left|{0}\right|", "abs", abs),
        MathFunction("sqrt", loops.SQRT, 1, "", r"\sqrt{{{0}}}", "protected root", _root),
        *(
            MathFunction(name, code, 1, "", latex, form, partial(loops.transcendental, code))
            for name, code, latex, form in (
                ("log", loops.LOG, r"\log\left|{0}\right|", "protected log"),
                ("inv", loops.INV, r"\frac{{1}}{{{0}}}", "protected inverse"),
                ("sin", loops.SIN, r"\sin({0})", "sin"),
                ("cos", loops.COS, r"\cos({0})", "cos"),
                ("tan", loops.TAN, r"\tan({0})", "tan"),
                ("sig", loops.SIG, r"\sigma({0})", "protected sigmoid"),
                ("exp", loops.EXP, r"\exp({0})", "protected exp"),
            )
        ),
        MathFunction("square", loops.SQUARE, 1, "", SQUARE, "square", _square),
    )
}
"""All functions of formulas by name. None ever raises: partial functions are protected."""

BY_CODE = {function.code: function for function in FUNCTIONS.values()}


def arity_of(code: int) -> int:
    """Return the number of arguments of a code; 0 for columns and constants."""
    return BY_CODE[code].arity if code in BY_CODE else 0


def function_codes(names: object) -> tuple[int, ...]:
    """Return the codes of a `function_set`.

    Examples
    --------
    >>> function_codes(("add", "sin"))
    (0, 13)
    >>> function_codes(("add", "sinus"))
    Traceback (most recent call last):
    induce.core.errors.InputError: function_set contains 'sinus'; choose from add, sub, mul, div, max, min, pow, ...
    """
    if isinstance(names, str) or not isinstance(names, tuple | list | set | frozenset):
        raise InputError(f"function_set is {names!r}; give a tuple of names such as ('add', 'mul')")
    for name in names:
        if name not in FUNCTIONS:
            raise InputError(f"function_set contains {name!r}; choose from {', '.join(FUNCTIONS)}")
    return tuple(sorted({FUNCTIONS[name].code for name in names}))
