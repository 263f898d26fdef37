"""Exact simplification of formulas and programs."""

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
    """A part of a formula, and an upper bound on its magnitude; infinite if it may overflow."""

    codes: tuple[int, ...]
    constants: tuple[float, ...]
    most: float
    number: float | None = None
    """Value of a constant part, or None."""
    acts: bool = False
    """Whether it has side effects, so that it must be evaluated as often as before."""

    def same(self, other: Part) -> bool:
        """Return whether two parts have the same codes."""
        return self.codes == other.codes and self.constants == other.constants


class Meaning(Protocol):
    """Semantics of codes, as far as known."""

    def arity(self, code: int) -> int:
        """Return the number of arguments of a code."""

    def function(self, code: int) -> int | None:
        """Return the formula function of a code, or None."""

    def acts(self, code: int) -> bool:
        """Return whether a code has side effects."""

    def leaf(self, code: int, constant: float) -> Part:
        """Return a code without arguments as a part."""

    def worked_out(self, code: int, numbers: list[float]) -> float | None:
        """Return the value of a function for constant arguments, or None if unknown in advance."""

    def constant(self, value: float, code: int) -> Part | None:
        """Return a constant that may replace a code, or None if the language has none."""


class FormulaMeaning:
    """Semantics of the codes of formulas."""

    def arity(self, code: int) -> int:
        """Return the number of arguments of a code."""
        return BY_CODE[code].arity if code in BY_CODE else 0

    def function(self, code: int) -> int | None:
        """Return the code itself."""
        return code

    def acts(self, code: int) -> bool:
        """Return False: formulas have no side effects."""
        return False

    def leaf(self, code: int, constant: float) -> Part:
        """Return a constant or column as a part; cells are bounded by `FAR`."""
        if code == loops.CONSTANT:
            return self.constant(constant, code)
        return Part((code,), (0.0,), FAR)

    def worked_out(self, code: int, numbers: list[float]) -> float | None:
        """Return the value of a function, as the interpreter computes it."""
        return float(BY_CODE[code].call(*numbers))

    def constant(self, value: float, code: int) -> Part:
        """Return a constant as a part."""
        return Part((loops.CONSTANT,), (value,), abs(value), value)


def simplified(
    codes: Sequence[int], constants: Sequence[float], meaning: Meaning | None = None
) -> tuple[list[int], list[float]]:
    """Return an equivalent formula with fewer nodes, if one is found.

    Only rules that are exact in floating point apply: constants are folded and neutral operations removed.

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
    """Return the simplified form of a binary function, or None."""
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
    """Return the simplified form of a unary function, or None."""
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
    """Return an upper bound on the magnitude of a function, given those of its arguments."""
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
