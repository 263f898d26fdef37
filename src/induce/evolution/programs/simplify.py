"""Formulas and programs made shorter without changing what they give."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from induce.data.numeric_view import FAR
from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.flat import folded
from induce.evolution.programs.functions import BY_CODE

LARGEST = 1e300


@dataclass(frozen=True)
class Part:
    """A part of a formula, and the largest number it can come to; infinite where it may overflow."""

    codes: tuple[int, ...]
    constants: tuple[float, ...]
    most: float
    number: float | None = None
    """The constant that it is, if it is one."""
    acts: bool = False
    """Whether it does something besides giving a value, so that it must be done as often as before."""

    def same(self, other: Part) -> bool:
        """Say whether two parts are written alike."""
        return self.codes == other.codes and self.constants == other.constants


class Meaning(Protocol):
    """Semantics of codes, as far as known."""

    def arity(self, code: int) -> int:
        """Return how many arguments a code takes."""

    def function(self, code: int) -> int | None:
        """Return the function of formulas that a code stands for; None if it is another one."""

    def acts(self, code: int) -> bool:
        """Say whether a code does something besides giving a value."""

    def leaf(self, code: int, constant: float) -> Part:
        """Return a code without arguments as a part."""

    def worked_out(self, code: int, numbers: list[float]) -> float | None:
        """Return what a function gives for numbers; None where that is not known before it runs."""

    def constant(self, value: float, code: int) -> Part | None:
        """Return a constant that may stand where a code stood; None if the language has none."""


class FormulaMeaning:
    """Semantics of the codes of formulas."""

    def arity(self, code: int) -> int:
        """Return how many arguments a code takes."""
        return BY_CODE[code].arity if code in BY_CODE else 0

    def function(self, code: int) -> int | None:
        """Return the function that a code stands for: itself."""
        return code

    def acts(self, code: int) -> bool:
        """Say that formulas only give values."""
        return False

    def leaf(self, code: int, constant: float) -> Part:
        """Return a constant or a column as a part; cells end at `FAR`."""
        if code == loops.CONSTANT:
            return self.constant(constant, code)
        return Part((code,), (0.0,), FAR)

    def worked_out(self, code: int, numbers: list[float]) -> float | None:
        """Return what a function gives, as the interpreter works it out."""
        return float(BY_CODE[code].call(*numbers))

    def constant(self, value: float, code: int) -> Part:
        """Return a constant as a part."""
        return Part((loops.CONSTANT,), (value,), abs(value), value)


def simplified(
    codes: Sequence[int], constants: Sequence[float], meaning: Meaning | None = None
) -> tuple[list[int], list[float]]:
    """Return a formula that gives the same numbers with fewer nodes, where one is found.

    Only what is exact in floating point is used: constants are worked out, and what leaves a number as it is goes.

    Examples
    --------
    >>> simplified([0, 2, 32, 30, 1, 33, 33], [0, 0, 0, 1.0, 0, 0, 0])
    ([32], [0.0])
    """
    means = meaning or FormulaMeaning()

    def part(i: int, arguments: list[Part]) -> Part:
        code = int(codes[i])
        return (
            _reduced(code, arguments, means) if means.arity(code) else means.leaf(code, float(constants[i]))
        )

    found = folded(codes, means.arity, part)
    return list(found.codes), list(found.constants)


def _reduced(code: int, arguments: list[Part], means: Meaning) -> Part:
    known = [each.number for each in arguments if each.number is not None]
    if len(known) == len(arguments):
        value = means.worked_out(code, known)
        shorter = means.constant(value, code) if value is not None and math.isfinite(value) else None
        if shorter is not None:
            return shorter
    function = means.function(code)
    found = None
    if function is not None:
        found = (
            _unary(code, function, arguments[0], means)
            if function >= loops.UNARY
            else _binary(code, function, arguments, means)
        )
    if found is not None:
        return found
    joined = tuple(c for each in arguments for c in each.codes)
    constants = tuple(c for each in arguments for c in each.constants)
    most = math.inf if function is None else _most(function, [each.most for each in arguments])
    acts = means.acts(code) or any(each.acts for each in arguments)
    return Part((code, *joined), (0.0, *constants), most, acts=acts)


def _binary(code: int, function: int, arguments: list[Part], means: Meaning) -> Part | None:
    """Return what a function of two parts comes to, where that is simpler."""
    a, b = arguments
    x, y = a.number, b.number
    match function:
        case loops.ADD:
            return b if x == 0.0 else a if y == 0.0 else None
        case loops.SUB:
            if y == 0.0:
                return a
            return means.constant(0.0, code) if a.same(b) and a.most < LARGEST else None
        case loops.MUL:
            if (x == 0.0 and b.most < LARGEST) or (y == 0.0 and a.most < LARGEST):
                return means.constant(0.0, code)
            return b if x == 1.0 else a if y == 1.0 else None
        case loops.DIV:
            if y == 1.0:
                return a
            return means.constant(1.0, code) if a.same(b) and a.most < LARGEST else None
        case loops.MAX | loops.MIN:
            return a if a.same(b) and not a.acts else None
    return None


def _unary(code: int, function: int, a: Part, means: Meaning) -> Part | None:
    """Return what a function of one part comes to, where that is simpler."""
    inner = means.function(a.codes[0]) if means.arity(a.codes[0]) else None
    within = Part(a.codes[1:], a.constants[1:], a.most, acts=a.acts)
    if function == loops.NEG and inner == loops.NEG:
        return within
    if function == loops.ABS and inner in (loops.ABS, loops.SQRT, loops.EXP, loops.SIG, loops.SQUARE):
        return a
    if function in (loops.ABS, loops.SQRT, loops.LOG, loops.SQUARE, loops.COS) and inner == loops.NEG:
        return _reduced(code, [within], means)
    if function in (loops.SQRT, loops.LOG, loops.SQUARE) and inner == loops.ABS:
        return _reduced(code, [within], means)
    return None


def _most(code: int, most: list[float]) -> float:
    """Return the largest number that a function can come to, by the largest of its arguments."""
    if not all(each < LARGEST for each in most):
        return math.inf
    match code:
        case loops.ADD | loops.SUB:
            return most[0] + most[1]
        case loops.MUL:
            return most[0] * most[1]
        case loops.DIV:
            return max(most[0] / loops.NEAR_ZERO, 1.0)
        case loops.MAX | loops.MIN:
            return max(most)
        case loops.POW:
            return math.exp(loops.LARGEST_POWER) * 1.001
        case loops.NEG | loops.ABS:
            return most[0]
        case loops.SQRT:
            return math.sqrt(most[0])
        case loops.LOG:
            return max(abs(math.log(loops.NEAR_ZERO)), math.log(max(most[0], 1.0)))
        case loops.INV:
            return 1.0 / loops.NEAR_ZERO
        case loops.SIN | loops.COS | loops.SIG:
            return 1.0
        case loops.EXP:
            return math.exp(loops.LARGEST_EXPONENT) * 1.001
        case loops.SQUARE:
            return most[0] * most[0]
    return math.inf
