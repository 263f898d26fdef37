"""Operators, PDDL, search, regression and macros."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.logic import parse_literal
from induce.planning import (
    Plan,
    PlanningProblem,
    Step,
    best_first,
    breadth_first,
    check_plan,
    macro_operator,
    random_problem,
    read_domain,
    read_problem,
    regress_goals,
    without_equality,
    write_domain,
    write_problem,
)
from induce.planning.domains import BLOCKS
from induce.planning.grounding import ground
from induce.planning.strips import without_negation

DOMAIN = read_domain(BLOCKS)
ROOMS = """
(define (domain rooms) (:requirements :strips :typing)
  (:types box room door)
  (:predicates (robot ?r - room) (in ?b - box ?r - room) (connects ?d - door ?a ?b - room))
  (:action gothru :parameters (?d - door ?a ?b - room)
    :precondition (and (robot ?a) (connects ?d ?a ?b))
    :effect (and (robot ?b) (not (robot ?a))))
  (:action pushthru :parameters (?b - box ?d - door ?r ?s - room)
    :precondition (and (robot ?r) (in ?b ?r) (connects ?d ?r ?s))
    :effect (and (robot ?s) (in ?b ?s) (not (robot ?r)) (not (in ?b ?r)))))
"""
TWO_ROOMS = """
(define (problem two) (:domain rooms) (:objects b1 - box d1 - door r1 r2 - room)
  (:init (robot r1) (in b1 r2) (connects d1 r1 r2) (connects d1 r2 r1)) (:goal (in b1 r1)))
