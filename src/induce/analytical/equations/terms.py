"""Equations as terms: positions of the unknown, arithmetic, and rewriting."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from induce.core.errors import InputError
from induce.logic.parsing import parse_term
from induce.logic.printing import shown_term
from induce.logic.substitution import Substitution
from induce.logic.terms import Constant, Function, Term
from induce.logic.unification import match

PLUS_MINUS = "plus_minus"
MOST_POWER = 100
"""Maximum exponent of a power or root that is evaluated."""
ROUNDING = 1e-9
Place = tuple[int, ...]


@dataclass(frozen=True)
class Equation:
    """Equation in one unknown.

    Parameters
    ----------
    left, right : Term
        Sides of the equation.
    unknown : str, default="x"
        Name of the unknown.

    Examples
    --------
    >>> print(Equation.parse("2*x + 1 = 7"))
    2 * x + 1 = 7
    """

    left: Term
    right: Term
    unknown: str = "x"

    @classmethod
    def parse(cls, text: str, unknown: str = "x") -> Equation:
        """Read an equation such as ``log(2, x + 1) = 3``."""
        term = parse_term(text)
        if not isinstance(term, Function) or term.name != "=" or len(term.arguments) != 2:
            raise InputError(f"{text!r} is not an equation; write two sides with = between them")
        made = cls(*term.arguments, unknown)
        if not made.n_occurrences:
            raise InputError(
                f"the unknown {unknown} does not occur in {text!r}; name the unknown of the equation"
            )
        return made

    @property
    def thing(self) -> Constant:
        """Unknown, as a term."""
        return Constant(self.unknown)

    @property
    def n_occurrences(self) -> int:
        """Number of occurrences of the unknown."""
        return len(places(self.left, self.thing)) + len(places(self.right, self.thing))

    def simplified(self) -> Equation:
        """Return the equation with arithmetic evaluated."""
        return Equation(worked_out(self.left), worked_out(self.right), self.unknown)

    def solutions(self, of: Equation | None = None) -> tuple[float, ...]:
        """Return the numeric solutions of an equation of the form ``x = …``.

        Parameters
        ----------
        of : Equation, optional
            Original equation; numbers that do not satisfy it are omitted.
        """
        if self.left != self.thing or places(self.right, self.thing):
            raise InputError(f"{self} is not solved for {self.unknown}; give {self.unknown} = …")
        found: dict[float, None] = {}
        n_signs = sum(1 for part, _ in parts(self.right) if _is_signed(part))
        for signs in product((1, -1), repeat=n_signs):
            try:
                number = value(self.right, {}, list(signs))
            except (ValueError, ZeroDivisionError, OverflowError):
                continue
            if of is None or of.holds(number):
                found[number] = None
        return tuple(found)

    def holds(self, number: float) -> bool:
        """Return whether a number solves the equation."""
        try:
            left, right = (value(side, {self.unknown: number}, []) for side in (self.left, self.right))
        except (ValueError, ZeroDivisionError, OverflowError):
            return False
        return math.isclose(left, right, rel_tol=ROUNDING, abs_tol=ROUNDING)

    def __str__(self) -> str:
        return f"{shown_term(self.left)} = {shown_term(self.right)}"


def _is_signed(term: Term) -> bool:
    return isinstance(term, Function) and term.name == PLUS_MINUS


def parts(term: Term, at: Place = ()) -> Iterator[tuple[Term, Place]]:
    """Yield the subterms of a term with their positions, outermost first."""
    yield term, at
    if isinstance(term, Function):
        for number, below in enumerate(term.arguments):
            yield from parts(below, (*at, number))


def places(term: Term, thing: Term) -> list[Place]:
    """Return the positions of a subterm in a term."""
    return [place for part, place in parts(term) if part == thing]


def spread(term: Term, thing: Term) -> int:
    """Return the total tree distance between all pairs of occurrences of a subterm."""
    total = 0
    for one, other in combinations(places(term, thing), 2):
        shared = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
        total += len(one) + len(other) - 2 * shared
    return total


def replaced_at(term: Term, place: Place, new: Term) -> Term:
    """Return a term with the subterm at a position replaced."""
    if not place:
        return new
    assert isinstance(term, Function)
    arguments = list(term.arguments)
    arguments[place[0]] = replaced_at(arguments[place[0]], place[1:], new)
    return Function(term.name, tuple(arguments))


@dataclass(frozen=True)
class Rewriting:
    """Rule that rewrites a part of an equation.

    Parameters
    ----------
    before, after : str
        Terms with variables. U, V and W stand for parts that contain the unknown, A and B for parts without
        it.
    """

    before: str
    after: str

    def results(self, term: Term, thing: Term) -> Iterator[Term]:
        """Yield the terms that result from rewriting one subterm."""
        pattern, new = parse_term(self.before), parse_term(self.after)
        for part, place in parts(term):
            for form in _forms(part):
                theta = match(pattern, form)
                if theta is not None and self._fits(theta, thing):
                    yield worked_out(replaced_at(term, place, theta.apply(new)))

    def _fits(self, theta: Substitution, thing: Term) -> bool:
        return all(bool(places(term, thing)) == (name.name in "UVW") for name, term in theta.items())


def _forms(term: Term) -> Iterator[Term]:
    """Yield the orderings of the operands of a sum or product."""
    if not isinstance(term, Function) or len(term.arguments) != 2:
        yield term
        return
    for left, right in product(_swapped(term.arguments[0]), _swapped(term.arguments[1])):
        yield Function(term.name, (left, right))
        if term.name in "+*":
            yield Function(term.name, (right, left))


def _swapped(term: Term) -> tuple[Term, ...]:
    if isinstance(term, Function) and term.name in ("+", "*") and len(term.arguments) == 2:
        return term, Function(term.name, (term.arguments[1], term.arguments[0]))
    return (term,)


def worked_out(term: Term) -> Term:
    """Return a term with arithmetic evaluated where the result is a fraction.

    Examples
    --------
    >>> print(shown_term(worked_out(parse_term("(2 + 3) * x + 9^(1/2) / 2"))))
    5 * x + 3 / 2
    """
    if not isinstance(term, Function):
        return term
    new = Function(term.name, tuple(map(worked_out, term.arguments)))
    number = _fraction(new)
    if number is None:
        return _neutral(new)
    top = Constant(number.numerator)
    return top if number.denominator == 1 else Function("/", (top, Constant(number.denominator)))


def _fraction(term: Term) -> Fraction | None:
    """Return the fraction that a term denotes, or None."""
    if isinstance(term, Constant):
        return Fraction(str(term.value)) if isinstance(term.value, int | float) else None
    if not isinstance(term, Function) or term.name == PLUS_MINUS:
        return None
    numbers = [_fraction(one) for one in term.arguments]
    if len(numbers) == 1 and term.name == "-" and numbers[0] is not None:
        return -numbers[0]
    known = [one for one in numbers if one is not None]
    if len(known) != 2 or len(numbers) != 2:
        return None
    one, other = known
    match term.name:
        case "+":
            return one + other
        case "-":
            return one - other
        case "*":
            return one * other
        case "/" if other:
            return one / other
        case "^" | "**" if abs(other.numerator) <= MOST_POWER and (one or other > 0):
            root = _root(one, other.denominator)
            return None if root is None else Fraction(root**other.numerator)
        case "log" if one > 1 and other > 0:
            power = round(math.log(other) / math.log(one))
            return Fraction(power) if abs(power) <= MOST_POWER and one**power == other else None
    return None


def _root(number: Fraction, degree: int) -> Fraction | None:
    """Return the root of a fraction if it is rational."""
    if degree == 1:
        return number
    if number < 0 or degree > MOST_POWER or number > 10**12:
        return None
    top, bottom = (round(part ** (1 / degree)) for part in (number.numerator, number.denominator))
    root = Fraction(top, bottom)
    return root if root**degree == number else None


def _neutral(term: Function) -> Term:
    """Return a sum or product without neutral elements."""
    if len(term.arguments) != 2:
        return term
    left, right = term.arguments
    zero, one = Constant(0), Constant(1)
    if (term.name in "+-" and right == zero) or (term.name in "*/^" and right == one):
        return left
    if (term.name == "+" and left == zero) or (term.name == "*" and left == one):
        return right
    return term


def value(term: Term, values: dict[str, float], signs: list[int]) -> float:
    """Return the numeric value of a term; each plus_minus takes the next of the given signs."""
    if isinstance(term, Constant):
        if isinstance(term.value, int | float):
            return float(term.value)
        named = {"e": math.e, "pi": math.pi} | values
        if term.value in named:
            return named[str(term.value)]
    if not isinstance(term, Function):
        raise InputError(f"{shown_term(term)} is not a number")
    sign = signs.pop(0) if term.name == PLUS_MINUS else 1
    numbers = [value(one, values, signs) for one in term.arguments]
    result = _computed(term.name, numbers) * sign
    if isinstance(result, complex):
        raise ValueError("not a real number")
    return float(result)


def _computed(name: str, numbers: list[float]) -> Any:
    match name, numbers:
        case "+", [a, b]:
            return a + b
        case "-", [a, b]:
            return a - b
        case "-", [a]:
            return -a
        case "*", [a, b]:
            return a * b
        case "/", [a, b]:
            return a / b
        case (("^" | "**"), [a, b]):
            return a**b
        case "log", [b, a]:
            return math.log(a) / math.log(b)
        case "plus_minus", [a]:
            return a
    raise InputError(f"{name} of {len(numbers)} parts is not supported in equations")
