"""Means-ends search, control rules and random problems."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.logic import parse_literal
from induce.planning import (
    ControlRule,
    ControlRules,
    PlanningProblem,
    breadth_first,
    check_plan,
    means_ends,
    random_problem,
    read_domain,
)
from induce.planning.grounding import ground
from induce.planning.means_ends_search import search
from induce.planning.problems import DOMAINS

ORDER = ControlRule("before", "(on ?a ?b)", "(on ?b ?c)")
SIZES = {"blocks": 5, "two-rooms": 5, "logistics": 4, "eight-puzzle": 5}


@given(st.sampled_from(sorted(DOMAINS)), st.integers(0, 10_000))
def test_plans_reach_their_goal(domain, seed):
    problem = random_problem(domain, SIZES[domain], seed)
    plan = means_ends(problem, max_nodes=500)
    if plan:
        check_plan(problem, plan.steps)
    else:
        assert not plan.complete  # every random problem can be solved


def test_problems_are_the_same_for_a_seed():
    assert random_problem("blocks", 6, 3) == random_problem("blocks", 6, 3)
    assert random_problem("blocks", 6, 3).initial != random_problem("blocks", 6, 4).initial
    with pytest.raises(InputError, match="there is no domain 'chess'"):
        random_problem("chess", 3)
    with pytest.raises(InputError, match="size is 0; give 1 or more"):
        random_problem("blocks", 0)


def test_no_plan_nothing_to_do_and_too_few_nodes():
    problem = random_problem("blocks", 2, 1)
    never = (parse_literal("on(b1, b2)"), parse_literal("on(b2, b1)"))
    plan = means_ends(PlanningProblem(problem.domain, problem.objects, problem.initial, never))
    assert str(plan) == "there is no plan"
    assert plan.complete
    done = PlanningProblem(problem.domain, problem.objects, problem.initial, ())
    assert str(means_ends(done)) == "nothing needs to be done"
    short = means_ends(random_problem("blocks", 4, 1), max_nodes=2)
    assert str(short) == "no plan was found within 2 nodes"
    with pytest.raises(InputError, match="max_nodes is 0; give a whole number"):
        means_ends(problem, max_nodes=0)


def test_goals_that_must_be_worked_for_in_turns():
    """Two things go to the moon in a rocket that flies once: no order of whole goals solves it (Veloso 1989)."""
    domain = read_domain(
        """
        (define (domain rocket) (:requirements :strips)
          (:predicates (at ?x ?p) (in ?x) (fuel) (moon ?p) (earth ?p) (rocket ?p) (thing ?x))
          (:action load :parameters (?x ?p) :precondition (and (thing ?x) (at ?x ?p) (rocket ?p))
            :effect (and (in ?x) (not (at ?x ?p))))
          (:action unload :parameters (?x ?p) :precondition (and (thing ?x) (in ?x) (rocket ?p))
            :effect (and (at ?x ?p) (not (in ?x))))
          (:action fly :parameters (?p ?q) :precondition (and (rocket ?p) (earth ?p) (moon ?q) (fuel))
            :effect (and (rocket ?q) (not (rocket ?p)) (not (fuel)))))
        """
    )
    facts = "at(a, e) at(b, e) rocket(e) earth(e) moon(m) fuel thing(a) thing(b)".replace(") ", ");")
    start = frozenset(map(parse_literal, facts.replace("fuel ", "fuel;").split(";")))
    goal = (parse_literal("at(a, m)"), parse_literal("at(b, m)"))
    problem = PlanningProblem(domain, dict.fromkeys("abem", "object"), start, goal)
    _, exhausted = search(ground(problem), None, 10_000)
    assert exhausted
    plan = means_ends(problem)
    assert len(plan) == len(breadth_first(problem)) == 5
    check_plan(problem, plan.steps)


def test_a_rule_orders_the_goals_of_universal():
    """Mitchell §11.4: the stack that spells UNIVERSAL is built from its end."""
    letters = "universal"
    domain = random_problem("blocks", 1).domain
    names = [f"{letter}{place}" for place, letter in enumerate(letters)]
    goal = tuple(parse_literal(f"on({a}, {b})") for a, b in pairwise(names))
    start = frozenset(
        parse_literal(one)
        for one in ["handempty", *(f"{kind}({name})" for name in names for kind in ("clear", "ontable"))]
    )
    problem = PlanningProblem(domain, dict.fromkeys(names, "object"), start, goal)
    task = ground(problem)
    rules = ControlRules("blocks", (ORDER,))
    matcher = rules.control(problem, task)
    pending = [2 * task.facts.index(one) for one in goal]
    ordered = [task.facts[one // 2] for one in matcher.goals(task.initial, pending)]
    assert ordered == list(goal[::-1])
    plan = means_ends(task, matcher)
    assert len(plan) == 2 * len(goal)
    check_plan(problem, plan.steps)
    assert len(means_ends(task)) > len(plan)


def test_rules_match_by_things_types_and_absent_facts():
    problem = random_problem("logistics", 3, 0)
    task = ground(problem)
    goal = next(place for place, fact in enumerate(task.facts) if str(fact) == "in(k1, t1)")
    loads = [n for n, one in enumerate(task.actions) if one.operator == "load-truck" and one.adds >> goal & 1]
    assert len(loads) == 3

    def left(rule):
        return list(ControlRules("logistics", (rule,)).control(problem, task).actions(0, 2 * goal, loads))

    choice = "(load-truck ?t ?c ?l ?p)"
    assert left(ControlRule("reject", "(in ?p ?t)", choice)) == []
    assert left(ControlRule("reject", "(in ?p ?t)", choice, ("(:plane ?t)",))) == loads
    (airport,) = left(ControlRule("reject", "(in ?p ?t)", choice, ("(not (:airport ?l))",)))
    assert task.actions[airport].arguments[2] == "p1"
    assert left(ControlRule("reject", "(in ?p ?t)", choice, ("(at ?p ?l)",))) == loads
    assert left(ControlRule("reject", "(in ?p ?t)", choice, (), ("(at ?p ?l)",))) == []
    always = ("(in-city ?m ?d)|(= ?d ?c)",)
    assert left(ControlRule("reject", "(in ?p ?t)", choice, (), always)) == loads
    preferred = left(ControlRule("prefer", "(in ?p ?t)", choice, ("(:airport ?l)",)))
    assert preferred[0] == airport
    assert sorted(preferred) == loads


def test_rules_print_and_save(tmp_path):
    rule = ControlRule(
        "reject",
        "(in ?a ?b)",
        "(load-truck ?b ?c ?d ?a)",
        ("(not (:airport ?d))",),
        ("(at ?a ?d)", "(at ?e ?d)|(serves ?e ?f)|(not (= ?e ?b))"),
    )
    text = (
        "IF goal in(A, B) AND D is not of type airport AND no at(A, D) AND no at(E, D) with serves(E, F), E != B "
        "THEN reject load-truck(B, C, D, A)"
    )
    assert str(rule) == text
    rules = ControlRules("logistics", (rule, ORDER), 5, 3, 2)
    induce.save(rules, tmp_path / "control.induce")
    assert induce.load(tmp_path / "control.induce") == rules
    assert rules.report().startswith("2 problems, 5 conflicts, 3 rules learned, 2 kept\n1. IF goal in(A, B)")
    assert rules.size() == "2 control rules"
    assert str(ControlRules("blocks")) == "no control rules"


def test_a_search_is_traced_and_interrupted():
    problem = random_problem("blocks", 4, 2)
    with induce.trace(only="choose") as events:
        plan = means_ends(problem)
    done = [event["action"] for event in events if event["choice"] == "do"]
    assert done[-1] == str(plan.steps[-1])
    assert {event["choice"] for event in events} == {"work for", "do"}
    hard = random_problem("logistics", 6, 0)

    def stop(share):
        raise KeyboardInterrupt

    with induce.progress(stop), pytest.raises(KeyboardInterrupt):
        means_ends(hard)
