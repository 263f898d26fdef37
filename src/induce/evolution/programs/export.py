"""Formulas as Python source and as SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from induce.core.values import plain
from induce.data.numeric_view import FAR, NumericView
from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.flat import folded
from induce.evolution.programs.functions import BY_CODE, NEAR
from induce.hypotheses.export_python import python_literal
from induce.hypotheses.export_sql import sql_identifier, sql_literal

HIGHEST = 12
"""Parts that are higher become variables of their own, for no parser reads brackets without end."""
LARGEST = "1.7976931348623157e308"

HELPERS = {
    "div": f"""\
    def div(a, b):
        return a / b if abs(b) > {NEAR} else 1.0
""",
    "inv": f"""\
    def inv(a):
        return 1.0 / a if abs(a) > {NEAR} else 0.0
""",
    "log": f"""\
    def log(a):
        return math.log(abs(a)) if abs(a) > {NEAR} else 0.0
""",
    "sin": """\
    def sin(a):
        return math.sin(a) if abs(a) < math.inf else math.nan
""",
    "cos": """\
    def cos(a):
        return math.cos(a) if abs(a) < math.inf else math.nan
""",
    "tan": """\
    def tan(a):
        return math.tan(a) if abs(a) < math.inf else math.nan
""",
    "sig": """\
    def sig(a):
        return 1.0 / (1.0 + math.exp(-max(min(a, 50.0), -50.0)))
""",
    "exp": """\
    def exp(a):
        return math.exp(max(min(a, 50.0), -50.0))
""",
    "square": """\
    def square(a):
        return a * a
""",
    "max": """\
    def largest(a, b):
        return a if a >= b else b
""",
    "min": """\
    def smallest(a, b):
        return a if a <= b else b
""",
    "pow": f"""\
    def power(a, b):
        base = abs(a)
        if base <= {NEAR} and b <= 0.0:
            return 1.0
        if base == 0.0:
            return 0.0
        if not abs(b * math.log(base)) < {loops.LARGEST_POWER}:
            return 1.0
        return -(base**b) if a < 0.0 and b % 2.0 == 1.0 else base**b
""",
}
NUMBER = f"""\
    def number(cell, missing):
        if cell is None or cell != cell:
            return missing
        return min(max(float(cell), -{FAR!r}), {FAR!r})
