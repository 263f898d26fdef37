"""Functions of formulas: names, arities and notation."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from induce.core.errors import InputError
from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.text import LATEX, SQUARE, Wording
from induce.hypotheses.expressions.functions import FUNCTIONS as FORMS
from induce.hypotheses.expressions.functions import FunctionForms


@dataclass(frozen=True)
class Guard:
    """Notation of a protected function where it differs from the plain one, and its definition.

    Parameters
    ----------
    wording : Wording
    line, latex : str
        Definition as text and in LaTeX; empty if the notation defines itself.
    """

    wording: Wording
    line: str = ""
    latex: str = ""


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
    guards : tuple of Guard
        Protected forms, the first for arguments of any size; the second of a logarithm for arguments far from 0.
    """

    name: str
    code: int
    arity: int
    sign: str
    latex: str
    form: str
    call: Callable[..., float]
    guards: tuple[Guard, ...] = ()

    @property
    def wording(self) -> Wording:
        """Written form where the arguments are legal."""
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


def _guard(name: str, arguments: str, meaning: str, latex: str) -> Guard:
    """Return a protected form with a name of its own, as in exported Python."""
    given = ", ".join(f"{{{k}}}" for k in range(len(arguments.split())))
    written = f"({', '.join(arguments.split())})"
    head = rf"\operatorname{{{name}}}".replace("_", r"\_")
    template = f"{head.replace('{', '{{').replace('}', '}}')}({given})"
    return Guard(Wording(name, latex=template), f"{name}{written} is {meaning}", f"{head}{written} = {latex}")


def _cases(value: str, otherwise: str, size: str) -> str:
    """Return a LaTeX definition by cases: one value near zero, another elsewhere."""
    near = rf"\left|{size}\right| \le {loops.NEAR_ZERO}"
    return rf"\begin{{cases}} {otherwise} & {near} \\ {value} & \text{{otherwise}} \end{{cases}}"


_NEAR = f"<= {loops.NEAR_ZERO}"
_LIMITS = f"from {-loops.LARGEST_EXPONENT:g} to {loops.LARGEST_EXPONENT:g}"
_CLIPPED = rf"\max({-loops.LARGEST_EXPONENT:g}, \min(a, {loops.LARGEST_EXPONENT:g}))"
_OVERFLOW = f"b * log(abs(a)) >= {loops.LARGEST_POWER:g}"
GUARDS = {
    "div": (_guard("div", "a b", f"a / b, or 1 where abs(b) {_NEAR}", _cases(r"\frac{a}{b}", "1", "b")),),
    "inv": (_guard("inv", "a", f"1 / a, or 0 where abs(a) {_NEAR}", _cases(r"\frac{1}{a}", "0", "a")),),
    "sqrt": (Guard(Wording("sqrt", latex=r"\sqrt{{\left|{0}\right|}}", call="sqrt(abs({0}))")),),
    "log": (
        _guard(
            "safe_log",
            "a",
            f"log(abs(a)), or 0 where abs(a) {_NEAR}",
            _cases(r"\log(\left|a\right|)", "0", "a"),
        ),
        Guard(Wording("log", latex=r"\log(\left|{0}\right|)", call="log(abs({0}))")),
    ),
    "exp": (
        _guard("bounded_exp", "a", f"exp(a), with a limited to the range {_LIMITS}", rf"\exp({_CLIPPED})"),
    ),
    "sig": (
        Guard(
            Wording("sig", latex=r"\sigma({0})"),
            f"sig(a) is 1 / (1 + exp(-a)), with a limited to the range {_LIMITS}",
            rf"\sigma(a) = \frac{{1}}{{1 + \exp(-{_CLIPPED})}}",
        ),
    ),
    "pow": (
        _guard(
            "power",
            "a b",
            f"abs(a)^b, with the sign of a if b is odd; 1 where {_OVERFLOW}, or where b <= 0 and abs(a) {_NEAR}",
            rf"\begin{{cases}} 1 & b \cdot \log(\left|a\right|) \ge {loops.LARGEST_POWER:g} \text{{ or }} "
            rf"(b \le 0 \text{{ and }} \left|a\right| \le {loops.NEAR_ZERO}) \\ "
            r"-{\left|a\right|}^{b} & a < 0 \text{ and } b \text{ odd} \\ "
            r"{\left|a\right|}^{b} & \text{otherwise} \end{cases}",
        ),
    ),
}
"""Protected forms of partial functions, and of those whose arguments are limited."""
FUNCTIONS = {
    function.name: function
    for function in (
        MathFunction("add", loops.ADD, 2, "+", LATEX["+"], "sum", operator.add),
        MathFunction("sub", loops.SUB, 2, "-", LATEX["-"], "difference", operator.sub),
        MathFunction("mul", loops.MUL, 2, "*", LATEX["*"], "product", operator.mul),
        MathFunction("div", loops.DIV, 2, "/", LATEX["/"], "protected quotient", _quotient, GUARDS["div"]),
        MathFunction("max", loops.MAX, 2, "", r"\max({0}, {1})", "larger", _larger),
        MathFunction("min", loops.MIN, 2, "", r"\min({0}, {1})", "smaller", _smaller),
        MathFunction("pow", loops.POW, 2, "^", LATEX["^"], "protected power", loops.power, GUARDS["pow"]),
        MathFunction("neg", loops.NEG, 1, "-", "-{0}", "negative", operator.neg),
        MathFunction("abs", loops.ABS, 1, "", r"\left|{0}\right|", "abs", abs),
        MathFunction("sqrt", loops.SQRT, 1, "", r"\sqrt{{{0}}}", "protected root", _root, GUARDS["sqrt"]),
        *(
            MathFunction(
                name, code, 1, sign, latex, form, partial(loops.transcendental, code), GUARDS.get(name, ())
            )
            for name, code, sign, latex, form in (
                ("log", loops.LOG, "", r"\log({0})", "protected log"),
                ("inv", loops.INV, "1 / ", r"\frac{{1}}{{{0}}}", "protected inverse"),
                ("sin", loops.SIN, "", r"\sin({0})", "sin"),
                ("cos", loops.COS, "", r"\cos({0})", "cos"),
                ("tan", loops.TAN, "", r"\tan({0})", "tan"),
                ("sig", loops.SIG, "", r"\sigma({0})", "protected sigmoid"),
                ("exp", loops.EXP, "", r"\exp({0})", "protected exp"),
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


def definitions(*guards: Mapping[int, Guard], is_latex: bool = False) -> list[str]:
    """Return the definitions of the protected functions of formulas, each once."""
    used = [guard for nodes in guards for _, guard in sorted(nodes.items())]
    lines = dict.fromkeys(guard.latex if is_latex else guard.line for guard in used)
    return [line for line in lines if line]
