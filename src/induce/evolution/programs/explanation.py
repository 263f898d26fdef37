"""Explanation of a formula or program by the value of each of its parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.explained import Explained
from induce.core.reports import shortened
from induce.core.ties import first_largest_of_each
from induce.core.values import Value
from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.flat import folded, subtree_ends
from induce.evolution.programs.functions import BY_CODE, Guard
from induce.evolution.programs.grammar import Floats
from induce.evolution.programs.text import Words, infix, shown
from induce.hypotheses.naming import value_text

if TYPE_CHECKING:
    from induce.evolution.programs.formula import ClassFormulas, Formula
    from induce.evolution.programs.program import Program

LONGEST = 60


@dataclass(frozen=True)
class FormulaPart:
    """A part of a formula or program, its depth, and its value."""

    depth: int
    text: str
    value: Any

    def __str__(self) -> str:
        text = shortened(self.text, LONGEST)
        return f"{'  ' * (self.depth + 1)}{text} = {_said(self.value)}"


def _said(value: Any) -> str:
    return shown(value) if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class FormulaExplanation(Explained):
    """A prediction, and the value of every part of its formula.

    Parameters
    ----------
    prediction : number or class
    parts : tuple of FormulaPart
        Parts in prefix order; the first is the whole formula.
    """

    prediction: Value
    parts: tuple[FormulaPart, ...]

    def __str__(self) -> str:
        said = shown(self.prediction) if isinstance(self.prediction, float) else value_text(self.prediction)
        return "\n".join([said, *map(str, self.parts)])


@dataclass(frozen=True)
class ProgramExplanation(Explained):
    """Result of a program, and the value of every evaluated part in order of evaluation.

    Parts of a loop appear once per iteration; parts skipped by a condition do not appear.

    Parameters
    ----------
    value : object
        Value of the program; None if it ran out of steps.
    parts : tuple of FormulaPart
        Evaluated parts, in order of evaluation.
    ended : bool
        Whether the program terminated.
    """

    value: Any
    parts: tuple[FormulaPart, ...]
    ended: bool

    def __str__(self) -> str:
        said = (
            _said(self.value)
            if self.ended
            else ("the program did not end within its maximum number of steps")
        )
        return "\n".join([said, *map(str, self.parts)])


def explained(formula: Formula, X: Any) -> tuple[FormulaExplanation, ...]:
    """Explain a formula's predictions for rows."""
    parts = _parts(formula, X)
    predictions = formula.values(X).tolist()
    return tuple(FormulaExplanation(said, part) for said, part in zip(predictions, parts, strict=True))


def explained_classes(several: ClassFormulas, X: Any) -> tuple[FormulaExplanation, ...]:
    """Explain predicted classes for rows by the formula that decided."""
    said = several.predict(X).tolist()
    if not several.formulas:
        return tuple(FormulaExplanation(value, ()) for value in said)
    parts = [_parts(formula, X) for formula in several.formulas]
    which = first_largest_of_each(several.scores(X)).tolist()
    return tuple(
        FormulaExplanation(value, parts[k][row])
        for row, (value, k) in enumerate(zip(said, which, strict=True))
    )


def _parts(formula: Formula, X: Any) -> list[tuple[FormulaPart, ...]]:
    table = formula.encoded(X)
    matrix = formula.view.matrix(table)
    codes, constants = formula.codes.tolist(), formula.constants.tolist()
    n = len(matrix)
    values = np.empty((len(codes), n))

    def part(i: int, arguments: list[Floats]) -> Floats:
        code, found = codes[i], np.empty(n)
        if code == loops.CONSTANT:
            found[:] = constants[i]
        elif code >= loops.COLUMN:
            found[:] = matrix[:, code - loops.COLUMN]
        elif code < loops.UNARY:
            loops.binary(code, arguments[0], arguments[1], found, n)
        else:
            loops.unary(code, arguments[0], found, n)
        values[i] = found
        return found

    arity = formula.words.arity
    with np.errstate(all="ignore"):
        folded(codes, arity, part)
    ends = subtree_ends(codes, arity)
    depths = [0] * len(codes)
    for i, code in enumerate(codes):
        after = i + 1
        for _ in range(BY_CODE[code].arity if code in BY_CODE else 0):
            depths[after] = depths[i] + 1
            after = ends[after]
    texts = [_text(codes, constants, formula.words, (i, ends[i]), formula.guards) for i in range(len(codes))]
    listed = [i for i, code in enumerate(codes) if code != loops.CONSTANT or len(codes) == 1]
    return [
        tuple(FormulaPart(depths[i], texts[i], float(values[i, row])) for i in listed) for row in range(n)
    ]


def _text(
    codes: list[int],
    constants: list[float],
    words: Words,
    span: tuple[int, int],
    guards: Mapping[int, Guard],
) -> str:
    """Format a part of a formula, between two positions."""
    start, end = span
    others = {i - start: guard.wording for i, guard in guards.items() if start <= i < end}
    return infix(codes[start:end], constants[start:end], words, others)


def explained_run(program: Program, state: Any, steps: int) -> ProgramExplanation:
    """Run a program and record the value of every evaluated part."""
    from induce.evolution.programs.interpreter import OutOfStepsError, Run

    language, ends = program.language, program.ends
    codes, constants = program.codes.tolist(), program.constants.tolist()
    texts: dict[int, str] = {}
    guards = program.guards
    noted: list[tuple[int, int]] = []
    values: dict[int, Any] = {}

    def began(i: int, depth: int) -> Any:
        place = len(noted)
        noted.append((i, depth))
        if i not in texts:
            texts[i] = _text(codes, constants, language, (i, ends[i]), guards)
        return lambda value: values.update({place: value})

    value, ended = None, True
    try:
        value = Run(program, state, steps, began).value(0, ())
    except OutOfStepsError:
        ended = False
    parts = tuple(
        FormulaPart(depth, texts[i], values[place])
        for place, (i, depth) in enumerate(noted)
        if place in values and (language.signatures[codes[i]].low is None or len(codes) == 1)
    )
    return ProgramExplanation(value, parts, ended)
