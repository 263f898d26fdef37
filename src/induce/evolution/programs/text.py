"""Formulas in conventional notation, as plain text and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

from induce.evolution.programs.flat import folded
from induce.hypotheses.naming import coefficient_text, number_text

COMPARED, SUM, PRODUCT, SIGNED, POWER, ATOM = 0, 1, 2, 3, 4, 5
"""Precedence of a piece of text."""
LEVEL = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "^": POWER}
LEVEL |= dict.fromkeys(("<", "<=", ">", ">=", "=", "=="), COMPARED)
"""Infix operators."""
LATEX = {
    "+": "{0} + {1}",
    "-": "{0} - {1}",
    "*": r"{0} \cdot {1}",
    "/": r"\frac{{{0}}}{{{1}}}",
    "^": "{{{0}}}^{{{1}}}",
    "<=": r"{0} \le {1}",
    ">=": r"{0} \ge {1}",
    "==": "{0} = {1}",
}
SQUARE = "{{{0}}}^2"
"""LaTeX form of a square, used to recognise squares."""
NUMBER = re.compile(r"\(?-?[0-9.e+-]+\)?")
NAME = re.compile(r"[^\W\d]\w*")
Piece = tuple[str, int]


@dataclass(frozen=True)
class Wording:
    """Notation of a code: a name or an operator, and a LaTeX template.

    Parameters
    ----------
    name : str
    sign : str
        Operator; empty if it is written as a call.
    latex : str
        LaTeX template, with ``{0}`` and ``{1}`` for the arguments.
    call : str
        Template of the text, if it is not a call of `name`.
    """

    name: str
    sign: str = ""
    latex: str = ""
    call: str = ""


PLAIN: Mapping[int, Wording] = MappingProxyType({})
"""No positions with a notation of their own."""


class Words(Protocol):
    """Codes that have a notation."""

    def arity(self, code: int) -> int:
        """Return the number of arguments of a code."""

    def wording(self, code: int, constant: float) -> Wording:
        """Return the notation of a code."""


def shown(number: float) -> str:
    """Format a value with four digits, or up to six if it is nearly round."""
    return coefficient_text(number)


def column_text(name: str) -> str:
    """Format a column name, in brackets unless it is a single word.

    Examples
    --------
    >>> column_text("age"), column_text("colour = red")
    ('age', '[colour = red]')
    """
    return name if NAME.fullmatch(name) else f"[{name}]"


def input_wording(name: str) -> Wording:
    """Return the notation of an input.

    Examples
    --------
    >>> print(input_wording("price_eur").latex)
    \\mathrm{price\\_eur}
    """
    return Wording(column_text(name), latex=_latex_name(name))


def number_wording(number: float) -> Wording:
    """Return the notation of a constant, with all its digits.

    Examples
    --------
    >>> number_wording(0.1 + 0.2).name, number_wording(-2e-7).latex
    ('0.30000000000000004', '-2 \\\\cdot 10^{-7}')
    """
    text = number_text(number)
    if "e" not in text:
        return Wording(text, latex=text)
    digits, exponent = text.split("e")
    return Wording(text, latex=rf"{digits} \cdot 10^{{{int(exponent)}}}")


def call_wording(name: str, arity: int) -> Wording:
    """Return the notation of a function that has only a name; a symbol becomes an infix operator."""
    if arity == 2 and name in LEVEL:
        return Wording(name, name, LATEX.get(name, f"{{0}} {name} {{1}}"))
    if arity == 1 and name == "-":
        return Wording(name, name)
    given = ", ".join(f"{{{k}}}" for k in range(arity))
    head = _latex_name(name).replace("{", "{{").replace("}", "}}")
    return Wording(name, latex=f"{head}({given})")


def infix(
    codes: Sequence[int], constants: Sequence[float], words: Words, others: Mapping[int, Wording] = PLAIN
) -> str:
    """Format a tree in infix notation; `others` are the positions with a notation of their own.

    Examples
    --------
    >>> from induce.evolution.programs.vocabulary import FormulaWords
    >>> infix([2, 0, 32, 30, 33], [0, 0, 0, 0.5, 0], FormulaWords(("x", "y")))
    '(x + 0.5) * y'
    """

    def part(i: int, arguments: list[_Written]) -> _Written:
        word = others.get(i) or words.wording(int(codes[i]), float(constants[i]))
        if not arguments:
            return _Written(word.name, SIGNED if word.name.startswith("-") else ATOM)
        power = _power(word, arguments)
        if power is not None:
            return power
        pieces = [(each.text, each.level) for each in arguments]
        if not word.sign:
            given = [text for text, _ in pieces]
            return _Written(word.call.format(*given) or f"{word.name}({', '.join(given)})", ATOM)
        if len(arguments) == 1:
            level, tightness = (PRODUCT, POWER) if "/" in word.sign else (SIGNED, SIGNED)
            return _Written(f"{word.sign}{_within(pieces[0], tightness)}", level)
        level = LEVEL[word.sign]
        left, right = _both(word.sign, pieces, False)
        if word.sign == "^":
            return _Written(f"{left}^{right}", level)
        if word.sign == "+" and pieces[1][1] == SIGNED:
            return _Written(f"{left} - {pieces[1][0][1:]}", SUM)
        return _Written(f"{left} {word.sign} {right}", level)

    return str(folded(codes, words.arity, part).text)


@dataclass(frozen=True)
class _Written:
    """A piece of text, its precedence, and its base and exponent."""

    text: str
    level: int
    base: str = ""
    power: int = 1

    def raised(self, is_latex: bool) -> tuple[str, int]:
        """Return base and exponent, with the base in brackets if needed."""
        return (self.base, self.power) if self.base else (_within((self.text, self.level), ATOM, is_latex), 1)


def _power(word: Wording, arguments: list[_Written], is_latex: bool = False) -> _Written | None:
    """Format squares and products of equal bases as a power; return None for anything else."""
    base, power = arguments[0].raised(is_latex)
    if word.latex == SQUARE:
        power *= 2
    elif word.sign == "*" and not NUMBER.fullmatch(base):
        other, more = arguments[1].raised(is_latex)
        if other != base:
            return None
        power += more
    else:
        return None
    text = f"{{{base}}}^{{{power}}}" if is_latex else f"{base}^{power}"
    return _Written(text, POWER, base, power)


def latex(
    codes: Sequence[int], constants: Sequence[float], words: Words, others: Mapping[int, Wording] = PLAIN
) -> str:
    r"""Format a tree in LaTeX; `others` are the positions with a notation of their own.

    Examples
    --------
    >>> from induce.evolution.programs.vocabulary import FormulaWords
    >>> print(latex([3, 32, 0, 30, 33], [0, 0, 0, 0.5, 0], FormulaWords(("x", "price_eur"))))
    \frac{x}{0.5 + \mathrm{price\_eur}}
    """

    def part(i: int, arguments: list[_Written]) -> _Written:
        word = others.get(i) or words.wording(int(codes[i]), float(constants[i]))
        if not arguments:
            level = PRODUCT if r" \cdot " in word.latex else ATOM
            return _Written(word.latex, SIGNED if word.latex.startswith("-") else level)
        power = _power(word, arguments, True)
        if power is not None:
            return power
        pieces = [(each.text, each.level) for each in arguments]
        if word.sign in ("", "/", "1 / "):  # the bar of a fraction is no bracket for an exponent
            text = word.latex.format(*(text for text, _ in pieces))
            return _Written(text, POWER if word.sign else ATOM)
        if len(arguments) == 1:
            return _Written(f"{word.sign}{_within(pieces[0], SIGNED, True)}", SIGNED)
        left, right = _both(word.sign, pieces, True)
        return _Written(word.latex.format(left, right), LEVEL[word.sign])

    return str(folded(codes, words.arity, part).text)


def _both(sign: str, arguments: list[Piece], is_latex: bool) -> tuple[str, str]:
    """Format the operands of an operator, in brackets if needed.

    Right operands of - and / need a higher precedence, and signed ones are put in brackets.
    """
    level = LEVEL[sign]
    left = _within(arguments[0], level + (sign == "^" or level == COMPARED), is_latex)
    text, own = arguments[1]
    if (is_latex and sign == "^") or (sign in "+*" and own == level):
        return left, text
    return left, _within(arguments[1], SIGNED + 1 if own == SIGNED else level + 1, is_latex)


def _within(piece: Piece, level: int, is_latex: bool = False) -> str:
    text, own = piece
    if own >= level:
        return text
    return rf"\left({text}\right)" if is_latex else f"({text})"


def _latex_name(name: str) -> str:
    escaped = re.sub(r"([#$%&_{}])", r"\\\1", name.replace("\\", " "))
    escaped = escaped.replace("~", r"\sim ").replace("^", r"\wedge ")
    return escaped if len(name) == 1 else rf"\mathrm{{{escaped.replace(' ', '~')}}}"
