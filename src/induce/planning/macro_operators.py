"""Macro-operators used by a planner in addition to the domain operators (Fikes, Hart & Nilsson 1972)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.hypothesis import Hypothesis
from induce.logic.substitution import Substitution, fresh_variables
from induce.logic.terms import Constant, Term, Variable
from induce.planning.domains import Domain, Operator, PlanningProblem
from induce.planning.grounding import Action, Task, ground
from induce.planning.macros import composed, generalised
from induce.planning.pddl import parsed_terms, read_domain, write_domain, written_terms
from induce.planning.pictures import utility_bars
from induce.planning.plans import Step

MOST_INSTANCES = 20
"""Maximum number of macro instances per action of a problem; a macro with more is not used."""


@dataclass(frozen=True)
class Macro:
    """Macro-operator: a sequence of steps executed together.

    Parameters
    ----------
    name : str
        Name of the macro.
    steps : tuple of str
        Steps as PDDL; equal variables denote the same object.
    n_seen : int
        Number of times the steps occurred in plans of training problems.
    n_used : int
        Number of times the planner used the macro in training.
    saved : float
        Mean number of nodes saved per training problem; the cost of the macro is not subtracted.
    cost : float
        Cost of the macro per training problem, in nodes.
    utility, margin : float
        Nodes saved minus cost per problem, and half-width of its 95 % confidence interval.
    """

    name: str
    steps: tuple[str, ...]
    n_seen: int = 0
    n_used: int = 0
    saved: float = 0.0
    cost: float = 0.0
    utility: float = 0.0
    margin: float = 0.0

    @cached_property
    def parsed(self) -> tuple[tuple[str, tuple[Term, ...]], ...]:
        """Name and arguments of each step."""
        return tuple(map(parsed_terms, self.steps))

    def operator(self, domain: Domain) -> Operator:
        """Return the macro as an operator of a domain."""
        steps = []
        for name, arguments in self.parsed:
            one = domain.operator(name)
            steps.append(one.applied(Substitution(dict(zip(one.parameters, arguments, strict=True)))))
        return composed(domain, steps, self.name)

    def report(self) -> str:
        """Return the record of the macro: its use and its utility."""
        return (
            f"found {self.n_seen:,} times, used {self.n_used:,} times; per problem {self.saved:.1f} "
            f"nodes saved, cost {self.cost:.1f}, utility {self.utility:.1f} ± {self.margin:.1f}"
        )

    def __str__(self) -> str:
        shown = [f"{name}({', '.join(map(str, terms))})" for name, terms in self.parsed]
        return f"{self.name} = {', '.join(shown)}"


def macro_of(problem: PlanningProblem, steps: Sequence[Step]) -> Macro:
    """Return the macro for some steps of a plan; its variables are named A, B, … in order.

    Examples
    --------
    >>> from induce.planning.problems import random_problem
    >>> print(macro_of(random_problem("blocks", 3), [Step("pick-up", ("b1",)), Step("stack", ("b1", "b2"))]))
    pick-up--stack = pick-up(A), stack(A, B)
    """
    whole = generalised(problem, steps, "--".join(step.operator for step in steps), same_facts=True)
    texts = [tuple(whole.theta.apply(one) for one in each) for each in whole.parameters]
    variables = dict.fromkeys(one for each in texts for one in each if isinstance(one, Variable))
    names = Substitution(dict(zip(variables, fresh_variables(), strict=False)))
    return Macro(
        whole.macro.name,
        tuple(
            written_terms(step.operator, tuple(map(names.apply, terms)))
            for step, terms in zip(steps, texts, strict=True)
        ),
    )


@dataclass(frozen=True, eq=False)
class MacroOperators(Hypothesis):
    """Macro-operators that a planner uses like single steps.

    Parameters
    ----------
    domain : str
        PDDL text of the domain.
    macros : tuple of Macro
        Macros, with their training records.
    search : str
        Search algorithm that the macros were learned for.
    n_chances : int
        Number of distinct macros found in plans of training problems.
    n_taken : int
        Number of macros with positive estimated utility.
    n_problems : int
        Number of training problems.

    Examples
    --------
    >>> from induce.planning import best_first, random_problem
    >>> from induce.planning.domains import BLOCKS
    >>> macros = MacroOperators(BLOCKS, (Macro("move", ("(unstack ?x ?y)", "(stack ?x ?z)")),))
    >>> print(macros)
    move(X, Y, Z): on(X, Y), clear(X), handempty, clear(Z), Z != X, Y != Z => +clear(Y), +on(X, Z), -on(X, Y), ...
    >>> problem = random_problem("blocks", 4, 2)
    >>> plan = best_first(macros.task(problem))
    >>> len(plan), plan.macros
    (10, ('move', 'move'))
    """

    domain: str
    macros: tuple[Macro, ...] = ()
    search: str = "best-first"
    n_chances: int = 0
    n_taken: int = 0
    n_problems: int = 0

    @cached_property
    def read_domain(self) -> Domain:
        """Domain without the macros."""
        return read_domain(self.domain)

    @cached_property
    def operators(self) -> tuple[Operator, ...]:
        """Macros as operators of the domain."""
        return tuple(one.operator(self.read_domain) for one in self.macros)

    def task(self, problem: PlanningProblem | Task) -> Task:
        """Return a ground task in which the macros can be applied like single actions.

        Plans are found by the searches of `induce.planning` and consist of steps of the domain.
        """
        if isinstance(problem, PlanningProblem):
            if problem.domain.name != self.read_domain.name:
                raise InputError(
                    f"the macros are for the domain {self.read_domain.name}, not for "
                    f"{problem.domain.name}; give a problem of that domain"
                )
            problem = ground(problem)
        return with_macros(problem, self.macros)

    def to_pddl(self) -> str:
        """Return the domain with the macros as PDDL."""
        return write_domain(self.read_domain.with_operators(*self.operators))

    def size(self) -> str:
        """Return the number of macros."""
        return f"{len(self.macros)} macro-operator{'' if len(self.macros) == 1 else 's'}"

    def parts(self) -> Parts:
        """Return the total number of steps."""
        return Parts(sum(len(one.steps) for one in self.macros), "steps")

    def draw(self) -> Any:
        """Return a matplotlib figure of each macro's savings and cost per problem."""
        return utility_bars(
            self.macros, f"{self.read_domain.name}: {self.size()}", "nodes per problem", "cost"
        )

    def report(self) -> str:
        """Return the macros as operators, with their records."""
        lines = [
            f"{self.n_problems:,} problems, {self.n_chances:,} different macros found, "
            f"{self.n_taken:,} promising, {len(self.macros):,} kept for {self.search} search"
        ]
        for number, (macro, operator) in enumerate(zip(self.macros, self.operators, strict=True), 1):
            lines += [f"{number}. {operator}", f"   {macro}", f"   {macro.report()}"]
        return "\n".join(lines)

    def __str__(self) -> str:
        return "\n".join(map(str, self.operators)) or "no macro-operators"


