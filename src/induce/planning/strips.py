"""Compilation of equality and negation for planners that support only basic STRIPS."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

from induce.core.errors import InputError
from induce.logic.clauses import Literal
from induce.logic.terms import Constant
from induce.planning.domains import EQUALS, OBJECT, Domain, Operator, PlanningProblem

DIFFERENT = "different"


def without_equality(problem: PlanningProblem) -> PlanningProblem:
    """Return the problem with inequality conditions expressed by a predicate ``different``.

    Parameters
    ----------
    problem : PlanningProblem
        Problem to compile.

    Examples
    --------
    >>> from induce.planning import read_domain, read_problem
    >>> domain = read_domain(
    ...     "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x ?y)"
    ...     " :precondition (and (p ?x) (not (= ?x ?y))) :effect (p ?y)))"
    ... )
    >>> problem = read_problem("(define (problem q) (:domain d) (:objects a b) (:goal (p a)))", domain)
    >>> print(without_equality(problem).domain)
    a(X, Y): p(X), different(X, Y) => +p(Y)
    """
    domain = problem.domain
    conditions = [each for one in domain.operators for each in one.preconditions]
    if any(each.name == EQUALS and not each.negated for each in conditions):
        raise InputError(
            f"a condition of {domain.name} states that two terms are equal; use one variable for both"
        )
    if not any(each.name == EQUALS for each in conditions):
        return problem
    if DIFFERENT in domain.predicates:
        raise InputError(f"{domain.name} already has a predicate {DIFFERENT}; rename it")

    def plain(literal: Literal) -> Literal:
        return Literal(DIFFERENT, literal.arguments) if literal.name == EQUALS else literal

    operators = tuple(
        replace(one, preconditions=tuple(map(plain, one.preconditions))) for one in domain.operators
    )
    predicates = {**domain.predicates, DIFFERENT: (OBJECT, OBJECT)} if domain.predicates else {}
    new = Domain(domain.name, operators, predicates, domain.types, domain.constants)
    things = {**domain.constants, **problem.objects}
    facts = {Literal(DIFFERENT, tuple(map(Constant, pair))) for pair in permutations(things, 2)}
    return replace(problem, domain=new, initial=problem.initial | facts)


def without_negation(problem: PlanningProblem) -> PlanningProblem:
    """Return the problem with negative conditions expressed by predicates such as ``not-open`` for ``open``.

    Each action that adds or deletes a fact deletes or adds its complement. Equality conditions must be
    removed first.

    Examples
    --------
    >>> from induce.planning import read_domain, read_problem
    >>> domain = read_domain(
    ...     "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x)"
    ...     " :precondition (not (p ?x)) :effect (p ?x)))"
    ... )
    >>> problem = read_problem("(define (problem q) (:domain d) (:objects a) (:goal (p a)))", domain)
    >>> plain = without_negation(problem)
    >>> print(plain.domain, *plain.initial)
    a(X): not-p(X) => +p(X), -not-p(X) 'not-p'(a)
    """
    domain = problem.domain
    asked = [*problem.goal, *(each for one in domain.operators for each in one.preconditions)]
    denied = {each.name: len(each.arguments) for each in asked if each.negated and each.name != EQUALS}
    if not denied:
        return problem
    taken = {f"not-{name}" for name in denied}.intersection(domain.predicates)
    if taken:
        raise InputError(f"{domain.name} already has a predicate {min(taken)}; rename it")

    def opposite(literal: Literal) -> Literal:
        return Literal(f"not-{literal.name}", literal.arguments)

    def plain(literal: Literal) -> Literal:
        return opposite(literal) if literal.negated and literal.name in denied else literal

    def rewritten(one: Operator) -> Operator:
        added = [each for each in one.adds if each.name in denied]
        removed = [each for each in one.deletes if each.name in denied and each not in added]
        apart = {frozenset(each.arguments) for each in one.preconditions if each.name in (EQUALS, DIFFERENT)}
        for each, other in product(removed, added):
            if each.name != other.name or {each, other.negation()} <= {*one.preconditions}:
                continue
            pairs = [{*pair} for pair in zip(each.arguments, other.arguments, strict=True)]
            if not any(pair in apart for pair in pairs if len(pair) == 2):
                raise InputError(
                    f"{one.name} may add and delete the same {each.name}, which a condition negates; "
                    "add a condition that its parameters differ"
                )
        return replace(
            one,
            preconditions=tuple(map(plain, one.preconditions)),
            adds=(*one.adds, *map(opposite, removed)),
            deletes=(*one.deletes, *map(opposite, added)),
        )

    kinds = {name: domain.predicates.get(name, (OBJECT,) * n) for name, n in denied.items()}
    predicates = {**domain.predicates, **{f"not-{name}": kind for name, kind in kinds.items()}}
    facts = {
        opposite(fact)
        for name, types in kinds.items()
        for values in product(*(problem.things.get(kind, ()) for kind in types))
        if (fact := Literal(name, tuple(map(Constant, values)))) not in problem.initial
    }
    operators = tuple(map(rewritten, domain.operators))
    new = Domain(
        domain.name, operators, predicates if domain.predicates else {}, domain.types, domain.constants
    )
    return replace(problem, domain=new, initial=problem.initial | facts, goal=tuple(map(plain, problem.goal)))
