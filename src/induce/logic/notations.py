"""The book's three notations for clauses (Mitchell §10.4.2, Table 10.3).

In the book constants and predicates begin with a capital letter, variables and functions with a small one. In
Prolog, and in the values of this package, it is the other way round for all but functions. So the book's
``Daughter(x,Bob)`` is ``daughter(X, bob)``: first letters change their case, except that functions such as
``age`` keep theirs.

Numbers, texts in double quotes and variables such as ``_1`` stay as they are. Some names have no book
notation: those that Prolog writes in quotes or as symbols (``'New York'``, ``'Bob'``, ``=``), and hence
lists, arithmetic and control constructs. Neither have functions that begin with a capital letter, nor names
whose first letter has no other case. Predicates whose capitalised name is IF, THEN, AND, OR, NOT or FALSE
have none either. `write_book` refuses all of these with an `InputError`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal as OneOf

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal
from induce.logic.parsing import parse_term
from induce.logic.printing import write_term
from induce.logic.terms import Constant, Function, Term, Variable
from induce.logic.tokens import BASED, NUMBER, TEXT, Source, shown

Style = OneOf["if", "arrow", "or"]

EMPTY = "⊥"
OR = "\N{LOGICAL OR}"
SIGNS = {
    **dict.fromkeys(("∧", "&", "&&", "AND"), "and"),
    **dict.fromkeys((OR, "|", "||", "OR"), "or"),
    **dict.fromkeys(("¬", "~", "NOT", "not"), "not"),
    **dict.fromkeys(("←", "<-", ":-"), "arrow"),
    **dict.fromkeys((EMPTY, "□"), "empty"),
    **{"IF": "if", "THEN": "then", "FALSE": "false", "(": "(", ")": ")", ",": ",", ".": "."},
}
TOKEN = re.compile(
    rf"""\s*+(?:
    (?P<number>-?(?:{BASED}|{NUMBER}))
    |(?P<text>{TEXT})
    |(?P<word>[^\W\d]\w*+)
    |(?P<sign><-|:-|&&|\|\||[∧&{OR}|¬~←⊥□(),.])
    |(?P<end>\Z)
    |(?P<stray>(?s:.)))""",
    re.VERBOSE,
)
WORD = re.compile(r"[^\W\d_]\w*")


def parse_book(text: str) -> Clause:
    """Read a clause in one of the book's rule notations.

    These are ``IF Father(y,x) ∧ Female(y) THEN Daughter(x,y)`` and ``Daughter(x,y) ← Father(y,x) ∧
    Female(y)``. ``AND``, ``&`` or a comma may replace ``∧``; ``<-`` or ``:-`` may replace ``←``; ``~`` or
    ``not`` may replace ``¬``. A single literal is a fact; ``IF … THEN FALSE`` and ``← …`` have no head, and
    ``⊥`` or ``□`` is the empty clause.

    Parameters
    ----------
    text : str
        Clause in the book's notation.

    Examples
    --------
    >>> print(parse_book("IF Father(y,x) ∧ Female(y) THEN Daughter(x,y)"))
    daughter(X, Y) :- father(Y, X), female(Y).
    >>> print(parse_book("Older(Bob, x) <- LessThan(age(x), 30) AND not Baby(x)"))
    older(bob, X) :- lessThan(age(X), 30), \\+ baby(X).
    """
    reader = _BookReader(text)
    if reader.takes("empty"):
        clause = Clause(None)
    elif reader.takes("if"):
        body = reader.literals("and", until="then")
        reader.expect("then", "∧ or THEN")
        clause = Clause(None if reader.takes("false") else reader.head(), body)
    else:
        head = None if reader.sees("arrow") else reader.head()
        body = reader.literals("and", until="end") if reader.takes("arrow") else ()
        clause = Clause(head, body)
    if reader.sees("or"):
        raise reader.wrong(
            "a disjunction is not a rule; read it with parse_disjunction, or give a rule with IF or ←"
        )
    reader.finish("∧, ← or the end of the clause")
    return clause


def parse_disjunction(text: str) -> frozenset[Literal]:
    """Read a clause as a disjunction of literals, which need not be a Horn clause.

    ``OR`` or ``|`` may replace ``\N{LOGICAL OR}``, and ``~`` or ``not`` may replace ``¬``; ``⊥`` or ``□`` is
    the empty clause.

    Parameters
    ----------
    text : str
        Disjunction in the book's notation.

    Examples
    --------
    >>> literals = parse_disjunction("Daughter(x,y) \N{LOGICAL OR} ¬Father(y,x) | ~Female(y)")
    >>> sorted(map(str, literals))
    ['\\\\+ father(Y, X)', '\\\\+ female(Y)', 'daughter(X, Y)']
    """
    reader = _BookReader(text)
    literals = () if reader.takes("empty") else reader.literals("or")
    reader.finish(f"{OR} or the end of the clause")
    return frozenset(literals)


def write_book(clause: Clause, style: Style = "if") -> str:
    """Write a clause in one of the book's notations.

    `parse_book` reads the styles "if" and "arrow" back as the same clause; `parse_disjunction` reads the
    style "or" back as its `Clause.literals`.

    Parameters
    ----------
    clause : Clause
        Clause to write.
    style : {"if", "arrow", "or"}, default="if"
        Style: a rule with IF and THEN, a rule with an arrow, or a disjunction.

    Examples
    --------
    >>> clause = parse_book("IF Father(y,x) AND Female(y) THEN Daughter(x,y)")
    >>> for style in ("if", "arrow", "or"):
    ...     print(write_book(clause, style))
    IF Father(y,x) ∧ Female(y) THEN Daughter(x,y)
    Daughter(x,y) ← Father(y,x) ∧ Female(y)
    Daughter(x,y) \N{LOGICAL OR} ¬Father(y,x) \N{LOGICAL OR} ¬Female(y)
    """
    if style not in ("if", "arrow", "or"):
        raise InputError(f"style is {style!r}; give 'if', 'arrow' or 'or'")
    head = "" if clause.head is None else _literal(clause.head)
    if not head and not clause.body:
        return EMPTY
    if not clause.body:
        return head
    if style == "or":
        negated = [_literal(literal.negation()) for literal in clause.body]
        return f" {OR} ".join([head, *negated] if head else negated)
    body = " ∧ ".join(map(_literal, clause.body))
    return f"IF {body} THEN {head or 'FALSE'}" if style == "if" else f"{head} ← {body}".lstrip()


class _BookReader:
    """Parser over the tokens of a clause; nested functions wait on a stack."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"a clause is read from text, not from a {type(text).__name__}; give a string")
        self.source = Source(text)
        kinds = ((match.lastgroup or "", match) for match in TOKEN.finditer(text))
        self._tokens = [(kind, match[kind], match.start(kind)) for kind, match in kinds]
        self._at = 0

    def sees(self, sign: str) -> bool:
        """Return whether a given symbol or word comes next."""
        kind, written, _ = self._tokens[self._at]
        return sign == (SIGNS.get(written) if kind in ("word", "sign") else kind)

    def takes(self, sign: str) -> bool:
        """Skip a symbol if it comes next."""
        seen = self.sees(sign)
        self._at += seen
        return seen

    def expect(self, sign: str, words: str) -> None:
        if not self.takes(sign):
            raise self.wrong(f"expected {words}, but found {self._found()}")

    def finish(self, words: str) -> None:
        self.takes(".")
        self.expect("end", words)

    def wrong(self, message: str) -> InputError:
        return self.source.error(self._tokens[self._at][2], message)

    def head(self) -> Literal:
        if self.sees("not"):
            raise self.wrong("the head of a clause cannot be negated")
        return self._literal()

    def literals(self, joint: str, until: str = "") -> tuple[Literal, ...]:
        """Read literals with a separator between them, or none if the closing token comes next."""
        if self.sees(until) or (until == "end" and self.sees(".")):
            return ()
        literals = [self._literal()]
        while self.takes(joint) or (joint == "and" and self.takes(",")):
            literals.append(self._literal())
        return tuple(literals)

    def _found(self) -> str:
        kind, written, _ = self._tokens[self._at]
        return "the end of the text" if kind == "end" else shown(written)

    def _literal(self) -> Literal:
        negated = False
        while self.takes("not"):
            negated = not negated
        kind, written, _ = self._tokens[self._at]
        if kind != "word" or written in SIGNS or not written[0].isupper():
            raise self.wrong(
                f"expected a predicate, which begins with a capital letter, but found {self._found()}"
            )
        name = self._turned(written, str.lower)
        self._at += 1
        return Literal(name, self._arguments() if self.takes("(") else (), negated)

    def _arguments(self) -> tuple[Term, ...]:
        """Read terms up to the closing bracket."""
        inside: list[Term] = []
        outside: list[tuple[str, list[Term]]] = []
        while True:
            if inside or not self.sees(")"):
                kind, written, _ = self._tokens[self._at]
                if kind == "word" and self._tokens[self._at + 1][1] == "(":
                    if not written[0].islower():
                        raise self.wrong(
                            f"{shown(written)} is used as a function; begin functions with a small letter"
                        )
                    self._at += 2
                    outside.append((written, inside))
                    inside = []
                    continue
                inside.append(self._leaf())
            while self.takes(")"):
                if not outside:
                    return tuple(inside)
                name, before = outside.pop()
                before.append(Function(name, tuple(inside)))
                inside = before
            self.expect(",", "a comma or )")

    def _leaf(self) -> Term:
        kind, written, start = self._tokens[self._at]
        if kind in ("number", "text"):
            try:
                term = parse_term(written)
            except InputError as problem:
                raise self.source.error(start, str(problem).partition(": ")[2]) from None
        elif kind != "word":
            raise self.wrong(f"expected a term, but found {self._found()}")
        elif written[0] == "_":
            term = Variable(written)
        elif written[0].islower():
            term = Variable(self._turned(written, str.upper))
        else:
            term = Constant(self._turned(written, str.lower))
        self._at += 1
        return term

    def _turned(self, name: str, case: Callable[[str], str]) -> str:
        turned = _turned(name, case)
        if turned is None:
            raise self.wrong(f"{shown(name)} must begin with a letter that is either small or capital")
        return turned