def with_macros(task: Task, macros: Sequence[Macro]) -> Task:
    """Return a task with macro instances added after its own actions.

    Macros are composed of ground actions, so that a macro has exactly the effects of its steps for any
    binding. Instances equivalent to another action are omitted.
    """
    actions = [*task.actions]
    seen = {(one.needs, one.forbids, one.adds, one.deletes) for one in actions}
    for macro in macros:
        found = []
        for instance in instances(task, macro):
            effect = instance.needs, instance.forbids, instance.adds, instance.deletes
            if effect not in seen:
                seen.add(effect)
                found.append(instance)
                if len(found) > MOST_INSTANCES * len(task.actions):
                    found = []
                    break
        actions += found
    return replace(task, actions=tuple(actions))


def instances(task: Task, macro: Macro) -> Iterator[Action]:
    """Yield the instances of a macro in a task that change the state."""
    by_operator: dict[str, list[int]] = {}
    for number, action in enumerate(task.actions):
        if not action.parts:
            by_operator.setdefault(action.operator, []).append(number)
    # for each step, the positions of arguments known before it, and its actions by the values at these
    # positions
    known: dict[Variable, None] = {}
    indices = []
    for operator, terms in macro.parsed:
        places = [place for place, term in enumerate(terms) if isinstance(term, Constant) or term in known]
        known |= dict.fromkeys(term for term in terms if isinstance(term, Variable))
        index: dict[tuple[str, ...], list[int]] = {}
        for number in by_operator.get(operator, ()):
            arguments = task.actions[number].arguments
            index.setdefault(tuple(arguments[place] for place in places), []).append(number)
        indices.append(([terms[place] for place in places], index))

    def extended(done: Action, values: dict[Term, str]) -> Iterator[Action]:
        place = len(done.parts)
        if place == len(indices):
            if done.adds & ~done.needs or done.deletes:
                yield replace(done, arguments=tuple(values[one] for one in known))
            return
        wanted, index = indices[place]
        _, terms = macro.parsed[place]
        key = tuple(str(one) if isinstance(one, Constant) else values[one] for one in wanted)
        for number in index.get(key, ()):
            action = task.actions[number]
            longer = then(done, action, number)
            if longer is not None:
                new = dict(zip(terms, action.arguments, strict=True))
                if all(values.get(term, thing) == thing for term, thing in new.items()):
                    yield from extended(longer, values | new)

    yield from extended(Action(macro.name, (), 0, 0, 0, 0), {})


def then(done: Action, action: Action, number: int) -> Action | None:
    """Return a partial macro extended by one action; None if the preceding steps make the action inapplicable."""
    needs = done.needs | action.needs & ~done.adds
    forbids = done.forbids | action.forbids & ~done.deletes
    if action.needs & done.deletes or action.forbids & done.adds or needs & forbids:
        return None
    return Action(
        done.operator,
        (),
        needs,
        forbids,
        done.adds & ~action.deletes | action.adds,
        done.deletes & ~action.adds | action.deletes,
        (*done.parts, number),
    )


def macro_operators(found: Any, where: Any) -> MacroOperators:
    """Return an object read from a file if it is a set of macro-operators; otherwise raise an `InputError`."""
    if not isinstance(found, MacroOperators):
        raise InputError(f"{where} does not contain macro-operators; learn them with induce plan --macros")
    return found
