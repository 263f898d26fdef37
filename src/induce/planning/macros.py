"""Macro-operators: plans generalised to single operators (Fikes, Hart & Nilsson 1972; Mitchell §11.5)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from induce.core.errors import InputError
from induce.logic.clauses import Literal
from induce.logic.substitution import Substitution
from induce.logic.terms import Constant, Term, Variable
from induce.logic.unification import unify_all
from induce.planning.domains import EQUALS, OBJECT, Domain, Operator, PlanningProblem
from induce.planning.plans import Step, instance_of


def macro_operator(problem: PlanningProblem, steps: Sequence[Step], name: str | None = None) -> Operator:
    """Return the operator with the combined effect of some plan steps, for all objects of the same types.

    The objects of each step become separate variables. Two variables are identified only where a step uses a
    fact that an earlier step added, so the macro does not require conditions that held in the plan only by
    coincidence. Preconditions that no earlier step adds must be true before the macro. Objects must differ
    where steps would otherwise undo each other's effects.

    Parameters
    ----------
    problem : PlanningProblem
        Problem that the steps belong to.
    steps : sequence of Step
        Steps of the plan; they need not start in the initial state of the problem.
    name : str, optional
        Name of the macro; by default the operator names, joined by ``--``.
    """
    return generalised(problem, steps, name or "--".join(step.operator for step in steps)).macro


@dataclass(frozen=True)
class Generalised:
    """Plan steps with variables in place of objects.

    Parameters
    ----------
    macro : Operator
        Combined operator of the steps.
    steps : tuple of Operator
        Each step as an operator.
    parameters : tuple of tuple of Variable
        Parameters of each step, before any were identified.
    theta : Substitution
        Substitution that identifies equal parameters.
    things : dict
        Mapping from the variables to the objects of the plan.
    """

    macro: Operator
    steps: tuple[Operator, ...]
    parameters: tuple[tuple[Variable, ...], ...]
    theta: Substitution
    things: dict[Variable, Term]


def generalised(
    problem: PlanningProblem, steps: Sequence[Step], name: str, same_facts: bool = False
) -> Generalised:
    """Return generalised plan steps and their combined operator, for all objects of the same types.

    With `same_facts`, a changeable fact that several steps require remains a single fact: for example, a
    robot that is where the box is leaves from there.
    """
    if not steps:
        raise InputError("a macro has no steps; give at least one")
    for step in steps:
        instance_of(problem, step)
    general = [_renamed(problem.domain.operator(step.operator), number) for number, step in enumerate(steps)]
    theta = _shared(problem, steps, general, same_facts)
    operators = [one.applied(theta) for one in general]
    things: dict[Variable, Term] = {}
    for operator, step in zip(general, steps, strict=True):
        for variable, thing in zip(operator.parameters, step.arguments, strict=True):
            left = theta.apply(variable)
            if isinstance(left, Variable):
                things[left] = Constant(thing)
    macro = composed(problem.domain, operators, name, things, _single(problem))
    return Generalised(macro, tuple(operators), tuple(one.parameters for one in general), theta, things)


def _renamed(operator: Operator, number: int) -> Operator:
    names = {one: Variable(f"{one.name}{number + 1}") for one in operator.parameters}
    return operator.applied(Substitution(names))


def _shared(
    problem: PlanningProblem, steps: Sequence[Step], general: Sequence[Operator], same_facts: bool
) -> Substitution:
    """Return the substitution that unifies facts added by a step with conditions of later steps."""
    changed = problem.domain.changed if same_facts else frozenset()
    pairs: list[tuple[Term, Term]] = []
    provided: dict[Literal, Literal] = {}
    for step, operator in zip(steps, general, strict=True):
        ground = instance_of(problem, step)
        for literal, fact in zip(operator.preconditions, ground.preconditions, strict=True):
            source = provided.get(fact)
            if source is not None and not literal.negated and literal.name != EQUALS:
                pairs.extend(zip(source.arguments, literal.arguments, strict=True))
            elif literal.name in changed and not literal.negated:
                provided[fact] = literal
        for fact in ground.deletes:
            provided.pop(fact, None)
        provided.update(zip(ground.adds, operator.adds, strict=True))
    theta = unify_all(pairs)
    assert theta is not None, "an instance of the plan exists"
    return theta


def composed(
    domain: Domain,
    operators: Sequence[Operator],
    name: str,
    things: Mapping[Variable, Term] | None = None,
    single: frozenset[str] = frozenset(),
) -> Operator:
    """Compose operators in sequence into one operator.

    Parameters
    ----------
    domain : Domain
    operators : sequence of Operator
        Operators to compose; equal variables denote the same object.
    name : str
    things : dict, optional
        Values of the variables in an example, which the inequality conditions must allow.
    single : frozenset of str
        Predicates of which at most one fact is true at any time.
    """
    types: dict[Variable, str] = {}
    for operator in operators:
        for variable, kind in zip(operator.parameters, operator.types, strict=True):
            # keep the subtype of the two types
            if variable not in types or types[variable] in domain.above(kind):
                types[variable] = kind
    before: dict[Literal, None] = {}
    # what each literal was last set to: the step, and whether it was added
    last: dict[Literal, tuple[int, bool]] = {}
    clashes: list[tuple[Literal, Literal]] = []
    for number, operator in enumerate(operators):
        for condition in operator.preconditions:
            fact = condition.negation() if condition.negated else condition
            if condition.name == EQUALS:
                before[condition] = None
                continue
            since, holds = last.get(fact, (-1, not condition.negated))
            if holds == condition.negated:
                raise InputError(
                    f"the steps do not form a plan: {condition} does not hold before {operator.name}"
                )
            # another literal that a step set to the opposite value might denote the same fact
            clashes += [
                (fact, other)
                for other, (step, added) in last.items()
                if other != fact and step > since and added == condition.negated
            ]
            if fact not in last:
                before[condition] = None
        for literal in operator.deletes:
            if literal not in operator.adds:
                last[literal] = number, False
        for literal in operator.adds:
            last[literal] = number, True
    adds = [literal for literal, (_, added) in last.items() if added]
    deletes = [
        literal
        for literal, (_, added) in last.items()
        # a fact that one step added and another deleted may also have held before the macro
        if not added and not _excluded(literal, before, operators, single)
    ]
    # a fact that one operator both adds and deletes holds afterwards, so a literal deleted later must denote
    # another fact
    clashes += [
        (literal, other) for literal in adds for other in deletes if last[other][0] > last[literal][0]
    ]
    for one, other in clashes:
        if _may_be_same(domain, types, before, one, other):
            before[_difference(one, other, things)] = None
    # adding a fact that is also a precondition changes nothing, unless it may have been deleted in between
    kept = tuple(
        one
        for one in adds
        if one not in before or any(_may_be_same(domain, types, before, one, other) for other in deletes)
    )
    return Operator(name, tuple(types), tuple(types.values()), tuple(before), kept, tuple(deletes))


def _may_be_same(
    domain: Domain, types: Mapping[Variable, str], before: Container[Literal], one: Literal, other: Literal
) -> bool:
    """Return whether two literals of a macro may denote the same fact."""

    def kind(term: Term) -> str:
        return types[term] if isinstance(term, Variable) else domain.constants.get(str(term), OBJECT)

    def may_be(a: Term, b: Term) -> bool:
        if a == b or (isinstance(a, Constant) and isinstance(b, Constant)):
            return a == b
        if any(Literal(EQUALS, pair, negated=True) in before for pair in ((a, b), (b, a))):
            return False
        return kind(a) in domain.above(kind(b)) or kind(b) in domain.above(kind(a))

    return one.predicate == other.predicate and all(map(may_be, one.arguments, other.arguments))


def _difference(one: Literal, other: Literal, things: Mapping[Variable, Term] | None) -> Literal:
    """Return an inequality that keeps two literals distinct: between the first terms that differ in the example."""

    def thing(term: Term) -> Term:
        return (things or {}).get(term, term) if isinstance(term, Variable) else term

    pairs = [pair for pair in zip(one.arguments, other.arguments, strict=True) if pair[0] != pair[1]]
    different = next((pair for pair in pairs if thing(pair[0]) != thing(pair[1])), pairs[0])
    return Literal(EQUALS, different, negated=True)


def _excluded(
    literal: Literal, before: Iterable[Literal], operators: Sequence[Operator], single: frozenset[str]
) -> bool:
    """Return whether a literal is false before a macro because another is true, such as a robot's other room."""
    passing = any(literal in one.adds for one in operators)
    return (
        passing
        and literal.name in single
        and any(one.name == literal.name and not one.negated and one != literal for one in before)
    )


def _single(problem: PlanningProblem) -> frozenset[str]:
    """Return the predicates with exactly one true fact, initially and after every action."""
    found = {
        name for name in problem.domain.changed if sum(fact.name == name for fact in problem.initial) == 1
    }
    for operator in problem.domain.operators:
        for name in tuple(found):
            added = sum(one.name == name for one in operator.adds)
            replaced = sum(one.name == name and one in operator.preconditions for one in operator.deletes)
            if added > replaced:
                found.discard(name)
    return frozenset(found)
