"""Macro-operators: a plan as one operator (Fikes, Hart & Nilsson 1972; Mitchell §11.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from induce.core.errors import InputError
from induce.logic.clauses import Literal
from induce.logic.substitution import Substitution
from induce.logic.terms import Constant, Term, Variable
from induce.logic.unification import unify_all
from induce.planning.domains import EQUALS, Operator, PlanningProblem
from induce.planning.plans import Step, instance_of


def macro_operator(problem: PlanningProblem, steps: Sequence[Step], name: str | None = None) -> Operator:
    """Return the operator that has the effect of some steps of a plan, for all things of the same kinds.

    The things of each step become variables of their own. Two variables are the same only where a step uses what an
    earlier one has added; so the macro does not demand what merely happened to be the case in the plan. What a step
    needs and no earlier step adds must hold before the macro.

    Parameters
    ----------
    problem : PlanningProblem
    steps : sequence of Step
        They need not begin in the initial state of the problem.
    name : str, optional
        By default the names of the operators, joined by ``+``.
    """
    return generalised(problem, steps, name or "+".join(step.operator for step in steps)).macro


@dataclass(frozen=True)
class Generalised:
    """Steps of a plan with variables for their things.

    Parameters
    ----------
    macro : Operator
        The steps as one operator.
    steps : tuple of Operator
        Each step as an operator.
    parameters : tuple of tuple of Variable
        The parameters of each step, before some were identified.
    theta : Substitution
        Places of those that are equal.
    things : dict
        From the variables to the things of the plan.
    """

    macro: Operator
    steps: tuple[Operator, ...]
    parameters: tuple[tuple[Variable, ...], ...]
    theta: Substitution
    things: dict[Variable, Term]


def generalised(problem: PlanningProblem, steps: Sequence[Step], name: str) -> Generalised:
    """Return steps of a plan, and the operator that they make, for all things of the same kinds."""
    if not steps:
        raise InputError("a macro needs at least one step")
    for step in steps:
        instance_of(problem, step)
    general = [_renamed(problem.domain.operator(step.operator), number) for number, step in enumerate(steps)]
    theta = _shared(problem, steps, general)
    operators = [one.applied(theta) for one in general]
    things: dict[Variable, Term] = {}
    for operator, step in zip(general, steps, strict=True):
        for variable, thing in zip(operator.parameters, step.arguments, strict=True):
            left = theta.apply(variable)
            if isinstance(left, Variable):
                things[left] = Constant(thing)
    macro = _composed(problem, operators, name)
    return Generalised(macro, tuple(operators), tuple(one.parameters for one in general), theta, things)


def _renamed(operator: Operator, number: int) -> Operator:
    names = {one: Variable(f"{one.name}{number + 1}") for one in operator.parameters}
    return operator.applied(Substitution(names))


def _shared(problem: PlanningProblem, steps: Sequence[Step], general: Sequence[Operator]) -> Substitution:
    """Return what identifies the variables of what a step adds with those of a later step that needs it."""
    pairs: list[tuple[Term, Term]] = []
    provided: dict[Literal, Literal] = {}
    for step, operator in zip(steps, general, strict=True):
        ground = instance_of(problem, step)
        for literal, fact in zip(operator.preconditions, ground.preconditions, strict=True):
            source = provided.get(fact)
            if source is not None and not literal.negated and literal.name != EQUALS:
                pairs.extend(zip(source.arguments, literal.arguments, strict=True))
        for fact in ground.deletes:
            provided.pop(fact, None)
        provided.update(zip(ground.adds, operator.adds, strict=True))
    theta = unify_all(pairs)
    assert theta is not None, "an instance of the plan exists"
    return theta


def _composed(problem: PlanningProblem, operators: Sequence[Operator], name: str) -> Operator:
    """Return the operator of some operators, one after the other."""
    domain = problem.domain
    before: dict[Literal, None] = {}
    adds: dict[Literal, None] = {}
    deletes: dict[Literal, None] = {}
    for operator in operators:
        for condition in operator.preconditions:
            if condition.negation() in adds if condition.negated else condition in deletes:
                raise InputError(
                    f"the steps do not fit together: {condition} does not hold before {operator.name}"
                )
            provided = condition.negation() in deletes if condition.negated else condition in adds
            if not provided:
                before[condition] = None
        for literal in operator.deletes:
            if literal in operator.adds:
                continue
            # what a step added is gone again; it may have held before the macro, too
            passing = literal in adds
            adds.pop(literal, None)
            if not (passing and _excluded(literal, before, problem)):
                deletes[literal] = None
        for literal in operator.adds:
            deletes.pop(literal, None)
            adds[literal] = None
    types: dict[Variable, str] = {}
    for operator in operators:
        for variable, kind in zip(operator.parameters, operator.types, strict=True):
            # of two types the one below the other
            if variable not in types or types[variable] in domain.above(kind):
                types[variable] = kind
    # what is added although it must hold before is nothing new
    kept = tuple(one for one in adds if one not in before)
    return Operator(name, tuple(types), tuple(types.values()), tuple(before), kept, tuple(deletes))


def _excluded(literal: Literal, before: Iterable[Literal], problem: PlanningProblem) -> bool:
    """Say whether a literal cannot hold before a macro because another one does: a robot is in one room only."""
    held = any(one.name == literal.name and not one.negated and one != literal for one in before)
    return held and _at_most_one(literal.name, problem)


def _at_most_one(predicate: str, problem: PlanningProblem) -> bool:
    """Say whether never more than one fact of a predicate holds: one at first, and every new one replaces one."""
    if sum(fact.name == predicate for fact in problem.initial) != 1:
        return False
    for operator in problem.domain.operators:
        added = sum(one.name == predicate for one in operator.adds)
        replaced = [
            one for one in operator.deletes if one.name == predicate and one in operator.preconditions
        ]
        if added > len(replaced):
            return False
    return True
