"""The functions of formulas: names, arities, and how each is written."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from induce.core.errors import InputError
from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.text import LATEX, Wording

NEAR = loops.NEAR_ZERO


@dataclass(frozen=True)
class MathFunction:
    """A function of formulas.

    Parameters
    ----------
    name : str
        As gplearn calls it, where it has it.
    code : int
    arity : int
    sign : str
        The operator between or before its arguments; empty where it is written as a call.
    latex, python, sql : str
        Templates, with ``{0}`` and ``{1}`` for the arguments.
    call : callable
        What it gives for numbers.
    """

    name: str
    code: int
    arity: int
    sign: str
    latex: str
    python: str
    sql: str
    call: Callable[..., float]

    @property
    def wording(self) -> Wording:
        """How it is written."""
        return Wording(self.name, self.sign, self.latex)


_SAFE = f"CASE WHEN ABS({{1}}) > {NEAR} THEN 1.0 * {{0}} / {{1}} ELSE 1.0 END"
_BOUNDED = "CASE WHEN {0} > 50.0 THEN 50.0 WHEN {0} < -50.0 THEN -50.0 ELSE {0} END"
_POWER = (
    f"CASE WHEN ABS({{0}}) <= {NEAR} AND {{1}} <= 0.0 THEN 1.0 WHEN {{0}} = 0.0 THEN 0.0 "
    f"WHEN NOT ABS({{1}} * LN(ABS({{0}}))) < {loops.LARGEST_POWER} THEN 1.0 "
    "ELSE POWER(ABS({0}), {1}) * CASE WHEN {0} < 0.0 AND {1} - 2.0 * FLOOR({1} / 2.0) = 1.0 THEN -1.0 "
    "ELSE 1.0 END END"
)


def _quotient(a: float, b: float) -> float:
    return a / b if abs(b) > NEAR else 1.0


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
        MathFunction("add", loops.ADD, 2, "+", LATEX["+"], "({0} + {1})", "({0} + {1})", operator.add),
        MathFunction("sub", loops.SUB, 2, "-", LATEX["-"], "({0} - {1})", "({0} - {1})", operator.sub),
        MathFunction("mul", loops.MUL, 2, "*", LATEX["*"], "({0} * {1})", "({0} * {1})", operator.mul),
        MathFunction("div", loops.DIV, 2, "/", LATEX["/"], "div({0}, {1})", _SAFE, _quotient),
        MathFunction(
            "max",
            loops.MAX,
            2,
            "",
            r"\max({0}, {1})",
            "largest({0}, {1})",
            "CASE WHEN {0} >= {1} THEN {0} ELSE {1} END",
            _larger,
        ),
        MathFunction(
            "min",
            loops.MIN,
            2,
            "",
            r"\min({0}, {1})",
            "smallest({0}, {1})",
            "CASE WHEN {0} <= {1} THEN {0} ELSE {1} END",
            _smaller,
        ),
        MathFunction("pow", loops.POW, 2, "^", LATEX["^"], "power({0}, {1})", _POWER, loops.power),
        MathFunction("neg", loops.NEG, 1, "-", "-{0}", "(-{0})", "(-{0})", operator.neg),
        MathFunction("abs", loops.ABS, 1, "", r"\left|{0}\right|", "abs({0})", "ABS({0})", abs),
        MathFunction(
            "sqrt", loops.SQRT, 1, "", r"\sqrt{{{0}}}", "math.sqrt(abs({0}))", "SQRT(ABS({0}))", _root
        ),
        *(
            MathFunction(name, code, 1, "", latex, f"{name}({{0}})", sql, partial(loops.transcendental, code))
            for name, code, latex, sql in (
                (
                    "log",
                    loops.LOG,
                    r"\log\left|{0}\right|",
                    f"CASE WHEN ABS({{0}}) > {NEAR} THEN LN(ABS({{0}})) ELSE 0.0 END",
                ),
                (
                    "inv",
                    loops.INV,
                    r"\frac{{1}}{{{0}}}",
                    f"CASE WHEN ABS({{0}}) > {NEAR} THEN 1.0 / {{0}} ELSE 0.0 END",
                ),
                ("sin", loops.SIN, r"\sin({0})", "SIN({0})"),
                ("cos", loops.COS, r"\cos({0})", "COS({0})"),
                ("tan", loops.TAN, r"\tan({0})", "TAN({0})"),
                ("sig", loops.SIG, r"\sigma({0})", f"(1.0 / (1.0 + EXP(-({_BOUNDED}))))"),
                ("exp", loops.EXP, r"\exp({0})", f"EXP({_BOUNDED})"),
            )
        ),
        MathFunction("square", loops.SQUARE, 1, "", "{{{0}}}^2", "square({0})", "({0} * {0})", _square),
    )
}
"""All functions of formulas by name. None ever raises: those that have no value somewhere are protected."""

BY_CODE = {function.code: function for function in FUNCTIONS.values()}


def function_codes(names: object) -> tuple[int, ...]:
    """Return the codes of a `function_set`.

    Examples
    --------
    >>> function_codes(("add", "sin"))
    (0, 13)
    >>> function_codes(("add", "sinus"))
    Traceback (most recent call last):
    induce.core.errors.InputError: function_set holds 'sinus'; it can hold add, sub, mul, div, max, min, pow, neg, ...
    """
    if isinstance(names, str) or not isinstance(names, tuple | list | set | frozenset):
        raise InputError(f"function_set is {names!r}; give a tuple of names such as ('add', 'mul')")
    for name in names:
        if name not in FUNCTIONS:
            raise InputError(f"function_set holds {name!r}; it can hold {', '.join(FUNCTIONS)}")
    return tuple(sorted({FUNCTIONS[name].code for name in names}))
