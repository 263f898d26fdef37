"""Admissible recursive literals: call arguments must decrease, in an order of the constants or in structure."""

from __future__ import annotations

from dataclasses import replace

from induce.logic.background.reach import parts
from induce.logic.clauses import Clause, Literal
from induce.logic.coverage.examples import Examples
from induce.logic.terms import Function, Term
from induce.relational.clauses.literals import Vocabulary
from induce.relational.clauses.recursion import Call, Guard, Orders


class Descent:
    """Termination check of recursive clauses, given those of the theory so far.

    A call decreases in an argument if the facts of the preceding literals imply it (as in FOIL). It also does
    if the argument is a subterm of the head's argument, such as the tail of a list.

    Parameters
    ----------
    examples : Examples
    """

    def __init__(self, examples: Examples) -> None:
        self._vocabulary = Vocabulary(examples, undeclared=False, recursive=True)
        self._guard = Guard(examples.target, Orders(self._vocabulary))

    def limited(self, clause: Clause) -> Clause:
        """Return a clause without recursive literals that might not terminate, the remaining ones last."""
        plain = [literal for literal in clause.body if literal.predicate != self._guard.target]
        if len(plain) == len(clause.body):
            return clause
        kept: list[Literal] = []
        calls: list[Call] = []
        for literal in clause.body:
            if literal.predicate == self._guard.target and not literal.negated:
                call = self._call(Clause(clause.head, tuple(plain)), literal)
                if self._guard.admits([*calls, call]):
                    kept.append(literal)
                    calls.append(call)
        return Clause(clause.head, (*plain, *kept))

    def admits(self, clause: Clause) -> bool:
        """Return whether all recursive literals of a clause terminate."""
        return len(self.limited(clause).body) == len(clause.body)

    def remember(self, clause: Clause) -> None:
        """Record the recursive calls of a clause in the theory."""
        calls = [
            self._call(clause, literal) for literal in clause.body if literal.predicate == self._guard.target
        ]
        self._guard = replace(self._guard, calls=(*self._guard.calls, *calls))

    def _call(self, clause: Clause, literal: Literal) -> Call:
        assert clause.head is not None
        plain = [other for other in clause.body if other.predicate != self._guard.target]
        kinds: dict[Term, str] = {}
        for other in (clause.head, *plain):
            kinds |= zip(other.arguments, self._kinds(other), strict=True)
        call = self._guard.call(clause.head, plain, literal, kinds)
        pairs = zip(call, clause.head.arguments, literal.arguments, strict=True)
        return tuple("<" if _within(inner, outer) else sign for sign, outer, inner in pairs)

    def _kinds(self, literal: Literal) -> tuple[str, ...]:
        known = literal.predicate in self._vocabulary.found
        return self._vocabulary.kinds(literal.predicate) if known else ("",) * len(literal.arguments)


def _within(inner: Term, outer: Term) -> bool:
    return isinstance(outer, Function) and any(part == inner for part in parts(outer.arguments))
