"""The functions of expressions: their values on arrays, and their notation in SQL, Python and LaTeX.

Functions in formulas are protected (Koza): they are defined everywhere and never raise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.statistics.logistic import sigmoid

NEAR = 0.001
"""Smallest absolute divisor of protected functions."""
LARGEST_POWER = 700.0
"""Maximum logarithm of a protected power; larger powers become 1."""


@dataclass(frozen=True)
class FunctionForms:
    """A numeric function.

    Parameters
    ----------
    call : callable
        Vectorised function.
    python, sql, latex : str
        Templates, with ``{0}`` and ``{1}`` for the arguments.
    helper : str
        Python source of the function that the template calls; empty if there is none.
    """

    call: Callable[..., Any]
    python: str
    sql: str
    latex: str
    helper: str = ""


def _power(x: Any, y: Any) -> Any:
    base = np.abs(x)
    with np.errstate(all="ignore"):
        size = y * np.log(base)
        found = np.where((x < 0) & (np.mod(y, 2.0) == 1.0), -(base ** np.asarray(y)), base ** np.asarray(y))
        found = np.where(size <= -LARGEST_POWER, 0.0, np.where(size < LARGEST_POWER, found, 1.0))
    return np.where((base <= NEAR) & (y <= 0), 1.0, np.where(base == 0, 0.0, found))


def _apart(x: Any, y: Any, otherwise: float) -> Any:
    far = np.abs(y) > NEAR
    return np.where(far, x / np.where(far, y, 1.0), otherwise)


def _log(x: Any) -> Any:
    far = np.abs(x) > NEAR
    return np.where(far, np.log(np.where(far, np.abs(x), 1.0)), 0.0)


def _bounded(x: Any) -> Any:
    return np.clip(x, -50.0, 50.0)


_NUMBER = "CASE WHEN {0} > 50 THEN 50 WHEN {0} < -50 THEN -50 ELSE {0} END"
_SQL_POWER = (
    f"CASE WHEN ABS({{0}}) <= {NEAR} AND {{1}} <= 0 THEN 1e0 WHEN {{0}} = 0 THEN 0e0 "
    f"WHEN {{1}} * LN(ABS({{0}})) <= -{LARGEST_POWER} THEN 0e0 "
    f"WHEN NOT {{1}} * LN(ABS({{0}})) < {LARGEST_POWER} THEN 1e0 "
    "ELSE POWER(ABS({0}), {1}) * CASE WHEN {0} < 0 AND {1} - 2e0 * FLOOR({1} / 2e0) = 1 THEN -1e0 ELSE 1e0 END END"
)


def _wave(name: str) -> str:
    return f"def {name}(a):\n    return math.{name}(a) if abs(a) < math.inf else math.nan"


FUNCTIONS: dict[str, FunctionForms] = {
    "sum": FunctionForms(np.add, "({0} + {1})", "({0} + {1})", "{0} + {1}"),
    "product": FunctionForms(np.multiply, "({0} * {1})", "({0} * {1})", r"{0} \cdot {1}"),
    "negative": FunctionForms(np.negative, "(-{0})", "(-{0})", "-{0}"),
    "difference": FunctionForms(np.subtract, "({0} - {1})", "({0} - {1})", "{0} - {1}"),
    "quotient": FunctionForms(np.divide, "({0} / {1})", "(1e0 * {0} / {1})", r"\frac{{{0}}}{{{1}}}"),
    "abs": FunctionForms(np.abs, "abs({0})", "ABS({0})", r"\left|{0}\right|"),
    "square": FunctionForms(
        np.square, "square({0})", "({0} * {0})", "{{{0}}}^2", "def square(a):\n    return a * a"
    ),
    "root": FunctionForms(np.sqrt, "math.sqrt({0})", "SQRT({0})", r"\sqrt{{{0}}}"),
    "exp": FunctionForms(
        np.exp,
        "exp({0})",
        "EXP({0})",
        r"\exp({0})",
        "def exp(a):\n    return math.exp(a) if a < 709.0 else math.inf",
    ),
    "log": FunctionForms(
        np.log,
        "log({0})",
        "LN({0})",
        r"\log({0})",
        "def log(a):\n    return math.log(a) if a > 0.0 else -math.inf",
    ),
    "tanh": FunctionForms(
        np.tanh,
        "math.tanh({0})",
        "(2e0 / (1e0 + EXP(-2e0 * {0})) - 1e0)",
        r"\tanh({0})",
    ),
    "sigmoid": FunctionForms(
        sigmoid,
        "sigmoid({0})",
        "(1e0 / (1e0 + EXP(-{0})))",
        r"\sigma({0})",
        "def sigmoid(a):\n    return 1.0 / (1.0 + math.exp(-a)) if a > -700.0 else 0.0",
    ),
    "power": FunctionForms(np.power, "{0} ** {1}", "POWER({0}, {1})", "{{{0}}}^{{{1}}}"),
    "sin": FunctionForms(np.sin, "sin({0})", "SIN({0})", r"\sin({0})", _wave("sin")),
    "cos": FunctionForms(np.cos, "cos({0})", "COS({0})", r"\cos({0})", _wave("cos")),
    "tan": FunctionForms(np.tan, "tan({0})", "TAN({0})", r"\tan({0})", _wave("tan")),
    "larger": FunctionForms(
        lambda x, y: np.where(x >= y, x, y),
        "larger({0}, {1})",
        "CASE WHEN {0} >= {1} THEN {0} ELSE {1} END",
        r"\max({0}, {1})",
        "def larger(a, b):\n    return a if a >= b else b",
    ),
    "smaller": FunctionForms(
        lambda x, y: np.where(x <= y, x, y),
        "smaller({0}, {1})",
        "CASE WHEN {0} <= {1} THEN {0} ELSE {1} END",
        r"\min({0}, {1})",
        "def smaller(a, b):\n    return a if a <= b else b",
    ),
    "protected quotient": FunctionForms(
        lambda x, y: _apart(x, y, 1.0),
        "div({0}, {1})",
        f"CASE WHEN ABS({{1}}) > {NEAR} THEN 1e0 * {{0}} / {{1}} ELSE 1e0 END",
        r"\frac{{{0}}}{{{1}}}",
        f"def div(a, b):\n    return a / b if abs(b) > {NEAR} else 1.0",
    ),
    "protected inverse": FunctionForms(
        lambda x: _apart(1.0, x, 0.0),
        "inv({0})",
        f"CASE WHEN ABS({{0}}) > {NEAR} THEN 1e0 / {{0}} ELSE 0e0 END",
        r"\frac{{1}}{{{0}}}",
        f"def inv(a):\n    return 1.0 / a if abs(a) > {NEAR} else 0.0",
    ),
    "protected log": FunctionForms(
        _log,
        "safe_log({0})",
        f"CASE WHEN ABS({{0}}) > {NEAR} THEN LN(ABS({{0}})) ELSE 0e0 END",
        r"\log\left|{0}\right|",
        f"def safe_log(a):\n    return math.log(abs(a)) if abs(a) > {NEAR} else 0.0",
    ),
    "protected root": FunctionForms(
        lambda x: np.sqrt(np.abs(x)), "math.sqrt(abs({0}))", "SQRT(ABS({0}))", r"\sqrt{{{0}}}"
    ),
    "protected sigmoid": FunctionForms(
        lambda x: 1.0 / (1.0 + np.exp(-_bounded(x))),  # as evolved formulas are computed, to the last digit
        "sig({0})",
        f"(1e0 / (1e0 + EXP(-({_NUMBER}))))",
        r"\sigma({0})",
        "def sig(a):\n    return 1.0 / (1.0 + math.exp(-max(min(a, 50.0), -50.0)))",
    ),
    "protected exp": FunctionForms(
        lambda x: np.exp(_bounded(x)),
        "bounded_exp({0})",
        f"EXP({_NUMBER})",
        r"\exp({0})",
        "def bounded_exp(a):\n    return math.exp(max(min(a, 50.0), -50.0))",
    ),
    "protected power": FunctionForms(
        _power,
        "power({0}, {1})",
        _SQL_POWER,
        "{{{0}}}^{{{1}}}",
        f"""def power(a, b):
    base = abs(a)
    if base <= {NEAR} and b <= 0.0:
        return 1.0
    if base == 0.0:
        return 0.0
    size = b * math.log(base)
    if size <= -{LARGEST_POWER}:
        return 0.0
    if not size < {LARGEST_POWER}:
        return 1.0
    return -(base**b) if a < 0.0 and b % 2.0 == 1.0 else base**b""",
    ),
}
"""All functions by name."""
