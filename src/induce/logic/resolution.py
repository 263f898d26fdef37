"""Resolution, propositional and first-order (Mitchell §10.7, Tables 10.5 and 10.7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal
from induce.logic.substitution import Substitution, ordered, renaming_apart, variables_of
from induce.logic.subsumption import ClauseLike, Disjunction, disjunction
from induce.logic.terms import Term, Variable
from induce.logic.unification import matching, unify


@dataclass(frozen=True)
class Resolvent:
    """Resolution step: its resolvent and two parent clauses.

    Parameters
    ----------
    clause : frozenset of Literal
        Resolvent C.
    first, second : frozenset of Literal
        Clauses C1 and C2; the variables of C2 are renamed apart from those of C1.
    literal, other : Literal
        Literals L1 of C1 and L2 of C2, which are complementary under θ.
    theta : Substitution
        Unifier θ of L1 and ¬L2.
    """

    clause: frozenset[Literal]
    first: frozenset[Literal]
    second: frozenset[Literal]
    literal: Literal
    other: Literal
    theta: Substitution

    def __str__(self) -> str:
        return (
            f"{write_disjunction(self.first)} and {write_disjunction(self.second)} "
            f"give {write_disjunction(self.clause)} by {self.theta}"
        )


def resolve_on(first: ClauseLike, second: ClauseLike, literal: Literal) -> frozenset[Literal]:
    """Return the resolvent of two propositional clauses, (C1 - {L}) with (C2 - {¬L}) (Table 10.5).

    Parameters
    ----------
    first, second : Clause, str or frozenset of Literal
        Clauses to resolve.
    literal : Literal
        Literal L of the first clause; the second contains ¬L.

    Examples
    --------
    >>> passes, knows, studies = (Literal(name) for name in ("pass_exam", "know_material", "study"))
    >>> first, second = frozenset({passes, knows.negation()}), frozenset({knows, studies.negation()})
    >>> print(*ordered(resolve_on(first, second, knows.negation())))
    pass_exam \\+ study
    """
    mine, others = disjunction(first), disjunction(second)
    if literal not in mine or literal.negation() not in others:
        raise InputError(
            f"{write_disjunction([literal])} is not a literal to resolve on; give one that is in the "
            "first clause and negated in the second"
        )
    return (mine - {literal}) | (others - {literal.negation()})


def resolvents(first: ClauseLike, second: ClauseLike) -> list[Resolvent]:
    """Return all resolvents of two clauses under most general unifiers (Table 10.7, Eq. 10.3).

    The variables of the second clause are renamed apart. For each L1 of C1 and L2 of C2 with L1θ = ¬L2θ, the
    resolvent is the union of (C1 - {L1})θ and (C2 - {L2})θ. (The book's step 2 says "except L1θ and ¬L2θ"
    where its formula correctly omits L1θ and L2θ. The book also allows unifiers that are not most general;
    see `resolves_to`.)

    Parameters
    ----------
    first, second : Clause, str or frozenset of Literal
        Clauses to resolve.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> for step in resolvents(parse_clause("white(X) :- swan(X)."), parse_clause("swan(fred).")):
    ...     print(write_disjunction(step.clause), step.theta)
    white(fred) {X/fred}
    """
    mine, others = disjunction(first), disjunction(second)
    others = renaming_apart(variables_of(others), variables_of(mine)).apply(others)
    found = []
    for literal in ordered(mine):
        for other in ordered(others):
            step = resolved(mine, others, literal, other)
            if step is not None:
                found.append(step)
    return found


def resolved(
    first: frozenset[Literal], second: frozenset[Literal], literal: Literal, other: Literal
) -> Resolvent | None:
    """Return the resolvent of two clauses without common variables on one literal of each, or None."""
    if literal.negated == other.negated:
        return None
    theta = unify(literal, other.negation())
    if theta is None:
        return None
    clause = theta.apply(first - {literal}) | theta.apply(second - {other})
    return Resolvent(clause, first, second, literal, other, theta)


def resolves_to(first: ClauseLike, second: ClauseLike, clause: ClauseLike) -> bool:
    """Return whether two clauses resolve to a third under some unifier, not only a most general one.

    Variable names of the third clause do not matter. This check is used for inverse resolution.

    Parameters
    ----------
    first, second : Clause, str or frozenset of Literal
        Clauses to resolve.
    clause : Clause, str or frozenset of Literal
        Clause that may be a resolvent.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> rule, fact = parse_clause("white(X) :- swan(X), big(Y)."), parse_clause("swan(fred).")
    >>> resolves_to(rule, fact, parse_clause("white(fred) :- big(tom)."))
    True
    """
    wanted = disjunction(clause)
    return any(_covers(step.clause, wanted) for step in resolvents(first, second))


def _covers(clause: frozenset[Literal], wanted: frozenset[Literal]) -> bool:
    """Return whether a substitution maps a clause to exactly the given literals."""
    have, want = ordered(clause), ordered(wanted)
    # each wanted literal must be the image of some literal, then each literal must be mapped to a wanted one
    asked = [[(literal, target) for literal in have] for target in want]
    asked += [[(literal, target) for target in want] for literal in have]
    waiting: list[tuple[int, dict[Variable, Term]]] = [(0, {})]
    while waiting:
        place, bindings = waiting.pop()
        if place == len(asked):
            return True
        for literal, target in asked[place]:
            more = matching(literal, target)
            if more is not None and all(bindings.get(name, term) == term for name, term in more.items()):
                waiting.append((place + 1, bindings | more))
    return False


def factors(clause: ClauseLike) -> list[tuple[frozenset[Literal], tuple[Literal, Literal], Substitution]]:
    """Return the factors of a clause, each with the two literals unified and the unifier.

    Binary resolution is complete only in combination with factoring.

    Parameters
    ----------
    clause : Clause, str or frozenset of Literal
        Clause whose literals are unified.

    Examples
    --------
    >>> from induce.logic import parse_literal
    >>> clause = frozenset({parse_literal("p(X, a)"), parse_literal("p(b, Y)")})
    >>> for factor, _, theta in factors(clause):
    ...     print(write_disjunction(factor), theta)
    p(b, a) {X/b, Y/a}
    """
    literals = ordered(disjunction(clause))
    found = []
    for place, literal in enumerate(literals):
        for other in literals[place + 1 :]:
            theta = unify(literal, other)
            if theta is not None:
                found.append((theta.apply(frozenset(literals)), (literal, other), theta))
    return found


def write_disjunction(literals: Iterable[Literal]) -> str:
    """Write a clause as a disjunction, positive literals first; the empty clause is written ⊥.

    Parameters
    ----------
    literals : Clause or iterable of Literal
        Literals of the disjunction.

    Examples
    --------
    >>> print(write_disjunction([Literal("a", negated=True)]), write_disjunction([]))
    ¬a ⊥
    """
    written = (f"¬{literal.negation()}" if literal.negated else str(literal) for literal in ordered(literals))
    return " \N{LOGICAL OR} ".join(written) or "⊥"


def horn(literals: Disjunction) -> Clause:
    """Return a disjunction with at most one positive literal as a Horn clause.

    Examples
    --------
    >>> print(horn(frozenset({Literal("a", negated=True), Literal("b")})))
    b :- a.
    """
    if isinstance(literals, Clause):
        return literals
    heads = [literal for literal in ordered(literals) if not literal.negated]
    if len(heads) > 1:
        raise InputError(
            f"{write_disjunction(literals)} has more than one positive literal, so it is not a Horn clause"
        )
    body = tuple(literal.negation() for literal in ordered(literals) if literal.negated)
    return Clause(heads[0] if heads else None, body)