"""


def blocks(n: int, seed: int) -> PlanningProblem:
    rng = random.Random(seed)

    def towers() -> list[list[str]]:
        names = [f"b{i}" for i in range(n)]
        rng.shuffle(names)
        found: list[list[str]] = []
        for name in names:
            if found and rng.random() < 0.6:
                rng.choice(found).append(name)
            else:
                found.append([name])
        return found

    def facts(stacks: list[list[str]]) -> list[str]:
        on = [f"on({a}, {b})" for stack in stacks for b, a in pairwise(stack)]
        return [*on, *(f"ontable({stack[0]})" for stack in stacks)]

    first, last = towers(), towers()
    clear = [f"clear({stack[-1]})" for stack in first]
    start = frozenset(map(parse_literal, [*facts(first), *clear, "handempty"]))
    objects = {f"b{i}": "object" for i in range(n)}
    return PlanningProblem(DOMAIN, objects, start, tuple(map(parse_literal, facts(last))))


@given(st.integers(1, 4), st.integers(0, 10_000))
def test_plans_reach_their_goal_and_breadth_first_is_shortest(n, seed):
    problem = blocks(n, seed)
    shortest, quick = breadth_first(problem), best_first(problem)
    assert shortest
    assert quick
    check_plan(problem, shortest.steps)
    check_plan(problem, quick.steps)
    assert len(shortest) <= len(quick)
    by_goals = best_first(problem, "goals")
    assert by_goals
    assert len(by_goals) >= len(shortest)


def test_a_larger_tower():
    problem = blocks(5, 3)
    plan = breadth_first(problem)
    check_plan(problem, plan.steps)
    assert plan.complete
    assert plan.generated >= plan.expanded


def test_nothing_to_do_and_no_plan():
    problem = blocks(3, 1)
    done = PlanningProblem(DOMAIN, problem.objects, problem.initial, ())
    assert str(breadth_first(done)) == "nothing needs to be done"
    never = PlanningProblem(
        DOMAIN, problem.objects, problem.initial, (parse_literal("on(b0, b1)"), parse_literal("on(b1, b0)"))
    )
    for search in (breadth_first, best_first):
        plan = search(never)
        assert not plan
        assert plan.complete
        assert str(plan) == "there is no plan"
    short = breadth_first(never, max_nodes=3)
    assert not short.complete
    assert str(short) == "no plan was found within 3 nodes"
    static = PlanningProblem(
        read_domain(ROOMS),
        {"b": "box", "d": "door", "r": "room"},
        frozenset(),
        (parse_literal("connects(d, r, r)"),),
    )
    assert breadth_first(static) == Plan(None, 0, 1)


def test_facts_that_never_change_are_looked_up():
    problem = read_problem(TWO_ROOMS, read_domain(ROOMS))
    task = ground(problem)
    # one door, two ways: four actions of the robot and the box
    assert len(task.actions) == 4
    assert {fact.name for fact in task.facts} == {"robot", "in"}
    plan = breadth_first(problem)
    assert list(map(str, plan.steps)) == ["(gothru d1 r1 r2)", "(pushthru b1 d1 r2 r1)"]


def test_negative_preconditions_and_equality():
    domain = read_domain(
        """
        (define (domain lamps) (:requirements :strips :negative-preconditions :equality)
          (:predicates (lit ?x))
          (:action light :parameters (?x ?y)
            :precondition (and (not (lit ?x)) (lit ?y) (not (= ?x ?y))) :effect (lit ?x))
          (:action dark :parameters (?x) :precondition (lit ?x) :effect (not (lit ?x))))
        """
    )
    start = frozenset([parse_literal("lit(a)")])
    goal = (parse_literal("lit(b)"), parse_literal("lit(a)").negation())
    problem = PlanningProblem(domain, {"a": "object", "b": "object"}, start, goal)
    plan = breadth_first(problem)
    assert list(map(str, plan.steps)) == ["(light b a)", "(dark a)"]
    check_plan(problem, plan.steps)
    assert read_domain(write_domain(domain)) == domain


def test_pddl_is_written_as_it_is_read():
    for text in (BLOCKS, ROOMS):
        domain = read_domain(text)
        again = read_domain(write_domain(domain))
        assert again.operators == domain.operators
        assert again.types == domain.types
    problem = read_problem(TWO_ROOMS, read_domain(ROOMS))
    assert read_problem(write_problem(problem), problem.domain) == problem


def test_pddl_files(tmp_path):
    path = tmp_path / "blocks.pddl"
    path.write_text(BLOCKS, encoding="utf-8")
    assert read_domain(path) == DOMAIN
    with pytest.raises(InputError, match="cannot be read"):
        read_domain(tmp_path / "absent.pddl")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "(define (domain d)\n  (:action a :effect (p))",
            "line 1, column 1: this parenthesis is never closed",
        ),
        ("(define (domain d)))", "expected nothing after the last parenthesis"),
        ("(define (domain d) (:durative-action a))", "line 1, column 20: :durative-action is not supported"),
        ("(define (domain d) (:requirements :adl))", ":adl is not supported; use only :strips"),
        ("(define (domain d) (:action a :effect (forall (?x) (p ?x))))", "forall is not supported"),
        ("(define (domain d) (:action a :parameters (?x) :effect (p ?y)))", "operator a uses Y"),
        ("(define (domain d) (:action a :parameters (x) :effect (p)))", "a parameter begins with ?"),
        ("(define (domain d) (:action a :parameters (?x - box) :effect (p)))", "uses the type box"),
        (
            "(define (domain d) (:predicates (p ?x)) (:action a :effect (p)))",
            "gives p 0 arguments; it takes 1",
        ),
        (
            "(define (domain d) (:predicates (p)) (:action a :effect (q)))",
            "uses the predicate q, which the domain does not",
        ),
        ("(define (domain d) (:action a))", "action a has no :effect"),
        ("(define (problem d))", "expected \\(domain NAME\\)"),
        ("word (define)", "line 1, column 1: expected \\("),
        ("()", "expected \\(define"),
        ("(", "never closed"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text, sentence):
    with pytest.raises(InputError, match=sentence):
        read_domain(text)


def test_problems_that_do_not_fit_their_domain():
    domain = read_domain(ROOMS)
    with pytest.raises(InputError, match="of the domain blocks, not rooms"):
        read_problem("(define (problem p) (:domain blocks))", domain)
    with pytest.raises(InputError, match="uses r9, which is not an object"):
        read_problem("(define (problem p) (:domain rooms) (:init (robot r9)))", domain)
    with pytest.raises(InputError, match="uses the type car"):
        read_problem("(define (problem p) (:domain rooms) (:objects a - car))", domain)


def test_plans_that_cannot_be_done():
    problem = read_problem(TWO_ROOMS, read_domain(ROOMS))
    with pytest.raises(
        InputError, match=r"step 1, \(gothru d1 r2 r1\), is not applicable: robot\(r2\) does not hold"
    ):
        check_plan(problem, [Step("gothru", ("d1", "r2", "r1"))])
    with pytest.raises(InputError, match=r"after 0 steps the goal in\(b1, r1\) does not hold"):
        check_plan(problem, [])
    with pytest.raises(InputError, match="there is no operator 'fly'"):
        check_plan(problem, [Step("fly", ())])
    with pytest.raises(InputError, match="which is not of the type door"):
        check_plan(problem, [Step("gothru", ("r1", "r1", "r2"))])
    with pytest.raises(InputError, match="max_nodes is 0"):
        breadth_first(problem, max_nodes=0)
    with pytest.raises(InputError, match="heuristic is"):
        best_first(problem, "magic")


def test_the_macro_of_two_rooms():
    """08:AD-10: what merely coincides in the plan is not demanded."""
    problem = read_problem(TWO_ROOMS, read_domain(ROOMS))
    plan = breadth_first(problem)
    macro = macro_operator(problem, plan.steps, "fetch")
    assert len(macro.parameters) == 6
    d1, r1, r2 = macro.parameters[:3]
    b, d2, r3 = macro.parameters[3:]
    assert set(map(str, macro.preconditions)) == {
        f"robot({r1})",
        f"connects({d1}, {r1}, {r2})",
        f"in({b}, {r2})",
        f"connects({d2}, {r2}, {r3})",
    }
    assert set(map(str, macro.adds)) == {f"robot({r3})", f"in({b}, {r3})"}
    assert set(map(str, macro.deletes)) == {f"robot({r1})", f"in({b}, {r2})"}
    assert macro.types == ("door", "room", "room", "box", "door", "room")
    wider = problem.domain.with_operators(macro)
    assert read_domain(write_domain(wider)).operator("fetch").adds == macro.adds
    again = PlanningProblem(wider, problem.objects, problem.initial, problem.goal)
    assert list(map(str, breadth_first(again).steps)) == ["(fetch d1 r1 r2 b1 d1 r1)"]


@given(st.integers(2, 4), st.integers(0, 10_000))
def test_a_macro_does_what_its_steps_do(n, seed):
    problem = blocks(n, seed)
    plan = best_first(problem)
    if not plan.steps:
        return
    macro = macro_operator(problem, plan.steps[:4])
    wider = PlanningProblem(DOMAIN.with_operators(macro), problem.objects, problem.initial, ())
    after = check_plan(PlanningProblem(DOMAIN, problem.objects, problem.initial, ()), plan.steps[:4])
    step = _as_used(macro, plan.steps[:4])
    assert check_plan(wider, [step]) == after


def _as_used(macro, steps):
    """The macro with the things of the plan it was made of."""
    values = {}
    for number, step in enumerate(steps, 1):
        operator = DOMAIN.operator(step.operator)
        for parameter, thing in zip(operator.parameters, step.arguments, strict=True):
            values[f"{parameter.name}{number}"] = thing
    return Step(macro.name, tuple(values[one.name] for one in macro.parameters))


def test_goals_are_regressed_over_operators():
    stack = DOMAIN.operator("stack")
    on, holding = parse_literal("on(X, Y)"), parse_literal("holding(X)")
    assert set(regress_goals([on], stack)) == {holding, parse_literal("clear(Y)")}
    assert regress_goals([on, holding], stack) is None
    assert regress_goals([parse_literal("ontable(X)")], stack)[-1] == parse_literal("ontable(X)")


def test_what_may_have_held_before_is_deleted():
    """A lamp that was lit already is dark behind the macro, as it is behind the steps."""
    domain = read_domain(
        "(define (domain l) (:predicates (lit ?x)) (:action on :parameters (?x) :effect (lit ?x))"
        " (:action off :parameters (?x) :precondition (lit ?x) :effect (not (lit ?x))))"
    )
    problem = PlanningProblem(domain, {"a": "object"}, frozenset(), ())
    macro = macro_operator(problem, [Step("on", ("a",)), Step("off", ("a",))])
    assert str(macro) == "on--off(X1): always => -lit(X1)"


@pytest.mark.compiled
def test_the_compiled_search_is_the_plain_one(monkeypatch):
    from induce.core.loops import compiled
    from induce.planning import search

    problem = blocks(4, 5)
    plain = breadth_first(problem)
    monkeypatch.setattr(search, "call_wrapping", lambda function, _, *given: compiled(function)(*given))
    assert breadth_first(problem) == plain


@settings(max_examples=10)
@given(st.integers(0, 1_000))
def test_what_must_not_hold_becomes_a_predicate(seed):
    """Plain STRIPS has the same plans: the two rooms have a door that must not be open to be opened."""
    problem = random_problem("two-rooms", 3, seed)
    plain = without_negation(without_equality(problem))
    conditions = [each for one in plain.domain.operators for each in (*one.preconditions, *plain.goal)]
    assert not any(each.negated for each in conditions)
    text = write_domain(plain.domain)
    assert ":negative-preconditions" not in text
    again = read_problem(write_problem(plain), read_domain(text))
    before, after = breadth_first(problem), breadth_first(again)
    assert len(before) == len(after)
    check_plan(problem, after.steps)


def test_a_fact_that_may_be_added_and_deleted_at_once_is_refused():
    text = (
        "(define (domain d) (:predicates (at ?x)) (:action go :parameters (?a ?b)"
        " :precondition (and (at ?a){}) :effect (and (at ?b) (not (at ?a)))))"
    )
    goal = "(define (problem q) (:domain d) (:objects u v) (:init (at u)) (:goal (and (at v) (not (at u)))))"
    with pytest.raises(InputError, match="go may add and delete the same at"):
        without_negation(read_problem(goal, read_domain(text.format(""))))
    for more in (" (not (= ?a ?b))", " (not (at ?b))"):
        apart = read_problem(goal, read_domain(text.format(more)))
        assert len(breadth_first(without_negation(without_equality(apart)))) == 1
