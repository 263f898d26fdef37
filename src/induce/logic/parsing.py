"""Parser of Prolog text into terms, literals, clauses and programs (Mitchell §10.4.2, in Prolog's notation).

The syntax is that of standard Prolog: names in quotes, strings, numbers of any size, lists, operators,
comments, and operators declared with ``:- op(Priority, Type, Names)``. Operators are read with explicit
stacks, so that no text is nested too deeply.
"""

from __future__ import annotations

import os
import re

from induce.core.errors import InputError
from induce.core.notes import note
from induce.data.streams import read_text
from induce.logic.clauses import Clause, Literal, Predicate, Program
from induce.logic.operators import Reader
from induce.logic.printing import term_of, write_term
from induce.logic.terms import Constant, Function, Term, Variable
from induce.logic.tokens import Source, shown

__all__ = [
    "goals_of",
    "literal_of",
    "parse_clause",
    "parse_literal",
    "parse_program",
    "parse_term",
    "read_program",
    "term_of",
]

NEGATIONS: tuple[Predicate, ...] = (("\\+", 1), ("not", 1))
CONTROL: tuple[Predicate, ...] = (*NEGATIONS, (",", 2), (";", 2), ("->", 2), ("*->", 2), ("!", 0))
CLAUSES: tuple[Predicate, ...] = ((":-", 2), (":-", 1), ("?-", 1), ("-->", 2), (":-", 0))

# Facts over names and numbers make up most of a large file; everything else is left to the full reader.
_ARGUMENT = r"[a-z]\w*+|-?[0-9]{1,15}+(?:\.[0-9]{1,15}+)?(?![\w'.])|'[^'\\\n]*+'(?!')"
_FACT = re.compile(
    rf"\s*+(?!not\()([a-z]\w*+)\(\s*+((?:{_ARGUMENT})(?:\s*+,\s*+(?:{_ARGUMENT}))*+)\s*+\)\s*+\.(?=[\s%]|\Z)"
)
_ARGUMENTS = re.compile(_ARGUMENT)


def parse_term(text: str) -> Term:
    """Read one term, which a full stop may follow.

    Each ``_`` becomes a separate variable, named ``_1``, ``_2`` and so on unless the text uses that name.

    Parameters
    ----------
    text : str
        Term in Prolog.

    Examples
    --------
    >>> term = parse_term("X is Y + 1")
    >>> term.name, [str(part) for part in term.arguments]
    ('is', ['X', 'Y + 1'])
    >>> print(parse_term("[a, f(_)|_]"))
    [a, f(_1)|_2]
    >>> parse_term("f(a b)")
    Traceback (most recent call last):
    induce.core.errors.InputError: line 1, column 5: expected an operator, a comma or ), but found b
    """
    return _only(text)[0]


def parse_literal(text: str) -> Literal:
    """Read one literal; ``\\+`` or ``not`` before it negates it.

    Parameters
    ----------
    text : str
        Literal in Prolog.

    Examples
    --------
    >>> literal = parse_literal("not parent(ann, X)")
    >>> literal.name, literal.negated
    ('parent', True)
    """
    term, reader, start = _only(text)
    try:
        return literal_of(term)
    except InputError as problem:
        raise reader.source.error(start, str(problem)) from None


def parse_clause(text: str) -> Clause:
    """Read one clause; its full stop may be omitted.

    ``:- a, b`` and ``?- a, b`` are clauses without a head, and ``:- .`` is the empty clause.

    Parameters
    ----------
    text : str
        Clause in Prolog.

    Examples
    --------
    >>> clause = parse_clause("grandparent(X, Z) :- parent(X, Y), parent(Y, Z).")
    >>> print(clause.head, "if", *clause.body)
    grandparent(X, Z) if parent(X, Y) parent(Y, Z)
    >>> parse_clause("X :- parent(X, Y).")
    Traceback (most recent call last):
    induce.core.errors.InputError: line 1, column 1: X cannot be the head of a clause; name a predicate
    """
    term, reader, start = _only(text)
    return _placed(term, reader, start)


def parse_program(text: str, source: str = "") -> Program:
    """Read the facts, rules and directives of a Prolog text.

    Terms after ``:-`` or ``?-`` are stored in `Program.directives` and never run; only operator declarations affect
    the rest of the text.

    Parameters
    ----------
    text : str
        Program in Prolog.
    source : str, default=""
        Name of the text's source, used in errors.

    Examples
    --------
    >>> program = parse_program(":- dynamic anc/2. parent(ann, bea). % a fact\\nanc(X, Y) :- parent(X, Y).")
    >>> print(program)
    parent(ann, bea).
    anc(X, Y) :- parent(X, Y).
    >>> print(*program.directives)
    dynamic anc / 2
    >>> parse_program("p(a).\\nq(b\\nr(c).", source="facts.pl")
    Traceback (most recent call last):
    induce.core.errors.InputError: facts.pl, line 3, column 1: expected an operator, a comma or ), but found r
    """
    reader = _reader(text, source)
    clauses: list[Clause] = []
    directives: list[Term] = []
    constants: dict[str, Constant] = {}
    position = 0
    while True:
        if fact := _FACT.match(text, position):
            arguments = tuple(_constant(each, constants) for each in _ARGUMENTS.findall(fact[2]))
            clauses.append(Clause(Literal(fact[1], arguments)))
            position = fact.end()
            continue
        read = reader.term(position, dotted=True)
        if read is None:
            return Program(tuple(clauses), tuple(directives))
        term, start, position = read
        if isinstance(term, Function) and _predicate(term) in ((":-", 1), ("?-", 1)):
            directives.append(term.arguments[0])
            reader.operators.direct(term.arguments[0])
        else:
            clauses.append(_placed(term, reader, start))


