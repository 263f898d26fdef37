"""Formulas as people write them, in plain text and in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from induce.evolution.programs.flat import folded
from induce.hypotheses.naming import coefficient_text

COMPARED, SUM, PRODUCT, SIGNED, POWER, ATOM = 0, 1, 2, 3, 4, 5
"""Precedence of a piece of text."""
LEVEL = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "^": POWER}
LEVEL |= dict.fromkeys(("<", "<=", ">", ">=", "=", "=="), COMPARED)
"""Signs that stand between two arguments."""
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
"""LaTeX form of a square, by which it is recognised."""
NUMBER = re.compile(r"\(?-?[0-9.e+-]+\)?")
NAME = re.compile(r"[^\W\d]\w*")
Piece = tuple[str, int]


@dataclass(frozen=True)
class Wording:
    """Written form of a code: its name, or a sign between or before its arguments; and in LaTeX.

    Parameters
    ----------
    name : str
    sign : str
        Empty where it is written as a call.
    latex : str
        A template, with ``{0}`` and ``{1}`` for the arguments.
    """

    name: str
    sign: str = ""
    latex: str = ""


class Words(Protocol):
    """Codes that can be written."""

    def arity(self, code: int) -> int:
        """Return how many arguments a code takes."""

    def wording(self, code: int, constant: float) -> Wording:
        """Return how a code is written."""


def shown(number: float) -> str:
    """Write a constant with four digits, or with up to six where it is nearly round."""
    return coefficient_text(number)


def column_text(name: str) -> str:
    """Write a column: in brackets where the name is not a single word.

    Examples
    --------
    >>> column_text("age"), column_text("colour = red")
    ('age', '[colour = red]')
    """
    return name if NAME.fullmatch(name) else f"[{name}]"


def input_wording(name: str) -> Wording:
    """Return how an input is written.

    Examples
    --------
    >>> print(input_wording("price_eur").latex)
    \\mathrm{price\\_eur}
    """
    return Wording(column_text(name), latex=_latex_name(name))


def number_wording(number: float) -> Wording:
    """Return how a constant is written."""
    text = shown(number)
    if "e" not in text:
        return Wording(text, latex=text)
    digits, exponent = text.split("e")
    return Wording(text, latex=rf"{digits} \cdot 10^{{{int(exponent)}}}")


def call_wording(name: str, arity: int) -> Wording:
    """Return how a function is written that has a name alone; a sign is one between two arguments."""
    if arity == 2 and name in LEVEL:
        return Wording(name, name, LATEX.get(name, f"{{0}} {name} {{1}}"))
    if arity == 1 and name == "-":
        return Wording(name, name)
    given = ", ".join(f"{{{k}}}" for k in range(arity))
    head = _latex_name(name).replace("{", "{{").replace("}", "}}")
    return Wording(name, latex=f"{head}({given})")


def infix(codes: Sequence[int], constants: Sequence[float], words: Words) -> str:
    """Write a tree with operators between their arguments.

    Examples
    --------
    >>> from induce.evolution.programs.vocabulary import FormulaWords
    >>> infix([2, 0, 32, 30, 33], [0, 0, 0, 0.5, 0], FormulaWords(("x", "y")))
    '(x + 0.5) * y'
    """

    def part(i: int, arguments: list[_Written]) -> _Written:
        word = words.wording(int(codes[i]), float(constants[i]))
        if not arguments:
            return _Written(word.name, SIGNED if word.name.startswith("-") else ATOM)
        power = _power(word, arguments)
        if power is not None:
            return power
        pieces = [(each.text, each.level) for each in arguments]
        if not word.sign:
            return _Written(f"{word.name}({', '.join(text for text, _ in pieces)})", ATOM)
        if len(arguments) == 1:
            return _Written(f"{word.sign}{_within(pieces[0], SIGNED)}", SIGNED)
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
    """A piece of text, how tightly it holds together, and of what it is which power."""

    text: str
    level: int
    base: str = ""
    power: int = 1

    def raised(self, is_latex: bool) -> tuple[str, int]:
        """Return base and exponent, the base in brackets where it must be."""
        return (self.base, self.power) if self.base else (_within((self.text, self.level), ATOM, is_latex), 1)


def _power(word: Wording, arguments: list[_Written], is_latex: bool = False) -> _Written | None:
    """Write squares, and products of powers of the same thing, as a power; None for anything else."""
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


def latex(codes: Sequence[int], constants: Sequence[float], words: Words) -> str:
    r"""Write a tree in LaTeX.

    Examples
    --------
    >>> from induce.evolution.programs.vocabulary import FormulaWords
    >>> print(latex([3, 32, 0, 30, 33], [0, 0, 0, 0.5, 0], FormulaWords(("x", "price_eur"))))
    \frac{x}{0.5 + \mathrm{price\_eur}}
    """

    def part(i: int, arguments: list[_Written]) -> _Written:
        word = words.wording(int(codes[i]), float(constants[i]))
        if not arguments:
            return _Written(word.latex, SIGNED if word.latex.startswith("-") else ATOM)
        power = _power(word, arguments, True)
        if power is not None:
            return power
        pieces = [(each.text, each.level) for each in arguments]
        if word.sign in ("", "/"):
            return _Written(word.latex.format(*(text for text, _ in pieces)), ATOM)
        if len(arguments) == 1:
            return _Written(f"{word.sign}{_within(pieces[0], SIGNED, True)}", SIGNED)
        left, right = _both(word.sign, pieces, True)
        return _Written(word.latex.format(left, right), LEVEL[word.sign])

    return str(folded(codes, words.arity, part).text)


def _both(sign: str, arguments: list[Piece], is_latex: bool) -> tuple[str, str]:
    """Write what stands left and right of a sign, in brackets where it must be.

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
