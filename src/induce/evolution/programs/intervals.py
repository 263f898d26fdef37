"""Interval arithmetic on formulas: where a protected function is the plain one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.flat import folded, subtree_ends
from induce.evolution.programs.functions import BY_CODE, Guard
from induce.evolution.programs.simplify import Meaning

Interval = tuple[float, float]
ANY: Interval = (-math.inf, math.inf)
ROUNDING = 1e-12
"""Relative width added to differences, which cancel."""


def guards_of(
    codes: Sequence[int], constants: Sequence[float], meaning: Meaning, ranges: Mapping[int, Interval]
) -> dict[int, Guard]:
    """Return the nodes of a formula that differ from the plain function somewhere in the given ranges.

    Parameters
    ----------
    codes, constants : sequence
        Formula in prefix order.
    meaning : Meaning
        Meaning of the codes.
    ranges : mapping
        Smallest and largest number of each input; an input that is absent may be any number.

    Examples
    --------
    >>> from induce.evolution.programs.simplify import FormulaMeaning
    >>> guards = guards_of([3, 32, 11, 33], [0.0] * 4, FormulaMeaning(), {33: (2.0, 5.0)})
    >>> [(node, guard.line) for node, guard in guards.items()]
    []
    >>> [guard.line for guard in guards_of([3, 32, 33], [0.0] * 3, FormulaMeaning(), {}).values()]
    ['div(a, b) is a / b, or 1 where abs(b) <= 0.001']
    """
    ends = subtree_ends(codes, meaning.arity)
    guards: dict[int, Guard] = {}

    def part(i: int, arguments: list[Interval]) -> Interval:
        code = codes[i]
        if not arguments:
            number = None if meaning.arity(code) else meaning.leaf(code, constants[i]).number
            return ranges.get(code, ANY) if number is None else (number, number)
        function = meaning.function(code)
        if function is None:
            return ANY
        guard = _guard(function, arguments)
        if guard is not None:
            guards[i] = guard
        if function == loops.MUL:
            middle = ends[i + 1]
            first, second = slice(i + 1, middle), slice(middle, ends[i])
            if codes[first] == codes[second] and constants[first] == constants[second]:
                function, arguments = loops.SQUARE, arguments[:1]
        low, high = _interval(function, arguments, guard is not None)
        return ANY if math.isnan(low) or math.isnan(high) else (low, high)

    folded(codes, meaning.arity, part)
    return guards


def _guard(function: int, arguments: list[Interval]) -> Guard | None:
    """Return the protected form of a function whose arguments are not all legal."""
    low, high = arguments[-1]
    guards = BY_CODE[function].guards
    match function:
        case loops.DIV | loops.INV:
            return None if _is_apart(low, high) else guards[0]
        case loops.SQRT:
            return None if low >= 0 else guards[0]
        case loops.LOG:
            return None if low > loops.NEAR_ZERO else guards[_is_apart(low, high)]
        case loops.EXP:
            return None if -loops.LARGEST_EXPONENT <= low <= high <= loops.LARGEST_EXPONENT else guards[0]
        case loops.POW:
            return None if _is_power(arguments[0], arguments[1]) else guards[0]
    return guards[0] if guards else None


def _is_apart(low: float, high: float) -> bool:
    """Return whether all numbers between two limits are far from zero."""
    return low > loops.NEAR_ZERO or high < -loops.NEAR_ZERO


def _is_power(base: Interval, exponent: Interval) -> bool:
    """Return whether the power is defined and does not overflow: a positive base, or a positive whole exponent."""
    most = max(map(abs, base))
    if not most < math.inf:
        return False
    is_whole = exponent[0] == exponent[1] and exponent[0] > 0 and float(exponent[0]).is_integer()
    if not is_whole and not base[0] > loops.NEAR_ZERO:
        return False
    logs = [math.log(max(most, 1e-300)), *([] if is_whole else [math.log(base[0])])]
    return all(abs(log * y) < loops.LARGEST_POWER or (is_whole and log < 0) for log in logs for y in exponent)


def _interval(function: int, arguments: list[Interval], is_guarded: bool) -> Interval:
    """Return limits of the values of a function."""
    low, high = arguments[0]
    if function < loops.UNARY:
        return _of_two(function, (low, high), arguments[1], is_guarded)
    size = max(abs(low), abs(high))
    least = 0.0 if low <= 0 <= high else min(abs(low), abs(high))
    match function:
        case loops.NEG:
            return -high, -low
        case loops.ABS:
            return least, size
        case loops.SQRT:
            return math.sqrt(least), math.sqrt(size)
        case loops.SQUARE:
            return least * least, size * size
        case loops.LOG:
            return ANY if is_guarded else (math.log(low), math.log(high))
        case loops.INV:
            return ANY if is_guarded else (1 / high, 1 / low)
        case loops.SIN | loops.COS:
            return -1.0, 1.0
        case loops.SIG:
            return 0.0, 1.0
        case loops.EXP:
            most = loops.LARGEST_EXPONENT
            return math.exp(min(max(low, -most), most)), math.exp(min(max(high, -most), most))
    return ANY


def _of_two(function: int, a: Interval, b: Interval, is_guarded: bool) -> Interval:
    """Return limits of the values of a binary function."""
    match function:
        case loops.ADD | loops.SUB:
            low, high = b if function == loops.ADD else (-b[1], -b[0])
            both = a[0] + low, a[1] + high
            margin = ROUNDING * max(*map(abs, a), abs(low), abs(high))
            return (
                both if min(a[0], low) >= 0 or max(a[1], high) <= 0 else (both[0] - margin, both[1] + margin)
            )
        case loops.MUL:
            corners = [x * y for x in a for y in b]
            return (min(corners), max(corners)) if not any(map(math.isnan, corners)) else ANY
        case loops.DIV if not is_guarded:
            corners = [x / y for x in a for y in b]
            return (min(corners), max(corners)) if not any(map(math.isnan, corners)) else ANY
        case loops.MAX:
            return max(a[0], b[0]), max(a[1], b[1])
        case loops.MIN:
            return min(a[0], b[0]), min(a[1], b[1])
        case loops.POW if not is_guarded:
            corners = [loops.power(x, y) for x in a for y in b]
            return min(corners + [0.0] * (a[0] <= 0 <= a[1])), max(corners)
    return ANY
