"""Terms, literals and clauses as Prolog text (Mitchell §10.4.2, in Prolog's notation).

The output is read back by `induce.logic.parsing` as the same value. ``parse_term`` and ``parse_literal`` are
exact; ``parse_clause`` is exact up to the names of anonymous variables, those called ``_`` followed by
digits. Such a variable is written as ``_`` if it occurs only once, and the parser numbers these from 1 in
text order. So a clause read from a text without such names is restored exactly.

Three kinds of literals have a simpler form, which the parser returns. A conjunction in a body becomes its
goals. The literal ``\\+`` of a plain literal becomes the negated literal, and the negation of a control
construct becomes the literal ``\\+`` of it (see `induce.logic.parsing.literal_of`).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal
from induce.logic.operators import ARGUMENT, LOOSEST, READ, WRITTEN
from induce.logic.terms import CONS, EMPTY, Constant, Function, Term, Text, Variable, unlisted
from induce.logic.tokens import SYMBOLS, is_capital

SYMBOLIC = re.compile(rf"(?!/\*)(?!\.\Z){SYMBOLS}+")
WORD = re.compile(r"[^\W\d_]\w*")
VARIABLE = re.compile(r"[^\W\d]\w*")
ANONYMOUS = re.compile(r"_[0-9]+")
ESCAPED = {"\\": "\\\\", "\n": "\\n", "\t": "\\t"}
# signs written directly before their operand, as in -X
TIGHT = ("-", "+", "\\")

MOST_PIECES = 1_000_000
"""Maximum number of tokens written, since a term with shared subterms may be exponentially long."""

Piece = str | tuple[Term, int]
"""Pending output: text, or a term with the highest priority that needs no brackets."""


def write_term(term: Term) -> str:
    """Write a term in Prolog's notation.

    Raises
    ------
    InputError
        If a value has no Prolog notation: infinite numbers, and variables whose names are not variable names.

    Examples
    --------
    >>> from induce.logic.parsing import parse_term
    >>> print(write_term(parse_term("a-(b-c) = 'New York'+[1,-2|T]")))
    a - (b - c) = 'New York' + [1, -2|T]
    >>> print(write_term(Constant("Bob")), write_term(Constant(1e16)), write_term(Text('a "b"')))
    'Bob' 1.0e+16 "a \\"b\\""
    """
    return _written([(term, LOOSEST)])


def shown_term(term: Term, most: int = MOST_PIECES) -> str:
    """Write a term for display; a very long term ends in an ellipsis.

    Examples
    --------
    >>> term = Constant("a")
    >>> for _ in range(60):
    ...     term = Function("f", (term, term))
    >>> print(shown_term(term, most=7))
    f(f(f(f(f(f(f( …
    """
    return _written([(term, LOOSEST)], most=most)


def write_literal(literal: Literal) -> str:
    """Write a literal in Prolog's notation.

    Examples
    --------
    >>> print(write_literal(Literal("likes", (Variable("X"), Constant("ann")), negated=True)))
    \\+ likes(X, ann)
    """
    return _written([(term_of(literal), LOOSEST)])


def write_clause(clause: Clause) -> str:
    """Write a clause in Prolog's notation, on one line and with its full stop.

    Anonymous variables, those called ``_`` followed by a number, are written as ``_`` if they occur only
    once.

    Examples
    --------
    >>> from induce.logic.parsing import parse_clause
    >>> print(write_clause(parse_clause("mother(X,Y):-parent(X,Y),\\\\+male(X)")))
    mother(X, Y) :- parent(X, Y), \\+ male(X).
    >>> print(write_clause(parse_clause("person(X) :- parent(X, _).")))
    person(X) :- parent(X, _).
    """
    pieces: list[Piece] = []
    if clause.head is not None:
        head = term_of(clause.head)
        pieces += _operand(head, LOOSEST - 1) if clause.body else [(head, LOOSEST)]
    if clause.body or clause.head is None:
        pieces.append(" :- " if pieces else ":- ")
    for place, literal in enumerate(clause.body):
        pieces += [", "] * (place > 0) + _operand(term_of(literal), ARGUMENT)
    text = _written(pieces, _single(clause))
    # a full stop directly after a symbol would be read as part of it
    return f"{text} ." if re.match(SYMBOLS, text[-1]) else f"{text}."


def term_of(literal: Literal) -> Term:
    """Return the term with the same notation as a literal.

    Parameters
    ----------
    literal : Literal
        Literal to convert.

    Examples
    --------
    >>> print(repr(term_of(Literal("rain"))), term_of(Literal("rain", negated=True)))
    Constant(value='rain') \\+ rain
    """
    term = Function(literal.name, literal.arguments) if literal.arguments else Constant(literal.name)
    return Function("\\+", (term,)) if literal.negated else term


def _single(clause: Clause) -> frozenset[str]:
    """Return the names of the anonymous variables that occur only once."""
    literals = clause.body if clause.head is None else (clause.head, *clause.body)
    names = [each.name for literal in literals for each in literal.variables() if each.name.startswith("_")]
    return frozenset(
        name for name, times in Counter(names).items() if times == 1 and ANONYMOUS.fullmatch(name)
    )


def _written(pieces: Sequence[Piece], single: frozenset[str] = frozenset(), most: int | None = None) -> str:
    done: list[str] = []
    waiting = list(reversed(pieces))
    while waiting:
        if most is not None and len(done) >= most:
            return "".join([*done, " …"])
        piece = waiting.pop()
        if isinstance(piece, str):
            done.append(piece)
            continue
        term, highest = piece
        if isinstance(term, Function):
            waiting.extend(reversed(_parts(term, highest)))
        elif isinstance(term, Variable) and term.name in single:
            done.append("_")
        else:
            done.append(_leaf(term))
    return "".join(done)


def _parts(term: Function, highest: int) -> list[Piece]:
    name, arguments = term.name, term.arguments
    if len(arguments) == 2:
        if name == CONS:
            elements, end = unlisted(term)
            parts = _between("[", elements, "]")
            return parts if end == EMPTY else [*parts[:-1], "|", (end, ARGUMENT), "]"]
        if name in WRITTEN.infix:
            priority, before, after = WRITTEN.infix[name]
            sign = ", " if name == "," else f" {name} "
            parts = [*_operand(arguments[0], before), sign, *_operand(arguments[1], after)]
            return parts if priority <= highest else ["(", *parts, ")"]
    elif len(arguments) == 1:
        if name == "{}":
            return ["{", (arguments[0], LOOSEST), "}"]
        if name in WRITTEN.prefix:
            priority, after = WRITTEN.prefix[name]
            first = _first(arguments[0], after)
            # a sign before a number would be read as part of it
            if not (name == "-" and first.isdigit()):
                tight = name in TIGHT and (first.isalpha() or first in "_'\"[{")
                parts = [name if tight else f"{name} ", *_operand(arguments[0], after)]
                return parts if priority <= highest else ["(", *parts, ")"]
    return _between(f"{_atom(name)}(", arguments, ")")


def _between(opening: str, terms: Sequence[Term], closing: str) -> list[Piece]:
    parts: list[Piece] = [opening]
    for term in terms:
        parts += (term, ARGUMENT), ", "
    if terms:
        parts.pop()
    parts.append(closing)
    return parts


def _operand(term: Term, highest: int) -> list[Piece]:
    """Return the output of an operand; the name of an operator needs brackets as an operand."""
    return ["(", _leaf(term), ")"] if _is_sign(term) else [(term, highest)]


def _is_sign(term: Term) -> bool:
    return isinstance(term, Constant) and isinstance(term.value, str) and READ.has(term.value)


def _first(term: Term, highest: int) -> str:
    """Return the first character of an operand's text."""
    while isinstance(term, Function) and len(term.arguments) == 2 and term.name in WRITTEN.infix:
        priority, before, _ = WRITTEN.infix[term.name]
        if priority > highest:
            return "("
        term, highest = term.arguments[0], before
    if _is_sign(term):
        return "("
    if not isinstance(term, Function):
        return _leaf(term)[0]
    shape = term.name, len(term.arguments)
    if shape == (CONS, 2):
        return "["
    if shape == ("{}", 1):
        return "{"
    prefix = shape[1] == 1 and term.name in WRITTEN.prefix
    return "(" if prefix and WRITTEN.prefix[term.name][0] > highest else _atom(term.name)[0]


def _leaf(term: Term) -> str:
    if isinstance(term, Constant):
        return _atom(term.value) if isinstance(term.value, str) else _number(term.value)
    if isinstance(term, Variable):
        return _variable(term.name)
    if isinstance(term, Text):
        return _quoted(term.value, '"')
    raise TypeError(
        f"a term is a Variable, Constant, Text or Function, not a {type(term).__name__}; give one of these"
    )


@lru_cache(maxsize=10_000)
def _atom(name: str) -> str:
    plain = (
        name in ("[]", "{}", "!", ";")
        or SYMBOLIC.fullmatch(name)
        or (WORD.fullmatch(name) and name[0].islower() and not is_capital(name[0]))
    )
    return name if plain else _quoted(name, "'")


@lru_cache(maxsize=10_000)
def _variable(name: str) -> str:
    if not VARIABLE.fullmatch(name) or not is_capital(name[0]) or name == "_":
        raise InputError(
            f"the variable {name!r} has no Prolog notation; begin its name with a capital letter, or "
            "with _ and a further character"
        )
    return name


def _number(value: int | float) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"a constant is a name or a number, not a {type(value).__name__}; give one of these")
    if isinstance(value, int):
        try:
            return str(value)
        except ValueError:
            # Python limits the number of decimal digits it writes
            return hex(value)
    if not math.isfinite(value):
        raise InputError(f"the number {value} has no Prolog notation; use a finite number or a name")
    digits, exponent, power = float.__repr__(value).partition("e")
    return f"{digits}{'' if '.' in digits else '.0'}{exponent}{power}"


def _quoted(text: str, quote: str) -> str:
    return quote + "".join(_character(each, quote) for each in text) + quote


def _character(character: str, quote: str) -> str:
    if character == quote:
        return f"\\{quote}"
    if character.isprintable() and character != "\\":
        return character
    return ESCAPED.get(character) or f"\\x{ord(character):x}\\"
