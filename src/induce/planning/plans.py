"""Plans, their steps, and their validation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from induce.core.errors import InputError
from induce.logic.clauses import Literal
from induce.logic.substitution import Substitution
from induce.logic.terms import Constant
from induce.planning.domains import EQUALS, Operator, PlanningProblem


@dataclass(frozen=True)
class Step:
    """Step of a plan: a ground action.

    Parameters
    ----------
    operator : str
        Name of the operator.
    arguments : tuple of str
        Objects that replace the operator's parameters.
    """

    operator: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return f"({' '.join((self.operator, *self.arguments))})"


@dataclass(frozen=True)
class Plan:
    """Result of a search for a plan.

    Parameters
    ----------
    steps : tuple of Step, or None
        Steps of the plan; None if there is no plan or none was found.
    expanded : int
        Number of states expanded.
    generated : int
        Number of distinct states generated.
    complete : bool
        Whether the search was conclusive: it found a plan, or proved that there is none.
    macros : tuple of str
        Macro-operators used by the search; their steps are included in `steps`.
    """

    steps: tuple[Step, ...] | None
    expanded: int
    generated: int
    complete: bool = True
    macros: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.steps is not None

    def __len__(self) -> int:
        return len(self.steps or ())

    def __str__(self) -> str:
        if self.steps is None:
            return (
                "there is no plan" if self.complete else f"no plan was found within {self.expanded:,} nodes"
            )
        return "\n".join(map(str, self.steps)) or "nothing needs to be done"


def check_plan(problem: PlanningProblem, steps: Iterable[Step]) -> frozenset[Literal]:
    """Return the final state of a plan; raise an `InputError` if a step is inapplicable or the goal is not reached.

    The plan is validated against the original problem, not the ground task.

    Parameters
    ----------
    problem : PlanningProblem
        Problem that the plan should solve.
    steps : iterable of Step
        Steps of the plan.
    """
    state = problem.initial
    number = 0
    for number, step in enumerate(steps, 1):
        state = _after(state, instance_of(problem, step), f"step {number}, {step},")
    missing = next((one for one in problem.goal if not _holds(one, state)), None)
    if missing is not None:
        raise InputError(f"after {number} steps the goal {missing} does not hold")
    return state


def instance_of(problem: PlanningProblem, step: Step) -> Operator:
    """Return the operator of a step applied to its objects; raise an `InputError` if they do not fit."""
    operator = problem.domain.operator(step.operator)
    if len(step.arguments) != len(operator.parameters):
        raise InputError(
            f"{step} has {len(step.arguments)} arguments, but {step.operator} has "
            f"{len(operator.parameters)} parameters; give one object per parameter"
        )
    for thing, kind in zip(step.arguments, operator.types, strict=True):
        if thing not in problem.things.get(kind, ()):
            raise InputError(
                f"{step} uses {thing}, which is not of the type {kind}; give an object of that type"
            )
    values = zip(operator.parameters, map(Constant, step.arguments), strict=True)
    return operator.applied(Substitution(dict(values)))


def _after(state: frozenset[Literal], operator: Operator, where: str) -> frozenset[Literal]:
    missing = next((one for one in operator.preconditions if not _holds(one, state)), None)
    if missing is not None:
        raise InputError(f"{where} is not applicable: {missing} does not hold")
    return state - frozenset(operator.deletes) | frozenset(operator.adds)


def _holds(literal: Literal, state: frozenset[Literal]) -> bool:
    if literal.name == EQUALS:
        return (literal.arguments[0] == literal.arguments[1]) != literal.negated
    return (literal.negation() not in state) if literal.negated else literal in state
