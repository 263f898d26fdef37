"""Vocabulary of formulas: functions by name or operator, columns, constants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.flat import NUMBER, number_word, quoted
from induce.evolution.programs.functions import BY_CODE, FUNCTIONS
from induce.evolution.programs.grammar import Grammar, Signature, grammar
from induce.evolution.programs.text import Wording, input_wording, number_wording

SIGNS = {function.sign: function for function in FUNCTIONS.values() if function.arity == 2 and function.sign}


@dataclass(frozen=True)
class FormulaWords:
    """Vocabulary of formulas over given columns.

    Examples
    --------
    >>> words = FormulaWords(("x", "y"))
    >>> words.code("+", 2), words.code("add", 2), words.code("y", 0), words.word(0)
    (0, 0, 33, '+')
    """

    columns: tuple[str, ...]

    def arity(self, code: int) -> int:
        """Return the number of arguments of a code."""
        return BY_CODE[code].arity if code in BY_CODE else 0

    def word(self, code: int) -> str | None:
        """Return the word of a code, or None for a constant."""
        if code == loops.CONSTANT:
            return None
        if code >= loops.COLUMN:
            return self.columns[code - loops.COLUMN]
        function = BY_CODE[code]
        return function.sign if function.arity == 2 and function.sign else function.name

    def wording(self, code: int, constant: float) -> Wording:
        """Return the notation of a code."""
        if code == loops.CONSTANT:
            return number_wording(constant)
        if code >= loops.COLUMN:
            return input_wording(self.columns[code - loops.COLUMN])
        return BY_CODE[code].wording

    def code(self, word: str, arity: int) -> int | None:
        """Return the code of a word, or None."""
        if arity == 0:
            return self._places.get(word)
        function = SIGNS.get(word) or FUNCTIONS.get(word)
        return function.code if function and function.arity == arity else None

    def spelled(self, code: int, constant: float) -> str:
        """Return the S-expression word of a code."""
        word = self.word(code)
        return number_word(constant) if word is None else quoted(word)

    def constant(self, word: str) -> tuple[int, float] | None:
        """Return the code and the value of a constant word."""
        return (loops.CONSTANT, float(word)) if NUMBER.fullmatch(word) else None

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: loops.COLUMN + j for j, name in reversed(list(enumerate(self.columns)))}


def formula_grammar(
    functions: Sequence[int], n_columns: int, const_range: tuple[float, float] | None
) -> Grammar:
    """Return the grammar tables of formulas with the given functions and number of columns."""
    signatures = [
        Signature(
            BY_CODE[code].name if code in BY_CODE else "",
            ("value",) * (BY_CODE[code].arity if code in BY_CODE else 0),
        )
        for code in range(loops.COLUMN)
    ]
    low, high = const_range or (0.0, 0.0)
    signatures[loops.CONSTANT] = Signature("constant", (), "value", low, high)
    signatures += [Signature(f"column {j}") for j in range(n_columns)]
    codes = [*functions, *range(loops.COLUMN, loops.COLUMN + n_columns)]
    if const_range is not None or not n_columns:
        codes.insert(len(functions), loops.CONSTANT)
    return grammar(signatures, [codes], ["value"])
