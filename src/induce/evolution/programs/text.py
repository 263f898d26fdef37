"""Formulas as people write them, in plain text and in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence

from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.flat import folded
from induce.evolution.programs.functions import BY_CODE

SUM, PRODUCT, SIGNED, POWER, ATOM = 1, 2, 3, 4, 5
"""How tightly a piece of text holds together."""
LEVEL = {
    loops.ADD: SUM,
    loops.SUB: SUM,
    loops.MUL: PRODUCT,
    loops.DIV: PRODUCT,
    loops.NEG: SIGNED,
    loops.POW: POWER,
}
NAME = re.compile(r"[^\W\d]\w*")
Piece = tuple[str, int]


def shown(number: float) -> str:
    """Write a constant with four digits."""
    return f"{number:.4g}"


def column_text(name: str) -> str:
    """Write a column: in brackets where the name is not a single word.

    Examples
    --------
    >>> column_text("age"), column_text("colour = red")
    ('age', '[colour = red]')
    """
    return name if NAME.fullmatch(name) else f"[{name}]"


def infix(codes: Sequence[int], constants: Sequence[float], names: Sequence[str]) -> str:
    """Write a formula with operators between their arguments.

    Examples
    --------
    >>> infix([2, 0, 32, 30, 33], [0, 0, 0, 0.5, 0], ["x", "y"])
    '(x + 0.5) * y'
    """

    def part(i: int, arguments: list[Piece]) -> Piece:
        code = int(codes[i])
        if code == loops.CONSTANT:
            text = shown(float(constants[i]))
            return text, SIGNED if text.startswith("-") else ATOM
        if code >= loops.COLUMN:
            return column_text(names[code - loops.COLUMN]), ATOM
        function = BY_CODE[code]
        if code not in LEVEL:
            return f"{function.name}({', '.join(text for text, _ in arguments)})", ATOM
        level = LEVEL[code]
        if code == loops.NEG:
            return f"-{_within(arguments[0], SIGNED)}", SIGNED
        # what stands right of - and / must hold together more tightly, and what is signed stands in brackets there
        left = _within(arguments[0], level + (code == loops.POW))
        right = _within(arguments[1], SIGNED + 1 if arguments[1][1] == SIGNED else level + 1)
        if code in (loops.ADD, loops.MUL) and arguments[1][1] == level:
            right = arguments[1][0]
        if code == loops.ADD and arguments[1][1] == SIGNED:
            return f"{left} - {arguments[1][0][1:]}", SUM
        return f"{left} {function.sign} {right}", level

    return str(folded(codes, _arity, part)[0])


def latex(codes: Sequence[int], constants: Sequence[float], names: Sequence[str]) -> str:
    r"""Write a formula in LaTeX.

    Examples
    --------
    >>> print(latex([3, 32, 0, 30, 33], [0, 0, 0, 0.5, 0], ["x", "price_eur"]))
    \frac{x}{0.5 + \mathrm{price\_eur}}
    """

    def part(i: int, arguments: list[Piece]) -> Piece:
        code = int(codes[i])
        if code == loops.CONSTANT:
            text = _latex_number(float(constants[i]))
            return text, SIGNED if text.startswith("-") else ATOM
        if code >= loops.COLUMN:
            return _latex_name(names[code - loops.COLUMN]), ATOM
        level = LEVEL.get(code, ATOM)
        if code in (loops.DIV, loops.ABS, loops.SQRT, loops.LOG, loops.INV) or level == ATOM:
            inside = [_within(piece, ATOM, True) if code == loops.SQUARE else piece[0] for piece in arguments]
            return BY_CODE[code].latex.format(*inside), ATOM
        left = _within(arguments[0], level + (code == loops.POW), True)
        if code == loops.NEG:
            return f"-{left}", SIGNED
        if code == loops.POW:
            return BY_CODE[code].latex.format(left, arguments[1][0]), POWER
        right = _within(arguments[1], SIGNED + 1 if arguments[1][1] == SIGNED else level + 1, True)
        if code in (loops.ADD, loops.MUL) and arguments[1][1] == level:
            right = arguments[1][0]
        return BY_CODE[code].latex.format(left, right), level

    return str(folded(codes, _arity, part)[0])


def _within(piece: Piece, level: int, is_latex: bool = False) -> str:
    text, own = piece
    if own >= level:
        return text
    return rf"\left({text}\right)" if is_latex else f"({text})"


def _arity(code: int) -> int:
    return BY_CODE[code].arity if code in BY_CODE else 0


def _latex_number(number: float) -> str:
    text = shown(number)
    if "e" in text:
        digits, exponent = text.split("e")
        return rf"{digits} \cdot 10^{{{int(exponent)}}}"
    return text


def _latex_name(name: str) -> str:
    escaped = re.sub(r"([#$%&_{}])", r"\\\1", name.replace("\\", " "))
    escaped = escaped.replace("~", r"\sim ").replace("^", r"\wedge ")
    return escaped if len(name) == 1 else rf"\mathrm{{{escaped.replace(' ', '~')}}}"
