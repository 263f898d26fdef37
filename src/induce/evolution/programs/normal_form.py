"""The algebraic normal form of formulas: sums of products of powers, with their constants collected.

A sum is a dict from products to coefficients; a product is a tuple of factors with their integer exponents,
negative in a denominator. A factor is a column, a function of sums, or an unexpanded sum. Functions are
protected, and rounding differs, so a normal form may predict differently from its formula: callers compare
the predictions (`final_formula`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from induce.evolution.programs import _evaluation_loops as loops
from induce.evolution.programs.flat import folded
from induce.evolution.programs.functions import BY_CODE, arity_of

MOST_TERMS = 40
"""Maximum number of terms of a sum after expansion."""
MOST_NODES = 400
"""Maximum size of a formula that is normalised."""
HIGHEST = 9
"""Highest exponent written as a power."""
LOST = 1e-12
"""Relative residue below which two coefficients cancel."""
TINY = 1e-9
"""Relative magnitude below which a summand inside a factor counts as rounding."""
DIGITS = 13
"""Digits of constants that distinguish factors."""

Factor = tuple[Any, ...]
Product = tuple[tuple[Factor, int], ...]
Sum = dict[Product, float]
Flat = tuple[list[int], list[float]]
ONE: Product = ()
COLUMN, SUM = "column", "sum"


class NoFormError(ArithmeticError):
    """The formula has no normal form: it overflows or is too large."""


@dataclass(frozen=True)
class Term:
    """A coefficient and the flat expression it multiplies."""

    coefficient: float
    codes: tuple[int, ...]
    constants: tuple[float, ...]


def normal_form(codes: list[int], constants: list[float]) -> Sum:
    """Return the normal form of a formula.

    Examples
    --------
    >>> from induce.evolution.programs.vocabulary import FormulaWords
    >>> from induce.evolution.programs.flat import parsed
    >>> from induce.evolution.programs.text import infix
    >>> words = FormulaWords(("x", "y"))
    >>> infix(*written_out(normal_form(*parsed("(* (- (* 2 x) y) (+ (+ x x) y))", words))), words)
    '4 * x^2 - y^2'
    """
    if len(codes) > MOST_NODES:
        raise NoFormError

    def part(i: int, arguments: list[Sum]) -> Sum:
        code = codes[i]
        if code == loops.CONSTANT:
            return _constant(constants[i])
        if code >= loops.COLUMN:
            return {(((COLUMN, code - loops.COLUMN), 1),): 1.0}
        return _applied(code, arguments)

    try:
        return shortest(folded(codes, arity_of, part))
    except (OverflowError, ZeroDivisionError) as error:
        raise NoFormError from error


# --- sums and products


def _constant(value: float) -> Sum:
    if not math.isfinite(value):
        raise NoFormError
    return {ONE: value} if value else {}


def added(a: Mapping[Product, float], b: Mapping[Product, float], factor: float = 1.0) -> Sum:
    """Return a sum plus a multiple of another, without terms that cancel up to rounding."""
    found = dict(a)
    for product, coefficient in b.items():
        mine, its = found.get(product, 0.0), factor * coefficient
        if abs(mine + its) <= LOST * (abs(mine) + abs(its)):
            found.pop(product, None)
        else:
            found[product] = mine + its
    return found


def _scaled(a: Mapping[Product, float], factor: float) -> Sum:
    return {product: factor * coefficient for product, coefficient in a.items()} if factor else {}


def _times(a: Sum, b: Sum) -> Sum:
    """Return the product of two sums; a sum of several terms stays a factor."""
    if not a or not b:
        return {}
    (first, one), (second, other) = _as_product(a), _as_product(b)
    if first == ONE or second == ONE:
        return _scaled(b if first == ONE else a, one if first == ONE else other)
    joined, factor = _joined(first, second)
    return {joined: one * other * factor}


def _as_product(a: Sum) -> tuple[Product, float]:
    """Return a sum as one product and its coefficient."""
    if len(a) == 1:
        return next(iter(a.items()))
    lead = _lead(a)
    return (((SUM, _frozen(_scaled(a, 1.0 / lead))), 1),), lead


def _power(a: Sum, n: int) -> Sum:
    """Return an integer power of a sum."""
    if not a:
        if n < 0:
            raise NoFormError
        return {}
    product, coefficient = _as_product(a)
    if product == ONE:
        return _constant(coefficient**n)
    joined, factor = _joined(tuple((base, power * n) for base, power in product), ONE)
    return {joined: coefficient**n * factor}


def _joined(first: Product, second: Product) -> tuple[Product, float]:
    """Return the product of two products, with exponentials merged, and the resulting constant."""
    powers: dict[Factor, int] = {}
    exponent: Sum = {}
    n_exponentials = 0
    for base, power in (*first, *second):
        if base[0] == loops.EXP:
            exponent = added(exponent, dict(base[1]), float(power))
            n_exponentials += 1
        else:
            powers[base] = powers.get(base, 0) + power
    factor = 1.0
    if exponent:
        constant = exponent.pop(ONE, 0.0)
        factor = math.exp(constant)
        if exponent:
            powers[(loops.EXP, _frozen(exponent))] = 1
    for base in [base for base, power in powers.items() if base[0] == loops.SQRT and abs(power) > 1]:
        # the root of |u| squared is |u|
        whole, rest = divmod(powers.pop(base), 2)
        if rest:
            powers[base] = rest
        size: Factor = (loops.ABS, base[1])
        powers[size] = powers.get(size, 0) + whole
    kept = [(base, power) for base, power in powers.items() if power]
    return tuple(sorted(kept, key=lambda each: _rank(each[0]))), factor


def _lead(a: Mapping[Product, float]) -> float:
    """Return the coefficient factored out of a sum: that of its first term that is not a constant."""
    return a[min(a, key=lambda product: (product == ONE, _order(product)))]


def _frozen(a: Mapping[Product, float]) -> tuple[tuple[Product, float], ...]:
    """Return a sum as a hashable tuple in a fixed order, without summands that are rounding."""
    shorter = shortest(dict(a))
    largest = max(map(abs, shorter.values()), default=0.0)
    return tuple(
        (product, float(f"{coefficient:.{DIGITS}g}"))
        for product, coefficient in sorted(shorter.items(), key=lambda each: _order(each[0]))
        if abs(coefficient) > TINY * largest
    )


def _order(product: Product) -> tuple[Any, ...]:
    """Return the sort key of a sum's terms: constants, then simpler ones, then by columns."""
    return sum(abs(power) for _, power in product), [(_rank(base), -power) for base, power in product]


