"""Grounding: problems without variables, with facts as bits and actions as bit masks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from induce.logic.clauses import Literal
from induce.logic.substitution import Substitution
from induce.logic.terms import Constant, Term, Variable
from induce.planning.domains import EQUALS, Operator, PlanningProblem
from induce.planning.plans import Plan, Step

WORD = 64
Masks = NDArray[np.uint64]


@dataclass(frozen=True)
class Action:
    """Ground action.

    Parameters
    ----------
    operator : str
    arguments : tuple of str
    needs, forbids, adds, deletes : int
        Bit sets of facts: preconditions, negative preconditions, add effects and delete effects.
    parts : tuple of int
        Indices of the component actions of a macro-operator.
    """

    operator: str
    arguments: tuple[str, ...]
    needs: int
    forbids: int
    adds: int
    deletes: int
    parts: tuple[int, ...] = ()

    def applies(self, state: int) -> bool:
        """Return whether the action is applicable in a state."""
        return state & self.needs == self.needs and not state & self.forbids

    def after(self, state: int) -> int:
        """Return the state after the action."""
        return state & ~self.deletes | self.adds

    def __str__(self) -> str:
        return f"({' '.join((self.operator, *self.arguments))})"


@dataclass(frozen=True)
class Task:
    """Ground planning task with states as bit vectors.

    Parameters
    ----------
    facts : tuple of Literal
        Fact of each bit: the facts that some action can change and that can become true.
    actions : tuple of Action
        Actions that can become applicable.
    initial : int
    goal, avoided : int
        Facts that must be true and facts that must be false.
    solvable : bool
        False if the goal contains a fact that is never true, or negates a fact that is always true.
    """

    facts: tuple[Literal, ...]
    actions: tuple[Action, ...]
    initial: int
    goal: int
    avoided: int
    solvable: bool

    def reached(self, state: int) -> bool:
        """Return whether a state satisfies the goal."""
        return state & self.goal == self.goal and not state & self.avoided

    def steps(self, numbers: Iterable[int]) -> tuple[Step, ...]:
        """Return the steps of the given actions, with macro-operators expanded."""
        chosen = [one for number in numbers for one in self.actions[number].parts or (number,)]
        return tuple(Step(self.actions[one].operator, self.actions[one].arguments) for one in chosen)

    def plan(self, numbers: Sequence[int], expanded: int, generated: int) -> Plan:
        """Return the plan that the given actions form."""
        macros = tuple(self.actions[one].operator for one in numbers if self.actions[one].parts)
        return Plan(self.steps(numbers), expanded, generated, macros=macros)

    def state(self, state: int) -> frozenset[Literal]:
        """Return the changeable facts that are true in a state."""
        return frozenset(fact for place, fact in enumerate(self.facts) if state >> place & 1)

    @cached_property
    def masks(self) -> Masks:
        """Actions as words: the preconditions, negative preconditions, add effects and delete effects of each."""
        return np.array(
            [
                [self.words(part) for part in (one.needs, one.forbids, one.adds, one.deletes)]
                for one in self.actions
            ],
            np.uint64,
        ).reshape(len(self.actions), 4, self.n_words)

    @property
    def n_words(self) -> int:
        """Number of words per state."""
        return max(1, -(-len(self.facts) // WORD))

    def words(self, state: int) -> list[int]:
        """Return a state as words."""
        return [state >> (WORD * place) & (1 << WORD) - 1 for place in range(self.n_words)]


def ground(problem: PlanningProblem) -> Task:
    """Ground a problem to the actions that can become applicable and the facts that can change.

    Static facts are looked up while variables are bound, so a graph with a thousand roads yields a thousand
    actions rather than a million.
    """
    operators = problem.domain.operators
    changed = problem.domain.changed
    instances = [
        (operator, theta) for operator in operators for theta in _bindings(operator, problem, changed)
    ]
    reachable, usable = _relaxed(problem, instances, changed)
    facts = sorted(reachable, key=str)
    bits = {fact: 1 << place for place, fact in enumerate(facts)}

    def mask(literals: tuple[Literal, ...], theta: Substitution) -> int:
        return _union(bits.get(theta.apply(one), 0) for one in literals)

    actions = []
    for operator, theta in usable:
        dynamic = tuple(one for one in operator.preconditions if one.name in changed)
        adds = mask(operator.adds, theta)
        actions.append(
            Action(
                operator.name,
                tuple(_name(theta.apply(one)) for one in operator.parameters),
                mask(tuple(one for one in dynamic if not one.negated), theta),
                mask(tuple(one.negation() for one in dynamic if one.negated), theta),
                adds,
                mask(operator.deletes, theta) & ~adds,
            )
        )
    wanted = [one for one in problem.goal if not one.negated]
    denied = [one.negation() for one in problem.goal if one.negated]
    static = frozenset(one for one in problem.initial if one.name not in changed)
    solvable = all(one in bits or one in static for one in wanted) and not any(
        one in static for one in denied
    )
    return Task(
        tuple(facts),
        tuple(actions),
        _union(bits.get(one, 0) for one in problem.initial),
        _union(bits.get(one, 0) for one in wanted),
        _union(bits.get(one, 0) for one in denied),
        solvable,
    )


def _bindings(
    operator: Operator, problem: PlanningProblem, changed: frozenset[str]
) -> Iterator[Substitution]:
    """Yield the parameter bindings of an operator that types and static facts allow."""
    parameters = operator.parameters
    place_of = {variable: place for place, variable in enumerate(parameters)}
    checks: list[list[Literal]] = [[] for _ in range(len(parameters) + 1)]
    for literal in operator.preconditions:
        if literal.name not in changed:
            # a condition is tested as soon as all its variables are bound
            checks[max((place_of[one] + 1 for one in literal.variables()), default=0)].append(literal)
    domains = [problem.things.get(kind, ()) for kind in operator.types]

    def holds(literal: Literal, values: dict[Variable, Term]) -> bool:
        instance = Substitution(values).apply(literal)
        if literal.name == EQUALS:
            return (instance.arguments[0] == instance.arguments[1]) != literal.negated
        fact = instance.negation() if literal.negated else instance
        return (fact in problem.initial) != literal.negated

    def extend(place: int, values: dict[Variable, Term]) -> Iterator[Substitution]:
        if not all(holds(literal, values) for literal in checks[place]):
            return
        if place == len(parameters):
            yield Substitution(values)
            return
        for thing in domains[place]:
            yield from extend(place + 1, {**values, parameters[place]: Constant(thing)})

    return extend(0, {})


def _relaxed(
    problem: PlanningProblem, instances: list[tuple[Operator, Substitution]], changed: frozenset[str]
) -> tuple[set[Literal], list[tuple[Operator, Substitution]]]:
    """Return the facts reachable if nothing is ever deleted (delete relaxation), and the actions that they allow."""
    known = {one for one in problem.initial if one.name in changed}
    waiting: dict[int, int] = {}
    needed: dict[Literal, list[int]] = {}
    ready = []
    for number, (operator, theta) in enumerate(instances):
        conditions = {
            theta.apply(one) for one in operator.preconditions if one.name in changed and not one.negated
        }
        missing = conditions - known
        for one in missing:
            needed.setdefault(one, []).append(number)
        waiting[number] = len(missing)
        if not missing:
            ready.append(number)
    usable = []
    while ready:
        number = ready.pop()
        usable.append(number)
        operator, theta = instances[number]
        for literal in operator.adds:
            fact = theta.apply(literal)
            if fact in known:
                continue
            known.add(fact)
            for other in needed.get(fact, ()):
                waiting[other] -= 1
                if not waiting[other]:
                    ready.append(other)
    return known, [instances[number] for number in sorted(usable)]


def _union(bits: Iterator[int]) -> int:
    whole = 0
    for one in bits:
        whole |= one
    return whole


def _name(term: Term) -> str:
    assert isinstance(term, Constant)
    return str(term.value)
