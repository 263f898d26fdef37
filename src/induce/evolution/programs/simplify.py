"""Formulas made shorter without changing any prediction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from induce.data.numeric_view import FAR
from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.functions import BY_CODE

LARGEST = 1e300


@dataclass(frozen=True)
class Part:
    """A part of a formula, and the largest number it can come to; infinite where it may overflow."""

    codes: tuple[int, ...]
    constants: tuple[float, ...]
    most: float

    @property
    def number(self) -> float | None:
        """The constant that it is, if it is one."""
        return self.constants[0] if self.codes == (loops.CONSTANT,) else None

    def same(self, other: Part) -> bool:
        """Say whether two parts are written alike."""
        return self.codes == other.codes and self.constants == other.constants


def simplified(codes: Sequence[int], constants: Sequence[float]) -> tuple[list[int], list[float]]:
    """Return a formula that gives the same numbers with fewer nodes, where one is found.

    Only what is exact in floating point is used: constants are worked out, and what leaves a number as it is goes.

    Examples
    --------
    >>> simplified([0, 2, 32, 30, 1, 33, 33], [0, 0, 0, 1.0, 0, 0, 0])
    ([32], [0.0])
    """
    held: list[Part] = []
    for code, constant in zip(reversed(list(codes)), reversed(list(constants)), strict=True):
        if code == loops.CONSTANT:
            held.append(_constant(float(constant)))
        elif code >= loops.COLUMN:
            held.append(Part((int(code),), (0.0,), FAR))
        else:
            arguments = [held.pop() for _ in range(BY_CODE[code].arity)]
            held.append(_reduced(int(code), arguments))
    return list(held[0].codes), list(held[0].constants)


def worked_out(code: int, *arguments: float) -> float:
    """Return what a function gives, as the interpreter works it out."""
    cells = [np.array([float(x)]) for x in arguments]
    found = np.empty(1)
    with np.errstate(all="ignore"):
        if code < loops.UNARY:
            loops.binary(code, cells[0], cells[1], found, 1)
        else:
            loops.unary(code, cells[0], found, 1)
    return float(found[0])


def _reduced(code: int, arguments: list[Part]) -> Part:
    numbers = [each.number for each in arguments]
    known = [number for number in numbers if number is not None]
    if len(known) == len(numbers):
        value = worked_out(code, *known)
        if math.isfinite(value):
            return _constant(value)
    found = _unary(code, arguments[0]) if code >= loops.UNARY else _binary(code, *arguments)
    if found is not None:
        return found
    joined = tuple(c for each in arguments for c in each.codes)
    constants = tuple(c for each in arguments for c in each.constants)
    return Part((code, *joined), (0.0, *constants), _most(code, [each.most for each in arguments]))


def _binary(code: int, a: Part, b: Part) -> Part | None:
    """Return what a function of two parts comes to, where that is simpler."""
    x, y = a.number, b.number
    match code:
        case loops.ADD:
            return b if x == 0.0 else a if y == 0.0 else None
        case loops.SUB:
            if y == 0.0:
                return a
            return _constant(0.0) if a.same(b) and a.most < LARGEST else None
        case loops.MUL:
            if (x == 0.0 and b.most < LARGEST) or (y == 0.0 and a.most < LARGEST):
                return _constant(0.0)
            return b if x == 1.0 else a if y == 1.0 else None
        case loops.DIV:
            if y == 1.0:
                return a
            return _constant(1.0) if a.same(b) and a.most < LARGEST else None
        case loops.MAX | loops.MIN:
            return a if a.same(b) else None
    return None


def _unary(code: int, a: Part) -> Part | None:
    """Return what a function of one part comes to, where that is simpler."""
    inner = a.codes[0]
    within = Part(a.codes[1:], a.constants[1:], a.most)
    if code == loops.NEG and inner == loops.NEG:
        return within
    if code == loops.ABS and inner in (loops.ABS, loops.SQRT, loops.EXP, loops.SIG, loops.SQUARE):
        return a
    if code in (loops.ABS, loops.SQRT, loops.LOG, loops.SQUARE, loops.COS) and inner == loops.NEG:
        return _reduced(code, [within])
    if code in (loops.SQRT, loops.LOG, loops.SQUARE) and inner == loops.ABS:
        return _reduced(code, [within])
    return None


def _constant(value: float) -> Part:
    return Part((loops.CONSTANT,), (value,), abs(value))


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
