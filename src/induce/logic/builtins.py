"""Built-in predicates and arithmetic functions of the prover.

The compiled loops decide frequent built-ins. All are defined here too, because big integers and texts are
kept in Python. They have no side effects.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from induce.core.errors import InputError
from induce.logic import _machine_loops as loops
from induce.logic.clauses import Predicate
from induce.logic.term_predicates import PREDICATES, BuiltIn, Outcome, compared
from induce.logic.terms import Constant, Function, Term, Text, Variable

Number = int | float

MOST_BITS = 1 << 20
"""Maximum number of bits of an integer, which bounds the time of arithmetic."""

LESS, SAME, MORE = 1, 2, 4
_ORDERS = (
    ("==", SAME),
    ("\\==", LESS | MORE),
    ("@<", LESS),
    ("@>", MORE),
    ("@=<", LESS | SAME),
    ("@>=", SAME | MORE),
)
_COMPARISONS = (
    *(
        ("<", LESS),
        (">", MORE),
        ("=<", LESS | SAME),
        (">=", SAME | MORE),
        ("=:=", SAME),
        ("=\\=", LESS | MORE),
    ),
    *(("less_than", LESS), ("greater_than", MORE)),
)
_NUMBERS = loops.INT, loops.FLT
_KINDS = (
    ("var", (loops.REF,)),
    ("nonvar", (loops.ATOM, *_NUMBERS, loops.STR)),
    ("atom", (loops.ATOM,)),
    ("number", _NUMBERS),
    ("integer", (loops.INT,)),
    ("float", (loops.FLT,)),
    ("atomic", (loops.ATOM, *_NUMBERS)),
    ("compound", (loops.STR,)),
    ("callable", (loops.ATOM, loops.STR)),
)

CONTROL: dict[Predicate, int] = {
    ("!", 0): loops.K_CUT,
    (",", 2): loops.K_AND,
    (";", 2): loops.K_OR,
    ("->", 2): loops.K_THEN,
    ("*->", 2): loops.K_SOFT,
    ("\\+", 1): loops.K_NOT,
    ("not", 1): loops.K_NOT,
    **{("call", n): loops.K_CALL for n in range(1, 9)},
}
"""Predicates that programs may not redefine."""

LOOPED: dict[Predicate, int] = {
    ("findall", 3): loops.K_FINDALL,
    ("forall", 2): loops.K_FORALL,
    ("once", 1): loops.K_ONCE,
    ("true", 0): loops.K_TRUE,
    ("otherwise", 0): loops.K_TRUE,
    ("fail", 0): loops.K_FAIL,
    ("false", 0): loops.K_FAIL,
    ("=", 2): loops.K_UNIFY,
    ("\\=", 2): loops.K_DIFFER,
    ("compare", 3): loops.K_COMPARE,
    ("is", 2): loops.K_IS,
    **{(name, 2): loops.K_ORDER + holds for name, holds in _ORDERS},
    **{(name, 2): loops.K_NUMBERS + holds for name, holds in _COMPARISONS},
    **{(name, 1): loops.K_KIND + sum(1 << tag for tag in tags) for name, tags in _KINDS},
}

LOOPED_FUNCTIONS: dict[Predicate, int] = {
    ("+", 2): loops.A_PLUS,
    ("plus", 2): loops.A_PLUS,
    ("-", 2): loops.A_MINUS,
    ("minus", 2): loops.A_MINUS,
    ("*", 2): loops.A_TIMES,
    ("times", 2): loops.A_TIMES,
    ("/", 2): loops.A_DIVIDE,
    ("//", 2): loops.A_WHOLE,
    ("mod", 2): loops.A_MOD,
    ("rem", 2): loops.A_REM,
    ("min", 2): loops.A_MIN,
    ("max", 2): loops.A_MAX,
    ("abs", 1): loops.A_ABS,
    ("sign", 1): loops.A_SIGN,
    ("-", 1): loops.A_NEGATE,
    ("+", 1): loops.A_SAME,
}


def evaluated(term: Term) -> Number:
    """Evaluate an arithmetic term.

    Examples
    --------
    >>> from induce.logic import parse_term
    >>> evaluated(parse_term("2 ** 70 - 7 mod 4"))
    1180591620717411303421
    """
    values: list[Number] = []
    waiting: list[Term | tuple[Predicate, int]] = [term]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            predicate, n = part
            arguments = values[len(values) - n :]
            del values[len(values) - n :]
            values.append(_applied(predicate, arguments))
        elif isinstance(part, Function):
            predicate = part.name, len(part.arguments)
            if predicate not in FUNCTIONS:
                raise InputError(
                    f"there is no arithmetic function {predicate[0]}/{predicate[1]}; check its name and arity"
                )
            waiting.append((predicate, predicate[1]))
            waiting.extend(reversed(part.arguments))
        elif isinstance(part, Variable):
            raise InputError("a variable is unbound where a number is needed")
        elif isinstance(part, Text) or isinstance(part.value, str):
            if str(part.value) not in CONSTANTS:
                raise InputError(f"{part} is not a number")
            values.append(CONSTANTS[str(part.value)])
        else:
            values.append(part.value)
    return values[0]


def _applied(predicate: Predicate, arguments: list[Number]) -> Number:
    written = f"{predicate[0]}/{predicate[1]}"
    try:
        value = FUNCTIONS[predicate](*arguments)
    except InputError:
        raise
    except ZeroDivisionError:
        raise InputError(f"division by zero in {written}") from None
    except (OverflowError, ValueError):
        raise InputError(f"{written} is not defined for {', '.join(map(str, arguments))}") from None
    except TypeError:
        raise InputError(f"{written} takes integers, not {', '.join(map(str, arguments))}") from None
    if isinstance(value, float) and not math.isfinite(value) and all(map(math.isfinite, arguments)):
        raise InputError(f"{written} is not defined for {', '.join(map(str, arguments))}")
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise InputError(f"the result of {written} has more than {MOST_BITS:,} bits")
    return value


def _divided(x: Number, y: Number) -> Number:
    if isinstance(x, int) and isinstance(y, int) and x % y == 0:
        return x // y
    return x / y


def _quotient(x: Number, y: Number) -> int:
    x, y = _whole(x), _whole(y)
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def _power(x: Number, y: Number) -> Number:
    if isinstance(x, int) and isinstance(y, int):
        if y < 0 and abs(x) != 1:
            if x == 0:
                raise ZeroDivisionError
            return math.pow(x, y)
        if y >= 0 and abs(x) > 1 and x.bit_length() * y > 2 * MOST_BITS:
            raise InputError(f"{x} to the power of {y} has more than {MOST_BITS:,} bits")
        power: int = x ** abs(y)  # the units 1 and -1 are their own inverses
        return power
    if x < 0 and y != int(y):
        raise ValueError
    return math.pow(x, y)


def _whole(x: Number) -> int:
    if not isinstance(x, int):
        raise TypeError
    return x


def _shifted(x: Number, y: Number) -> int:
    if abs(_whole(y)) > MOST_BITS:
        raise OverflowError
    x, y = _whole(x), _whole(y)
    return x << y if y >= 0 else x >> -y


def _sign(x: Number) -> Number:
    return type(x)((x > 0) - (x < 0))


FUNCTIONS: dict[Predicate, Callable[..., Number]] = {
    ("+", 2): lambda x, y: x + y,
    ("-", 2): lambda x, y: x - y,
    ("*", 2): lambda x, y: x * y,
    ("/", 2): _divided,
    ("//", 2): _quotient,
    ("div", 2): lambda x, y: _whole(x) // _whole(y),
    ("mod", 2): lambda x, y: _whole(x) % _whole(y),
    ("rem", 2): lambda x, y: _whole(x) - _quotient(x, y) * y,
    ("min", 2): min,
    ("max", 2): max,
    ("**", 2): _power,
    ("^", 2): _power,
    (">>", 2): lambda x, y: _shifted(x, -y),
    ("<<", 2): _shifted,
    ("/\\", 2): lambda x, y: _whole(x) & _whole(y),
    ("\\/", 2): lambda x, y: _whole(x) | _whole(y),
    ("xor", 2): lambda x, y: _whole(x) ^ _whole(y),
    ("gcd", 2): lambda x, y: math.gcd(_whole(x), _whole(y)),
    ("atan2", 2): math.atan2,
    ("abs", 1): abs,
    ("sign", 1): _sign,
    ("-", 1): lambda x: -x,
    ("+", 1): lambda x: x,
    ("\\", 1): lambda x: ~_whole(x),
    ("succ", 1): lambda x: _whole(x) + 1,
    ("truncate", 1): math.trunc,
    ("integer", 1): lambda x: math.floor(x + 0.5) if x > 0 else math.ceil(x - 0.5),
    ("round", 1): lambda x: math.floor(x + 0.5) if x > 0 else math.ceil(x - 0.5),
    ("floor", 1): math.floor,
    ("ceiling", 1): math.ceil,
    ("float", 1): float,
    **{
        (name, 1): getattr(math, name)
        for name in ("sqrt", "exp", "log", "log2", "sin", "cos", "tan", "asin", "acos", "atan")
    },
}
FUNCTIONS |= {(name, 2): FUNCTIONS[old, 2] for name, old in (("plus", "+"), ("minus", "-"), ("times", "*"))}
CONSTANTS: dict[str, Number] = {
    "pi": math.pi,
    "e": math.e,
    "inf": math.inf,
    "max_tagged_integer": loops.LARGEST - 1,
}


def _compared(holds: int) -> BuiltIn:
    def decide(terms: tuple[Term, ...]) -> bool:
        x, y = evaluated(terms[0]), evaluated(terms[1])
        return bool(holds & (LESS if x < y else MORE if x > y else SAME))

    return decide


def _ordered(holds: int) -> BuiltIn:
    return lambda terms: bool(holds & (LESS, SAME, MORE)[compared(terms[0], terms[1]) + 1])


def _equal(terms: tuple[Term, ...]) -> Outcome:
    left, right = (_value(term) for term in terms)
    if all(isinstance(each, Constant) and not isinstance(each.value, str) for each in (left, right)):
        return evaluated(left) == evaluated(right)
    return [(right, None)] if left == terms[0] else [(None, left)] if right == terms[1] else [(right, left)]


def _value(term: Term) -> Term:
    """Evaluate a numeric function such as ``times(V, D)`` if V and D are known; leave other terms unchanged."""
    if isinstance(term, Function) and term.ground and (term.name, len(term.arguments)) in FUNCTIONS:
        return Constant(evaluated(term))
    return term


FALLBACKS: dict[Predicate, BuiltIn] = {
    ("is", 2): lambda terms: [(Constant(evaluated(terms[1])), None)],
    **{(name, 2): _compared(holds) for name, holds in _COMPARISONS},
    **{(name, 2): _ordered(holds) for name, holds in _ORDERS},
    ("compare", 3): lambda terms: [(Constant("<=>"[compared(terms[1], terms[2]) + 1]), None, None)],
    ("var", 1): lambda terms: False,
    ("nonvar", 1): lambda terms: True,
    ("atom", 1): lambda terms: False,
    ("number", 1): lambda terms: isinstance(terms[0], Constant),
    ("integer", 1): lambda terms: isinstance(terms[0], Constant),
    ("float", 1): lambda terms: False,
    ("atomic", 1): lambda terms: True,
    ("compound", 1): lambda terms: False,
    ("callable", 1): lambda terms: False,
}
"""Python fallbacks for numbers and texts that the loops do not support."""

PYTHON: dict[Predicate, BuiltIn] = {("equal", 2): _equal, **PREDICATES}