def read_program(path: str | os.PathLike[str]) -> Program:
    """Read a Prolog file in UTF-8; a note reports the number of directives, which are not run.

    Parameters
    ----------
    path : str or path-like
        Path of the file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "family.pl")
    ...     _ = file.write_text("parent(ann, bea).")
    ...     print(read_program(file))
    parent(ann, bea).
    """
    name = os.path.basename(os.fspath(path))
    program = parse_program(read_text(path), name)
    if count := len(program.directives):
        note(f"{name}: {count} directive{'s are' if count > 1 else ' is'} ignored; nothing in a file is run")
    return program


def literal_of(term: Term) -> Literal:
    """Return a term as a literal.

    A variable becomes the literal ``call(X)``. ``\\+ p`` and ``not p`` become a negated literal, unless the
    predicate of p is ``,``, ``;``, ``->``, ``*->``, ``\\+`` or ``!``. These, and their negations, become
    literals with terms as arguments.

    Parameters
    ----------
    term : Term
        Term to convert.

    Examples
    --------
    >>> literal_of(parse_term("\\\\+ rain")), literal_of(parse_term("X")).name
    (Literal(name='rain', arguments=(), negated=True), 'call')
    >>> literal_of(parse_term("\\\\+ (rain, wind)")).name, literal_of(parse_term("rain ; wind")).name
    ('\\\\+', ';')
    """
    if isinstance(term, Function) and _predicate(term) in NEGATIONS:
        inner = term.arguments[0]
        return Literal("\\+", (inner,)) if _predicate(inner) in CONTROL else _plain(inner, negated=True)
    return _plain(term, negated=False)


def goals_of(term: Term) -> tuple[Literal, ...]:
    """Return the literals of a conjunction, such as ``a, b, c``.

    Parameters
    ----------
    term : Term
        Conjunction, or a single goal.

    Examples
    --------
    >>> print(*goals_of(parse_term("(a, b), \\\\+ c")), sep=" and ")
    a and b and \\+ c
    """
    goals = []
    waiting = [term]
    while waiting:
        goal = waiting.pop()
        if isinstance(goal, Function) and _predicate(goal) == (",", 2):
            waiting.extend(reversed(goal.arguments))
        else:
            goals.append(literal_of(goal))
    return tuple(goals)


def _plain(term: Term, negated: bool) -> Literal:
    if isinstance(term, Variable):
        return Literal("call", (term,), negated)
    if isinstance(term, Function):
        return Literal(term.name, term.arguments, negated)
    if isinstance(term, Constant) and isinstance(term.value, str):
        return Literal(term.value, (), negated)
    raise InputError(f"{shown(write_term(term))} cannot be a literal; write a predicate with its arguments")


def _predicate(term: Term) -> Predicate | None:
    if isinstance(term, Function):
        return term.name, len(term.arguments)
    return (term.value, 0) if isinstance(term, Constant) and isinstance(term.value, str) else None


def _clause_of(term: Term) -> Clause:
    predicate = _predicate(term)
    if predicate == ("-->", 2):
        raise InputError("grammar rules with --> are not supported; write the clauses that they stand for")
    if predicate == (":-", 0):
        return Clause(None)
    if not isinstance(term, Function) or predicate not in CLAUSES:
        return Clause(_head(term))
    *head, body = term.arguments
    return Clause(_head(head[0]) if head else None, goals_of(body))


def _head(term: Term) -> Literal:
    predicate = _predicate(term)
    if isinstance(term, Variable):
        raise InputError(f"{shown(write_term(term))} cannot be the head of a clause; name a predicate")
    if predicate in NEGATIONS:
        raise InputError(
            f"the head {shown(write_term(term))} of a clause is negated; give a positive literal"
        )
    if predicate in CONTROL + CLAUSES:
        raise InputError(
            f"the head {shown(write_term(term))} of a clause is a control construct; name a predicate"
        )
    return literal_of(term)


def _placed(term: Term, reader: Reader, start: int) -> Clause:
    try:
        return _clause_of(term)
    except InputError as problem:
        raise reader.source.error(start, str(problem)) from None


def _reader(text: str, source: str = "") -> Reader:
    if not isinstance(text, str):
        raise TypeError(f"Prolog is read from text, not from a {type(text).__name__}; give a string")
    return Reader(Source(text, source))


def _only(text: str) -> tuple[Term, Reader, int]:
    """Read the only term of a text."""
    reader = _reader(text)
    read = reader.term(0, dotted=False)
    if read is None:
        raise reader.source.error(len(text), "expected a term, but found the end of the text")
    term, start, position = read
    second = reader.term(position, dotted=False)
    if second is not None:
        raise reader.source.error(
            second[1], "the text continues after the full stop; give one term or clause at a time"
        )
    return term, reader, start


def _constant(written: str, known: dict[str, Constant]) -> Constant:
    constant = known.get(written)
    if constant is None:
        first = written[0]
        if first == "'":
            constant = Constant(written[1:-1])
        elif first == "-" or first.isdigit():
            constant = Constant(float(written) if "." in written else int(written))
        else:
            constant = Constant(written)
        known[written] = constant
    return constant
