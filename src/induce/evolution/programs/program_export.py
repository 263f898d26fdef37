"""Export of programs to Python and SQL."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from induce.core.errors import InputError
from induce.evolution.programs.flat import folded, number_word
from induce.evolution.programs.functions import BY_CODE, FUNCTIONS
from induce.evolution.programs.language import INPUT
from induce.evolution.programs.meaning import ALIKE, sql_of
from induce.hypotheses.writers.python import check_name, python_literal
from induce.hypotheses.writers.sql_text import sql_identifier, sql_number

if TYPE_CHECKING:
    from induce.evolution.programs.program import Program


def python_of(program: Program, name: str) -> str:
    """Return the source of functions, subroutines first."""
    check_name(name)
    language = program.language
    known = {each.formula.code for each in language.primitives if each.formula is not None}
    used = sorted(known & {_formula_code(program, code) for code in program.codes.tolist()})
    helpers = [BY_CODE[code].forms.helper for code in used]
    lines = [] if not used else ["import math\n", *(f"\n{each}\n" for each in helpers if each)]
    for k in reversed(range(len(program.starts) - 1)):
        takes = (
            ["state"]
            if k == 0
            else ["state", *(f"a{j}" for j in range(len(language.subroutines[k - 1].takes)))]
        )
        own = name if k == 0 else f"F{k - 1}"
        lines += [f"def {own}({', '.join(takes)}):", f"    return {_python(program, k)}", ""]
    return "\n".join(lines)


def _formula_code(program: Program, code: int) -> int:
    primitives = program.language.primitives
    formula = primitives[code].formula if code < len(primitives) else None
    return -1 if formula is None else formula.code


def _python(program: Program, k: int) -> str:
    codes, constants = program.part(k)
    language, n = program.language, len(program.language.primitives)

    def part(i: int, arguments: list[str]) -> str:
        code = codes[i]
        if language.signatures[code].low is not None:
            return number_word(constants[i])
        if language.arguments[code] >= 0:
            return f"a{language.arguments[code]}"
        if code >= n:
            return f"{language.signatures[code].name}({', '.join(['state', *arguments])})"
        each = language.primitives[code]
        if each.means == INPUT:
            return f"state[{python_literal(each.name)}]"
        formula = each.formula or FUNCTIONS.get(ALIKE.get(each.call, "") if each.call is not None else "")
        if formula is not None and not each.lazy and (each.formula is not None or formula.sign):
            return formula.forms.python.format(*arguments)
        given = ["state"] if each.effect else []
        given += [f"lambda: {argument}" if each.lazy else argument for argument in arguments]
        return f"{python_name(each.name)}({', '.join(given)})"

    return str(folded(codes, language.arity, part))


def python_name(name: str) -> str:
    """Return a valid Python identifier for a name.

    Examples
    --------
    >>> python_name("if-food")
    'if_food'
    """
    found = re.sub(r"\W", "_", name)
    return found if found.isidentifier() else f"_{found}"


def without_sql(program: Program) -> str | None:
    """Return the name of a primitive in the program that has no SQL form, or None if all have one."""
    language = program.language
    for code in dict.fromkeys(program.codes.tolist()):
        known = language.signatures[code].low is not None or language.arguments[code] >= 0
        if known or code >= len(language.primitives):
            continue
        each = language.primitives[code]
        if each.means != INPUT and not sql_of(each):
            return str(each.name)
    return None


def sql_of_program(program: Program, table: str) -> str:
    """Return a query that adds the program's value to a table."""
    language, n = program.language, len(program.language.primitives)
    inputs = [each.name for each in language.primitives if each.means == INPUT]
    steps = SqlSteps([f"{sql_identifier(name)} AS p_x{k}" for k, name in enumerate(inputs)])

    def value(k: int, given: list[tuple[str, int]]) -> tuple[str, int]:
        codes, constants = program.part(k)

        def part(i: int, arguments: list[tuple[str, int]]) -> tuple[str, int]:
            code = codes[i]
            if language.signatures[code].low is not None:
                return f"({sql_number(float(constants[i]))})", 0
            if language.arguments[code] >= 0:
                return given[language.arguments[code]]
            if code >= n:
                return value(1 + code - n, arguments)
            each = language.primitives[code]
            if each.means == INPUT:
                return f"p_x{inputs.index(each.name)}", 0
            template = sql_of(each)
            if not template:
                raise InputError(
                    f'{each.name} has no SQL form; give its primitive one, such as sql="({{0}} + '
                    '{1})", or use to_python'
                )
            return steps.add(template, arguments) if arguments else (template, 0)

        found: tuple[str, int] = folded(codes, language.arity, part)
        return found

    return f'SELECT *,\n  {steps.query(value(0, [])[0])} AS "prediction"\nFROM {sql_identifier(table)}'


class SqlSteps:
    """The steps of a query: each adds columns computed from earlier ones.

    Parameters
    ----------
    inputs : list of str
        Columns of the first step.
    """

    def __init__(self, inputs: list[str]) -> None:
        self._layers = [inputs or ["0.0 AS p_none"]]
        self._n = 0

    def add(self, template: str, arguments: list[tuple[str, int]]) -> tuple[str, int]:
        """Add a column computed from others; return its name and its step."""
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