def _rank(base: Factor) -> tuple[Any, ...]:
    """Return the sort key of factors: columns as declared, functions, sums."""
    if base[0] == COLUMN:
        return 0, base[1], ""
    return (2, 0, repr(base)) if base[0] == SUM else (1, base[0], repr(base[1:]))


# --- functions


def _applied(code: int, arguments: list[Sum]) -> Sum:
    """Return a function of sums."""
    a = arguments[0]
    b = arguments[1] if len(arguments) > 1 else {}
    match code:
        case loops.ADD | loops.SUB:
            return added(a, b, 1.0 if code == loops.ADD else -1.0)
        case loops.MUL:
            return _times(a, b)
        case loops.DIV:
            return _times(a, _power(b, -1))
        case loops.NEG:
            return _scaled(a, -1.0)
        case loops.SQUARE:
            return _power(a, 2)
        case loops.INV:
            return _power(a, -1)
        case loops.POW:
            return _general_power(a, b)
    arguments = [shortest(each) for each in arguments]
    if all(set(each) <= {ONE} for each in arguments):
        return _constant(float(BY_CODE[code].call(*(each.get(ONE, 0.0) for each in arguments))))
    return _of_one(code, arguments[0]) if len(arguments) == 1 else _opaque(code, arguments)


def _opaque(code: int, arguments: list[Sum]) -> Sum:
    return {(((code, *(_frozen(each) for each in arguments)), 1),): 1.0}


