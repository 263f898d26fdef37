"""Literals, Horn clauses and programs as immutable values (Mitchell §10.4.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from induce.logic.terms import Term, Variable, is_ground, variables

Predicate = tuple[str, int]
"""Name and arity of a predicate; written ``parent/2``."""


@dataclass(frozen=True)
class Literal:
    """Atom, or the negation of an atom.

    In the body of a clause, a negated literal holds if the literal cannot be proved (negation as failure).

    Parameters
    ----------
    name : str
        Name of the predicate.
    arguments : tuple of Term
        Arguments; empty for a proposition.
    negated : bool, default=False
        Whether the atom is negated.

    Examples
    --------
    >>> from induce.logic.terms import Constant, Variable
    >>> print(Literal("parent", (Constant("ann"), Variable("X")), negated=True))
    \\+ parent(ann, X)
    """

    name: str
    arguments: tuple[Term, ...] = ()
    negated: bool = False

    @property
    def predicate(self) -> Predicate:
        """Name and arity of the predicate."""
        return self.name, len(self.arguments)

    @property
    def ground(self) -> bool:
        """Whether the literal is ground, i.e. contains no variable."""
        return all(is_ground(term) for term in self.arguments)

    def negation(self) -> Literal:
        """Return the complementary literal."""
        return replace(self, negated=not self.negated)

    def variables(self) -> Iterator[Variable]:
        """Yield every variable occurrence from left to right."""
        for term in self.arguments:
            yield from variables(term)

    def __str__(self) -> str:
        from induce.logic.printing import shown_term, term_of

        return shown_term(term_of(self))


@dataclass(frozen=True)
class Clause:
    """Horn clause ``head :- body``.

    A clause without a body is a fact; one without a head is a goal, or the denial that its body holds.

    Parameters
    ----------
    head : Literal or None
        Head; None for a goal or a denial.
    body : tuple of Literal
        Body literals, in the order in which they are proved; empty for a fact.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> clause = parse_clause("daughter(X, Y) :- father(Y, X), female(Y).")
    >>> [variable.name for variable in clause.variables()]
    ['X', 'Y']
    """

    head: Literal | None
    body: tuple[Literal, ...] = ()

    def literals(self) -> frozenset[Literal]:
        """Return the clause as a disjunction: its head and the negation of each body literal."""
        negated = [literal.negation() for literal in self.body]
        return frozenset(negated if self.head is None else [self.head, *negated])

    def variables(self) -> tuple[Variable, ...]:
        """Return the clause's variables in order of first occurrence."""
        first = () if self.head is None else (self.head,)
        return tuple(dict.fromkeys(each for literal in first + self.body for each in literal.variables()))

    def __str__(self) -> str:
        from induce.logic.printing import write_clause

        return write_clause(self)


@dataclass(frozen=True)
class Program:
    """Program: clauses in the order in which they are tried.

    Parameters
    ----------
    clauses : tuple of Clause
        Facts and rules.
    directives : tuple of Term
        Terms after ``:-`` in clauses without a head; they are kept for readers of such files and never run.

    Examples
    --------
    >>> from induce.logic import parse_program
    >>> program = parse_program("parent(ann, bea). ancestor(X, Y) :- parent(X, Y).")
    >>> [name for name, _ in program.by_predicate]
    ['parent', 'ancestor']
    """

    clauses: tuple[Clause, ...] = ()
    directives: tuple[Term, ...] = ()

    @cached_property
    def by_predicate(self) -> dict[Predicate, tuple[Clause, ...]]:
        """Clauses of each predicate, in order."""
        found: dict[Predicate, list[Clause]] = {}
        for clause in self.clauses:
            if clause.head is not None:
                found.setdefault(clause.head.predicate, []).append(clause)
        return {predicate: tuple(clauses) for predicate, clauses in found.items()}

    def __add__(self, other: Program) -> Program:
        return Program(self.clauses + other.clauses, self.directives + other.directives)

    def __len__(self) -> int:
        return len(self.clauses)

    def __iter__(self) -> Iterator[Clause]:
        return iter(self.clauses)

    def __str__(self) -> str:
        return "\n".join(map(str, self.clauses))