"""


def python_lines(view: NumericView, codes: Sequence[int], constants: Sequence[float], name: str) -> list[str]:
    """Return the lines that work a formula out: inputs, then parts, then the result under a name."""
    inputs = _inputs(view)
    used = sorted({int(code) - loops.COLUMN for code in codes if code >= loops.COLUMN})
    lines = [f"    x{j} = {_python_input(*inputs[j])}" for j in used]

    def part(i: int, arguments: list[tuple[str, int]]) -> tuple[str, int]:
        code = int(codes[i])
        if code == loops.CONSTANT:
            text = python_literal(float(constants[i]))
            return (f"({text})" if text.startswith("-") else text), 0
        if code >= loops.COLUMN:
            return f"x{code - loops.COLUMN}", 0
        text = BY_CODE[code].python.format(*(each for each, _ in arguments))
        height = 1 + max(h for _, h in arguments)
        if height < HIGHEST:
            return text, height
        lines.append(f"    {name}_{i} = {text}")
        return f"{name}_{i}", 0

    result = folded(codes, lambda code: BY_CODE[code].arity if code in BY_CODE else 0, part)[0]
    return [*lines, f"    {name} = {result}"]


def python_helpers(codes: Sequence[int]) -> str:
    """Return the functions that formulas with these codes call."""
    return "\n".join([NUMBER, *python_functions(codes)])


def python_functions(codes: Sequence[int]) -> list[str]:
    """Return the mathematical functions that formulas with these codes call."""
    names = {BY_CODE[int(code)].name for code in codes if int(code) in BY_CODE}
    return [HELPERS[name] for name in HELPERS if name in names]


def _python_input(column: str, value: Any, missing: float, domain: tuple[Any, ...]) -> str:
    cell = f"row.get({column!r})"
    if value is None:
        return f"number({cell}, {missing!r})"
    known = "(" + ", ".join(python_literal(each) for each in domain) + ",)"
    is_value = f"float({cell} == {python_literal(value)})"
    return f"{is_value} if {cell} in {known} else {missing!r}"


def _inputs(view: NumericView) -> list[tuple[str, Any, float, tuple[Any, ...]]]:
    """Return for each column of the matrix its column of the table, its value, and what stands for a missing one."""
    found: list[tuple[str, Any, float, tuple[Any, ...]]] = []
    for column in view.schema:
        if column.kind == "nominal":
            domain = tuple(plain(value) for value in column.domain)
            found += [
                (column.name, value, float(view.mean[len(found) + k]), domain)
                for k, value in enumerate(domain)
            ]
        else:
            found.append((column.name, None, float(view.mean[len(found)]), ()))
    return found


# --- SQL -----------------------------------------------------------------------------------------------------


def sql_value(view: NumericView, codes: Sequence[int], constants: Sequence[float], fallback: float) -> str:
    """Return a SQL expression for what a formula gives; every part is worked out once.

    Each part becomes the column of a step of its own, after those of its arguments: a protected function names its
    arguments several times, and would double the text at every level. Numbers have a point: some databases divide
    whole ones without rest.
    """
    inputs = _inputs(view)
    used = sorted({int(code) - loops.COLUMN for code in codes if code >= loops.COLUMN})
    steps = SqlSteps([f"{_sql_input(*inputs[j])} AS p_x{j}" for j in used])

    def part(i: int, arguments: list[tuple[str, int]]) -> tuple[str, int]:
        code = int(codes[i])
        if code == loops.CONSTANT:
            return f"({float(constants[i])!r})", 0
        if code >= loops.COLUMN:
            return f"p_x{code - loops.COLUMN}", 0
        return steps.add(BY_CODE[code].sql, arguments)

    result = folded(codes, lambda code: BY_CODE[code].arity if code in BY_CODE else 0, part)[0]
    return steps.query(f"CASE WHEN ABS({result}) <= {LARGEST} THEN {result} ELSE {fallback!r} END")


class SqlSteps:
    """The steps of a query: each adds columns, worked out from those of the steps before.

    Parameters
    ----------
    inputs : list of str
        The columns of the first step.
    """

    def __init__(self, inputs: list[str]) -> None:
        self._layers = [inputs or ["0.0 AS p_none"]]
        self._n = 0

    def add(self, template: str, arguments: list[tuple[str, int]]) -> tuple[str, int]:
        """Add a column that is made of others; return its name and its step."""
        text = template.format(*(each for each, _ in arguments))
        layer = 1 + max(step for _, step in arguments)
        while len(self._layers) <= layer:
            self._layers.append([])
        self._n += 1
        self._layers[layer].append(f"{text} AS p_{self._n}")
        return f"p_{self._n}", layer

    def query(self, result: str) -> str:
        """Return the query of a result."""
        names = [f"p_layer_{k}" for k in range(len(self._layers))]
        steps = [f"{names[0]} AS (SELECT {', '.join(self._layers[0])})"]
        steps += [
            f"{name} AS (SELECT *, {', '.join(layer)} FROM {before})"
            for before, name, layer in zip(names, names[1:], self._layers[1:], strict=False)
        ]
        return f"(WITH {', '.join(steps)} SELECT {result} FROM {names[-1]})"


def _sql_input(column: str, value: Any, missing: float, domain: tuple[Any, ...]) -> str:
    cell, absent = sql_identifier(column), repr(missing)
    if value is None:
        number = f"CAST({cell} AS DOUBLE PRECISION)"
        limit = repr(FAR)
        return (
            f"CASE WHEN {cell} IS NULL THEN {absent} WHEN {number} > {limit} THEN {limit} "
            f"WHEN {number} < -{limit} THEN -{limit} ELSE {number} END"
        )
    known = ", ".join(map(sql_literal, domain))
    return f"CASE WHEN {cell} = {sql_literal(value)} THEN 1.0 WHEN {cell} IN ({known}) THEN 0.0 ELSE {absent} END"
