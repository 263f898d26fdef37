"""Free constants: positions where a formula may take a constant to be fitted."""

from __future__ import annotations

from dataclasses import dataclass

from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.flat import folded
from induce.evolution.programs.functions import arity_of

SCALED = {loops.SIN, loops.COS, loops.TAN, loops.SIG, loops.EXP}
"""Functions whose argument takes a coefficient. In other functions it can be factored out: sqrt(2 x)."""
SHIFTED = {
    loops.SIN,
    loops.COS,
    loops.TAN,
    loops.SIG,
    loops.LOG,
    loops.SQRT,
    loops.INV,
    loops.SQUARE,
    loops.ABS,
}
"""Functions whose argument takes a constant summand. In exp it can be factored out as a coefficient."""


@dataclass(frozen=True)
class _Part:
    """A part of a formula, with its added constants and whether another would be redundant."""

    codes: tuple[int, ...]
    constants: tuple[float, ...]
    added: tuple[bool, ...]
    has_factor: bool = False
    has_summand: bool = False

    def scaled(self) -> _Part:
        """Return the part with a factor, unless it already has one."""
        if self.has_factor:
            return self
        return _Part(*self._joined(loops.MUL, 1.0), True, self.has_summand)

    def shifted(self) -> _Part:
        """Return the part with a constant summand, unless it already has one."""
        if self.has_summand:
            return self
        return _Part(*self._joined(loops.ADD, 0.0), self.has_factor, True)

    def _joined(
        self, code: int, constant: float
    ) -> tuple[tuple[int, ...], tuple[float, ...], tuple[bool, ...]]:
        return (
            (code, loops.CONSTANT, *self.codes),
            (0.0, constant, *self.constants),
            (False, True, *self.added),
        )


def _made(code: int, constant: float, arguments: list[_Part]) -> _Part:
    """Return the part formed by a code and its arguments."""
    fixed = [each.codes[0] == loops.CONSTANT for each in arguments]
    factor = summand = code == loops.CONSTANT
    if any(fixed) and len(arguments) == 2:
        other = arguments[fixed.index(True) - 1]
        if code in (loops.ADD, loops.SUB):
            factor, summand = other.has_factor, True
        elif code == loops.MUL or (code == loops.DIV and fixed[1]):
            factor, summand = True, other.has_summand
    return _Part(
        (code, *(c for each in arguments for c in each.codes)),
        (constant, *(c for each in arguments for c in each.constants)),
        (False, *(c for each in arguments for c in each.added)),
        factor,
        summand,
    )


def loosened(
    codes: list[int], constants: list[float], with_factors: bool = True, with_summands: bool = True
) -> tuple[list[int], list[float], list[int]]:
    """Return a formula with neutral free constants added to its functions, and their positions.

    Examples
    --------
    >>> loosened([loops.SIN, loops.COLUMN], [0.0, 0.0])
    ([13, 0, 30, 2, 30, 32], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0], [2, 4])
    """

    def part(i: int, arguments: list[_Part]) -> _Part:
        code = codes[i]
        if with_factors and code in SCALED:
            arguments = [arguments[0].scaled()]
        if with_summands and code in SHIFTED:
            arguments = [arguments[0].shifted()]
        if with_summands and code == loops.DIV:
            arguments = [arguments[0], arguments[1].shifted()]
        return _made(code, constants[i], arguments)

    found = folded(codes, arity_of, part)
    return list(found.codes), list(found.constants), [k for k, new in enumerate(found.added) if new]


def without(codes: list[int], constants: list[float], place: int) -> tuple[list[int], list[float]]:
    """Return a formula without an added constant and its parent node."""
    return codes[: place - 1] + codes[place + 1 :], constants[: place - 1] + constants[place + 1 :]