def _general_power(a: Sum, b: Sum) -> Sum:
    exponent = b.get(ONE, 0.0) if set(b) <= {ONE} else math.nan
    if exponent == 0.5:
        return _applied(loops.SQRT, [a])
    if 0 < abs(exponent) <= HIGHEST and exponent == int(exponent):
        return _power(a, int(exponent))
    return _opaque(loops.POW, [shortest(a), shortest(b)])


def _of_one(code: int, a: Sum) -> Sum:
    """Return a function of one sum, with constants factored out where possible."""
    match code:
        case loops.EXP:
            rest = {product: coefficient for product, coefficient in a.items() if product != ONE}
            return {(((loops.EXP, _frozen(rest)), 1),): math.exp(a.get(ONE, 0.0))}
        case loops.SIN | loops.COS:
            return _wave(code, a)
        case loops.TAN:
            sign = math.copysign(1.0, _lead(a))
            return _scaled(_opaque(code, [_scaled(a, sign)]), sign)
        case loops.LOG | loops.SQRT | loops.ABS:
            return _of_size(code, a)
    return _opaque(code, [a])


def _of_size(code: int, a: Sum) -> Sum:
    """Return a function of the absolute value of a sum, with the coefficient factored out."""
    product, coefficient = _as_product(a)
    inside = {product: 1.0} if len(a) == 1 else _scaled(a, 1.0 / coefficient)
    size = abs(coefficient)
    if len(product) == 1 and code == loops.LOG:
        (base, power) = product[0]
        within = dict(base[1]) if base[0] in (loops.EXP, SUM) else {((base, 1),): 1.0}
        found = within if base[0] == loops.EXP else _opaque(code, [within])
        return added(_scaled(found, float(power)), _constant(math.log(size)))
    if code == loops.LOG:
        return added(_opaque(code, [inside]), _constant(math.log(size)))
    if code == loops.SQRT and len(product) == 1 and product[0][1] % 2 == 0:
        within = {((product[0][0], product[0][1] // 2),): 1.0}
        return _scaled(_of_size(loops.ABS, within), math.sqrt(size))
    return _scaled(_opaque(code, [inside]), math.sqrt(size) if code == loops.SQRT else size)


def _wave(code: int, a: Sum) -> Sum:
    """Return a sine or cosine with a positive leading coefficient and a phase of at most an eighth of a turn."""
    sign = math.copysign(1.0, _lead(a))
    inside = _scaled(a, sign)
    factor = sign if code == loops.SIN else 1.0
    phase = inside.pop(ONE, 0.0)
    quarters = round(phase / (math.pi / 2))
    left = phase - quarters * (math.pi / 2)
    if abs(left) <= TINY * max(1.0, abs(phase)):
        left = 0.0
    turned = (quarters + (code == loops.COS)) % 4
    function = loops.COS if turned % 2 else loops.SIN
    factor *= -1.0 if turned >= 2 else 1.0
    return _scaled(_opaque(function, [added(inside, _constant(left))]), factor)


# --- multiplying out


def shortest(a: Sum) -> Sum:
    """Return a sum with products expanded where that makes it shorter."""
    best, size = a, None
    for product in list(a):
        if product not in best or not _has_sum(product):
            continue
        trial = dict(best)
        coefficient = trial.pop(product)
        opened = _multiplied_out(product)
        if opened is None:
            continue
        trial = added(trial, opened, coefficient)
        size = _n_nodes(best) if size is None else size
        smaller = _n_nodes(trial)
        if smaller < size:
            best, size = trial, smaller
    return _all_multiplied_out(best, size)


def _all_multiplied_out(a: Sum, size: int | None) -> Sum:
    """Return a sum with all products expanded if it is shorter, since several may cancel."""
    several = [product for product in a if _has_sum(product)]
    if len(several) < 2:
        return a
    trial = {product: coefficient for product, coefficient in a.items() if product not in several}
    for product in several:
        opened = _multiplied_out(product)
        if opened is None:
            return a
        trial = added(trial, opened, a[product])
    return trial if _n_nodes(trial) < (_n_nodes(a) if size is None else size) else a


def _has_sum(product: Product) -> bool:
    return any(base[0] == SUM and power > 0 for base, power in product)


def _multiplied_out(product: Product) -> Sum | None:
    """Expand a product of sums into a sum of products, or return None if it would be too long."""
    found: Sum = {tuple(each for each in product if not (each[0][0] == SUM and each[1] > 0)): 1.0}
    for base, power in product:
        if base[0] != SUM or power < 0:
            continue
        for _ in range(power):
            if len(found) * len(base[1]) > MOST_TERMS:
                return None
            longer: Sum = {}
            for mine, one in found.items():
                for its, other in base[1]:
                    joined, factor = _joined(mine, its)
                    longer = added(longer, {joined: one * other * factor})
            found = longer
    return found


# --- written out


def terms_of(a: Sum) -> tuple[float, list[Term]]:
    """Return the constant of a sum, and its other terms in order."""
    ordered = sorted(a.items(), key=lambda each: _order(each[0]))
    terms = [Term(coefficient, *_body(product)) for product, coefficient in ordered if product != ONE]
    return a.get(ONE, 0.0), terms


def written_out(a: Mapping[Product, float]) -> Flat:
    """Return a sum as a flat formula."""
    constant, terms = terms_of(dict(a))
    return joined_terms(constant, terms)


def joined_terms(constant: float, terms: list[Term]) -> Flat:
    """Return constant + coefficient * term + ... as a flat formula, without zeros and ones."""
    codes: list[int] = []
    constants: list[float] = []
    if constant or not terms:
        codes, constants = [loops.CONSTANT], [constant]
    for term in terms:
        size = abs(term.coefficient) if codes else term.coefficient
        more, held = _multiple(size, term)
        if codes:
            codes = [loops.ADD if term.coefficient > 0 else loops.SUB, *codes, *more]
            constants = [0.0, *constants, *held]
        else:
            codes, constants = more, held
    return codes, constants


def _multiple(factor: float, term: Term) -> Flat:
    codes, constants = list(term.codes), list(term.constants)
    if factor == 1.0:
        return codes, constants
    if codes[0] == loops.DIV and codes[1] == loops.CONSTANT:  # 1 / x: the coefficient is the numerator
        return codes, [0.0, factor * constants[1], *constants[2:]]
    if factor == -1.0:
        return [loops.NEG, *codes], [0.0, *constants]
    if codes[0] == loops.DIV:  # 2 * x / y: the product is the numerator
        return [loops.DIV, loops.MUL, loops.CONSTANT, *codes[1:]], [0.0, 0.0, factor, *constants[1:]]
    return [loops.MUL, loops.CONSTANT, *codes], [0.0, factor, *constants]


def _n_nodes(a: Sum) -> int:
    return len(written_out(a)[0])


def _body(product: Product) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return a product without its coefficient, flat."""
    above = [(base, power) for base, power in product if power > 0]
    below = [(base, -power) for base, power in product if power < 0]
    codes, constants = _line(above)
    if below:
        under, held = _line(below)
        codes, constants = [loops.DIV, *codes, *under], [0.0, *constants, *held]
    return tuple(codes), tuple(constants)


def _line(factors: list[tuple[Factor, int]]) -> Flat:
    codes: list[int] = []
    constants: list[float] = []
    for more, held in (_raised(_factor(base), power) for base, power in factors):
        if codes:
            codes, constants = [loops.MUL, *codes, *more], [0.0, *constants, *held]
        else:
            codes, constants = more, held
    return (codes, constants) if codes else ([loops.CONSTANT], [1.0])


def _raised(base: Flat, power: int) -> Flat:
    """Return an integer power by squares and products, which are exact whereas powers are protected."""
    codes, constants = base
    if power == 1:
        return base
    half, held = _raised(base, power // 2)
    half, held = [loops.SQUARE, *half], [0.0, *held]
    return ([loops.MUL, *half, *codes], [0.0, *held, *constants]) if power % 2 else (half, held)


def _factor(base: Factor) -> Flat:
    if base[0] == COLUMN:
        return [loops.COLUMN + base[1]], [0.0]
    parts = [written_out(dict(each)) for each in base[1:]]
    if base[0] == SUM:
        return parts[0]
    return [base[0], *(c for part in parts for c in part[0])], [0.0, *(c for part in parts for c in part[1])]
