"""New predicates by inverting two resolutions at once: the operators of CIGOL (Muggleton & Buntine 1988).

The book mentions CIGOL (§10.7.3) and constructive induction (§10.6); the operators themselves follow the
literature.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal
from induce.logic.generalisation import lgg
from induce.logic.substitution import Substitution, renamed_apart, variables_of
from induce.logic.subsumption import theta_subsumes
from induce.logic.terms import Term, Variable


@dataclass(frozen=True)
class Construction:
    """Clauses rewritten with a new predicate.

    Parameters
    ----------
    literal : Literal
        Literal of the new predicate, as it occurs in `shared`.
    shared : Clause
        Clause common to all results: the rule that uses the new predicate (intra-construction), or the one
        that defines it (inter-construction).
    others : tuple of Clause
        One clause per given clause; resolving it with `shared` on the new predicate yields the given clause.
    """

    literal: Literal
    shared: Clause
    others: tuple[Clause, ...]

    def __str__(self) -> str:
        return "\n".join(map(str, (self.shared, *self.others)))


def intra_construction(clauses: Sequence[Clause], name: str) -> Construction:
    """Invent a predicate for the differences between clauses with the same head predicate.

    ``p :- a, b.`` and ``p :- a, c.`` yield ``p :- a, q.``, ``q :- b.`` and ``q :- c.``. For first-order
    clauses the common part is the least general generalisation of the heads and of greedily paired body
    literals. The arguments of the new predicate are the variables that the common part shares with the
    remaining literals.

    Parameters
    ----------
    clauses : sequence of Clause
        At least two clauses with the same head predicate.
    name : str
        Name of the new predicate.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> clauses = ["likes(X, Y) :- person(X), food(Y), sweet(Y).", "likes(X, Y) :- person(X), food(Y), salty(Y)."]
    >>> print(intra_construction([parse_clause(clause) for clause in clauses], "tasty"))
    likes(A, B) :- person(A), food(B), tasty(B).
    tasty(Y) :- sweet(Y).
    tasty(Y) :- salty(Y).
    """
    _check(clauses, name)
    heads = {clause.head.predicate for clause in clauses if clause.head is not None}
    if len(heads) != 1 or any(clause.head is None for clause in clauses):
        raise InputError(
            "intra-construction needs clauses with the same head predicate; give only such clauses"
        )
    common = reduce(_common, clauses[1:], clauses[0])
    split = [_split(common, clause) for clause in clauses]
    literal = _literal(name, common, [(theta, Clause(None, rest)) for theta, rest in split])
    others = tuple(Clause(theta.apply(literal), rest) for theta, rest in split)
    return Construction(literal, Clause(common.head, (*common.body, literal)), others)


def inter_construction(clauses: Sequence[Clause], name: str) -> Construction:
    """Invent a predicate for the common part of several clause bodies.

    ``p :- a, b.`` and ``q :- a, c.`` yield ``r :- a.``, ``p :- b, r.`` and ``q :- c, r.``.

    Parameters
    ----------
    clauses : sequence of Clause
        At least two clauses.
    name : str
        Name of the new predicate.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> aunt = parse_clause("aunt(X, Y) :- parent(Z, Y), sib(X, Z), female(X).")
    >>> uncle = parse_clause("uncle(U, V) :- parent(W, V), sib(U, W), male(U).")
    >>> print(inter_construction([aunt, uncle], "kin"))
    kin(B, C) :- parent(A, B), sib(C, A).
    aunt(X, Y) :- female(X), kin(Y, X).
    uncle(U, V) :- male(U), kin(V, U).
    """
    _check(clauses, name)
    bodies = [Clause(None, clause.body) for clause in clauses]
    common = reduce(_common, bodies[1:], bodies[0])
    if not common.body:
        raise InputError("the clause bodies have no predicate in common; give clauses that share one")
    split = [_split(common, body) for body in bodies]
    rests = [Clause(clause.head, rest) for clause, (_, rest) in zip(clauses, split, strict=True)]
    literal = _literal(name, common, [(theta, rest) for (theta, _), rest in zip(split, rests, strict=True)])
    others = tuple(
        Clause(rest.head, (*rest.body, theta.apply(literal)))
        for (theta, _), rest in zip(split, rests, strict=True)
    )
    return Construction(literal, Clause(literal, common.body), others)


def truncation(clauses: Sequence[Clause]) -> Clause:
    """Return the least general fact that generalises the heads of the given clauses; their bodies are dropped
    (CIGOL).

    Parameters
    ----------
    clauses : sequence of Clause
        Clauses with the same head predicate.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> print(truncation([parse_clause("member(a, [a, b])."), parse_clause("member(c, [c]).")]))
    member(A, [A|B]).
    """
    heads = [clause.head for clause in clauses]
    general = heads[0] if heads else None
    for head in heads[1:]:
        general = None if general is None or head is None else lgg(general, head)
    if general is None:
        raise InputError("truncation needs clauses with the same head predicate; give only such clauses")
    return Clause(general)


def _check(clauses: Sequence[Clause], name: str) -> None:
    if len(clauses) < 2:
        raise InputError("predicate invention needs at least two clauses; give two or more")
    for clause in clauses:
        for literal in (*clause.body, *([] if clause.head is None else [clause.head])):
            if literal.name == name:
                raise InputError(f"name={name!r} is already a predicate of {clause}; give a new name")


def _common(one: Clause, other: Clause) -> Clause:
    """Generalise two clauses: their heads, and pairs of literals from their bodies."""
    other = renamed_apart(other, one)
    left = list(other.body)
    pairs: list[tuple[Literal, Literal]] = []
    for literal in one.body:
        alike = [
            each for each in left if (each.predicate, each.negated) == (literal.predicate, literal.negated)
        ]
        if alike:
            # Literals are paired greedily: the partner that leaves the fewest variables keeps the most in
            # common.
            partner = min(alike, key=lambda each: _distance(one, other, [*pairs, (literal, each)]))
            left.remove(partner)
            pairs.append((literal, partner))
    return _paired(one, other, pairs)


def _distance(one: Clause, other: Clause, pairs: list[tuple[Literal, Literal]]) -> int:
    return len(_paired(one, other, pairs).variables())


def _paired(one: Clause, other: Clause, pairs: list[tuple[Literal, Literal]]) -> Clause:
    # Each pair gets a predicate of its own, so that only paired literals are generalised together.
    tagged = [
        Clause(
            clause.head, tuple(Literal(str(place), literal.arguments) for place, literal in enumerate(body))
        )
        for clause, body in ((one, [mine for mine, _ in pairs]), (other, [theirs for _, theirs in pairs]))
    ]
    general = lgg(tagged[0], tagged[1])
    body = [
        Literal(mine.name, each.arguments, mine.negated)
        for (mine, _), each in zip(pairs, general.body, strict=True)
    ]
    return Clause(general.head, tuple(dict.fromkeys(body)))


def _split(common: Clause, clause: Clause) -> tuple[Substitution, tuple[Literal, ...]]:
    """Return the substitution θ that maps the common part into a clause, and the clause's remaining literals."""
    theta = theta_subsumes(common, clause)
    assert theta is not None
    covered = set(theta.apply(common).body)
    return theta, tuple(literal for literal in clause.body if literal not in covered)


def _literal(name: str, common: Clause, rests: Sequence[tuple[Substitution, Clause]]) -> Literal:
    """Return the literal of the new predicate, with the variables needed to recover the clauses."""

    def told(variable: Variable) -> bool:
        for theta, rest in rests:
            image: Term = theta.get(variable, variable)
            others = [theta.get(other, other) for other in common.variables() if other != variable]
            if not isinstance(image, Variable) or image in rest.variables():
                return True
            if any(image in variables_of(other) for other in others):
                return True
        return False

    return Literal(name, tuple(variable for variable in common.variables() if told(variable)))