def _turned(name: str, case: Callable[[str], str]) -> str | None:
    """Return a name with the case of its first letter changed, or None if the change could not be undone."""
    first = case(name[0])
    return first + name[1:] if len(first) == 1 and first != name[0] and first.swapcase() == name[0] else None


def _literal(literal: Literal) -> str:
    name = _book_name(literal.name)
    if name in SIGNS:
        raise InputError(
            f"the predicate {literal.name} has no book notation, since {name} is a word of it; rename it"
        )
    written = name + _bracketed(literal.arguments) if literal.arguments else name
    return f"¬{written}" if literal.negated else written


def _bracketed(arguments: tuple[Term, ...]) -> str:
    done = ["("]
    waiting: list[Term | str] = [")", *_separated(arguments)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Function):
            if not (WORD.fullmatch(part.name) and part.name[0].islower()):
                raise _unwritten(part.name)
            done.append(f"{part.name}(")
            waiting += [")", *_separated(part.arguments)]
        elif isinstance(part, Constant) and isinstance(part.value, str):
            done.append(_book_name(part.value))
        elif isinstance(part, Variable):
            done.append(_book_variable(part))
        else:
            done.append(part if isinstance(part, str) else write_term(part))
    return "".join(done)


def _separated(terms: tuple[Term, ...]) -> list[Term | str]:
    """Return terms separated by commas, last term first."""
    return [part for term in reversed(terms) for part in (term, ",")][:-1]


def _book_variable(variable: Variable) -> str:
    name = write_term(variable)
    turned = name if name[0] == "_" else _turned(name, str.lower)
    if turned is None:
        raise _unwritten(name)
    return turned


def _book_name(name: str) -> str:
    turned = _turned(name, str.upper) if WORD.fullmatch(name) and name[0].islower() else None
    if turned is None:
        raise _unwritten(name)
    return turned


def _unwritten(name: str) -> InputError:
    return InputError(
        f"the name {name!r} has no book notation, since Prolog does not write it as a word with a "
        "small first letter; rename it"
    )
