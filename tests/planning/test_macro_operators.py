"""Macro-operators: applied, they do what their steps do; planned with, saved and written as PDDL."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.core.persistence import load_hypothesis
from induce.logic.terms import Constant
from induce.planning import (
    Macro,
    MacroOperators,
    PlanningProblem,
    Step,
    best_first,
    breadth_first,
    check_plan,
    macro_operator,
    means_ends,
    random_problem,
    read_domain,
    without_equality,
    write_domain,
)
from induce.planning.domains import BLOCKS
from induce.planning.grounding import ground
from induce.planning.macro_operators import macro_of, with_macros
from induce.planning.plans import instance_of

SIZES = {"blocks": 4, "two-rooms": 3, "logistics": 2, "eight-puzzle": 6}
SEARCHES = (breadth_first, best_first, means_ends)


def walked(domain: str, seed: int, n: int) -> tuple[PlanningProblem, list[Step]]:
    """A problem, and some steps that can be done in it."""
    problem = random_problem(domain, SIZES[domain], seed)
    task, rng = ground(problem), random.Random(seed)
    state, steps = task.initial, []
    for _ in range(n):
        able = [number for number, one in enumerate(task.actions) if one.applies(state)]
        if not able:
            break
        number = rng.choice(able)
        state = task.actions[number].after(state)
        steps += task.steps([number])
    return problem, steps


def after(problem: PlanningProblem, state, steps):
    """What holds after some steps from a state; None if one cannot be done."""
    try:
        return check_plan(PlanningProblem(problem.domain, problem.objects, state, ()), steps)
    except InputError:
        return None


@settings(max_examples=25)
@given(st.sampled_from(sorted(SIZES)), st.integers(0, 10_000), st.integers(2, 4), st.randoms())
def test_a_macro_applied_equals_its_steps_applied(domain, seed, n, rng):
    """For any things in place of its variables, the same thing twice among them."""
    problem, steps = walked(domain, seed, n)
    operator = macro_operator(problem, steps, "macro")
    macro = macro_of(problem, steps)
    exact = macro.operator(problem.domain)
    states = [problem.initial]
    for step in steps:
        one = instance_of(problem, step)
        states.append(states[-1] - frozenset(one.deletes) | frozenset(one.adds))
    wider = PlanningProblem(
        problem.domain.with_operators(operator, replace(exact, name="exact")),
        problem.objects,
        problem.initial,
        (),
    )
    for name, each in (("macro", operator), ("exact", exact)):
        for _ in range(10):
            things = {
                one: rng.choice(problem.things[kind])
                for one, kind in zip(each.parameters, each.types, strict=True)
            }
            state = rng.choice(states)
            done = after(wider, state, [Step(name, tuple(things.values()))])
            if done is None:
                continue
            if name == "exact":
                taken = [
                    Step(
                        op,
                        tuple(
                            str(term.value) if isinstance(term, Constant) else things[term] for term in terms
                        ),
                    )
                    for op, terms in macro.parsed
                ]
            else:
                taken = _taken(problem, steps, each, things)
            assert done == after(problem, state, taken)


def _taken(problem, steps, operator, things):
    """The steps of a macro with some things for its variables."""
    from induce.planning.macros import generalised

    whole = generalised(problem, steps, "macro")
    assert whole.macro == operator
    return [
        Step(step.operator, tuple(things[whole.theta.apply(one)] for one in parameters))
        for step, parameters in zip(steps, whole.parameters, strict=True)
    ]


@settings(max_examples=15)
@given(st.sampled_from(sorted(SIZES)), st.integers(0, 10_000), st.integers(2, 4))
def test_every_instance_does_what_its_steps_do(domain, seed, n):
    problem, steps = walked(domain, seed, n)
    task = ground(problem)
    wider = with_macros(task, [macro_of(problem, steps)])
    for action in wider.actions[len(task.actions) :][:50]:
        # the state in which just what the macro needs holds
        state = action.needs
        assert action.applies(state)
        by_steps = state
        for number in action.parts:
            assert task.actions[number].applies(by_steps)
            by_steps = task.actions[number].after(by_steps)
        assert action.after(state) == by_steps


def test_things_that_must_differ():
    """Nothing is stacked on itself, although no step of the plan says so."""
    problem = random_problem("blocks", 3)
    macro = macro_operator(problem, [Step("pick-up", ("b1",)), Step("stack", ("b1", "b2"))])
    assert str(macro) == (
        "pick-up--stack(X1, Y2): clear(X1), ontable(X1), handempty, clear(Y2), Y2 != X1 "
        "=> +on(X1, Y2), -ontable(X1), -holding(X1), -clear(Y2)"
    )


@settings(max_examples=8)
@given(st.sampled_from(sorted(SIZES)), st.integers(0, 1_000))
def test_plans_with_macros_reach_their_goal(domain, seed):
    problem, steps = walked(domain, seed, 3)
    macros = MacroOperators(write_domain(problem.domain), (macro_of(problem, steps),))
    task = macros.task(problem)
    for search in SEARCHES:
        plan = search(task, max_nodes=2_000)
        if plan:
            check_plan(problem, plan.steps)
    if breadth_first(problem, 2_000):
        assert breadth_first(task, 2_000)


def test_macros_are_read_and_written(tmp_path):
    learner = induce.MacroLearner(analysis_problems=5).learn(
        [random_problem("two-rooms", 4 + seed % 3, seed) for seed in range(5)]
    )
    unpaid = induce.MacroLearner(analysis=False, max_macros=3).learn(
        [random_problem("blocks", 4, seed) for seed in range(5)]
    )
    assert len(learner.hypothesis_.macros) <= learner.hypothesis_.n_taken <= learner.hypothesis_.n_chances
    macros = unpaid.hypothesis_
    assert len(macros.macros) == 3
    path = tmp_path / "macros.induce"
    induce.save(unpaid, path)
    again = load_hypothesis(path)
    assert again == macros
    assert str(again) == str(macros)
    problem = random_problem("blocks", 5, 1)
    assert best_first(again.task(problem)) == best_first(macros.task(problem))
    # any planner that reads PDDL has the macros as operators
    wider = read_domain(macros.to_pddl())
    assert wider.operators[4:] == macros.operators
    assert macros.written("pddl") == macros.to_pddl()
    plain = without_equality(PlanningProblem(wider, problem.objects, problem.initial, problem.goal))
    assert "=" not in write_domain(plain.domain)
    found = breadth_first(plain)
    check_plan(plain, found.steps)
    assert "kept for best-first search" in macros.report()
    assert macros.draw() is not None


def test_macros_must_pay():
    """The robot carries boxes: breadth-first search needs a fraction of its nodes on larger problems."""
    problems = [random_problem("two-rooms", 6 + seed % 2, seed) for seed in range(10)]
    macros = induce.MacroLearner(search="breadth-first").learn(problems).hypothesis_
    assert macros.macros
    for macro in macros.macros:
        assert macro.utility > 0
        assert macro.saved - macro.cost == pytest.approx(macro.utility)
        assert macro.n_used
    larger = random_problem("two-rooms", 9, 99)
    assert breadth_first(macros.task(larger)).expanded < breadth_first(larger).expanded


def test_bad_macros():
    with pytest.raises(InputError, match="at least one planning problem"):
        induce.MacroLearner().learn([])
    with pytest.raises(InputError, match="for the domain blocks, not for logistics"):
        MacroOperators(BLOCKS).task(random_problem("logistics", 2))
    with pytest.raises(InputError, match="there is no operator 'fly'"):
        str(MacroOperators(BLOCKS, (Macro("m", ("(fly ?x)", "(pick-up ?x)")),)))
