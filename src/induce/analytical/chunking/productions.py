"""Productions: clauses that propose, prefer, apply and elaborate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal as OneOf

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal, Predicate, Program
from induce.logic.library import is_built_in
from induce.logic.parsing import literal_of, parse_program
from induce.logic.stratification import strata, written
from induce.logic.terms import Constant, Function, Term

Kind = OneOf["propose", "prefer", "apply", "elaborate"]

PREFERENCES: frozenset[Predicate] = frozenset(
    {("best", 1), ("worst", 1), ("reject", 1), ("indifferent", 1), ("better", 2)}
)
EFFECTS: frozenset[Predicate] = frozenset({("add", 1), ("remove", 1)})
PROPOSE: Predicate = ("propose", 1)
SELECTED: Predicate = ("selected", 1)
LOCAL: frozenset[Predicate] = frozenset({("impasse", 1), ("item", 1), ("task", 1)})
"""Facts specific to a subgoal: the kind of impasse, the candidate operators, and the operator to implement."""


@dataclass(frozen=True)
class Production:
    """Clause of a production system.

    Parameters
    ----------
    clause : Clause
    kind : {"propose", "prefer", "apply", "elaborate"}
        Kind of production, given by its head: ``propose(O)``; a preference such as ``best(O)`` or ``better(O,
        P)``; ``add(F)`` or ``remove(F)``. Any other head is derived while its conditions hold.
    """

    clause: Clause
    kind: Kind

    @classmethod
    def of(cls, clause: Clause) -> Production:
        """Return the production for a clause; raise an `InputError` if it is not valid."""
        head = clause.head
        if head is None:
            raise InputError(f"the production {clause} has no head; give it one")
        if head.predicate in LOCAL or head.predicate == SELECTED or is_built_in(head.predicate):
            raise InputError(
                f"{written(head.predicate)} is created by the system, so it cannot be the head of a "
                f"production: {clause}"
            )
        selecting = [one for one in clause.body if one.predicate == SELECTED]
        if head.predicate in EFFECTS:
            if len(selecting) != 1 or selecting[0].negated:
                raise InputError(
                    f"a production that adds or removes must test one selected(operator): {clause}"
                )
            changed_fact(head, clause)
            return cls(clause, "apply")
        if selecting:
            raise InputError(f"only productions that add or remove may test selected(...): {clause}")
        if head.predicate in PREFERENCES:
            return cls(clause, "prefer")
        return cls(clause, "propose" if head.predicate == PROPOSE else "elaborate")

    @property
    def effect(self) -> Literal:
        """Effect of a production that applies an operator."""
        head = self.clause.head
        assert head is not None
        return changed_fact(head, self.clause)

    @property
    def operator(self) -> Term:
        """Operator that the production applies."""
        return next(one for one in self.clause.body if one.predicate == SELECTED).arguments[0]


def changed_fact(head: Literal, clause: Clause) -> Literal:
    """Fact that is added or removed."""
    term = head.arguments[0]
    if not isinstance(term, Function) and not (isinstance(term, Constant) and isinstance(term.value, str)):
        raise InputError(f"{head} must name the fact to change: {clause}")
    fact = literal_of(term)
    if fact.negated or is_built_in(fact.predicate):
        raise InputError(f"{head} must name a fact that can be added: {clause}")
    return fact


def productions_of(text: str) -> tuple[Production, ...]:
    """Read productions; raise an `InputError` if they do not form a valid system.

    Examples
    --------
    >>> (first,) = productions_of("propose(eat(X)) :- food(X), hungry.")
    >>> first.kind
    'propose'
    """
    found = tuple(map(Production.of, parse_program(text)))
    check(found)
    return found


def check(productions: Iterable[Production]) -> None:
    """Raise an `InputError` if productions are inconsistent in form."""
    productions = tuple(productions)
    if not any(one.kind == "propose" for one in productions):
        raise InputError("no production proposes an operator; write propose(operator) :- conditions.")
    derived = derived_predicates(productions)
    for one in productions:
        if one.kind == "apply" and one.effect.predicate in derived:
            raise InputError(
                f"{written(one.effect.predicate)} is derived by a production, so an operator cannot change it: "
                f"{one.clause}"
            )
    levels(productions)


def derived_predicates(productions: Iterable[Production]) -> frozenset[Predicate]:
    """Return the predicates that productions derive from others."""
    return frozenset(
        one.clause.head.predicate
        for one in productions
        if one.kind != "apply" and one.clause.head is not None
    )


def levels(productions: Iterable[Production]) -> tuple[tuple[Predicate, ...], ...]:
    """Return the derived predicates in stratified order, negated predicates first."""
    clauses = tuple(one.clause for one in productions if one.kind != "apply")
    derived = derived_predicates(productions)
    found = strata(Program(clauses))
    return tuple(kept for level in found if (kept := tuple(one for one in level if one in derived)))
