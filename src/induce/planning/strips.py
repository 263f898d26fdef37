"""Domains and problems without equality, for planners that know plain STRIPS only."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from induce.core.errors import InputError
from induce.logic.clauses import Literal
from induce.logic.terms import Constant
from induce.planning.domains import EQUALS, OBJECT, Domain, PlanningProblem

DIFFERENT = "different"


def without_equality(problem: PlanningProblem) -> PlanningProblem:
    """Return the problem with a predicate of its own, ``different``, in place of the conditions that things differ.

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
            f"a condition of {domain.name} says that two things are the same; use one variable for them"
        )
    if not any(each.name == EQUALS for each in conditions):
        return problem
    if DIFFERENT in domain.predicates:
        raise InputError(f"{domain.name} has a predicate {DIFFERENT} already; give it another name")

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
